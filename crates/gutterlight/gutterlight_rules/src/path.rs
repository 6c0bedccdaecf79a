//! Path finding on a floor.
//!
//! Guards use the cheapest path to one cell, found with A* (Hart, Nilsson, Raphael 1968) and the
//! octile distance. Costs are in tenths of a cell: 10 for a straight step, 14 for a diagonal step,
//! plus a toll for each cell. Proofs and bots need the paths to or from many cells at once, found
//! with Dijkstra's algorithm. Both break ties in a fixed order.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::IVec2;

use crate::{Direction, Plane, floor::Floor};

/// The cost of a cell in addition to the step, in tenths of a cell. `None` if it cannot be entered.
pub(crate) type Toll = Option<u32>;

/// The cost of a cell that cannot be reached.
pub(crate) const NO_WAY: u32 = u32::MAX;

/// The cheapest path between two cells: the cells to step on, the last one first, without `from`.
/// `None` if there is no path. The toll of `to` counts too.
pub(crate) fn way(
    floor: &Floor,
    from: IVec2,
    to: IVec2,
    toll: impl Fn(IVec2) -> Toll,
) -> Option<Vec<IVec2>> {
    let tiles = &floor.tiles;
    if from == to || !tiles.contains(from) || !tiles.contains(to) {
        return None;
    }
    let mut costs = Plane::new(tiles.width(), tiles.height(), NO_WAY);
    let mut came = Plane::new(tiles.width(), tiles.height(), Direction::North);
    let mut open = BinaryHeap::new();
    costs[from] = 0;
    // Entries are (estimate, cost, cell). Among equal estimates the cell with the lower cost comes
    // first, and then the first cell in reading order, so that ties break the same on every
    // machine.
    open.push(Reverse((octile(from, to), 0, key(from))));
    while let Some(Reverse((_, cost, at))) = open.pop() {
        let at = cell(at);
        // Tolls only add to the distance, so the estimate is never too high, and the first path
        // that
        // arrives is the cheapest.
        if at == to {
            return Some(back(&came, from, to));
        }
        // Skip the entry if a cheaper path to its cell was found later.
        if costs[at] != cost {
            continue;
        }
        for_each_step(floor, at, &toll, |way, next, step| {
            let cost = cost + step;
            if cost < costs[next] {
                costs[next] = cost;
                came[next] = way;
                open.push(Reverse((cost + octile(next, to), cost, key(next))));
            }
        });
    }
    None
}

/// The cost of the cheapest path from any of `starts` to every cell; [`NO_WAY`] where there is
/// none. Starts have no toll.
pub(crate) fn costs(
    floor: &Floor,
    starts: impl IntoIterator<Item = IVec2>,
    toll: impl Fn(IVec2) -> Toll,
) -> Plane<u32> {
    let tiles = &floor.tiles;
    let mut costs = Plane::new(tiles.width(), tiles.height(), NO_WAY);
    let mut open = BinaryHeap::new();
    for start in starts {
        if let Some(cost) = costs.get_mut(start) {
            *cost = 0;
            open.push(Reverse((0, key(start))));
        }
    }
    while let Some(Reverse((cost, at))) = open.pop() {
        let at = cell(at);
        if costs[at] != cost {
            continue;
        }
        for_each_step(floor, at, &toll, |_, next, step| {
            let cost = cost + step;
            if cost < costs[next] {
                costs[next] = cost;
                open.push(Reverse((cost, key(next))));
            }
        });
    }
    costs
}

/// Calls `work` for each possible step from a cell, with its cost.
fn for_each_step(
    floor: &Floor,
    at: IVec2,
    toll: &impl Fn(IVec2) -> Toll,
    mut work: impl FnMut(Direction, IVec2, u32),
) {
    for way in Direction::ALL {
        let next = at + way.step();
        if !floor.tiles.contains(next) {
            continue;
        }
        if way.is_diagonal() && !floor.corners_free(at, next) {
            continue;
        }
        if let Some(toll) = toll(next) {
            let step = if way.is_diagonal() { 14 } else { 10 };
            work(way, next, step + toll);
        }
    }
}

/// The path back along the last steps.
fn back(came: &Plane<Direction>, from: IVec2, to: IVec2) -> Vec<IVec2> {
    let mut cells = Vec::new();
    let mut at = to;
    while at != from {
        cells.push(at);
        at -= came[at].step();
    }
    cells
}

/// The cost of a path without obstacles and tolls.
fn octile(a: IVec2, b: IVec2) -> u32 {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    10 * dx.max(dy) + 4 * dx.min(dy)
}

/// The sort key of a cell: row by row.
fn key(at: IVec2) -> (i32, i32) {
    (at.y, at.x)
}

fn cell((y, x): (i32, i32)) -> IVec2 {
    IVec2::new(x, y)
}

#[cfg(test)]
mod tests {
    use lanternfell_random::SeededRng;

    use super::*;
    use crate::{Ground, Theme, Tile};

    fn random_floor(rng: &mut SeededRng) -> Floor {
        let (width, height) = (rng.within(2, 30), rng.within(2, 20));
        let mut tiles = Plane::new(width, height, Tile::Ground(Ground::Stone));
        for at in tiles.cells() {
            if rng.percent(30) {
                tiles[at] = Tile::Wall;
            }
        }
        Floor::new(Theme::Cellars, tiles, IVec2::ZERO, None)
    }

    /// A toll that differs between cells.
    fn toll(floor: &Floor, at: IVec2) -> Toll {
        floor
            .is_passable(at)
            .then(|| if (at.x + at.y) % 5 == 0 { 25 } else { 0 })
    }

    #[test]
    fn paths_are_walkable_and_match_dijkstra() {
        let mut rng = SeededRng::new(3, b"test    ");
        let (mut found, mut missed) = (0, 0);
        for round in 0..400 {
            let floor = random_floor(&mut rng);
            let (width, height) = (floor.tiles.width(), floor.tiles.height());
            let [from, to] =
                [0, 1].map(|_| IVec2::new(rng.within(0, width - 1), rng.within(0, height - 1)));
            let all = costs(&floor, [from], |at| toll(&floor, at));
            let Some(cells) = way(&floor, from, to, |at| toll(&floor, at)) else {
                assert!(
                    from == to || all[to] == NO_WAY,
                    "round {round}: {from} to {to}"
                );
                missed += 1;
                continue;
            };
            found += 1;
            let mut at = from;
            let mut cost = 0;
            for &next in cells.iter().rev() {
                let step = next - at;
                assert!(
                    step.abs().max_element() == 1 && floor.corners_free(at, next),
                    "round {round}: {at} to {next}"
                );
                cost += if step.x != 0 && step.y != 0 { 14 } else { 10 };
                cost += toll(&floor, next).expect("the path only enters passable cells");
                at = next;
            }
            assert_eq!((at, cost), (to, all[to]), "round {round}");
        }
        assert!(found > 100 && missed > 20, "{found} found, {missed} missed");
    }

    #[test]
    fn no_path_to_or_from_outside() {
        let floor = random_floor(&mut SeededRng::new(4, b"test    "));
        let outside = IVec2::new(-1, 0);
        assert_eq!(way(&floor, outside, IVec2::ZERO, |_| Some(0)), None);
        assert_eq!(way(&floor, IVec2::ZERO, outside, |_| Some(0)), None);
        let all = costs(&floor, [outside], |_| Some(0));
        assert!(all.values().iter().all(|&cost| cost == NO_WAY));
    }
}
