//! The Sanctum: the Ember in its hall, ring corridors around it, and rooms between the rings.
//!
//! ```text
//!    +-----------------+
//!    |  +-----------+  |      Two or three doors lead from the inner ring into the hall, and as
//!    |  |  .-----.  |  |      many corridors as fit connect the rings. Wherever a guard is, there
//!    |  |  |  E  |  |  |      is another way.
//!    |  |  '-----'  |  |
//!    |  +-----------+  |
//!    +-----------------+
//! ```

use glam::IVec2;

use super::{
    plan::{Plan, RoomId, RoomKind},
    shape::{self, Shape},
};
use crate::{Direction, Ground, Tile, steps_between};

/// Digs the floor.
pub(super) fn dig_layout(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.sanctum;
    let size = plan.share_of_map(&rules.hall);
    // Odd sides, so that there is a middle cell.
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
    add_outer_ring(plan, inner);
    plan.attach_barracks();
    plan.grow_around(&rules.growth);
}

/// A random offset of the hall from the middle of the map that leaves space for rooms on all sides.
fn out_of_middle(plan: &mut Plan<'_>, hall: IVec2) -> IVec2 {
    let rules = &plan.rules.generation.sanctum;
    let inner = hall + IVec2::splat(6);
    let outer = plan.size() - 2 * IVec2::from(rules.margin);
    let free = ((outer - inner) / 2 - IVec2::splat(rules.between)).max(IVec2::ZERO);
    IVec2::new(
        plan.rng.within(-free.x, free.x),
        plan.rng.within(-free.y, free.y),
    )
}

/// The hall: an octagon with pillars around its middle.
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

/// Opens doors between the hall and the ring around it, on two or three sides.
fn open_hall(plan: &mut Plan<'_>, middle: IVec2, size: IVec2) {
    let mut sides = Direction::STRAIGHT;
    plan.rng.shuffle(&mut sides);
    let missing = {
        let (fewest, most) = plan.rules.generation.sanctum.shut_sides;
        plan.rng.within(fewest, most) as usize
    };
    for (n, way) in sides.into_iter().enumerate() {
        if n >= missing {
            plan.open_doorway(middle + way.step() * (size / 2 + IVec2::ONE));
        }
    }
}

/// Adds the outer ring corridor, if the map is large enough.
fn add_outer_ring(plan: &mut Plan<'_>, inner: IVec2) {
    let rules = &plan.rules.generation.sanctum;
    let margin = IVec2::from(rules.margin);
    let outer = plan.size() - 2 * margin;
    if (outer - inner).min_element() < 2 * rules.between {
        return;
    }
    let ring = shape::cloister(outer, 1);
    if plan.fits(&ring, margin) {
        let ring = plan.stamp(&ring, margin, RoomKind::Corridor);
        hang_gates(plan, ring);
    }
}

/// Adds doorways to the ring, so that no one can look along its whole length.
fn hang_gates(plan: &mut Plan<'_>, ring: RoomId) {
    let rules = &plan.rules.generation.sanctum;
    let cells = plan.room(ring).cells.clone();
    for at in cells {
        let gates = plan.doorways.iter();
        let near = gates
            .map(|&gate| steps_between(gate, at))
            .min()
            .is_some_and(|steps| steps < rules.gates_apart);
        if !near && plan.is_framed(at) && plan.rng.percent(rules.gates) {
            plan.doorways.push(at);
        }
    }
}

/// Lays carpet, gravel and water in some rooms and corridors.
pub(super) fn furnish(plan: &mut Plan<'_>) {
    let rules = &plan.rules.generation.sanctum;
    let often = [rules.carpet, rules.gravel, rules.water];
    let grounds = [Ground::Carpet, Ground::Gravel, Ground::Water];
    for id in plan.room_ids() {
        let drawn = plan.rng.below(100) as u32;
        let below = |n: usize| drawn < often[..=n].iter().sum();
        let Some(ground) = (0..grounds.len()).find(|&n| below(n)).map(|n| grounds[n]) else {
            continue;
        };
        if matches!(plan.room(id).kind, RoomKind::Plain | RoomKind::Corridor) {
            plan.pave(id, ground, 100);
        }
    }
}
