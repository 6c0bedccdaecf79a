//! A map's cells from Bevy's own tile map.

use bevy::{
    prelude::*,
    sprite_render::{TileData, TilemapChunk, TilemapChunkTileData},
};
use lanternfell_lightgrid::{Cell, LightError};
use thiserror::Error;

use crate::map::LightMap;

/// Why a tile map could not be taken over. The light map is then as it was.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TilemapError {
    /// The two are not of the same size.
    #[error("the tile map is {tiles} tiles, but the light map is {cells} cells")]
    Size {
        /// Of the tile map.
        tiles: UVec2,
        /// Of the light map.
        cells: UVec2,
    },
    /// There are not as many tiles as the tile map's size says.
    #[error("the tile map has {found} tiles, but its size says {expected}")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A cell's values are out of range.
    #[error(transparent)]
    Cell(#[from] LightError),
}

impl LightMap {
    /// Changes every cell to what `cell` makes of the tile there, none for an empty one.
    ///
    /// Tile maps are counted from the bottom row, light maps from the top row: it minds
    /// that. For the two to lie over each other give them the same transform, and the light
    /// map a cell size of [`TilemapChunk::tile_display_size`].
    ///
    /// # Errors
    ///
    /// The two have not the same size, there are fewer or more tiles than there should be,
    /// or a cell's values are outside of 0 to 1. Nothing is changed then.
    pub fn fill_from_tilemap(
        &mut self,
        chunk: &TilemapChunk,
        tiles: &TilemapChunkTileData,
        mut cell: impl FnMut(Option<&TileData>) -> Cell,
    ) -> Result<(), TilemapError> {
        let size = self.grid().size();
        if chunk.chunk_size != size {
            return Err(TilemapError::Size {
                tiles: chunk.chunk_size,
                cells: size,
            });
        }
        let (width, expected) = (size.x as usize, self.grid().cells().len());
        if tiles.len() != expected {
            return Err(TilemapError::Length {
                found: tiles.len(),
                expected,
            });
        }
        let rows = tiles.chunks_exact(width).rev();
        let cells = rows.flatten().map(|tile| cell(tile.as_ref())).collect();
        Ok(self.set_cells(cells)?)
    }
}
