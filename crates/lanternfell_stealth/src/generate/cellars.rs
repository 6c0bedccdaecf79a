//! The Cellars: store rooms of every shape, joined by corridors and doors.

use super::{
    accrete::Growth,
    plan::{Plan, RoomKind},
    shape::{self, Shape},
};
use crate::Ground;

/// How cellars grow.
const GROWTH: Growth = Growth {
    misses: 14,
    corridors: 45,
    length: (3, 8),
    each: 60,
};

/// Digs the floor.
pub(super) fn lay(plan: &mut Plan<'_>) {
    let hall = shape::size(&mut plan.rng, (10, 7), (13, 9));
    let hall = shape::colonnade(hall, 3);
    plan.stamp_in_the_middle(&hall, RoomKind::Hall);
    plan.attach_barracks();
    plan.grow_around(&GROWTH, room);
}

fn room(plan: &mut Plan<'_>) -> Shape {
    let rng = &mut plan.rng;
    let shape = match rng.below(100) {
        0..30 => shape::block(shape::size(rng, (3, 3), (7, 5))),
        30..45 => {
            let size = shape::size(rng, (6, 5), (9, 7));
            shape::corner(rng, size)
        }
        45..58 => {
            let size = shape::size(rng, (6, 5), (9, 7));
            shape::cross(rng, size)
        }
        58..68 => shape::round(shape::size(rng, (5, 5), (8, 7))),
        68..80 => shape::stalls(shape::size(rng, (8, 5), (12, 6))),
        80..92 => shape::colonnade(shape::size(rng, (7, 5), (11, 7)), 2),
        _ => shape::cloister(shape::size(rng, (7, 5), (9, 7)), 1),
    };
    shape::turned(rng, &shape)
}

/// Gravel in some stores, and in some corridors.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    for id in plan.room_ids() {
        let room = plan.room(id);
        let chance = match room.kind {
            RoomKind::Plain if room.cells.len() <= 30 => 35,
            RoomKind::Plain => 15,
            RoomKind::Corridor => 20,
            _ => 0,
        };
        if plan.rng.percent(chance) {
            plan.pave(id, Ground::Gravel, 70);
        }
    }
}
