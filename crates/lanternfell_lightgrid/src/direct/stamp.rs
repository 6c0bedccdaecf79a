//! The light of one source.

use glam::{IVec2, Vec3};

use super::falloff::{FAINTEST, FalloffTable};
use crate::{
    area::Area, hexagonal::rows_within, neighborhood::Neighborhood, scene::Scene,
    shadowcast::FieldOfView, source::Source,
};

/// The cells that one source lights, and their light relative to its strength.
#[derive(Debug, Clone)]
pub(super) struct Stamp {
    pub(super) source: Source,
    pub(super) area: Area,
    /// The share of its light that reaches each cell of the area.
    shares: Vec<Vec3>,
    /// The distance up to which the field of view was computed, in cells.
    radius: u32,
}

impl Stamp {
    /// Computes the stamp of a source. It extends as far as the source is visible by `falloff`.
    pub(super) fn new(source: &Source, scene: &Scene, falloff: &FalloffTable) -> Self {
        let radius = falloff.radius(source.light.max_element());
        let neighborhood = scene.settings.neighborhood;
        // Rows of hexagons are closer together.
        let reach = if neighborhood.is_hexagonal() {
            rows_within(radius)
        } else {
            radius
        };
        let area = Area::around(neighborhood.cell_at(source.at), reach + 1, scene.size);
        let mut stamp = Self {
            source: *source,
            area,
            shares: vec![Vec3::ZERO; area.count()],
            radius,
        };
        if radius > 0 {
            stamp.look(scene);
            stamp.fade(scene, falloff);
            stamp.shade(scene);
        }
        stamp
    }

    /// Switches to a source that differs only in its light. Returns whether that was possible.
    pub(super) fn take_over(&mut self, source: &Source, falloff: &FalloffTable) -> bool {
        let stays = source.at == self.source.at && source.height == self.source.height;
        let same = stays && falloff.radius(source.light.max_element()) <= self.radius;
        if same {
            self.source = *source;
        }
        same
    }

    /// The light of a source of this strength in a cell of the area.
    ///
    /// Light that is too faint is cut off here, by its value. The result is therefore the same if
    /// the stamp was computed for a stronger source.
    pub(super) fn light(&self, cell: IVec2, light: Vec3) -> Vec3 {
        let share = self.shares[self.area.place(cell)];
        if share.max_element() * light.max_element() < FAINTEST {
            return Vec3::ZERO;
        }
        share * light
    }

    /// Computes the field of view from each of the cells that share the source.
    fn look(&mut self, scene: &Scene) {
        let mut view = FieldOfView::new();
        let mut shares = 0.0;
        for (from, share) in self.source.shares(scene.settings.neighborhood) {
            if !scene.contains(from) || scene.is_opaque(from) {
                // The shares of cells in walls go to the other cells.
                continue;
            }
            shares += share;
            scene.look(&mut view, from, self.radius);
            for cell in view.cells().filter(|&cell| self.area.contains(cell)) {
                self.shares[self.area.place(cell)] += Vec3::splat(share);
            }
        }
        for seen in &mut self.shares {
            *seen /= f32::max(shares, f32::MIN_POSITIVE);
        }
    }

    /// The fraction of the light that reaches a cell over open ground.
    ///
    /// On squares it depends on the distance to the source. On hexagons it is computed from the
    /// cells that share the source, weighted by their shares. A distance to the source would make
    /// cells next to the edge between two hexagons much brighter than flowing light, because they
    /// are very close to its middle.
    fn faded(&self, cell: IVec2, neighborhood: Neighborhood, falloff: &FalloffTable) -> f32 {
        if !neighborhood.is_hexagonal() {
            return falloff.at(self.source.at.distance(cell.as_vec2()));
        }
        let place = |cell: IVec2| neighborhood.to_plane(cell.as_vec2());
        let shares = self.source.shares(neighborhood);
        let light =
            shares.map(|(from, share)| share * falloff.at(place(from).distance(place(cell))));
        // Rounding may lift the sum of the shares above 1.
        light.sum::<f32>().min(1.0)
    }

    /// Dims the visible cells by their distance, and by transparent cells on the way.
    fn fade(&mut self, scene: &Scene, falloff: &FalloffTable) {
        let neighborhood = scene.settings.neighborhood;
        let home = neighborhood.cell_at(self.source.at);
        let clear = self.area.cells().all(|cell| is_clear(scene, cell));
        for cell in self.area.cells() {
            let place = self.area.place(cell);
            if self.shares[place] != Vec3::ZERO {
                let faded = self.faded(cell, neighborhood, falloff);
                self.shares[place] *= faded;
                if !clear {
                    self.shares[place] *= passed(scene, home, cell);
                }
            }
        }
    }

    /// Applies the shadows of the relief.
    fn shade(&mut self, scene: &Scene) {
        if let Some(relief) = &scene.relief {
            let at = self.source.at;
            let lamp = at.extend(relief.ground_at(at) + self.source.height);
            relief.shade(lamp, self.radius, self.area, &mut self.shares);
        }
    }
}

/// Whether a cell passes on all light or none.
fn is_clear(scene: &Scene, cell: IVec2) -> bool {
    let transparency = scene.cell(cell).transparency;
    transparency == Vec3::ONE || transparency == Vec3::ZERO
}

/// The fraction of light that the cells between two cells pass on.
fn passed(scene: &Scene, from: IVec2, to: IVec2) -> Vec3 {
    let between = scene
        .line(from, to)
        .filter(|&cell| cell != from && cell != to);
    between.fold(Vec3::ONE, |light, cell| {
        let transparency = scene.cell(cell).transparency;
        // The line may cut the corner of a wall that does not block the view.
        if transparency == Vec3::ZERO {
            light
        } else {
            light * scene.tinted(transparency)
        }
    })
}
