//! Sand that is too steep: each cell gives a slab to the neighbor to which it falls most.
//!
//! All cells look first, then all move at once: a cell loses its own slab and wins those of the
//! neighbors that chose it, so that the order does not matter and no slab gets lost.
//!
//! A slab that falls alone, by at least two of its own height where the ground is flat, lowers the sum of
//! the heights' squares or leaves it. Where several fall onto one cell at once it may rise for a pass,
//! but then that cell gives them on one by one. That it always comes to rest is not proven: the caller
//! bounds the passes.
//!
//! Rows are copied with a border of air or walls around them, so that all eight neighbors of a whole
//! row are slices, and the loops along them vector code.

use core::f32::consts::FRAC_1_SQRT_2;

use super::field::Field;
use crate::{Cancelled, Progress, rows};

/// A cell that gives nothing.
const STAYS: u8 = 8;

/// Steps along x and y, by way; the way back is 4 further.
const STEPS: [(usize, usize); 8] = [
    (2, 1),
    (2, 2),
    (1, 2),
    (0, 2),
    (0, 1),
    (0, 0),
    (1, 0),
    (2, 0),
];

/// One over the distance, by way.
const NEARNESS: [f32; 8] = {
    const DIAGONAL: f32 = FRAC_1_SQRT_2;
    [1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL]
};

/// Slides once and again.
pub(super) struct Slip {
    /// The rise from cell to cell that holds, in slabs.
    limit: f32,
    /// To which neighbor each cell gives a slab.
    ways: Vec<u8>,
}

/// Three rows with a cell more at both ends: the one above, the row itself, the one below.
type Around<T> = [Vec<T>; 3];

impl Slip {
    pub(super) fn new(limit: f32, cells: usize) -> Self {
        Self {
            limit,
            ways: vec![STAYS; cells],
        }
    }

    /// Lets too steep sand slide once; whether any did.
    pub(super) fn slide(&mut self, field: &mut Field) -> Result<bool, Cancelled> {
        // Its steps are too short to be told of.
        let silent = Progress::default();
        let (limit, width) = (self.limit, field.width);
        let look = |scratch: &mut Look, y: usize, ways: &mut [u8]| {
            around(
                &mut scratch.tops,
                y,
                field.height(),
                width,
                f32::INFINITY,
                |y, row| {
                    let columns = field.row(y);
                    row.extend(
                        columns
                            .ground
                            .iter()
                            .zip(columns.sand)
                            .map(|(&z, &n)| z + n as f32),
                    );
                },
            );
            scratch.look(limit, field.row(y).sand, ways);
        };
        rows::for_each_row_with(&mut self.ways, width, &silent, Look::default, look)?;
        let (ways, height) = (&self.ways, field.height());
        if ways.iter().all(|&way| way == STAYS) {
            return Ok(false);
        }
        let give = |near: &mut Around<u8>, y: usize, sand: &mut [u32]| {
            around(near, y, height, width, STAYS, |y, row| {
                row.extend_from_slice(&ways[y * width..][..width]);
            });
            give(near, sand);
        };
        rows::for_each_row_with(&mut field.sand, width, &silent, Around::default, give)?;
        Ok(true)
    }
}

/// What a row is looked at with.
#[derive(Default)]
struct Look {
    /// Heights of the surface, in slabs.
    tops: Around<f32>,
    steepest: Vec<f32>,
    /// As wide as the heights, so that both are chosen at once.
    chosen: Vec<u32>,
}

impl Look {
    /// To which neighbor each cell of the row gives a slab: the steepest way down, the first of
    /// equals.
    fn look(&mut self, limit: f32, sand: &[u32], ways: &mut [u8]) {
        let width = ways.len();
        self.steepest.clear();
        self.steepest.resize(width, limit);
        self.chosen.clear();
        self.chosen.resize(width, STAYS.into());
        let here = &self.tops[1][1..=width];
        for (way, (x, y)) in STEPS.into_iter().enumerate() {
            let there = &self.tops[y][x..][..width];
            let best = self.steepest.iter_mut().zip(&mut self.chosen);
            for ((steepest, chosen), (&here, &there)) in best.zip(here.iter().zip(there)) {
                let fall = (here - there) * NEARNESS[way];
                let better = fall > *steepest;
                *chosen = if better { way as u32 } else { *chosen };
                *steepest = if better { fall } else { *steepest };
            }
        }
        for ((way, &chosen), &sand) in ways.iter_mut().zip(&self.chosen).zip(sand) {
            *way = if sand > 0 { chosen as u8 } else { STAYS };
        }
    }
}

/// Moves the slabs of a row, from the ways of it and of its neighbors.
fn give(ways: &Around<u8>, sand: &mut [u32]) {
    let width = sand.len();
    for (sand, &way) in sand.iter_mut().zip(&ways[1][1..=width]) {
        *sand -= u32::from(way != STAYS);
    }
    for (way, (x, y)) in STEPS.into_iter().enumerate() {
        let back = (way as u8 + 4) % 8;
        for (sand, &there) in sand.iter_mut().zip(&ways[y][x..][..width]) {
            *sand += u32::from(there == back);
        }
    }
}

/// Fills in the three rows around row `y`, with `outside` beyond the map.
fn around<T: Copy>(
    rows: &mut Around<T>,
    y: usize,
    height: usize,
    width: usize,
    outside: T,
    fill: impl Fn(usize, &mut Vec<T>),
) {
    for (row, y) in rows
        .iter_mut()
        .zip([y.checked_sub(1), Some(y), Some(y + 1)])
    {
        row.clear();
        row.push(outside);
        match y.filter(|&y| y < height) {
            Some(y) => fill(y, row),
            None => row.resize(1 + width, outside),
        }
        row.push(outside);
    }
}
