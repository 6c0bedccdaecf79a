//! Reading maps: from files, and from standard input and other pipes that are open already.
//!
//! Neither is trusted. A file's length is compared with what a map of its size can need before
//! it is read; a pipe is read up to what the largest map can need. A named pipe in a folder is
//! refused: opening it would wait for whoever writes to it.

use std::{
    fmt::Display,
    fs::File,
    io::{Error, ErrorKind, Read, Seek, SeekFrom},
    path::Path,
};

use lanternfell_heightmap::{ElevationModel, MapFrame, MapSize};
use lanternfell_io::{self as io, Beside, Format, ImportError, RawFormat, ReadOptions, Sidecar};

use crate::{
    args::MapArgs,
    failure::Failure,
    job::waiting,
    path::{extension, sidecar_path, usual_endings},
};

/// A map in a file.
pub(crate) fn file(path: &Path, arguments: &MapArgs) -> Result<ElevationModel, Failure> {
    let ending = extension(path).unwrap_or_default();
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
        no_fill(arguments, format)?;
        let mut file = Input::open(path)?;
        file.check_length(format)?;
        let map = parse(&file.read()?, format, &options(arguments), path)?;
        return told_beside(map, format, path);
    }
    raw(path, RawFormat::from_extension(&ending), arguments)
}

/// A map in bytes of that format.
pub(crate) fn bytes(
    bytes: &[u8],
    format: Format,
    arguments: &MapArgs,
) -> Result<ElevationModel, Failure> {
    if format != Format::Raw {
        no_raw_options(arguments)?;
        no_size(arguments, format.name())?;
    }
    no_fill(arguments, format)?;
    let options = ReadOptions {
        raw: arguments.raw.format(),
        ..options(arguments)
    };
    parse(bytes, format, &options, Path::new(&arguments.source))
}

pub(crate) fn parse(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    path: &Path,
) -> Result<ElevationModel, Failure> {
    io::read(bytes, format, options).map_err(|error| import(path, error))
}

/// The map, with what stands beside its file told.
fn told_beside(
    map: ElevationModel,
    format: Format,
    path: &Path,
) -> Result<ElevationModel, Failure> {
    let frame = frame_beside(map.frame, map.size(), format, path)?;
    Ok(frame.of(map.heights))
}

/// The frame of a map of this size with what stands beside its file: all of it in a sidecar, or else its place, in
/// a world file, and its coordinate system, in a `.prj` or GDAL's `.aux.xml`. A file that says its place itself and has room for the system
/// has none if it says none.
pub(crate) fn frame_beside(
    mut frame: MapFrame,
    size: MapSize,
    format: Format,
    path: &Path,
) -> Result<MapFrame, Failure> {
    if let Some(told) = frame_in_sidecar(size, format, path) {
        return Ok(told);
    }
    let file = path.file_name().and_then(|name| name.to_str());
    let mut lacks_system = format == Format::Ascii;
    for kind in [Beside::WorldFile, Beside::Projection, Beside::Gdal] {
        // GDAL notes beside a TIFF too what that does not tell.
        if kind == Beside::Projection && !lacks_system {
            continue;
        }
        let names = file.map_or(Vec::new(), |file| kind.names(file, format, &frame));
        let mut paths = names.iter().map(|name| path.with_file_name(name));
        if let Some(beside) = paths.find(|path| path.is_file()) {
            if kind == Beside::Gdal && !is_small(&beside) {
                // Of statistics and colors, which many hold.
                continue;
            }
            let bytes = small(&beside, "a place on the ground")?;
            let told = kind.tell_place(frame, size, &bytes);
            frame = told.map_err(|error| import(&beside, error))?;
            lacks_system = true;
        }
    }
    Ok(frame)
}

/// What a sidecar tells of the map beside it. One of another size, or of a RAW file, is not this map's.
fn frame_in_sidecar(size: MapSize, format: Format, path: &Path) -> Option<MapFrame> {
    let beside = sidecar_path(path);
    if !has_sidecar(format) || !beside.is_file() {
        return None;
    }
    let sidecar = sidecar(&beside).ok()?;
    let is_its_own = sidecar.format.is_none() && sidecar.size == size;
    is_its_own.then_some(sidecar.frame)
}

/// A file that is not plain numbers, its length in bytes, and its format, to be read from its beginning;
/// `None` if it is another file.
pub(crate) fn packed(
    path: &Path,
    arguments: &MapArgs,
) -> Result<Option<(File, u64, Format)>, Failure> {
    let ending = extension(path).unwrap_or_default();
    let format = Format::from_extension(&ending);
    let Some(format) = format.filter(|&format| format.is_read() && format != Format::Raw) else {
        return Ok(None);
    };
    no_raw_options(arguments)?;
    no_size(arguments, &ending)?;
    no_fill(arguments, format)?;
    let mut file = Input::open(path)?;
    file.check_length(format)?;
    Ok(Some((file.file, file.length, format)))
}

/// What is told of the map in a PNG of this size: in itself, or rather beside it.
pub(crate) fn frame_of_png(
    text: Option<&[u8]>,
    size: MapSize,
    path: &Path,
) -> Result<MapFrame, Failure> {
    let own = text.map(Sidecar::parse).transpose();
    let own = own.map_err(|error| import(path, error))?;
    let own = own.filter(|sidecar| sidecar.size == size);
    let own = own.map_or_else(|| MapFrame::of_size(size), |sidecar| sidecar.frame);
    frame_beside(own, size, Format::Png, path)
}

/// Whether a sidecar may stand beside files of this format: a TIFF says everything itself.
pub(crate) fn has_sidecar(format: Format) -> bool {
    format.is_read() && format != Format::Tiff
}

/// A file without a header: its size is given, or stands in the sidecar.
fn raw(
    path: &Path,
    fixed: Option<RawFormat>,
    arguments: &MapArgs,
) -> Result<ElevationModel, Failure> {
    if fixed.is_some() {
        no_raw_options(arguments)?;
    }
    no_fill(arguments, Format::Raw)?;
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
    let options = ReadOptions {
        size: Some(size),
        raw: format,
        ..ReadOptions::default()
    };
    parse(&bytes, Format::Raw, &options, path)
}

/// A file of plain numbers.
pub(crate) struct Plain {
    pub(crate) size: MapSize,
    pub(crate) raw: RawFormat,
    /// What a sidecar tells.
    pub(crate) frame: Option<MapFrame>,
}

/// How the numbers of a file without a header stand in it; `None` if it is another file, or what is
/// known of it does not make it one that can be read row by row.
pub(crate) fn plain(path: &Path, arguments: &MapArgs) -> Result<Option<Plain>, Failure> {
    let ending = extension(path).unwrap_or_default();
    if Format::from_extension(&ending) != Some(Format::Raw) {
        return Ok(None);
    }
    let fixed = RawFormat::from_extension(&ending);
    if fixed.is_some() {
        no_raw_options(arguments)?;
    }
    no_fill(arguments, Format::Raw)?;
    let beside = sidecar_path(path);
    if let Some(size) = arguments.change.size {
        let raw = fixed.unwrap_or(arguments.raw.format());
        let frame = None;
        return Ok(Some(Plain { size, raw, frame }));
    }
    if arguments.raw.given() || !beside.is_file() {
        return Ok(None);
    }
    let Sidecar {
        size,
        format,
        frame,
        ..
    } = sidecar(&beside)?;
    // Numbers that grow downwards are turned round as a whole.
    let raw = format.filter(|_| frame.elevation.relief >= 0.0);
    let frame = Some(frame);
    Ok(raw.map(|raw| Plain { size, raw, frame }))
}

fn with_sidecar(
    path: &Path,
    beside: &Path,
    arguments: &MapArgs,
) -> Result<ElevationModel, Failure> {
    if arguments.raw.given() {
        let (path, beside) = (path.display(), beside.display());
        let wrong = format!(
            "--raw-format and --big-endian are not for {path}, of which {beside} tells all; to \
             read it otherwise, say its --size too"
        );
        return Err(Failure::Usage(wrong));
    }
    let sidecar = sidecar(beside)?;
    let length = sidecar.format.map(|format| format.bytes(sidecar.size));
    let bytes = Input::open(path)?.read_exactly(length.unwrap_or(0))?;
    sidecar.read(&bytes).map_err(|error| import(path, error))
}

fn sidecar(path: &Path) -> Result<Sidecar, Failure> {
    Sidecar::parse(&small(path, "a sidecar")?).map_err(|error| import(path, error))
}

/// A small file beside a map's, whole.
fn small(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    let mut file = Input::open(path)?;
    if file.length > LONGEST_BESIDE {
        return Err(file.wrong(format_args!("it is too long for {what}")));
    }
    file.read()
}

/// Whether a file is not longer than [`small`] ones.
fn is_small(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() <= LONGEST_BESIDE)
}

/// Whether there is a sidecar of that name.
pub(crate) fn is_sidecar(path: &Path) -> bool {
    path.is_file() && sidecar(path).is_ok()
}

/// Longer text is no recipe: 256 steps of it take a tenth of this.
pub(crate) const LONGEST_RECIPE: u64 = 1 << 20;

/// Nothing that stands beside a map is longer: a sidecar has sixteen fields, a coordinate system some more.
const LONGEST_BESIDE: u64 = 1 << 16;

fn options(arguments: &MapArgs) -> ReadOptions {
    ReadOptions {
        size: arguments.change.size,
        fill: arguments.fill,
        ..ReadOptions::default()
    }
}

pub(crate) fn import(path: &Path, error: ImportError) -> Failure {
    let path = path.to_owned();
    Failure::Import { path, error }
}

/// Options for reading files are mistakes where no file is read.
pub(crate) fn no_options(arguments: &MapArgs) -> Result<(), Failure> {
    no_raw_options(arguments)?;
    no_fill(arguments, None)
}

/// Only these formats have cells without a height.
fn no_fill(arguments: &MapArgs, format: impl Into<Option<Format>>) -> Result<(), Failure> {
    let has_gaps = format.into().is_some_and(Format::has_gaps);
    if arguments.fill.is_none() || has_gaps {
        return Ok(());
    }
    let known = usual_endings(Format::has_gaps);
    Err(Failure::Usage(format!("--fill is for {known} files only")))
}

fn no_raw_options(arguments: &MapArgs) -> Result<(), Failure> {
    if !arguments.raw.given() {
        return Ok(());
    }
    let wrong = "--raw-format and --big-endian are for .raw files only, those that are read";
    Err(Failure::Usage(wrong.to_owned()))
}

pub(crate) fn no_size(arguments: &MapArgs, what: &str) -> Result<(), Failure> {
    if arguments.change.size.is_none() {
        return Ok(());
    }
    let dot = if what.contains(char::is_lowercase) && !what.contains(' ') {
        "."
    } else {
        ""
    };
    Err(Failure::Usage(format!(
        "--size is not for {dot}{what}, which knows its own size"
    )))
}

/// Whether a name is that of standard input, or of another open pipe, as a shell's `<(...)`.
pub(crate) fn is_pipe(name: &str) -> bool {
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let numbered = ["/dev/fd/", "/proc/self/fd/"]
        .iter()
        .any(|folder| name.strip_prefix(folder).is_some_and(is_number));
    name == "-" || name == "/dev/stdin" || numbered
}

/// Reads what [`is_pipe`] up to so many bytes.
fn from_pipe(
    path: &Path,
    bytes: &mut Vec<u8>,
    most: u64,
    pipe: &mut dyn Read,
) -> Result<(), Failure> {
    let more = most.saturating_sub(bytes.len() as u64);
    let read = waiting(|| pipe.take(more).read_to_end(bytes));
    read.map(|_| ()).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })
}

/// What [`is_pipe`], to be read; on systems without such names `-` alone is.
fn open_pipe(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") || path == Path::new("/dev/stdin") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })?;
    Ok(Box::new(file))
}

/// The text of a recipe in a pipe.
pub(crate) fn recipe_in_pipe(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    from_pipe(path, &mut bytes, LONGEST_RECIPE + 1, &mut *open_pipe(path)?)?;
    if bytes.len() as u64 > LONGEST_RECIPE {
        return Err(Failure::Usage(format!(
            "{}: it is too long for a recipe",
            path.display()
        )));
    }
    Ok(bytes)
}

/// What is in a pipe, and the format that it is in; `None` is text, for a recipe.
///
/// Its beginning tells how much of it there can be, so that no more is kept.
pub(crate) fn pipe(arguments: &MapArgs) -> Result<(Vec<u8>, Option<Format>), Failure> {
    let path = Path::new(&arguments.source);
    let mut pipe = open_pipe(path)?;
    let failed = |error| Failure::Read {
        path: path.to_owned(),
        error,
    };
    let mut bytes = Vec::new();
    let mut read_to = |bytes: &mut Vec<u8>, most: u64| from_pipe(path, bytes, most, &mut *pipe);
    read_to(&mut bytes, io::HEADER as u64)?;
    let is_raw = arguments.raw.given() || arguments.change.size.is_some();
    let format = Format::sniff(&bytes).or(is_raw.then_some(Format::Raw));
    let side = MapSize::MAX_SIDE.into();
    let most = match (format, arguments.change.size) {
        (None, _) => LONGEST_RECIPE,
        (Some(Format::Raw), Some(size)) => arguments.raw.format().bytes(size),
        (Some(Format::Raw | Format::Tiff), _) => longest(side, side),
        (Some(format), _) => {
            let size = io::size(&bytes, format).map_err(|error| import(path, error))?;
            let (width, height) = size.into();
            longest(width, height)
        }
    };
    read_to(&mut bytes, most + 1)?;
    // RAW that is too long is told so with its right length; all else can only be wrong.
    if bytes.len() as u64 > most && format != Some(Format::Raw) {
        return Err(failed(Error::from(ErrorKind::FileTooLarge)));
    }
    Ok((bytes, format))
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
    pub(crate) fn read_exactly(&mut self, expected: u64) -> Result<Vec<u8>, Failure> {
        self.check_exactly(expected)?;
        self.read()
    }

    /// An error unless the file has so many bytes.
    pub(crate) fn check_exactly(&self, expected: u64) -> Result<(), Failure> {
        let found = self.length;
        if found == expected {
            return Ok(());
        }
        let error = ImportError::Length { expected, found };
        Err(import(self.path, error))
    }

    /// So many bytes from a place on.
    pub(crate) fn read_part(&mut self, start: u64, length: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self
            .file
            .seek(SeekFrom::Start(start))
            .and_then(|_| (&self.file).take(length).read_to_end(&mut bytes));
        read.map_err(|error| self.failed(error))?;
        if bytes.len() as u64 == length {
            return Ok(bytes);
        }
        Err(self.failed(ErrorKind::UnexpectedEof.into()))
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
