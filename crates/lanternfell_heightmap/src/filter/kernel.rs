//! A weighted sum of the neighbors of each cell, with custom weights.
//!
//! ```text
//!   smooth      1 2 1      ridges   -1 -1 -1      slope to    1 0 -1
//!     (/ 16)    2 4 2     (sum 0)   -1  8 -1      the east    2 0 -2
//!               1 2 1               -1 -1 -1       (sum 0)    1 0 -1
//! ```
//!
//! Steps: center the square of weights on each cell and sum weight times height. Divide the sum by
//! the sum of the weights, unless that is 0. Beyond the border, the map is extended by its
//! outermost cells.
//!
//! Cost: one multiplication per weight and cell, with SIMD along the rows; one additional map in
//! memory.
//!
//! Source: convolution is folklore; libtcod's `kernel_transform` has the same limits for the
//! heights.

use fearless_simd::{Level, dispatch};

use super::{MAX_HEIGHT, apply::Apply, finite, part::Locality, remake, smooth::widen};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, Scale,
    erosion::guide::Guide, parameter::parameters,
};

parameters! {
    /// Replaces each height by a weighted mean or sum of its neighborhood.
    ///
    /// In a recipe: `Kernel((weights: [1, 2, 1, 2, 4, 2, 1, 2, 1]))`.
    pub struct Kernel: "kernel" {
        /// A square of 3 x 3, 5 x 5, 7 x 7 or 9 x 9 weights, row by row from the north-west. The
        /// default is nine times 1, the mean.
        ///
        /// Results are divided by the sum of the weights. If the absolute value of the sum is at
        /// most a millionth of the sum of the absolute weights, it counts as 0, and results are not
        /// divided.
        pub weights: Vec<f64> = vec![1.0; 9], limit "9, 25, 49 or 81 numbers, each from -1000 to 1000";
        /// Lower heights are not changed.
        pub low: f64 = -1e6, limit "from -1000000 to high", slider 0.0..=1.0;
        /// Higher heights are not changed.
        pub high: f64 = 1e6, in -1e6..=1e6, slider 0.0..=1.0;
    }
}

/// The number of cells that are summed together.
const BLOCK: usize = 16;

impl Kernel {
    /// The distance in cells from the center to the outermost weights, along each axis.
    pub(super) fn reach(&self) -> usize {
        self.weights.len().isqrt() / 2
    }

    /// The weights divided by their sum, unless that is 0.
    fn scaled(&self) -> Vec<f64> {
        let sum: f64 = self.weights.iter().sum();
        let size: f64 = self.weights.iter().map(|weight| weight.abs()).sum();
        let divisor = if sum.abs() <= 1e-6 * size { 1.0 } else { sum };
        self.weights.iter().map(|weight| weight / divisor).collect()
    }
}

impl Apply for Kernel {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        let count = self.weights.len();
        let square = [9, 25, 49, 81].contains(&count);
        let allowed = "9, 25, 49 or 81 numbers";
        ParamError::check(square, Self::OWNER, "weights", count as f64, allowed)?;
        for &weight in &self.weights {
            ParamError::check_range(Self::OWNER, "weights", weight, -1000.0, 1000.0)?;
        }
        ParamError::check_range(Self::OWNER, "low", self.low, -MAX_HEIGHT, self.high)
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let side = self.weights.len().isqrt();
        let (reach, weights) = (side / 2, self.scaled());
        let (low, high) = (self.low as f32, self.high as f32);
        let level = Level::new();
        Ok(remake(
            map,
            1,
            progress,
            || vec![Vec::new(); side],
            |wide, map, y, row| {
                for (k, wide) in wide.iter_mut().enumerate() {
                    let near = (y + k).saturating_sub(reach).min(map.height() - 1);
                    widen(map.row(near), reach, wide);
                }
                dispatch!(level, _simd => sum(&weights, wide, row));
                for (z, &old) in row.iter_mut().zip(map.row(y)) {
                    if old < low || old > high {
                        *z = old;
                    }
                }
            },
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(self.reach())
    }

    /// Changes nothing: on larger cells it would be a different kernel.
    fn apply_coarsely(
        &self,
        _map: &mut Heightmap,
        _ratio: usize,
        _context: &FilterContext,
        _range: (f32, f32),
        _progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        Ok(None)
    }
}

/// Writes the weighted sums of the surrounding rows. `wide` are these rows, extended at both ends.
#[inline(always)]
fn sum(weights: &[f64], wide: &[Vec<f32>], row: &mut [f32]) {
    let side = wide.len();
    let mut x = 0;
    for block in row.chunks_mut(BLOCK) {
        let mut sums = [0.0; BLOCK];
        for (wide, weights) in wide.iter().zip(weights.chunks(side)) {
            for (k, &weight) in weights.iter().enumerate() {
                for (sum, &z) in sums.iter_mut().zip(&wide[x + k..][..block.len()]) {
                    *sum += weight * f64::from(z);
                }
            }
        }
        for (z, sum) in block.iter_mut().zip(sums) {
            *z = finite(sum);
        }
        x += block.len();
    }
}
