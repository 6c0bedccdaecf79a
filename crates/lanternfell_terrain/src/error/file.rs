//! Why a file is no ground.

use bevy::asset::{AssetLoadError, io::AssetReaderError};
use lanternfell_heightmap::{ParamError, RecipeError};
use lanternfell_io::{
    ImportError,
    tiles::{TileFileError, TileManifestError},
};
use thiserror::Error;

/// Why a file is no ground.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainFileError {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// It is no map, or one that is damaged.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// It is a recipe that can not be used.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// It is no description of a folder of tiles.
    #[error(transparent)]
    Tiles(#[from] TileManifestError),
    /// It is not the tile that it should be.
    #[error(transparent)]
    Tile(#[from] TileFileError),
    /// What it says about its map is out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// It is a recipe, but no text in UTF-8.
    #[error("a recipe is text in UTF-8, and this is none")]
    NotText,
    /// It is longer than a file of its kind can be.
    #[error("it is longer than the {most} bytes that such a file has at most")]
    TooLong {
        /// The most bytes that there may be.
        most: u64,
    },
    /// Neither its name nor its beginning tells what it is.
    #[error("it is neither a map in a format that is known nor a recipe, which ends in .ron")]
    Unknown,
    /// A recipe names an image that can not be one.
    #[error("image `{name}`: {why}")]
    Image {
        /// Its name in the recipe.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// It stands for an image, and is a recipe.
    #[error("an image is a map, and this is a recipe")]
    NotAMap,
    /// It could not be read.
    #[error("{0}")]
    Read(String),
}

impl From<&AssetLoadError> for TerrainFileError {
    /// The loader's own error, and of all others the words, in one line.
    fn from(error: &AssetLoadError) -> Self {
        match error {
            AssetLoadError::AssetReaderError(AssetReaderError::NotFound(_)) => Self::Missing,
            AssetLoadError::AssetLoaderError(inner) => {
                let own = inner.error().downcast_ref::<Self>();
                own.cloned().unwrap_or_else(|| Self::read(error))
            }
            _ => Self::read(error),
        }
    }
}

impl TerrainFileError {
    /// It could not be read, in one line.
    pub(crate) fn read(error: impl std::fmt::Display) -> Self {
        let error = error.to_string();
        let words: Vec<&str> = error.split_whitespace().collect();
        Self::Read(words.join(" "))
    }
}
