//! The terrain below the edits.

use std::sync::Arc;

use lanternfell_heightmap::{Heightmap, ParamError, Scale};

use crate::cells::CellRect;

/// The heights of the unedited terrain, in whole millimeters.
///
/// The heights must not change while an [`Edits`](crate::Edits) uses them, and must have the same
/// bits on every machine that shares the log. Otherwise operations that read heights differ.
pub trait BaseHeights: Send + Sync {
    /// Writes the heights of `area` to `heights`, row by row. `heights` has exactly one number per
    /// cell.
    ///
    /// The area can be anywhere on the plane, so a terrain with borders must also return heights
    /// outside of them.
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]);
}

/// A plane at one height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlatBase {
    /// The height in millimeters.
    pub height_mm: i32,
}

impl BaseHeights for FlatBase {
    fn heights_mm(&self, _: CellRect, heights: &mut [i32]) {
        heights.fill(self.height_mm);
    }
}

/// A heightmap, rounded to whole millimeters. Outside the map, the nearest border cell counts.
///
/// ```
/// use std::sync::Arc;
/// use lanternfell_edits::{BaseHeights, CellRect, MapBase};
/// use lanternfell_heightmap::{Heightmap, MapSize, Scale};
///
/// let map = Heightmap::from_fn(MapSize::new(2, 2)?, |x, y| (x + 2 * y) as f32 / 4.0)?;
/// let base = MapBase::new(Arc::new(map), Scale { spacing: 1.0, relief: 100.0 })?;
/// let mut heights = [0; 6];
/// base.heights_mm(CellRect::new(-1, 0, 3, 2), &mut heights);
/// assert_eq!(heights, [0, 0, 25_000, 50_000, 50_000, 75_000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MapBase {
    map: Arc<Heightmap>,
    /// Millimeters from height 0 to height 1.
    relief_mm: f64,
}

impl MapBase {
    /// Creates a base from a map. Cell (0, 0) of the plane is the north-west cell of the map.
    ///
    /// # Errors
    /// If the scale is out of its range.
    pub fn new(map: Arc<Heightmap>, scale: Scale) -> Result<Self, ParamError> {
        scale.validate()?;
        let relief_mm = f64::from(scale.relief) * 1000.0;
        Ok(Self { map, relief_mm })
    }

    /// The map without edits.
    pub(crate) fn map(&self) -> &Arc<Heightmap> {
        &self.map
    }

    /// Converts a height of the map to millimeters.
    #[inline]
    pub(crate) fn mm(&self, height: f32) -> i32 {
        rounded(f64::from(height) * self.relief_mm)
    }

    /// Converts millimeters to a height of the map. A tiny relief makes heights that `f32` does not have, which become
    /// the largest ones.
    pub(crate) fn height_of_mm(&self, mm: i32) -> f32 {
        let height = f64::from(mm) / self.relief_mm;
        height.clamp(f32::MIN.into(), f32::MAX.into()) as f32
    }
}

impl BaseHeights for MapBase {
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        let clamped = |at: i64, cells: usize| at.clamp(0, cells as i64 - 1) as usize;
        let rows = heights.chunks_exact_mut(area.columns as usize);
        for (y, out) in rows.enumerate() {
            let y = clamped(area.row.saturating_add(y as i64), self.map.height());
            let row = self.map.row(y);
            for (x, out) in out.iter_mut().enumerate() {
                let x = clamped(area.column.saturating_add(x as i64), row.len());
                *out = self.mm(row[x]);
            }
        }
    }
}

/// Rounds to the nearest integer, and halves up. IEEE 754 defines the product and the sum exactly, so
/// the result has the same bits everywhere. The conversion saturates.
#[inline]
pub(crate) fn rounded(mm: f64) -> i32 {
    // Without `floor`, which is a function call on most processors.
    let toward_zero = (mm + 0.5) as i32;
    toward_zero.saturating_sub(i32::from(f64::from(toward_zero) > mm + 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::MapSize;
    use lanternfell_random::SeededRng;

    #[test]
    fn rounds_halves_up_and_saturates() {
        let ends = [0.5, -0.5, 1.4, -1.6, -1.5, 1e30, -1e30].map(rounded);
        assert_eq!(ends, [1, 0, 1, -2, -1, i32::MAX, i32::MIN]);
        let mut rng = SeededRng::new(2, b"test    ");
        for _ in 0..1_000_000 {
            let mm = rng.between(-5e9, 5e9) / [1.0, 1e3, 1e6, 1e9][rng.below(4) as usize];
            assert_eq!(rounded(mm), (mm + 0.5).floor() as i32, "{mm}");
        }
    }

    #[test]
    fn far_cells_have_the_height_of_the_nearest_corner() {
        let map = Heightmap::from_fn(MapSize::new(3, 2).unwrap(), |x, y| (x * 10 + y) as f32);
        let scale = Scale {
            spacing: 1.0,
            relief: 1.0,
        };
        let base = MapBase::new(Arc::new(map.unwrap()), scale).unwrap();
        let mut height = [0];
        base.heights_mm(CellRect::new(1 << 45, -(1 << 45), 1, 1), &mut height);
        assert_eq!(height, [20_000]);
        base.heights_mm(CellRect::new(i64::MAX, i64::MIN, 1, 1), &mut height);
        assert_eq!(height, [20_000]);
    }
}
