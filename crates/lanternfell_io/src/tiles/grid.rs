//! Divides a world into tiles, in rows from the northwest.
//!
//! ```text
//!   a world of 513 cells in tiles of 64 with an overlap of 1, as game engines need them: each tile has 65 cells
//!   |0 ----- 64|
//!            |64 ----- 128|        the last cell of a tile is the first of the next
//!                         ... |448 ----- 512|
//! ```
//!
//! Tile `k` covers `tile + overlap` cells, starting at cell `k * tile`. The first and the last tile that touch a region
//! therefore follow from its first and last cell, without a search.

use std::ops::Range;

use thiserror::Error;

use lanternfell_heightmap::{MapRegion, MapSize};

/// The column and row of a tile, from 0 in the northwest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilePosition {
    /// The column.
    pub column: usize,
    /// The row.
    pub row: usize,
}

impl TilePosition {
    /// Returns the file name of the tile, with this extension.
    ///
    /// ```
    /// use lanternfell_io::tiles::TilePosition;
    ///
    /// let tile = TilePosition { column: 12, row: 3 };
    /// assert_eq!(tile.file_name("r32"), "tile_y0003_x0012.r32");
    /// assert_eq!(TilePosition::from_file_name("tile_y0003_x0012.r32"), Some(tile));
    /// ```
    pub fn file_name(self, extension: &str) -> String {
        let Self { column, row } = self;
        format!("tile_y{row:04}_x{column:04}.{extension}")
    }

    /// Returns the tile with this file name, with any extension, or `None` if it is not the name of a tile.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (row, rest) = name.strip_prefix("tile_y")?.split_once("_x")?;
        let (column, _) = rest.split_once('.').unwrap_or((rest, ""));
        let (column, row) = (whole_number(column)?, whole_number(row)?);
        Some(Self { column, row })
    }
}

/// Parses a number of digits only. `parse` alone would also accept a sign.
fn whole_number(digits: &str) -> Option<usize> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// A tile of a [`TileGrid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GridTile {
    /// Its column and row.
    pub position: TilePosition,
    /// Its cells, in world coordinates.
    pub region: MapRegion,
}

/// The error for a world that cannot be divided into such tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TileGridError {
    /// The overlap is not smaller than a tile.
    #[error("the overlap is {overlap} cells, but must be less than the {side} of a tile, {tile}")]
    Overlap {
        /// The overlap in cells.
        overlap: usize,
        /// `width` or `height`.
        side: &'static str,
        /// Width or height of a tile in cells, without the overlap.
        tile: usize,
    },
    /// The last tile would be too small for a map.
    #[error(
        "tiles of {side} {tile} leave a last tile of 1 cell in a world of {side} {world}, but a tile needs at least 2"
    )]
    Last {
        /// `width` or `height`.
        side: &'static str,
        /// Width or height of a tile in cells, without the overlap.
        tile: usize,
        /// Width or height of the world in cells.
        world: usize,
    },
    /// A tile would be larger than a map can be.
    #[error(
        "tiles of {side} {tile} with an overlap of {overlap} are too large: a tile has at most {max} \
         cells a side",
        max = MapSize::MAX_SIDE
    )]
    TooLarge {
        /// `width` or `height`.
        side: &'static str,
        /// Width or height of a tile in cells, without the overlap.
        tile: usize,
        /// The overlap in cells.
        overlap: usize,
    },
}

/// A world divided into tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TileGrid {
    world: MapSize,
    tile: MapSize,
    overlap: usize,
    columns: usize,
    rows: usize,
}

impl TileGrid {
    /// Divides a world into tiles of this size. Each tile has `overlap` more cells in the east and south, unless the
    /// world ends before. The last column and row of tiles add at least one cell to the previous one.
    ///
    /// # Errors
    /// When the overlap is not smaller than a tile, a tile is larger than a map can be, or the last tile has only one
    /// column or row.
    pub fn new(world: MapSize, tile: MapSize, overlap: u32) -> Result<Self, TileGridError> {
        let overlap = overlap as usize;
        let columns = tiles_along("width", world.width(), tile.width(), overlap)?;
        let rows = tiles_along("height", world.height(), tile.height(), overlap)?;
        Ok(Self {
            world,
            tile,
            overlap,
            columns,
            rows,
        })
    }

    /// Returns the size of the world.
    pub fn world(&self) -> MapSize {
        self.world
    }

    /// Returns the size of a tile without its overlap. Tiles at the east and south edges may be smaller.
    pub fn tile_size(&self) -> MapSize {
        self.tile
    }

    /// Returns the number of cells that a tile shares with the next one to the east and south.
    pub fn overlap(&self) -> usize {
        self.overlap
    }

    /// Returns the number of columns of tiles.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of rows of tiles.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of tiles.
    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// Returns the tile at this position, or `None` outside of the grid.
    pub fn tile(&self, position: TilePosition) -> Option<GridTile> {
        let is_there = position.column < self.columns && position.row < self.rows;
        is_there.then(|| self.tile_at(position))
    }

    /// Returns the tile with this index, row by row from the northwest, or `None` if there are fewer tiles.
    pub fn nth(&self, number: usize) -> Option<GridTile> {
        self.tile(self.position(number))
    }

    /// Returns all tiles, row by row from the northwest.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = GridTile> + use<> {
        let grid = *self;
        (0..self.count()).map(move |number| grid.tile_at(grid.position(number)))
    }

    /// Returns the tiles that contain cells of a region, row by row from the northwest. The time does not depend on the
    /// number of tiles in the world.
    pub fn touching(&self, part: MapRegion) -> impl Iterator<Item = GridTile> + use<> {
        let grid = *self;
        let among = |cells: Range<usize>, tile: usize, count: usize| {
            // A tile extends `overlap` cells beyond its own, so the first tile may be the one before. The end is
            // exclusive, hence the rounding up.
            cells.start.saturating_sub(grid.overlap) / tile..cells.end.div_ceil(tile).min(count)
        };
        let columns = among(part.columns(), self.tile.width(), self.columns);
        let rows = among(part.rows(), self.tile.height(), self.rows);
        rows.flat_map(move |row| {
            let in_row = columns.clone();
            in_row.map(move |column| grid.tile_at(TilePosition { column, row }))
        })
    }

    /// Returns the columns and rows of a tile that no tile further west or north contains. Those of all tiles cover the
    /// world exactly once.
    pub fn own_cells(&self, tile: GridTile) -> (Range<usize>, Range<usize>) {
        let beyond = |index: usize, cells: Range<usize>| {
            // The overlap belongs to the tile before. It is smaller than a tile, so it never reaches the tile before
            // that.
            let shared = if index == 0 { 0 } else { self.overlap };
            cells.start + shared..cells.end
        };
        let GridTile { position, region } = tile;
        (
            beyond(position.column, region.columns()),
            beyond(position.row, region.rows()),
        )
    }

    fn position(&self, number: usize) -> TilePosition {
        let (column, row) = (number % self.columns, number / self.columns);
        TilePosition { column, row }
    }

    /// Returns the tile at a position inside of the grid.
    fn tile_at(&self, position: TilePosition) -> GridTile {
        let along = |index: usize, tile: usize, world: usize| {
            let start = index * tile;
            (start, (start + tile + self.overlap).min(world) - start)
        };
        let (x, width) = along(position.column, self.tile.width(), self.world.width());
        let (y, height) = along(position.row, self.tile.height(), self.world.height());
        let region = MapSize::new(width as u64, height as u64)
            .ok()
            .and_then(|size| MapRegion::new(x, y, size, self.world))
            .expect("tiles are inside of their world and not larger than a map");
        GridTile { position, region }
    }
}

/// Returns the number of tiles along a side.
fn tiles_along(
    side: &'static str,
    world: usize,
    tile: usize,
    overlap: usize,
) -> Result<usize, TileGridError> {
    if overlap >= tile {
        return Err(TileGridError::Overlap {
            overlap,
            side,
            tile,
        });
    }
    // The overlap of the last tile covers the last cells, so they need no tile of their own.
    let number = world.saturating_sub(overlap).div_ceil(tile).max(1);
    // Cannot underflow: `(number - 1) * tile` is less than `world - overlap`, or 0.
    if world - (number - 1) * tile < MapSize::MIN_SIDE as usize {
        return Err(TileGridError::Last { side, tile, world });
    }
    if (tile + overlap).min(world) > MapSize::MAX_SIDE as usize {
        return Err(TileGridError::TooLarge {
            side,
            tile,
            overlap,
        });
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::of_world(width, height).unwrap()
    }

    fn cells(region: MapRegion) -> impl Iterator<Item = (usize, usize)> {
        let rows = region.rows();
        rows.flat_map(move |y| region.columns().map(move |x| (x, y)))
    }

    #[test]
    fn tiles_cover_the_world_once() {
        for (world, tile) in [
            ((100, 70), (32, 32)),
            ((64, 64), (64, 64)),
            ((9, 8), (100, 3)),
        ] {
            let world = size(world.0, world.1);
            let grid = TileGrid::new(world, size(tile.0, tile.1), 0).unwrap();
            let mut seen = vec![0; world.cells()];
            for tile in grid.tiles() {
                for (x, y) in cells(tile.region) {
                    seen[y * world.width() + x] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
        let error = TileGrid::new(size(9, 7), size(100, 3), 0).unwrap_err();
        let (side, tile, world) = ("height", 3, 7);
        assert_eq!(error, TileGridError::Last { side, tile, world });
    }

    #[test]
    fn own_cells_cover_the_world_once() {
        for (tile, overlap) in [((16, 8), 0), ((16, 8), 1), ((7, 9), 5), ((3, 2), 1)] {
            let world = size(50, 43);
            let grid = TileGrid::new(world, size(tile.0, tile.1), overlap).unwrap();
            let mut seen = vec![0; world.cells()];
            for tile in grid.tiles() {
                let (columns, rows) = grid.own_cells(tile);
                for y in rows {
                    for x in columns.clone() {
                        seen[y * world.width() + x] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{tile:?} {overlap}");
        }
    }

    #[test]
    fn overlapping_tiles_share_their_edges() {
        let grid = TileGrid::new(size(100, 100), size(32, 32), 1).unwrap();
        let region = |column, row| grid.tile(TilePosition { column, row }).unwrap().region;
        assert_eq!(region(0, 0).size(), size(33, 33));
        assert_eq!((region(1, 0).x(), region(1, 0).y()), (32, 0));
        assert_eq!(region(3, 3).size(), size(4, 4));
        assert!(TileGrid::new(size(100, 100), size(32, 32), 32).is_err());
    }

    #[test]
    fn engine_layout_shares_edges() {
        let grid = TileGrid::new(size(513, 257), size(64, 64), 1).unwrap();
        assert_eq!((grid.columns(), grid.rows()), (8, 4));
        let whole = |tile: GridTile| tile.region.size() == size(65, 65);
        assert!(grid.tiles().all(whole));
        let last = grid.tiles().last().unwrap().region;
        assert_eq!((last.x(), last.y()), (448, 192));
    }

    /// Checks that any layout covers the world, and that each tile adds cells to the previous one.
    #[test]
    fn every_overlap_covers_the_world() {
        for world in 2..40 {
            for tile in 2..12 {
                for overlap in 0..tile as u32 {
                    let Ok(grid) = TileGrid::new(size(world, 2), size(tile, 2), overlap) else {
                        assert!(overlap == 0 && world % tile == 1 || overlap > 1);
                        continue;
                    };
                    let ends: Vec<usize> =
                        grid.tiles().map(|tile| tile.region.columns().end).collect();
                    assert_eq!(*ends.last().unwrap(), world as usize);
                    assert!(ends.is_sorted_by(|a, b| a < b), "{world} {tile} {overlap}");
                }
            }
        }
    }

    /// Compares with a test of every tile.
    #[test]
    fn touching_matches_brute_force() {
        let world = size(60, 45);
        let meet = |a: Range<usize>, b: Range<usize>| a.start < b.end && b.start < a.end;
        for (tile, overlap) in [((16, 8), 0), ((16, 8), 1), ((16, 8), 5), ((7, 9), 6)] {
            let grid = TileGrid::new(world, size(tile.0, tile.1), overlap).unwrap();
            for (x, y) in cells(MapRegion::whole(size(59, 44))) {
                for part in [size(2, 2), size(17, 3), size(60, 45)] {
                    let Some(part) = MapRegion::new(x, y, part, world) else {
                        continue;
                    };
                    let touches = |tile: &GridTile| {
                        meet(tile.region.columns(), part.columns())
                            && meet(tile.region.rows(), part.rows())
                    };
                    let slow: Vec<GridTile> = grid.tiles().filter(touches).collect();
                    assert_eq!(grid.touching(part).collect::<Vec<_>>(), slow, "{part:?}");
                }
            }
        }
    }

    /// A grid of 2^30 tiles must not be enumerated.
    #[test]
    fn touching_in_huge_grid() {
        let world = size(65_536, 65_536);
        let grid = TileGrid::new(world, size(2, 2), 0).unwrap();
        assert_eq!(grid.count(), 1 << 30);
        let part = MapRegion::new(65_533, 60_001, size(3, 2), world).unwrap();
        let found: Vec<TilePosition> = grid.touching(part).map(|tile| tile.position).collect();
        let at = |column, row| TilePosition { column, row };
        let expected = [
            (32_766, 30_000),
            (32_767, 30_000),
            (32_766, 30_001),
            (32_767, 30_001),
        ];
        assert_eq!(found, expected.map(|(column, row)| at(column, row)));
        assert_eq!(
            grid.nth((1 << 30) - 1).unwrap().position,
            at(32_767, 32_767)
        );
        for (column, row) in [(32_768, 0), (0, 32_768), (usize::MAX, usize::MAX)] {
            assert_eq!(grid.tile(at(column, row)), None);
        }
        assert_eq!(grid.nth(1 << 30), None);
        assert_eq!(grid.nth(usize::MAX), None);
    }

    /// A region of another world must not panic.
    #[test]
    fn region_outside_world_touches_no_tiles() {
        let grid = TileGrid::new(size(100, 100), size(32, 32), 1).unwrap();
        let beyond = MapRegion::new(5000, 5000, size(9, 9), size(9000, 9000)).unwrap();
        assert_eq!(grid.touching(beyond).count(), 0);
    }

    #[test]
    fn rejects_tiles_larger_than_maps() {
        let world = size(20_000, 64);
        let error = TileGrid::new(world, size(16_384, 64), 1).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("tiles of width 16384 with an overlap of 1"),
            "{said}"
        );
        // The limit applies to the part of a tile that is in the world.
        assert!(TileGrid::new(size(16_384, 64), size(16_384, 64), 1).is_ok());
        let widest = TileGrid::new(world, size(16_383, 64), 1).unwrap();
        assert_eq!(widest.nth(0).unwrap().region.size().width(), 16_384);
    }

    #[test]
    fn parses_tile_file_names() {
        let at = |name: &str| {
            let TilePosition { column, row } = TilePosition::from_file_name(name)?;
            Some((column, row))
        };
        assert_eq!(at("tile_y0000_x0012.r32"), Some((12, 0)));
        assert_eq!(at("tile_y12345_x0.png"), Some((0, 12_345)));
        for name in [
            "tiles.ron",
            "tile_y_x.png",
            "tile_yA_x0.png",
            "tile_y+1_x0.png",
            "tile_y0.r32",
            "a.r32",
            "tile_y0_x99999999999999999999999.png",
        ] {
            assert_eq!(at(name), None, "{name}");
        }
    }
}
