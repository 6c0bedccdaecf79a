//! Sums of several sizes of row noise (octaves), without slopes.

use super::{RowNoise, Wanted, narrow::Corners};
use crate::material::NoiseSize;

/// Several sizes of noise, each with its strength.
pub(crate) struct NoiseSum(Vec<(RowNoise, f32)>);

/// A row of a [`NoiseSum`].
#[derive(Debug, Clone, Default)]
pub(crate) struct SumRow {
    pub(crate) value: Vec<f32>,
    /// The corner directions of each size.
    corners: Vec<Corners>,
}

impl NoiseSum {
    /// Noise at the columns `x` in world units, where a pixel covers `footprint` world units.
    pub(crate) fn new(sizes: &[(NoiseSize, f32)], x: &[f64], footprint: f64) -> Self {
        let noise = |&(size, strength)| (RowNoise::new(size, x, footprint), strength);
        Self(sizes.iter().map(noise).collect())
    }

    /// A row of `space` zeros.
    pub(crate) fn row(&self, space: usize) -> SumRow {
        SumRow {
            value: vec![0.0; space],
            corners: vec![Corners::default(); self.0.len()],
        }
    }

    /// Computes the sum of the row at `z` world units in the wanted blocks.
    pub(crate) fn fill(&self, z: f64, wanted: &Wanted, row: &mut SumRow) {
        wanted.clear(&mut row.value);
        for ((noise, strength), corners) in self.0.iter().zip(&mut row.corners) {
            noise.add(z, *strength, wanted, corners, &mut row.value);
        }
    }
}
