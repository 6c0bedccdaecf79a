//! The sum of an island's octaves over one row of cells.
//!
//! Every octave is noise of its own wavelength, looked up at the cell, or at where the
//! domain warp says the cell gets its height from. Long waves are looked up at few cells
//! ([`pyramid`](super::pyramid)), save where a warp takes them apart.

use fearless_simd::{Level, dispatch};

use super::{
    IslandDraws, Islands, Variant,
    pyramid::{self, Pyramid},
    source::{Noise, Octave},
};

/// All octaves of one map.
pub(crate) struct Octaves {
    /// Pushes east and south, in cells.
    warp: Option<[Pyramid; 2]>,
    layers: Vec<Layer>,
    variant: Variant,
    quantised: bool,
}

/// Octaves whose noise is summed before the variant is made of it: all of them, where that is
/// the same, else a single one.
struct Layer {
    noise: Pyramid,
    /// The share of this layer in the height.
    weight: f32,
}

/// What the octaves of one map keep from one row to the next.
pub(crate) struct Scratch {
    warp: Option<[(pyramid::Scratch, Vec<f32>); 2]>,
    layers: Vec<pyramid::Scratch>,
    noise: Vec<f32>,
}

impl Octaves {
    /// No octave is further than `tolerance` from its height, nor a warp than 20 times as many
    /// cells from its place.
    pub(crate) fn new(islands: &Islands, draws: &IslandDraws, tolerance: f64) -> Self {
        let amplitudes = || (0..islands.octaves).map(|k| power(islands.gain, k));
        let total: f64 = amplitudes().sum();
        let octaves = draws.octaves.iter().zip(amplitudes()).zip(0..);
        let octaves = octaves.map(|((draws, amplitude), k)| Octave {
            draws: *draws,
            wavelength: islands.scale / power(islands.lacunarity, k),
            weight: (amplitude / total) as f32,
        });
        let warp = draws.warp.map(|draws| Octave {
            draws,
            wavelength: islands.scale,
            weight: islands.warp as f32,
        });
        let warp = (islands.warp > 0.0).then(|| warp.map(|o| Pyramid::new([o], 20.0 * tolerance)));
        // Between cells that a warp pushes apart, or whose steps are whole, nothing is smooth.
        let tolerance = if warp.is_some() || islands.quantised {
            0.0
        } else {
            tolerance
        };
        let layers = if islands.variant == Variant::Plain && !islands.quantised {
            vec![Layer {
                // The height is half of the noise.
                noise: Pyramid::new(octaves, 2.0 * tolerance),
                weight: 1.0,
            }]
        } else {
            let alone = |Octave { weight, .. }, octave| Layer {
                noise: Pyramid::new(
                    [Octave {
                        weight: 1.0,
                        ..octave
                    }],
                    tolerance / f64::from(weight),
                ),
                weight,
            };
            octaves.map(|octave| alone(octave, octave)).collect()
        };
        Self {
            warp,
            layers,
            variant: islands.variant,
            quantised: islands.quantised,
        }
    }

    /// What rows `width` cells wide are made with, from column `x` on.
    pub(crate) fn scratch(&self, x: i64, width: usize) -> Scratch {
        let row = || vec![0.0; width];
        let warp = self.warp.as_ref();
        Scratch {
            warp: warp.map(|pair| pair.each_ref().map(|p| (p.scratch(x, width), row()))),
            layers: self
                .layers
                .iter()
                .map(|l| l.noise.scratch(x, width))
                .collect(),
            noise: row(),
        }
    }

    /// Fills `row`, as wide as the scratch is made for, with the heights of row `y`.
    ///
    /// With the widest vectors that the processor has. Every cell still goes through the
    /// same additions and multiplications, none of them fused, so the bits are the same.
    pub(crate) fn fill_row(
        &self,
        y: i64,
        row: &mut [f32],
        scratch: &mut Scratch,
        noise: &impl Noise,
    ) {
        if let Some((pair, pyramids)) = scratch.warp.as_mut().zip(self.warp.as_ref()) {
            for ((scratch, shift), pyramid) in pair.iter_mut().zip(pyramids) {
                pyramid.fill(y, shift, None, scratch, noise);
            }
        }
        let shift = scratch.warp.as_ref();
        let shift = shift.map(|[(_, east), (_, south)]| [east.as_slice(), south.as_slice()]);
        row.fill(0.0);
        for (layer, levels) in self.layers.iter().zip(&mut scratch.layers) {
            let values = &mut scratch.noise;
            layer.noise.fill(y, values, shift, levels, noise);
            dispatch!(Level::new(), _simd => self.add(layer.weight, values, row));
        }
        dispatch!(Level::new(), _simd => self.finish(row));
    }

    /// Adds one layer's `noise`, from -1 to 1, to the `heights`: in whole 255ths, as
    /// their number, when they are quantised.
    ///
    /// Inlined with all that it calls, so that it is compiled once for each vector width.
    #[inline(always)]
    fn add(&self, weight: f32, noise: &[f32], heights: &mut [f32]) {
        match self.variant {
            Variant::Plain => self.add_shares(weight, noise, heights, |n| 0.5 * (n + 1.0)),
            Variant::Ridged => self.add_shares(weight, noise, heights, |n| 1.0 - n.abs()),
            Variant::Billowed => self.add_shares(weight, noise, heights, f32::abs),
        }
    }

    #[inline(always)]
    fn add_shares(
        &self,
        weight: f32,
        noise: &[f32],
        heights: &mut [f32],
        share: impl Fn(f32) -> f32,
    ) {
        for (z, &n) in heights.iter_mut().zip(noise) {
            let part = weight * share(n);
            *z += if self.quantised {
                // Never negative, so cutting off is rounding down.
                (255.0 * part) as i32 as f32
            } else {
                part
            };
        }
    }

    #[inline(always)]
    fn finish(&self, heights: &mut [f32]) {
        for z in heights {
            if self.quantised {
                // Once, at the end: so a height of k/255 has one bit pattern, that of the
                // sea too.
                *z /= 255.0;
            }
            *z = z.clamp(0.0, 1.0);
        }
    }
}

/// `base` to the power `exponent`, by products in a fixed order.
fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}
