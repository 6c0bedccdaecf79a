//! Filling the cells of a map from Bevy's tile map.

use bevy::{
    prelude::*,
    sprite_render::{TileData, TilemapChunk, TilemapChunkTileData},
};
use lanternfell_lightgrid::{Cell, LightError};
use thiserror::Error;

use crate::map::TorchlightMap;

/// Why a light map cannot be filled from a tile map. The light map is then unchanged.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TilemapError {
    /// The tile map and the light map have different sizes.
    #[error("the tile map is {tiles} tiles, but the light map is {cells} cells")]
    Size {
        /// Size of the tile map in tiles.
        tiles: UVec2,
        /// Size of the light map in cells.
        cells: UVec2,
    },
    /// The chunk is not inside the light map.
    #[error("the chunk of {tiles} tiles at cell {at} is not inside the light map of {cells} cells")]
    Outside {
        /// Size of the chunk in tiles.
        tiles: UVec2,
        /// The first cell of the chunk.
        at: UVec2,
        /// Size of the light map in cells.
        cells: UVec2,
    },
    /// The number of tiles does not match the size of the tile map.
    #[error("the tile map has {found} tiles, but its size requires {expected}")]
    Length {
        /// The number of tiles.
        found: usize,
        /// The required number of tiles.
        expected: usize,
    },
    /// A value of a cell is out of range.
    #[error(transparent)]
    Cell(#[from] LightError),
}

impl TorchlightMap {
    /// Replaces all cells by the results of `cell` for the tiles. `cell` gets `None` for an empty tile.
    ///
    /// Tile maps count rows from the bottom, and light maps from the top. The rows are converted. To align both, give
    /// them the same transform, and set the cell size of the light map to [`TilemapChunk::tile_display_size`].
    ///
    /// # Errors
    ///
    /// - [`TilemapError::Size`] if the sizes differ
    /// - [`TilemapError::Length`] if the number of tiles does not match the size of the tile map
    /// - [`TilemapError::Cell`] if a value of a cell is not from 0 to 1
    ///
    /// In all cases the map is unchanged.
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

    /// Replaces the cells under one chunk of a tile map by the results of `cell`. `cell` gets `None` for an empty tile.
    ///
    /// `at` is the cell of the light map under the north-west corner of the chunk.
    ///
    /// ```
    /// use bevy::{prelude::*, sprite_render::{TilemapChunk, TilemapChunkTileData}};
    /// use lanternfell_torchlight::{TilemapError, prelude::*};
    ///
    /// /// The position of a chunk among all chunks, counted from the bottom left.
    /// #[derive(Component)]
    /// struct ChunkPlace(UVec2);
    ///
    /// fn follow(
    ///     mut map: Single<&mut TorchlightMap>,
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
    /// - [`TilemapError::Outside`] if the chunk is not inside the light map
    /// - [`TilemapError::Length`] and [`TilemapError::Cell`] as in [`fill_from_tilemap`](Self::fill_from_tilemap)
    ///
    /// In all cases the map is unchanged.
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

/// All tiles, starting with the top row.
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
