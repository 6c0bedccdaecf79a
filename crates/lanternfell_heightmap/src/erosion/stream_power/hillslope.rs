//! Hillslope diffusion: soil creeps down and rounds the slopes between streams.
//!
//! Problem: explicit diffusion needs many small steps, and more of them on finer maps.
//!
//! Idea: one long implicit step, `(1 - D d2/dx2) (1 - D d2/dy2) h' = h`. Along a line of cells this is a tridiagonal
//! system with `1 + 2 D` on the diagonal and `-D` next to it. At the ends of the line the diagonal is `1 + D`, because
//! nothing crosses the border. Thomas's algorithm solves it exactly with a forward and a backward filter:
//!
//! ```text
//!   ___|___      ->     _.-'|         ->     _.-'|'-._
//! ```
//!
//! Steps: filter each row forward and backward, rows in parallel. Then filter the columns in the same way, in blocks
//! whose inner loop runs along the rows, so that it vectorizes.
//!
//! The filter is written so that each step pulls a height towards the previous one. Level terrain therefore stays level
//! to the last bit, regardless of rounding. With `m = 0` at the first cell and `m' = D (1 + m) / (1 + D + m)` at the
//! next, the weight is `m / (1 + m)` in the forward pass and `D / (1 + D + m)` in the backward pass.
//!
//! Cost: four multiplications and additions per cell. Memory: two numbers per column or row.
//!
//! Sources: Thomas, *Elliptic problems in linear difference equations over a network*, 1949; one axis after the other
//! as in Peaceman and Rachford, 1955.

use crate::{Canceled, Progress, rows};

/// The number of columns that are filtered together.
const COLUMNS: usize = 64;

/// Diffuses the heights of a map of this width. `diffusion` is D t in square cells. Nothing crosses the border.
pub(super) fn creep(
    heights: &mut [f32],
    width: usize,
    diffusion: f32,
    progress: &Progress,
) -> Result<(), Canceled> {
    if diffusion <= 0.0 {
        return Ok(());
    }
    let parts = &parts(width.max(heights.len() / width), f64::from(diffusion));
    let sweep = |_, row: &mut [f32]| sweep_row(row, parts);
    rows::for_each_row(heights, width, &progress.span(0.0, 0.5), sweep)?;
    let mut blocks: Vec<Vec<&mut [f32]>> = Vec::new();
    blocks.resize_with(width.div_ceil(COLUMNS), Vec::new);
    for row in heights.chunks_exact_mut(width) {
        for (block, part) in blocks.iter_mut().zip(row.chunks_mut(COLUMNS)) {
            block.push(part);
        }
    }
    rows::for_each_row(&mut blocks, 1, &progress.span(0.5, 1.0), |_, block| {
        sweep_block(&mut block[0], parts);
    })
}

/// The weights with which each height of a line is pulled towards the previous one.
#[derive(Debug, Clone, Copy)]
struct Part {
    forth: f32,
    back: f32,
}

/// The weights of the first `count` cells of a line of any length. The backward pass does not use the weight of the
/// last cell of a line.
fn parts(count: usize, diffusion: f64) -> Vec<Part> {
    let mut passed = 0.0;
    let part = |_| {
        let part = Part {
            forth: (passed / (1.0 + passed)) as f32,
            back: (diffusion / (1.0 + diffusion + passed)) as f32,
        };
        passed = diffusion * (1.0 + passed) / (1.0 + diffusion + passed);
        part
    };
    (0..count).map(part).collect()
}

fn sweep_row(row: &mut [f32], parts: &[Part]) {
    let mut before = row[0];
    for (height, part) in row.iter_mut().zip(parts) {
        before = follow(before, *height, part.forth);
        *height = before;
    }
    for (height, part) in row.iter_mut().zip(parts).rev() {
        before = follow(before, *height, part.back);
        *height = before;
    }
}

fn sweep_block(rows: &mut [&mut [f32]], parts: &[Part]) {
    for y in 1..rows.len() {
        let (north, south) = rows.split_at_mut(y);
        sweep_onto(north[y - 1], south[0], parts[y].forth);
    }
    for y in (1..rows.len()).rev() {
        let (north, south) = rows.split_at_mut(y);
        sweep_onto(south[0], north[y - 1], parts[y - 1].back);
    }
}

fn sweep_onto(before: &[f32], heights: &mut [f32], part: f32) {
    for (height, before) in heights.iter_mut().zip(before) {
        *height = follow(*before, *height, part);
    }
}

fn follow(before: f32, height: f32, part: f32) -> f32 {
    height + part * (before - height)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variance of a spread unit of soil is that of diffusion, 2 D t along each axis, and no soil is lost.
    #[test]
    fn spreads_with_variance_of_diffusion() {
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

    /// Nothing crosses the border: no soil is lost at any location.
    #[test]
    fn conserves_soil_at_border() {
        for (width, height) in [(2, 2), (7, 5), (3, 90), (130, 4)] {
            for diffusion in [0.01_f32, 0.5, 3.0, 400.0] {
                for cell in [
                    0,
                    width / 2,
                    width - 1,
                    width * height / 2,
                    width * height - 1,
                ] {
                    let mut heights = vec![0.0; width * height];
                    heights[cell] = 1.0;
                    creep(&mut heights, width, diffusion, &Progress::default()).unwrap();
                    let sum: f64 = heights.iter().copied().map(f64::from).sum();
                    assert!(
                        (sum - 1.0).abs() < 1e-4,
                        "{sum} of {width} x {height}, {cell}"
                    );
                }
            }
        }
    }

    /// The result satisfies the equations along both axes.
    #[test]
    fn solves_implicit_equations() {
        let mut rng = crate::SeededRng::new(4, b"test    ");
        for diffusion in [0.1_f32, 2.0, 30.0] {
            let line: Vec<f32> = (0..40).map(|_| rng.unit() as f32).collect();
            for width in [40, 2] {
                // Two equal rows, or two equal columns.
                let mut heights: Vec<f32> = match width {
                    2 => line.iter().flat_map(|&z| [z; 2]).collect(),
                    _ => [&line[..], &line].concat(),
                };
                creep(&mut heights, width, diffusion, &Progress::default()).unwrap();
                let new = |k: usize| f64::from(heights[if width == 2 { 2 * k } else { k }]);
                for (k, &old) in line.iter().enumerate() {
                    let (before, after) = (new(k.saturating_sub(1)), new((k + 1).min(39)));
                    let bend = 2.0 * new(k) - before - after;
                    let back = new(k) + f64::from(diffusion) * bend;
                    assert!((back - f64::from(old)).abs() < 1e-4, "{back} for {old}");
                }
            }
        }
    }

    #[test]
    fn mirrored_input_gives_mirrored_output() {
        let mut rng = crate::SeededRng::new(3, b"test    ");
        let (width, height) = (19, 23);
        let rough: Vec<f32> = (0..width * height).map(|_| rng.unit() as f32).collect();
        let crept = |mut heights: Vec<f32>| {
            creep(&mut heights, width, 2.5, &Progress::default()).unwrap();
            heights
        };
        let turned = |heights: &[f32]| heights.iter().rev().copied().collect::<Vec<f32>>();
        let (one, other) = (crept(rough.clone()), turned(&crept(turned(&rough))));
        for (a, b) in one.iter().zip(&other) {
            assert!((a - b).abs() < 1e-5, "{a} and {b}");
        }
    }

    #[test]
    fn keeps_level_terrain_and_zero_diffusion_changes_nothing() {
        let mut level = vec![0.3; 12];
        creep(&mut level, 4, 2.0, &Progress::default()).unwrap();
        assert_eq!(level, [0.3; 12]);
        let mut rough = vec![0.3, 0.1, 0.9, 0.2];
        creep(&mut rough, 2, 0.0, &Progress::default()).unwrap();
        assert_eq!(rough, [0.3, 0.1, 0.9, 0.2]);
    }
}
