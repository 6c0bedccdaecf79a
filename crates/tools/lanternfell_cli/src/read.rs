//! Reads maps from files, and from standard input and other open pipes.
//!
//! Input is not trusted. The length of a file is checked against the maximum for a map of its size before it is read. A
//! pipe is read up to the maximum for the largest map. Named pipes in folders are rejected, because opening one would
//! wait for a writer.

mod auxiliary;
mod input;
mod pipe;
mod unused;

use std::{
    fs::File,
    io::{BufRead, BufReader, Cursor, Seek},
    path::Path,
};

use lanternfell_heightmap::{Elevation, ElevationModel, HoleMask, MapFrame, MapSize};
use lanternfell_io::{
    self as io, BilHeader, ElevationSource, Format, ImportedMap, Meaning, PngEncoding, PngRows,
    RawFormat, ReadOptions, Sample, Sidecar,
};

use crate::{
    args::{MapArgs, ReadHeights, SelectArgs},
    failure::Failure,
    meaning::Reason,
    memory,
    path::{extension, sidecar_path},
};
use auxiliary::{apply_sidecar, file_name, header, sidecar};
use unused::{no_raw_options, no_unused};

pub(crate) use auxiliary::{frame_with_auxiliary_files, has_sidecar, is_sidecar};
pub(crate) use input::{Input, import};
pub(crate) use pipe::{LONGEST_RECIPE, is_pipe, pipe, recipe_in_pipe};
pub(crate) use unused::{changes_numbers, no_options, no_size};

/// A map that was read, and how the meaning of its heights was determined.
pub(crate) struct ReadMap {
    pub(crate) model: ElevationModel,
    pub(crate) reason: Reason,
    /// The holes of edits that were applied to it.
    pub(crate) holes: Option<HoleMask>,
    /// The range of its heights before edits. The default sea level depends on it.
    pub(crate) range: Option<(f32, f32)>,
}

impl ReadMap {
    /// Creates a map without edits.
    pub(crate) fn new(model: ElevationModel, reason: Reason) -> Self {
        Self {
            model,
            reason,
            holes: None,
            range: None,
        }
    }
}

/// Reads a map from a file.
pub(crate) fn file(path: &Path, arguments: &MapArgs) -> Result<ReadMap, Failure> {
    let ending = extension(path).unwrap_or_default();
    let format = Format::from_extension(&ending);
    let Some(format) = format.filter(|format| format.is_read()) else {
        let what = format.map_or("not a heightmap format".to_owned(), |format| {
            format!("{format} can be written but not read")
        });
        return Err(Failure::Usage(format!("{}: {what}", path.display())));
    };
    if format != Format::Raw {
        no_raw_options(arguments)?;
        no_size(arguments, &ending)?;
        no_unused(arguments, format)?;
        if let Some(header) = header(path, format)? {
            return with_header(&header, format, arguments, path);
        }
        let mut file = Input::open(path)?;
        file.check_length(format)?;
        // PNG is not decoded from a file.
        if format != Format::Png {
            let header = file.header(io::HEADER)?;
            let file = (&file.file, &header[..]);
            let read = |options: &ReadOptions| parse_file(file, format, options, path);
            return with_auxiliary_metadata(&read, format, arguments, path);
        }
        let bytes = file.read()?;
        let read = |options: &ReadOptions| parse(&bytes, format, options, path);
        return with_auxiliary_metadata(&read, format, arguments, path);
    }
    raw(path, RawFormat::from_extension(&ending), arguments)
}

/// Reads a map from the bytes of a file.
pub(crate) fn bytes(bytes: &[u8], format: Format, arguments: &MapArgs) -> Result<ReadMap, Failure> {
    if format != Format::Raw {
        no_raw_options(arguments)?;
        no_size(arguments, format.name())?;
    }
    no_unused(arguments, format)?;
    let options = ReadOptions {
        raw: arguments.raw.format(),
        ..options(arguments)
    };
    let map = parse(bytes, format, &options, Path::new(&arguments.source))?;
    Ok(described(map, arguments))
}

fn parse(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    path: &Path,
) -> Result<ImportedMap, Failure> {
    // RAW has no size. The error of another file comes from reading it.
    if let Ok(size) = io::size(bytes, format) {
        check_memory(size, io::largest_part(Cursor::new(bytes), format), path)?;
    }
    io::import(bytes, format, options).map_err(|error| import(path, error))
}

/// Reads a map without the bytes of its file in memory.
fn parse_file(
    (file, header): (&File, &[u8]),
    format: Format,
    options: &ReadOptions,
    path: &Path,
) -> Result<ImportedMap, Failure> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let size = if format.needs_whole_file() {
        io::read_metadata(&mut file, format, options).map(|map| map.size)
    } else {
        io::size(header, format)
    };
    // The error of another file comes from reading it.
    if let Ok(size) = size {
        check_memory(size, io::largest_part(&mut file, format), path)?;
    }
    io::import_file(file, format, options).map_err(|error| import(path, error))
}

/// Returns an error if a map of this size, and a part of its file of `part` bytes, do not fit into memory.
fn check_memory(size: MapSize, part: u64, path: &Path) -> Result<(), Failure> {
    let (shown, (width, height)) = (path.display(), <(u64, u64)>::from(size));
    let what = format_args!("{shown}: a map of {width}x{height} cells");
    memory::check(memory::of_map(size) + part, what)
}

/// Returns a map without files next to it.
fn described(map: ImportedMap, arguments: &MapArgs) -> ReadMap {
    let reason = reason(map.meaning, arguments);
    ReadMap::new(map.model, reason)
}

/// Returns why the numbers of a file mean what they do.
pub(crate) fn reason(meaning: Meaning, arguments: &MapArgs) -> Reason {
    let reason = Reason::of_file(meaning);
    match arguments.read.read_heights {
        Some(heights) => reason.with_words(heights.words()),
        None => reason,
    }
}

/// Reads a map that is described by a header file.
fn with_header(
    header: &BilHeader,
    format: Format,
    arguments: &MapArgs,
    path: &Path,
) -> Result<ReadMap, Failure> {
    check_memory(header.size(), 0, path)?;
    let bytes = Input::open(path)?.read_at_least(header.bytes(), header.size())?;
    let read = |options: &ReadOptions| {
        let map = header.import(&bytes, options);
        map.map_err(|error| import(path, error))
    };
    with_auxiliary_metadata(&read, format, arguments, path)
}

/// Reads a map, and adds the metadata of files next to it.
fn with_auxiliary_metadata(
    read: &dyn Fn(&ReadOptions) -> Result<ImportedMap, Failure>,
    format: Format,
    arguments: &MapArgs,
    path: &Path,
) -> Result<ReadMap, Failure> {
    let options = options(arguments);
    let ImportedMap { mut model, meaning } = read(&options)?;
    let known = (model.frame, reason(meaning, arguments));
    let (frame, reason) = frame_with_auxiliary_files(known, model.size(), format, path)?;
    if reason.meaning.is_some_and(Meaning::needs_numbers) {
        model = read(&as_meters(&options))?.model;
    }
    Ok(ReadMap::new(frame.of(model.heights), reason))
}

/// Returns options to read the numbers of a file whose georeference is next to it.
pub(crate) fn as_meters(options: &ReadOptions) -> ReadOptions {
    ReadOptions {
        heights: Some(io::ReadHeights::Meters),
        ..options.clone()
    }
}

/// Opens a file that must be unpacked. Returns the file at its start, its length in bytes and its format, or `None` for
/// plain numbers, maps with a header file, and other files.
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
    no_unused(arguments, format)?;
    if header(path, format)?.is_some() {
        return Ok(None);
    }
    let mut file = Input::open(path)?;
    file.check_length(format)?;
    Ok(Some((file.file, file.length, format)))
}

/// Returns the frame of a PNG, from its text chunk or from files next to it, which take precedence.
pub(crate) fn frame_of_png(
    rows: &PngRows<impl BufRead + Seek>,
    path: &Path,
) -> Result<(MapFrame, Reason), Failure> {
    let (frame, meaning) = rows.frame().map_err(|error| import(path, error))?;
    let known = (frame, Reason::of_file(meaning));
    frame_with_auxiliary_files(known, rows.size(), Format::Png, path)
}

/// Returns the frame of a map whose numbers are meters.
fn in_meters(frame: MapFrame) -> MapFrame {
    MapFrame {
        elevation: Elevation::METERS,
        elevation_is_explicit: true,
        ..frame
    }
}

/// Returns the number of a height of 1.
fn largest(raw: RawFormat) -> f32 {
    raw.sample.one() as f32
}

/// Reads a file without a header. Its size comes from the options or the sidecar.
fn raw(path: &Path, fixed: Option<RawFormat>, arguments: &MapArgs) -> Result<ReadMap, Failure> {
    if fixed.is_some() {
        no_raw_options(arguments)?;
    }
    no_unused(arguments, Format::Raw)?;
    let sidecar_file = sidecar_path(path);
    let Some(size) = arguments.change.size else {
        if !sidecar_file.is_file() {
            return Err(Failure::Usage(format!(
                "{} has no header: give its --size, for example --size 512x512",
                path.display()
            )));
        }
        return with_sidecar(path, &sidecar_file, arguments);
    };
    let format = fixed.unwrap_or(arguments.raw.format());
    let bytes = Input::open(path)?.read_exactly(format.bytes(size))?;
    let options = ReadOptions {
        size: Some(size),
        raw: format,
        ..options(arguments)
    };
    let map = parse(&bytes, Format::Raw, &options, path)?;
    Ok(described(map, arguments))
}

/// A file of plain numbers.
pub(crate) struct Plain {
    pub(crate) size: MapSize,
    pub(crate) raw: RawFormat,
    /// The frame from the sidecar, if there is one.
    pub(crate) frame: Option<MapFrame>,
    pub(crate) reason: Reason,
}

/// Returns the number format of a file without a header. Returns `None` for other files, and for files that cannot be
/// read row by row.
pub(crate) fn plain(path: &Path, arguments: &MapArgs) -> Result<Option<Plain>, Failure> {
    let ending = extension(path).unwrap_or_default();
    if Format::from_extension(&ending) != Some(Format::Raw) {
        return Ok(None);
    }
    let fixed = RawFormat::from_extension(&ending);
    if fixed.is_some() {
        no_raw_options(arguments)?;
    }
    no_unused(arguments, Format::Raw)?;
    if changes_numbers(arguments) {
        return Ok(None);
    }
    let sidecar_file = sidecar_path(path);
    if let Some(size) = arguments.change.size {
        let raw = fixed.unwrap_or(arguments.raw.format());
        let (frame, source) = if raw.sample == Sample::I16 {
            let frame = in_meters(MapFrame::of_size(size));
            (Some(frame), ElevationSource::NumberType)
        } else {
            (None, ElevationSource::Default)
        };
        let one = largest(raw);
        let reason = Reason::of_file(Meaning { source, one });
        return Ok(Some(Plain {
            size,
            raw,
            frame,
            reason,
        }));
    }
    if arguments.raw.given() || !sidecar_file.is_file() {
        return Ok(None);
    }
    let Sidecar {
        size,
        format,
        frame,
        ..
    } = sidecar(&sidecar_file)?;
    // Depths must be inverted, which needs the whole map.
    let raw = format.filter(|_| frame.elevation.relief >= 0.0);
    Ok(raw.map(|raw| {
        let meaning = Meaning {
            source: ElevationSource::Sidecar,
            one: largest(raw),
        };
        let known = Reason::of_file(meaning);
        let (frame, reason) = apply_sidecar(frame, &sidecar_file, frame, known);
        let frame = Some(frame);
        Plain {
            size,
            raw,
            frame,
            reason,
        }
    }))
}

fn with_sidecar(path: &Path, sidecar_file: &Path, arguments: &MapArgs) -> Result<ReadMap, Failure> {
    if arguments.raw.given() {
        let (path, sidecar_file) = (path.display(), sidecar_file.display());
        let wrong = format!(
            "--raw-format and --big-endian are not allowed for {path}, because {sidecar_file} defines its format; \
             to ignore that file, give the --size too"
        );
        return Err(Failure::Usage(wrong));
    }
    let sidecar = sidecar(sidecar_file)?;
    let length = sidecar.format.map(|format| format.bytes(sidecar.size));
    let bytes = Input::open(path)?.read_exactly(length.unwrap_or(0))?;
    let map = sidecar.import(&bytes, &options(arguments));
    let map = map.map_err(|error| import(path, error))?;
    let ReadMap { model, reason, .. } = described(map, arguments);
    let reason = match arguments.read.read_heights {
        Some(_) => reason,
        None => reason.with_words(format!("described in {}", file_name(sidecar_file))),
    };
    Ok(ReadMap::new(model, reason))
}

pub(crate) fn options(arguments: &MapArgs) -> ReadOptions {
    let SelectArgs {
        band,
        channel,
        part,
    } = &arguments.read.select;
    ReadOptions {
        size: arguments.change.size,
        fill: arguments.read.fill,
        encoding: arguments.read.encoding.map(PngEncoding::from),
        band: *band,
        channel: channel.clone(),
        part: part.clone(),
        no_data: arguments.read.nodata.clone(),
        heights: arguments.read.read_heights.map(ReadHeights::option),
        ..ReadOptions::default()
    }
}
