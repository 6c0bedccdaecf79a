//! The Chapel: a nave with pillars, side chapels behind curtains, stained windows, a cloister
//! in the moonlight, and the barracks of those who guard it.

use glam::IVec2;

use super::{
    accrete::Growth,
    plan::{Plan, RoomKind},
    shape::{self, Shape},
};
use crate::{Ground, Tile};

/// Side chapels: straight off the nave.
const CHAPELS: Growth = Growth {
    misses: 3,
    corridors: 0,
    length: (0, 0),
    each: 600,
};

const GROWTH: Growth = Growth {
    misses: 14,
    corridors: 45,
    length: (3, 7),
    each: 60,
};

/// Digs the floor.
pub(super) fn lay(plan: &mut Plan<'_>) {
    let nave = church(plan);
    plan.stamp_in_the_middle(&nave, RoomKind::Hall);
    plan.grow(&CHAPELS, |plan| {
        let size = shape::size(&mut plan.rng, (3, 3), (5, 5));
        shape::block(size)
    });
    plan.attach_barracks();
    let garth = shape::size(&mut plan.rng, (9, 7), (13, 9));
    plan.attach(&shape::cloister(garth, 2), 0, RoomKind::Plain);
    plan.grow_around(&GROWTH, room);
}

/// A nave; half of them with a transept across.
fn church(plan: &mut Plan<'_>) -> Shape {
    let size = plan.share_of_map((40, 25), (16, 9), (30, 11));
    // The aisle is in the middle.
    let size = IVec2::new(size.x, size.y | 1);
    let nave = shape::nave(size, 3);
    if plan.rng.percent(50) {
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

fn room(plan: &mut Plan<'_>) -> Shape {
    let rng = &mut plan.rng;
    let shape = match rng.below(100) {
        0..30 => shape::block(shape::size(rng, (4, 3), (8, 6))),
        30..45 => shape::stalls(shape::size(rng, (8, 5), (11, 6))),
        45..60 => shape::colonnade(shape::size(rng, (7, 5), (10, 7)), 2),
        60..72 => {
            let size = shape::size(rng, (7, 7), (9, 9));
            shape::cross(rng, size)
        }
        72..86 => shape::round(shape::size(rng, (5, 5), (7, 7))),
        _ => {
            let size = shape::size(rng, (6, 5), (9, 7));
            shape::corner(rng, size)
        }
    };
    shape::turned(rng, &shape)
}

/// Carpets: along the aisle, and in some of the rooms.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    for id in plan.room_ids() {
        let chance = match plan.room(id).kind {
            RoomKind::Plain => 40,
            RoomKind::Corridor => 20,
            RoomKind::Hall => {
                plan.lay_runner(id, 1);
                0
            }
            _ => 0,
        };
        if plan.rng.percent(chance) {
            plan.pave(id, Ground::Carpet, 100);
        }
    }
}
