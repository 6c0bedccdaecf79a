//! The Cellars: store rooms of many shapes, joined by corridors and doors.

use super::{
    plan::{Plan, RoomKind},
    shape,
};
use crate::Ground;

/// Digs the floor.
pub(super) fn dig_layout(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.cellars;
    let hall = shape::outlined(&mut plan.rng, &rules.hall);
    plan.stamp_in_the_middle(&hall, RoomKind::Hall);
    plan.attach_barracks();
    plan.grow_around(&rules.growth);
}

/// Puts gravel into some store rooms, other rooms and corridors.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.cellars;
    for id in plan.room_ids() {
        let room = plan.room(id);
        let chance = match room.kind {
            RoomKind::Plain if room.cells.len() <= rules.store_cells => rules.stores,
            RoomKind::Plain => rules.plain,
            RoomKind::Corridor => rules.corridors,
            _ => 0,
        };
        if plan.rng.percent(chance) {
            plan.pave(id, Ground::Gravel, rules.gravel);
        }
    }
}
