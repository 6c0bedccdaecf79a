//! Flooded: water in rooms and corridors, except for walkways through the rooms. Wading is loud,
//! and water holds no scent for hounds.

use crate::generate::{
    cistern::flood,
    plan::{Plan, RoomKind},
};

pub(super) fn furnish(plan: &mut Plan<'_>) {
    let rules = &plan.rules.twists;
    for id in plan.room_ids() {
        let chance = match plan.room(id).kind {
            RoomKind::Plain | RoomKind::Hall | RoomKind::Cave => rules.flooded_rooms,
            RoomKind::Corridor => rules.flooded_corridors,
            _ => 0,
        };
        if plan.rng.percent(chance) {
            flood(plan, id);
        }
    }
}
