//! The layout of a folder of tiles: everything that determines their bytes, and the conversion from bytes back to
//! heights.
//!
//! Heights are those of the recipe, for any format of the tiles. Integer formats and RAW store them unchanged. Formats
//! in meters (TIFF, OpenEXR, ESRI ASCII grid, XYZ) are converted back with the recipe's relief, and integers of a range
//! of meters with the range.

use serde::Serialize;
use thiserror::Error;

use super::{GridTile, TileGrid, TileGridError, TilePosition};
use crate::{
    ByteOrder, Format, HeightRange, ImportError, Numbers, RawFormat, ReadOptions, Sample, finite,
    max_file_size, read, read_raw, size,
};
use lanternfell_heightmap::{
    Elevation, ElevationModel, Heightmap, MapFrame, MapRegion, MapSize, Recipe, RecipeError,
};

/// Everything that determines the bytes of a folder's tiles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileLayout {
    recipe: Recipe,
    tile: MapSize,
    overlap: u32,
    extension: String,
    raw: Option<(Sample, ByteOrder)>,
    /// The heights in meters of 0 and the largest integer.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<(f64, f64)>,
    /// The name of the texture of mesh tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    texture: Option<String>,
    #[serde(skip)]
    format: Format,
    #[serde(skip)]
    grid: TileGrid,
}

/// The error of an invalid layout.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TileLayoutError {
    /// The recipe is invalid.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The world cannot be divided into such tiles.
    #[error(transparent)]
    Grid(#[from] TileGridError),
    /// The file extension is not that of a supported format.
    #[error("the tiles have the extension .{extension}, which is not a supported heightmap format")]
    Extension {
        /// The file extension.
        extension: String,
    },
    /// The number format does not match the extension. RAW needs one, and other formats must not have one.
    #[error("the number format of .{extension} tiles cannot be {}", numbers(*found))]
    Raw {
        /// The file extension.
        extension: String,
        /// The number format given.
        found: Option<RawFormat>,
    },
    /// The range of integers is not a range of heights, or the tiles are not integers.
    #[error("the tiles cannot have the range from {low} to {high} m: {allowed}")]
    Range {
        /// The height of 0 in meters.
        low: f64,
        /// The height of the largest integer in meters.
        high: f64,
        /// What is allowed.
        allowed: &'static str,
    },
}

fn numbers(raw: Option<RawFormat>) -> String {
    raw.map_or("unspecified".to_owned(), |RawFormat { sample, order }| {
        format!("{sample:?}, {order:?}").to_ascii_lowercase()
    })
}

/// The error of reading a tile.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TileFileError {
    /// The map has the wrong size.
    #[error(
        "it does not have the size of {}x{} cells that tiles.ron specifies", expected.width(),
        expected.height()
    )]
    Size {
        /// The size of the tile.
        expected: MapSize,
        /// The size of the map.
        found: MapSize,
    },
    /// The bytes are not a map.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl TileLayout {
    /// Creates a layout for the world of a recipe.
    ///
    /// Each tile has `overlap` more cells in the east and south, which it shares with the next tile. `extension` is the
    /// file extension, without a dot. `raw` is the number format of RAW, and `None` for all other formats.
    ///
    /// # Errors
    /// When an argument is invalid, or `extension` and `raw` do not match.
    pub fn new(
        recipe: Recipe,
        tile: MapSize,
        overlap: u32,
        extension: impl Into<String>,
        raw: Option<RawFormat>,
    ) -> Result<Self, TileLayoutError> {
        let extension = extension.into();
        recipe.validate()?;
        let grid = TileGrid::new(recipe.size, tile, overlap)?;
        let format = Format::from_extension(&extension);
        let Some(format) = format.filter(|format| format.is_written()) else {
            return Err(TileLayoutError::Extension { extension });
        };
        let fixed = RawFormat::from_extension(&extension);
        let fits = fixed.is_none_or(|fixed| raw == Some(fixed));
        // Heights of the recipe are stored unchanged, so whole meters are too coarse.
        let is_meters = raw.is_some_and(|raw| raw.sample == Sample::I16);
        if !fits || is_meters || raw.is_some() != (format == Format::Raw) {
            return Err(TileLayoutError::Raw {
                extension,
                found: raw,
            });
        }
        Ok(Self {
            recipe,
            tile,
            overlap,
            extension,
            raw: raw.map(|raw| (raw.sample, raw.order)),
            range: None,
            texture: None,
            format,
            grid,
        })
    }

    /// Returns the layout with integers from 0 to the largest that represent heights from `low` to `high` meters, as
    /// [`WriteOptions::range`](crate::WriteOptions::range) writes them. With `None`, the default, they represent heights
    /// from 0 to 1 of the recipe.
    ///
    /// # Errors
    /// When `low` is not below `high`, one of them is not finite, or the tiles do not store integers.
    pub fn with_range(self, range: Option<[f64; 2]>) -> Result<Self, TileLayoutError> {
        if let Some([low, high]) = range {
            let wrong = |allowed| TileLayoutError::Range { low, high, allowed };
            let clamp = false;
            let whole = HeightRange { low, high, clamp }.validate();
            whole.map_err(|_| wrong("the first must be below the second, and both finite"))?;
            if !self.is_whole() {
                return Err(wrong("only integer formats have a range"));
            }
        }
        let range = range.map(<(f64, f64)>::from);
        Ok(Self { range, ..self })
    }

    /// Returns the layout with the name of the texture that the tiles have, if they are meshes.
    #[must_use]
    pub fn with_texture(self, texture: Option<String>) -> Self {
        Self { texture, ..self }
    }

    /// Returns the recipe of the world.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns the size of the world.
    pub fn size(&self) -> MapSize {
        self.recipe.size
    }

    /// Returns the grid of tiles.
    pub fn grid(&self) -> TileGrid {
        self.grid
    }

    /// Returns the file extension of the tiles, without a dot. It determines their format.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Returns the format of the tiles. It may be unreadable: see [`Format::is_read`] and [`Format::is_built_in`].
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the number format of RAW tiles, and `None` for other formats.
    pub fn raw_format(&self) -> Option<RawFormat> {
        self.raw.map(|(sample, order)| RawFormat { sample, order })
    }

    /// Returns the heights in meters that 0 and the largest integer represent, if they are not those of the recipe's
    /// heights 0 and 1.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.range.map(<[f64; 2]>::from)
    }

    /// Returns the name of the texture of mesh tiles.
    pub fn texture(&self) -> Option<&str> {
        self.texture.as_deref()
    }

    /// Returns whether the tiles store integers, for heights from 0 to 1.
    fn is_whole(&self) -> bool {
        match self.format.numbers() {
            Numbers::Integer => true,
            Numbers::Selectable => self.raw.is_some_and(|(sample, _)| sample.is_fraction()),
            Numbers::Float => false,
        }
    }

    /// Returns the file name of a tile.
    pub fn file_name(&self, tile: TilePosition) -> String {
        tile.file_name(&self.extension)
    }

    /// Returns the maximum length in bytes of a tile's file. A reader can stop there.
    pub fn max_file_size(&self, tile: GridTile) -> u64 {
        let size = tile.region.size();
        self.raw_format()
            .map_or_else(|| max_file_size(size), |raw| raw.bytes(size))
    }

    /// Returns the frame of the world.
    pub fn frame(&self) -> MapFrame {
        self.recipe.frame()
    }

    /// Returns the frame of a region of the world, or `None` if it is not inside of the world.
    pub fn frame_of(&self, part: MapRegion) -> Option<MapFrame> {
        let world = self.size();
        let inside = MapRegion::new(part.x(), part.y(), part.size(), world)?;
        Some(self.frame().part(world, inside))
    }

    /// Reads the heights of a tile, as the recipe defines them, from the bytes of its file.
    ///
    /// # Errors
    /// When the bytes are not a map of the tiles' format and the tile's size.
    pub fn read(&self, tile: GridTile, bytes: &[u8]) -> Result<Heightmap, TileFileError> {
        if let Some(raw) = self.raw_format() {
            let heights = read_raw(bytes, tile.region.size(), raw)?;
            return self.heights_of_numbers(heights);
        }
        check_size(tile, size(bytes, self.format)?)?;
        let model = read(bytes, self.format, &ReadOptions::default())?;
        self.heights(tile, model)
    }

    /// Converts the map that was read from a tile's file to the heights of the tile, as the recipe defines them.
    ///
    /// # Errors
    /// When the map does not have the size of the tile, or a height overflows `f32`.
    pub fn heights(
        &self,
        tile: GridTile,
        model: ElevationModel,
    ) -> Result<Heightmap, TileFileError> {
        let ElevationModel { heights, frame } = model;
        check_size(tile, heights.size())?;
        if !self.format.keeps_meters() {
            return self.heights_of_numbers(heights);
        }
        // A tile of low terrain may only have heights from 0 to 1 m, so it was not recognized as meters.
        let own = match frame.elevation_is_explicit {
            true => frame.elevation,
            false => Elevation::METERS,
        };
        let recipes = self.frame().elevation;
        if own == recipes {
            return Ok(heights);
        }
        self.of_elevation(heights, own)
    }

    /// Converts the numbers of a RAW tile, or of some of its rows, to heights of the recipe. Integers are numbers from 0
    /// to 1, as [`read_raw`] returns them.
    ///
    /// # Errors
    /// When a height overflows `f32`.
    pub fn heights_of_numbers(&self, heights: Heightmap) -> Result<Heightmap, TileFileError> {
        let Some((low, high)) = self.range else {
            return Ok(heights);
        };
        let (offset, relief) = (low, high - low);
        self.of_elevation(heights, Elevation { offset, relief })
    }

    /// Converts heights with another elevation to those of the recipe.
    fn of_elevation(&self, heights: Heightmap, own: Elevation) -> Result<Heightmap, TileFileError> {
        let recipes = self.frame().elevation;
        let back = |z: f32| ((own.meters(z) - recipes.offset) / recipes.relief) as f32;
        let size = heights.size();
        let heights = heights.into_heights().into_iter().map(back).collect();
        Ok(finite(size, heights)?)
    }
}

fn check_size(tile: GridTile, found: MapSize) -> Result<(), TileFileError> {
    let expected = tile.region.size();
    if found == expected {
        return Ok(());
    }
    Err(TileFileError::Size { expected, found })
}
