//! The hypsometric curve: the fraction of the terrain above each height.
//!
//! Young terrain is high with a few deep valleys, and its curve is convex. Old terrain is low with a few remaining
//! hills, and its curve is concave. The area under the curve, the hypsometric integral, summarizes it in one number:
//! about 0.6 for young terrain, 0.5 in equilibrium, and below 0.35 for old terrain. It equals the mean height as a
//! fraction of the relief.
//!
//! ```text
//!    1 |.                       Steps: count each cell at the highest level below its
//!      | `-.   young            height, and sum the counts from above.
//! high |    `--._
//!      | `.      `.
//!    0 | old`---...`.
//!      0   share    1
//! ```
//!
//! Sources: Strahler, *Hypsometric (area-altitude) analysis of erosional topography*, 1952; Pike and Wilson,
//! *Elevation-relief ratio, hypsometric integral*, 1971, for the relation of the integral to the mean.

use super::{height_rows::HeightRows, statistics::extremes_and_mean, tally::tally};
use crate::{GenerateError, ParamError, Progress};

/// The hypsometric curve of a map: the fraction of cells above each height.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypsometry {
    /// Evenly spaced heights, from the lowest to the highest of the map.
    pub levels: Vec<f32>,
    /// The fraction of cells strictly above each level, from 0 to 1, in descending order.
    pub shares: Vec<f64>,
    /// The area under the curve, with both axes from 0 to 1; 0.5 for a flat map.
    pub integral: f64,
}

impl Hypsometry {
    /// Computes the curve of `map` at `steps + 1` levels, with `steps` from 1 to 10,000.
    ///
    /// # Errors
    /// If `steps` is out of range, or the work is canceled.
    pub fn of(
        map: &(impl HeightRows + ?Sized),
        steps: usize,
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        ParamError::check_range("hypsometry", "steps", steps as f64, 1.0, 10_000.0)?;
        let (low, high, mean) = extremes_and_mean(map, &progress.span(0.0, 0.3))?;
        let (start, span) = (f64::from(low), f64::from(high) - f64::from(low));
        let level = |k| (start + span * k as f64 / steps as f64) as f32;
        let levels: Vec<f32> = (0..=steps).map(level).collect();
        let per_height = if span > 0.0 { steps as f64 / span } else { 0.0 };
        // The number of levels below a height. A division almost always finds it. If it does not, for example because
        // several levels are the same number, it is searched for.
        let below = |z: f32| {
            let guess = ((f64::from(z) - start) * per_height) as usize + 1;
            let guess = guess.min(steps + 1);
            let fits = levels[guess - 1] < z && levels.get(guess).is_none_or(|&next| next >= z);
            if fits {
                guess
            } else {
                levels.partition_point(|&level| level < z)
            }
        };
        let progress = progress.span(0.3, 1.0);
        let counts = tally(map, steps + 2, &progress, |z| Some(below(z)))?;
        let cells = map.size().cells() as f64;
        // A cell with k levels below it is above the first k of them.
        let mut above = 0;
        let mut shares: Vec<f64> = Vec::with_capacity(steps + 1);
        for count in counts[1..].iter().rev() {
            above += count;
            shares.push(above as f64 / cells);
        }
        shares.reverse();
        let integral = if span > 0.0 {
            (mean - start) / span
        } else {
            0.5
        };
        Ok(Self {
            levels,
            shares,
            integral,
        })
    }
}
