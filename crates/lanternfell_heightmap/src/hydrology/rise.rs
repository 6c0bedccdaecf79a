//! Sloped water, which rises by the smallest `f32` step from cell to cell, without a flood.
//!
//! Problem: after depressions are filled, each cell should have a lower neighbor, so that rivers have a direction. A
//! [flood](super::flood) can ensure this, but it runs on one thread.
//!
//! Idea: the result of the flood satisfies one condition at every cell, and that condition has exactly one solution:
//!
//! ```text
//!   w(outlet) = ground,   w = max(ground, the lowest neighboring w plus one step)
//!
//!    9  9  9  9  9        5 is the spill point; away from it the water rises by one step per cell.
//!    5  5' 5" 7  8        7 is far above its neighbors, so its own height counts,
//!    9  9  5" 9  9        regardless of the steps.
//! ```
//!
//! Steps: find the level water with [`basins`], on every core. Collect the cells that are not far above their lowest
//! neighbor, row by row on every core; there are few of them. Visit only these cells, from the lowest up.
//!
//! Why the other cells are correct: each of them is more than [`MOST_STEPS`] steps above the level water next to it.
//! The visit checks that no water has risen by that much. If it has, a flood is used instead. The same applies near 0,
//! where steps are so small that slopes underflow.
//!
//! Why there is only one solution: assume two, and take the lowest cell where they differ. The lower of the two values
//! there depends on a neighbor that is lower still, where the solutions agree. So they cannot differ.
//!
//! Cost: O(n), and a heap of the collected cells. Memory: 8 bytes per cell, including the water.
//!
//! Source: the condition is from Planchon and Darboux, *A fast, simple and versatile algorithm to fill the depressions
//! of digital elevation models*, 2001.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use fearless_simd::{Level, dispatch};

use super::{
    basins::{self, STRIP_ROWS},
    fill::Outlets,
    flood::{CELLS_PER_STEP, Water},
    flow::Flow,
    grid::{Grid, OUTLET},
    queue::{level, rank},
};
use crate::{Canceled, Progress, rows};

/// Cells that are more than this many steps above their lowest neighbor are not affected by sloped water. It is enough
/// for lakes of this many cells across, and negligible compared with any real slope.
const MOST_STEPS: u32 = 512;

/// Below this height, the slope of a step may underflow.
const LEAST: f32 = 1e-30;

/// The levels of sloped water, and the directions of the flood if one was needed.
fn sloped(outlets: &Outlets, progress: &Progress) -> Result<(Vec<f32>, Option<Vec<u8>>), Canceled> {
    let level = basins::levels(outlets, STRIP_ROWS, &progress.span(0.0, 0.7))?;
    if let Some(level) = level
        && let Some(sloped) = raised(outlets, level, &progress.span(0.7, 1.0))?
    {
        return Ok((sloped, None));
    }
    let flooded = outlets.flood(Water::Sloped, progress)?;
    Ok((flooded.levels, Some(flooded.origins)))
}

/// The levels of sloped water.
pub(super) fn levels(outlets: &Outlets, progress: &Progress) -> Result<Vec<f32>, Canceled> {
    Ok(sloped(outlets, progress)?.0)
}

/// The same for heights in `range`, with outlets at the marked cells, of which there must be at least one.
///
/// The directions of the flow are only valid at outlets and where the slope between heights underflows.
/// [`Flow::descend`] sets all others.
pub(crate) fn slope(
    grid: Grid,
    ground: &[f32],
    range: (f32, f32),
    marks: &[bool],
    progress: &Progress,
) -> Result<(Vec<f32>, Flow), Canceled> {
    let outlets = Outlets::marked(grid, ground, range, marks);
    let (heights, ways) = sloped(&outlets, progress)?;
    let unknown = || {
        let direction = |&outlet: &bool| if outlet { OUTLET } else { 0 };
        marks.iter().map(direction).collect()
    };
    let directions = ways.unwrap_or_else(unknown);
    Ok((heights, Flow { grid, directions }))
}

/// Raises level water by steps. Returns `None` if a flood is needed.
fn raised(
    outlets: &Outlets,
    mut water: Vec<f32>,
    progress: &Progress,
) -> Result<Option<Vec<f32>>, Canceled> {
    let low = low_cells(outlets, &water, &progress.span(0.0, 0.7))?;
    let Some(stands) = rise(outlets, &water, &low, progress)? else {
        return Ok(None);
    };
    for cell in low {
        // Unchanged cells keep their bits, including the sign of zero.
        let ground = outlets.ground[cell];
        water[cell] = if rank(ground) < stands[cell] {
            level(stands[cell])
        } else {
            ground
        };
    }
    progress.step(1, 1)?;
    Ok(Some(water))
}

/// The cells that are not outlets and not far above the lowest neighboring water.
fn low_cells(
    outlets: &Outlets,
    water: &[f32],
    progress: &Progress,
) -> Result<Vec<usize>, Canceled> {
    let grid = &outlets.grid;
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); grid.height];
    let scratch = || vec![0.0; grid.width];
    rows::for_each_row_with(
        &mut found,
        1,
        progress,
        scratch,
        |lowest: &mut Vec<f32>, y, found| {
            find_lowest_neighbors(grid, water, y, lowest);
            let ground = &outlets.ground[y * grid.width..];
            for (x, (&lowest, &ground)) in lowest.iter().zip(ground).enumerate() {
                let far = rank(lowest).saturating_add(MOST_STEPS) < rank(ground);
                if !far && !outlets.at(x, y) {
                    found[0].push(y * grid.width + x);
                }
            }
        },
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// Finds the lowest neighboring water of each cell of row `y`.
fn find_lowest_neighbors(grid: &Grid, water: &[f32], y: usize, lowest: &mut [f32]) {
    lowest.fill(f32::INFINITY);
    let inside = grid.inside(y);
    for way in (0..8).filter(|_| !inside.is_empty()) {
        let there = grid.row_neighbors(water, y, way);
        let lowest = &mut lowest[inside.clone()];
        dispatch!(Level::new(), _simd => lower(lowest, there));
    }
    for x in (0..inside.start).chain(inside.end..grid.width) {
        grid.around_at(x, y, |_, neighbor| {
            lowest[x] = lowest[x].min(water[neighbor]);
        });
    }
}

#[inline(always)]
fn lower(lowest: &mut [f32], there: &[f32]) {
    for (lowest, &there) in lowest.iter_mut().zip(there) {
        *lowest = if there < *lowest { there } else { *lowest };
    }
}

/// The value of a cell that is not low.
const FAR: u32 = 0;

/// The value of a low cell that no water has reached yet.
const DRY: u32 = u32::MAX;

/// The [`rank`] of the water level on the low cells, found from the lowest up; [`FAR`] on all others. Returns `None` if
/// water rises too much, or near 0.
fn rise(
    outlets: &Outlets,
    water: &[f32],
    low: &[usize],
    progress: &Progress,
) -> Result<Option<Vec<u32>>, Canceled> {
    let grid = &outlets.grid;
    let mut stands = vec![FAR; grid.cells()];
    low.iter().for_each(|&cell| stands[cell] = DRY);
    let on = |cell: usize, neighbor: u32| rank(outlets.ground[cell]).max(neighbor + 1);
    let mut shore = BinaryHeap::new();
    for &cell in low {
        let mut lowest = DRY;
        grid.around(cell, |_, neighbor| {
            if stands[neighbor] == FAR {
                lowest = lowest.min(rank(water[neighbor]));
            }
        });
        if lowest != DRY {
            shore.push(Reverse((on(cell, lowest), cell)));
        }
    }
    let mut visited = 0;
    while let Some(Reverse((here, cell))) = shore.pop() {
        if here >= stands[cell] {
            continue;
        }
        let risen = here - rank(water[cell]);
        if risen >= MOST_STEPS || water[cell].abs() < LEAST || !level(here).is_finite() {
            return Ok(None);
        }
        stands[cell] = here;
        grid.around(cell, |_, neighbor| {
            let next = on(neighbor, here);
            if next < stands[neighbor] {
                shore.push(Reverse((next, neighbor)));
            }
        });
        visited += 1;
        if visited % CELLS_PER_STEP == 0 {
            progress.check()?;
        }
    }
    Ok(Some(stands))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapSize, SeededRng, hydrology::flow::Luck};

    /// Noise with more or fewer ties, terraces, a lake as large as the map, or a long canal; around 0 or above it.
    fn ground(kind: u64, size: MapSize, rng: &mut SeededRng) -> Vec<f32> {
        let steps = [1, 2, 7, 40, 1 << 20][rng.below(5) as usize];
        let (width, low) = (size.width(), [0.0, 0.25, 1.0, -0.7][rng.below(4) as usize]);
        let mut z = |cell: usize| {
            let (x, y) = (cell % width, cell / width);
            let noise = rng.below(steps + 1) as f32 / steps as f32;
            match kind {
                0 => noise,
                1 => ((0.3 * x as f32 + 0.2 * y as f32).floor() + (1.2 * noise).floor()) / 8.0,
                2 => f32::from(u8::from(x == 0 || y == 0)),
                3 => f32::from(u8::from(y % 2 == 1 && x != (y / 2) % 2 * (width - 1))),
                _ => f32::from_bits((0.5_f32).to_bits() + rng.below(900) as u32),
            }
        };
        (0..size.cells()).map(|cell| low + z(cell)).collect()
    }

    /// Whether each cell except the marked ones has a lower neighbor, as seen by `descend`.
    fn falls(grid: Grid, heights: &[f32], marks: &[bool]) -> bool {
        const UNKNOWN: u8 = 0xff;
        let directions = marks
            .iter()
            .map(|&mark| if mark { OUTLET } else { UNKNOWN });
        let mut flow = Flow {
            grid,
            directions: directions.collect(),
        };
        let luck = Luck {
            strength: 0.7,
            seed: 5,
            origin: (0, 0),
        };
        flow.descend(heights, luck, &Progress::default()).unwrap();
        flow.directions
            .iter()
            .all(|&direction| direction != UNKNOWN)
    }

    #[test]
    fn matches_sloped_flood() {
        let mut rng = SeededRng::new(4, b"drainage");
        let progress = Progress::default();
        let (mut left_to_the_flood, mut without) = (0, [0; 5]);
        for case in 0..3000 {
            let (kind, longest) = (case % 5, 1 + rng.below(40));
            let size = MapSize::new(2 + rng.below(longest), 2 + rng.below(40)).unwrap();
            let ground = ground(kind, size, &mut rng);
            let mut marks: Vec<bool> = ground.iter().map(|_| rng.percent(3)).collect();
            marks[rng.below(size.cells() as u64) as usize] = true;
            let grid = Grid::new(size);
            let lowest = ground.iter().copied().fold(f32::INFINITY, f32::min);
            let outlets = Outlets::marked(grid, &ground, (lowest, lowest + 9.0), &marks);
            let expected = outlets.flood(Water::Sloped, &progress).unwrap().levels;
            let say = || format!("case {case}: {size:?} {ground:?} {marks:?}");
            let bits = |heights: &[f32]| heights.iter().map(|z| z.to_bits()).collect::<Vec<_>>();
            for strip_rows in [1, 3, 128] {
                let level = basins::levels(&outlets, strip_rows, &progress).unwrap();
                let level = level.expect("0 has one sign");
                let Some(found) = raised(&outlets, level, &progress).unwrap() else {
                    left_to_the_flood += 1;
                    continue;
                };
                without[kind as usize] += 1;
                assert_eq!(bits(&found), bits(&expected), "{}", say());
                assert!(falls(grid, &found, &marks), "{}", say());
            }
            let found = levels(&outlets, &progress).unwrap();
            assert_eq!(bits(&found), bits(&expected), "{}", say());
        }
        // The fallback is used at 0, and for canals that are too long.
        assert!(left_to_the_flood > 100, "{left_to_the_flood}");
        assert!(without.iter().all(|&cases| cases > 500), "{without:?}");
    }

    #[test]
    fn wide_lake_falls_back_to_flood() {
        let size = MapSize::new(700, 3).unwrap();
        let (ground, grid) = (vec![1.0; size.cells()], Grid::new(size));
        let progress = Progress::default();
        for (outlet, wide) in [(0, true), (350, false)] {
            let marks: Vec<bool> = (0..size.cells()).map(|cell| cell == outlet).collect();
            let outlets = Outlets::marked(grid, &ground, (0.0, 2.0), &marks);
            assert_eq!(
                raised(&outlets, ground.clone(), &progress)
                    .unwrap()
                    .is_none(),
                wide
            );
            let heights = levels(&outlets, &progress).unwrap();
            let highest = heights.iter().copied().fold(0.0, f32::max);
            let steps = outlet.max(699 - outlet) as u32;
            assert_eq!(rank(highest) - rank(1.0), steps);
        }
    }
}
