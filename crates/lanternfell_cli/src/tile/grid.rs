//! A world cut into tiles, in rows from the north-west.
//!
//! ```text
//!   a world of 513 cells in tiles of 64 and 1 more, as engines ask for: each has 65 cells
//!   |0 ----- 64|
//!            |64 ----- 128|        the last cells of one are the first of the next
//!                         ... |448 ----- 512|
//! ```

use std::{iter::StepBy, ops::Range};

use lanternfell_heightmap::{MapSize, Window};

use crate::failure::Failure;

/// The column and row of a tile, from 0 in the north-west.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TilePosition {
    pub(crate) column: usize,
    pub(crate) row: usize,
}

/// The K-th of N parts, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) index: usize,
    pub(super) count: usize,
}

impl Share {
    pub(super) const ALL: Self = Self { index: 0, count: 1 };
}

/// Which tiles are made, by their numbers in the grid.
pub(super) type Chosen = StepBy<Range<usize>>;

/// A world cut into tiles.
pub(super) struct Grid {
    world: MapSize,
    tile: MapSize,
    overlap: usize,
    columns: usize,
    rows: usize,
}

impl Grid {
    /// Tiles of that size, each with `overlap` cells more in the east and south as far as there
    /// is a world: so many that the last one goes beyond what the one before has anyway.
    pub(super) fn new(world: MapSize, tile: MapSize, overlap: usize) -> Result<Self, Failure> {
        let number = |tile: usize, world: usize, side: &str| {
            if overlap >= tile {
                return Err(Failure::Usage(format!(
                    "--overlap {overlap} must be less than a tile's {side}, {tile}"
                )));
            }
            let number = world.saturating_sub(overlap).div_ceil(tile).max(1);
            if world - (number - 1) * tile < 2 {
                return Err(Failure::Usage(format!(
                    "--tile: tiles of {side} {tile} leave a last one of 1 cell of {world}, and a \
                     map has at least 2; for tiles that share their edges, say --overlap 1"
                )));
            }
            Ok(number)
        };
        Ok(Self {
            world,
            tile,
            overlap,
            columns: number(tile.width(), world.width(), "width")?,
            rows: number(tile.height(), world.height(), "height")?,
        })
    }

    /// The number of tiles.
    pub(super) fn tiles(&self) -> usize {
        self.columns * self.rows
    }

    /// A share of the tiles: every so manieth, so that each share has some everywhere.
    pub(super) fn share(&self, Share { index, count }: Share) -> Chosen {
        (index.min(self.tiles())..self.tiles()).step_by(count)
    }

    /// One tile alone.
    pub(super) fn only(
        &self,
        TilePosition { column, row }: TilePosition,
    ) -> Result<Chosen, Failure> {
        let (columns, rows) = (self.columns, self.rows);
        if column >= columns || row >= rows {
            return Err(Failure::Usage(format!(
                "--only {column},{row}: there are {columns} columns and {rows} rows of tiles, \
                 both from 0"
            )));
        }
        let number = row * columns + column;
        Ok((number..number + 1).step_by(1))
    }

    /// The tile of that number, row by row.
    pub(super) fn place(&self, number: usize) -> TilePosition {
        TilePosition {
            column: number % self.columns,
            row: number / self.columns,
        }
    }

    /// The tiles that have cells of a part of the world.
    pub(super) fn touching(&self, part: Window) -> impl Iterator<Item = TilePosition> + use<> {
        let first = |at: usize, tile: usize| at.saturating_sub(tile + self.overlap - 1) / tile;
        let last =
            |end: usize, tile: usize, count: usize| (end - 1).div_euclid(tile).min(count - 1);
        let (tile, size) = (self.tile, part.size());
        let columns = first(part.x(), tile.width())
            ..=last(part.x() + size.width(), tile.width(), self.columns);
        let rows = first(part.y(), tile.height())
            ..=last(part.y() + size.height(), tile.height(), self.rows);
        rows.flat_map(move |row| {
            columns
                .clone()
                .map(move |column| TilePosition { column, row })
        })
    }

    /// The columns and rows of a tile that are in none further west or north.
    pub(super) fn own(&self, place: TilePosition) -> (Range<usize>, Range<usize>) {
        let window = self.window(place);
        let along = |index: usize, at: usize, length: usize| {
            let shared = if index == 0 { 0 } else { self.overlap };
            at + shared..at + length
        };
        (
            along(place.column, window.x(), window.size().width()),
            along(place.row, window.y(), window.size().height()),
        )
    }

    /// The cells of a tile, in those of the world.
    pub(super) fn window(&self, TilePosition { column, row }: TilePosition) -> Window {
        let along = |index: usize, tile: usize, world: usize| {
            let start = index * tile;
            (start, (start + tile + self.overlap).min(world) - start)
        };
        let (x, width) = along(column, self.tile.width(), self.world.width());
        let (y, height) = along(row, self.tile.height(), self.world.height());
        let window = MapSize::new(width as u64, height as u64)
            .ok()
            .and_then(|size| Window::new(x, y, size, self.world));
        window.expect("tiles lie in their world and have at least two cells a side")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    fn windows(grid: &Grid) -> Vec<Window> {
        let window = |number| grid.window(grid.place(number));
        grid.share(Share::ALL).map(window).collect()
    }

    #[test]
    fn tiles_cover_the_world_once() {
        for (world, tile) in [
            ((100, 70), (32, 32)),
            ((64, 64), (64, 64)),
            ((9, 8), (100, 3)),
        ] {
            let world = size(world.0, world.1);
            let grid = Grid::new(world, size(tile.0, tile.1), 0).unwrap();
            let mut seen = vec![0; world.cells()];
            for window in windows(&grid) {
                for y in window.y()..window.y() + window.size().height() {
                    for x in window.x()..window.x() + window.size().width() {
                        seen[y * world.width() + x] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
        assert!(
            Grid::new(size(9, 7), size(100, 3), 0).is_err(),
            "7 is twice 3 and 1"
        );
    }

    #[test]
    fn overlapping_tiles_share_their_edges() {
        let grid = Grid::new(size(100, 100), size(32, 32), 1).unwrap();
        let window = |column, row| grid.window(TilePosition { column, row });
        assert_eq!(window(0, 0).size(), size(33, 33));
        assert_eq!((window(1, 0).x(), window(1, 0).y()), (32, 0));
        assert_eq!(window(3, 3).size(), size(4, 4));
        assert!(Grid::new(size(100, 100), size(32, 32), 32).is_err());
    }

    #[test]
    fn the_layout_of_engines() {
        let grid = Grid::new(size(513, 257), size(64, 64), 1).unwrap();
        assert_eq!((grid.columns, grid.rows), (8, 4));
        assert!(
            windows(&grid)
                .iter()
                .all(|window| window.size() == size(65, 65))
        );
        let last = *windows(&grid).last().unwrap();
        assert_eq!((last.x(), last.y()), (448, 192));
    }

    /// Any layout covers the world, and each tile has something of its own and two cells.
    #[test]
    fn every_overlap_covers_the_world() {
        for world in 2..40 {
            for tile in 2..12 {
                for overlap in 0..tile {
                    let Ok(grid) = Grid::new(size(world, 2), size(tile, 2), overlap as usize)
                    else {
                        assert!(overlap == 0 && world % tile == 1 || overlap > 1);
                        continue;
                    };
                    let ends = windows(&grid)
                        .into_iter()
                        .map(|window| window.x() + window.size().width());
                    let ends: Vec<usize> = ends.collect();
                    assert_eq!(*ends.last().unwrap(), world as usize);
                    assert!(ends.is_sorted_by(|a, b| a < b), "{world} {tile} {overlap}");
                }
            }
        }
    }

    /// Those and no others, but for one more on the west and north side.
    #[test]
    fn the_tiles_of_a_part_have_all_its_cells() {
        let world = size(100, 90);
        for overlap in [0, 1, 5] {
            let grid = Grid::new(world, size(16, 8), overlap).unwrap();
            for (x, y, part) in [
                (0, 0, size(2, 2)),
                (15, 7, size(2, 2)),
                (40, 33, size(31, 57)),
            ] {
                let part = Window::new(x, y, part, world).unwrap();
                let found: Vec<TilePosition> = grid.touching(part).collect();
                for tile in grid.share(Share::ALL).map(|number| grid.place(number)) {
                    let window = grid.window(tile);
                    let beside = |at: usize, length: usize, other: usize, others: usize| {
                        at < other + others && other < at + length
                    };
                    let (a, b) = (window.size(), part.size());
                    let touches = beside(window.x(), a.width(), part.x(), b.width())
                        && beside(window.y(), a.height(), part.y(), b.height());
                    assert!(!touches || found.contains(&tile), "{tile:?} of {part:?}");
                }
            }
        }
    }

    /// 67 million tiles are neither listed nor looked through.
    #[test]
    fn shares_are_parts_of_a_whole() {
        let grid = Grid::new(size(16_384, 16_384), size(2, 2), 0).unwrap();
        assert_eq!(grid.tiles(), 8192 * 8192);
        let share = grid.share(Share { index: 7, count: 8 });
        assert_eq!(share.len(), 8192 * 1024);
        let place = TilePosition {
            column: 8191,
            row: 8191,
        };
        let last = grid.only(place).unwrap();
        assert_eq!(
            last.map(|number| grid.place(number)).collect::<Vec<_>>(),
            [place]
        );
        assert!(
            grid.only(TilePosition {
                column: 8192,
                row: 0
            })
            .is_err()
        );
        assert!(
            grid.only(TilePosition {
                column: 0,
                row: usize::MAX
            })
            .is_err()
        );
        let small = Grid::new(size(9, 9), size(4, 4), 1).unwrap();
        let mut all: Vec<usize> = (0..3)
            .flat_map(|index| small.share(Share { index, count: 3 }))
            .collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
        assert_eq!(small.share(Share { index: 8, count: 9 }).len(), 0);
    }
}
