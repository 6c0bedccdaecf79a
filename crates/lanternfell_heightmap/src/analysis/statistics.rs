//! Statistics of the heights of a map.
//!
//! Sums use `f64`: eight lanes along a row, which are added in a fixed order, and then the rows from north to south.
//! The deviation is summed about the mean in a second pass, so heights far above zero do not lose precision.

use super::{
    height_rows::{HeightRows, of_row},
    in_order,
    percentiles::percentiles,
};
use crate::{GenerateError, Progress};

/// Statistics of the heights of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// The lowest height.
    pub min: f32,
    /// The highest height.
    pub max: f32,
    /// The mean height.
    pub mean: f64,
    /// The population standard deviation, which is divided by the number of cells.
    pub deviation: f64,
    /// The median height. If the number of cells is even, the mean of the two middle heights.
    pub median: f64,
}

impl Statistics {
    /// Computes the statistics of `map`.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn of(
        map: &(impl HeightRows + ?Sized),
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        let (min, max, mean) = extremes_and_mean(map, &progress.span(0.0, 0.2))?;
        let rows = progress.span(0.2, 0.4);
        let squares = in_order(map.size().height(), &rows, |y| {
            of_row(map, y, |row| sum(row, |z| (z - mean) * (z - mean)))
        })?;
        let variance = squares.iter().sum::<f64>() / map.size().cells() as f64;
        let median = percentiles(map, &[50.0], &progress.span(0.4, 1.0))?[0];
        Ok(Self {
            min,
            max,
            mean,
            deviation: variance.sqrt(),
            median,
        })
    }
}

/// The lowest, the highest and the mean height.
pub(super) fn extremes_and_mean(
    map: &(impl HeightRows + ?Sized),
    progress: &Progress,
) -> Result<(f32, f32, f64), GenerateError> {
    let rows = in_order(map.size().height(), progress, |y| {
        of_row(map, y, |row| {
            let low = row.iter().copied().fold(row[0], f32::min);
            let high = row.iter().copied().fold(row[0], f32::max);
            (low, high, sum(row, |z| z))
        })
    })?;
    let (first, ..) = rows[0];
    let (low, high, total) = rows.iter().fold((first, first, 0.0), |all, row| {
        (row.0.min(all.0), row.1.max(all.1), all.2 + row.2)
    });
    // Adding 0 turns -0 into 0, so the result does not depend on which zero was found first.
    Ok((low + 0.0, high + 0.0, total / map.size().cells() as f64))
}

/// The sum of `part` over a row.
fn sum(row: &[f32], part: impl Fn(f64) -> f64) -> f64 {
    const LANES: usize = 8;
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &z) in lanes.iter_mut().zip(chunk) {
            *lane += part(z.into());
        }
    }
    let rest = rest.iter().map(|&z| part(z.into()));
    lanes.into_iter().chain(rest).fold(0.0, |sum, x| sum + x)
}
