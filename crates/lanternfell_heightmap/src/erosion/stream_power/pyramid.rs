//! A pyramid of the map: the same terrain at successively coarser resolutions.
//!
//! ```text
//!   64 x 64      128 x 128         256 x 256          each cell of a level is the
//!   +--+         +--+--+           +--+--+--+--+      mean of the four below it
//!   |  |    ->   +--+--+      ->   +--+--+--+--+
//!   +--+         +--+--+           ...
//! ```
//!
//! A coarse grid has few cells. It can simulate the long time in which large valleys form for a small part of the work.
//!
//! Cost: O(n). All other levels together have a third of the cells of the finest one.

use crate::{Canceled, Heightmap, MapSize, Progress, rows};

/// The shorter side of the coarsest level is less than this. It has enough cells for the largest valleys, and few
/// enough that hundreds of steps cost almost nothing.
const COARSE_SIDE: usize = 64;

/// A map at one resolution.
pub(super) struct Level {
    pub(super) size: MapSize,
    /// The given heights as fractions of their range, which are the target of the uplift.
    pub(super) given: Vec<f32>,
}

impl Level {
    /// All levels of a map, starting with the finest.
    pub(super) fn pyramid(
        map: &Heightmap,
        unit: impl Fn(f32) -> f32 + Sync + Send,
        progress: &Progress,
    ) -> Result<Vec<Self>, Canceled> {
        Self::levels(map, unit, usize::MAX, COARSE_SIDE, progress)
    }

    /// The `number` finest levels of a map, regardless of how few cells they have.
    pub(super) fn finest(
        map: &Heightmap,
        unit: impl Fn(f32) -> f32 + Sync + Send,
        number: usize,
        progress: &Progress,
    ) -> Result<Vec<Self>, Canceled> {
        Self::levels(map, unit, number, 0, progress)
    }

    /// At most `most` levels. Stops at the first level with a side shorter than `least_side`.
    fn levels(
        map: &Heightmap,
        unit: impl Fn(f32) -> f32 + Sync + Send,
        most: usize,
        least_side: usize,
        progress: &Progress,
    ) -> Result<Vec<Self>, Canceled> {
        let size = map.size();
        let mut given = vec![0.0; size.cells()];
        rows::for_each_row(
            &mut given,
            size.width(),
            &progress.span(0.0, 0.7),
            |y, row| {
                for (given, &z) in row.iter_mut().zip(map.row(y)) {
                    *given = unit(z);
                }
            },
        )?;
        let mut levels = vec![Self { size, given }];
        let progress = progress.span(0.7, 1.0);
        while levels.len() < most
            && let Some(coarser) = levels
                .last()
                .and_then(|level| level.coarser(least_side, &progress))
        {
            levels.push(coarser?);
        }
        Ok(levels)
    }

    /// The next coarser level, with half as many cells along each side, rounded up. `None` if this level is already
    /// shorter than `least_side`.
    fn coarser(&self, least_side: usize, progress: &Progress) -> Option<Result<Self, Canceled>> {
        if self.size.shorter_side() < least_side {
            return None;
        }
        let (width, height) = (self.size.width(), self.size.height());
        let half = |side: usize| side.div_ceil(2) as u64;
        let size = MapSize::new(half(width), half(height)).ok()?;
        let row = |y: usize| &self.given[y.min(height - 1) * width..][..width];
        let mut given = vec![0.0; size.cells()];
        let done = rows::for_each_row(&mut given, size.width(), progress, |y, cells| {
            let (north, south) = (row(2 * y), row(2 * y + 1));
            for (x, cell) in cells.iter_mut().enumerate() {
                let (west, east) = (2 * x, (2 * x + 1).min(width - 1));
                *cell = 0.25 * (north[west] + north[east] + south[west] + south[east]);
            }
        });
        Some(done.map(|()| Self { size, given }))
    }

    /// Interpolates `heights` of this level at a cell of the next finer level. It weights the four nearest cells so
    /// that applying it twice gives a smooth surface (Chaikin's corner cutting).
    pub(super) fn between(&self, heights: &[f32], x: usize, y: usize) -> f32 {
        let near = |at: usize, side: usize| {
            let cell = at / 2;
            let other = if at.is_multiple_of(2) {
                cell.saturating_sub(1)
            } else {
                (cell + 1).min(side - 1)
            };
            (cell, other)
        };
        let width = self.size.width();
        let (column, other_column) = near(x, width);
        let (row, other_row) = near(y, self.size.height());
        let at = |x: usize, y: usize| heights[y * width + x];
        (9.0 * at(column, row)
            + 3.0 * (at(other_column, row) + at(column, other_row))
            + at(other_column, other_row))
            / 16.0
    }

    /// The cells along the border, clockwise.
    pub(super) fn border(&self) -> Vec<usize> {
        let (width, height) = (self.size.width(), self.size.height());
        let north = 0..width;
        let east = (1..height).map(|y| y * width + width - 1);
        let south = (0..width - 1).rev().map(|x| (height - 1) * width + x);
        let west = (1..height - 1).rev().map(|y| y * width);
        north.chain(east).chain(south).chain(west).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(width: u64, height: u64) -> Vec<Level> {
        let size = MapSize::new(width, height).unwrap();
        let heights = (0..size.cells()).map(|cell| (cell % size.width()) as f32);
        let map = Heightmap::from_heights(size, heights.collect()).unwrap();
        Level::pyramid(&map, |z| z, &Progress::default()).unwrap()
    }

    #[test]
    fn levels_halve_down_to_coarse_side() {
        let sides = |width, height| {
            let sides = levels(width, height).into_iter();
            sides
                .map(|level| (level.size.width(), level.size.height()))
                .collect::<Vec<_>>()
        };
        assert_eq!(sides(300, 130), [(300, 130), (150, 65), (75, 33)]);
        assert_eq!(sides(2, 900), [(2, 900)]);
        assert_eq!(sides(63, 63), [(63, 63)]);
    }

    #[test]
    fn even_slope_survives_halving_and_interpolation() {
        let levels = levels(128, 70);
        let coarse = &levels[1];
        assert_eq!(coarse.given[..3], [0.5, 2.5, 4.5]);
        for y in 0..70 {
            for x in 1..127 {
                assert_eq!(coarse.between(&coarse.given, x, y), x as f32, "{x}, {y}");
            }
        }
    }
}
