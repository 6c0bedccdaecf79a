//! Writing maps: the options that all commands share, and the file or pipe they end in.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use lanternfell_heightmap::{
    Heightmap, Progress, Scale,
    io::{self, Format, PngDepth, RawFormat, Sample, Sidecar, TiffOptions, WriteOptions},
};

use crate::{
    failure::Failure,
    output::{Output, WriteError},
    read, source,
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
        let format = ending.as_deref().and_then(Format::from_extension);
        let (Some(format), Some(ending)) = (format, ending) else {
            return Err(self.unknown_ending(others));
        };
        let fixed = RawFormat::from_extension(&ending);
        let is_free = format == Format::Raw && fixed.is_none();
        let wrong = |what: &str| Err(Failure::Usage(what.to_owned()));
        if raw.is_some() && !is_free {
            return wrong("--raw-format and --big-endian are for .raw files only");
        }
        if self.bits.is_some() && !matches!(format, Format::Png | Format::Pgm | Format::Tiff) {
            return wrong("--bits is for .png, .pgm and .tif only");
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
            .or_else(|| source::extension(&self.output))
    }

    pub(crate) fn is_pipe(&self) -> bool {
        self.output == Path::new("-")
    }

    fn unknown_ending(&self, others: &str) -> Failure {
        if let Some(format) = &self.format {
            let known = endings();
            return Failure::Usage(format!("--format {format}: must be one of {known}{others}"));
        }
        if self.is_pipe() {
            let hint = "say the --format of what is written to standard output, as --format png";
            return Failure::Usage(hint.to_owned());
        }
        unknown_ending(&self.output, &format!("{}{others}", endings()))
    }
}

impl Style {
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

/// The endings of all formats, for errors.
fn endings() -> String {
    let all = Format::ALL.iter().flat_map(|format| format.extensions());
    let all: Vec<String> = all.map(|ending| format!(".{ending}")).collect();
    all.join(", ")
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
        if path == Path::new("-") {
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
                let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
                let written = write(&mut out).map_err(Into::into);
                written
                    .and_then(|()| out.flush().map_err(WriteError::Io))
                    .map_err(|error| error.into_failure(Path::new("standard output")))
            }
        }
    }
}

impl Style {
    /// Writes the map, and its sidecar if it shall have one.
    pub(crate) fn write(
        self,
        (map, scale): (&Heightmap, Scale),
        path: &Path,
        target: Target,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let options = self.options(map, scale);
        target.finish(progress, |out| {
            io::write(map, self.format, &options, out, progress)
        })?;
        if !self.sidecar {
            return Ok(());
        }
        let beside = Output::prepare(&read::sidecar_path(path))?;
        beside.finish(progress, |out| Sidecar::of(map, self.raw, scale).write(out))
    }

    fn options(self, map: &Heightmap, scale: Scale) -> WriteOptions<'static> {
        WriteOptions {
            depth: self.depth,
            raw: self.raw,
            tiff: TiffOptions {
                sample: self.tiff,
                spacing: Some(scale.spacing),
            },
            scale,
            ..WriteOptions::new(map.size())
        }
    }
}
