//! Erosion by droplets, for the erode brush.
//!
//! Droplets start at a quarter of the cells of the brush. Each runs downhill from cell to cell. It
//! takes up sediment where it is steep, and drops it where the slope decreases and where it stops:
//!
//! ```text
//!   \                       takes up: a quarter of what is missing to its capacity,
//!    \ o                    which is half of the height of the next step
//!     \__ o
//!        ‾‾‾‾\__ o o ___    drops: a quarter of the excess, and all in a pit
//! ```
//!
//! All droplets run over the heights before the stroke. So they are independent of each other, their
//! order does not matter, and a tile depends only on the droplets that start at most `steps` cells
//! away. Where many droplets meet, the sum of what they do is limited: no cell becomes lower than its
//! lowest neighbor was, or higher than its highest one. A droplet that leaves the brush takes its
//! sediment with it.
//!
//! Cost: `steps / 4` look-ups per cell, and 8 to find the way down.

use lanternfell_random::SplitMix64;

use crate::{
    cells::{CellRect, TileAddress},
    scene::Scene,
    weights::Dabs,
};

/// The offsets to the neighbors of a cell, and 256 divided by their distance.
const NEIGHBORS: [([i64; 2], i64); 8] = [
    ([0, -1], 256),
    ([-1, 0], 256),
    ([1, 0], 256),
    ([0, 1], 256),
    ([-1, -1], 181),
    ([1, -1], 181),
    ([-1, 1], 181),
    ([1, 1], 181),
];

/// The cells that have an influence on a tile.
struct Around {
    area: CellRect,
    heights: Vec<i32>,
    covers: Vec<u32>,
    /// The steepest way down from each cell of the brush, and the slope in millimeters per cell.
    downs: Vec<Option<(usize, i64)>>,
}

/// The changes of the heights of a tile, each between the differences to the neighbors.
pub(crate) fn eroded(
    dabs: &Dabs<'_>,
    scene: Scene<'_>,
    tile: TileAddress,
    (seed, steps): (u64, u32),
) -> Vec<i32> {
    let area = tile.area().grown(steps + 1);
    let mut around = Around {
        area,
        heights: scene.heights(area),
        covers: dabs.covers_of(area, tile.channel),
        downs: Vec::new(),
    };
    let downs = (0..area.cells()).map(|at| around.down(at));
    around.downs = downs.collect();
    let mut changes = vec![0; area.cells()];
    let starts = tile.area().grown(steps);
    for row in starts.row..starts.end_row() {
        for column in starts.column..starts.end_column() {
            if is_start(seed, column, row) {
                around.run(around.index(column, row), steps, &mut changes);
            }
        }
    }
    let tile = tile.area();
    let cells = (tile.row..tile.end_row())
        .flat_map(|row| (tile.column..tile.end_column()).map(move |column| (column, row)));
    cells
        .map(|(column, row)| {
            let at = around.index(column, row);
            around.limited(at, changes[at]) as i32
        })
        .collect()
}

/// Whether a droplet starts at a cell.
fn is_start(seed: u64, column: i64, row: i64) -> bool {
    let across = SplitMix64::mix(seed ^ (column as u64).wrapping_mul(SplitMix64::GAMMA));
    SplitMix64::mix(across ^ (row as u64).wrapping_mul(SplitMix64::GAMMA)) >> 62 == 0
}

impl Around {
    fn index(&self, column: i64, row: i64) -> usize {
        let (x, y) = (column - self.area.column, row - self.area.row);
        y as usize * self.area.columns as usize + x as usize
    }

    /// The heights of the neighbors of a cell above it, with their indexes and weights.
    fn neighbors(&self, at: usize) -> impl Iterator<Item = (usize, i64, i64)> {
        let width = i64::from(self.area.columns);
        NEIGHBORS.iter().map(move |&([x, y], weight)| {
            let next = (at as i64 + y * width + x) as usize;
            let above = i64::from(self.heights[next]) - i64::from(self.heights[at]);
            (next, above, weight)
        })
    }

    /// Whether all neighbors of a cell are known. Droplets on other cells are too far from the tile
    /// to come back.
    fn is_inside(&self, at: usize) -> bool {
        let width = self.area.columns as usize;
        let (x, y) = (at % width, at / width);
        x > 0 && y > 0 && x + 1 < width && y + 1 < self.area.rows as usize
    }

    fn down(&self, at: usize) -> Option<(usize, i64)> {
        if self.covers[at] == 0 || !self.is_inside(at) {
            return None;
        }
        let mut best = (at, 0);
        for (next, above, weight) in self.neighbors(at) {
            if -above * weight > best.1 {
                best = (next, -above * weight);
            }
        }
        (best.1 > 0).then_some((best.0, best.1 >> 8))
    }

    fn run(&self, start: usize, steps: u32, changes: &mut [i64]) {
        let (mut at, mut sediment) = (start, 0);
        for _ in 0..steps {
            if self.covers[at] == 0 || !self.is_inside(at) {
                return;
            }
            let Some((next, slope)) = self.downs[at] else {
                break;
            };
            let mut taken = (slope / 2 - sediment) / 4;
            if taken > 0 {
                taken = (taken * i64::from(self.covers[at])) >> 16;
            }
            changes[at] -= taken;
            sediment += taken;
            at = next;
        }
        if self.covers[at] > 0 {
            changes[at] += sediment;
        }
    }

    fn limited(&self, at: usize, change: i64) -> i64 {
        let (mut lowest, mut highest) = (0, 0);
        for (_, above, _) in self.neighbors(at) {
            lowest = above.min(lowest);
            highest = above.max(highest);
        }
        change.clamp(lowest, highest)
    }
}
