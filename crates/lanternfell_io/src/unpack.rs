//! A map's file as a file of plain numbers, for those who look at it in bands of rows.
//!
//! Problem: what measures a map looks at its rows several times, and at several places at once; most
//! formats can only be read from their beginning to their end, and a map may be larger than the memory.
//!
//! Idea: read it once, and put each height where it belongs in a second file, which has room for it.
//!
//! 1. The format's own decoder gives the heights of its rows, strips, tiles or blocks (`cells.rs`).
//! 2. The rows are looked at once more, in their order: gaps are filled, what is no number is found, the
//!    range becomes known.
//!
//! Memory: a row, strip, tile or block of the file, and its directory. The second file has four bytes for
//! each cell, and is written once, and once more where gaps are filled.

use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

use thiserror::Error;

use crate::{
    Fill, Format, ImportError,
    cells::{Cells, Decoded},
    told::is_gap,
};
use lanternfell_heightmap::{Cancelled, MapFrame, MapSize, Progress};

/// Why a file was not unpacked.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// It is no heightmap that is read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The second file can not hold it.
    #[error("the numbers can not be written: {0}")]
    Scratch(#[source] io::Error),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Writes the heights of a map in a `file` as plain numbers into another, [`RawFormat::R32`], from the
/// beginning of `scratch`; returns their size and what they stand for. They are those that [`read`] gives.
///
/// `fill` tells what becomes of cells without a height. The formats are TIFF, OpenEXR, PGM and the ASCII
/// grid; RAW is plain numbers already, and of PNG there is `PngRows`.
///
/// # Errors
/// As [`read`], and when `scratch` can not be written or read, or the work was cancelled.
///
/// [`RawFormat::R32`]: super::RawFormat::R32
/// [`read`]: super::read
pub fn unpack(
    mut file: impl BufRead + Seek,
    format: Format,
    fill: Option<f32>,
    scratch: impl Read + Write + Seek,
    progress: &Progress,
) -> Result<(MapSize, MapFrame), UnpackError> {
    let decode = format.codec().decode.ok_or(ImportError::LeftOut(format))?;
    let fill = fill.filter(|_| format.has_gaps());
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
    let settled = decode(&mut file, &mut cells).and_then(|decoded| {
        cells.begin_anew(progress.span(0.7, 1.0));
        settle(&mut cells, decoded, fill)
    });
    match cells.failed {
        Some(failed) => Err(failed),
        None => Ok(settled?),
    }
}

/// Looks at all rows in their order, and makes them those of a map.
fn settle<S: Read + Write + Seek>(
    cells: &mut ScratchCells<S>,
    decoded: Decoded,
    fill: Option<f32>,
) -> Result<(MapSize, MapFrame), ImportError> {
    let Decoded { size, frame, gap } = decoded;
    let is_gap = |z: f32| is_gap(z, gap, fill.map(Fill::Height));
    let is_downward = frame.is_downward();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    let mut not_finite = None;
    for row in 0..size.height() {
        let mut has_changed = is_downward;
        let heights = cells.load(row * size.width(), size.width())?;
        for (column, z) in heights.iter_mut().enumerate() {
            if is_gap(*z) {
                // Any gap is told rather than what is no number.
                *z = fill.ok_or(ImportError::Gap { column, row })?;
                has_changed = true;
            }
            let height = *z;
            if !height.is_finite() && not_finite.is_none() {
                not_finite = Some(ImportError::NotFinite {
                    column,
                    row,
                    height,
                });
            }
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
    let frame = frame.frame(size, || (low, high)).upward();
    frame.validate_on(size)?;
    Ok((size, frame))
}

/// Cells in a file of plain numbers.
struct ScratchCells<S> {
    scratch: S,
    /// Where it stands, if that is known.
    at: Option<u64>,
    /// The heights that were put, or loaded, last.
    heights: Vec<f32>,
    bytes: Vec<u8>,
    progress: Progress,
    /// Cells of so many.
    done: usize,
    total: usize,
    /// Why no more can be put; an [`ImportError`] can not say it.
    failed: Option<UnpackError>,
}

impl<S: Read + Write + Seek> ScratchCells<S> {
    /// Counts the cells anew.
    fn begin_anew(&mut self, progress: Progress) {
        self.progress = progress;
        self.done = 0;
    }

    /// The heights of so many cells, to be changed and [stored](Self::store).
    fn load(&mut self, first: usize, count: usize) -> Result<&mut [f32], ImportError> {
        let loaded = self.try_load(first, count);
        self.check(loaded)?;
        self.step(count)?;
        Ok(&mut self.heights)
    }

    /// Stores the heights from that cell on.
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
        if self.at.take() != Some(at) {
            self.scratch.seek(SeekFrom::Start(at))?;
        }
        Ok(())
    }

    fn step(&mut self, count: usize) -> Result<(), ImportError> {
        self.done += count;
        let step = self.progress.step(self.done.min(self.total), self.total);
        step.map_err(|cancelled| self.stop(cancelled.into()))
    }

    fn check<T>(&mut self, result: io::Result<T>) -> Result<T, ImportError> {
        result.map_err(|error| self.stop(UnpackError::Scratch(error)))
    }

    /// Keeps why there can be no more; a decoder is told something that ends it.
    fn stop(&mut self, why: UnpackError) -> ImportError {
        self.failed = Some(why);
        ImportError::Malformed("it was given up".to_owned())
    }
}

impl<S: Read + Write + Seek> Cells for ScratchCells<S> {
    fn begin(&mut self, size: MapSize, value: Option<f32>) -> Result<(), ImportError> {
        self.total = size.cells();
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

    /// Those of them that are built in.
    fn formats() -> impl Iterator<Item = Format> {
        let all = [Format::Tiff, Format::Exr, Format::Pgm, Format::Ascii];
        all.into_iter().filter(|format| format.is_built_in())
    }

    #[test]
    fn what_is_unpacked_is_what_is_read() {
        for (width, height) in [(2, 2), (57, 31), (300, 40)] {
            let map = noise(width, height);
            for format in formats() {
                let bytes = packed(&map, format);
                let whole = read(&bytes, format, &ReadOptions::default()).unwrap();
                let mut scratch = Cursor::new(Vec::new());
                let file = Cursor::new(&bytes);
                let found = unpack(file, format, None, &mut scratch, &Progress::default());
                let (size, frame) = found.unwrap();
                assert_eq!(frame, whole.frame, "{format}");
                let heights = read_raw(scratch.get_ref(), size, RawFormat::R32);
                assert_eq!(heights, Ok(whole.heights), "{format}");
            }
        }
    }

    #[test]
    fn damaged_files_are_the_errors_that_they_are_in_memory() {
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
                let found = unpack(file, format, None, &mut scratch, &Progress::default());
                match (whole, found) {
                    (Ok(whole), Ok((size, frame))) => {
                        assert_eq!(
                            (whole.size(), whole.frame),
                            (size, frame),
                            "{format}, {round}"
                        );
                    }
                    (Err(whole), Err(UnpackError::Import(found))) => {
                        // As text: what is no number is not equal to itself.
                        let (whole, found) = (whole.to_string(), found.to_string());
                        assert_eq!(whole, found, "{format}, {round}");
                    }
                    (whole, found) => panic!("{format}, {round}: {whole:?}, {found:?}"),
                }
            }
        }
    }

    /// A disk that is full, and work that is not wanted any more.
    #[test]
    fn what_stops_it_is_told() {
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
            let found = unpack(Cursor::new(&bytes), format, None, full, &progress);
            assert!(matches!(found, Err(UnpackError::Scratch(_))), "{format}");
            progress.cancel();
            let scratch = Cursor::new(Vec::new());
            let found = unpack(Cursor::new(&bytes), format, None, scratch, &progress);
            assert!(matches!(found, Err(UnpackError::Cancelled(_))), "{format}");
        }
        let file = Cursor::new(Vec::new());
        let scratch = Cursor::new(Vec::new());
        let found = unpack(file, Format::Raw, None, scratch, &Progress::default());
        assert!(found.is_err());
    }
}
