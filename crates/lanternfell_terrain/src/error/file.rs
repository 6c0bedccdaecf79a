//! Errors of loading a terrain file.

use bevy::asset::{AssetLoadError, io::AssetReaderError};
use lanternfell_heightmap::{ParamError, RecipeError};
use lanternfell_io::{
    ImportError,
    tiles::{TileFileError, TileManifestError},
};
use thiserror::Error;

/// An error of loading a terrain file.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TerrainFileError {
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// The file is not a map, or is damaged.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The recipe is invalid.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The file does not describe a tile folder.
    #[error(transparent)]
    Tiles(#[from] TileManifestError),
    /// The file is not the expected tile.
    #[error(transparent)]
    Tile(#[from] TileFileError),
    /// A value in the metadata of the map is outside of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The recipe or tile description is not UTF-8 text.
    #[error("expected UTF-8 text")]
    NotText,
    /// The file is longer than its type allows.
    #[error("the file is longer than {most} bytes, the maximum for its type")]
    TooLong {
        /// The maximum size in bytes.
        most: u64,
    },
    /// The type of the file could not be detected.
    #[error("unknown file type: expected a heightmap in a supported format or a recipe (.ron)")]
    Unknown,
    /// An image of a recipe is invalid.
    #[error("image `{name}`: {why}")]
    Image {
        /// The name of the image in the recipe.
        name: String,
        /// What is wrong with the image.
        why: &'static str,
    },
    /// A recipe is used as an image.
    #[error("expected a heightmap, found a recipe")]
    NotAMap,
    /// The file could not be read.
    #[error("{0}")]
    Read(String),
}

impl From<&AssetLoadError> for TerrainFileError {
    /// Returns the loader's own error. Other errors are converted to a one-line message.
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
    /// Creates an error with a one-line message.
    pub(crate) fn read(error: impl std::fmt::Display) -> Self {
        let error = error.to_string();
        let words: Vec<&str> = error.split_whitespace().collect();
        Self::Read(words.join(" "))
    }
}
