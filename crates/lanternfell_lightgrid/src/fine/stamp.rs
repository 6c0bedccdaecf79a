//! The straight light of one lamp, in fine cells.

use core::ops::Range;

use glam::{IVec2, Vec2, Vec3};

use super::{HighResLamp, ground::FineGround, tint::Tint};
use crate::{
    area::Area,
    direct::falloff::{FAINTEST, FalloffTable},
    shadowcast::FieldOfView,
};

/// The fine cells that one lamp lights, and their light relative to its strength.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamp {
    /// The lamp that the stamp was computed for. `None` if it must be computed again.
    lamp: Option<HighResLamp>,
    light: Vec3,
    /// The distance up to which the field of view was computed, in cells, and the fine cells within
    /// it.
    reach: u32,
    reached: Area,
    /// Those of them that may be lit.
    area: Area,
    /// The share of the light that reaches each fine cell of the area.
    shares: Vec<f32>,
    /// The share of each color that remains after transparent cells on the way. Empty if all light
    /// remains everywhere.
    tints: Vec<Vec3>,
}

/// Working memory for computing stamps.
#[derive(Debug, Clone, Default)]
pub(super) struct Looking {
    view: FieldOfView,
    /// The shares of all fine cells within the reach of a lamp.
    shares: Vec<f32>,
}

impl Stamp {
    /// Whether the stamp is up to date for this lamp.
    pub(super) fn is_for(&self, lamp: &HighResLamp) -> bool {
        self.lamp.as_ref() == Some(lamp)
    }

    /// Marks the stamp as outdated.
    pub(super) fn forget(&mut self) {
        self.lamp = None;
    }

    /// The fine cells that the lamp may light.
    pub(super) fn area(&self) -> Area {
        self.area
    }

    /// The fine cells that the lamp could light if nothing blocked it.
    pub(super) fn reached(&self) -> Area {
        self.reached
    }

    /// Calls `put` with the light of some fine cells of the area, given their indices. Skips cells
    /// where the light is too faint to be visible. This uses the present strength of the lamp, so
    /// the result does not depend on the strength that the stamp was computed for.
    pub(super) fn shine(&self, places: Range<usize>, mut put: impl FnMut(usize, Vec3)) {
        let tints = self.tints.get(places.clone());
        let strength = self.light.max_element();
        for (place, &share) in self.shares[places].iter().enumerate() {
            if share * strength >= FAINTEST {
                let light = self.light * share;
                put(place, tints.map_or(light, |tints| light * tints[place]));
            }
        }
    }

    /// Computes the stamp of a lamp with this light.
    pub(super) fn renew(
        &mut self,
        (lamp, light): (&HighResLamp, Vec3),
        (ground, falloff): (&FineGround, &FalloffTable),
        looking: &mut Looking,
    ) {
        self.light = light.max(Vec3::ZERO);
        let reach = falloff.radius(self.light.max_element());
        let stays = |old: HighResLamp| (old.source.at, old.radius) == (lamp.source.at, lamp.radius);
        // If only the light changes, as for a flickering flame, the field of view stays the same. A
        // stronger light may reach further.
        let seen = self.lamp.replace(*lamp).is_some_and(stays);
        if seen && reach <= self.reach {
            return;
        }
        let at = ground.to_fine(lamp.source.at);
        let disc = (lamp.radius * ground.subdivisions() as f32).max(LEAST_DISC);
        let radius = reach * ground.subdivisions();
        let around = radius + disc.ceil() as u32;
        let around = Area::around(at.round().as_ivec2(), around, ground.fine_size());
        self.reach = reach;
        self.reached = around.within(Area::whole(ground.fine_size()));
        looking.shares.clear();
        looking.shares.resize(self.reached.count(), 0.0);
        if reach > 0 && !self.reached.is_empty() {
            looking.look(lamp, ground, self.reached, (at, disc, radius));
        }
        self.keep(&looking.shares);
        self.fade(ground, falloff, lamp.source.at);
    }

    /// Keeps the shares in the smallest rectangle that contains all shares above 0.
    fn keep(&mut self, shares: &[f32]) {
        let reached = self.reached;
        let width = (reached.end.x - reached.first.x).max(1) as usize;
        let mut lit: Option<Area> = None;
        for (y, row) in (reached.first.y..).zip(shares.chunks(width)) {
            let Some(first) = row.iter().position(|&share| share > 0.0) else {
                continue;
            };
            let behind = row.iter().rev().position(|&share| share > 0.0);
            let last = width - behind.unwrap_or(0);
            let here = Area {
                first: IVec2::new(reached.first.x + first as i32, y),
                end: IVec2::new(reached.first.x + last as i32, y + 1),
            };
            lit = Some(lit.map_or(here, |lit| lit.union(here)));
        }
        self.area = lit.unwrap_or_default();
        self.shares.clear();
        self.shares.reserve_exact(self.area.count());
        for y in self.area.first.y..self.area.end.y {
            let first = reached.place(IVec2::new(self.area.first.x, y));
            let cells = (self.area.end.x - self.area.first.x) as usize;
            self.shares.extend_from_slice(&shares[first..first + cells]);
        }
        self.shares.shrink_to_fit();
    }

    /// Dims the visible fine cells by their distance, and by transparent cells on the way.
    fn fade(&mut self, ground: &FineGround, falloff: &FalloffTable, at: Vec2) {
        self.tints = Vec::new();
        if self.area.is_empty() {
            return;
        }
        let tint = Tint::new(ground, self.area, at);
        if tint.is_some() {
            self.tints.resize(self.area.count(), Vec3::ONE);
        }
        for (place, fine) in self.area.cells().enumerate() {
            if self.shares[place] == 0.0 {
                continue;
            }
            let there = ground.to_cells(fine);
            self.shares[place] *= falloff.at(at.distance(there));
            if let Some(tint) = &tint {
                self.tints[place] = tint.passed(there);
            }
        }
    }
}

impl Looking {
    /// Computes the field of view from each of the fine cells under the disc of a lamp.
    fn look(
        &mut self,
        lamp: &HighResLamp,
        ground: &FineGround,
        area: Area,
        (at, disc, radius): (Vec2, f32, u32),
    ) {
        let own = ground.disc_at(lamp.source.at);
        let blocked = |fine: IVec2| match own {
            None => ground.is_blocked(fine),
            Some(disc) => ground.is_blocked_but_for(disc, fine),
        };
        let mut all = 0.0;
        for (from, covered) in under(at, disc) {
            // The shares of those in walls go to the others.
            if !area.contains(from) || blocked(from) {
                continue;
            }
            all += covered;
            self.view.compute(from, radius, blocked);
            for fine in self.view.cells().filter(|&fine| area.contains(fine)) {
                self.shares[area.place(fine)] += covered;
            }
        }
        let all = f32::max(all, f32::MIN_POSITIVE);
        self.shares.iter_mut().for_each(|share| *share /= all);
    }
}

/// The minimum radius of the disc of a lamp, in fine cells. Its covered parts then change smoothly
/// when it moves.
const LEAST_DISC: f32 = 0.75;

/// The radius in fine cells from which a lamp does not shine from all fine cells under its disc.
/// Instead it shines from those in every second, third, ... row and column, so that their number
/// stays about the same.
const ALL_SHINE: f32 = 2.5;

/// The fine cells that a disc covers, and approximately the covered part of each.
fn under(at: Vec2, radius: f32) -> impl Iterator<Item = (IVec2, f32)> {
    let every = ((radius / ALL_SHINE) as i32).max(1);
    let reach = (radius + every as f32).ceil() as i32;
    let middle = at.round().as_ivec2();
    let rows = (middle.y.saturating_sub(reach))..=(middle.y.saturating_add(reach));
    let columns = (middle.x.saturating_sub(reach))..=(middle.x.saturating_add(reach));
    let shines = move |along: &i32| along.rem_euclid(every) == 0;
    rows.filter(shines)
        .flat_map(move |y| {
            columns
                .clone()
                .filter(shines)
                .map(move |x| IVec2::new(x, y))
        })
        .filter_map(move |fine| {
            let inside = radius - at.distance(fine.as_vec2());
            let covered = (inside / every as f32 + 0.5).clamp(0.0, 1.0);
            (covered > 0.0).then_some((fine, covered))
        })
}
