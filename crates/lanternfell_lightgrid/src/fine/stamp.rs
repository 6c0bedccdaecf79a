//! What one lamp shines on, in fine cells.

use core::ops::Range;

use glam::{IVec2, Vec2, Vec3};

use super::{FineLamp, ground::FineGround, tint::Tint};
use crate::{
    area::Area,
    direct::falloff::{FAINTEST, FalloffTable},
    shadowcast::FieldOfView,
};

/// What one lamp shines on, and how brightly for its strength.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamp {
    /// None when it has to be looked at anew.
    lamp: Option<FineLamp>,
    /// Of fine cells.
    area: Option<Area>,
    /// The share of its light that comes to each fine cell of the area.
    shares: Vec<f32>,
    /// What is left of the colors on the way; nothing where all of it is left everywhere.
    tints: Vec<Vec3>,
    light: Vec3,
    view: FieldOfView,
}

impl Stamp {
    /// Whether it has been looked at, of this lamp.
    pub(super) fn is_for(&self, lamp: &FineLamp) -> bool {
        self.lamp.as_ref() == Some(lamp)
    }

    /// It has to be looked at anew.
    pub(super) fn forget(&mut self) {
        self.lamp = None;
    }

    /// The fine cells that it may shine on.
    pub(super) fn area(&self) -> Area {
        self.area.unwrap_or(Area {
            first: IVec2::ZERO,
            end: IVec2::ZERO,
        })
    }

    /// Gives the light that it brings to some fine cells of its area, by their places there; not where it is too faint to be
    /// seen: by the lamp's strength as it is now, so that it does not matter for which it was looked at.
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

    /// Looks at what a lamp shines on, whose light is this.
    pub(super) fn renew(
        &mut self,
        lamp: &FineLamp,
        ground: &FineGround,
        falloff: &FalloffTable,
        light: Vec3,
    ) {
        self.light = light.max(Vec3::ZERO);
        let strength = self.light.max_element();
        let stays = |old: &FineLamp| (old.source.at, old.radius) == (lamp.source.at, lamp.radius);
        // Flames flicker: where and what is seen stays. A stronger one may reach further.
        let seen = self.lamp.as_ref().filter(|old| stays(old));
        let reach = falloff.radius(strength);
        if seen.is_some_and(|old| falloff.radius(old.source.light.max_element()) >= reach) {
            self.lamp = Some(*lamp);
            return;
        }
        self.lamp = Some(*lamp);
        let at = ground.to_fine(lamp.source.at);
        let disc = (lamp.radius * ground.finer() as f32).max(LEAST_DISC);
        let radius = reach * ground.finer();
        let around = radius + disc.ceil() as u32;
        let area = Area::around(at.round().as_ivec2(), around, ground.fine_size());
        let area = area.within(Area::whole(ground.fine_size()));
        self.area = Some(area);
        self.shares.clear();
        self.shares.resize(area.count(), 0.0);
        self.tints.clear();
        if reach > 0 && !area.is_empty() {
            self.look(ground, (at, disc, radius));
            self.fade(ground, falloff, lamp.source.at);
        }
    }

    /// Finds what each of the fine cells under the lamp's disc sees.
    fn look(&mut self, ground: &FineGround, (at, disc, radius): (Vec2, f32, u32)) {
        let own = self.lamp.and_then(|lamp| ground.disc_at(lamp.source.at));
        let blocked = |fine: IVec2| match own {
            None => ground.is_blocked(fine),
            Some(disc) => ground.is_blocked_but_for(disc, fine),
        };
        let area = self.area();
        let mut all = 0.0;
        for (from, covered) in under(at, disc) {
            // The shares of those in walls go to the others.
            if !area.contains(from) || blocked(from) {
                continue;
            }
            all += covered;
            self.view.look(from, radius, blocked);
            for fine in self.view.cells().filter(|&fine| area.contains(fine)) {
                self.shares[area.place(fine)] += covered;
            }
        }
        let all = f32::max(all, f32::MIN_POSITIVE);
        self.shares.iter_mut().for_each(|share| *share /= all);
    }

    /// Dims what is seen by its distance, and by what lies on the way.
    fn fade(&mut self, ground: &FineGround, falloff: &FalloffTable, at: Vec2) {
        let area = self.area();
        let tint = Tint::new(ground, area, at);
        if tint.is_some() {
            self.tints.resize(area.count(), Vec3::ONE);
        }
        for fine in area.cells() {
            let place = area.place(fine);
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

/// The least radius of a lamp's disc, in fine cells: so many that what it covers changes smoothly as it moves.
const LEAST_DISC: f32 = 0.75;

/// The fine cells that a disc covers, and about how much of each.
fn under(at: Vec2, radius: f32) -> impl Iterator<Item = (IVec2, f32)> {
    let reach = (radius + 1.0).ceil() as i32;
    let middle = at.round().as_ivec2();
    let rows = (middle.y.saturating_sub(reach))..=(middle.y.saturating_add(reach));
    let columns = (middle.x.saturating_sub(reach))..=(middle.x.saturating_add(reach));
    rows.flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
        .filter_map(move |fine| {
            let covered = (radius + 0.5 - at.distance(fine.as_vec2())).clamp(0.0, 1.0);
            (covered > 0.0).then_some((fine, covered))
        })
}
