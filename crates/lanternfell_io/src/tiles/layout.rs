//! What the tiles of a folder are: all that decides their bytes, and the way back from bytes to heights.
//!
//! Heights are those of the recipe, whatever the tiles' format. Whole numbers and RAW keep them as they
//! are; what is in metres (TIFF, OpenEXR, ESRI ASCII grids) is read back by the recipe's relief.

use serde::Serialize;
use thiserror::Error;

use super::{GridTile, TileGrid, TileGridError, TilePosition};
use crate::{
    ByteOrder, Format, ImportError, RawFormat, ReadOptions, Sample, finite, longest, read,
    read_raw, size,
};
use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Recipe, RecipeError, Window,
};

/// Everything that decides the bytes of a folder's tiles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileLayout {
    recipe: Recipe,
    tile: MapSize,
    overlap: u32,
    ending: String,
    raw: Option<(Sample, ByteOrder)>,
    #[serde(skip)]
    format: Format,
    #[serde(skip)]
    grid: TileGrid,
}

/// Why there can be no tiles like that.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TileLayoutError {
    /// The recipe can not be used.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The world can not be cut so.
    #[error(transparent)]
    Grid(#[from] TileGridError),
    /// The names of the tiles tell no format.
    #[error("tiles end in .{ending}, which is no format of heightmaps")]
    Ending {
        /// What their names end in.
        ending: String,
    },
    /// RAW says nothing of its numbers, so the layout must, and of no other format.
    #[error("tiles end in .{ending}, and their numbers are said to be {}", numbers(*found))]
    Raw {
        /// What the tiles' names end in.
        ending: String,
        /// What is said of their numbers.
        found: Option<RawFormat>,
    },
}

fn numbers(raw: Option<RawFormat>) -> String {
    raw.map_or("nothing".to_owned(), |RawFormat { sample, order }| {
        format!("{sample:?}, {order:?}").to_ascii_lowercase()
    })
}

/// Why bytes are not a tile.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TileFileError {
    /// They are a map of another size.
    #[error(
        "it is not the tile of {}x{} cells that tiles.ron tells of", expected.width(),
        expected.height()
    )]
    Size {
        /// The size of the tile.
        expected: MapSize,
        /// The size of the map.
        found: MapSize,
    },
    /// They are no map.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl TileLayout {
    /// Tiles of the recipe's world, each with `overlap` cells more of the next to the east and south,
    /// in files whose names end so, without a dot. `raw` is how RAW keeps its numbers, and `None` for
    /// all other formats.
    ///
    /// # Errors
    /// Says which of them can not be, or do not fit together.
    pub fn new(
        recipe: Recipe,
        tile: MapSize,
        overlap: u32,
        ending: impl Into<String>,
        raw: Option<RawFormat>,
    ) -> Result<Self, TileLayoutError> {
        let ending = ending.into();
        recipe.validate()?;
        let grid = TileGrid::new(recipe.size, tile, overlap)?;
        let Some(format) = Format::from_extension(&ending) else {
            return Err(TileLayoutError::Ending { ending });
        };
        let fixed = RawFormat::from_extension(&ending);
        let fits = fixed.is_none_or(|fixed| raw == Some(fixed));
        if !fits || raw.is_some() != (format == Format::Raw) {
            return Err(TileLayoutError::Raw { ending, found: raw });
        }
        Ok(Self {
            recipe,
            tile,
            overlap,
            ending,
            raw: raw.map(|raw| (raw.sample, raw.order)),
            format,
            grid,
        })
    }

    /// The recipe of the world.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The size of the world.
    pub fn size(&self) -> MapSize {
        self.recipe.size
    }

    /// Which tiles there are.
    pub fn grid(&self) -> TileGrid {
        self.grid
    }

    /// What the tiles' names end in, without a dot, which tells their format.
    pub fn ending(&self) -> &str {
        &self.ending
    }

    /// The format of the tiles. There may be no way to read it: [`Format::is_read`],
    /// [`Format::is_built_in`].
    pub fn format(&self) -> Format {
        self.format
    }

    /// How numbers are kept, where the format leaves that open: in RAW.
    pub fn raw_format(&self) -> Option<RawFormat> {
        self.raw.map(|(sample, order)| RawFormat { sample, order })
    }

    /// The name of a tile's file.
    pub fn file_name(&self, tile: TilePosition) -> String {
        tile.file_name(&self.ending)
    }

    /// The most bytes that a tile's file can have. Whoever reads it need not read further.
    pub fn longest(&self, tile: GridTile) -> u64 {
        let size = tile.window.size();
        self.raw_format()
            .map_or_else(|| longest(size), |raw| raw.bytes(size))
    }

    /// What the cells and heights of the world stand for.
    pub fn frame(&self) -> MapFrame {
        self.recipe.frame()
    }

    /// The same of a part of the world; `None` if it does not lie in the world.
    pub fn frame_of(&self, part: Window) -> Option<MapFrame> {
        let world = self.size();
        let inside = Window::new(part.x(), part.y(), part.size(), world)?;
        Some(self.frame().part(world, inside))
    }

    /// The heights of a tile, as the recipe has them, from the bytes of its file.
    ///
    /// # Errors
    /// When they are no map of the tiles' format and the tile's size.
    pub fn read(&self, tile: GridTile, bytes: &[u8]) -> Result<Heightmap, TileFileError> {
        if let Some(raw) = self.raw_format() {
            return Ok(read_raw(bytes, tile.window.size(), raw)?);
        }
        check_size(tile, size(bytes, self.format)?)?;
        let model = read(bytes, self.format, &ReadOptions::default())?;
        self.heights(tile, model)
    }

    /// The heights of a tile, as the recipe has them, from the map that was read from its file.
    ///
    /// # Errors
    /// When the map is not of the tile's size, or its heights become larger than numbers are.
    pub fn heights(
        &self,
        tile: GridTile,
        model: ElevationModel,
    ) -> Result<Heightmap, TileFileError> {
        let ElevationModel { heights, frame } = model;
        check_size(tile, heights.size())?;
        if !self.format.keeps_metres() {
            return Ok(heights);
        }
        // A tile of low ground alone does not look as if it were in metres.
        let own = match frame.elevation_is_said {
            true => frame.elevation,
            false => Elevation::METRES,
        };
        let recipes = self.frame().elevation;
        if own == recipes {
            return Ok(heights);
        }
        let back = |z: f32| ((own.metres(z) - recipes.offset) / recipes.relief) as f32;
        let size = heights.size();
        let heights = heights.into_heights().into_iter().map(back).collect();
        Ok(finite(size, heights)?)
    }
}

fn check_size(tile: GridTile, found: MapSize) -> Result<(), TileFileError> {
    let expected = tile.window.size();
    if found == expected {
        return Ok(());
    }
    Err(TileFileError::Size { expected, found })
}
