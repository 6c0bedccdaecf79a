//! Between the stairs there is always another way.
//!
//! A single cell that must be crossed is where a guard only has to stand. So but for a few
//! cells near the ends of the shortest way, none of it may be the only one.
//!
//! ```text
//!   up . . # # # . . down      the cells before and behind the loop may be single ones,
//!        . . . . .             within it each can be gone round
//!        . # # # .
//!        . . . . .
//! ```
//!
//! Cost: each cell of the floor is flooded once, whatever the length of the way.

use std::collections::VecDeque;

use glam::IVec2;

use super::{Flaw, Ways};
use crate::{Direction, Plane, Rules, floor::Floor};

/// The way is long enough, and not the only one.
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
    // The first corridor of all is the only way by intention.
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

/// The first cell of a way, from `from` to before `to`, that every other way leads over too.
///
/// A flood from the beginning of the way, which may enter cells of the way only as far as it
/// has been tried: if it touches no later cell of it, the cell that is tried is the only one.
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
    // Both are kept from one tried cell to the next, so no cell is flooded twice.
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
                    // From the cell before, the way itself is no other way.
                    farthest = farthest.max(place[next]);
                } else if !flooded[next] {
                    flooded[next] = true;
                    open.push_back(next);
                }
            }
        }
        // Nothing that was reached from earlier cells of the way lies beyond this one.
        if farthest <= tried && tried >= from {
            return Some(cells[tried]);
        }
    }
    None
}
