//! The passes over rows of grains, which skip blocks at rest.
//!
//! A pass reads one set of rows and writes another. A block whose neighborhood did not change in the last pass does not
//! change in this one. Because it did not change in the last pass either, both sets already hold the same grains there,
//! so the block is skipped.

use core::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::{Level, dispatch};

use super::super::grains::whole;
use crate::{Canceled, Progress, rows};

/// The number of cells in a block.
const BLOCK: usize = 64;

/// The number of rows per parallel task.
const BAND: usize = 8;

/// The weights of a neighbor along an axis and along a diagonal. The sum over all eight neighbors is 1. As in the
/// nine-point Laplacian, they spread equally in all directions.
const WEIGHTS: (f64, f64) = (0.2, 0.05);

/// The smallest limits in grains, along an axis and along a diagonal. At least one whole grain slides. For differences
/// below 5 and 20 that would be more than the weight times the difference, and piles could oscillate forever. The
/// limits leave some room for rounding.
const LEAST_LIMITS: (f64, f64) = (8.0, 32.0);

/// The value beyond the border. Comparisons with it are false, so nothing slides there.
const BEYOND: f32 = f32::NAN;

/// A row of grains, padded with [`BEYOND`] at both ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    padded: Vec<f32>,
    /// Whether each block changed in the pass that wrote it.
    moved: Vec<bool>,
}

impl Row {
    pub(super) fn new(grains: impl ExactSizeIterator<Item = f32>) -> Self {
        let mut padded = Vec::with_capacity(grains.len() + 2);
        padded.push(BEYOND);
        padded.extend(grains);
        padded.push(BEYOND);
        Self {
            moved: vec![true; (padded.len() - 2).div_ceil(BLOCK)],
            padded,
        }
    }

    /// The row to the north and south of a map of such rows.
    fn beyond(&self) -> Self {
        Self {
            padded: vec![BEYOND; self.padded.len()],
            moved: vec![false; self.moved.len()],
        }
    }

    pub(super) fn cells(&self) -> &[f32] {
        &self.padded[1..self.padded.len() - 1]
    }

    /// Whether the block or an adjacent one changed.
    fn stirred(&self, block: usize) -> bool {
        let end = (block + 2).min(self.moved.len());
        self.moved[block.saturating_sub(1)..end].contains(&true)
    }
}

/// The rule for the flow between two neighbors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// The largest stable difference in grains, along an axis and along a diagonal.
    limits: (f32, f32),
    /// The fraction of the excess that slides, along an axis and along a diagonal.
    shares: (f32, f32),
}

impl Rule {
    /// Differences of up to `limit` grains between axis neighbors are stable. `rate` must be above 0.
    pub(super) fn new(limit: f64, rate: f64) -> Self {
        // Whole grains, and no more than the largest possible difference.
        let held = |limit: f64, least: f64| limit.clamp(least, f64::from(1 << 26)).floor() as f32;
        let diagonal = limit * core::f64::consts::SQRT_2;
        Self {
            limits: (held(limit, LEAST_LIMITS.0), held(diagonal, LEAST_LIMITS.1)),
            shares: ((rate * WEIGHTS.0) as f32, (rate * WEIGHTS.1) as f32),
        }
    }

    /// The number of grains that slide over a difference in height; at least one if it exceeds the limit.
    /// Antisymmetric: the opposite difference gives the opposite flow.
    #[inline(always)]
    fn flow(difference: f32, limit: f32, share: f32) -> f32 {
        let steep = difference.abs();
        let flow = whole((steep - limit) * share);
        let flow = if flow > 1.0 { flow } else { 1.0 };
        let flow = if steep > limit { flow } else { 0.0 };
        flow.copysign(difference)
    }
}

/// Lets the grains slide for this many passes, or until they are at rest.
pub(super) fn run(
    mut now: Vec<Row>,
    rule: &Rule,
    passes: u32,
    progress: &Progress,
) -> Result<Vec<Row>, Canceled> {
    let mut next = now.clone();
    rows::in_pool(|| {
        for pass in 0..passes {
            let progress = progress.part(pass as usize, passes as usize);
            if !slide(&now, &mut next, rule, &progress)? {
                break;
            }
            core::mem::swap(&mut now, &mut next);
        }
        progress.check()
    })?;
    Ok(now)
}

/// Runs one pass. Returns whether anything moved.
fn slide(
    now: &[Row],
    next: &mut [Row],
    rule: &Rule,
    progress: &Progress,
) -> Result<bool, Canceled> {
    let any = AtomicBool::new(false);
    let beyond = &now[0].beyond();
    rows::for_each_row(next, BAND, progress, |band, rows| {
        let first = band * BAND;
        let moved = dispatch!(Level::new(), _simd => slide_band(now, beyond, first, rows, rule));
        if moved {
            any.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(any.into_inner())
}

/// Inlined with everything that it calls, so that it is compiled for each vector width.
#[inline(always)]
fn slide_band(now: &[Row], beyond: &Row, first: usize, next: &mut [Row], rule: &Rule) -> bool {
    let mut any = false;
    for (y, row) in (first..).zip(next) {
        let north = y.checked_sub(1).and_then(|y| now.get(y));
        let around = [
            north.unwrap_or(beyond),
            &now[y],
            now.get(y + 1).unwrap_or(beyond),
        ];
        let width = row.padded.len() - 2;
        for block in 0..row.moved.len() {
            let stirred = around.iter().any(|row| row.stirred(block));
            row.moved[block] = stirred && {
                let begin = block * BLOCK;
                let length = BLOCK.min(width - begin);
                let cells = around.map(|row| &row.padded[begin..begin + length + 2]);
                slide_block(cells, &mut row.padded[begin + 1..][..length], rule)
            };
            any |= row.moved[block];
        }
    }
    any
}

/// Computes the new grains of a block from the old ones of three rows, each a cell longer on both sides. Returns
/// whether any moved.
#[inline(always)]
fn slide_block([north, here, south]: [&[f32]; 3], new: &mut [f32], rule: &Rule) -> bool {
    let length = new.len();
    let (north, here, south) = (
        &north[..length + 2],
        &here[..length + 2],
        &south[..length + 2],
    );
    let mut moved = 0;
    for k in 0..length {
        let old = here[k + 1];
        let axis = |other: f32| Rule::flow(old - other, rule.limits.0, rule.shares.0);
        let diagonal = |other: f32| Rule::flow(old - other, rule.limits.1, rule.shares.1);
        let west_east = axis(here[k]) + axis(here[k + 2]);
        let north_south = axis(north[k + 1]) + axis(south[k + 1]);
        let above = diagonal(north[k]) + diagonal(north[k + 2]);
        let below = diagonal(south[k]) + diagonal(south[k + 2]);
        new[k] = old - (west_east + north_south + above + below);
        moved |= new[k].to_bits() ^ old.to_bits();
    }
    moved != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    fn heap(width: usize, height: usize, most: u64) -> Vec<Row> {
        let mut rng = SeededRng::new(5, b"test    ");
        let mut row = || Row::new((0..width).map(|_| rng.below(most) as f32));
        (0..height).map(|_| row()).collect()
    }

    fn sum(heap: &[Row]) -> i64 {
        let cells = heap.iter().flat_map(Row::cells);
        cells.map(|&grains| grains as i64).sum()
    }

    /// No grain is lost, even on extremely rough terrain.
    #[test]
    fn conserves_grains() {
        for (width, height) in [(2, 2), (2, 9), (65, 3), (130, 70)] {
            for rate in [1.0, 0.37] {
                let before = heap(width, height, 1 << 24);
                let rule = Rule::new(1000.0, rate);
                let after = run(before.clone(), &rule, 40, &Progress::default()).unwrap();
                assert_eq!(sum(&after), sum(&before), "{width} x {height} at {rate}");
                assert!(
                    after.iter().flat_map(Row::cells).all(|z| z.fract() == 0.0),
                    "{width} x {height} at {rate}"
                );
                assert_ne!(
                    after[0].cells(),
                    before[0].cells(),
                    "{width} x {height} at {rate}"
                );
            }
        }
    }

    /// Low piles on narrow maps, where some rows rest for a pass while others move.
    #[test]
    fn conserves_grains_next_to_resting_rows() {
        for (width, height) in (2..70).flat_map(|w| [(w, 2), (w, 5), (w, 40)]) {
            for (most, limit) in [(40, 0.0), (80, 0.001), (400, 20.0), (1 << 16, 0.0)] {
                let before = heap(width, height, most);
                let rule = Rule::new(limit, 1.0);
                let after = run(before.clone(), &rule, 60, &Progress::default()).unwrap();
                assert_eq!(sum(&after), sum(&before), "{width} x {height} of {most}");
            }
        }
    }

    #[test]
    fn wide_vectors_give_same_bits_as_narrow_ones() {
        let now = heap(333, 9, 1 << 24);
        let rule = Rule::new(100_000.0, 1.0);
        let (mut wide, mut narrow) = (now.clone(), now.clone());
        slide(&now, &mut wide, &rule, &Progress::default()).unwrap();
        assert!(slide_band(&now, &now[0].beyond(), 0, &mut narrow, &rule));
        for (y, (wide, narrow)) in wide.iter().zip(&narrow).enumerate() {
            assert_eq!(wide.cells(), narrow.cells(), "row {y}");
        }
    }

    #[test]
    fn skips_resting_blocks_until_neighbors_move() {
        let mut now = vec![Row::new([0.0; 300].into_iter()); 40];
        now[20].padded[151] = 1000.0;
        let rule = Rule::new(10.0, 1.0);
        let mut next = now.clone();
        for pass in 1..=12 {
            assert!(
                slide(&now, &mut next, &rule, &Progress::default()).unwrap(),
                "pass {pass}"
            );
            core::mem::swap(&mut now, &mut next);
            let stirred = now.iter().filter(|row| row.moved.contains(&true)).count();
            assert!(stirred <= 2 * pass + 1, "{stirred} rows after pass {pass}");
        }
        assert!(now[20].padded[151] < 200.0 && now[20].padded[155] > 0.0);
    }
}
