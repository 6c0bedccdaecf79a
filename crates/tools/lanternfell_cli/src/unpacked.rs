//! Unpacks files into plain numbers, for measures that read a map in bands of rows.
//!
//! Most files can only be read from beginning to end, but a measure reads a map several times, and at several places at
//! once. A file is therefore unpacked once into a temporary file of plain numbers. This needs memory for one row,
//! strip, tile or block, and four bytes of disk space per cell, or one or two for a gray PNG.
//!
//! Some files are read completely instead: those whose no-data cells are interpolated, those whose sidecar defines
//! heights as depths, and PNG files whose integers are not fractions of the largest one, or may be gaps.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Write},
    path::Path,
};

use lanternfell_files::ScratchFile;
use lanternfell_heightmap::Progress;
use lanternfell_io::{
    self as io, Fill, Format, Meaning, PngEncoding, PngRows, RawFormat, ReadOptions, UnpackError,
    UnpackedMap,
};

use crate::{
    args::MapArgs,
    failure::Failure,
    memory, output,
    read::{self, Plain},
};

/// An unpacked file, which is deleted when this is dropped.
pub(crate) struct Unpacked {
    pub(crate) file: ScratchFile,
    pub(crate) plain: Plain,
}

impl Unpacked {
    /// Unpacks a file. Returns `None` if it must be read completely.
    pub(crate) fn of(
        path: &Path,
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Option<Self>, Failure> {
        let Some((file, length, format)) = read::packed(path, arguments)? else {
            return Ok(None);
        };
        let file = BufReader::with_capacity(1 << 16, file);
        match (format, arguments.read.fill) {
            (Format::Png, _) if read::changes_numbers(arguments) => Ok(None),
            (Format::Png, _) => Self::png(file, length, path, arguments, progress),
            (_, Some(Fill::Interpolate)) => Ok(None),
            (_, Some(Fill::Height(_)) | None) => {
                Self::other(file, format, arguments, path, progress)
            }
        }
    }

    fn png(
        file: BufReader<File>,
        length: u64,
        path: &Path,
        arguments: &MapArgs,
        progress: &Progress,
    ) -> Result<Option<Self>, Failure> {
        let wrong = |error| read::import(path, error);
        let encoding = arguments.read.encoding.map(PngEncoding::from);
        let rows = PngRows::open(file, length).map_err(wrong)?;
        let mut rows = rows.with_encoding(encoding);
        let (frame, reason) = read::frame_of_png(&rows, path)?;
        let (size, raw) = (rows.size(), rows.numbers());
        let needs_numbers = reason.meaning.is_some_and(Meaning::needs_numbers);
        if frame.elevation.relief < 0.0 || needs_numbers {
            return Ok(None);
        }
        let file = output::scratch()?;
        let failed = |error| Failure::Write {
            path: file.path().to_owned(),
            error,
        };
        let mut out = BufWriter::with_capacity(1 << 16, file.file());
        let mut done = 0;
        while let Some(row) = rows.next_row().map_err(wrong)? {
            out.write_all(row).map_err(failed)?;
            done += 1;
            progress.step(done, size.height())?;
        }
        out.into_inner()
            .map_err(|error| failed(error.into_error()))?;
        let frame = Some(frame);
        let plain = Plain {
            size,
            raw,
            frame,
            reason,
        };
        Ok(Some(Self { file, plain }))
    }

    fn other(
        mut file: BufReader<File>,
        format: Format,
        arguments: &MapArgs,
        path: &Path,
        progress: &Progress,
    ) -> Result<Option<Self>, Failure> {
        let shown = path.display();
        memory::check(
            io::largest_part(&mut file, format),
            format_args!("{shown}: its largest strip or tile"),
        )?;
        let scratch = output::scratch()?;
        let mut unpack = |options: &ReadOptions| {
            let unpacked = io::unpack(&mut file, format, options, scratch.file(), progress);
            unpacked.map_err(|error| match error {
                UnpackError::Import(error) => read::import(path, error),
                UnpackError::Scratch(error) => Failure::Write {
                    path: scratch.path().to_owned(),
                    error,
                },
                UnpackError::Canceled(_) => Failure::Canceled,
            })
        };
        let options = read::options(arguments);
        let UnpackedMap {
            size,
            frame,
            meaning,
        } = unpack(&options)?;
        let known = (frame, read::reason(meaning, arguments));
        let (frame, reason) = read::frame_with_auxiliary_files(known, size, format, path)?;
        if reason.meaning.is_some_and(Meaning::needs_numbers) {
            unpack(&read::as_meters(&options))?;
        }
        if frame.elevation.relief < 0.0 {
            return Ok(None);
        }
        let plain = Plain {
            size,
            raw: RawFormat::R32,
            frame: Some(frame),
            reason,
        };
        Ok(Some(Self {
            file: scratch,
            plain,
        }))
    }
}
