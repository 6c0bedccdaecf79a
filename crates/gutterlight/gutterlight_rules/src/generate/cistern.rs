//! The Drowned Cistern: flooded halls with stone walkways, channels, and barred windows.
//!
//! Walkways connect the entrances of a flooded room. They are quiet, but lead through the middle.
//! The water next to them is dark, but it splashes.

use glam::IVec2;

use super::{
    plan::{Plan, RoomId, RoomKind},
    shape,
};
use crate::{Direction, Ground, Tile};

/// Digs the floor.
pub(super) fn dig_layout(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.cistern;
    let size = plan.share_of_map(&rules.basin);
    let basin = shape::colonnade(size, rules.basin.spacing);
    plan.stamp_in_the_middle(&basin, RoomKind::Hall);
    plan.attach_barracks();
    let pool = shape::outlined(&mut plan.rng, &rules.pool);
    plan.attach(&pool, 0, RoomKind::Hall);
    plan.grow_around(&rules.growth);
}

/// Floods halls, and some of the other rooms and corridors.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.cistern;
    for id in plan.room_ids() {
        let chance = match plan.room(id).kind {
            RoomKind::Hall => rules.halls,
            RoomKind::Plain => rules.plain,
            RoomKind::Corridor => rules.corridors,
            _ => 0,
        };
        if plan.rng.percent(chance) {
            flood(plan, id);
        }
    }
}

/// Floods a room except for the walkways between its entrances.
pub(super) fn flood(plan: &mut Plan<'_>, id: RoomId) {
    let narrow = plan.room(id).kind == RoomKind::Corridor;
    let heart = plan.heart(id);
    plan.pave(id, Ground::Water, 100);
    let Some(heart) = heart.filter(|_| !narrow) else {
        return;
    };
    let is_next_to_exit = |plan: &Plan<'_>, at: IVec2| {
        let mut ways = Direction::STRAIGHT.into_iter().map(|way| at + way.step());
        ways.any(|neighbor| plan.is_open(neighbor) && plan.owner[neighbor] != Some(id))
    };
    let cells = plan.room(id).cells.iter().copied();
    let entries: Vec<IVec2> = cells.filter(|&at| is_next_to_exit(plan, at)).collect();
    for entry in entries {
        pave_walkway(plan, id, entry, heart);
    }
}

/// Paves a path of stone between two cells: along one axis first, then along the other.
fn pave_walkway(plan: &mut Plan<'_>, id: RoomId, from: IVec2, to: IVec2) {
    let mut at = from;
    let rows_first = plan.rng.percent(50);
    for _ in 0..100 {
        if plan.owner[at] == Some(id) && plan.is_ground(at) {
            plan.tiles[at] = Tile::Ground(Ground::Stone);
        }
        let step = (to - at).signum();
        if step == IVec2::ZERO {
            return;
        }
        at += match (step.x != 0, step.y != 0) {
            (true, true) if rows_first => IVec2::new(step.x, 0),
            (true, true) => IVec2::new(0, step.y),
            _ => step,
        };
    }
}
