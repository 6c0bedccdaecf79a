//! How much of the sky each place sees: valleys are darker than ridges.
//!
//! The sky's share of the light of level ground, by the horizons of [`SkyView`] in eight
//! directions, on a map of at most 1024 points a side: openness is smooth, and so its cost does
//! not grow with the map. Read bilinearly.

use fearless_simd::{Level, dispatch};
use glam::DVec2;

use super::height_field::HeightField;
use crate::{Cancelled, Heightmap, MapSize, Progress, analysis::SkyView, rows};

/// The share of the sky that is seen, over the map.
pub(super) struct Openness {
    seen: Heightmap,
    /// Columns and rows of `seen` per column and row of the map.
    scale: DVec2,
    /// Between which columns of `seen` each column of the map is, and how far it is from the first;
    /// of none where it is the same one.
    columns: Vec<(u32, f32)>,
}

/// More would cost more than it shows.
const LONGEST_SIDE: usize = 1024;

const DIRECTIONS: u32 = 8;

impl Openness {
    pub(super) fn new(ground: &HeightField, progress: &Progress) -> Result<Self, Cancelled> {
        let map = ground.map;
        let coarse = map.width().max(map.height()).div_ceil(LONGEST_SIDE);
        let directions = DIRECTIONS;
        let sky = SkyView { directions };
        // So many cells high rises a height of 1; the scale is no matter of rounding.
        let rise = ground.rise / ground.cell;
        let (seen, scale) = if coarse == 1 {
            (sky.of_steep(map, rise, progress)?, DVec2::ONE)
        } else {
            let small = mean_of_blocks(map, coarse, &progress.span(0.0, 0.3))?;
            let rise = rise / coarse as f64;
            let seen = sky.of_steep(&small, rise, &progress.span(0.3, 1.0))?;
            (seen, DVec2::splat(1.0 / coarse as f64))
        };
        let column = |x: usize| {
            let (column, part) = place(x as f64, scale.x, seen.width());
            (column as u32, part)
        };
        let between = if coarse == 1 { 0 } else { map.width() };
        let columns = (0..between).map(column).collect();
        Ok(Self {
            seen,
            scale,
            columns,
        })
    }

    /// The share of the sky seen at column and row `cell` of the map, from 0 to 1.
    pub(super) fn at(&self, cell: DVec2) -> f32 {
        let (column, u) = place(cell.x, self.scale.x, self.seen.width());
        let (row, v) = place(cell.y, self.scale.y, self.seen.height());
        let between = |row: &[f32]| row[column] + (row[column + 1] - row[column]) * u;
        let (north, south) = (between(self.seen.row(row)), between(self.seen.row(row + 1)));
        north + (south - north) * v
    }

    /// The same for all cells of row `y`.
    pub(super) fn row(&self, y: usize, open: &mut [f32]) {
        if self.scale == DVec2::ONE {
            open.copy_from_slice(self.seen.row(y));
            return;
        }
        let (row, v) = place(y as f64, self.scale.y, self.seen.height());
        let rows = (self.seen.row(row), self.seen.row(row + 1));
        dispatch!(Level::new(), _simd => self.between(rows, v, open));
    }

    /// Between two rows of `seen`, so far from the northern one.
    #[inline(always)]
    fn between(&self, (north, south): (&[f32], &[f32]), part: f32, open: &mut [f32]) {
        let mut points = [0.0; LONGEST_SIDE];
        for ((point, north), south) in points.iter_mut().zip(north).zip(south) {
            *point = north + (south - north) * part;
        }
        for (open, &(column, part)) in open.iter_mut().zip(&self.columns) {
            // No column is out of range; so the compiler knows it too.
            let column = column as usize;
            let (west, east) = (
                points[column % LONGEST_SIDE],
                points[(column + 1) % LONGEST_SIDE],
            );
            *open = west + (east - west) * part;
        }
    }
}

/// The point of so many in a row at or before a cell, which has another after it, and how far the cell
/// is on the way to that.
fn place(cell: f64, scale: f64, points: usize) -> (usize, f32) {
    // A point stands for the middle of its block.
    let at = ((cell + 0.5) * scale - 0.5).clamp(0.0, (points - 1) as f64);
    let point = (at as usize).min(points - 2);
    (point, (at - point as f64) as f32)
}

/// The mean of blocks of `side` by `side` cells; where the map ends in one, of what there is.
fn mean_of_blocks(
    map: &Heightmap,
    side: usize,
    progress: &Progress,
) -> Result<Heightmap, Cancelled> {
    // Two points at least, of a narrow map twice the same.
    let points = |cells: usize| cells.div_ceil(side).max(2) as u64;
    let size = MapSize::new(points(map.width()), points(map.height()));
    let mut small = Heightmap::flat(size.expect("a part of a map's side is one too"));
    let width = small.width();
    rows::for_each_row(small.heights_mut(), width, progress, |z, row| {
        let from = (z * side).min(map.height() - 1);
        let rows = from..(from + side).min(map.height());
        let share = 1.0 / rows.len() as f32;
        row.fill(0.0);
        for y in rows {
            let cells = map.row(y);
            for (x, sum) in row.iter_mut().enumerate() {
                let from = (x * side).min(cells.len() - 1);
                let block = &cells[from..(from + side).min(cells.len())];
                let mean = share / block.len() as f32;
                *sum += block.iter().map(|height| height * mean).sum::<f32>();
            }
        }
    })?;
    Ok(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_sees_all_of_the_sky_and_a_pit_less_than_a_peak() {
        let size = MapSize::new(33, 20).unwrap();
        let progress = Progress::default();
        let flat = Heightmap::flat(size);
        let open = Openness::new(&HeightField::new(&flat, 0.2), &progress).unwrap();
        assert!((open.at(DVec2::new(10.3, 7.9)) - 1.0).abs() < 1e-6);
        let mut rough = flat;
        rough.heights_mut()[10 * 33 + 8] = 1.0;
        rough.heights_mut()[10 * 33 + 24] = -1.0;
        let open = Openness::new(&HeightField::new(&rough, 0.2), &progress).unwrap();
        assert!(open.at(DVec2::new(8.0, 10.0)) > 0.99);
        assert!(open.at(DVec2::new(24.0, 10.0)) < 0.5);
        assert!(open.at(DVec2::new(9.0, 10.0)) < 0.95);
    }

    #[test]
    fn large_maps_are_seen_on_a_coarser_grid_row_by_row_as_point_by_point() {
        for (width, height) in [(1500, 3), (2, 1100), (2100, 40)] {
            let size = MapSize::new(width, height).unwrap();
            let hill = |x: usize, y: usize| {
                0.01 * libm::sinf(x as f32 * 0.01) + 0.01 * libm::cosf(y as f32 * 0.03)
            };
            let map = Heightmap::from_fn(size, hill).unwrap();
            let open = Openness::new(&HeightField::bare(&map, 0.2), &Progress::default()).unwrap();
            let mut row = vec![0.0; map.width()];
            for y in 0..map.height() {
                open.row(y, &mut row);
                for (x, &seen) in row.iter().enumerate() {
                    let point = open.at(DVec2::new(x as f64, y as f64));
                    assert!((seen - point).abs() < 1e-5 && seen <= 1.0 + 1e-6);
                }
            }
        }
    }
}
