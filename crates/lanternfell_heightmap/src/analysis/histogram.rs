//! Histograms of heights.

use super::{height_rows::HeightRows, statistics::extremes_and_mean, tally::tally};
use crate::{Canceled, GenerateError, ParamError, Progress};

/// A histogram of heights, with bins of equal width.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The lower end of the first bin.
    pub low: f32,
    /// The upper end of the last bin.
    pub high: f32,
    /// The number of cells in each bin. A bin includes its lower end, and the last bin also its upper end.
    pub counts: Vec<u64>,
    /// The number of cells below `low`.
    pub below: u64,
    /// The number of cells above `high`.
    pub above: u64,
}

impl Histogram {
    /// The largest number of bins.
    pub const MAX_BINS: usize = 65_536;

    /// Counts the heights of `map` in `bins` bins (from 1 to [`MAX_BINS`](Self::MAX_BINS)) from the lowest to the
    /// highest height.
    ///
    /// # Errors
    /// If `bins` is out of range, or the work is canceled.
    pub fn of(
        map: &(impl HeightRows + ?Sized),
        bins: usize,
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        check_bins(bins)?;
        let (low, high, _) = extremes_and_mean(map, &progress.span(0.0, 0.3))?;
        let counted = progress.span(0.3, 1.0);
        Ok(Self::count(map, bins, (low, high), &counted)?)
    }

    /// Counts the heights of `map` in `bins` bins from `low` to `high`.
    ///
    /// # Errors
    /// If `bins` is out of range, `low` and `high` are not finite or not in ascending order, or the work is canceled.
    pub fn within(
        map: &(impl HeightRows + ?Sized),
        bins: usize,
        (low, high): (f32, f32),
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        check_bins(bins)?;
        let fine = low < high && low.is_finite() && high.is_finite();
        let words = format_args!("finite and above low, which is {low}");
        ParamError::check(fine, "histogram", "high", ParamError::shortest(high), words)?;
        Ok(Self::count(map, bins, (low, high), progress)?)
    }

    fn count(
        map: &(impl HeightRows + ?Sized),
        bins: usize,
        (low, high): (f32, f32),
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let (start, span) = (f64::from(low), f64::from(high) - f64::from(low));
        let per_height = if span > 0.0 { bins as f64 / span } else { 0.0 };
        // Two additional bins for heights outside the range.
        let bin = |z: f32| {
            Some(if z < low {
                bins
            } else if z > high {
                bins + 1
            } else {
                (((f64::from(z) - start) * per_height) as usize).min(bins - 1)
            })
        };
        let mut counts = tally(map, bins + 2, progress, bin)?;
        let (above, below) = (counts[bins + 1], counts[bins]);
        counts.truncate(bins);
        Ok(Self {
            low,
            high,
            counts,
            below,
            above,
        })
    }
}

fn check_bins(bins: usize) -> Result<(), ParamError> {
    let most = Histogram::MAX_BINS as f64;
    ParamError::check_range("histogram", "bins", bins as f64, 1.0, most)
}
