//! A file that is a part of a map: its header, and its heights by rows.
//!
//! SRTM files are plain numbers, of which any rows can be read. Other files are unpacked to a temporary file of plain
//! numbers when their heights are needed for the first time.

use std::{
    fs::File,
    io::BufReader,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use lanternfell_heightmap::{MapFrame, MapSize, Progress};
use lanternfell_io::{self as io, ByteOrder, Fill, Format, RawFormat, Sample, UnpackedMap};

use crate::{
    args::{MapArgs, SelectArgs},
    failure::Failure,
    meaning::Reason,
    memory,
    read::{self, Input},
    stamp::Stamp,
    unpacked::Unpacked,
};

/// The height of cells without a height in unpacked files. No terrain has it.
const NO_HEIGHT: f32 = f32::MAX;

/// The number of cells without a height in SRTM files.
const SRTM_VOID: f32 = -32_768.0;

/// The numbers of SRTM files.
const SRTM: RawFormat = RawFormat {
    sample: Sample::I16,
    order: ByteOrder::Big,
};

/// A file that is a part of a map.
pub(super) struct Tile {
    pub(super) path: PathBuf,
    pub(super) size: MapSize,
    pub(super) frame: MapFrame,
    pub(super) reason: Reason,
    stamp: Stamp,
    /// Whether the heights are the plain numbers of the file.
    is_plain: bool,
    arguments: MapArgs,
    unpacked: Mutex<Option<Unpacked>>,
}

impl Tile {
    /// Reads the header of a file, and the files next to it.
    pub(super) fn open(path: &Path, arguments: &MapArgs) -> Result<Self, Failure> {
        let own = of_tile(path, arguments);
        let Some((file, _, format)) = read::packed(path, &own)? else {
            return Err(Failure::Usage(format!(
                "{}: cannot be a part of a map",
                path.display()
            )));
        };
        let stamp = Stamp::of(path).map_err(|error| Failure::Read {
            path: path.to_owned(),
            error,
        })?;
        let (size, frame, reason) = header(file, format, path, &own)?;
        Ok(Self {
            path: path.to_owned(),
            size,
            frame,
            reason,
            stamp,
            is_plain: format == Format::Hgt
                && own.read.nodata.is_empty()
                && own.read.read_heights.is_none(),
            arguments: own,
            unpacked: Mutex::new(None),
        })
    }

    /// Returns the heights of some rows. Cells without a height are NaN.
    pub(super) fn rows(&self, rows: Range<usize>) -> Result<Vec<f32>, Failure> {
        let heights = if self.is_plain {
            let mut file = Input::open(&self.path)?;
            file.check_exactly(SRTM.bytes(self.size))?;
            let bytes = self.bytes(&mut file, SRTM, rows)?;
            let numbers = bytes.as_chunks().0.iter();
            let heights = numbers.map(|&number| f32::from(i16::from_be_bytes(number)));
            heights
                .map(|z| if z == SRTM_VOID { f32::NAN } else { z })
                .collect()
        } else {
            self.unpacked_rows(rows)?
        };
        self.stamp.check(&self.path)?;
        Ok(heights)
    }

    fn unpacked_rows(&self, rows: Range<usize>) -> Result<Vec<f32>, Failure> {
        let mut unpacked = self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        if unpacked.is_none() {
            let found = Unpacked::of(&self.path, &self.arguments, &Progress::default())?;
            *unpacked = Some(found.ok_or_else(|| {
                let shown = self.path.display();
                let wrong = "it cannot be a part of a map of several files";
                Failure::Usage(format!("{shown}: {wrong}"))
            })?);
        }
        let Some(Unpacked { file, .. }) = unpacked.as_ref() else {
            return Ok(Vec::new());
        };
        let bytes = self.bytes(&mut Input::open(file.path())?, RawFormat::R32, rows)?;
        let numbers = bytes.as_chunks().0.iter();
        let heights = numbers.map(|&number| f32::from_le_bytes(number));
        Ok(heights
            .map(|z| if z.abs() == NO_HEIGHT { f32::NAN } else { z })
            .collect())
    }

    /// Reads the bytes of some rows of plain numbers.
    fn bytes(
        &self,
        file: &mut Input<'_>,
        raw: RawFormat,
        rows: Range<usize>,
    ) -> Result<Vec<u8>, Failure> {
        let row = (self.size.width() * raw.sample.bytes()) as u64;
        file.read_part(rows.start as u64 * row, rows.len() as u64 * row)
    }
}

/// Returns the options for a file, with which cells without a height can be found.
fn of_tile(path: &Path, arguments: &MapArgs) -> MapArgs {
    let SelectArgs {
        band,
        channel,
        part,
    } = &arguments.read.select;
    let mut own = MapArgs::of_file(path);
    own.read.nodata.clone_from(&arguments.read.nodata);
    own.read.read_heights = arguments.read.read_heights;
    own.read.encoding = arguments.read.encoding;
    own.read.fill = Some(Fill::Height(NO_HEIGHT));
    own.read.select = SelectArgs {
        band: *band,
        channel: channel.clone(),
        part: part.clone(),
    };
    own
}

/// Returns the size and the frame of a file, and why its numbers mean what they do.
fn header(
    file: File,
    format: Format,
    path: &Path,
    arguments: &MapArgs,
) -> Result<(MapSize, MapFrame, Reason), Failure> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let shown = path.display();
    memory::check(
        io::largest_part(&mut file, format),
        format_args!("{shown}: its largest strip or tile"),
    )?;
    let mut read = |options: &io::ReadOptions| {
        let header = io::read_metadata(&mut file, format, options);
        header.map_err(|error| read::import(path, error))
    };
    let options = read::options(arguments);
    let UnpackedMap {
        size,
        frame,
        meaning,
    } = read(&options)?;
    let known = (frame, read::reason(meaning, arguments));
    let (frame, reason) = read::frame_with_auxiliary_files(known, size, format, path)?;
    Ok((size, frame, reason))
}
