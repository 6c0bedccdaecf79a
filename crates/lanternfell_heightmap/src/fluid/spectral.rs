//! Solves many passes at once with a discrete sine transform.
//!
//! Problem: 10,000 passes of the stencil over a million cells are 10^10 cell updates. The number
//! of passes is a slider, so it should not affect the cost.
//!
//! Idea: a pass is linear and the outer ring stays at 0. The surface is therefore a sum of sine
//! modes (a sine along x times a sine along y), and a pass only scales each mode. Transform,
//! multiply each mode by its gain after `K` passes ([`modes`](super::modes)), and transform back.
//!
//! ```text
//!   rows          columns: transform, scale, transform          rows
//!  --------        |||||||| -> eight at a time -> ||||||||      --------
//!  --------        ||||||||      as f64 in        ||||||||      --------
//!  --------        ||||||||    one thread's cache ||||||||      --------
//!   surface                                        strips        surface
//! ```
//!
//! Steps:
//! 1. Transform the rows in place, eight at a time.
//! 2. Take the columns eight at a time: transform, scale, transform back, and write the result
//!    to a separate *strip*, so that threads never share a slice.
//! 3. Read the rows from the strips and transform them back.
//!
//! Cost: `O(W H log(W H))`, independent of the number of passes. Memory: the surface and its
//! strips, twice the map. Between the steps the field is stored as `f32`, which rounds each mode
//! by 6e-8 of its value.

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use super::{
    Settled, Weights,
    fourier::Fourier,
    modes::Modes,
    sine::{LINES, Samples, SineScratch, SineTransform},
};
use crate::{Canceled, Heightmap, MapSize, Progress, range, rows::for_each_row_with};

/// The cost of the transforms, in stencil updates per sample and bit of its length. Calibrated
/// where both methods take equally long: about 180 passes over 1024 x 1024 cells. The prediction
/// is within a quarter of the measured crossover from 256 x 256 to 8192 x 8192.
const UPDATES: u64 = 4;

/// Runs `passes` on a surface.
pub(super) fn run(
    weights: Weights,
    passes: u32,
    mut surface: Heightmap,
    progress: &Progress,
) -> Result<Settled, Canceled> {
    let size = surface.size();
    let modes = Modes::new(weights, passes, size);
    // The ring is fixed at 0, so `n` is the distance between the two fixed ends: the transform is
    // a DST-I.
    let across = SineTransform::new(size.width() - 1);
    let down = SineTransform::new(size.height() - 1);
    rows_to_waves(&across, &mut surface, &progress.span(0.0, 0.25))?;
    let waves = |index: usize, scratch: &mut SineScratch| {
        load_columns(&surface, columns(size, index), scratch);
        down.transform(scratch);
    };
    let strips = settled_strips(&modes, &down, size, waves, &progress.span(0.25, 0.75))?;
    let extremes = waves_to_rows(&across, &strips, &mut surface, &progress.span(0.75, 1.0))?;
    Ok(Settled {
        surface,
        extremes,
        gain: modes.common_gain(),
    })
}

/// Whether `passes` take longer cell by cell than as sine modes. The result depends on passes and
/// size only, never on the machine, because the two methods differ in the last bits.
pub(super) fn is_faster(passes: u32, size: MapSize) -> bool {
    let (across, down) = (size.width() - 1, size.height() - 1);
    // Cannot overflow: a `u32` times at most 2^28 cells is below 2^60.
    let samples = across as u64 * line_work(down) + down as u64 * line_work(across);
    u64::from(passes) * size.cells() as u64 > UPDATES * samples
}

fn line_work(n: usize) -> u64 {
    let length = Fourier::length_for(2 * n - 1);
    length as u64 * u64::from(length.ilog2())
}

/// Rows 1 to H - 2. Callers process them in bands of [`LINES`] rows.
fn inner_rows(surface: &mut Heightmap) -> &mut [f32] {
    let (width, cells) = (surface.width(), surface.size().cells());
    &mut surface.heights_mut()[width..cells - width]
}

pub(super) fn rows_to_waves(
    across: &SineTransform,
    surface: &mut Heightmap,
    progress: &Progress,
) -> Result<(), Canceled> {
    let width = surface.width();
    let rows = inner_rows(surface);
    for_each_row_with(
        rows,
        LINES * width,
        progress,
        || across.scratch(),
        |scratch, _, band| {
            // The last band may have fewer rows. Stale samples would leak into the line that
            // shares their complex lane.
            scratch.clear_from(band.len() / width);
            // Transposed: `lines[x]` holds column `x` of every row of the band, so one butterfly
            // moves all rows. The lines are one sample shorter than a row. The zip therefore
            // skips the eastern ring cell, which stays 0.
            for (l, row) in band.chunks_exact(width).enumerate() {
                for (samples, z) in scratch.lines.iter_mut().zip(row) {
                    samples[l] = f64::from(*z);
                }
            }
            across.transform(scratch);
            for (l, row) in band.chunks_exact_mut(width).enumerate() {
                for (samples, z) in scratch.lines.iter().zip(row) {
                    *z = samples[l] as f32;
                }
            }
        },
    )
}

/// The number of strips of [`LINES`] columns.
pub(super) fn strips(size: MapSize) -> usize {
    (size.width() - 2).div_ceil(LINES)
}

/// The columns of a strip; the last strip may have fewer.
pub(super) fn columns(size: MapSize, index: usize) -> Range<usize> {
    let first = 1 + index * LINES;
    first..(first + LINES).min(size.width() - 1)
}

/// Loads columns of a surface as the lines to transform.
pub(super) fn load_columns(surface: &Heightmap, columns: Range<usize>, scratch: &mut SineScratch) {
    scratch.clear_from(columns.len());
    for y in 1..surface.height() - 1 {
        let row = &surface.row(y)[columns.clone()];
        for (sample, z) in scratch.lines[y].iter_mut().zip(row) {
            *sample = f64::from(*z);
        }
    }
}

/// The columns after all passes; along the rows they are still sine modes. Each [`LINES`] columns
/// become one strip of the inner rows, [`LINES`] cells wide. `waves` fills the scratch with the
/// modes of a strip's columns before the passes.
pub(super) fn settled_strips(
    modes: &Modes,
    down: &SineTransform,
    size: MapSize,
    waves: impl Fn(usize, &mut SineScratch) + Sync + Send,
    progress: &Progress,
) -> Result<Vec<f32>, Canceled> {
    let (width, height) = (size.width(), size.height());
    // A DST-I applied twice multiplies by `n / 2`. This undoes that factor on both axes.
    let scale = 4.0 / ((width - 1) as f64 * (height - 1) as f64);
    let strip_cells = LINES * (height - 2);
    let mut settled = vec![0.0_f32; strips(size) * strip_cells];
    for_each_row_with(
        &mut settled,
        strip_cells,
        progress,
        || down.scratch(),
        |scratch, index, strip| {
            // From here to `down.transform` each sample is one mode of both transforms, so it can
            // be scaled on its own.
            waves(index, scratch);
            let (first, lines) = (columns(size, index).start, &mut scratch.lines);
            dispatch!(Level::new(), _simd => scale_modes(modes, first, scale, lines));
            down.transform(scratch);
            // Sample 0 is the ring, so row 0 of the strip is line 1. A strip always has LINES columns, even if some
            // columns of the last strip are outside the map.
            let (rows, _) = strip.as_chunks_mut::<LINES>();
            for (row, samples) in rows.iter_mut().zip(&scratch.lines[1..]) {
                *row = samples.map(|sample| sample as f32);
            }
        },
    )?;
    Ok(settled)
}

/// Scales the modes of the columns from `first` on. Inlined together with its callees, so that it
/// is compiled once per vector width.
#[inline(always)]
fn scale_modes(modes: &Modes, first: usize, scale: f64, lines: &mut [Samples]) {
    for (q, samples) in lines.iter_mut().enumerate().skip(1) {
        for (sample, gain) in samples.iter_mut().zip(modes.gains(first, q)) {
            *sample *= gain * scale;
        }
    }
}

/// Fills the surface and returns its lowest and highest height.
pub(super) fn waves_to_rows(
    across: &SineTransform,
    strips: &[f32],
    surface: &mut Heightmap,
    progress: &Progress,
) -> Result<(f32, f32), Canceled> {
    let range = range::Range::default();
    // Row 0 is ring, and its zeros count as heights too.
    range.note(surface.row(0));
    let (width, height) = (surface.width(), surface.height());
    let rows = inner_rows(surface);
    for_each_row_with(
        rows,
        LINES * width,
        progress,
        || across.scratch(),
        |scratch, index, band| {
            scratch.clear_from(band.len() / width);
            for (s, strip) in strips.chunks_exact(LINES * (height - 2)).enumerate() {
                let (strip_rows, _) = strip.as_chunks::<LINES>();
                // The padding of the last strip is never read: the zip below ends with the lines.
                let columns = &mut scratch.lines[1 + s * LINES..];
                for (l, row) in strip_rows[index * LINES..].iter().take(LINES).enumerate() {
                    for (samples, z) in columns.iter_mut().zip(row) {
                        samples[l] = f64::from(*z);
                    }
                }
            }
            across.transform(scratch);
            for (l, row) in band.chunks_exact_mut(width).enumerate() {
                for (samples, z) in scratch.lines.iter().zip(row) {
                    *z = samples[l] as f32;
                }
            }
            range.note(band);
        },
    )?;
    Ok(range.extremes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fluid;

    /// The scratch memory of a previous strip must not affect the result, not even its last bits.
    #[test]
    fn narrow_strip_ignores_stale_scratch() {
        let size = MapSize::new(LINES as u64 + 5, 20).unwrap();
        let surface = Fluid::default().draw(size, 3);
        let down = SineTransform::new(size.height() - 1);
        let waves = |mut scratch: SineScratch| {
            load_columns(&surface, columns(size, 1), &mut scratch);
            down.transform(&mut scratch);
            scratch.lines
        };
        let mut used = down.scratch();
        used.lines[1..].fill([1e15; LINES]);
        assert_eq!(columns(size, 1).len(), 3);
        assert_eq!(waves(used), waves(down.scratch()));
    }
}
