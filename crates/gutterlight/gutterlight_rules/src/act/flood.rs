//! Which cells are near: what is poured out, or bursts, spreads over open floor, not through
//! walls or closed doors.

use glam::IVec2;

use crate::{Direction, World};

/// The cells that are reached from one within so many steps over what is not solid,
/// nearest first, ties in a fixed order; itself first of all.
///
/// A breadth-first search; who was there is looked for in the list itself, which is short:
/// radii are at most some ten cells.
pub(super) fn flood(world: &World, from: IVec2, radius: u32) -> Vec<IVec2> {
    let floor = world.floor();
    let mut cells = vec![from];
    let mut ring = 0..1;
    for _ in 0..radius {
        for place in ring.clone() {
            let at = cells[place];
            for way in Direction::ALL {
                let next = at + way.step();
                if !floor.tile(next).is_solid()
                    && floor.corners_free(at, next)
                    && !cells.contains(&next)
                {
                    cells.push(next);
                }
            }
        }
        ring = ring.end..cells.len();
    }
    cells
}

/// The nearest cell to one, within so many steps, that someone could stand in now, and
/// that does not burn.
pub(super) fn free_cell_near(world: &World, from: IVec2, radius: u32) -> Option<IVec2> {
    let floor = world.floor();
    flood(world, from, radius).into_iter().find(|&at| {
        floor.is_passable(at)
            && floor.tile(at).is_walkable()
            && floor.guard_at(at).is_none()
            && world.state.thief.at != at
            && !floor.fire_at(at)
    })
}
