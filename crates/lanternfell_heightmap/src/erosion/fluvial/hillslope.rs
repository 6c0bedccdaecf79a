//! Hillslopes creep: soil moves down and rounds what no stream cuts.
//!
//! Problem: diffusion by many small steps takes the more of them the finer the map is.
//!
//! Idea: one long step, implicit: `(1 - D d2/dx2) (1 - D d2/dy2) h' = h`. Along a line that
//! is a recursive filter, forth and back:
//!
//! ```text
//!   ___|___      ->     _.-'|         ->     _.-'|'-._
//! ```
//!
//! Steps: each row, forth and back, rows in parallel; the columns likewise, in blocks whose
//! inner loop runs along the rows and vectorises.
//!
//! Cost: four multiplications and additions per cell. Source: Deriche, *Recursively
//! implementing the Gaussian and its derivatives*, 1993; of the family, this is the
//! exponential.

use crate::{Cancelled, Progress, rows};

/// Columns swept together.
const COLUMNS: usize = 64;

/// Smooths a map of this width as diffusion does in a time `t` with `diffusion` = D t in
/// square cells. Nothing passes the border.
pub(super) fn creep(
    heights: &mut [f32],
    width: usize,
    diffusion: f32,
    progress: &Progress,
) -> Result<(), Cancelled> {
    if diffusion <= 0.0 {
        return Ok(());
    }
    // The root of (1 - k)^2 / k = 1 / D, written so that small D lose no digits.
    let keep = 2.0 * diffusion / (1.0 + 2.0 * diffusion + (1.0 + 4.0 * diffusion).sqrt());
    let sweep = |_, row: &mut [f32]| sweep_row(row, keep);
    rows::for_each_row(heights, width, &progress.span(0.0, 0.5), sweep)?;
    let mut blocks: Vec<Vec<&mut [f32]>> = Vec::new();
    blocks.resize_with(width.div_ceil(COLUMNS), Vec::new);
    for row in heights.chunks_exact_mut(width) {
        for (block, part) in blocks.iter_mut().zip(row.chunks_mut(COLUMNS)) {
            block.push(part);
        }
    }
    rows::for_each_row(&mut blocks, 1, &progress.span(0.5, 1.0), |_, block| {
        sweep_block(&mut block[0], keep);
    })
}

fn sweep_row(row: &mut [f32], keep: f32) {
    let mut before = row[0];
    for height in row.iter_mut() {
        before = follow(before, *height, keep);
        *height = before;
    }
    for height in row.iter_mut().rev() {
        before = follow(before, *height, keep);
        *height = before;
    }
}

fn sweep_block(rows: &mut [&mut [f32]], keep: f32) {
    for y in 1..rows.len() {
        let (north, south) = rows.split_at_mut(y);
        sweep_onto(north[y - 1], south[0], keep);
    }
    for y in (1..rows.len()).rev() {
        let (north, south) = rows.split_at_mut(y);
        sweep_onto(south[0], north[y - 1], keep);
    }
}

fn sweep_onto(before: &[f32], heights: &mut [f32], keep: f32) {
    for (height, before) in heights.iter_mut().zip(before) {
        *height = follow(*before, *height, keep);
    }
}

fn follow(before: f32, height: f32, keep: f32) -> f32 {
    height + keep * (before - height)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variance of what becomes of a unit of soil is that of diffusion, twice D t along
    /// each axis, and no soil gets lost.
    #[test]
    fn soil_spreads_as_by_diffusion() {
        const SIDE: usize = 201;
        for diffusion in [0.01_f32, 0.5, 3.0, 40.0] {
            let mut heights = vec![0.0; SIDE * SIDE];
            heights[SIDE * SIDE / 2] = 1.0;
            creep(&mut heights, SIDE, diffusion, &Progress::default()).unwrap();
            let (mut sum, mut along_x, mut along_y) = (0.0, 0.0, 0.0);
            for (cell, &height) in heights.iter().enumerate() {
                let off = |at: usize| (at as f64 - (SIDE / 2) as f64).powi(2);
                sum += f64::from(height);
                along_x += f64::from(height) * off(cell % SIDE);
                along_y += f64::from(height) * off(cell / SIDE);
            }
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            for variance in [along_x, along_y] {
                let expected = 2.0 * f64::from(diffusion);
                assert!((variance / expected - 1.0).abs() < 1e-3, "{variance}");
            }
        }
    }

    #[test]
    fn level_ground_stays_and_without_time_all_does() {
        let mut level = vec![0.3; 12];
        creep(&mut level, 4, 2.0, &Progress::default()).unwrap();
        assert_eq!(level, [0.3; 12]);
        let mut rough = vec![0.3, 0.1, 0.9, 0.2];
        creep(&mut rough, 2, 0.0, &Progress::default()).unwrap();
        assert_eq!(rough, [0.3, 0.1, 0.9, 0.2]);
    }
}
