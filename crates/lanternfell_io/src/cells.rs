//! Receives heights as a file is read: into memory, or into a file for maps that do not fit into memory.
//!
//! Each format has one decoder, which reads a [`Source`] and passes all heights to [`Cells`]. [`in_memory`] collects
//! them in a map, and `unpack.rs` writes them to a file of plain numbers.

use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

use crate::{
    ImportError, ImportedMap, Meaning, ReadOptions,
    error::read_words,
    file_metadata::{Gaps, StoredFrame},
};
use lanternfell_heightmap::MapSize;

/// The bytes of a file, in memory or on disk.
pub(super) trait Source: BufRead + Seek {}

impl<T: BufRead + Seek> Source for T {}

/// A decoder: passes all heights to the cells and returns the metadata.
pub(super) type DecodeFn =
    fn(&mut dyn Source, &ReadOptions, &mut dyn Cells) -> Result<Decoded, ImportError>;

/// The cells of a map that is being read, numbered row by row from the northwest corner.
pub(super) trait Cells {
    /// Whether the decoder has to put heights. If not, it may return the metadata at once.
    fn wants_heights(&self) -> bool {
        true
    }

    /// Makes room for a map. The decoder calls it once, before all else. Each cell starts as `value`; with `None`, the
    /// decoder must put every cell.
    fn begin(&mut self, size: MapSize, value: Option<f32>) -> Result<(), ImportError>;

    /// Calls `fill` to set the heights of `count` cells of a row, from cell `first`.
    fn put(
        &mut self,
        first: usize,
        count: usize,
        fill: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError>;

    /// Calls `change` to modify the heights of `count` cells of a row that were already put.
    ///
    /// By default, it does the same as [`put`](Self::put), for cells in memory.
    #[cfg(any(feature = "exr", feature = "tiff"))]
    fn change(
        &mut self,
        first: usize,
        count: usize,
        change: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError> {
        self.put(first, count, change)
    }
}

/// The metadata of a map whose numbers were read, before they become heights and no-data cells are filled.
pub(super) struct Decoded {
    pub(super) size: MapSize,
    pub(super) frame: StoredFrame,
    /// The no-data value, which may be NaN.
    pub(super) gap: Option<f32>,
    /// The number of a height of 1, if the numbers may be fractions of it. `None` for floating-point numbers, and for
    /// integers that are never fractions.
    pub(super) largest: Option<f32>,
}

impl Cells for Vec<f32> {
    fn begin(&mut self, size: MapSize, value: Option<f32>) -> Result<(), ImportError> {
        *self = vec![value.unwrap_or(0.0); size.cells()];
        Ok(())
    }

    fn put(
        &mut self,
        first: usize,
        count: usize,
        fill: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError> {
        fill(&mut self[first..][..count]);
        Ok(())
    }
}

impl Decoded {
    /// Returns the map of these numbers.
    pub(super) fn map(
        self,
        mut numbers: Vec<f32>,
        options: &ReadOptions,
    ) -> Result<ImportedMap, ImportError> {
        let Self {
            size,
            frame,
            gap,
            largest,
        } = self;
        let mut gaps = Gaps::of(gap, options);
        if let Some(largest) = largest {
            // Mark gaps before the division, after which they could not be found.
            gaps.mark(size, &mut numbers)?;
            gaps = gaps.marked();
            // Integers do not need their range.
            let meaning = Meaning::of(frame.elevation_source(), Some(largest), options, || {
                (0.0, 1.0)
            })?;
            if meaning.one == largest {
                numbers.iter_mut().for_each(|number| *number /= largest);
            }
        }
        let heights = gaps.fill(size, numbers)?;
        let meaning = frame.meaning(largest, options, || heights.range())?;
        let model = frame.frame(size, meaning, options).of(heights);
        Ok(ImportedMap { model, meaning })
    }
}

/// Reads a whole map of a format from the bytes of a file.
pub(super) fn in_memory(
    bytes: &[u8],
    decode: DecodeFn,
    options: &ReadOptions,
) -> Result<ImportedMap, ImportError> {
    from_source(&mut Cursor::new(bytes), decode, options)
}

/// Reads a whole map of a format, without the bytes of the file in memory.
pub(super) fn from_source(
    file: &mut dyn Source,
    decode: DecodeFn,
    options: &ReadOptions,
) -> Result<ImportedMap, ImportError> {
    let mut numbers = Vec::new();
    let decoded = decode(file, options, &mut numbers)?;
    decoded.map(numbers, options)
}

/// Returns the length in bytes, and rewinds.
pub(super) fn length(file: &mut dyn Source) -> Result<u64, ImportError> {
    let length = file.seek(SeekFrom::End(0)).map_err(unread)?;
    file.rewind().map_err(unread)?;
    Ok(length)
}

/// Returns the first `most` bytes or fewer, and rewinds.
pub(super) fn beginning(file: &mut dyn Source, most: usize) -> Result<Vec<u8>, ImportError> {
    file.rewind().map_err(unread)?;
    let mut bytes = Vec::new();
    let mut start = file.take(most as u64);
    start.read_to_end(&mut bytes).map_err(unread)?;
    file.rewind().map_err(unread)?;
    Ok(bytes)
}

/// Converts an I/O error of the source.
pub(super) fn unread(error: std::io::Error) -> ImportError {
    ImportError::malformed(format_args!("cannot read the file: {}", read_words(&error)))
}
