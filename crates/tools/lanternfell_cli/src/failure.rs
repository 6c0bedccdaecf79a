//! All errors of the program. Each message has one line.

use std::path::{Path, PathBuf};

use lanternfell_edits::ReadError;
use lanternfell_heightmap::{
    Canceled, GenerateError, MapSize, ParamError, RecipeError, SetError, TileError,
    climate::TableError,
};
use lanternfell_io::{ExportError, Format, ImportError, PngEncoding};
use lanternfell_render::RenderError;
use thiserror::Error;

use crate::path::extension;

/// Why a command failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Canceled with Ctrl-C.
    #[error("canceled")]
    Canceled,
    /// Canceled with Ctrl-C after files were written that stay. The message describes them.
    #[error("{0}")]
    Stopped(String),
    /// The arguments are invalid or contradict each other.
    #[error("{0}")]
    Usage(String),
    /// A `--set` with an unknown parameter or an invalid value.
    #[error(transparent)]
    Set(#[from] SetError),
    /// A parameter is outside its range.
    #[error(transparent)]
    Recipe(RecipeError),
    /// The recipe does not work for such a small or large map.
    #[error(
        "{error}; the recipe is made for {}x{} cells: to get more or fewer cells of the same area, use \
         `lanternfell generate --resize`",
        own_size.width(),
        own_size.height()
    )]
    RecipeSize {
        /// The error.
        error: RecipeError,
        /// The size for which the recipe was made.
        own_size: MapSize,
    },
    /// The recipe cannot be generated in tiles.
    #[error(transparent)]
    Tile(TileError),
    /// A parameter of a measure or filter is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A table of biomes is invalid.
    #[error(transparent)]
    Biomes(TableError),
    /// The recipe in a file is invalid.
    #[error("{}: {error}", path.display())]
    RecipeFile {
        /// The file.
        path: PathBuf,
        /// The error.
        error: RecipeError,
    },
    /// A file could not be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A file is not a valid heightmap.
    #[error("{}: {}{}", path.display(), described(error), remedy(path, error))]
    Import {
        /// The file.
        path: PathBuf,
        /// The error.
        error: ImportError,
    },
    /// A file is not a valid log of edits.
    #[error("{}: {}", path.display(), of_log(error))]
    Edits {
        /// The file.
        path: PathBuf,
        /// The error.
        error: ReadError,
    },
    /// A file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The map cannot be written in this format.
    #[error(transparent)]
    Export(ExportError),
    /// An option of the image is outside its range.
    #[error(transparent)]
    Render(RenderError),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The handler for Ctrl-C could not be installed.
    #[error("cannot handle Ctrl-C: {0}")]
    Signals(#[from] ctrlc::Error),
}

impl From<Canceled> for Failure {
    fn from(_: Canceled) -> Self {
        Self::Canceled
    }
}

impl From<RecipeError> for Failure {
    fn from(error: RecipeError) -> Self {
        match error {
            RecipeError::Canceled(_) => Self::Canceled,
            error => Self::Recipe(error),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Canceled(_) => Self::Canceled,
            GenerateError::Param(error) => Self::Param(error),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Canceled(_) => Self::Canceled,
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
            RenderError::Canceled(_) => Self::Canceled,
            error => Self::Render(error),
        }
    }
}

/// Returns the error of a file, in terms of this program's options.
fn described(error: &ImportError) -> String {
    match error {
        ImportError::Several { option, found } => {
            format!("the file has {found}: select one with --{option}")
        }
        ImportError::NotThere {
            option,
            value,
            found,
        } => format!("--{option} is {value}, but the file has {found}"),
        _ => error.to_string(),
    }
}

/// Returns the error of a log of edits, with its cause.
fn of_log(error: &ReadError) -> String {
    match error {
        ReadError::Foreign => "the file is not a log of edits (.edits)".to_owned(),
        ReadError::Entry(cause) => format!("{error}: {cause}"),
        _ => error.to_string(),
    }
}

/// Returns options that solve the problem with a file, to be appended to the error.
fn remedy(path: &Path, error: &ImportError) -> &'static str {
    let format = extension(path).and_then(|ending| Format::from_extension(&ending));
    match error {
        ImportError::Gap { .. } => " (--fill interpolate or --fill Z)",
        ImportError::Encoded { encoding } => match encoding {
            PngEncoding::Terrarium => " (--encoding terrarium)",
            PngEncoding::Mapbox => " (--encoding mapbox)",
        },
        ImportError::NotFinite { .. } if format.is_some_and(Format::has_gaps) => {
            ": if it means no data, use --fill interpolate or --fill Z"
        }
        _ => "",
    }
}
