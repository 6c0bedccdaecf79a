//! The sum of an island's octaves over one row of cells.
//!
//! Every octave is noise of its own wavelength, looked up at the cell, or at where the
//! domain warp says the cell gets its height from. Blocks of cells start at multiples of
//! [`BLOCK`], wherever the map starts, so a cell's height never depends on its map.

use fearless_simd::{Level, dispatch};
use noise::NoiseFn;

use super::{
    IslandDraws, Islands, OctaveDraws, Variant,
    simplex::{Anchor, BLOCK, Block},
};

/// One octave, ready to be looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Octave {
    draws: OctaveDraws,
    /// Cells.
    wavelength: f64,
    /// The share of this octave in the height.
    weight: f32,
}

/// Where the cells of a block are looked up, in cells from the block's middle: half as far
/// as from its end, so twice as exact.
pub(super) struct Places {
    middle: (i64, i64),
    dx: Block,
    dy: Block,
}

/// All octaves of one map.
pub(super) struct Octaves {
    warp: Option<[Octave; 2]>,
    sum: Vec<Octave>,
    variant: Variant,
    quantised: bool,
}

impl Octaves {
    pub(super) fn new(islands: &Islands, draws: &IslandDraws) -> Self {
        let amplitudes = || (0..islands.octaves).map(|k| power(islands.gain, k));
        let total: f64 = amplitudes().sum();
        let sum = draws.octaves.iter().zip(amplitudes()).zip(0..);
        let sum = sum.map(|((draws, amplitude), k)| Octave {
            draws: *draws,
            wavelength: islands.scale / power(islands.lacunarity, k),
            weight: (amplitude / total) as f32,
        });
        let warp = draws.warp.map(|draws| Octave {
            draws,
            wavelength: islands.scale,
            weight: islands.warp as f32,
        });
        Self {
            warp: (islands.warp > 0.0).then_some(warp),
            sum: sum.collect(),
            variant: islands.variant,
            quantised: islands.quantised,
        }
    }

    /// Fills `row` with the heights of the cells from `(x, y)` eastwards.
    ///
    /// With the widest vectors that the processor has. Every cell still goes through the
    /// same additions and multiplications, none of them fused, so the bits are the same.
    pub(super) fn fill_row(&self, first: (i64, i64), row: &mut [f32], noise: &impl Noise) {
        dispatch!(Level::new(), _simd => self.fill_row_here(first, row, noise));
    }

    /// Inlined with all that it calls, so that it is compiled once for each vector width.
    #[inline(always)]
    fn fill_row_here(&self, (x, y): (i64, i64), row: &mut [f32], noise: &impl Noise) {
        let mut done = 0;
        while done < row.len() {
            let here = x + done as i64;
            let within = here.rem_euclid(BLOCK as i64) as usize;
            let heights = self.block((here - within as i64, y), noise);
            let count = (BLOCK - within).min(row.len() - done);
            row[done..done + count].copy_from_slice(&heights[within..within + count]);
            done += count;
        }
    }

    #[inline(always)]
    fn block(&self, (x, y): (i64, i64), noise: &impl Noise) -> Block {
        const HALF: usize = BLOCK / 2;
        let mut places = Places {
            middle: (x + HALF as i64, y),
            dx: core::array::from_fn(|k| k as f32 - HALF as f32),
            dy: [0.0; BLOCK],
        };
        let mut values = [0.0; BLOCK];
        if let Some([east, south]) = &self.warp {
            let mut southwards = [0.0; BLOCK];
            noise.fill(east, &places, &mut values);
            noise.fill(south, &places, &mut southwards);
            for k in 0..BLOCK {
                places.dx[k] += east.weight * values[k];
                places.dy[k] += south.weight * southwards[k];
            }
        }
        let mut heights = [0.0; BLOCK];
        for octave in &self.sum {
            noise.fill(octave, &places, &mut values);
            self.add(octave.weight, &values, &mut heights);
        }
        if self.quantised {
            // Once, at the end: so a height of k/255 has one bit pattern, that of the sea too.
            heights = heights.map(|steps| steps / 255.0);
        }
        heights.map(|z| z.clamp(0.0, 1.0))
    }

    /// Adds one octave's `noise`, from -1 to 1, to the `heights`: in whole 255ths, as
    /// their number, when they are quantised.
    #[inline(always)]
    fn add(&self, weight: f32, noise: &Block, heights: &mut Block) {
        let share: Block = match self.variant {
            Variant::Plain => noise.map(|n| 0.5 * (n + 1.0)),
            Variant::Ridged => noise.map(|n| 1.0 - n.abs()),
            Variant::Billowed => noise.map(f32::abs),
        };
        for (z, share) in heights.iter_mut().zip(share) {
            let part = weight * share;
            *z += if self.quantised {
                // Never negative, so cutting off is rounding down.
                (255.0 * part) as i32 as f32
            } else {
                part
            };
        }
    }
}

/// `base` to the power `exponent`, by products in a fixed order.
fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

/// What the octaves are made of.
pub(super) trait Noise: Sync {
    /// Fills `values` with the noise of `octave`, from -1 to 1, at `places`.
    fn fill(&self, octave: &Octave, places: &Places, values: &mut Block);
}

/// The built-in simplex noise.
pub(super) struct Simplex;

impl Noise for Simplex {
    #[inline(always)]
    fn fill(&self, octave: &Octave, places: &Places, values: &mut Block) {
        let step = 1.0 / octave.wavelength;
        let [x, y] = octave.draws.offset;
        let (middle_x, middle_y) = (places.middle.0 as f64, places.middle.1 as f64);
        let anchor = Anchor::new(
            [x + middle_x * step, y + middle_y * step],
            octave.draws.hash,
        );
        anchor.fill(step as f32, &places.dx, &places.dy, values);
    }
}

/// Another library's noise.
pub(super) struct Foreign<'a, N>(pub(super) &'a N);

impl<N: NoiseFn<f64, 2> + Sync> Noise for Foreign<'_, N> {
    #[inline(always)]
    fn fill(&self, octave: &Octave, places: &Places, values: &mut Block) {
        let step = 1.0 / octave.wavelength;
        let [x, y] = octave.draws.offset;
        let (middle_x, middle_y) = (places.middle.0 as f64, places.middle.1 as f64);
        for (k, value) in values.iter_mut().enumerate() {
            let cell_x = middle_x + f64::from(places.dx[k]);
            let cell_y = middle_y + f64::from(places.dy[k]);
            let noise = self.0.get([x + cell_x * step, y + cell_y * step]);
            // Some sources overshoot; one that returns NaN counts as 0.
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

    #[test]
    fn wide_vectors_give_the_bits_of_narrow_ones() {
        let variants = [Variant::Plain, Variant::Ridged, Variant::Billowed];
        for (seed, variant) in (0..).zip(variants) {
            for (warp, quantised) in [(0.0, false), (40.0, false), (7.0, true)] {
                let islands = Islands {
                    variant,
                    warp,
                    quantised,
                    ..Islands::default()
                };
                let octaves = Octaves::new(&islands, &islands.draw(seed));
                for y in 0..50 {
                    let (mut wide, mut narrow) = ([0.0; 333], [0.0; 333]);
                    octaves.fill_row((-50, y), &mut wide, &Simplex);
                    octaves.fill_row_here((-50, y), &mut narrow, &Simplex);
                    assert_eq!(wide.map(f32::to_bits), narrow.map(f32::to_bits));
                }
            }
        }
    }
}
