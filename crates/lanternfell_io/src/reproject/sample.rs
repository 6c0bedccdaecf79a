//! Heights between the cells of a map with gaps.

use lanternfell_heightmap::{Heightmap, filter::Resampling};

/// Samples a map at any position.
pub(super) struct GapSampler<'a> {
    map: &'a Heightmap,
    resampling: Resampling,
    /// The height of cells without data.
    gap: Option<f32>,
    range: (f32, f32),
}

impl<'a> GapSampler<'a> {
    pub(super) fn new(map: &'a Heightmap, resampling: Resampling, gap: Option<f32>) -> Self {
        let range = map.range();
        Self {
            map,
            resampling,
            gap,
            range,
        }
    }

    /// Returns the height at a column and row, which may have fractions. Returns NaN outside of the map, whose edge is
    /// half a cell from the outermost centers, and where the nearest cell has no data.
    pub(super) fn height(&self, [x, y]: [f64; 2]) -> f32 {
        let last = [self.map.width() - 1, self.map.height() - 1].map(|last| last as f64);
        let is_inside = |at: f64, last: f64| (-0.5..=last + 0.5).contains(&at);
        if !is_inside(x, last[0]) || !is_inside(y, last[1]) {
            return f32::NAN;
        }
        let (x, y) = (x.clamp(0.0, last[0]), y.clamp(0.0, last[1]));
        let nearest = self.cell(x.round() as isize, y.round() as isize);
        if self.is_gap(nearest) {
            return f32::NAN;
        }
        match self.resampling {
            Resampling::Nearest => nearest,
            Resampling::Bilinear => self.weighted::<2>([x, y], |t| [1.0 - t, t]),
            Resampling::Bicubic => self.weighted::<4>([x, y], spline),
        }
    }

    /// Returns the weighted mean of the `N` x `N` cells around a position. Cells without data do not count.
    fn weighted<const N: usize>(&self, [x, y]: [f64; 2], weights: impl Fn(f64) -> [f64; N]) -> f32 {
        let first = |at: f64| at.floor() as isize + 1 - N as isize / 2;
        let (across, down) = (weights(x - x.floor()), weights(y - y.floor()));
        let (mut sum, mut total) = (0.0, 0.0);
        for (row, down) in down.into_iter().enumerate() {
            for (column, across) in across.into_iter().enumerate() {
                let z = self.cell(first(x) + column as isize, first(y) + row as isize);
                if !self.is_gap(z) {
                    sum += across * down * f64::from(z);
                    total += across * down;
                }
            }
        }
        // A spline overshoots, and its weights can nearly cancel out next to gaps.
        ((sum / total) as f32).clamp(self.range.0, self.range.1)
    }

    /// Returns the height of a cell, or of the outermost one beyond the border.
    fn cell(&self, column: isize, row: isize) -> f32 {
        let within = |at: isize, cells: usize| at.clamp(0, cells as isize - 1) as usize;
        let map = self.map;
        map.get(within(column, map.width()), within(row, map.height()))
    }

    fn is_gap(&self, z: f32) -> bool {
        self.gap == Some(z)
    }
}

/// Returns the weights of the cells at -1, 0, 1 and 2 for a position from 0 to 1: a Catmull-Rom spline, like that of
/// [`Resampling::Bicubic`].
fn spline(t: f64) -> [f64; 4] {
    let near = |x: f64| 1.0 + x * x * (1.5 * x - 2.5);
    let far = |x: f64| 2.0 - x * (4.0 - x * (2.5 - 0.5 * x));
    [far(1.0 + t), near(t), near(1.0 - t), far(2.0 - t)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::MapSize;

    fn plane() -> Heightmap {
        let size = MapSize::new(6, 5).unwrap();
        let height = |cell: usize| 10.0 * (cell % 6) as f32 + 3.0 * (cell / 6) as f32;
        Heightmap::from_heights(size, (0..30).map(height).collect()).unwrap()
    }

    #[test]
    fn planes_stay_planes() {
        let map = plane();
        for resampling in [Resampling::Bilinear, Resampling::Bicubic] {
            let sampler = GapSampler::new(&map, resampling, None);
            for (x, y) in [(2.0, 2.0), (1.25, 2.5), (3.75, 1.125)] {
                let found = sampler.height([x, y]);
                assert!(
                    (f64::from(found) - 10.0 * x - 3.0 * y).abs() < 1e-4,
                    "{found}"
                );
            }
        }
        let nearest = GapSampler::new(&map, Resampling::Nearest, None);
        assert_eq!(nearest.height([1.4, 2.6]), 19.0);
    }

    #[test]
    fn edge_is_half_a_cell_outside_of_the_centers() {
        let map = plane();
        let sampler = GapSampler::new(&map, Resampling::Bilinear, None);
        assert_eq!(sampler.height([-0.5, 0.0]), 0.0);
        assert_eq!(sampler.height([5.5, 4.5]), 62.0);
        for outside in [[-0.51, 0.0], [0.0, 4.51], [5.6, 2.0], [f64::NAN, 0.0]] {
            assert!(sampler.height(outside).is_nan(), "{outside:?}");
        }
    }

    #[test]
    fn gaps_do_not_mix_with_heights() {
        let mut heights = vec![5.0; 36];
        heights[14] = -9999.0;
        let map = Heightmap::from_heights(MapSize::new(6, 6).unwrap(), heights).unwrap();
        for resampling in [
            Resampling::Nearest,
            Resampling::Bilinear,
            Resampling::Bicubic,
        ] {
            let sampler = GapSampler::new(&map, resampling, Some(-9999.0));
            for y in 0..50 {
                for x in 0..50 {
                    let (x, y) = (f64::from(x) * 0.1, f64::from(y) * 0.1);
                    let is_gap = x.round() == 2.0 && y.round() == 2.0;
                    let found = sampler.height([x, y]);
                    assert!(
                        if is_gap {
                            found.is_nan()
                        } else {
                            (found - 5.0).abs() < 1e-3
                        },
                        "{x}, {y}: {found}"
                    );
                }
            }
        }
    }
}
