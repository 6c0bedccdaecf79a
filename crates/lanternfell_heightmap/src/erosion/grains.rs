//! Heights as whole numbers of grains.
//!
//! Problem: what slides or is washed away here must lie there, to the last bit. Sums of
//! floating-point numbers are rounded, and lose or make ground at every step.
//!
//! Idea: a grain is a power of two, so small that the range of heights is many of them, and
//! heights are counted from the lowest upwards. Erosion moves whole grains from cell to cell;
//! in the end each height is changed by as many as its cell has won:
//!
//! ```text
//!   heights --count--> grains ... moved ... --put_back--> height + grains won x a grain's size
//! ```
//!
//! They are whole numbers in `f32`, of which sums and differences are exact and loops become wide
//! vectors. So a cell that has won nothing keeps its height to the last bit, and what is lost in all is
//! the rounding of each changed height to an `f32`: at most a 2^24th of the heights' sum.

use crate::{Cancelled, Heightmap, Progress, rows};

/// The most grains from the lowest to the highest: few enough that sums and differences of two
/// heights are exact in `f32`, and so many that a grain is no more than the last bit of the highest
/// or two.
pub(super) const MOST: f64 = (1_u32 << 24) as f64;

/// Adding and subtracting this makes a whole number of one from -2^22 to 2^24: the nearest, half to
/// the even one, but above 2^22 perhaps the one beside that.
const ROUNDER: f32 = 12_582_912.0;

/// The nearest whole number of grains, as [`ROUNDER`] finds it.
#[inline(always)]
pub(super) fn whole(grains: f32) -> f32 {
    grains + ROUNDER - ROUNDER
}

/// What a grain is on a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grains {
    /// Heights.
    size: f64,
    /// Grains.
    per_height: f64,
    low: f64,
    high: f64,
}

impl Grains {
    /// The grains of this map, at least half of [`MOST`] from its lowest height to its highest; `None`
    /// when it is flat.
    pub(super) fn of(map: &Heightmap) -> Option<Self> {
        Self::between(map.range())
    }

    /// The grains of a map whose lowest and highest heights these are. Of a part of one, heights
    /// beyond them count as they do.
    pub(super) fn between((low, high): (f32, f32)) -> Option<Self> {
        let (low, high) = (f64::from(low), f64::from(high));
        // No f32 is so close to another that this would be 0, or less than a normal f64.
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

    /// How high a grain is.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// How many whole grains a height is above the lowest.
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
    ) -> Result<Vec<f32>, Cancelled> {
        let mut cells = vec![0.0; map.size().cells()];
        rows::for_each_row(&mut cells, map.width(), progress, |y, row| {
            for (grains, &height) in row.iter_mut().zip(map.row(y)) {
                *grains = self.count(height);
            }
        })?;
        Ok(cells)
    }

    /// Changes each height by what its cell, row by row, has won. Not to be cancelled half-way.
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
                    // By less than a grain, where the highest was rounded down by less.
                    *height = sum.clamp(self.low, self.high) as f32;
                }
            }
        });
        done.expect("nobody holds this progress, so nobody can cancel it");
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
    fn grains_are_whole_and_few_enough() {
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
    fn heights_where_nothing_moved_keep_their_bits() {
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
