//! Copies of the rows on either side of all seams between bands.

use core::ops::Range;

use crate::{Canceled, Heightmap, Progress, rows::for_each_row};

/// The unmodified rows on either side of all seams.
pub(super) struct Seams {
    rows: Vec<f32>,
    band_rows: usize,
    /// The number of rows that a band needs from each neighbor.
    reach: usize,
    width: usize,
}

impl Seams {
    /// Copies the rows. Bands must have at least as many rows as they need from each other.
    pub(super) fn copy(
        map: &Heightmap,
        band_rows: usize,
        reach: usize,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let (width, count) = (map.width(), map.height().div_ceil(band_rows) - 1);
        let cells = 2 * reach * width;
        let mut rows = vec![0.0; count * cells];
        for_each_row(&mut rows, cells, progress, |seam, rows| {
            let first = (seam + 1) * band_rows - reach;
            // The last band may have fewer rows, but then the missing rows are not needed.
            let from = &map.heights()[first * width..];
            let there = from.len().min(rows.len());
            rows[..there].copy_from_slice(&from[..there]);
        })?;
        Ok(Self {
            rows,
            band_rows,
            reach,
            width,
        })
    }

    /// Row `y` before the sweep: from `rows`, the current rows of the band, or from the copied rows of a neighbor.
    #[inline(always)]
    pub(super) fn row<'a>(&'a self, y: usize, band: &Range<usize>, rows: &'a [f32]) -> &'a [f32] {
        if band.contains(&y) {
            return &rows[(y - band.start) * self.width..][..self.width];
        }
        let seam = if y < band.start { band.start } else { band.end };
        let copies = (seam / self.band_rows - 1) * 2 * self.reach;
        &self.rows[(copies + y + self.reach - seam) * self.width..][..self.width]
    }
}
