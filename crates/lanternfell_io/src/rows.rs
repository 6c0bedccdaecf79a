//! Helpers to write rows and to check heights that were read.

use std::io::Write;

use lanternfell_heightmap::{Heightmap, MapSize, Progress};

use crate::{ExportError, ImportError};

/// Writes `rows` rows. `fill(y, bytes)` appends the bytes of row `y`.
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

/// Returns a map of heights that were read, or an error if one of them is NaN or infinite.
pub(crate) fn finite(size: MapSize, heights: Vec<f32>) -> Result<Heightmap, ImportError> {
    if let Some(cell) = heights.iter().position(|height| !height.is_finite()) {
        return Err(ImportError::NotFinite {
            column: cell % size.width(),
            row: cell / size.width(),
            height: heights[cell],
        });
    }
    Ok(Heightmap::from_heights(size, heights).expect("one finite height per cell"))
}

/// Returns an error when a file of `found` bytes cannot decompress to the `claimed` number of bytes.
///
/// The best ratio of Deflate is 1032:1, that of LZW 2559:1 (strings of 3838 bytes in codes of 12 bits). The limit of
/// 4096:1 bounds how much memory a small malicious file can allocate. A format with better ratios must decompress the
/// data to check the size.
#[cfg(any(feature = "exr", feature = "png", feature = "tiff"))]
pub(crate) fn check_claim(claimed: u64, found: usize) -> Result<(), ImportError> {
    const TIGHTEST: u64 = 4096;
    if claimed / TIGHTEST > found as u64 {
        return Err(ImportError::Malformed(format!(
            "{found} bytes cannot hold the {claimed} bytes of heights that the file declares: it \
             is truncated or damaged"
        )));
    }
    Ok(())
}
