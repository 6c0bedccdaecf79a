//! The cells that have changed since the settled solver came to rest.
//!
//! For each tile, this is a rectangle around all changes. It is exact for a lamp that moved by one
//! cell, and its memory is bounded by the number of tiles.

use glam::{IVec2, UVec2};

use crate::area::Area;

/// The cells that have changed since the settled solver came to rest.
#[derive(Debug, Clone)]
pub(super) struct Unsettled {
    size: UVec2,
    tile: usize,
    /// The changes in each tile, row by row.
    areas: Vec<Option<Area>>,
    /// The tiles with changes.
    tiles: Vec<usize>,
}

impl Unsettled {
    /// No changes.
    pub(super) fn new(width: usize, height: usize, tile: usize) -> Self {
        Self {
            size: UVec2::new(width as u32, height as u32),
            tile,
            areas: vec![None; width.div_ceil(tile) * height.div_ceil(tile)],
            tiles: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Records a change of a cell.
    pub(super) fn mark(&mut self, x: usize, y: usize) {
        let cell = IVec2::new(x as i32, y as i32);
        self.add(
            x / self.tile,
            y / self.tile,
            Area::around(cell, 0, self.size),
        );
    }

    /// Records a change of all cells in a tile.
    pub(super) fn mark_tile(&mut self, tile_x: usize, tile_y: usize) {
        let first = IVec2::new(tile_x as i32, tile_y as i32) * self.tile as i32;
        let end = (first + self.tile as i32).min(self.size.as_ivec2());
        self.add(tile_x, tile_y, Area { first, end });
    }

    /// Records a change of all cells.
    pub(super) fn mark_all(&mut self) {
        let size = self.size.as_usizevec2();
        for tile_y in 0..size.y.div_ceil(self.tile) {
            for tile_x in 0..size.x.div_ceil(self.tile) {
                self.mark_tile(tile_x, tile_y);
            }
        }
    }

    fn add(&mut self, tile_x: usize, tile_y: usize, area: Area) {
        let tile = tile_y * (self.size.x as usize).div_ceil(self.tile) + tile_x;
        match &mut self.areas[tile] {
            Some(all) => *all = all.union(area),
            none => {
                *none = Some(area);
                self.tiles.push(tile);
            }
        }
    }

    /// Takes the changed areas, tile by tile.
    pub(super) fn drain(&mut self) -> Vec<Area> {
        self.tiles.sort_unstable();
        let tiles = self.tiles.drain(..);
        tiles.filter_map(|tile| self.areas[tile].take()).collect()
    }
}
