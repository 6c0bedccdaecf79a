//! Writing maps: the options that all commands share, and the file or pipe they end in.

use std::{
    io::{BufWriter, Error, ErrorKind, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use lanternfell_heightmap::{
    Heightmap, Progress,
    io::{self, Format, Numbers, PngDepth, RawFormat, Sample, Sidecar, TiffOptions, WriteOptions},
};

use crate::{
    failure::Failure,
    geo_frame::GeoFrame,
    job::{STANDARD_OUTPUT, is_standard_output, waiting},
    output::{Output, WriteError},
    path::{endings, extension, sidecar_path, usual_endings},
    read,
};

/// Where a map is written, and how.
#[derive(Debug, Args)]
pub(crate) struct WriteArgs {
    /// The file to write; its ending chooses the format. An existing file is replaced; - is
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// The format, as a file's ending, where the name has none, as -
    #[arg(long, value_name = "ENDING")]
    pub(crate) format: Option<String>,

    /// Bits of each height in a .png, .pgm or .tif: 8 or 16 [default: 16; of .tif: f32]
    #[arg(long, value_parser = bits)]
    pub(crate) bits: Option<PngDepth>,

    /// Write FILE.json too, which says what a .raw, .r16 or .r32 holds
    #[arg(long)]
    pub(crate) sidecar: bool,
}

fn bits(text: &str) -> Result<PngDepth, String> {
    match text {
        "8" => Ok(PngDepth::Eight),
        "16" => Ok(PngDepth::Sixteen),
        _ => Err("must be 8 or 16".to_owned()),
    }
}

/// How a map is to be written, once that has been understood.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub(crate) format: Format,
    raw: RawFormat,
    depth: PngDepth,
    tiff: Sample,
    sidecar: bool,
}

impl WriteArgs {
    /// What the file's ending and the options say together. `raw` is for a file that ends in
    /// .raw. `others` tells, for the error, which endings the command knows besides.
    pub(crate) fn style(&self, raw: Option<RawFormat>, others: &str) -> Result<Style, Failure> {
        let ending = self.ending();
        self.reject_two_formats()?;
        let format = ending.as_deref().and_then(Format::from_extension);
        let (Some(format), Some(ending)) = (format, ending) else {
            return Err(self.unknown_ending(others));
        };
        let fixed = RawFormat::from_extension(&ending);
        let is_free = format == Format::Raw && fixed.is_none();
        let wrong = |what: &str| Err(Failure::Usage(what.to_owned()));
        if raw.is_some() && !is_free {
            return wrong(
                "--raw-format and --big-endian, with --to- or without, are for .raw files only",
            );
        }
        if self.bits.is_some() && !has_bits(format) {
            return wrong(&format!("--bits is for {} only", usual_endings(has_bits)));
        }
        if self.sidecar && format != Format::Raw {
            return wrong("--sidecar is for .raw, .r16 and .r32 only: others know their own size");
        }
        if self.sidecar && self.is_pipe() {
            return wrong("--sidecar needs a file to stand beside, and the output is a pipe");
        }
        Ok(Style {
            format,
            raw: fixed.or(raw).unwrap_or_default(),
            depth: self.bits.unwrap_or_default(),
            tiff: match self.bits {
                None => Sample::F32,
                Some(PngDepth::Eight) => Sample::U8,
                Some(PngDepth::Sixteen) => Sample::U16,
            },
            sidecar: self.sidecar,
        })
    }

    /// What the format is called by: the option, or else the file's ending.
    pub(crate) fn ending(&self) -> Option<String> {
        let option = self
            .format
            .as_deref()
            .map(|name| name.trim_start_matches('.'));
        option
            .map(str::to_ascii_lowercase)
            .or_else(|| extension(&self.output))
    }

    /// An option that contradicts the file's name is a mistake.
    pub(crate) fn reject_two_formats(&self) -> Result<(), Failure> {
        let is_known =
            |ending: &String| ending == "ron" || Format::from_extension(ending).is_some();
        let named = extension(&self.output).filter(is_known);
        match (&self.format, named, self.ending()) {
            (Some(option), Some(named), Some(ending)) if named != ending => {
                let path = self.output.display();
                let wrong = format!("--format {option} contradicts the name {path}");
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
            let known = endings(|_| true);
            return Failure::Usage(format!("--format {format}: must be one of {known}{others}"));
        }
        if self.is_pipe() {
            let hint = "say the --format of what is written to standard output, as --format png";
            return Failure::Usage(hint.to_owned());
        }
        unknown_ending(&self.output, &format!("{}{others}", endings(|_| true)))
    }
}

impl Style {
    /// Whether heights are kept as whole numbers, which hold 0 to 1.
    pub(crate) fn is_whole(self) -> bool {
        match self.format.numbers() {
            Numbers::Whole => true,
            Numbers::AsChosen => self.chosen() != Sample::F32,
            Numbers::Float => false,
        }
    }

    /// The numbers of a format that leaves them open: RAW has options of its own for them.
    fn chosen(self) -> Sample {
        if self.format == Format::Raw {
            self.raw.sample
        } else {
            self.tiff
        }
    }

    /// The format of files that end so, with its defaults. `raw` is for .raw.
    pub(crate) fn of_ending(ending: &str, raw: Option<RawFormat>) -> Result<Self, Failure> {
        let arguments = WriteArgs {
            output: PathBuf::from("-"),
            format: Some(ending.to_owned()),
            bits: None,
            sidecar: false,
        };
        arguments.style(raw, "")
    }
}

/// Whether the number of bits can be asked for; RAW has an option of its own.
fn has_bits(format: Format) -> bool {
    format.numbers() != Numbers::Float && format != Format::Raw
}

/// The error of a file whose name tells no format.
pub(crate) fn unknown_ending(path: &Path, known: &str) -> Failure {
    Failure::Usage(format!(
        "can not write {}: its name must end in {known}",
        path.display()
    ))
}

/// Where bytes go: a file that is written whole or not at all, or a pipe.
pub(crate) enum Target {
    File(Output),
    Pipe,
}

impl Target {
    /// Makes room for the file `path`, which is not touched yet; - is standard output.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Failure> {
        if is_standard_output(path) {
            return Ok(Self::Pipe);
        }
        Ok(Self::File(Output::prepare(path)?))
    }

    /// Writes by `write`, and moves a file to its place.
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
                // What is left of it would be written when it is dropped.
                let _ = out.into_parts();
                progress.check()?;
                match written {
                    // Whoever closed the pipe has read enough.
                    Err(WriteError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                    written => {
                        written.map_err(|error| error.into_failure(Path::new(STANDARD_OUTPUT)))
                    }
                }
            }
        }
    }
}

/// Standard output, for work that can be cancelled.
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
    /// Writes the map, and its sidecar if it shall have one, or has one already: an old one
    /// would tell lies.
    pub(crate) fn write(
        self,
        (map, ground): (&Heightmap, GeoFrame),
        path: &Path,
        target: Target,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let beside = self.beside(path, &target)?;
        let options = self.options(map, ground);
        target.finish(progress, |out| {
            io::write(map, self.format, &options, out, progress)
        })?;
        let Some(beside) = beside else {
            return Ok(());
        };
        let sidecar = Sidecar::of(map, self.raw, ground.scale);
        beside.finish(progress, |out| sidecar.write(out))
    }

    /// Room for the sidecar, made before anything is written.
    fn beside(self, path: &Path, target: &Target) -> Result<Option<Output>, Failure> {
        if self.format != Format::Raw || matches!(target, Target::Pipe) {
            return Ok(None);
        }
        let path = sidecar_path(path);
        if !self.sidecar && !read::is_sidecar(&path) {
            return Ok(None);
        }
        Ok(Some(Output::prepare(&path)?))
    }

    fn options(
        self,
        map: &Heightmap,
        GeoFrame {
            scale,
            geo_reference,
        }: GeoFrame,
    ) -> WriteOptions<'static> {
        WriteOptions {
            depth: self.depth,
            raw: self.raw,
            tiff: TiffOptions {
                sample: self.tiff,
                geo_reference: Some(geo_reference),
            },
            geo_reference: Some(geo_reference),
            scale,
            ..WriteOptions::new(map.size())
        }
    }
}
