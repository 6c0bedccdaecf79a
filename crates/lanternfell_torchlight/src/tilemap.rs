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
    /// A chunk does not lie within the light map.
    #[error("{tiles} tiles from cell {at} on do not lie within {cells} cells")]
    Outside {
        /// Of the chunk.
        tiles: UVec2,
        /// Where it begins.
        at: UVec2,
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
        let cells = rows(chunk, tiles)?
            .map(|tile| cell(tile.as_ref()))
            .collect();
        Ok(self.set_cells(cells)?)
    }

    /// The same for a tile map of many chunks: changes the cells that lie under this one, of which the first, in the
    /// north-west, is `at`, counted from the light map's own.
    ///
    /// ```
    /// use bevy::{prelude::*, sprite_render::{TilemapChunk, TilemapChunkTileData}};
    /// use lanternfell_torchlight::{TilemapError, prelude::*};
    ///
    /// /// Where a chunk lies among all, counted from the bottom left.
    /// #[derive(Component)]
    /// struct ChunkPlace(UVec2);
    ///
    /// fn follow(
    ///     mut map: Single<&mut LightMap>,
    ///     chunks: Query<(&ChunkPlace, &TilemapChunk, &TilemapChunkTileData), Changed<TilemapChunkTileData>>,
    /// ) -> Result<(), BevyError> {
    ///     for (place, chunk, tiles) in &chunks {
    ///         let size = chunk.chunk_size;
    ///         let south = map.grid().height() - place.0.y * size.y;
    ///         let at = UVec2::new(place.0.x * size.x, south - size.y);
    ///         map.fill_part_from_tilemap(at, chunk, tiles, |tile| match tile {
    ///             Some(tile) if tile.tileset_index == 1 => Cell::WALL,
    ///             _ => Cell::OPEN,
    ///         })?;
    ///     }
    ///     Ok(())
    /// }
    /// # App::new().add_systems(Update, follow);
    /// ```
    ///
    /// # Errors
    ///
    /// The chunk does not lie within the map, or there is what
    /// [`fill_from_tilemap`](Self::fill_from_tilemap) refuses. Nothing is changed then.
    pub fn fill_part_from_tilemap(
        &mut self,
        at: UVec2,
        chunk: &TilemapChunk,
        tiles: &TilemapChunkTileData,
        mut cell: impl FnMut(Option<&TileData>) -> Cell,
    ) -> Result<(), TilemapError> {
        let (size, cells) = (chunk.chunk_size, self.grid().size());
        let end = at.checked_add(size);
        if !end.is_some_and(|end| end.cmple(cells).all()) {
            return Err(TilemapError::Outside {
                tiles: size,
                at,
                cells,
            });
        }
        let made: Vec<Cell> = rows(chunk, tiles)?
            .map(|tile| cell(tile.as_ref()))
            .collect();
        made.iter().try_for_each(Cell::validate)?;
        let places = (at.y..at.y + size.y).flat_map(|y| (at.x..at.x + size.x).map(move |x| (x, y)));
        for ((x, y), cell) in places.zip(made) {
            self.set_cell(UVec2::new(x, y).as_ivec2(), cell)?;
        }
        Ok(())
    }
}

/// All tiles, the top row first.
fn rows<'a>(
    chunk: &TilemapChunk,
    tiles: &'a TilemapChunkTileData,
) -> Result<impl Iterator<Item = &'a Option<TileData>>, TilemapError> {
    let size = chunk.chunk_size;
    let expected = size.x as usize * size.y as usize;
    if tiles.len() != expected {
        return Err(TilemapError::Length {
            found: tiles.len(),
            expected,
        });
    }
    Ok(tiles.chunks_exact(size.x.max(1) as usize).rev().flatten())
}
