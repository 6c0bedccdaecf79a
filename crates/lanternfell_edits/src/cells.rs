//! Addresses on the plane: rectangles of cells, and tiles.

use serde::{Deserialize, Serialize};

/// The side of a tile in cells.
pub const TILE_SIDE: usize = 64;

/// The number of cells in a tile.
pub const TILE_CELLS: usize = TILE_SIDE * TILE_SIDE;

/// A rectangle of cells of the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellRect {
    /// The westernmost column.
    pub column: i64,
    /// The northernmost row.
    pub row: i64,
    /// The number of columns.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
}

impl CellRect {
    /// Creates a rectangle from its north-west cell and its size.
    pub const fn new(column: i64, row: i64, columns: u32, rows: u32) -> Self {
        Self {
            column,
            row,
            columns,
            rows,
        }
    }

    /// Returns the number of cells.
    pub const fn cells(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Returns the column after the easternmost column.
    pub const fn end_column(self) -> i64 {
        self.column.saturating_add(self.columns as i64)
    }

    /// Returns the row after the southernmost row.
    pub const fn end_row(self) -> i64 {
        self.row.saturating_add(self.rows as i64)
    }

    /// Whether the cell is inside the rectangle.
    pub const fn contains(self, column: i64, row: i64) -> bool {
        self.column <= column
            && column < self.end_column()
            && self.row <= row
            && row < self.end_row()
    }

    /// Returns the part that both rectangles share, or `None` if they share no cell.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let column = self.column.max(other.column);
        let row = self.row.max(other.row);
        let columns = self.end_column().min(other.end_column()) - column;
        let rows = self.end_row().min(other.end_row()) - row;
        (columns > 0 && rows > 0).then(|| Self::new(column, row, columns as u32, rows as u32))
    }

    /// This rectangle with `cells` more on each side.
    pub(crate) const fn grown(self, cells: u32) -> Self {
        Self::new(
            self.column - cells as i64,
            self.row - cells as i64,
            self.columns + 2 * cells,
            self.rows + 2 * cells,
        )
    }

    /// The tiles of a channel that the rectangle meets.
    pub(crate) fn tiles(self, channel: Channel) -> impl Iterator<Item = TileAddress> {
        let side = TILE_SIDE as i64;
        let (columns, rows) = (
            self.column.div_euclid(side)..(self.end_column() - 1).div_euclid(side) + 1,
            self.row.div_euclid(side)..(self.end_row() - 1).div_euclid(side) + 1,
        );
        rows.flat_map(move |row| {
            columns
                .clone()
                .map(move |column| TileAddress::new(channel, column, row))
        })
    }
}

/// What an edit changes. The channels are independent: no operation reads another channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Channel {
    /// Height deltas in millimeters.
    Heights,
    /// Holes in the surface.
    Holes,
    /// Painted ground layers.
    Paint,
    /// The density of plants.
    Plants,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 4] = [Self::Heights, Self::Holes, Self::Paint, Self::Plants];
}

/// The address of a tile: 64 x 64 cells of one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TileAddress {
    /// The channel.
    pub channel: Channel,
    /// The column in tiles: tile 0 has the columns 0 to 63.
    pub column: i64,
    /// The row in tiles.
    pub row: i64,
}

impl TileAddress {
    /// Creates an address from a column and a row in tiles.
    pub const fn new(channel: Channel, column: i64, row: i64) -> Self {
        Self {
            channel,
            column,
            row,
        }
    }

    /// Returns the tile with this cell.
    pub const fn of_cell(channel: Channel, column: i64, row: i64) -> Self {
        let side = TILE_SIDE as i64;
        Self::new(channel, column.div_euclid(side), row.div_euclid(side))
    }

    /// Returns the cells of the tile.
    pub const fn area(self) -> CellRect {
        let side = TILE_SIDE as i64;
        let (column, row) = (self.column * side, self.row * side);
        CellRect::new(column, row, TILE_SIDE as u32, TILE_SIDE as u32)
    }

    /// The index within the tile of a cell that may be in any tile.
    pub const fn index(column: i64, row: i64) -> usize {
        let side = TILE_SIDE as i64;
        (row.rem_euclid(side) * side + column.rem_euclid(side)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_find_their_tiles_on_both_sides_of_zero() {
        let tiles = |rect: CellRect| -> Vec<(i64, i64)> {
            let tiles = rect.tiles(Channel::Heights);
            tiles.map(|tile| (tile.column, tile.row)).collect()
        };
        assert_eq!(tiles(CellRect::new(0, 0, 64, 64)), [(0, 0)]);
        assert_eq!(tiles(CellRect::new(-1, 63, 2, 1)), [(-1, 0), (0, 0)]);
        assert_eq!(tiles(CellRect::new(-64, -65, 1, 2)), [(-1, -2), (-1, -1)]);
        let far = TileAddress::of_cell(Channel::Heights, (1 << 45) + 3, -(1 << 45));
        assert!(far.area().contains((1 << 45) + 3, -(1 << 45)));
        assert_eq!(TileAddress::index(-1, -64), 63);
    }

    #[test]
    fn intersections_are_symmetric() {
        let (a, b) = (CellRect::new(-5, 0, 10, 4), CellRect::new(3, 2, 9, 9));
        assert_eq!(a.intersection(b), Some(CellRect::new(3, 2, 2, 2)));
        assert_eq!(a.intersection(b), b.intersection(a));
        assert_eq!(a.intersection(CellRect::new(5, 0, 1, 1)), None);
    }
}
