//! Errors of generating a terrain.

mod file;

use lanternfell_heightmap::{Canceled, ParamError, RecipeError, SizeError, TileError};
use lanternfell_surface::SizeMismatch;
use thiserror::Error;

pub use file::TerrainFileError;

/// An error of generating a terrain.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// The recipe is invalid.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The scale or a value in the metadata of a map is outside of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The map's cells are not square, and a map with square cells would be too large.
    #[error("terrain: cells are not square and cannot be resampled: {0}")]
    NotSquare(SizeError),
    /// The hole mask has another size than the map.
    #[error(transparent)]
    Holes(#[from] SizeMismatch),
    /// A file could not be used.
    #[error("terrain: `{path}`: {error}")]
    File {
        /// The path of the file in the `AssetServer`.
        path: String,
        /// What is wrong with the file.
        error: TerrainFileError,
    },
    /// The recipe of an [`EndlessTerrain`](crate::EndlessTerrain) has no plane.
    #[error(transparent)]
    Endless(#[from] TileError),
    /// The web worker failed. Contains its error message.
    #[error("terrain: {0}")]
    Worker(String),
    /// Files need an `AssetServer`, but there is none.
    #[error("terrain: files need Bevy's AssetPlugin, added before TerrainPlugin")]
    NoAssetServer,
}

impl From<SizeError> for TerrainError {
    fn from(error: SizeError) -> Self {
        Self::NotSquare(error)
    }
}

impl TerrainError {
    /// The error for an invalid image of a recipe that is not in a file.
    pub(crate) fn image(error: TerrainFileError) -> Self {
        let path = "the recipe".to_owned();
        Self::File { path, error }
    }
}

/// Why a background task has no result.
#[derive(Debug)]
pub(crate) enum Unmade {
    /// Newer work has started.
    Canceled,
    Failed(TerrainError),
}

impl From<Canceled> for Unmade {
    fn from(_: Canceled) -> Self {
        Self::Canceled
    }
}

impl From<TerrainError> for Unmade {
    fn from(error: TerrainError) -> Self {
        Self::Failed(error)
    }
}

impl From<TileError> for Unmade {
    fn from(error: TileError) -> Self {
        match error {
            TileError::Recipe(error) => error.into(),
            error => Self::Failed(error.into()),
        }
    }
}

impl From<RecipeError> for Unmade {
    fn from(error: RecipeError) -> Self {
        match error {
            RecipeError::Canceled(_) => Self::Canceled,
            error => Self::Failed(error.into()),
        }
    }
}
