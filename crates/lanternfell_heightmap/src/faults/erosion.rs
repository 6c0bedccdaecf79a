//! Shankel's erosion: a one-pole low-pass filter, swept over the map in four directions.
//!
//! Idea: along a row, each height is pulled towards the one before it, `v[j] = k v[j-1] + (1 - k) v[j]`, so every edge
//! gets a slope on its far side. Sweeps east, west, south and north give slopes on all sides.
//!
//! ```text
//!   before   ____|####|____        east, then west   ____.-"##"-.____
//! ```
//!
//! Steps: sweep every row east and west, all rows in parallel. Then sweep every column south and north in blocks of
//! neighboring columns, so that the inner loop runs along the rows and vectorizes. Each sweep depends on the previous
//! one, but rows and blocks are independent.
//!
//! Cost: four multiply-adds per cell.
//!
//! Source: Shankel, *Fault Formation*, Game Programming Gems, 2000.

use crate::{Canceled, Heightmap, Progress, rows};

/// The number of columns that are swept together: enough to vectorize and to read whole cache lines, but few enough
/// that a map has blocks for every core.
const COLUMNS: usize = 64;

/// Sweeps a row east, then west.
pub(super) fn sweep_row(row: &mut [f32], strength: f32) {
    let mut before = row[0];
    for height in row.iter_mut().skip(1) {
        before = follow(before, *height, strength);
        *height = before;
    }
    for height in row.iter_mut().rev().skip(1) {
        before = follow(before, *height, strength);
        *height = before;
    }
}

/// Sweeps every column south, then north.
pub(super) fn sweep_columns(
    map: &mut Heightmap,
    strength: f32,
    progress: &Progress,
) -> Result<(), Canceled> {
    let width = map.width();
    let mut blocks: Vec<Vec<&mut [f32]>> = Vec::new();
    blocks.resize_with(width.div_ceil(COLUMNS), Vec::new);
    for row in map.heights_mut().chunks_exact_mut(width) {
        for (block, part) in blocks.iter_mut().zip(row.chunks_mut(COLUMNS)) {
            block.push(part);
        }
    }
    rows::for_each_row(&mut blocks, 1, progress, |_, block| {
        sweep_block(&mut block[0], strength);
    })
}

fn sweep_block(rows: &mut [&mut [f32]], strength: f32) {
    for y in 1..rows.len() {
        let (north, south) = rows.split_at_mut(y);
        sweep_onto(north[y - 1], south[0], strength);
    }
    for y in (1..rows.len()).rev() {
        let (north, south) = rows.split_at_mut(y);
        sweep_onto(south[0], north[y - 1], strength);
    }
}

fn sweep_onto(before: &[f32], heights: &mut [f32], strength: f32) {
    for (height, before) in heights.iter_mut().zip(before) {
        *height = follow(*before, *height, strength);
    }
}

fn follow(before: f32, height: f32, strength: f32) -> f32 {
    strength * before + (1.0 - strength) * height
}
