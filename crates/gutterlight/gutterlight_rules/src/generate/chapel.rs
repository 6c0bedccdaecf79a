//! The Chapel: a nave with pillars, side chapels, stained windows, a cloister in the moonlight, and
//! a barracks.

use glam::IVec2;

use super::{
    plan::{Plan, RoomKind},
    shape::{self, Shape},
};
use crate::{Ground, Tile};

/// Digs the floor.
pub(super) fn dig_layout(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.chapel;
    let nave = church(plan);
    plan.stamp_in_the_middle(&nave, RoomKind::Hall);
    plan.grow(&rules.chapels, |plan| {
        shape::outlined(&mut plan.rng, &rules.chapel)
    });
    plan.attach_barracks();
    let garth = shape::outlined(&mut plan.rng, &rules.garth);
    plan.attach(&garth, 0, RoomKind::Plain);
    plan.grow_around(&rules.growth);
}

/// A nave, sometimes with a transept.
fn church(plan: &mut Plan<'_>) -> Shape {
    let rules = &plan.rules.generation.chapel;
    let size = plan.share_of_map(&rules.nave);
    // An odd height, so that the aisle is in the middle.
    let size = IVec2::new(size.x, size.y | 1);
    let nave = shape::nave(size, rules.nave.spacing);
    if plan.rng.percent(rules.plain_nave) {
        return shape::mirrored(&mut plan.rng, &nave);
    }
    let arm = 2;
    let left = size.x - 9;
    let mut church = shape::of(size + IVec2::new(0, 2 * arm), |at| {
        (arm..size.y + arm).contains(&at.y) || (left..left + 5).contains(&at.x)
    });
    for (at, &tile) in nave.iter().filter(|(_, tile)| **tile == Tile::Pillar) {
        if !(left + 1..left + 4).contains(&at.x) {
            church[at + IVec2::new(0, arm)] = tile;
        }
    }
    shape::mirrored(&mut plan.rng, &church)
}

/// Lays carpets along the aisle and in some of the rooms.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.chapel;
    for id in plan.room_ids() {
        let chance = match plan.room(id).kind {
            RoomKind::Plain => rules.plain,
            RoomKind::Corridor => rules.corridors,
            RoomKind::Hall => {
                plan.add_carpet_runner(id, rules.aisle);
                0
            }
            _ => 0,
        };
        if plan.rng.percent(chance) {
            plan.pave(id, Ground::Carpet, 100);
        }
    }
}
