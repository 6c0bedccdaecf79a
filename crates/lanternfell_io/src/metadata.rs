//! Reads the metadata of a map without its heights.

use std::io::{BufRead, Seek};

use crate::{
    Format, ImportError, ReadOptions, UnpackedMap,
    cells::{Cells, Decoded},
};
use lanternfell_heightmap::MapSize;

/// Reads the size, the frame and the meaning of the heights of a map, without its heights.
///
/// For TIFF, ESRI ASCII grid and SRTM, only the directory or header is read. The other formats of
/// [`unpack`](crate::unpack) are read completely, without keeping the heights. Numbers whose meaning
/// depends on their range count as numbers from 0 to 1.
///
/// # Errors
/// The errors of [`read`](crate::read) that concern the metadata. A format without support returns
/// [`ImportError::LeftOut`] or [`ImportError::NoHeader`].
pub fn read_metadata(
    mut file: impl BufRead + Seek,
    format: Format,
    options: &ReadOptions,
) -> Result<UnpackedMap, ImportError> {
    let decode = format.codec().decode.ok_or(match format {
        Format::Bil | Format::Flt => ImportError::NoHeader,
        _ => ImportError::LeftOut(format),
    })?;
    file.rewind().map_err(crate::cells::unread)?;
    let Decoded {
        size,
        frame,
        largest,
        ..
    } = decode(&mut file, options, &mut NoCells)?;
    let meaning = frame.meaning(largest, options, || (0.0, 1.0))?;
    UnpackedMap::of(size, frame, meaning, options)
}

/// Cells that no heights are wanted for.
struct NoCells;

impl Cells for NoCells {
    fn wants_heights(&self) -> bool {
        false
    }

    fn begin(&mut self, _: MapSize, _: Option<f32>) -> Result<(), ImportError> {
        Ok(())
    }

    fn put(
        &mut self,
        _: usize,
        count: usize,
        fill: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), ImportError> {
        // The decoder may notice errors while it fills the row.
        fill(&mut vec![0.0; count]);
        Ok(())
    }
}
