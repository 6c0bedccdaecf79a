//! Converts a heightmap file to a file of plain numbers, for tools that process it in bands of rows.
//!
//! Problem: measuring a map reads its rows several times, and at several places at once. Most formats can only be read
//! from beginning to end, and a map may be larger than memory.
//!
//! Idea: read the file once, and write each height to its position in a second file.
//!
//! 1. The decoder of the format provides the heights of its rows, strips, tiles or blocks (`cells.rs`).
//! 2. The rows are read once more, in order, to fill gaps, reject non-finite heights, and find the range.
//!
//! Memory: the directory of the file, and one row, strip, tile or block, or a piece of it. The second file
//! takes four bytes per cell. It is written once, and rows with gaps are written twice.

use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

use thiserror::Error;

use crate::{
    Fill, Format, ImportError, Meaning, ReadOptions,
    cells::{Cells, Decoded},
    file_metadata::{Gaps, StoredFrame},
};
use lanternfell_heightmap::{Canceled, MapFrame, MapSize, Progress};

/// The error of [`unpack`].
#[derive(Debug, Error)]
pub enum UnpackError {
    /// The file is not a supported heightmap.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The second file cannot be written or read.
    #[error("cannot write the unpacked heights")]
    Scratch(#[source] io::Error),
    /// The operation was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

/// A map that [`unpack`] has unpacked, without its heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpackedMap {
    /// The size of the map.
    pub size: MapSize,
    /// What the heights and cells mean.
    pub frame: MapFrame,
    /// How the meaning of the heights was determined.
    pub meaning: Meaning,
}

impl UnpackedMap {
    /// Creates it from the metadata of a file. Its heights point up.
    pub(super) fn of(
        size: MapSize,
        frame: StoredFrame,
        meaning: Meaning,
        options: &ReadOptions,
    ) -> Result<Self, ImportError> {
        let frame = frame.frame(size, meaning, options).upward();
        frame.validate_on(size)?;
        Ok(Self {
            size,
            frame,
            meaning,
        })
    }
}

/// Writes the heights of the map in `file` as plain numbers ([`RawFormat::R32`]) to `scratch`, from its beginning. The
/// heights are those that [`read`] returns.
///
/// Supported formats: TIFF, OpenEXR, PGM, ESRI ASCII grid, XYZ and SRTM. RAW, ESRI BIL and float grids already consist
/// of plain numbers, and `PngRows` reads a PNG row by row. [`Fill::Interpolate`] is not supported, because it needs the
/// whole map.
///
/// # Errors
/// The errors of [`read`], and an error when `scratch` cannot be written or read, or the operation is canceled. A
/// format without support returns [`ImportError::LeftOut`], and [`Fill::Interpolate`] an [`ImportError::Malformed`].
///
/// [`RawFormat::R32`]: super::RawFormat::R32
/// [`read`]: super::read
pub fn unpack(
    mut file: impl BufRead + Seek,
    format: Format,
    options: &ReadOptions,
    scratch: impl Read + Write + Seek,
    progress: &Progress,
) -> Result<UnpackedMap, UnpackError> {
    let decode = format.codec().decode.ok_or(match format {
        Format::Bil | Format::Flt => ImportError::NoHeader,
        _ => ImportError::LeftOut(format),
    })?;
    if options.fill == Some(Fill::Interpolate) {
        let whole = "no-data cells can only be interpolated in a map that is read completely";
        return Err(ImportError::malformed(whole).into());
    }
    let mut cells = ScratchCells {
        scratch,
        at: None,
        heights: Vec::new(),
        bytes: Vec::new(),
        progress: progress.span(0.0, 0.7),
        done: 0,
        total: 1,
        failed: None,
    };
    let settled = decode(&mut file, options, &mut cells).and_then(|decoded| {
        cells.restart_progress(progress.span(0.7, 1.0));
        settle(&mut cells, decoded, options)
    });
    // A failed write ends the decoder with a placeholder error. The real reason is in `failed`.
    match cells.failed {
        Some(failed) => Err(failed),
        None => Ok(settled?),
    }
}

/// Processes all rows in order: fills gaps, checks the heights, divides integers, and inverts depths.
fn settle<S: Read + Write + Seek>(
    cells: &mut ScratchCells<S>,
    decoded: Decoded,
    options: &ReadOptions,
) -> Result<UnpackedMap, ImportError> {
    let Decoded {
        size,
        frame,
        gap,
        largest,
    } = decoded;
    let gaps = Gaps::of(gap, options);
    let fill = match options.fill {
        Some(Fill::Height(height)) => Some(height),
        Some(Fill::Interpolate) | None => None,
    };
    let is_downward = frame.is_downward(options);
    let divisor = match largest {
        // Integers do not need their range to decide what they mean.
        Some(_) => Meaning::of(frame.elevation_source(), largest, options, || (0.0, 1.0))?.one,
        None => 1.0,
    };
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    let mut not_finite = None;
    for row in 0..size.height() {
        let mut has_changed = is_downward || divisor != 1.0;
        let heights = cells.load(row * size.width(), size.width())?;
        for (column, z) in heights.iter_mut().enumerate() {
            if gaps.contain(*z) {
                // A gap is reported even if a non-finite height comes first, as `read` does.
                *z = fill.ok_or(ImportError::Gap { column, row })?;
                has_changed = true;
            } else {
                *z /= divisor;
            }
            let height = *z;
            if !height.is_finite() && not_finite.is_none() {
                not_finite = Some(ImportError::NotFinite {
                    column,
                    row,
                    height,
                });
            }
            // The range of the numbers as stored, before the sign changes. `frame` uses it to decide whether they are
            // meters.
            (low, high) = (low.min(height), high.max(height));
            if is_downward {
                *z = -height;
            }
        }
        if has_changed {
            cells.store(row * size.width())?;
        }
    }
    if let Some(error) = not_finite {
        return Err(error);
    }
    let meaning = frame.meaning(largest, options, || (low, high))?;
    UnpackedMap::of(size, frame, meaning, options)
}

/// The cells of a map, stored in a file of plain numbers.
struct ScratchCells<S> {
    scratch: S,
    /// The current position in `scratch`, if known.
    at: Option<u64>,
    /// The heights that were written or loaded last.
    heights: Vec<f32>,
    bytes: Vec<u8>,
    progress: Progress,
    /// The number of cells that are done.
    done: usize,
    total: usize,
    /// The reason for a failure that [`ImportError`] cannot express.
    failed: Option<UnpackError>,
}

impl<S: Read + Write + Seek> ScratchCells<S> {
    /// Restarts the progress for the second pass.
    fn restart_progress(&mut self, progress: Progress) {
        self.progress = progress;
        self.done = 0;
    }

    /// Loads `count` heights, to be changed and [stored](Self::store).
    fn load(&mut self, first: usize, count: usize) -> Result<&mut [f32], ImportError> {
        let loaded = self.try_load(first, count);
        self.check(loaded)?;
        self.step(count)?;
        Ok(&mut self.heights)
    }

    /// Writes the loaded heights, starting at the cell `first`.
    fn store(&mut self, first: usize) -> Result<(), ImportError> {
        let stored = self.try_store(first);
        self.check(stored)
    }

    fn try_load(&mut self, first: usize, count: usize) -> io::Result<()> {
        self.go_to(first)?;
        self.bytes.resize(4 * count, 0);
        self.scratch.read_exact(&mut self.bytes)?;
        self.at = Some(4 * (first + count) as u64);
        let numbers = self.bytes.as_chunks().0.iter();
        self.heights.clear();
        self.heights
            .extend(numbers.map(|&number| f32::from_le_bytes(number)));
        Ok(())
    }

    fn try_store(&mut self, first: usize) -> io::Result<()> {
        self.go_to(first)?;
        self.bytes.clear();
        let numbers = self.heights.iter().flat_map(|height| height.to_le_bytes());
        self.bytes.extend(numbers);
        self.scratch.write_all(&self.bytes)?;
        self.at = Some(4 * (first + self.heights.len()) as u64);
        Ok(())
    }

    fn go_to(&mut self, cell: usize) -> io::Result<()> {
        let at = 4 * cell as u64;
        // `take` forgets the position until the operation succeeds, so a failed one cannot leave
        // a wrong position.
        if self.at.take() != Some(at) {
            self.scratch.seek(SeekFrom::Start(at))?;
        }
        Ok(())
    }

    fn step(&mut self, count: usize) -> Result<(), ImportError> {
        self.done += count;
        // Channels after the first load the same cells again, so `done` may exceed the map.
        let step = self.progress.step(self.done.min(self.total), self.total);
        step.map_err(|canceled| self.stop(canceled.into()))
    }

    fn check<T>(&mut self, result: io::Result<T>) -> Result<T, ImportError> {
        result.map_err(|error| self.stop(UnpackError::Scratch(error)))
    }

    /// Stores the reason, and returns an error that ends the decoder.
    fn stop(&mut self, why: UnpackError) -> ImportError {
        self.failed = Some(why);
        ImportError::Malformed("reading was stopped".to_owned())
    }
}

impl<S: Read + Write + Seek> Cells for ScratchCells<S> {
    fn begin(&mut self, size: MapSize, value: Option<f32>) -> Result<(), ImportError> {
        self.total = size.cells();
        // Blocks may be missing. Without this, their cells would keep the previous content of the
        // scratch file.
        if let Some(value) = value {
            self.heights = vec![value; size.width()];
            for y in 0..size.height() {
                self.store(y * size.width())?;
            }
        }
        Ok(())
    }

    fn put(
        &mut self,
        first: usize,
        count: usize,
        fill: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError> {
        self.heights.clear();
        self.heights.resize(count, 0.0);
        fill(&mut self.heights);
        self.store(first)?;
        self.step(count)
    }

    #[cfg(any(feature = "exr", feature = "tiff"))]
    fn change(
        &mut self,
        first: usize,
        count: usize,
        change: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError> {
        change(self.load(first, count)?);
        self.store(first)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::{RawFormat, ReadOptions, WriteOptions, read, read_raw, write};
    use lanternfell_heightmap::{ElevationModel, Heightmap, SeededRng};

    fn noise(width: u64, height: u64) -> ElevationModel {
        let size = MapSize::new(width, height).unwrap();
        let mut rng = SeededRng::new(width, b"unpack  ");
        let map = Heightmap::from_fn(size, |_, _| rng.unit() as f32).unwrap();
        ElevationModel::of_heights(map)
    }

    fn packed(map: &ElevationModel, format: Format) -> Vec<u8> {
        let mut bytes = Vec::new();
        let options = WriteOptions::default();
        write(map, format, &options, &mut bytes, &Progress::default()).unwrap();
        bytes
    }

    /// The supported formats that are built in.
    fn formats() -> impl Iterator<Item = Format> {
        let all = [
            Format::Tiff,
            Format::Exr,
            Format::Pgm,
            Format::Ascii,
            Format::Xyz,
        ];
        all.into_iter().filter(|format| format.is_built_in())
    }

    #[test]
    fn unpack_matches_read() {
        for (width, height) in [(2, 2), (57, 31), (300, 40)] {
            let map = noise(width, height);
            for format in formats() {
                let bytes = packed(&map, format);
                let whole = read(&bytes, format, &ReadOptions::default()).unwrap();
                let mut scratch = Cursor::new(Vec::new());
                let file = Cursor::new(&bytes);
                let found = unpack(
                    file,
                    format,
                    &ReadOptions::default(),
                    &mut scratch,
                    &Progress::default(),
                );
                let UnpackedMap { size, frame, .. } = found.unwrap();
                assert_eq!(frame, whole.frame, "{format}");
                let heights = read_raw(scratch.get_ref(), size, RawFormat::R32);
                assert_eq!(heights, Ok(whole.heights), "{format}");
            }
        }
    }

    #[test]
    fn unpack_and_read_report_same_errors() {
        let map = noise(40, 30);
        let mut rng = SeededRng::new(8, b"damaged ");
        for format in formats() {
            let good = packed(&map, format);
            for round in 0..400 {
                let mut bytes = good.clone();
                if round % 4 == 0 {
                    bytes.truncate(rng.below(good.len() as u64) as usize);
                } else {
                    let at = rng.below(good.len() as u64) as usize;
                    bytes[at] = rng.below(256) as u8;
                }
                let whole = read(&bytes, format, &ReadOptions::default());
                let mut scratch = Cursor::new(Vec::new());
                let file = Cursor::new(&bytes);
                let found = unpack(
                    file,
                    format,
                    &ReadOptions::default(),
                    &mut scratch,
                    &Progress::default(),
                );
                match (whole, found) {
                    (Ok(whole), Ok(UnpackedMap { size, frame, .. })) => {
                        assert_eq!(
                            (whole.size(), whole.frame),
                            (size, frame),
                            "{format}, {round}"
                        );
                    }
                    (Err(whole), Err(UnpackError::Import(found))) => {
                        // Compare as text, because NaN is not equal to itself.
                        let (whole, found) = (whole.to_string(), found.to_string());
                        assert_eq!(whole, found, "{format}, {round}");
                    }
                    (whole, found) => panic!("{format}, {round}: {whole:?}, {found:?}"),
                }
            }
        }
    }

    /// Simulates a full disk and a cancellation.
    #[test]
    fn reports_full_disk_and_cancellation() {
        struct Full(Cursor<Vec<u8>>);
        impl Read for Full {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                self.0.read(bytes)
            }
        }
        impl Seek for Full {
            fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
                self.0.seek(to)
            }
        }
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if self.0.position() > 1000 {
                    return Err(io::ErrorKind::StorageFull.into());
                }
                self.0.write(bytes)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for format in formats() {
            let bytes = packed(&noise(40, 30), format);
            let progress = Progress::default();
            let full = Full(Cursor::new(Vec::new()));
            let options = ReadOptions::default();
            let found = unpack(Cursor::new(&bytes), format, &options, full, &progress);
            assert!(matches!(found, Err(UnpackError::Scratch(_))), "{format}");
            progress.cancel();
            let scratch = Cursor::new(Vec::new());
            let found = unpack(Cursor::new(&bytes), format, &options, scratch, &progress);
            assert!(matches!(found, Err(UnpackError::Canceled(_))), "{format}");
        }
        let file = Cursor::new(Vec::new());
        let scratch = Cursor::new(Vec::new());
        let options = ReadOptions::default();
        let found = unpack(file, Format::Raw, &options, scratch, &Progress::default());
        assert!(found.is_err());
    }
}
