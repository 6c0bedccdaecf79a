//! Resampling a map to another size.
//!
//! Problem: an enlarged map must not show its old cells. A reduced map must not simply take every fourth cell, because
//! narrow peaks would alias.
//!
//! Idea: each new cell is a weighted mean of the old cells around its position. The weights come from a kernel. If
//! there are fewer new cells than old ones, the kernel is widened to the size of a new cell.
//!
//! ```text
//!   old cells    |   |   |   |   |   |   |        corner cells stay corner cells:
//!                0           3           6        new cell i of m is at old
//!   new cells    |           |           |        position i (n - 1) / (m - 1)
//!   kernel            .-'''''''''-.
//! ```
//!
//! Steps: compute the weights for each new column and row. Then make one pass along the rows and one across them.
//! Positions are integers plus exact fractions, so the corner cells match exactly. Where the kernel extends beyond the
//! border, the map is continued by point reflection at its outermost cell, `2 z(0) - z(k)`, so that planes stay planes.
//! A widened kernel would bend planes slightly, so its weights are corrected. New heights are clamped to the range of
//! the old ones.
//!
//! Cost: per new cell and pass 2 or 4 multiplications, times the reduction factor. Memory: the new map, and one map as
//! wide as the new and as high as the old one.
//!
//! Sources: Keys, *Cubic Convolution Interpolation for Digital Image Processing*, 1981; the widened kernel: Schumacher,
//! *General Filtered Image Rescaling*, Graphics Gems III, 1992.

use super::{finite, sample};
use crate::{Blend, Canceled, Heightmap, MapSize, Progress, rows};

/// The interpolation between old cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resampling {
    /// The nearest old cell; of two equally near cells the eastern or southern one. This also holds when the map
    /// shrinks. Heights are never mixed, so use it for maps of categories.
    Nearest,
    /// Linear interpolation between the cells.
    Bilinear,
    /// Catmull-Rom splines, which make smooth slopes. The default.
    #[default]
    Bicubic,
}

/// The old cells that make up one new cell.
#[derive(Debug)]
struct Taps {
    first: usize,
    weights: Vec<f64>,
}

impl Resampling {
    /// The radius of the kernel, in cells.
    fn reach(self) -> f64 {
        match self {
            Self::Nearest => 0.0,
            Self::Bilinear => 1.0,
            Self::Bicubic => 2.0,
        }
    }

    /// The weight of a cell at this distance.
    fn weight(self, x: f64) -> f64 {
        let x = x.abs();
        match self {
            Self::Nearest => 1.0,
            Self::Bilinear => (1.0 - x).max(0.0),
            Self::Bicubic => match x {
                0.0..1.0 => sample::near(x),
                1.0..2.0 => sample::far(x),
                _ => 0.0,
            },
        }
    }

    /// The taps of `new` cells that replace `old` cells.
    fn taps(self, old: usize, new: usize) -> Vec<Taps> {
        (0..new).map(|cell| self.taps_of(cell, old, new)).collect()
    }

    fn taps_of(self, cell: usize, old: usize, new: usize) -> Taps {
        let (place, parts) = (cell * (old - 1), new - 1);
        let (whole, part) = (
            (place / parts) as i64,
            (place % parts) as f64 / parts as f64,
        );
        if self == Self::Nearest {
            let first = whole as usize + usize::from(part >= 0.5);
            return Taps {
                first,
                weights: vec![1.0],
            };
        }
        let width = ((old - 1) as f64 / parts as f64).max(1.0);
        let reach = (self.reach() * width).ceil() as i64;
        let mut offsets = Vec::with_capacity(2 * reach as usize + 2);
        for k in -reach..=reach + 1 {
            let offset = k as f64 - part;
            offsets.push((whole + k, offset, self.weight(offset / width)));
        }
        balance(&mut offsets, width > 1.0);
        fold(&offsets, old)
    }
}

/// Normalizes the weights `(position, offset, weight)` to a sum of 1. The weights of a widened kernel are also tilted
/// slightly, until the mean of their offsets is 0.
fn balance(offsets: &mut [(i64, f64, f64)], widened: bool) {
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        offsets
            .iter()
            .map(|&(_, offset, weight)| of(offset, weight))
            .sum()
    };
    let total = sum(&|_, weight| weight);
    let tilt = if widened {
        -sum(&|offset, weight| weight * offset)
            / sum(&|offset, weight| weight.abs() * offset * offset)
    } else {
        0.0
    };
    let total = total + tilt * sum(&|offset, weight| weight.abs() * offset);
    for (_, offset, weight) in offsets {
        *weight = (*weight + tilt * weight.abs() * *offset) / total;
    }
}

/// Moves the weights of positions beyond the border to the cells that their heights are reflected from.
fn fold(offsets: &[(i64, f64, f64)], count: usize) -> Taps {
    let last = count as i64 - 1;
    let inside = |place: i64| place.clamp(0, last) as usize;
    let mut folded: Vec<(usize, f64)> = Vec::with_capacity(offsets.len() + 2);
    for &(mut place, _, mut weight) in offsets {
        if weight == 0.0 {
            continue;
        }
        while place < 0 || place > last {
            let edge = inside(place);
            folded.push((edge, 2.0 * weight));
            (place, weight) = (2 * edge as i64 - place, -weight);
        }
        folded.push((inside(place), weight));
    }
    let first = folded.iter().map(|&(cell, _)| cell).min().unwrap_or(0);
    let last = folded.iter().map(|&(cell, _)| cell).max().unwrap_or(0);
    let mut weights = vec![0.0; last - first + 1];
    for (cell, weight) in folded {
        weights[cell - first] += weight;
    }
    Taps { first, weights }
}

impl Heightmap {
    /// Resamples the map to another size. The corner cells stay corner cells.
    ///
    /// ```
    /// use lanternfell_heightmap::{Heightmap, MapSize, Progress, filter::Resampling};
    ///
    /// let slope = Heightmap::from_heights(MapSize::new(3, 2)?, vec![0.0, 0.5, 1.0, 0.0, 0.5, 1.0]);
    /// let size = MapSize::new(5, 2)?;
    /// let finer = slope.unwrap().resampled(size, Resampling::Bicubic, &Progress::default())?;
    /// assert_eq!(finer.row(0), [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn resampled(
        &self,
        size: MapSize,
        resampling: Resampling,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let range = self.range_with(&progress.span(0.0, 0.05))?;
        let clamp = |z: f64| finite(z).max(range.0).min(range.1);
        let width = size.width();
        let columns = resampling.taps(self.width(), width);
        let mut along = vec![0.0; width * self.height()];
        rows::for_each_row(&mut along, width, &progress.span(0.05, 0.5), |y, row| {
            let old = self.row(y);
            for (z, taps) in row.iter_mut().zip(&columns) {
                let cells = &old[taps.first..][..taps.weights.len()];
                let parts = cells.iter().zip(&taps.weights);
                *z = clamp(parts.map(|(&z, weight)| f64::from(z) * weight).sum());
            }
        })?;
        let across = resampling.taps(self.height(), size.height());
        let mut map = Self::flat(size);
        let cells = map.heights_mut();
        let progress = &progress.span(0.5, 1.0);
        rows::for_each_row_with(
            cells,
            width,
            progress,
            || vec![0.0; width],
            |sums, y, row| {
                sums.fill(0.0);
                for (k, weight) in across[y].weights.iter().enumerate() {
                    let old = &along[(across[y].first + k) * width..][..width];
                    for (sum, &z) in sums.iter_mut().zip(old) {
                        *sum += weight * f64::from(z);
                    }
                }
                for (z, &sum) in row.iter_mut().zip(sums.iter()) {
                    *z = clamp(sum);
                }
            },
        )?;
        Ok(map)
    }

    /// Multiplies the map by a mask of any size, for example one from an image. Heights stay where the mask is 1 and
    /// become 0 where it is 0. A mask of another size is resampled bilinearly.
    ///
    /// # Errors
    /// If the work is canceled. Some rows may already be changed then.
    pub fn multiply_by_mask(&mut self, mask: &Self, progress: &Progress) -> Result<(), Canceled> {
        if mask.size() == self.size() {
            return Blend::Multiply.apply_validated(self, mask, 1.0, None, progress);
        }
        let mask = mask.resampled(self.size(), Resampling::Bilinear, &progress.span(0.0, 0.8))?;
        Blend::Multiply.apply_validated(self, &mask, 1.0, None, &progress.span(0.8, 1.0))
    }
}
