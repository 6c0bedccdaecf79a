//! Where a file's heights go as they are read: into memory, or into a file that holds what the memory
//! should not.
//!
//! A format is read once, by one function, which takes a [`Source`] and gives all heights to [`Cells`].
//! [`in_memory`] makes a map of them; `unpack.rs` a file of plain numbers.

use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

use crate::{
    Fill, ImportError,
    told::{self, FrameTold},
};
use lanternfell_heightmap::{ElevationModel, MapSize};

/// The bytes of a file, wherever they are.
pub(super) trait Source: BufRead + Seek {}

impl<T: BufRead + Seek> Source for T {}

/// Reads a format: all heights into the cells, and what is told beside them.
pub(super) type DecodeFn = fn(&mut dyn Source, &mut dyn Cells) -> Result<Decoded, ImportError>;

/// The cells of a map that is read, counted from the north-west, row by row.
pub(super) trait Cells {
    /// Makes room for a map; called once, before all else. Where no `value` is told, each cell will be put.
    fn begin(&mut self, size: MapSize, value: Option<f32>) -> Result<(), ImportError>;

    /// Lets `fill` set the heights of so many cells of a row.
    fn put(
        &mut self,
        first: usize,
        count: usize,
        fill: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError>;

    /// Lets `change` change the heights of so many cells of a row, which were put.
    #[cfg(any(feature = "exr", feature = "tiff"))]
    fn change(
        &mut self,
        first: usize,
        count: usize,
        change: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError>;
}

/// What is known of a map whose heights were read, but for the gaps in them.
pub(super) struct Decoded {
    pub(super) size: MapSize,
    pub(super) frame: FrameTold,
    /// The height that stands for none, which may be NaN.
    pub(super) gap: Option<f32>,
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

/// Reads a map of a format, whole.
pub(super) fn in_memory(
    bytes: &[u8],
    decode: DecodeFn,
    fill: Option<Fill>,
) -> Result<ElevationModel, ImportError> {
    let mut heights = Vec::new();
    let Decoded { size, frame, gap } = decode(&mut Cursor::new(bytes), &mut heights)?;
    Ok(frame.of(told::filled(size, heights, gap, fill)?))
}

/// How many bytes there are in all. The next is the first.
pub(super) fn length(file: &mut dyn Source) -> Result<u64, ImportError> {
    let length = file.seek(SeekFrom::End(0)).map_err(unread)?;
    file.rewind().map_err(unread)?;
    Ok(length)
}

/// The first bytes, at most so many. The next is the first again.
pub(super) fn beginning(file: &mut dyn Source, most: usize) -> Result<Vec<u8>, ImportError> {
    file.rewind().map_err(unread)?;
    let mut bytes = Vec::new();
    let mut start = file.take(most as u64);
    start.read_to_end(&mut bytes).map_err(unread)?;
    file.rewind().map_err(unread)?;
    Ok(bytes)
}

/// The system could not read the bytes.
pub(super) fn unread(error: std::io::Error) -> ImportError {
    ImportError::malformed(format_args!("the file can not be read: {error}"))
}
