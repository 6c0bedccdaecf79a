//! Everything that can go wrong, said in one line each.

use std::path::{Path, PathBuf};

use lanternfell_heightmap::{
    Cancelled, GenerateError, MapSize, ParamError, RecipeError, SetError, TileError,
    climate::TableError,
};
use lanternfell_io::{ExportError, Format, ImportError};
use lanternfell_render::RenderError;
use thiserror::Error;

use crate::path::extension;

/// Why a command did not do what it was asked for.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Ctrl-C.
    #[error("cancelled")]
    Cancelled,
    /// Ctrl-C, when something had been written that stays; this says what.
    #[error("{0}")]
    Stopped(String),
    /// The arguments do not fit together.
    #[error("{0}")]
    Usage(String),
    /// A `--set` that no generator understands.
    #[error(transparent)]
    Set(#[from] SetError),
    /// A parameter is out of range.
    #[error(transparent)]
    Recipe(RecipeError),
    /// A recipe can not be made so small or so large.
    #[error(
        "{error}; the recipe is for {}x{} cells: `lanternfell generate --resize` shows its land \
         in fewer or more",
        own_size.width(),
        own_size.height()
    )]
    RecipeSize {
        /// What is wrong with it.
        error: RecipeError,
        /// Where it would be right.
        own_size: MapSize,
    },
    /// A recipe can not be made in tiles.
    #[error(transparent)]
    Tile(TileError),
    /// A measure's or filter's parameter is out of range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A table of biomes can not be used.
    #[error(transparent)]
    Biomes(TableError),
    /// The recipe in this file can not be used.
    #[error("{}: {error}", path.display())]
    RecipeFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: RecipeError,
    },
    /// This file could not be read.
    #[error("can not read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// This file is no heightmap.
    #[error("{}: {error}{}", path.display(), remedy(path, error))]
    Import {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ImportError,
    },
    /// This file could not be written.
    #[error("can not write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The map can not be written in this format.
    #[error(transparent)]
    Export(ExportError),
    /// A setting of the picture is out of range.
    #[error(transparent)]
    Render(RenderError),
    /// So many threads can not be started.
    #[error("can not start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Ctrl-C can not be listened to.
    #[error("can not listen for Ctrl-C: {0}")]
    Signals(#[from] ctrlc::Error),
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<RecipeError> for Failure {
    fn from(error: RecipeError) -> Self {
        match error {
            RecipeError::Cancelled(_) => Self::Cancelled,
            error => Self::Recipe(error),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Cancelled(_) => Self::Cancelled,
            GenerateError::Param(error) => Self::Param(error),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Cancelled(_) => Self::Cancelled,
            TableError::Param(error) => Self::Param(error),
            error => Self::Biomes(error),
        }
    }
}

impl From<TileError> for Failure {
    fn from(error: TileError) -> Self {
        match error {
            TileError::Recipe(error) => error.into(),
            error => Self::Tile(error),
        }
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Cancelled(_) => Self::Cancelled,
            error => Self::Render(error),
        }
    }
}

/// What can be done about a file that is not read as it is.
fn remedy(path: &Path, error: &ImportError) -> &'static str {
    let format = extension(path).and_then(|ending| Format::from_extension(&ending));
    match error {
        ImportError::Gap { .. } => " (--fill interpolate, or --fill Z)",
        ImportError::NotFinite { height, .. }
            if height.is_nan() && format.is_some_and(Format::has_gaps) =>
        {
            ": if that is a gap, fill it by --fill interpolate or --fill Z"
        }
        _ => "",
    }
}
