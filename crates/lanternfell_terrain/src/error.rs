//! Why a terrain was not made.

mod file;

use lanternfell_heightmap::{Cancelled, ParamError, RecipeError, SizeError, TileError};
use lanternfell_surface::SizeMismatch;
use thiserror::Error;

pub use file::TerrainFileError;

/// Why a terrain was not made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainError {
    /// The recipe can not be used.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The scale is no scale, or what is known about a map is out of its range.
    #[error("terrain: {0}")]
    Param(#[from] ParamError),
    /// The map's cells are not square, and there can be none of the same ground whose are.
    #[error("terrain: its cells are not square, and with such that are its {0}")]
    NotSquare(#[from] SizeError),
    /// The holes are those of a map of another size.
    #[error("terrain: {0}")]
    Holes(#[from] SizeMismatch),
    /// A file could not be used.
    #[error("terrain: `{path}`: {error}")]
    File {
        /// The file's path, as the `AssetServer` has it.
        path: String,
        /// What is wrong with it.
        error: TerrainFileError,
    },
    /// The recipe of an [`EndlessTerrain`](crate::EndlessTerrain) has no plane.
    #[error(transparent)]
    Endless(#[from] TileError),
    /// In a browser's worker something went wrong: what, in its own words.
    #[error("terrain: {0}")]
    Worker(String),
    /// There is no `AssetServer` to read files.
    #[error("terrain: files need Bevy's AssetPlugin, added before TerrainPlugin")]
    NoAssetServer,
}

impl TerrainError {
    /// A recipe in no file names an image that can not be one.
    pub(crate) fn image(error: TerrainFileError) -> Self {
        let path = "the recipe".to_owned();
        Self::File { path, error }
    }
}

/// Why there is no ground.
#[derive(Debug)]
pub(crate) enum Unmade {
    /// Newer work has begun.
    Cancelled,
    Failed(TerrainError),
}

impl From<Cancelled> for Unmade {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
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
            RecipeError::Cancelled(_) => Self::Cancelled,
            error => Self::Failed(error.into()),
        }
    }
}
