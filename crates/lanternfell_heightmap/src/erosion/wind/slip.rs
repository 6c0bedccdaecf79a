//! Slip faces: each cell whose sand is too steep gives a slab to the neighbor with the steepest descent.
//!
//! All cells choose first, then all slabs move at the same time. A cell loses its own slab and gains those of the
//! neighbors that chose it. So the order does not matter, and no slab is lost.
//!
//! If a single slab falls by at least two slabs of height, the sum of the squared heights decreases or stays equal. If
//! several slabs fall on one cell in the same pass, the sum may increase, but that cell then gives them away one by
//! one. It is not proven that the sand always comes to rest, so the caller limits the number of passes.
//!
//! Rows are copied with a border, so that the eight neighbors of a whole row are slices and the loops over them
//! vectorize.

use core::f32::consts::FRAC_1_SQRT_2;

use super::field::Field;
use crate::{Canceled, Progress, rows};

/// The marker of a cell that gives nothing.
const STAYS: u8 = 8;

/// The neighbors, as indices into `Around`: column offset and row, each from 0 to 2. The opposite neighbor is 4
/// further.
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

/// The inverse distance of each neighbor.
const NEARNESS: [f32; 8] = {
    const DIAGONAL: f32 = FRAC_1_SQRT_2;
    [1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL]
};

/// The state of repeated slides.
pub(super) struct Slip {
    /// The largest stable difference between neighboring cells, in slabs.
    limit: f32,
    /// The neighbor to which each cell gives a slab.
    ways: Vec<u8>,
}

/// Three rows, extended by a cell at both ends: the previous row, the row itself, and the next one.
type Around<T> = [Vec<T>; 3];

impl Slip {
    pub(super) fn new(limit: f32, cells: usize) -> Self {
        Self {
            limit,
            ways: vec![STAYS; cells],
        }
    }

    /// Lets sand that is too steep slide once. Returns whether any sand moved.
    pub(super) fn slide(&mut self, field: &mut Field) -> Result<bool, Canceled> {
        // These loops are too short to report progress.
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

/// The scratch memory to process a row.
#[derive(Default)]
struct Look {
    /// The heights of the surface, in slabs.
    tops: Around<f32>,
    steepest: Vec<f32>,
    /// `u32`, as wide as the heights, so that the selection vectorizes.
    chosen: Vec<u32>,
}

impl Look {
    /// Finds the neighbor to which each cell of the row gives a slab: the steepest descent, and the first of equal
    /// ones.
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

/// Moves the slabs of a row, given the choices of its cells and their neighbors.
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

/// Fills the three rows around row `y`, with `outside` beyond the map.
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
