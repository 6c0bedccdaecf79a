//! Values along a row of texels, and bands that limit them.

use lanternfell_heightmap::Band;

/// Values along a row.
pub(super) struct Line {
    pub(super) values: Vec<f64>,
    /// The least and the largest value of each [`RUN`] of texels. Most runs are inside or outside of a band as a whole.
    ranges: Vec<[f64; 2]>,
}

/// The number of texels whose values are compared with a band at once.
pub(super) const RUN: usize = 32;

/// How a band limits a range of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// Each value has a share of 1.
    All,
    /// Each value has a share of 0.
    None,
    /// It depends on the value.
    Some,
}

impl Share {
    /// The share of all values in a range, as [`Band::share`] defines it.
    #[inline(always)]
    pub(super) fn of(band: &Band, [low, high]: [f64; 2]) -> Self {
        let (from, to) = bounds(band);
        let least = (from - high).max(low - to);
        if low >= from && high <= to {
            Self::All
        } else if least > 0.0 && least >= band.fade {
            Self::None
        } else {
            Self::Some
        }
    }
}

fn bounds(band: &Band) -> (f64, f64) {
    let from = band.from.unwrap_or(f64::NEG_INFINITY);
    (from, band.to.unwrap_or(f64::INFINITY))
}

fn range(run: &[f64]) -> [f64; 2] {
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    run.iter().fold(none, |[low, high], &value| {
        [low.min(value), high.max(value)]
    })
}

impl Line {
    pub(super) fn new(values: Vec<f64>) -> Self {
        let ranges = values.chunks(RUN).map(range).collect();
        Self { values, ranges }
    }

    /// The number of runs.
    pub(super) fn runs(&self) -> usize {
        self.ranges.len()
    }

    /// The least and the largest value of a run.
    pub(super) fn range(&self, run: usize) -> [f64; 2] {
        self.ranges[run]
    }

    /// Updates the range of a run after its values have changed.
    #[inline(always)]
    pub(super) fn update(&mut self, run: usize) {
        let end = self.values.len().min((run + 1) * RUN);
        self.ranges[run] = range(&self.values[run * RUN..end]);
    }

    /// Multiplies the weights by the shares of the values in a band, as [`Band::share`] defines them.
    #[inline(always)]
    pub(super) fn limit(&self, band: &Band, weights: &mut [f64]) {
        let ((from, to), fade) = (bounds(band), band.fade);
        let runs = weights.chunks_mut(RUN).zip(self.values.chunks(RUN));
        for ((weights, values), &range) in runs.zip(&self.ranges) {
            match Share::of(band, range) {
                Share::All => continue,
                Share::None => {
                    weights.fill(0.0);
                    continue;
                }
                Share::Some => {}
            }
            for (weight, &value) in weights.iter_mut().zip(values) {
                let beyond = (from - value).max(value - to);
                // Computed in any case, because a division is cheaper than a branch.
                let faded = 1.0 - beyond / fade;
                let share = if beyond < fade { faded } else { 0.0 };
                *weight *= if beyond <= 0.0 { 1.0 } else { share };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with [`Band::share`], at the borders of bands and for runs that are inside and outside as a whole.
    #[test]
    fn limit_matches_the_definition() {
        let values: Vec<f64> = (0..500)
            .map(|index| f64::from(index / 100) + f64::from(index % 7) * 0.125)
            .collect();
        let line = Line::new(values.clone());
        let bounds = [
            None,
            Some(-9.0),
            Some(1.0),
            Some(2.125),
            Some(4.75),
            Some(9.0),
        ];
        for from in bounds {
            for to in bounds {
                for fade in [0.0, 0.125, 1.5, 20.0] {
                    let band = Band { from, to, fade };
                    let mut weights = vec![0.7; values.len()];
                    line.limit(&band, &mut weights);
                    let expected = values.iter().map(|&value| 0.7 * band.share(value));
                    assert_eq!(weights, expected.collect::<Vec<_>>(), "{band:?}");
                }
            }
        }
    }
}
