//! A grid that is aligned with the wind.
//!
//! Problem: air moves along the wind in any direction. A simulation from cell to cell of the map would be biased
//! towards winds along rows and columns, and blur the others.
//!
//! Idea: use a second grid whose rows are perpendicular to the wind. Sample the map into it bilinearly, simulate from
//! row to row, and sample the result back.
//!
//! ```text
//!      .───────.        wind from the south-west:
//!     ╱ ╲ ╲ ╲ ╱         the rows ╲ of the grid are perpendicular
//!    ╱ ╲ ╲ ╲ ╱          to it, and the simulation moves ↗
//!    `─────'
//! ```
//!
//! The simulation accumulates over long distances, so single cells of a large map do not matter. Therefore maps with
//! more than [`LONGEST`] cells along a side are averaged first. This limits the cost, and the memory to about two maps
//! of that size.

use crate::{Canceled, Heightmap, Progress, analysis::map_by_rows, rows};

/// The longest side of the map on which the grid is based.
const LONGEST: usize = 1024;

/// A grid along the wind. The air enters at row 0.
pub(super) struct WindGrid {
    /// The number of steps along the wind.
    pub(super) steps: usize,
    /// The number of positions across the wind.
    pub(super) breadth: usize,
    /// The distance between two steps, in lengths of the map's longer side.
    pub(super) distance: f64,
    /// The side of an averaged cell, in cells of the map.
    block: usize,
    /// The size of the averaged map.
    width: usize,
    height: usize,
    /// The direction in which the wind blows: its components to the east and to the south.
    east: f64,
    south: f64,
}

impl WindGrid {
    /// Creates a grid for this map, with a wind from `degrees` clockwise from north.
    pub(super) fn new(map: &Heightmap, degrees: f64) -> Self {
        let longer = map.width().max(map.height());
        let block = longer.div_ceil(LONGEST);
        let (width, height) = (map.width().div_ceil(block), map.height().div_ceil(block));
        let radians = degrees.to_radians();
        let (east, south) = (-libm::sin(radians), libm::cos(radians));
        let (x, y) = ((width - 1) as f64, (height - 1) as f64);
        let reach = |x: f64, y: f64| libm::ceil(x.abs() + y.abs() - 1e-9) as usize + 1;
        Self {
            steps: reach(east * x, south * y),
            breadth: reach(south * x, east * y),
            distance: block as f64 / longer as f64,
            block,
            width,
            height,
            east,
            south,
        }
    }

    /// Samples `map` into the grid: `value(height, whether it is on the map)`. Outside the map, the nearest border cell
    /// counts.
    pub(super) fn read(
        &self,
        map: &Heightmap,
        progress: &Progress,
        value: impl Fn(f32, bool) -> f32 + Sync + Send,
    ) -> Result<Vec<f32>, Canceled> {
        let averaged = self.average(map, &progress.span(0.0, 0.4))?;
        let plane = Plane {
            cells: &averaged,
            width: self.width,
            height: self.height,
        };
        let mut grid = vec![0.0; self.steps * self.breadth];
        let middle = self.middle();
        rows::for_each_row(
            &mut grid,
            self.breadth,
            &progress.span(0.4, 1.0),
            |i, row| {
                let along = i as f64 - middle.along;
                for (j, cell) in row.iter_mut().enumerate() {
                    let across = j as f64 - middle.across;
                    let x = middle.x + self.east * along - self.south * across;
                    let y = middle.y + self.south * along + self.east * across;
                    let (right, bottom) = ((self.width - 1) as f64, (self.height - 1) as f64);
                    let on_map =
                        (-0.5..=right + 0.5).contains(&x) && (-0.5..=bottom + 0.5).contains(&y);
                    *cell = value(plane.at(x, y), on_map);
                }
            },
        )?;
        Ok(grid)
    }

    /// Samples the grid back to a map of the size of `map`.
    pub(super) fn write(
        &self,
        grid: &[f32],
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, Canceled> {
        let plane = Plane {
            cells: grid,
            width: self.breadth,
            height: self.steps,
        };
        let middle = self.middle();
        // The center of a block is between its first and its last cell.
        let to_averaged =
            |cell: usize| (cell as f64 - 0.5 * (self.block - 1) as f64) / self.block as f64;
        map_by_rows(
            map.size(),
            progress,
            || (),
            |(), y, row| {
                let south = to_averaged(y) - middle.y;
                for (x, cell) in row.iter_mut().enumerate() {
                    let east = to_averaged(x) - middle.x;
                    let along = middle.along + self.east * east + self.south * south;
                    let across = middle.across - self.south * east + self.east * south;
                    *cell = plane.at(across, along);
                }
            },
        )
    }

    /// The mean of each block of the map.
    fn average(&self, map: &Heightmap, progress: &Progress) -> Result<Vec<f32>, Canceled> {
        let mut averaged = vec![0.0; self.width * self.height];
        rows::for_each_row(&mut averaged, self.width, progress, |j, row| {
            let lines = j * self.block..((j + 1) * self.block).min(map.height());
            for (i, cell) in row.iter_mut().enumerate() {
                let columns = i * self.block..((i + 1) * self.block).min(map.width());
                let count = lines.len() * columns.len();
                let sum = lines.clone().fold(0.0, |sum, y| {
                    let row = &map.row(y)[columns.clone()];
                    row.iter().fold(sum, |sum, &z| sum + f64::from(z))
                });
                *cell = (sum / count as f64) as f32;
            }
        })?;
        Ok(averaged)
    }

    fn middle(&self) -> Middle {
        let half = |cells: usize| 0.5 * (cells - 1) as f64;
        Middle {
            x: half(self.width),
            y: half(self.height),
            along: half(self.steps),
            across: half(self.breadth),
        }
    }
}

/// The centers of the averaged map and of the grid.
struct Middle {
    x: f64,
    y: f64,
    along: f64,
    across: f64,
}

/// Cells for bilinear sampling, at least one along each side.
struct Plane<'a> {
    cells: &'a [f32],
    width: usize,
    height: usize,
}

impl Plane<'_> {
    /// Samples bilinearly, clamped to the border.
    #[inline(always)]
    fn at(&self, x: f64, y: f64) -> f32 {
        let x = x.clamp(0.0, (self.width - 1) as f64);
        let y = y.clamp(0.0, (self.height - 1) as f64);
        let (column, row) = (x as usize, y as usize);
        let (u, v) = ((x - column as f64) as f32, (y - row as f64) as f32);
        let next = (column + 1).min(self.width - 1);
        let north = &self.cells[row * self.width..][..self.width];
        let south = &self.cells[(row + 1).min(self.height - 1) * self.width..][..self.width];
        let mix = |a: f32, b: f32, part: f32| a * (1.0 - part) + b * part;
        mix(
            mix(north[column], north[next], u),
            mix(south[column], south[next], u),
            v,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapSize;

    #[test]
    fn reading_and_writing_restores_map_for_any_wind() {
        for (width, height) in [(2, 2), (40, 30), (30, 41), (2500, 3)] {
            let size = MapSize::new(width, height).unwrap();
            let plane = |i: usize| (i % size.width()) as f32 + 2.0 * (i / size.width()) as f32;
            let heights = (0..size.cells()).map(plane).collect();
            let map = Heightmap::from_heights(size, heights).unwrap();
            for degrees in [0.0, 30.0, 90.0, 200.0, 270.0, 315.0] {
                let wind = WindGrid::new(&map, degrees);
                let progress = Progress::default();
                let grid = wind.read(&map, &progress, |z, _| z).unwrap();
                let back = wind.write(&grid, &map, &progress).unwrap();
                // A plane is sampled exactly, except near the border of the averaged map.
                let margin = 2 * wind.block;
                for y in 0..map.height() {
                    for x in (0..map.width()).filter(|x| x.min(&(map.width() - 1 - x)) >= &margin) {
                        let off = (back.get(x, y) - map.get(x, y)).abs();
                        assert!(
                            off < 0.01 || y.min(map.height() - 1 - y) < margin,
                            "{degrees}: {off}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn first_row_is_upwind() {
        let size = MapSize::new(5, 3).unwrap();
        let heights = (0..15).map(|i| (i % 5) as f32).collect();
        let map = Heightmap::from_heights(size, heights).unwrap();
        let read = |degrees| {
            let wind = WindGrid::new(&map, degrees);
            let grid = wind.read(&map, &Progress::default(), |z, _| z).unwrap();
            (wind.steps, grid[wind.breadth / 2])
        };
        assert_eq!(read(270.0), (5, 0.0));
        assert_eq!(read(90.0), (5, 4.0));
    }
}
