//! Reads maps from files, and from standard input and other open pipes.
//!
//! Input is not trusted. The length of a file is checked against the maximum for a map of its size before it is read. A
//! pipe is read up to the maximum for the largest map. Named pipes in folders are rejected, because opening one would
//! wait for a writer.

use std::{
    ffi::OsStr,
    fmt::Display,
    fs::File,
    io::{BufRead, Cursor, Error, ErrorKind, Read, Seek, SeekFrom},
    path::Path,
};

use lanternfell_heightmap::{Elevation, ElevationModel, MapFrame, MapSize};
use lanternfell_io::{
    self as io, AuxiliaryFile, BilHeader, ElevationSource, Format, ImportError, ImportedMap,
    Meaning, PngEncoding, PngRows, RawFormat, ReadOptions, Sample, Sidecar,
};

use crate::{
    args::{MapArgs, ReadHeights, SelectArgs},
    failure::Failure,
    job::waiting,
    meaning::Reason,
    memory,
    path::{extension, extension_as_is, sidecar_path, usual_endings},
};

/// A map that was read, and how the meaning of its heights was determined.
pub(crate) struct ReadMap {
    pub(crate) model: ElevationModel,
    pub(crate) reason: Reason,
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

/// Returns an error if a map of this size, and a part of its file of `part` bytes, do not fit into memory.
fn check_memory(size: MapSize, part: u64, path: &Path) -> Result<(), Failure> {
    let (shown, (width, height)) = (path.display(), <(u64, u64)>::from(size));
    let what = format_args!("{shown}: a map of {width}x{height} cells");
    memory::check(memory::of_map(size) + part, what)
}

/// Returns a map without files next to it.
fn described(map: ImportedMap, arguments: &MapArgs) -> ReadMap {
    let reason = reason(map.meaning, arguments);
    let model = map.model;
    ReadMap { model, reason }
}

/// Returns why the numbers of a file mean what they do.
pub(crate) fn reason(meaning: Meaning, arguments: &MapArgs) -> Reason {
    let reason = Reason::of_file(meaning);
    match arguments.read_heights {
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
    let model = frame.of(model.heights);
    Ok(ReadMap { model, reason })
}

/// Returns options to read the numbers of a file whose georeference is next to it.
pub(crate) fn as_meters(options: &ReadOptions) -> ReadOptions {
    ReadOptions {
        heights: Some(io::ReadHeights::Meters),
        ..options.clone()
    }
}

/// Returns the frame of a map with the metadata of files next to it, and how the meaning of its heights was determined.
///
/// A sidecar contains the whole frame. Otherwise the name of the map or a world file contains the georeference, a `.prj`
/// file the coordinate system, and GDAL's `.aux.xml` what these do not contain. A format that can store the coordinate
/// system has none if it does not contain one.
pub(crate) fn frame_with_auxiliary_files(
    (mut frame, mut reason): (MapFrame, Reason),
    size: MapSize,
    format: Format,
    path: &Path,
) -> Result<(MapFrame, Reason), Failure> {
    let sidecar = sidecar_next_to(path, format);
    if let Some(sidecar) = &sidecar
        && sidecar.format.is_none()
        && sidecar.size == size
    {
        return Ok(apply_sidecar(
            sidecar.frame,
            &sidecar_path(path),
            frame,
            reason,
        ));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let place = format.place_in_name(&name, size);
    if let Some(place) = place.map_err(|error| import(path, error))? {
        (frame.place, frame.place_is_explicit) = (place, true);
    }
    // The name may not be UTF-8, so the names of the other files are made for a name with the same extension.
    const SHORT: &str = "map";
    let file = extension_as_is(path).map(|ending| format!("{SHORT}.{ending}"));
    let beside = |name: &str| {
        let mut own = path.file_stem().unwrap_or_default().to_owned();
        own.push(name.trim_start_matches(SHORT));
        path.with_file_name(own)
    };
    let mut lacks_system = format.lacks_system();
    for kind in [
        AuxiliaryFile::WorldFile,
        AuxiliaryFile::Projection,
        AuxiliaryFile::Gdal,
    ] {
        // It was written with a sidecar, which belongs to another map.
        if kind == AuxiliaryFile::Gdal && sidecar.is_some() {
            continue;
        }
        // For TIFF too, GDAL stores what the file lacks in an `.aux.xml` file.
        if kind == AuxiliaryFile::Projection && !lacks_system {
            continue;
        }
        let names = file.as_ref().map(|file| kind.names(file, format, &frame));
        let mut paths = names.iter().flatten().map(|name| beside(name));
        if let Some(auxiliary_file) = paths.find(|path| path.is_file()) {
            if kind == AuxiliaryFile::Gdal && !is_small(&auxiliary_file) {
                // It contains statistics and colors, which can be long.
                continue;
            }
            let bytes = small(&auxiliary_file, "a georeference")?;
            let Some(before) = reason.meaning else {
                continue;
            };
            let updated = kind.apply_to_frame((frame, before), size, &bytes);
            let meaning;
            (frame, meaning) = updated.map_err(|error| import(&auxiliary_file, error))?;
            if meaning != before {
                reason = Reason::of_file(meaning).with_words(words_of(&auxiliary_file, meaning));
            }
            lacks_system = true;
        }
    }
    Ok((frame, reason))
}

/// Describes what a file next to a map contains.
fn words_of(path: &Path, meaning: Meaning) -> String {
    let what = match meaning.source {
        ElevationSource::Scale => "a scale or an offset",
        ElevationSource::Unit => "a unit",
        _ => "a georeference",
    };
    format!("{} has {what}", file_name(path))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Returns the frame of a map with the frame in its sidecar. Only --read-heights overrides its elevation.
fn apply_sidecar(
    found: MapFrame,
    sidecar: &Path,
    frame: MapFrame,
    reason: Reason,
) -> (MapFrame, Reason) {
    let is_option = |meaning: Meaning| meaning.source == ElevationSource::Option;
    if reason.meaning.is_some_and(is_option) {
        let frame = MapFrame {
            elevation: frame.elevation,
            unit: frame.unit,
            elevation_is_explicit: frame.elevation_is_explicit,
            ..found
        };
        return (frame, reason);
    }
    let words = format!("described in {}", file_name(sidecar));
    let one = reason.meaning.map_or(1.0, |meaning| meaning.one);
    let meaning = Meaning {
        source: ElevationSource::Sidecar,
        one: one * found.elevation.relief.signum() as f32,
    };
    (found, Reason::of_file(meaning).with_words(words))
}

/// Returns the sidecar of a map. One for another size or for a RAW file belongs to another map.
fn sidecar_next_to(path: &Path, format: Format) -> Option<Sidecar> {
    let sidecar_file = sidecar_path(path);
    if !has_sidecar(format) || !sidecar_file.is_file() {
        return None;
    }
    sidecar(&sidecar_file).ok()
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
    arguments: &MapArgs,
    path: &Path,
) -> Result<(MapFrame, Reason), Failure> {
    let (size, raw) = (rows.size(), rows.numbers());
    let own = rows.sidecar().map(Sidecar::parse).transpose();
    let own = own.map_err(|error| import(path, error))?;
    let own = own.filter(|sidecar| sidecar.size == size);
    let is_encoded = arguments.encoding.is_some();
    let source = match own {
        Some(_) => ElevationSource::Sidecar,
        None if is_encoded => ElevationSource::Format,
        None => ElevationSource::Default,
    };
    let own = own.map_or_else(|| MapFrame::of_size(size), |sidecar| sidecar.frame);
    let own = if is_encoded { in_meters(own) } else { own };
    let one = largest(raw);
    let known = (own, Reason::of_file(Meaning { source, one }));
    frame_with_auxiliary_files(known, size, Format::Png, path)
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

/// Returns whether files of this format may have a sidecar. A TIFF stores all metadata itself.
pub(crate) fn has_sidecar(format: Format) -> bool {
    format.is_read() && format != Format::Tiff
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

/// Returns whether options change the numbers of a file, so that they cannot be used as they are.
pub(crate) fn changes_numbers(arguments: &MapArgs) -> bool {
    arguments.read_heights.is_some() || arguments.fill.is_some() || !arguments.nodata.is_empty()
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
    let ReadMap { model, reason } = described(map, arguments);
    let reason = match arguments.read_heights {
        Some(_) => reason,
        None => reason.with_words(format!("described in {}", file_name(sidecar_file))),
    };
    Ok(ReadMap { model, reason })
}

fn sidecar(path: &Path) -> Result<Sidecar, Failure> {
    Sidecar::parse(&small(path, "a sidecar")?).map_err(|error| import(path, error))
}

/// Reads the header file of a map. Returns `None` if the format has none.
fn header(path: &Path, format: Format) -> Result<Option<BilHeader>, Failure> {
    if BilHeader::name("", format).is_none() {
        return Ok(None);
    }
    let [lower, upper] = ["hdr", "HDR"].map(|ending| path.with_extension(ending));
    let Some(header) = [&lower, &upper].into_iter().find(|path| path.is_file()) else {
        let (path, lower) = (path.display(), lower.display());
        return Err(Failure::Usage(format!(
            "{path}: its header file {lower} does not exist"
        )));
    };
    let parsed = BilHeader::parse(&small(header, "a header")?, format);
    parsed.map(Some).map_err(|error| import(header, error))
}

/// Reads a small file next to a map.
fn small(path: &Path, what: &str) -> Result<Vec<u8>, Failure> {
    let mut file = Input::open(path)?;
    if file.length > LONGEST_AUXILIARY_FILE {
        return Err(file.wrong(format_args!("the file is too long for {what}")));
    }
    file.read()
}

/// Returns whether a file is short enough for [`small`].
fn is_small(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() <= LONGEST_AUXILIARY_FILE)
}

/// Returns whether there is a valid sidecar with this name.
pub(crate) fn is_sidecar(path: &Path) -> bool {
    path.is_file() && sidecar(path).is_ok()
}

/// The maximum length of a recipe in bytes. A recipe of 256 steps takes a tenth of it.
pub(crate) const LONGEST_RECIPE: u64 = 1 << 20;

/// The maximum length in bytes of a file next to a map. A sidecar has about twenty fields, and a coordinate system is
/// not much longer.
const LONGEST_AUXILIARY_FILE: u64 = 1 << 16;

pub(crate) fn options(arguments: &MapArgs) -> ReadOptions {
    let SelectArgs {
        band,
        channel,
        part,
    } = &arguments.select;
    ReadOptions {
        size: arguments.change.size,
        fill: arguments.fill,
        encoding: arguments.encoding.map(PngEncoding::from),
        band: *band,
        channel: channel.clone(),
        part: part.clone(),
        no_data: arguments.nodata.clone(),
        heights: arguments.read_heights.map(ReadHeights::option),
        ..ReadOptions::default()
    }
}

pub(crate) fn import(path: &Path, error: ImportError) -> Failure {
    let path = path.to_owned();
    Failure::Import { path, error }
}

/// Returns an error if options for reading files are given, but no file is read.
pub(crate) fn no_options(arguments: &MapArgs) -> Result<(), Failure> {
    no_raw_options(arguments)?;
    if changes_numbers(arguments) {
        let wrong =
            "--fill, --nodata and --read-heights are only for heightmap files that are read";
        return Err(Failure::Usage(wrong.to_owned()));
    }
    no_unused(arguments, None)
}

/// Returns an error if an option is given that the format does not use.
fn no_unused(arguments: &MapArgs, format: impl Into<Option<Format>>) -> Result<(), Failure> {
    let format = format.into();
    if let Some(format) = format {
        no_fill(arguments, format)?;
    }
    let SelectArgs {
        band,
        channel,
        part,
    } = &arguments.select;
    let unused = [
        ("--band", band.is_some(), Format::Tiff),
        ("--channel", channel.is_some(), Format::Exr),
        ("--part", part.is_some(), Format::Exr),
        ("--encoding", arguments.encoding.is_some(), Format::Png),
    ];
    let is_unused = |(_, is_given, only): &(_, bool, Format)| *is_given && format != Some(*only);
    match unused.into_iter().find(is_unused) {
        Some((option, _, only)) => Err(Failure::Usage(format!(
            "{option} is only for {} files",
            usual_endings(|format| format == only)
        ))),
        None => Ok(()),
    }
}

/// Returns an error if --fill is given for a format without no-data cells, and no value means no data.
fn no_fill(arguments: &MapArgs, format: Format) -> Result<(), Failure> {
    if arguments.fill.is_none() || format.has_gaps() || !arguments.nodata.is_empty() {
        return Ok(());
    }
    let known = usual_endings(Format::has_gaps);
    Err(Failure::Usage(format!(
        "--fill needs --nodata for {format}, in which every cell has a height (it is optional for {known} files)"
    )))
}

fn no_raw_options(arguments: &MapArgs) -> Result<(), Failure> {
    if !arguments.raw.given() {
        return Ok(());
    }
    let wrong = "--raw-format and --big-endian are only for .raw files that are read";
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
        "--size is not allowed for {dot}{what}, which contains its size"
    )))
}

/// Returns whether a name is that of standard input or of another open pipe, for instance from a shell's `<(...)`.
pub(crate) fn is_pipe(name: impl AsRef<OsStr>) -> bool {
    let Some(name) = name.as_ref().to_str() else {
        return false;
    };
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let numbered = ["/dev/fd/", "/proc/self/fd/"]
        .iter()
        .any(|folder| name.strip_prefix(folder).is_some_and(is_number));
    name == "-" || name == "/dev/stdin" || numbered
}

/// Reads up to `most` bytes from a pipe.
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

/// Opens a pipe for reading. On systems without such names, only `-` exists.
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

/// Reads the text of a recipe from a pipe.
pub(crate) fn recipe_in_pipe(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    from_pipe(path, &mut bytes, LONGEST_RECIPE + 1, &mut *open_pipe(path)?)?;
    if bytes.len() as u64 > LONGEST_RECIPE {
        return Err(Failure::Usage(format!(
            "{}: the text is too long for a recipe",
            path.display()
        )));
    }
    Ok(bytes)
}

/// Reads a pipe and detects its format. `None` means text, for a recipe.
///
/// The header determines how long the data can be, so that no more of it is kept.
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
    let most = match (format, arguments.change.size) {
        (None, _) => LONGEST_RECIPE,
        (Some(Format::Raw), Some(size)) => arguments.raw.format().bytes(size),
        // The error about the missing size comes later.
        (Some(Format::Raw), None) => 0,
        (Some(format), _) => {
            let size = io::largest_size(&bytes, format).map_err(|error| import(path, error))?;
            io::max_file_size(size)
        }
    };
    read_to(&mut bytes, most + 1)?;
    // For RAW, the error with the expected length comes later. Any other data that is too long is invalid.
    if bytes.len() as u64 > most && format != Some(Format::Raw) {
        return Err(failed(Error::from(ErrorKind::FileTooLarge)));
    }
    Ok((bytes, format))
}

/// A file that is read after its length was checked.
pub(crate) struct Input<'a> {
    path: &'a Path,
    file: File,
    /// The length in bytes.
    pub(crate) length: u64,
}

impl<'a> Input<'a> {
    /// Opens a regular file. Other files are rejected, because opening a pipe would wait for a writer.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Failure> {
        let failed = |error| Failure::Read {
            path: path.to_owned(),
            error,
        };
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(Error::other("not a file")));
        }
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Self { path, file, length })
    }

    /// Returns the first `count` bytes, or all if there are fewer, and rewinds.
    fn header(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::with_capacity(count);
        let read = (&self.file).take(count as u64).read_to_end(&mut bytes);
        read.and_then(|_| self.file.rewind())
            .map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Reads the whole file, but no more than `length` bytes even if it grows meanwhile.
    pub(crate) fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = usize::try_from(self.length)
            .map_err(|_| Error::from(ErrorKind::OutOfMemory))
            .and_then(|length| Ok(bytes.try_reserve_exact(length)?))
            .and_then(|()| (&self.file).take(self.length).read_to_end(&mut bytes));
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Returns an error if the file is longer than a map of its size can be.
    ///
    /// If the size can be anywhere in the file, as in a TIFF, or a file can have several maps, the length is compared with
    /// that of the largest map.
    fn check_length(&mut self, format: Format) -> Result<(), Failure> {
        let header = self.header(io::HEADER)?;
        let size = io::largest_size(&header, format).map_err(|error| import(self.path, error))?;
        self.check_longest(size)
    }

    /// Returns an error if the file is longer than that of a map of this size can be.
    fn check_longest(&self, size: MapSize) -> Result<(), Failure> {
        if self.length <= io::max_file_size(size) {
            return Ok(());
        }
        let (width, height) = size.into();
        Err(self.wrong(format_args!(
            "the file is too long for a heightmap of {width}x{height}"
        )))
    }

    /// Reads a file that must have at least this length, and at most that of a file with a map of this size.
    fn read_at_least(&mut self, expected: u64, size: MapSize) -> Result<Vec<u8>, Failure> {
        self.check_longest(size)?;
        if self.length < expected {
            return self.read_exactly(expected);
        }
        self.read()
    }

    /// Reads a file that must have exactly this length.
    pub(crate) fn read_exactly(&mut self, expected: u64) -> Result<Vec<u8>, Failure> {
        self.check_exactly(expected)?;
        self.read()
    }

    /// Returns an error unless the file has exactly this length.
    pub(crate) fn check_exactly(&self, expected: u64) -> Result<(), Failure> {
        let found = self.length;
        if found == expected {
            return Ok(());
        }
        let error = ImportError::Length { expected, found };
        Err(import(self.path, error))
    }

    /// Reads `length` bytes from an offset.
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
