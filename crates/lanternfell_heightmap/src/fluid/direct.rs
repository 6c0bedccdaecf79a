//! A few passes, cell by cell.
//!
//! Problem: one pass replaces every inner cell by a weighted sum of itself, of what it
//! was the pass before, and of its four neighbours.
//!
//! Idea: the surface of the pass before is read only at the cell that is written, so two
//! surfaces suffice and take turns. A row is five slices of one length, which the
//! compiler turns into vectors.
//!
//! ```text
//!              north                 the surface now, read
//!         west [now] east
//!              south
//!              [ z ]                 the surface before: read, then overwritten by the next
//! ```
//!
//! Cost: 9 flops per cell and pass, twice the map. In `f32` the height of the whole
//! surface drifts by 1.2e-8 of itself per pass, which normalising removes.

use fearless_simd::{Level, dispatch};

use super::Weights;
use crate::{
    Cancelled, Heightmap, Progress,
    rows::{for_each_row, in_pool},
};

/// Rows are handed to threads by bands of about this many cells: small enough for a few
/// threads to share a small map, large enough to be worth handing over.
const BAND_CELLS: usize = 16_384;

/// The surface after `passes`; its ring is 0.
pub(super) fn run(
    weights: Weights,
    passes: u32,
    surface: Heightmap,
    progress: &Progress,
) -> Result<Heightmap, Cancelled> {
    let mut now = surface;
    let mut before = now.clone();
    in_pool(|| {
        for pass in 0..passes {
            let progress = progress.part(pass as usize, passes as usize);
            step(weights, &now, &mut before, &progress)?;
            core::mem::swap(&mut now, &mut before);
        }
        Ok(now)
    })
}

/// One pass: `before` becomes the surface that follows `now`.
fn step(
    weights: Weights,
    now: &Heightmap,
    before: &mut Heightmap,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let (width, height) = (now.width(), now.height());
    let band_rows = (BAND_CELLS / width).max(1);
    let inner_rows = &mut before.heights_mut()[width..(height - 1) * width];
    for_each_row(inner_rows, band_rows * width, progress, |band, rows| {
        let first = 1 + band * band_rows;
        dispatch!(Level::new(), _simd => step_band(weights, now, first, rows));
    })
}

/// The rows from `first` on. Inlined, so that it is compiled once for each vector width;
/// without fused operations, so that all widths give the same bits.
#[inline(always)]
fn step_band(weights: Weights, now: &Heightmap, first: usize, rows: &mut [f32]) {
    for (i, row) in rows.chunks_exact_mut(now.width()).enumerate() {
        let y = first + i;
        step_row(weights, [now.row(y - 1), now.row(y), now.row(y + 1)], row);
    }
}

#[inline(always)]
fn step_row(weights: Weights, [north, here, south]: [&[f32]; 3], z: &mut [f32]) {
    let inner = z.len() - 2;
    let (own, before, neighbour) = (
        weights.own as f32,
        weights.before as f32,
        weights.neighbour as f32,
    );
    let (west, centre, east) = (&here[..inner], &here[1..=inner], &here[2..]);
    let (north, south) = (&north[1..=inner], &south[1..=inner]);
    let z = &mut z[1..=inner];
    for x in 0..inner {
        let around = (west[x] + east[x]) + (north[x] + south[x]);
        z[x] = own * centre[x] + before * z[x] + neighbour * around;
    }
}
