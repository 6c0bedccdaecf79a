//! What the tiles of a folder are: their cells, names and numbers.

use lanternfell_heightmap::{MapFrame, MapSize};
use lanternfell_io::{
    RawFormat,
    tiles::{GridTile, TileGrid, TileLayout, TilePosition},
};

use crate::frame::frame_of_recipe;

/// The tiles of a recipe's world or of a heightmap file.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) grid: TileGrid,
    /// The file extension, without a dot.
    pub(super) extension: String,
    /// The number format of RAW tiles, and `None` for other formats.
    pub(super) raw: Option<RawFormat>,
    /// The frame of the whole map.
    pub(super) frame: MapFrame,
}

impl Plan {
    pub(super) fn of_layout(layout: &TileLayout) -> Self {
        Self {
            grid: layout.grid(),
            extension: layout.extension().to_owned(),
            raw: layout.raw_format(),
            frame: frame_of_recipe(layout.recipe(), ""),
        }
    }

    /// Returns the size of the whole map.
    pub(super) fn size(&self) -> MapSize {
        self.grid.world()
    }

    pub(super) fn file_name(&self, tile: TilePosition) -> String {
        tile.file_name(&self.extension)
    }

    /// Returns the length in bytes of a complete RAW tile.
    pub(super) fn length(&self, tile: GridTile) -> Option<u64> {
        self.raw.map(|raw| raw.bytes(tile.region.size()))
    }
}
