//! The lowest and the highest height of a map whose rows arrive in any order, and the stretch of heights to 0 to 1.
//!
//! Idea: the extremes of a row are found in independent lanes. They are then merged into the total under a lock, once
//! per row or band of rows. The order does not matter for minima and maxima, with one exception: 0 and -0 compare
//! equal, so either could be found. Both become 0.

use std::sync::{Mutex, PoisonError};

use fearless_simd::{Level, dispatch};

use crate::{Canceled, Progress, rows};

/// The extremes of all rows so far.
pub(crate) struct Range(Mutex<(f32, f32)>);

impl Default for Range {
    fn default() -> Self {
        Self(Mutex::new((f32::INFINITY, f32::NEG_INFINITY)))
    }
}

impl Range {
    /// The lowest and the highest of these heights of a map with rows of this width.
    pub(crate) fn of(
        heights: &[f32],
        width: usize,
        progress: &Progress,
    ) -> Result<(f32, f32), Canceled> {
        let range = Self::default();
        let bands: Vec<&[f32]> = heights.chunks(rows::band(width)).collect();
        let note = |index: usize, _: &mut [()]| range.note(bands[index]);
        rows::for_each_row(&mut vec![(); bands.len()], 1, progress, note)?;
        Ok(range.extremes())
    }

    /// Merges in a row of at least one height. All heights must be finite.
    pub(crate) fn note(&self, row: &[f32]) {
        let (low, high) = dispatch!(Level::new(), _simd => (pick(row, lower), pick(row, higher)));
        let mut range = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *range = (lower(range.0, low), higher(range.1, high));
    }

    /// The lowest and the highest height.
    pub(crate) fn extremes(self) -> (f32, f32) {
        let (low, high) = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Adding 0 turns -0 into 0.
        (low + 0.0, high + 0.0)
    }
}

/// Maps `low` to 0 and `high` to 1, both exactly. If they are equal, every height becomes 0.
pub(crate) fn stretch(row: &mut [f32], (low, high): (f32, f32)) {
    let low = f64::from(low);
    let span = f64::from(high) - low;
    // The product of a number and its reciprocal is 1 up to the last of 53 bits, so it rounds to exactly 1 as `f32`.
    let scale = if span > 0.0 { 1.0 / span } else { 0.0 };
    dispatch!(Level::new(), _simd => stretch_here(row, low, scale));
}

// Inlined into `dispatch!`, so that they are compiled for each vector width. The bits are the same.

#[inline(always)]
fn stretch_here(row: &mut [f32], low: f64, scale: f64) {
    for height in row {
        *height = ((f64::from(*height) - low) * scale) as f32;
    }
}

/// The smaller number, as one instruction.
#[inline(always)]
pub(crate) fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger number, as one instruction.
#[inline(always)]
pub(crate) fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Reduces a row to its lowest or highest height.
#[inline(always)]
fn pick(row: &[f32], better: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 64;
    let mut lanes = [row[0]; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &height) in lanes.iter_mut().zip(chunk) {
            *lane = better(height, *lane);
        }
    }
    lanes.iter().chain(rest).copied().fold(row[0], better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    #[test]
    fn extremes_cover_all_cells() {
        let mut rng = SeededRng::new(4, b"range   ");
        for width in (1..70).chain([500]) {
            let range = Range::default();
            let mut all = Vec::new();
            for _ in 0..5 {
                let row: Vec<f32> = (0..width).map(|_| rng.between(-9.0, 9.0) as f32).collect();
                range.note(&row);
                all.extend(row);
            }
            all.sort_by(f32::total_cmp);
            assert_eq!(
                range.extremes(),
                (all[0], all[all.len() - 1]),
                "{width} wide"
            );
        }
    }
}
