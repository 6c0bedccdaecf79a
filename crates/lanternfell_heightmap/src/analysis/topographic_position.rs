//! The topographic position index (TPI): the height of each cell relative to its surroundings.
//!
//! It is the height of the cell minus the mean of the square around it. Ridges and peaks are positive, valleys are
//! negative, plains and even slopes are 0. The size of the square selects the size of the landforms that stand out.
//!
//! Steps: in bands of rows, keep the sum of each column over the rows of the square. Add the row that enters, and
//! subtract the row that leaves. Do the same with columns along a row. At the border, the mean is over the existing
//! cells only.
//!
//! Cost: O(1) per cell for any radius, because a band has at least as many rows as its first square, which is summed
//! from scratch. Sums are in `f64`. Their rounding only becomes visible next to heights that are more than 10^12 times
//! larger.
//!
//! Source: Weiss, *Topographic position and landforms analysis*, ESRI user conference, 2001. With radius 1 it is the
//! same as `gdaldem TPI`, except at the border and in that the cell itself is part of the mean.

use serde::{Deserialize, Serialize};

use crate::{GenerateError, Heightmap, ParamError, Progress, Scale, rows};

/// The height of each cell above the mean of its surroundings, in meters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TopographicPositionIndex {
    /// The distance from a cell to the sides of its square, in cells; from 1 to 1000. Default: 8.
    pub radius: u32,
}

impl Default for TopographicPositionIndex {
    fn default() -> Self {
        Self { radius: 8 }
    }
}

/// The smallest number of rows in a band.
const BAND: usize = 64;

impl TopographicPositionIndex {
    /// Checks the radius.
    pub fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range(
            "topographic position index",
            "radius",
            self.radius.into(),
            1.0,
            1000.0,
        )
    }

    /// Computes the index of every cell of `map`.
    ///
    /// # Errors
    /// If the radius or the scale is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: Scale,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        scale.validate()?;
        let (width, radius) = (map.width(), self.radius as usize);
        // At least as many rows as in the first square, so that summing it costs no more than the rest.
        let band_rows = BAND.max(radius);
        let relief = f64::from(scale.relief);
        let mut position = Heightmap::flat(map.size());
        let band = |columns: &mut Vec<f64>, band: usize, cells: &mut [f32]| {
            let first = band * band_rows;
            columns.fill(0.0);
            // Checks for cancellation here too: a band of the largest radius takes tens of milliseconds.
            for y in first.saturating_sub(radius)..(first + radius).min(map.height()) {
                if progress.is_canceled() {
                    return;
                }
                add(columns, map.row(y), 1.0);
            }
            for (y, row) in (first..).zip(cells.chunks_exact_mut(width)) {
                if progress.is_canceled() {
                    return;
                }
                if y + radius < map.height() {
                    add(columns, map.row(y + radius), 1.0);
                }
                if y > first && y > radius {
                    add(columns, map.row(y - radius - 1), -1.0);
                }
                let rows = (y + radius + 1).min(map.height()) - y.saturating_sub(radius);
                let means = Means::new(columns, radius, rows);
                for ((cell, &z), mean) in row.iter_mut().zip(map.row(y)).zip(means) {
                    let above = (f64::from(z) - mean) * relief;
                    *cell = above.clamp(f32::MIN.into(), f32::MAX.into()) as f32;
                }
            }
        };
        let columns = || vec![0.0; width];
        let cells = position.heights_mut();
        rows::for_each_row_with(cells, band_rows * width, progress, columns, band)?;
        Ok(position)
    }
}

fn add(columns: &mut [f64], row: &[f32], sign: f64) {
    for (column, &z) in columns.iter_mut().zip(row) {
        *column += sign * f64::from(z);
    }
}

/// The means of the squares around the cells of a row, from west to east.
struct Means<'a> {
    columns: &'a [f64],
    radius: usize,
    rows: usize,
    x: usize,
    sum: f64,
}

impl<'a> Means<'a> {
    fn new(columns: &'a [f64], radius: usize, rows: usize) -> Self {
        let sum = columns
            .iter()
            .take(radius)
            .fold(0.0, |sum, column| sum + column);
        Self {
            columns,
            radius,
            rows,
            x: 0,
            sum,
        }
    }
}

impl Iterator for Means<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let (x, radius, width) = (self.x, self.radius, self.columns.len());
        if let Some(enters) = self.columns.get(x + radius) {
            self.sum += enters;
        }
        if x > radius {
            self.sum -= self.columns[x - radius - 1];
        }
        self.x += 1;
        let columns = (x + radius + 1).min(width) - x.saturating_sub(radius);
        Some(self.sum / (columns * self.rows) as f64)
    }
}
