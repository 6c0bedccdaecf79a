//! A row and its two adjacent rows, extended by a cell at each end.
//!
//! Measurements of a cell and its eight neighbors also need neighbors of border cells. These are extrapolated linearly,
//! `beyond = 2 border - inner`, along rows, along columns, and along both for the corners. So a plane continues as a
//! plane beyond its border.

use super::height_rows::HeightRows;
use crate::Heightmap;

/// Three rows of `width + 2` heights.
#[derive(Debug)]
pub(super) struct Neighborhood {
    /// The row to the north.
    pub(super) north: Vec<f32>,
    /// The row itself.
    pub(super) here: Vec<f32>,
    /// The row to the south.
    pub(super) south: Vec<f32>,
}

impl Neighborhood {
    /// The largest absolute height. Heights are clamped to it, so that sums of a few of them stay finite.
    pub(super) const MOST: f32 = 1e36;

    /// Creates a window for maps of this width.
    pub(super) fn new(width: usize) -> Self {
        let row = || vec![0.0; width + 2];
        Self {
            north: row(),
            here: row(),
            south: row(),
        }
    }

    /// Moves the window to row `y` of `map`.
    pub(super) fn load(&mut self, map: &(impl HeightRows + ?Sized), y: usize) {
        map.show(y, &mut |row| copy(&mut self.here, row));
        let last = map.size().height() - 1;
        if y > 0 {
            map.show(y - 1, &mut |row| copy(&mut self.north, row));
        }
        if y < last {
            map.show(y + 1, &mut |row| copy(&mut self.south, row));
        }
        if y == 0 {
            go_on(&mut self.north, &self.here, &self.south);
        }
        if y == last {
            go_on(&mut self.south, &self.here, &self.north);
        }
    }
}

/// The heights of a cell and its neighbors, row by row, as in a [`Neighborhood`].
pub(super) fn around(map: &Heightmap, x: usize, y: usize) -> [[f32; 3]; 3] {
    let get = |x: usize, y: usize| limit(map.get(x, y));
    let row = |y: usize| {
        let here = get(x, y);
        [
            x.checked_sub(1)
                .map_or_else(|| 2.0 * here - get(x + 1, y), |x| get(x, y)),
            here,
            if x + 1 < map.width() {
                get(x + 1, y)
            } else {
                2.0 * here - get(x - 1, y)
            },
        ]
    };
    let here = row(y);
    let beyond = |inner: [f32; 3]| [0, 1, 2].map(|k| 2.0 * here[k] - inner[k]);
    [
        y.checked_sub(1).map_or_else(|| beyond(row(y + 1)), row),
        here,
        if y + 1 < map.height() {
            row(y + 1)
        } else {
            beyond(row(y - 1))
        },
    ]
}

fn limit(height: f32) -> f32 {
    height.clamp(-Neighborhood::MOST, Neighborhood::MOST)
}

fn copy(padded: &mut [f32], row: &[f32]) {
    let width = row.len();
    for (to, z) in padded[1..=width].iter_mut().zip(row) {
        *to = limit(*z);
    }
    padded[0] = 2.0 * padded[1] - padded[2];
    padded[width + 1] = 2.0 * padded[width] - padded[width - 1];
}

fn go_on(beyond: &mut [f32], border: &[f32], inner: &[f32]) {
    for ((beyond, border), inner) in beyond.iter_mut().zip(border).zip(inner) {
        *beyond = 2.0 * border - inner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heightmap, MapSize};

    #[test]
    fn extrapolates_plane_beyond_border() {
        for (width, height) in [(2, 2), (2, 5), (4, 3)] {
            let plane = |x: i32, y: i32| 3.0 * x as f32 - 0.5 * y as f32;
            let heights = (0..width * height).map(|i| plane(i % width, i / width));
            let size = MapSize::new(width as u64, height as u64).unwrap();
            let map = Heightmap::from_heights(size, heights.collect()).unwrap();
            let mut window = Neighborhood::new(map.width());
            for y in 0..height {
                window.load(&map, y as usize);
                for (row, dy) in [(&window.north, -1), (&window.here, 0), (&window.south, 1)] {
                    let expected: Vec<f32> = (-1..=width).map(|x| plane(x, y + dy)).collect();
                    assert_eq!(*row, expected, "{width}x{height}, row {y} {dy:+}");
                }
            }
        }
    }
}
