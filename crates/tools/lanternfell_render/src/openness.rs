//! The share of the sky that is visible from each place. Valleys are darker than ridges.
//!
//! Openness scales the light of the sky. It is computed by [`SkyView`] with the horizons in eight directions, on a map
//! of at most 1024 points per side. Openness is smooth, so the low resolution suffices, and the cost does not grow with
//! the map. It is sampled bilinearly. The sea counts as level ground, since from the shore its surface is visible and
//! not its bed.

use fearless_simd::{Level, dispatch};
use glam::DVec2;

use crate::{height_field::HeightField, row_noise::Wanted};
use lanternfell_heightmap::{Canceled, Heightmap, MapSize, Progress, analysis::SkyView, rows};

/// The visible share of the sky over the map.
pub(super) struct Openness {
    seen: Heightmap,
    /// Columns and rows of `seen` per column and row of the map.
    scale: DVec2,
    /// For each column of the map, the column of `seen` to its west and the fraction of the way to the next one. Empty
    /// if the resolutions are equal.
    columns: Vec<(u32, f32)>,
}

/// A higher resolution would cost more than it shows.
const LONGEST_SIDE: usize = 1024;

const DIRECTIONS: u32 = 8;

impl Openness {
    /// The openness of terrain in a sea at height `sea` of the map.
    pub(super) fn new(
        ground: &HeightField,
        sea: f32,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let map = ground.map;
        let coarse = map.width().max(map.height()).div_ceil(LONGEST_SIDE);
        let directions = DIRECTIONS;
        let sky = SkyView { directions };
        // The height of a height of 1, in coarse cells. Passed directly, so that the result does not depend on a
        // rounded scale.
        let rise = ground.rise / ground.cell / coarse as f64;
        let small = mean_of_blocks(map, coarse, sea, &progress.span(0.0, 0.3))?;
        let seen = sky.of_steep(&small, rise, &progress.span(0.3, 1.0))?;
        let scale = DVec2::splat(1.0 / coarse as f64);
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

    /// The visible share of the sky at the fractional column and row `cell` of the map, from 0 to 1.
    pub(super) fn at(&self, cell: DVec2) -> f32 {
        let (column, u) = place(cell.x, self.scale.x, self.seen.width());
        let (row, v) = place(cell.y, self.scale.y, self.seen.height());
        let between = |row: &[f32]| row[column] + (row[column + 1] - row[column]) * u;
        let (north, south) = (between(self.seen.row(row)), between(self.seen.row(row + 1)));
        north + (south - north) * v
    }

    /// The same for the wanted cells of row `y`.
    pub(super) fn row(&self, y: usize, wanted: &Wanted, open: &mut [f32]) {
        if self.scale == DVec2::ONE {
            open.copy_from_slice(self.seen.row(y));
            return;
        }
        let (row, v) = place(y as f64, self.scale.y, self.seen.height());
        let rows = (self.seen.row(row), self.seen.row(row + 1));
        dispatch!(Level::new(), _simd => self.between(rows, v, wanted, open));
    }

    /// Interpolates between two rows of `seen`, at the fraction `part` of the way from the northern one.
    #[inline(always)]
    fn between(
        &self,
        (north, south): (&[f32], &[f32]),
        part: f32,
        wanted: &Wanted,
        open: &mut [f32],
    ) {
        let mut points = [0.0; LONGEST_SIDE];
        for ((point, north), south) in points.iter_mut().zip(north).zip(south) {
            *point = north + (south - north) * part;
        }
        let all = 0..open.len();
        for columns in wanted.parts(&all) {
            let cells = open[columns.clone()].iter_mut().zip(&self.columns[columns]);
            for (open, &(column, part)) in cells {
                // All columns are in range. The remainder proves it to the compiler.
                let column = column as usize;
                let (west, east) = (
                    points[column % LONGEST_SIDE],
                    points[(column + 1) % LONGEST_SIDE],
                );
                *open = west + (east - west) * part;
            }
        }
    }
}

/// The index of the point at or before a cell, of `points` in a row, and the fraction of the way to the next point.
fn place(cell: f64, scale: f64, points: usize) -> (usize, f32) {
    // A point is at the center of its block.
    let at = ((cell + 0.5) * scale - 0.5).clamp(0.0, (points - 1) as f64);
    let point = (at as usize).min(points - 2);
    (point, (at - point as f64) as f32)
}

/// The mean of blocks of `side` by `side` cells, with heights below the sea raised to it. Blocks at the border may have
/// fewer cells.
fn mean_of_blocks(
    map: &Heightmap,
    side: usize,
    sea: f32,
    progress: &Progress,
) -> Result<Heightmap, Canceled> {
    // At least two points. On a narrow map both have the same value.
    let points = |cells: usize| cells.div_ceil(side).max(2) as u64;
    let size = MapSize::new(points(map.width()), points(map.height()));
    let size = size.expect("a part of a valid map side is valid");
    let mut small = vec![0.0; size.cells()];
    let scratch = || vec![0.0; map.width()];
    rows::for_each_row_with(
        &mut small,
        size.width(),
        progress,
        scratch,
        |means, z, row| {
            let from = (z * side).min(map.height() - 1);
            let rows = from..(from + side).min(map.height());
            let share = 1.0 / rows.len() as f32;
            means.fill(0.0);
            for y in rows {
                for (mean, height) in means.iter_mut().zip(map.row(y)) {
                    *mean += height.max(sea) * share;
                }
            }
            for (x, mean) in row.iter_mut().enumerate() {
                let from = (x * side).min(means.len() - 1);
                let block = &means[from..(from + side).min(means.len())];
                let share = 1.0 / block.len() as f32;
                let sum: f32 = block.iter().map(|height| height * share).sum();
                // The largest heights could add up to infinity by rounding.
                *mean = sum.clamp(f32::MIN, f32::MAX);
            }
        },
    )?;
    Ok(Heightmap::from_heights(size, small).expect("one finite height per cell"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_see_less_sky_than_peaks() {
        let size = MapSize::new(33, 20).unwrap();
        let progress = Progress::default();
        let flat = Heightmap::flat(size);
        let open = Openness::new(&HeightField::new(&flat, 0.2), -1.0, &progress).unwrap();
        assert!((open.at(DVec2::new(10.3, 7.9)) - 1.0).abs() < 1e-6);
        let mut rough = flat;
        rough.set(8, 10, 1.0).unwrap();
        rough.set(24, 10, -1.0).unwrap();
        let ground = HeightField::new(&rough, 0.2);
        let open = Openness::new(&ground, -1.0, &progress).unwrap();
        assert!(open.at(DVec2::new(8.0, 10.0)) > 0.99);
        assert!(open.at(DVec2::new(24.0, 10.0)) < 0.5);
        assert!(open.at(DVec2::new(9.0, 10.0)) < 0.95);
        let flooded = Openness::new(&ground, 0.0, &progress).unwrap();
        assert!(flooded.at(DVec2::new(24.0, 10.0)) > 0.97);
        assert!(flooded.at(DVec2::new(9.0, 10.0)) < 0.95);
    }

    #[test]
    fn rows_match_points_on_large_maps() {
        for (width, height) in [(1500, 3), (2, 1100), (2100, 40)] {
            let size = MapSize::new(width, height).unwrap();
            let hill = |x: usize, y: usize| {
                0.01 * libm::sinf(x as f32 * 0.01) + 0.01 * libm::cosf(y as f32 * 0.03)
            };
            let map = Heightmap::from_fn(size, hill).unwrap();
            let ground = HeightField::bare(&map, 0.2);
            let open = Openness::new(&ground, -1.0, &Progress::default()).unwrap();
            let mut row = vec![0.0; map.width()];
            for y in 0..map.height() {
                open.row(y, &Wanted::all(row.len()), &mut row);
                for (x, &seen) in row.iter().enumerate() {
                    let point = open.at(DVec2::new(x as f64, y as f64));
                    assert!((seen - point).abs() < 1e-5 && seen <= 1.0 + 1e-6);
                }
            }
        }
    }
}
