//! The second path of the proof: there is always more than one path between the stairs.
//!
//! A single guard could block a cell that every path crosses. Therefore no cell of the shortest
//! path may be the only one, except for a few cells near its ends.
//!
//! ```text
//!   up . . # # # . . down      the cells before and after the loop may be unavoidable;
//!        . . . . .             each cell inside the loop can be bypassed
//!        . # # # .
//!        . . . . .
//! ```
//!
//! Cost: each cell of the floor is visited once, independent of the length of the path.

use std::collections::VecDeque;

use glam::IVec2;

use super::{Flaw, Ways};
use crate::{Direction, Plane, Rules, floor::Floor};

/// Checks that the path is long enough, and not the only one.
pub(super) fn check(
    rules: &Rules,
    depth: usize,
    floor: &Floor,
    ways: &Ways,
    shortest: &[IVec2],
) -> Result<(), Flaw> {
    let steps = shortest.len() as u32;
    let least = floor.tiles.width().max(floor.tiles.height()) as u32;
    let least = least * rules.generation.ways.least / 100;
    if steps < least {
        return Err(Flaw::Near { steps, least });
    }
    let mut cells = vec![floor.up];
    cells.extend(shortest.iter().rev());
    // The first corridor of a game is the only path on purpose.
    let corridor = if depth == 0 {
        rules.map.corridor as usize
    } else {
        0
    };
    let ends = rules.generation.ways.ends;
    let from = ends + corridor;
    match only_cell(floor, ways, &cells, from, cells.len().saturating_sub(ends)) {
        Some(at) => Err(Flaw::OneWay(at)),
        None => Ok(()),
    }
}

/// The first cell of a path, from index `from` up to but excluding `to`, that every other path
/// crosses too.
///
/// A flood fill from the start of the path is only allowed to continue from cells of the path that
/// were already tested. If it touches no later cell of the path, the tested cell cannot be
/// bypassed.
pub(super) fn only_cell(
    floor: &Floor,
    ways: &Ways,
    cells: &[IVec2],
    from: usize,
    to: usize,
) -> Option<IVec2> {
    let (width, height) = (floor.tiles.width(), floor.tiles.height());
    let mut place = Plane::new(width, height, usize::MAX);
    for (n, &at) in cells.iter().enumerate() {
        place[at] = n;
    }
    // Both are kept from one tested cell to the next, so that no cell is visited twice.
    let mut flooded = Plane::new(width, height, false);
    let mut farthest = 0;
    for tried in 1..to {
        let mut open = VecDeque::from([cells[tried - 1]]);
        while let Some(at) = open.pop_front() {
            for step in Direction::ALL.map(Direction::step) {
                let next = at + step;
                let enters = floor.tiles.contains(next)
                    && ways.passable[next]
                    && floor.corners_free(at, next);
                if !enters {
                    continue;
                }
                if place[next] != usize::MAX {
                    // A cell of the path ends the flood here. `tried` itself is always touched,
                    // which does not count as a bypass.
                    farthest = farthest.max(place[next]);
                } else if !flooded[next] {
                    flooded[next] = true;
                    open.push_back(next);
                }
            }
        }
        // Nothing that is reachable from earlier cells of the path is beyond this one.
        if farthest <= tried && tried >= from {
            return Some(cells[tried]);
        }
    }
    None
}
