//! Heights as whole numbers of grains.
//!
//! A grain is a power of two, the range of heights at most 2^24 of them, counted from the
//! middle of the range: so every sum and difference of heights is exact in `f32`.

use super::slide::Row;
use crate::{Cancelled, Heightmap, Progress, rows};

/// The most grains from the lowest to the highest.
const MOST: f64 = (1_u32 << 24) as f64;

/// What a grain is on a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grains {
    /// Heights.
    size: f64,
    /// The height that counts as 0 grains; a whole number of them.
    origin: f64,
    low: f64,
    high: f64,
}

impl Grains {
    /// The grains of this map; `None` when it is flat.
    pub(super) fn of(map: &Heightmap) -> Option<Self> {
        let (low, high) = map.range();
        let (low, high) = (f64::from(low), f64::from(high));
        // No f32 is so close to another that this would be 0, or less than a normal f64.
        let exact = (high - low) / MOST;
        let below = f64::from_bits(exact.to_bits() & f64::INFINITY.to_bits());
        let size = if below < exact { 2.0 * below } else { below };
        let origin = (0.5 * (low + high) / size).round() * size;
        (low < high).then_some(Self {
            size,
            origin,
            low,
            high,
        })
    }

    /// How high a grain is.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The nearest number of grains.
    fn count(&self, height: f32) -> f32 {
        let grains = ((f64::from(height) - self.origin) / self.size).round() as f32;
        // 0, not -0, which has other bits.
        grains + 0.0
    }

    /// The map in grains.
    pub(super) fn heap(&self, map: &Heightmap, progress: &Progress) -> Result<Vec<Row>, Cancelled> {
        let mut heap = vec![Row::default(); map.height()];
        rows::for_each_row(&mut heap, 1, progress, |y, row| {
            row[0] = Row::new(map.row(y).iter().map(|&height| self.count(height)));
        })?;
        Ok(heap)
    }

    /// Adds to each height what its cell has won. Not to be cancelled half-way.
    pub(super) fn put_back(&self, heap: &[Row], map: &mut Heightmap) {
        let (width, progress) = (map.width(), Progress::default());
        let done = rows::for_each_row(map.heights_mut(), width, &progress, |y, heights| {
            for (height, &grains) in heights.iter_mut().zip(heap[y].cells()) {
                let won = grains - self.count(*height);
                if won != 0.0 {
                    let sum = f64::from(*height) + f64::from(won) * self.size;
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
                assert!(
                    count.fract() == 0.0 && count.abs() <= 8_388_609.0,
                    "{count}: {height} of {low} to {high}"
                );
                let back = f64::from(count) * grains.size + grains.origin;
                assert!(
                    (back - f64::from(height)).abs() <= 0.5 * grains.size,
                    "{back}: {height} of {low} to {high}"
                );
            }
            assert!(
                grains.count(high) - grains.count(low) >= 8_388_607.0,
                "{low} to {high}"
            );
        }
        assert!(Grains::of(&map(&[0.5; 6])).is_none());
    }

    #[test]
    fn heights_where_nothing_moved_keep_their_bits() {
        let heights = [0.1, 0.2, 0.300_000_1, 1e-9, -0.7, 12.3];
        let mut same = map(&heights);
        let grains = Grains::of(&same).unwrap();
        let heap = grains.heap(&same, &Progress::default()).unwrap();
        grains.put_back(&heap, &mut same);
        assert_eq!(same.heights(), heights);
    }
}
