//! Heightmaps as inputs, and descriptions of generated heightmaps in a few numbers.
//!
//! Maps of the same task need not be equal, since libraries use different random numbers. But noise
//! with the same octaves has about the same mean, deviation and grain. An implementation that skips
//! half of the work does not.

use std::fmt;

/// A square of heights, row by row. Or only a side length, for tasks without input heights.
#[derive(Debug, Clone, PartialEq)]
pub struct Heights {
    side: usize,
    heights: Vec<f32>,
}

impl Heights {
    /// Only a side length.
    pub fn bare(side: usize) -> Self {
        let heights = Vec::new();
        Self { side, heights }
    }

    /// A square map with these heights.
    pub fn of(heights: Vec<f32>) -> Self {
        let side = heights.len().isqrt();
        Self { side, heights }
    }

    /// Cells per side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All heights, row by row. Empty without input heights.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }
}

/// A heightmap in three numbers, and its difference from another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// The mean height.
    pub mean: f64,
    /// The standard deviation of the heights.
    pub deviation: f64,
    /// The root mean square of the steps from cell to cell, eastward and southward, divided by the
    /// deviation. Finer and stronger octaves increase it.
    pub grain: f64,
    /// The maximum difference from the reference and the tolerance, if the maps should be equal.
    pub off: Option<(f64, f64)>,
}

impl Shape {
    /// The shape of a square map.
    pub fn of(heights: &[f32]) -> Self {
        let side = heights.len().isqrt().max(1);
        let number = heights.len().max(1) as f64;
        let mean = heights.iter().copied().map(f64::from).sum::<f64>() / number;
        let square = |value: f64| value * value;
        let from_mean = heights.iter().map(|&z| square(f64::from(z) - mean));
        let deviation = (from_mean.sum::<f64>() / number).sqrt();
        let step = |(&a, &b): (&f32, &f32)| square(f64::from(b) - f64::from(a));
        let rows = heights.chunks_exact(side);
        let east = rows.map(|row| row.iter().zip(&row[1..]).map(step).sum::<f64>());
        let south = heights.iter().zip(heights.iter().skip(side)).map(step);
        let steps = (2 * side * (side - 1)).max(1) as f64;
        let grain = ((east.sum::<f64>() + south.sum::<f64>()) / steps).sqrt() / deviation;
        Self {
            mean,
            deviation,
            grain,
            off: None,
        }
    }

    /// The shape of a map with its maximum difference from a reference. `tolerance` is the allowed
    /// difference.
    pub fn compared_with(heights: &[f32], reference: &[f32], tolerance: f64) -> Self {
        let pairs = heights.iter().zip(reference);
        let off = pairs.map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs());
        let off = match heights.len() == reference.len() {
            true => off.fold(0.0, f64::max),
            false => f64::INFINITY,
        };
        Self {
            off: Some((off, tolerance)),
            ..Self::of(heights)
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            mean,
            deviation,
            grain,
            off,
        } = self;
        match off {
            Some((0.0, _)) => write!(out, "the same"),
            Some((off, tolerance)) if off <= tolerance => write!(out, "the same within {off:.0e}"),
            Some((off, _)) => write!(out, "DIFFERENT MAP, off by {off:.0e}"),
            None => write!(out, "{mean:.3} +- {deviation:.3}, grain {grain:.3}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_shape() {
        // Stripes: each step east is 1, each step south 0.
        let stripes: Vec<f32> = (0..16).map(|index| (index % 2) as f32).collect();
        let shape = Shape::of(&stripes);
        assert_eq!((shape.mean, shape.deviation), (0.5, 0.5));
        assert!((shape.grain - 0.5_f64.sqrt() / 0.5).abs() < 1e-12);
        assert_eq!(shape.to_string(), "0.500 +- 0.500, grain 1.414");
        assert_eq!(Heights::of(stripes).side(), 4);
    }

    #[test]
    fn compares_with_reference() {
        let compare = |other: &[f32]| Shape::compared_with(&[0.5; 4], other, 1e-3).to_string();
        assert_eq!(compare(&[0.5; 4]), "the same");
        assert_eq!(
            compare(&[0.5, 0.5, 0.500_488_3, 0.5]),
            "the same within 5e-4"
        );
        assert_eq!(
            compare(&[0.5, 0.75, 0.5, 0.5]),
            "DIFFERENT MAP, off by 2e-1"
        );
        assert_eq!(compare(&[0.5; 9]), "DIFFERENT MAP, off by inf");
    }
}
