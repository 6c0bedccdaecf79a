//! The tiles that a process makes, by their numbers in the grid: a share of all tiles, or one tile.

use std::{iter::StepBy, ops::Range};

use lanternfell_io::tiles::{TileGrid, TilePosition};

use crate::failure::Failure;

/// The K-th of N shares, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) index: usize,
    pub(super) count: usize,
}

/// The numbers of the tiles to make.
pub(super) type Chosen = StepBy<Range<usize>>;

impl Share {
    pub(super) const ALL: Self = Self { index: 0, count: 1 };

    /// Returns every `count`-th tile, so that shares are spread over the world.
    pub(super) fn of(self, grid: TileGrid) -> Chosen {
        let tiles = grid.count();
        (self.index.min(tiles)..tiles).step_by(self.count)
    }
}

/// Returns a single tile.
pub(super) fn only(
    grid: TileGrid,
    TilePosition { column, row }: TilePosition,
) -> Result<Chosen, Failure> {
    let (columns, rows) = (grid.columns(), grid.rows());
    if column >= columns || row >= rows {
        return Err(Failure::Usage(format!(
            "--only {column},{row}: the world has {columns} columns and {rows} rows of tiles, counted from 0"
        )));
    }
    let number = row * columns + column;
    Ok((number..number + 1).step_by(1))
}

/// Parses `K/N`.
pub(super) fn share(text: &str) -> Result<Share, String> {
    let wrong = "must be K/N with whole numbers from 1 to 1000000, K at most N, for example 3/8";
    let (index, count) = text.split_once('/').ok_or(wrong)?;
    match (index.parse(), count.parse()) {
        (Ok(index), Ok(count)) if (1..=count).contains(&index) && count <= 1_000_000 => {
            let index: usize = index;
            Ok(Share {
                index: index - 1,
                count,
            })
        }
        _ => Err(wrong.to_owned()),
    }
}

/// Parses `COLUMN,ROW`.
pub(super) fn place(text: &str) -> Result<TilePosition, String> {
    let wrong = "must be COLUMN,ROW in whole numbers, for example 0,3";
    let (column, row) = text.split_once(',').ok_or(wrong)?;
    match (column.trim().parse(), row.trim().parse()) {
        (Ok(column), Ok(row)) => Ok(TilePosition { column, row }),
        _ => Err(wrong.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use lanternfell_heightmap::MapSize;

    use super::*;

    fn grid(world: u64, tile: u64, overlap: u32) -> TileGrid {
        let size = |side| MapSize::new(side, side).unwrap();
        TileGrid::new(size(world), size(tile), overlap).unwrap()
    }

    /// A grid of 67 million tiles must not be enumerated.
    #[test]
    fn shares_partition_the_tiles() {
        let large = grid(16_384, 2, 0);
        let share = Share { index: 7, count: 8 };
        assert_eq!(share.of(large).len(), 8192 * 1024);
        let last = TilePosition {
            column: 8191,
            row: 8191,
        };
        let number = only(large, last).unwrap().next().unwrap();
        assert_eq!(large.nth(number).unwrap().position, last);
        for (column, row) in [(8192, 0), (0, usize::MAX)] {
            assert!(only(large, TilePosition { column, row }).is_err());
        }
        let small = grid(9, 4, 1);
        let share = |index, count| Share { index, count }.of(small);
        let mut all: Vec<usize> = (0..3).flat_map(|index| share(index, 3)).collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
        assert_eq!(share(8, 9).len(), 0);
    }

    #[test]
    fn parses_shares_and_positions() {
        assert_eq!(share("1/1"), Ok(Share { index: 0, count: 1 }));
        assert_eq!(share("3/8"), Ok(Share { index: 2, count: 8 }));
        for wrong in [
            "0/8",
            "9/8",
            "3",
            "-1/8",
            "a/b",
            "3/",
            "/8",
            "1/0",
            "1/9999999",
        ] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        assert_eq!(place("3, 7"), Ok(TilePosition { column: 3, row: 7 }));
        assert!(place("3;7").is_err());
    }
}
