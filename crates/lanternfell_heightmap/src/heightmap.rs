//! The heightmap: a grid of heights.

use crate::{
    Canceled, HeightmapError, MapSize, Progress,
    range::{self, Range},
    rows,
};

/// A grid of `f32` heights in row-major order. Row 0 is in the north, column 0 in the west.
///
/// Every height is finite. Generators and recipes produce heights from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Heightmap {
    size: MapSize,
    heights: Vec<f32>,
}

impl Heightmap {
    /// Creates a flat map at height 0.
    pub fn flat(size: MapSize) -> Self {
        Self {
            size,
            heights: vec![0.0; size.cells()],
        }
    }

    /// Creates a flat map at this height, which must be finite.
    pub(crate) fn constant(size: MapSize, height: f32) -> Self {
        let heights = vec![height; size.cells()];
        Self { size, heights }
    }

    /// Creates a map from heights in row-major order.
    ///
    /// # Errors
    /// If the number of heights differs from the number of cells, or a height is NaN or infinite.
    pub fn from_heights(size: MapSize, heights: Vec<f32>) -> Result<Self, HeightmapError> {
        check_number(heights.len(), size.cells())?;
        check_finite((0, 0), size.width(), &heights)?;
        Ok(Self { size, heights })
    }

    /// Creates a map by calling `height(x, y)` for each cell, row by row.
    ///
    /// ```
    /// use lanternfell_heightmap::{Heightmap, MapSize};
    ///
    /// let mut map = Heightmap::from_fn(MapSize::new(3, 2)?, |x, y| (x + 10 * y) as f32)?;
    /// assert_eq!(map.heights(), [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
    /// map.set(2, 1, 5.0)?;
    /// map.set_row(0, &[7.0, 8.0, 9.0])?;
    /// assert_eq!(map.heights(), [7.0, 8.0, 9.0, 10.0, 11.0, 5.0]);
    ///
    /// let error = map.set(0, 1, f32::NAN).unwrap_err().to_string();
    /// assert_eq!(error, "the height of cell (0, 1) is NaN, but must be finite");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a height is NaN or infinite.
    pub fn from_fn(
        size: MapSize,
        mut height: impl FnMut(usize, usize) -> f32,
    ) -> Result<Self, HeightmapError> {
        let mut map = Self::flat(size);
        for (y, row) in map.heights.chunks_exact_mut(size.width()).enumerate() {
            for (x, z) in row.iter_mut().enumerate() {
                *z = height(x, y);
            }
            check_finite((0, y), size.width(), row)?;
        }
        Ok(map)
    }

    /// The width and height in cells.
    #[inline]
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The number of columns, which go from west to east.
    #[inline]
    pub fn width(&self) -> usize {
        self.size.width()
    }

    /// The number of rows, which go from north to south.
    #[inline]
    pub fn height(&self) -> usize {
        self.size.height()
    }

    /// The height of the cell in column `x` and row `y`.
    ///
    /// # Panics
    /// If the cell is outside the map, as when indexing a slice.
    #[inline]
    pub fn get(&self, x: usize, y: usize) -> f32 {
        self.row(y)[x]
    }

    /// Sets the height of the cell in column `x` and row `y`.
    ///
    /// # Errors
    /// If the cell does not exist, or the height is NaN or infinite. The map is unchanged then.
    pub fn set(&mut self, x: usize, y: usize, height: f32) -> Result<(), HeightmapError> {
        self.check_inside(x, y)?;
        check_finite((x, y), self.width(), &[height])?;
        let cell = y * self.width() + x;
        self.heights[cell] = height;
        Ok(())
    }

    /// Sets the heights of row `y`, from west to east.
    ///
    /// # Errors
    /// If the row does not exist, the number of heights differs from the number of columns, or a height is NaN or
    /// infinite. The map is unchanged then.
    pub fn set_row(&mut self, y: usize, heights: &[f32]) -> Result<(), HeightmapError> {
        self.check_inside(0, y)?;
        check_number(heights.len(), self.width())?;
        check_finite((0, y), self.width(), heights)?;
        let first = y * self.width();
        self.heights[first..][..heights.len()].copy_from_slice(heights);
        Ok(())
    }

    fn check_inside(&self, x: usize, y: usize) -> Result<(), HeightmapError> {
        let (width, height) = (self.width(), self.height());
        if x < width && y < height {
            return Ok(());
        }
        Err(HeightmapError::Outside {
            x,
            y,
            width,
            height,
        })
    }

    /// The heights of row `y`, from west to east.
    ///
    /// # Panics
    /// If the row does not exist.
    #[inline]
    pub fn row(&self, y: usize) -> &[f32] {
        let width = self.width();
        &self.heights[y * width..][..width]
    }

    /// All heights in row-major order.
    #[inline]
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// All heights in row-major order, mutable. Callers must keep them finite.
    pub(crate) fn heights_mut(&mut self) -> &mut [f32] {
        &mut self.heights
    }

    /// Converts the map into its heights, in row-major order.
    pub fn into_heights(self) -> Vec<f32> {
        self.heights
    }

    /// The lowest and the highest height.
    pub fn range(&self) -> (f32, f32) {
        let found = self.range_with(&Progress::default());
        found.expect("no other code has this progress, so it is never canceled")
    }

    /// [`range`](Self::range) on every core, with progress.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn range_with(&self, progress: &Progress) -> Result<(f32, f32), Canceled> {
        Range::of(self.heights(), self.width(), progress)
    }

    /// Stretches the heights to fill 0 to 1. A flat map becomes 0 everywhere.
    pub fn normalize(&mut self) {
        let done = self.normalize_with(&Progress::default());
        done.expect("no other code has this progress, so it is never canceled");
    }

    /// [`normalize`](Self::normalize) on every core, with progress. If the work is canceled, some rows are already
    /// changed.
    pub(crate) fn normalize_with(&mut self, progress: &Progress) -> Result<(), Canceled> {
        let extremes = self.range_with(&progress.span(0.0, 0.4))?;
        self.stretch(extremes, &progress.span(0.4, 1.0))
    }

    /// Maps `extremes.0` to 0 and `extremes.1` to 1. If they are equal, every height becomes 0.
    pub(crate) fn stretch(
        &mut self,
        extremes: (f32, f32),
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let band = rows::band(self.width());
        let stretch = |_, cells: &mut [f32]| range::stretch(cells, extremes);
        rows::for_each_row(&mut self.heights, band, progress, stretch)
    }

    /// The fraction of cells strictly above `level`, from 0 to 1.
    pub fn share_above(&self, level: f32) -> f64 {
        let above = self.heights.iter().filter(|&&z| z > level).count();
        above as f64 / self.heights.len() as f64
    }
}

/// Returns an error unless `found` equals `expected`.
fn check_number(found: usize, expected: usize) -> Result<(), HeightmapError> {
    if found == expected {
        return Ok(());
    }
    Err(HeightmapError::Number { found, expected })
}

/// Returns an error that names the first height that is not finite.
///
/// The heights are consecutive cells of a map of this `width`, starting at cell `(x, y)`.
fn check_finite(
    (x, y): (usize, usize),
    width: usize,
    heights: &[f32],
) -> Result<(), HeightmapError> {
    match heights.iter().position(|z| !z.is_finite()) {
        None => Ok(()),
        Some(place) => Err(HeightmapError::NotFinite {
            x: (x + place) % width,
            y: y + (x + place) / width,
            height: heights[place],
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(heights: &[f32]) -> Heightmap {
        let size = MapSize::new(heights.len() as u64 / 2, 2).unwrap();
        Heightmap::from_heights(size, heights.to_vec()).unwrap()
    }

    #[test]
    fn rejects_sizes_outside_the_limits() {
        for (width, height) in [(1, 5), (5, 1), (0, 0), (16_385, 2), (2, u64::MAX)] {
            let error = MapSize::new(width, height).unwrap_err();
            assert!(error.to_string().contains("from 2 to 16384"), "{error}");
            assert!(
                error.to_string().contains(&format!("{width}x{height}")),
                "{error}"
            );
        }
        assert!(MapSize::new(2, 16_384).is_ok());
    }

    #[test]
    fn rejects_wrong_counts_and_non_finite_heights() {
        let size = MapSize::new(3, 2).unwrap();
        let refused = |heights: &[f32]| {
            let error = Heightmap::from_heights(size, heights.to_vec());
            error.unwrap_err().to_string()
        };
        assert_eq!(refused(&[0.0; 5]), "found 5 heights, expected 6");
        let not_finite = "the height of cell (1, 1) is NaN, but must be finite";
        assert_eq!(refused(&[0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0]), not_finite);
        let infinite = |x, y| {
            if (x, y) == (2, 0) {
                f32::NEG_INFINITY
            } else {
                0.0
            }
        };
        let error = Heightmap::from_fn(size, infinite).unwrap_err().to_string();
        assert_eq!(
            error,
            "the height of cell (2, 0) is -inf, but must be finite"
        );
    }

    #[test]
    fn failed_set_leaves_map_unchanged() {
        let size = MapSize::new(3, 2).unwrap();
        let mut map = Heightmap::from_fn(size, |x, y| (x + y) as f32).unwrap();
        let before = map.clone();
        let outside = |error: HeightmapError| matches!(error, HeightmapError::Outside { .. });
        assert!(outside(map.set(3, 0, 1.0).unwrap_err()));
        assert!(outside(map.set(0, 2, 1.0).unwrap_err()));
        assert!(outside(map.set_row(2, &[1.0; 3]).unwrap_err()));
        assert_eq!(
            map.set(usize::MAX, 0, 1.0).unwrap_err().to_string(),
            format!("cell ({}, 0) is outside the map of 3x2 cells", usize::MAX)
        );
        assert!(map.set(1, 1, f32::INFINITY).is_err());
        let expected = HeightmapError::Number {
            found: 2,
            expected: 3,
        };
        assert_eq!(map.set_row(0, &[1.0; 2]), Err(expected));
        let error = map.set_row(1, &[1.0, 2.0, f32::NAN]).unwrap_err();
        assert!(matches!(
            error,
            HeightmapError::NotFinite { x: 2, y: 1, .. }
        ));
        assert_eq!(map, before);
        map.set(1, 1, -4.5).unwrap();
        assert_eq!(map.get(1, 1), -4.5);
    }

    #[test]
    fn normalize_fills_zero_to_one() {
        let mut sloped = map(&[3.0, 5.0, 4.0, 7.0]);
        sloped.normalize();
        assert_eq!(sloped.heights(), [0.0, 0.5, 0.25, 1.0]);
        let mut flat = map(&[9.0; 4]);
        flat.normalize();
        assert_eq!(flat.heights(), [0.0; 4]);
        let mut extreme = map(&[f32::MIN, f32::MAX, 0.0, 0.0]);
        extreme.normalize();
        assert_eq!(extreme.heights(), [0.0, 1.0, 0.5, 0.5]);
    }
}
