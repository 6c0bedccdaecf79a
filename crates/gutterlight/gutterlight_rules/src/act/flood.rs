//! Flood fill: oil, smoke and water spread over open floor, but not through walls or closed doors.

use glam::IVec2;

use crate::{Direction, World};

/// The cells within `radius` steps of `from` over cells that are not solid. The nearest cells come
/// first, starting with `from`; ties are in a fixed order.
///
/// This is a breadth-first search. Visited cells are looked up in the result itself, which is
/// short: a radius is at most some ten cells.
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

/// The nearest cell within `radius` steps where someone could stand now and nothing burns.
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
