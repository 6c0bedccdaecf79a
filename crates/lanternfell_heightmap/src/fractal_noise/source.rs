//! Noise functions that octaves are made of, evaluated for a row of cells block by block.
//!
//! Blocks start at multiples of [`BLOCK`] on the noise plane, so the noise of a cell does not depend on the map around
//! it. Within a block, positions are relative to its middle.

use core::{array, ops::Range};

use fearless_simd::{Level, dispatch};
#[cfg(feature = "noise")]
use noise::NoiseFn;

use super::{
    OctaveDraws,
    simplex::{Anchor, BLOCK, Block, LANES},
};

/// One octave, ready to be evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Octave {
    pub(super) draws: OctaveDraws,
    /// The wavelength in cells.
    pub(super) wavelength: f64,
    /// The factor of its noise.
    pub(super) weight: f32,
}

impl Octave {
    /// The octave on a grid whose cells are `2^level` cells wide.
    pub(super) fn seen_from(self, level: usize) -> Self {
        Self {
            wavelength: self.wavelength / (1_u64 << level) as f64,
            ..self
        }
    }
}

/// The positions of a block's cells, relative to the block's middle. Distances from the middle are half as large as
/// from the end, so they are twice as precise.
pub(crate) struct NoisePoints {
    pub(super) middle: (i64, i64),
    pub(super) dx: Block,
    pub(super) dy: Block,
}

/// A noise function.
pub(crate) trait Noise: Sync {
    /// The largest allowed error of the height of an octave with a long wavelength.
    const TOLERANCE: f64;

    /// Fills `values` in the range `cells` with the noise of `octave`, from -1 to 1, at these positions.
    fn fill(&self, octave: &Octave, places: &NoisePoints, cells: Range<usize>, values: &mut Block);

    /// Adds the weighted octaves to the row of cells from `first` eastwards. Each cell is evaluated at its position
    /// plus `shift`, in cells to the east and south.
    fn add(
        &self,
        octaves: &[Octave],
        first: (i64, i64),
        row: &mut [f32],
        shift: Option<[&[f32]; 2]>,
    ) {
        dispatch!(Level::new(), _simd => add_here(self, octaves, first, row, shift));
    }
}

/// Inlined with all its callees, so that it is compiled once for each vector width.
#[inline(always)]
fn add_here(
    noise: &(impl Noise + ?Sized),
    octaves: &[Octave],
    (x, y): (i64, i64),
    row: &mut [f32],
    shift: Option<[&[f32]; 2]>,
) {
    const HALF: usize = BLOCK / 2;
    let mut values = [0.0; BLOCK];
    let mut done = 0;
    while done < row.len() && !octaves.is_empty() {
        let here = x + done as i64;
        let within = here.rem_euclid(BLOCK as i64) as usize;
        let count = (BLOCK - within).min(row.len() - done);
        let cells = done..done + count;
        let mut places = NoisePoints {
            middle: (here - within as i64 + HALF as i64, y),
            dx: array::from_fn(|k| k as f32 - HALF as f32),
            dy: [0.0; BLOCK],
        };
        if let Some([east, south]) = shift {
            let add = |to: &mut Block, shift: &[f32]| {
                let cells = to[within..].iter_mut().zip(&shift[cells.clone()]);
                cells.for_each(|(to, shift)| *to += shift);
            };
            add(&mut places.dx, east);
            add(&mut places.dy, south);
        }
        let needed = within / LANES * LANES..(within + count).next_multiple_of(LANES);
        let mut sum = [0.0; BLOCK];
        for octave in octaves {
            noise.fill(octave, &places, needed.clone(), &mut values);
            for (z, n) in sum.iter_mut().zip(&values) {
                *z += octave.weight * n;
            }
        }
        let row = row[cells].iter_mut().zip(&sum[within..]);
        row.for_each(|(z, sum)| *z += sum);
        done += count;
    }
}

/// The built-in simplex noise.
pub(crate) struct Simplex;

impl Simplex {
    /// The wavelength in cells below which `f32` would lose the positions within a block, because it spans too many
    /// waves. Each cell is then its own anchor.
    const SHORT: f64 = 1.0;
}

impl Noise for Simplex {
    /// A few steps of a 16-bit image. It is the smallest tolerance at which the article's third octave, with a
    /// wavelength of 27 cells, may be evaluated at every second cell.
    const TOLERANCE: f64 = 5e-5;

    #[inline(always)]
    fn fill(&self, octave: &Octave, places: &NoisePoints, cells: Range<usize>, values: &mut Block) {
        let step = 1.0 / octave.wavelength;
        let [x, y] = octave.draws.offset;
        let (middle_x, middle_y) = (places.middle.0 as f64, places.middle.1 as f64);
        let anchor = |dx: f64, dy: f64| {
            let place = [x + (middle_x + dx) * step, y + (middle_y + dy) * step];
            Anchor::new(place, octave.draws.hash)
        };
        let (dx, dy) = (&places.dx[cells.clone()], &places.dy[cells.clone()]);
        let values = &mut values[cells];
        if octave.wavelength < Self::SHORT {
            for ((value, &dx), &dy) in values.iter_mut().zip(dx).zip(dy) {
                *value = anchor(dx.into(), dy.into()).noise_here();
            }
        } else {
            anchor(0.0, 0.0).fill(step as f32, dx, dy, values);
        }
    }
}

/// A noise function of another library.
#[cfg(feature = "noise")]
pub(super) struct Foreign<'a, N>(pub(super) &'a N);

#[cfg(feature = "noise")]
impl<N: NoiseFn<f64, 2> + Sync> Noise for Foreign<'_, N> {
    /// 0, because its smoothness is unknown.
    const TOLERANCE: f64 = 0.0;

    #[inline(always)]
    fn fill(&self, octave: &Octave, places: &NoisePoints, cells: Range<usize>, values: &mut Block) {
        let step = 1.0 / octave.wavelength;
        let [x, y] = octave.draws.offset;
        let (middle_x, middle_y) = (places.middle.0 as f64, places.middle.1 as f64);
        for (k, value) in cells.clone().zip(&mut values[cells]) {
            let cell_x = middle_x + f64::from(places.dx[k]);
            let cell_y = middle_y + f64::from(places.dy[k]);
            let noise = self.0.get([x + cell_x * step, y + cell_y * step]);
            // Some noise functions exceed the range. NaN is treated as 0.
            *value = if noise.is_nan() {
                0.0
            } else {
                noise.clamp(-1.0, 1.0) as f32
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers all positions in a block, with and without a shift.
    #[test]
    fn vector_width_does_not_change_bits() {
        let octave = |wavelength, weight| Octave {
            draws: OctaveDraws {
                offset: [17.3, 1234.5],
                hash: 99,
            },
            wavelength,
            weight,
        };
        let octaves = [octave(243.0, 0.7), octave(9.0, 0.2), octave(0.3, 0.1)];
        let push: [f32; 333] = array::from_fn(|k| (k * k % 97) as f32 - 48.0);
        for (y, shift) in (-20..20).zip([None, Some([&push[..], &push[..]])].iter().cycle()) {
            let (mut wide, mut narrow) = ([0.5; 333], [0.5; 333]);
            Simplex.add(&octaves, (7 * y, y), &mut wide, *shift);
            add_here(&Simplex, &octaves, (7 * y, y), &mut narrow, *shift);
            assert_eq!(wide.map(f32::to_bits), narrow.map(f32::to_bits), "row {y}");
        }
    }
}
