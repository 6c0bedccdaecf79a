//! Writes maps: the shared options, and the output file or pipe.

mod range;

use std::{
    io::{BufWriter, Error, ErrorKind, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use lanternfell_heightmap::{Elevation, ElevationModel, HoleMask, Progress};
use lanternfell_io::{
    self as io, Format, HeightRange, Numbers, PngDepth, PngEncoding, RawFormat, Sample, Sidecar,
    WriteOptions, WrittenHeights,
};

use crate::{
    args::Encoding,
    failure::Failure,
    job::{STANDARD_OUTPUT, is_standard_output, waiting},
    output::{Output, WriteError},
    path::{endings, extension, gdal_sidecar_path, sidecar_path, usual_endings},
    read,
};

/// The output file and its format.
#[derive(Debug, Args, Clone)]
pub(crate) struct WriteArgs {
    /// Output file; its extension selects the format. An existing file is replaced; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Format, as a file extension; for output without one, such as -
    #[arg(long, value_name = "EXTENSION")]
    pub(crate) format: Option<String>,

    /// Bits per height in a .png, .pgm or .tif: 8 or 16 [default: 16; f32 for .tif]
    #[arg(long, value_parser = bits)]
    pub(crate) bits: Option<PngDepth>,

    /// Write the heights as colors of a .png, as in the elevation tiles of web maps [default: a gray image]
    #[arg(long, value_name = "ENCODING", value_enum)]
    pub(crate) to_encoding: Option<Encoding>,

    /// What a .tif, .exr, .asc, .xyz or .r32 contains [default: meters; for .r32 the map's own heights]
    #[arg(long, value_enum)]
    pub(crate) heights: Option<Heights>,

    /// Also write FILE.json, which defines the meaning of the numbers and the georeference; for images and grids also
    /// FILE.aux.xml, which defines the same for GDAL. A .tif contains this data itself
    #[arg(long)]
    pub(crate) sidecar: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Heights {
    /// Meters
    #[value(alias = "metres")]
    Meters,
    /// From 0 to 1
    Unit,
}

fn bits(text: &str) -> Result<PngDepth, String> {
    match text {
        "8" => Ok(PngDepth::Eight),
        "16" => Ok(PngDepth::Sixteen),
        _ => Err("must be 8 or 16".to_owned()),
    }
}

/// How to write a map, after the options were checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub(crate) format: Format,
    raw: RawFormat,
    depth: PngDepth,
    encoding: Option<PngEncoding>,
    tiff: Sample,
    heights: Option<WrittenHeights>,
    /// Whether to stretch a map that exceeds 0 to 1 in integer formats.
    stretch: bool,
    /// The heights that integers represent.
    range: Option<HeightRange>,
    /// Whether cells with the no-data value have no height.
    keeps_no_data: bool,
    sidecar: bool,
}

impl WriteArgs {
    /// Returns the style that the file extension and the options select. `raw` is for the extension .raw. `others`
    /// lists further extensions of the command, for the error.
    pub(crate) fn style(&self, raw: Option<RawFormat>, others: &str) -> Result<Style, Failure> {
        let ending = self.extension();
        self.reject_two_formats()?;
        let format = ending.as_deref().and_then(Format::from_extension);
        let format = format.filter(|format| format.is_written());
        let (Some(format), Some(ending)) = (format, ending) else {
            return Err(self.unknown_ending(others));
        };
        let fixed = RawFormat::from_extension(&ending);
        let is_free = format == Format::Raw && fixed.is_none();
        let wrong = |what: &str| Err(Failure::Usage(what.to_owned()));
        if raw.is_some() && !is_free {
            return wrong(
                "--raw-format and --big-endian (also as --to-...) are only for .raw files",
            );
        }
        if self.to_encoding.is_some() && format != Format::Png {
            return wrong("--to-encoding is only for .png");
        }
        if self.to_encoding.is_some() && self.bits.is_some() {
            return wrong("--bits is not allowed with --to-encoding, which has 24 bits per height");
        }
        if self.bits.is_some() && !has_bits(format) {
            return wrong(&format!("--bits is only for {}", usual_endings(has_bits)));
        }
        if self.sidecar {
            range::check_sidecar(format)?;
        }
        if self.sidecar && self.is_pipe() {
            return wrong("--sidecar needs a file, but the output is a pipe");
        }
        let style = Style {
            format,
            raw: fixed.or(raw).unwrap_or_default(),
            depth: self.bits.unwrap_or_default(),
            encoding: self.to_encoding.map(PngEncoding::from),
            tiff: match self.bits {
                None => Sample::F32,
                Some(PngDepth::Eight) => Sample::U8,
                Some(PngDepth::Sixteen) => Sample::U16,
            },
            heights: self.heights.map(|heights| match heights {
                Heights::Meters => WrittenHeights::Meters,
                Heights::Unit => WrittenHeights::Unit,
            }),
            stretch: true,
            range: None,
            keeps_no_data: false,
            sidecar: self.sidecar,
        };
        if self.heights.is_some() && format.is_mesh() {
            return wrong("--heights is not allowed for meshes, which are in meters");
        }
        if self.heights == Some(Heights::Unit) && style.has_meters() {
            return wrong(
                "--heights unit is not allowed for i16 and --to-encoding, which hold meters",
            );
        }
        if self.heights == Some(Heights::Meters) && style.is_whole() {
            return wrong("--heights meters needs a floating-point format: integers hold 0 to 1");
        }
        Ok(style)
    }

    /// Returns the extension that selects the format: the option, or that of the file.
    pub(crate) fn extension(&self) -> Option<String> {
        let option = self
            .format
            .as_deref()
            .map(|name| name.trim_start_matches('.'));
        option
            .map(str::to_ascii_lowercase)
            .or_else(|| extension(&self.output))
    }

    /// Returns an error if the option contradicts the file name.
    pub(crate) fn reject_two_formats(&self) -> Result<(), Failure> {
        let is_known =
            |ending: &String| ending == "ron" || Format::from_extension(ending).is_some();
        let named = extension(&self.output).filter(is_known);
        match (&self.format, named, self.extension()) {
            (Some(option), Some(named), Some(ending)) if named != ending => {
                let path = self.output.display();
                let wrong = format!("--format {option} contradicts the file name {path}");
                Err(Failure::Usage(wrong))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn is_pipe(&self) -> bool {
        is_standard_output(&self.output)
    }

    fn unknown_ending(&self, others: &str) -> Failure {
        if let Some(format) = &self.format {
            let known = endings(Format::is_written);
            return Failure::Usage(format!("--format {format}: must be one of {known}{others}"));
        }
        if self.is_pipe() {
            let hint = "standard output needs a --format, for example --format png";
            return Failure::Usage(hint.to_owned());
        }
        unknown_ending(
            &self.output,
            &format!("{}{others}", endings(Format::is_written)),
        )
    }
}

impl Style {
    /// Returns whether heights are stored as integers, for 0 to 1.
    pub(crate) fn is_whole(self) -> bool {
        match self.format.numbers() {
            Numbers::Integer => !self.is_encoded(),
            Numbers::Selectable => self.chosen().is_fraction(),
            Numbers::Float => false,
        }
    }

    /// Returns whether colors encode the heights.
    pub(crate) fn is_encoded(self) -> bool {
        self.encoding.is_some()
    }

    /// Returns whether the numbers can only be meters.
    fn has_meters(self) -> bool {
        self.is_encoded() || self.format == Format::Raw && self.raw.sample == Sample::I16
    }

    /// Returns the number format of formats that leave it open. RAW has its own options for it.
    fn chosen(self) -> Sample {
        if self.format == Format::Raw {
            self.raw.sample
        } else {
            self.tiff
        }
    }

    /// Returns the default style of an extension. `raw` is for .raw.
    pub(crate) fn of_ending(ending: &str, raw: Option<RawFormat>) -> Result<Self, Failure> {
        let arguments = WriteArgs {
            output: PathBuf::from("-"),
            format: Some(ending.to_owned()),
            bits: None,
            to_encoding: None,
            heights: None,
            sidecar: false,
        };
        arguments.style(raw, "")
    }

    /// Returns whether the numbers have 16 bits, in little-endian order if the format leaves the order open.
    pub(crate) fn is_sixteen_bits(self) -> bool {
        match self.format {
            Format::Raw => self.raw == RawFormat::R16,
            Format::Png => self.depth == PngDepth::Sixteen && !self.is_encoded(),
            _ => false,
        }
    }

    /// Returns the style with meters in all floating-point formats.
    pub(crate) fn in_meters(self) -> Self {
        let heights = Some(WrittenHeights::Meters);
        Self { heights, ..self }
    }

    /// Returns the style for a map whose no-data cells were filled with its no-data value, which keeps them.
    pub(crate) fn keeping_no_data(self) -> Self {
        Self {
            keeps_no_data: true,
            ..self
        }
    }

    /// Returns the style for one of several maps that belong together. Heights that do not fit into integers are an
    /// error, because each map would be stretched differently.
    pub(crate) fn unstretched(self) -> Self {
        let stretch = false;
        Self { stretch, ..self }
    }

    /// Returns the style for values that are not heights, which are written unchanged.
    pub(crate) fn of_values(self) -> Self {
        Self {
            heights: Some(WrittenHeights::Unchanged),
            ..self.unstretched()
        }
    }
}

/// Returns whether the format supports --bits. RAW has its own option.
fn has_bits(format: Format) -> bool {
    format.numbers() != Numbers::Float && format != Format::Raw
}

/// Returns the error for an unsupported file extension.
pub(crate) fn unknown_ending(path: &Path, known: &str) -> Failure {
    Failure::Usage(format!(
        "cannot write {}: unsupported file extension; supported: {known}",
        path.display()
    ))
}

/// The output: a file that is written completely or not at all, or a pipe.
pub(crate) enum Target {
    File(Output),
    Pipe,
}

impl Target {
    /// Creates the temporary file for `path`, or uses standard output for -. An existing file is not touched yet.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Failure> {
        if is_standard_output(path) {
            return Ok(Self::Pipe);
        }
        Ok(Self::File(Output::prepare(path)?))
    }

    /// Calls `write` to write the output, and moves a file to its path.
    pub(crate) fn finish<E: Into<WriteError>>(
        self,
        progress: &Progress,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), Failure> {
        match self {
            Self::File(output) => output.finish(progress, write),
            Self::Pipe => {
                let mut out = BufWriter::with_capacity(1 << 16, Pipe(progress));
                let written = write(&mut out).map_err(Into::into);
                let written = written.and_then(|()| out.flush().map_err(WriteError::Io));
                // Discard the buffer, which would be written when it is dropped.
                let _ = out.into_parts();
                progress.check()?;
                match written {
                    // The reader of the pipe has read enough.
                    Err(WriteError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                    written => {
                        written.map_err(|error| error.into_failure(Path::new(STANDARD_OUTPUT)))
                    }
                }
            }
        }
    }
}

/// Standard output, for work that can be canceled.
struct Pipe<'a>(&'a Progress);

impl Write for Pipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.check().map_err(Error::other)?;
        waiting(|| std::io::stdout().lock().write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        waiting(|| std::io::stdout().lock().flush())
    }
}

impl Style {
    /// Writes a map without holes, like [`write_with_holes`](Self::write_with_holes).
    pub(crate) fn write(
        self,
        map: &ElevationModel,
        path: &Path,
        target: Target,
        progress: &Progress,
    ) -> Result<Elevation, Failure> {
        self.write_with_holes((map, None), path, target, progress)
    }

    /// Writes the map, with its holes if the format has them. Also writes metadata files next to it if they were requested, or if they already exist, because
    /// the old ones would be wrong. Returns the meaning of the numbers in the file.
    pub(crate) fn write_with_holes(
        self,
        (map, holes): (&ElevationModel, Option<&HoleMask>),
        path: &Path,
        target: Target,
        progress: &Progress,
    ) -> Result<Elevation, Failure> {
        let files = self.prepare_auxiliary_files(map, path, &target)?;
        let options = WriteOptions {
            holes,
            ..self.options()
        };
        let mut elevation = map.frame.elevation;
        target.finish(progress, |out| {
            elevation = io::write(map, self.format, &options, out, progress)?;
            Ok::<(), io::ExportError>(())
        })?;
        let AuxiliaryFiles {
            sidecar,
            gdal,
            projection,
            stale,
        } = files;
        if let Some(sidecar) = sidecar {
            let raw = (self.format == Format::Raw).then_some(self.raw);
            let content = Sidecar::of(map, raw, elevation);
            sidecar.finish(progress, |out| content.write(out))?;
        }
        if let Some(gdal) = gdal {
            let text = io::gdal_sidecar(map, elevation, self.largest());
            gdal.finish(progress, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some((projection, text)) = projection {
            projection.finish(progress, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some(path) = stale {
            std::fs::remove_file(&path).map_err(|error| Failure::Write { path, error })?;
        }
        Ok(elevation)
    }

    /// Creates the temporary files for the metadata, before anything is written.
    fn prepare_auxiliary_files(
        self,
        map: &ElevationModel,
        path: &Path,
        target: &Target,
    ) -> Result<AuxiliaryFiles, Failure> {
        if !read::has_sidecar(self.format) || matches!(target, Target::Pipe) {
            return Ok(AuxiliaryFiles::default());
        }
        let (json, xml) = (sidecar_path(path), gdal_sidecar_path(path));
        // GDAL's own writer of grids does the same.
        let is_lost = !self.is_whole() && map.frame.place.system.is_some();
        let wants_json = self.sidecar || read::is_sidecar(&json);
        // It describes one band, but encoded heights have three.
        let has_xml = self.format != Format::Raw && !self.is_encoded();
        let wants_xml = has_xml && (self.sidecar || is_lost || xml.is_file());
        let room = |path: &Path| Output::prepare(path);
        let prj = path.with_extension("prj");
        let projection = map.frame.place.system.and_then(io::gdal_projection);
        let projection = projection.filter(|_| self.format.lacks_system());
        // The `.prj` file of a grid that is replaced. GDAL deletes it too.
        let is_stale =
            self.format.lacks_system() && projection.is_none() && path.is_file() && prj.is_file();
        Ok(AuxiliaryFiles {
            stale: is_stale.then(|| prj.clone()),
            sidecar: wants_json.then(|| room(&json)).transpose()?,
            gdal: wants_xml.then(|| room(&xml)).transpose()?,
            projection: match projection {
                Some(text) => Some((room(&prj)?, text)),
                None => None,
            },
        })
    }

    fn options(self) -> WriteOptions<'static> {
        WriteOptions {
            depth: self.depth,
            encoding: self.encoding,
            raw: self.raw,
            tiff: self.tiff,
            heights: self.heights,
            stretch: self.stretch,
            range: self.range,
            keep_no_data: self.keeps_no_data,
            ..WriteOptions::default()
        }
    }

    /// Returns the number that represents 1 in the file.
    fn largest(self) -> f64 {
        match (self.format.numbers(), self.depth) {
            _ if self.is_encoded() => 1.0,
            (Numbers::Integer, PngDepth::Eight) => 255.0,
            (Numbers::Integer, PngDepth::Sixteen) => 65_535.0,
            (Numbers::Selectable, _) => self.chosen().one(),
            (Numbers::Float, _) => 1.0,
        }
    }

    /// Returns the height range in meters for the summary, and the meaning of the numbers if they are not meters.
    pub(crate) fn heights(self, map: &ElevationModel, elevation: Elevation) -> String {
        let (low, high) = map.range();
        let words = format!("heights {} to {} m", meters(low), meters(high));
        if self.format.is_mesh() || elevation == Elevation::METERS {
            return words;
        }
        let (from, to) = (elevation.meters(0.0), elevation.meters(1.0));
        format!(
            "{words}, {} m written as 0 and {} m as {}",
            meters(from),
            meters(to),
            self.largest()
        )
    }
}

/// Metadata files that are being written.
#[derive(Default)]
struct AuxiliaryFiles {
    sidecar: Option<Output>,
    gdal: Option<Output>,
    /// With its content.
    projection: Option<(Output, String)>,
    /// The coordinate system of the replaced map, to be deleted.
    stale: Option<PathBuf>,
}

/// Rounds meters to millimeters. The result is never -0.
pub(crate) fn meters(meters: f64) -> f64 {
    let rounded = (meters * 1e3).round() / 1e3;
    // Huge numbers overflow and are not rounded. Adding 0 removes the sign of -0.
    if rounded.is_finite() {
        rounded + 0.0
    } else {
        meters
    }
}
