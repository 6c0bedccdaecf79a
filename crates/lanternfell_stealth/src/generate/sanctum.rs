//! The Sanctum: the Ember in its hall, ring corridors around it, and rooms between the rings.
//!
//! ```text
//!    +-----------------+
//!    |  +-----------+  |      Two or three doors lead from the inner ring into the hall,
//!    |  |  .-----.  |  |      and as many ways as fit from ring to ring: wherever a guard
//!    |  |  |  E  |  |  |      is, there is another way.
//!    |  |  '-----'  |  |
//!    |  +-----------+  |
//!    +-----------------+
//! ```

use glam::IVec2;

use super::{
    accrete::Growth,
    plan::{Plan, RoomId, RoomKind},
    shape::{self, Shape},
    tunnel::Loops,
};
use crate::{Direction, Ground, Tile, steps_between};

const GROWTH: Growth = Growth {
    misses: 14,
    corridors: 30,
    length: (2, 6),
    each: 60,
};

pub(super) const LOOPS: Loops = Loops {
    detour: 12,
    tunnel: 7,
    most: 30,
};

/// How far the outer ring is from the border of the map.
const MARGIN: IVec2 = IVec2::new(8, 5);

/// The outer ring is dug where so much is left between the rings.
const BETWEEN: i32 = 6;

/// Digs the floor.
pub(super) fn lay(plan: &mut Plan<'_>) {
    let size = plan.share_of_map((24, 28), (11, 9), (19, 13));
    // With a cell in the middle.
    let size = size | IVec2::ONE;
    let middle = plan.size() / 2 + out_of_middle(plan, size);
    let hall = ember_hall(size);
    let corner = middle - size / 2;
    plan.stamp(&hall, corner, RoomKind::Hall);
    if plan.last {
        plan.goal = Some(middle);
    }
    let inner = size + IVec2::splat(6);
    plan.stamp(
        &shape::cloister(inner, 2),
        middle - inner / 2,
        RoomKind::Plain,
    );
    open_hall(plan, middle, size);
    lay_outer_ring(plan, inner);
    plan.attach_barracks();
    plan.grow_around(&GROWTH, room);
}

/// By how much the hall is out of the middle of the map: as far as there is room for rooms
/// on all sides.
fn out_of_middle(plan: &mut Plan<'_>, hall: IVec2) -> IVec2 {
    let inner = hall + IVec2::splat(6);
    let outer = plan.size() - 2 * MARGIN;
    let free = ((outer - inner) / 2 - IVec2::splat(BETWEEN)).max(IVec2::ZERO);
    IVec2::new(
        plan.rng.within(-free.x, free.x),
        plan.rng.within(-free.y, free.y),
    )
}

/// The hall: an octagon, pillars around its middle.
fn ember_hall(size: IVec2) -> Shape {
    let cut = 3;
    let mut hall = shape::of(size, |at| {
        let edge = at.min(size - IVec2::ONE - at);
        edge.x + edge.y >= cut
    });
    let middle = size / 2;
    for (x, y) in [(3, 2), (-3, 2), (3, -2), (-3, -2)] {
        hall[middle + IVec2::new(x, y)] = Tile::Pillar;
    }
    hall
}

/// Doors between the hall and the ring around it: in two sides, or in three.
fn open_hall(plan: &mut Plan<'_>, middle: IVec2, size: IVec2) {
    let mut sides = Direction::STRAIGHT;
    plan.rng.shuffle(&mut sides);
    let missing = plan.rng.within(1, 2) as usize;
    for (n, way) in sides.into_iter().enumerate() {
        if n >= missing {
            plan.open_doorway(middle + way.step() * (size / 2 + IVec2::ONE));
        }
    }
}

/// A corridor all around, if the map is large enough.
fn lay_outer_ring(plan: &mut Plan<'_>, inner: IVec2) {
    let outer = plan.size() - 2 * MARGIN;
    if (outer - inner).min_element() < 2 * BETWEEN {
        return;
    }
    let ring = shape::cloister(outer, 1);
    if plan.fits(&ring, MARGIN) {
        let ring = plan.stamp(&ring, MARGIN, RoomKind::Corridor);
        hang_gates(plan, ring);
    }
}

/// Doorways in the ring, so that nobody looks along the whole of it.
fn hang_gates(plan: &mut Plan<'_>, ring: RoomId) {
    let cells = plan.room(ring).cells.clone();
    for at in cells {
        let gates = plan.doorways.iter();
        let near = gates
            .map(|&gate| steps_between(gate, at))
            .min()
            .is_some_and(|steps| steps < 7);
        if !near && plan.is_framed(at) && plan.rng.percent(40) {
            plan.doorways.push(at);
        }
    }
}

fn room(plan: &mut Plan<'_>) -> Shape {
    let rng = &mut plan.rng;
    let shape = match rng.below(100) {
        0..35 => shape::block(shape::size(rng, (3, 3), (7, 5))),
        35..55 => shape::colonnade(shape::size(rng, (7, 5), (11, 6)), 2),
        55..70 => shape::stalls(shape::size(rng, (8, 5), (11, 5))),
        70..82 => {
            let size = shape::size(rng, (6, 5), (8, 6));
            shape::corner(rng, size)
        }
        82..92 => shape::round(shape::size(rng, (5, 4), (8, 6))),
        _ => {
            let size = shape::size(rng, (6, 5), (8, 7));
            shape::cross(rng, size)
        }
    };
    shape::turned(rng, &shape)
}

/// Carpets in the ring, gravel and water here and there.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    for id in plan.room_ids() {
        let ground = match plan.rng.below(100) {
            0..20 => Ground::Carpet,
            20..28 => Ground::Gravel,
            28..34 => Ground::Water,
            _ => continue,
        };
        if matches!(plan.room(id).kind, RoomKind::Plain | RoomKind::Corridor) {
            plan.pave(id, ground, 100);
        }
    }
}
