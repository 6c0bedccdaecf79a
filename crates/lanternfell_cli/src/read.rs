//! Reading maps: from files, and from standard input.
//!
//! Neither is trusted. A file's length is compared with what a map of its size can need before
//! it is read; a pipe is read up to what the largest map can need.

use std::{
    fmt::Display,
    fs::File,
    io::{Error, ErrorKind, Read, Seek},
    path::{Path, PathBuf},
};

use lanternfell_heightmap::{
    Heightmap, MapSize, Scale,
    io::{self, Format, ImportError, RawFormat, ReadOptions, Sidecar},
};

use crate::{args::MapArgs, failure::Failure, source};

/// A map in a file, and the scale that the file tells.
pub(crate) fn file(
    path: &Path,
    arguments: &MapArgs,
) -> Result<(Heightmap, Option<Scale>), Failure> {
    let ending = source::extension(path).unwrap_or_default();
    let format = Format::from_extension(&ending);
    let Some(format) = format.filter(|format| format.is_read()) else {
        let what = format.map_or("it is no heightmap".to_owned(), |format| {
            format!("{format} is written, not read")
        });
        return Err(Failure::Usage(format!("{}: {what}", path.display())));
    };
    if format != Format::Raw {
        no_raw_options(arguments)?;
        no_size(arguments, &ending)?;
        let mut file = Input::open(path)?;
        file.check_length(format)?;
        let options = options(arguments);
        let map = io::read(&file.read()?, format, &options);
        return Ok((map.map_err(|error| import(path, error))?, None));
    }
    raw(path, RawFormat::from_extension(&ending), arguments)
}

/// A map in bytes of that format.
pub(crate) fn bytes(
    bytes: &[u8],
    format: Format,
    arguments: &MapArgs,
) -> Result<Heightmap, Failure> {
    if format != Format::Raw {
        no_raw_options(arguments)?;
        no_size(arguments, format.name())?;
    }
    let options = ReadOptions {
        raw: arguments.raw.format(),
        ..options(arguments)
    };
    io::read(bytes, format, &options).map_err(|error| import(Path::new("-"), error))
}

/// A file without a header: its size is given, or stands in the sidecar.
fn raw(
    path: &Path,
    fixed: Option<RawFormat>,
    arguments: &MapArgs,
) -> Result<(Heightmap, Option<Scale>), Failure> {
    if fixed.is_some() {
        no_raw_options(arguments)?;
    }
    let beside = sidecar_path(path);
    let Some(size) = arguments.change.size else {
        if !beside.is_file() {
            return Err(Failure::Usage(format!(
                "{} has no header: say its --size, as --size 512x512",
                path.display()
            )));
        }
        return with_sidecar(path, &beside, arguments);
    };
    let format = fixed.unwrap_or(arguments.raw.format());
    let bytes = Input::open(path)?.read_exactly(format.bytes(size))?;
    let map = io::read_raw(&bytes, size, format);
    Ok((map.map_err(|error| import(path, error))?, None))
}

fn with_sidecar(
    path: &Path,
    beside: &Path,
    arguments: &MapArgs,
) -> Result<(Heightmap, Option<Scale>), Failure> {
    no_raw_options(arguments)?;
    let mut file = Input::open(beside)?;
    if file.length > LONGEST_SIDECAR {
        return Err(file.wrong("it is too long for a sidecar"));
    }
    let sidecar = Sidecar::parse(&file.read()?).map_err(|error| import(beside, error))?;
    let bytes = Input::open(path)?.read_exactly(sidecar.format.bytes(sidecar.size))?;
    let map = sidecar.read(&bytes).map_err(|error| import(path, error))?;
    Ok((map, Some(sidecar.scale)))
}

/// Longer JSON is no sidecar: it has nine fields.
const LONGEST_SIDECAR: u64 = 1 << 16;

/// The file that says what a RAW file holds: its name, and `.json`.
pub(crate) fn sidecar_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

fn options(arguments: &MapArgs) -> ReadOptions {
    ReadOptions {
        size: arguments.change.size,
        fill: arguments.fill,
        ..ReadOptions::default()
    }
}

fn import(path: &Path, error: ImportError) -> Failure {
    let path = path.to_owned();
    Failure::Import { path, error }
}

/// Options for reading files are mistakes where no file is read.
pub(crate) fn no_options(arguments: &MapArgs) -> Result<(), Failure> {
    no_raw_options(arguments)?;
    if arguments.fill.is_none() {
        return Ok(());
    }
    let wrong = "--fill is for .tif and .asc files only";
    Err(Failure::Usage(wrong.to_owned()))
}

fn no_raw_options(arguments: &MapArgs) -> Result<(), Failure> {
    if !arguments.raw.given() {
        return Ok(());
    }
    let wrong = "--raw-format and --big-endian are for .raw files only";
    Err(Failure::Usage(wrong.to_owned()))
}

fn no_size(arguments: &MapArgs, what: &str) -> Result<(), Failure> {
    if arguments.change.size.is_none() {
        return Ok(());
    }
    let dot = if what.contains(char::is_lowercase) {
        "."
    } else {
        ""
    };
    Err(Failure::Usage(format!(
        "--size is not for {dot}{what}, which knows its own size"
    )))
}

/// All of standard input.
pub(crate) fn standard_input() -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Read {
        path: "-".into(),
        error,
    };
    let mut bytes = Vec::new();
    let most = longest(MapSize::MAX_SIDE.into(), MapSize::MAX_SIDE.into());
    let read = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
    read.map_err(failed)?;
    if bytes.len() as u64 == most {
        return Err(failed(Error::from(ErrorKind::FileTooLarge)));
    }
    Ok(bytes)
}

/// The bytes that a map of that size can need in any format: 64 for each cell, which is twice
/// what the longest number takes as text, and some for comments and profiles.
fn longest(width: u64, height: u64) -> u64 {
    64 * width * height + (16 << 20)
}

/// A file to be read whole, once its length pleases.
pub(crate) struct Input<'a> {
    path: &'a Path,
    file: File,
    /// Bytes.
    pub(crate) length: u64,
}

impl<'a> Input<'a> {
    /// Opens a file, and nothing else: opening a pipe would wait for whoever writes to it.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Failure> {
        let failed = |error| Failure::Read {
            path: path.to_owned(),
            error,
        };
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(Error::other("it is not a file")));
        }
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Self { path, file, length })
    }

    /// The first `count` bytes, or all when there are fewer. They are read again later.
    fn header(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::with_capacity(count);
        let read = (&self.file).take(count as u64).read_to_end(&mut bytes);
        read.and_then(|_| self.file.rewind())
            .map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// All bytes; even if the file grows meanwhile, no more than `length`.
    pub(crate) fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = usize::try_from(self.length)
            .map_err(|_| Error::from(ErrorKind::OutOfMemory))
            .and_then(|length| Ok(bytes.try_reserve_exact(length)?))
            .and_then(|()| (&self.file).take(self.length).read_to_end(&mut bytes));
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// An error when the file is longer than a map of its size can be.
    ///
    /// A TIFF keeps its size anywhere, so its length is compared with the largest map's.
    fn check_length(&mut self, format: Format) -> Result<(), Failure> {
        let (width, height) = if format == Format::Tiff {
            (MapSize::MAX_SIDE.into(), MapSize::MAX_SIDE.into())
        } else {
            let header = self.header(io::HEADER)?;
            let size = io::size(&header, format).map_err(|error| import(self.path, error))?;
            size.into()
        };
        if self.length <= longest(width, height) {
            return Ok(());
        }
        Err(self.wrong(format_args!(
            "it is too long for a heightmap of {width}x{height}"
        )))
    }

    /// All bytes of a file that must have so many.
    fn read_exactly(&mut self, expected: u64) -> Result<Vec<u8>, Failure> {
        let found = self.length;
        if found != expected {
            let error = ImportError::Length { expected, found };
            return Err(import(self.path, error));
        }
        self.read()
    }

    fn failed(&self, error: Error) -> Failure {
        Failure::Read {
            path: self.path.to_owned(),
            error,
        }
    }

    pub(crate) fn wrong(&self, what: impl Display) -> Failure {
        Failure::Usage(format!("{}: {what}", self.path.display()))
    }
}
