//! Heights as whole numbers of grains.
//!
//! Problem: material that slides or is washed away must be conserved to the last bit. Floating-point sums are rounded,
//! and lose or create material at every step.
//!
//! Idea: a grain is a power of two, so small that the height range consists of many grains. Heights are counted in
//! grains from the lowest one. Erosion moves whole grains from cell to cell. At the end, the height of each cell
//! changes by the number of grains that it gained:
//!
//! ```text
//!   heights --count--> grains ... moved ... --put_back--> height + grains gained x size of a grain
//! ```
//!
//! Grains are whole numbers stored in `f32`. Their sums and differences are exact, and loops over them vectorize. A
//! cell that gains no grains keeps its height to the last bit. The only loss is the rounding of each changed height to
//! `f32`, which is at most 2^-24 of the sum of the heights.

use crate::{Canceled, Heightmap, Progress, rows};

/// The maximum number of grains in the height range. It is small enough that sums and differences of two heights are
/// exact in `f32`, and large enough that a grain is at most one or two units of the last bit of the highest height.
pub(super) const MOST: f64 = (1_u32 << 24) as f64;

/// Adding and then subtracting this rounds a number from -2^22 to 2^24 to the nearest whole number, half to even. Above
/// 2^22 the result may be off by one.
const ROUNDER: f32 = 12_582_912.0;

/// The number of grains, rounded as described for [`ROUNDER`].
#[inline(always)]
pub(super) fn whole(grains: f32) -> f32 {
    grains + ROUNDER - ROUNDER
}

/// The grain size of a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grains {
    /// In heights.
    size: f64,
    /// Grains per height.
    per_height: f64,
    low: f64,
    high: f64,
}

impl Grains {
    /// The grains for this map, at least half of [`MOST`] over its height range. `None` if the map is flat.
    pub(super) fn of(map: &Heightmap) -> Option<Self> {
        Self::between(map.range())
    }

    /// The grains for a map with these lowest and highest heights. For a part of such a map, heights outside the range
    /// are clamped to it.
    pub(super) fn between((low, high): (f32, f32)) -> Option<Self> {
        let (low, high) = (f64::from(low), f64::from(high));
        // Distinct `f32` values are far enough apart that this is a normal `f64` above 0.
        let exact = (high - low) / MOST;
        let below = f64::from_bits(exact.to_bits() & f64::INFINITY.to_bits());
        let size = if below < exact { 2.0 * below } else { below };
        (low < high).then_some(Self {
            size,
            per_height: 1.0 / size,
            low,
            high,
        })
    }

    /// The size of a grain in heights.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The number of whole grains from the lowest height to this one.
    pub(super) fn count(&self, height: f32) -> f32 {
        // Dividing by a power of two is exact, and so is multiplying by its inverse.
        let grains = (f64::from(height) - self.low) * self.per_height;
        (grains as u32).min(MOST as u32) as f32
    }

    /// The grains of every cell, row by row.
    pub(super) fn count_all(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Vec<f32>, Canceled> {
        let mut cells = vec![0.0; map.size().cells()];
        rows::for_each_row(&mut cells, map.width(), progress, |y, row| {
            for (grains, &height) in row.iter_mut().zip(map.row(y)) {
                *grains = self.count(height);
            }
        })?;
        Ok(cells)
    }

    /// Changes each height by the grains that its cell has gained. Cannot be canceled halfway.
    pub(super) fn put_back<'a>(
        &self,
        grains: impl Fn(usize) -> &'a [f32] + Sync + Send,
        map: &mut Heightmap,
    ) {
        let (width, progress) = (map.width(), Progress::default());
        let done = rows::for_each_row(map.heights_mut(), width, &progress, |y, heights| {
            for (height, &grains) in heights.iter_mut().zip(grains(y)) {
                let won = f64::from(grains - self.count(*height));
                if won != 0.0 {
                    let sum = f64::from(*height) + won * self.size;
                    // Clamping changes it by less than a grain. It is needed because the highest height was rounded
                    // down.
                    *height = sum.clamp(self.low, self.high) as f32;
                }
            }
        });
        done.expect("this progress cannot be canceled");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapSize;

    fn map(heights: &[f32]) -> Heightmap {
        let size = MapSize::new(heights.len() as u64 / 2, 2).unwrap();
        Heightmap::from_heights(size, heights.to_vec()).unwrap()
    }

    #[test]
    fn counts_are_whole_and_in_range() {
        let tiny = f32::from_bits(1);
        let ranges = [
            (0.0, 1.0),
            (0.3, 0.7),
            (-5.0, 1e30),
            (f32::MIN, f32::MAX),
            (0.0, tiny),
            (1e10, 1.0001e10),
        ];
        for (low, high) in ranges {
            let middle = 0.5 * low + 0.5 * high;
            let map = map(&[low, high, middle, low]);
            let grains = Grains::of(&map).unwrap();
            for &height in map.heights() {
                let count = grains.count(height);
                assert!(count.fract() == 0.0 && (0.0..=16_777_216.0).contains(&count));
                let above = f64::from(height) - f64::from(low) - f64::from(count) * grains.size;
                assert!((0.0..grains.size).contains(&above));
            }
            assert_eq!(grains.count(low), 0.0);
            assert!(grains.count(high) >= 8_388_607.0);
        }
        assert!(Grains::of(&map(&[0.5; 6])).is_none());
    }

    #[test]
    fn unchanged_cells_keep_bits() {
        let heights = [0.1, 0.2, 0.300_000_1, 1e-9, -0.7, 12.3];
        let mut same = map(&heights);
        let grains = Grains::of(&same).unwrap();
        let mut cells = grains.count_all(&same, &Progress::default()).unwrap();
        grains.put_back(|y| &cells[3 * y..][..3], &mut same);
        assert_eq!(same.heights(), heights);
        (cells[0], cells[1]) = (cells[0] - 1000.0, cells[1] + 1000.0);
        grains.put_back(|y| &cells[3 * y..][..3], &mut same);
        assert_eq!(same.heights()[2..], heights[2..]);
        let moved = (1000.0 * grains.size) as f32;
        assert!((same.get(0, 0) - (0.1 - moved)).abs() < 1e-7);
        assert!((same.get(1, 0) - (0.2 + moved)).abs() < 1e-7);
    }
}
