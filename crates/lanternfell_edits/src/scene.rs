//! The state that a stroke is applied to: the base, and the tiles that are edited.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use crate::{
    base::BaseHeights,
    cells::{CellRect, Channel, TILE_CELLS, TileAddress},
    tile::Tile,
};

/// The heights of the base, tile by tile. Each is computed once.
pub(crate) struct BaseTiles<'a> {
    base: &'a dyn BaseHeights,
    tiles: RefCell<BTreeMap<[i64; 2], Arc<[i32]>>>,
}

impl<'a> BaseTiles<'a> {
    pub(crate) fn of(base: &'a dyn BaseHeights) -> Self {
        let tiles = RefCell::default();
        Self { base, tiles }
    }

    fn tile(&self, tile: TileAddress) -> Arc<[i32]> {
        let mut tiles = self.tiles.borrow_mut();
        let made = tiles.entry([tile.column, tile.row]).or_insert_with(|| {
            let mut heights = vec![0; TILE_CELLS];
            self.base.heights_mm(tile.area(), &mut heights);
            heights.into()
        });
        made.clone()
    }
}

/// The state before a stroke.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) base: &'a BaseTiles<'a>,
    /// Returns a tile, or `None` if it has no edits.
    pub(crate) tile: &'a dyn Fn(TileAddress) -> Option<Arc<Tile>>,
}

impl Scene<'_> {
    /// The heights of an area, in millimeters.
    pub(crate) fn heights(self, area: CellRect) -> Vec<i32> {
        let mut heights = vec![0; area.cells()];
        let width = area.columns as usize;
        for tile in area.tiles(Channel::Heights) {
            let Some(part) = area.intersection(tile.area()) else {
                continue;
            };
            let base = self.base.tile(tile);
            let edited = (self.tile)(tile);
            for row in part.row..part.end_row() {
                let from = TileAddress::index(part.column, row);
                let to = (row - area.row) as usize * width + (part.column - area.column) as usize;
                let out = &mut heights[to..][..part.columns as usize];
                out.copy_from_slice(&base[from..][..part.columns as usize]);
                if let Some(Tile::Heights(deltas)) = edited.as_deref() {
                    for (out, delta) in out.iter_mut().zip(&deltas[from..]) {
                        *out = out.wrapping_add(*delta);
                    }
                }
            }
        }
        heights
    }

    pub(crate) fn height(self, [column, row]: [i64; 2]) -> i64 {
        self.heights(CellRect::new(column, row, 1, 1))[0].into()
    }

    pub(crate) fn tile_or_empty(self, address: TileAddress) -> Tile {
        match (self.tile)(address) {
            Some(tile) => (*tile).clone(),
            None => Tile::empty(address.channel),
        }
    }
}
