//! Rows on their way into a file, and heights that came out of one.

use std::io::Write;

use lanternfell_heightmap::{Heightmap, MapSize, Progress};

use crate::{ExportError, ImportError};

/// Writes what `fill(y, bytes)` appends for each of so many rows.
pub(crate) fn stream(
    rows: usize,
    out: &mut impl Write,
    progress: &Progress,
    mut fill: impl FnMut(usize, &mut Vec<u8>),
) -> Result<(), ExportError> {
    let mut bytes = Vec::new();
    for y in 0..rows {
        progress.step(y, rows)?;
        bytes.clear();
        fill(y, &mut bytes);
        out.write_all(&bytes)?;
    }
    Ok(progress.step(1, 1)?)
}

/// A map of heights that were read, unless one of them is no number.
pub(crate) fn finite(size: MapSize, heights: Vec<f32>) -> Result<Heightmap, ImportError> {
    if let Some(cell) = heights.iter().position(|height| !height.is_finite()) {
        return Err(ImportError::NotFinite {
            column: cell % size.width(),
            row: cell / size.width(),
            height: heights[cell],
        });
    }
    Ok(Heightmap::from_heights(size, heights).expect("as many as cells, and all are finite"))
}

/// An error when a file of `found` bytes claims to unpack to `claimed`, and that can not be.
///
/// Deflate packs at most 1032 bytes into one, LZW 2559 (strings of 3838 bytes in codes of
/// 12 bits). So memory is never taken for more than some thousand times what was sent.
#[cfg(any(feature = "exr", feature = "png", feature = "tiff"))]
pub(crate) fn check_claim(claimed: u64, found: usize) -> Result<(), ImportError> {
    const TIGHTEST: u64 = 4096;
    if claimed / TIGHTEST > found as u64 {
        return Err(ImportError::Malformed(format!(
            "{found} bytes can not hold the {claimed} bytes of heights that they claim: the file \
             is cut off or damaged"
        )));
    }
    Ok(())
}
