//! What one source shines on.

use glam::{IVec2, Vec3};

use super::{FAINTEST, area::Area};
use crate::{FieldOfView, LightGrid, Source, line};

/// What one source shines on, and how brightly for its strength.
#[derive(Debug, Clone)]
pub(super) struct Stamp {
    pub(super) source: Source,
    pub(super) area: Area,
    /// The share of its light that reaches each cell of the area.
    shares: Vec<Vec3>,
    /// In cells.
    radius: u32,
}

impl Stamp {
    /// `falloff` is the light at so many cells from a source on open ground.
    pub(super) fn new(source: &Source, grid: &LightGrid, falloff: &[f32]) -> Self {
        let radius = radius(source, falloff);
        let area = Area::around(source.cell(), radius + 1, grid);
        let mut stamp = Self {
            source: *source,
            area,
            shares: vec![Vec3::ZERO; area.count()],
            radius,
        };
        if radius > 0 {
            stamp.look(grid);
            stamp.fade(grid, falloff);
        }
        stamp
    }

    /// Takes over a source that differs in its light alone; whether it could.
    pub(super) fn take_over(&mut self, source: &Source, falloff: &[f32]) -> bool {
        let same = source.at == self.source.at && radius(source, falloff) <= self.radius;
        if same {
            self.source = *source;
        }
        same
    }

    /// The light that it brings to a cell of its area, when its source gives so much.
    ///
    /// What is too faint is cut off here, by its value: so the light does not depend on
    /// whether the stamp was made for a stronger source.
    pub(super) fn light(&self, cell: IVec2, light: Vec3) -> Vec3 {
        let share = self.shares[self.area.place(cell)];
        if share.max_element() * light.max_element() < FAINTEST {
            return Vec3::ZERO;
        }
        share * light
    }

    /// Finds what each of the cells that share the source sees.
    fn look(&mut self, grid: &LightGrid) {
        let mut view = FieldOfView::new();
        let mut shares = 0.0;
        for (from, share) in self.source.shares() {
            if !grid.contains(from) || grid.is_opaque(from) {
                // The shares of cells in walls go to the others.
                continue;
            }
            shares += share;
            view.look(from, self.radius, |cell| grid.is_opaque(cell));
            for cell in view.cells().filter(|&cell| self.area.contains(cell)) {
                self.shares[self.area.place(cell)] += Vec3::splat(share);
            }
        }
        for seen in &mut self.shares {
            *seen /= f32::max(shares, f32::MIN_POSITIVE);
        }
    }

    /// Dims what is seen by its distance, and by what lies on the way.
    fn fade(&mut self, grid: &LightGrid, falloff: &[f32]) {
        let clear = self.area.cells().all(|cell| is_clear(grid, cell));
        for cell in self.area.cells() {
            let share = &mut self.shares[self.area.place(cell)];
            if *share != Vec3::ZERO {
                *share *= fading_at(falloff, self.source.at.distance(cell.as_vec2()));
                if !clear {
                    *share *= passed(grid, self.source.cell(), cell);
                }
            }
        }
    }
}

/// How far from its cell a source is bright enough to see; it stands less than a cell off
/// the middle.
fn radius(source: &Source, falloff: &[f32]) -> u32 {
    let strength = source.light.max_element();
    let seen = |falloff: &&f32| **falloff * strength >= FAINTEST;
    match falloff.iter().take_while(seen).count() as u32 {
        0 => 0,
        cells => cells + 1,
    }
}

/// The light at any distance, from that at whole numbers of cells.
fn fading_at(falloff: &[f32], distance: f32) -> f32 {
    let near = distance as usize;
    let at = |n: usize| falloff.get(n).copied().unwrap_or(0.0);
    let part = distance - near as f32;
    at(near) * (1.0 - part) + at(near + 1) * part
}

/// Whether light passes a cell whole, or not at all.
fn is_clear(grid: &LightGrid, cell: IVec2) -> bool {
    let transparency = grid.cell(cell).transparency;
    transparency == Vec3::ONE || transparency == Vec3::ZERO
}

/// What the cells between two cells pass.
fn passed(grid: &LightGrid, from: IVec2, to: IVec2) -> Vec3 {
    let between = line(from, to).filter(|&cell| cell != from && cell != to);
    between.fold(Vec3::ONE, |light, cell| {
        let transparency = grid.cell(cell).transparency;
        // A line may cut the corner of a wall that the view passes.
        if transparency == Vec3::ZERO {
            light
        } else {
            light * grid.tinted(transparency)
        }
    })
}
