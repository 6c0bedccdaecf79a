//! Tiles: 64 x 64 cells of edits.

use lanternfell_random::SplitMix64;
use serde::{Deserialize, Serialize};

use crate::{
    blocks,
    cells::{CellRect, Channel, TILE_CELLS, TILE_SIDE, TileAddress},
};

/// The painted ground layers of a cell.
///
/// Up to two layers cover parts of the cell. The rest shows the layers that the terrain has without
/// paint. The layer that covers more is first. A layer that covers nothing is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct PaintCell {
    /// The layers, from 0 to 15.
    pub layers: [u8; 2],
    /// The share that each layer covers, in 1/255. The sum is at most 255.
    pub covers: [u8; 2],
}

impl PaintCell {
    /// Paints a layer over the cell. `cover` is from 0 to 65536.
    ///
    /// A third layer takes the place of the layer that covers less.
    pub(crate) fn paint(self, layer: u8, cover: u32) -> Self {
        let part = |value: u8, of: u32| ((u32::from(value) * of + (1 << 15)) >> 16) as u8;
        let covered = self.covers.map(|covers| part(covers, (1 << 16) - cover));
        let is = |at: usize| self.covers[at] > 0 && self.layers[at] == layer;
        let (new, other) = if is(0) { (0, 1) } else { (1, 0) };
        let before = if is(new) { self.covers[new] } else { 0 };
        let more = part(255 - before, cover);
        if more == 0 {
            return self;
        }
        let after = before + more;
        let rest = covered[other].min(255 - after);
        Self {
            layers: [layer, self.layers[other]],
            covers: [after, rest],
        }
        .sorted()
    }

    fn sorted(self) -> Self {
        let entry = |at: usize| match self.covers[at] {
            0 => (0, 0),
            covers => (covers, self.layers[at]),
        };
        let [a, b] = [entry(0), entry(1)];
        let a_is_first = (a.0, core::cmp::Reverse(a.1)) >= (b.0, core::cmp::Reverse(b.1));
        let [first, second] = if a_is_first { [a, b] } else { [b, a] };
        Self {
            layers: [first.1, second.1],
            covers: [first.0, second.0],
        }
    }

    /// Whether a stroke could have made the cell.
    fn is_valid(self) -> bool {
        let fits = u16::from(self.covers[0]) + u16::from(self.covers[1]) <= 255;
        let distinct = self.covers[1] == 0 || self.layers[0] != self.layers[1];
        fits && distinct && self.layers.iter().all(|&layer| layer < 16) && self == self.sorted()
    }
}

/// The edits of the cells of a tile, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tile {
    /// Height deltas in millimeters.
    Heights(Box<[i32]>),
    /// One word per row. Bit `c` is set if the cell in column `c` is a hole.
    Holes(Box<[u64]>),
    /// Painted layers.
    Paint(Box<[PaintCell]>),
    /// Densities of plants. 255 is the default.
    Plants(Box<[u8]>),
}

/// The plant density of cells without edits.
pub(crate) const ALL_PLANTS: u8 = 255;

impl Tile {
    /// Returns a tile without edits.
    pub fn empty(channel: Channel) -> Self {
        match channel {
            Channel::Heights => Self::Heights(vec![0; TILE_CELLS].into()),
            Channel::Holes => Self::Holes(vec![0; TILE_SIDE].into()),
            Channel::Paint => Self::Paint(vec![PaintCell::default(); TILE_CELLS].into()),
            Channel::Plants => Self::Plants(vec![ALL_PLANTS; TILE_CELLS].into()),
        }
    }

    /// Whether no cell differs from that of a tile without edits.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Heights(cells) => cells.iter().all(|&cell| cell == 0),
            Self::Holes(rows) => rows.iter().all(|&row| row == 0),
            Self::Paint(cells) => cells.iter().all(|&cell| cell == PaintCell::default()),
            Self::Plants(cells) => cells.iter().all(|&cell| cell == ALL_PLANTS),
        }
    }

    /// Returns the channel of the tile.
    pub fn channel(&self) -> Channel {
        match self {
            Self::Heights(_) => Channel::Heights,
            Self::Holes(_) => Channel::Holes,
            Self::Paint(_) => Channel::Paint,
            Self::Plants(_) => Channel::Plants,
        }
    }

    /// Whether a tile from a file has the right number of cells, and only cells that strokes can
    /// make.
    pub(crate) fn is_valid(&self) -> bool {
        match self {
            Self::Heights(cells) => cells.len() == TILE_CELLS,
            Self::Holes(rows) => rows.len() == TILE_SIDE,
            Self::Plants(cells) => cells.len() == TILE_CELLS,
            Self::Paint(cells) => {
                cells.len() == TILE_CELLS && cells.iter().all(|cell| cell.is_valid())
            }
        }
    }

    /// The memory of the cells in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Heights(cells) => size_of_val(&**cells),
            Self::Holes(rows) => size_of_val(&**rows),
            Self::Paint(cells) => size_of_val(&**cells),
            Self::Plants(cells) => size_of_val(&**cells),
        }
    }

    /// Returns a hash of the cells, which is the same on every machine and in every release.
    ///
    /// Tiles with the same cells have the same hash. It is no protection against tiles that are made
    /// to collide.
    pub fn hash(&self) -> u64 {
        // Each step is a bijection of the hash, so that tiles that differ in one word never collide.
        let with =
            |hash: u64, word: u64| SplitMix64::mix(hash.wrapping_add(SplitMix64::GAMMA) ^ word);
        let start = self.channel() as u64;
        match self {
            Self::Heights(cells) => cells.as_chunks().0.iter().fold(start, |hash, [a, b]| {
                with(hash, u64::from(*a as u32) | u64::from(*b as u32) << 32)
            }),
            Self::Holes(rows) => rows.iter().fold(start, |hash, &row| with(hash, row)),
            Self::Paint(cells) => cells.iter().fold(start, |hash, cell| {
                let [a, b] = cell.layers;
                let [c, d] = cell.covers;
                with(hash, u32::from_le_bytes([a, b, c, d]).into())
            }),
            Self::Plants(cells) => cells
                .as_chunks()
                .0
                .iter()
                .fold(start, |hash, &bytes| with(hash, u64::from_le_bytes(bytes))),
        }
    }

    /// Takes some blocks of another tile of the channel.
    pub(crate) fn copy_blocks(&mut self, from: &Self, of: u64) {
        match (self, from) {
            (Self::Heights(to), Self::Heights(from)) => blocks::copy(to, from, of),
            (Self::Holes(to), Self::Holes(from)) => blocks::copy_bits(to, from, of),
            (Self::Paint(to), Self::Paint(from)) => blocks::copy(to, from, of),
            (Self::Plants(to), Self::Plants(from)) => blocks::copy(to, from, of),
            _ => unreachable!("both are of one channel"),
        }
    }

    /// Returns the smallest rectangle with all cells that differ from those of another tile with the same address.
    /// `None` if all cells are equal.
    pub fn difference(&self, other: &Self, address: TileAddress) -> Option<CellRect> {
        fn differing<T: PartialEq>(a: &[T], b: &[T]) -> [u64; TILE_SIDE] {
            let mut rows = [0; TILE_SIDE];
            let pairs = a.chunks(TILE_SIDE).zip(b.chunks(TILE_SIDE));
            for (row, (a, b)) in rows.iter_mut().zip(pairs) {
                if a != b {
                    let bits = a.iter().zip(b).enumerate();
                    *row = bits.fold(0, |row, (at, (a, b))| row | u64::from(a != b) << at);
                }
            }
            rows
        }
        let rows = match (self, other) {
            (Self::Heights(a), Self::Heights(b)) => differing(a, b),
            (Self::Paint(a), Self::Paint(b)) => differing(a, b),
            (Self::Plants(a), Self::Plants(b)) => differing(a, b),
            (Self::Holes(a), Self::Holes(b)) => {
                let mut rows = [0; TILE_SIDE];
                for (row, (a, b)) in rows.iter_mut().zip(a.iter().zip(b)) {
                    *row = a ^ b;
                }
                rows
            }
            _ => [u64::MAX; TILE_SIDE],
        };
        let first = rows.iter().position(|&row| row != 0)?;
        let last = rows.iter().rposition(|&row| row != 0)?;
        let columns = rows.iter().fold(0, |all, row| all | row);
        let (west, east) = (columns.trailing_zeros(), 63 - columns.leading_zeros());
        let area = address.area();
        let (column, row) = (area.column + i64::from(west), area.row + first as i64);
        Some(CellRect::new(
            column,
            row,
            east - west + 1,
            (last - first) as u32 + 1,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn painting_keeps_cells_valid() {
        let mut cells = vec![PaintCell::default()];
        for cover in [0, 1, 200, 20_000, 32_768, 40_000, 65_535, 65_536] {
            for layer in [0, 3, 15] {
                let painted: Vec<_> = cells.iter().map(|cell| cell.paint(layer, cover)).collect();
                assert!(
                    painted.iter().all(|cell| cell.is_valid()),
                    "{layer} {cover}"
                );
                cells.extend(painted);
                cells.truncate(5000);
            }
        }
        let full = cells[40].paint(7, 65_536);
        assert_eq!((full.layers, full.covers), ([7, 0], [255, 0]));
        let half = full.paint(2, 32_768);
        assert_eq!((half.layers, half.covers), ([2, 7], [128, 127]));
    }

    #[test]
    fn hashes_differ_between_cells_and_channels() {
        let mut hashes: Vec<u64> = Channel::ALL.map(|all| Tile::empty(all).hash()).into();
        for cell in [0, 1, 63, 64, 4095] {
            for height in [1, -1, i32::MIN] {
                let mut tile = vec![0; TILE_CELLS];
                tile[cell] = height;
                hashes.push(Tile::Heights(tile.into()).hash());
            }
        }
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
        // Pinned: peers of different releases compare these hashes.
        assert_eq!(
            Tile::empty(Channel::Heights).hash(),
            14_659_476_650_846_865_132
        );
    }

    #[test]
    fn differences_are_tight() {
        let address = TileAddress::new(Channel::Heights, -1, 2);
        let empty = Tile::empty(Channel::Heights);
        assert_eq!(empty.difference(&empty, address), None);
        let mut cells = vec![0; TILE_CELLS];
        cells[3 * 64 + 60] = 1;
        cells[9 * 64 + 5] = -1;
        let changed = Tile::Heights(cells.into()).difference(&empty, address);
        assert_eq!(changed, Some(CellRect::new(-59, 131, 56, 7)));
    }
}
