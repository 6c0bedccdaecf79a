//! Sets of cells, in blocks of 8 x 8 cells.
//!
//! A tile has 64 blocks, so a set of them is a `u64`: bit `8 r + c` is the block in row `r` and
//! column `c`. Which strokes depend on each other is found by blocks, because most strokes are much
//! smaller than a tile.

use std::collections::BTreeMap;

use crate::cells::{CellRect, Channel, TILE_SIDE, TileAddress};

/// The side of a block in cells, and of a tile in blocks.
const SIDE: usize = 8;

/// All blocks of a tile.
pub(crate) const ALL: u64 = u64::MAX;

/// A set of blocks of many tiles.
pub(crate) type Region = BTreeMap<TileAddress, u64>;

/// The blocks of a set, each with its cells.
pub(crate) fn each(tile: TileAddress, blocks: u64) -> impl Iterator<Item = (u64, CellRect)> {
    let area = tile.area();
    (0..64)
        .filter(move |at| blocks >> at & 1 == 1)
        .map(move |at| {
            let (column, row) = (at % 8 * 8, at / 8 * 8);
            let cells = CellRect::new(area.column + column, area.row + row, 8, 8);
            (1 << at, cells)
        })
}

/// The blocks of a tile that an area meets.
pub(crate) fn of_area(tile: TileAddress, area: CellRect) -> u64 {
    let Some(part) = area.intersection(tile.area()) else {
        return 0;
    };
    let block = |at: i64| at.rem_euclid(TILE_SIDE as i64) as usize / SIDE;
    let columns = block(part.column)..block(part.end_column() - 1) + 1;
    let row = columns.fold(0, |row, at| row | 1_u64 << at);
    let rows = block(part.row)..block(part.end_row() - 1) + 1;
    rows.fold(0, |blocks, at| blocks | row << (SIDE * at))
}

/// The blocks that an area meets.
pub(crate) fn region(area: CellRect, channel: Channel) -> impl Iterator<Item = (TileAddress, u64)> {
    area.tiles(channel)
        .map(move |tile| (tile, of_area(tile, area)))
}

/// Adds blocks to a region.
pub(crate) fn add(region: &mut Region, (tile, blocks): (TileAddress, u64)) {
    *region.entry(tile).or_default() |= blocks;
}

/// Whether an area meets a region.
pub(crate) fn meets(of: &Region, area: CellRect, channel: Channel) -> bool {
    region(area, channel)
        .any(|(tile, blocks)| of.get(&tile).is_some_and(|known| known & blocks != 0))
}

/// Copies the cells of some blocks. Both slices have the same number of cells in each row of a tile.
pub(crate) fn copy<T: Copy>(to: &mut [T], from: &[T], blocks: u64) {
    for (at, (to, from)) in to.chunks_mut(SIDE).zip(from.chunks(SIDE)).enumerate() {
        let (row, column) = (at / SIDE / SIDE, at % SIDE);
        if blocks >> (SIDE * row + column) & 1 == 1 {
            to.copy_from_slice(from);
        }
    }
}

/// Copies the bits of some blocks. Each number is a row of a tile.
pub(crate) fn copy_bits(to: &mut [u64], from: &[u64], blocks: u64) {
    for (row, (to, from)) in to.iter_mut().zip(from).enumerate() {
        let columns = blocks >> (SIDE * (row / SIDE)) & 0xFF;
        let bits = (0..8).filter(|at| columns >> at & 1 == 1);
        let mask = bits.fold(0, |mask, at| mask | 0xFF << (SIDE * at));
        *to = *to & !mask | from & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_and_copied() {
        let tile = TileAddress::new(Channel::Heights, -1, 0);
        assert_eq!(of_area(tile, tile.area()), ALL);
        assert_eq!(of_area(tile, CellRect::new(0, 0, 5, 5)), 0);
        // The block in column 7, and that below it.
        let corner = CellRect::new(-3, 7, 9, 2);
        assert_eq!(of_area(tile, corner), 1 << 7 | 1 << 15);
        assert!(meets(
            &Region::from([(tile, 1 << 15)]),
            corner,
            Channel::Heights
        ));
        assert!(!meets(
            &Region::from([(tile, 1 << 23)]),
            corner,
            Channel::Heights
        ));
        let all: Vec<_> = each(tile, 1 << 7 | 1 << 15).collect();
        assert_eq!(all[1], (1 << 15, CellRect::new(-8, 8, 8, 8)));
        let mut cells = vec![0; 4096];
        copy(&mut cells, &[1; 4096], 1 << 7 | 1 << 15);
        let mut rows = [0; 64];
        copy_bits(&mut rows, &[u64::MAX; 64], 1 << 7 | 1 << 15);
        for (at, cell) in cells.into_iter().enumerate() {
            let inside = at / 64 < 16 && at % 64 >= 56;
            assert_eq!(cell == 1, inside, "{at}");
            assert_eq!(rows[at / 64] >> (at % 64) & 1 == 1, inside, "{at}");
        }
    }
}
