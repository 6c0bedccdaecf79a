//! The sum of an island's octaves over one row of cells.
//!
//! Every octave is noise of its own wavelength, looked up at the cell, or at where the
//! domain warp says the cell gets its height from. Long waves are looked up at few cells
//! ([`pyramid`](super::pyramid)), save where a warp takes them apart.

use fearless_simd::{Level, dispatch};

use super::{
    FractalNoise, FractalNoiseDraws, Variant,
    pyramid::{Pyramid, Rings},
    source::{Noise, Octave},
};
use crate::period;

/// All octaves of one map.
pub(crate) struct Octaves {
    /// Pushes east and south, in cells.
    warp: Option<[Pyramid; 2]>,
    layers: Vec<OctaveLayer>,
    shape: Shape,
    quantized: bool,
}

/// What is made of each octave's noise `n`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// `(n + 1) / 2`.
    Fbm,
    /// `|n|`.
    Billowed,
    /// Crests where the noise is 0.
    Ridged(Ridge),
}

/// How crests are made, as [`RidgedMultifractal`](crate::RidgedMultifractal) says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ridge {
    pub(crate) offset: f32,
    pub(crate) sharpness: f32,
    pub(crate) feedback: f32,
}

impl Ridge {
    /// `1 - |n|`.
    const PLAIN: Self = Self {
        offset: 1.0,
        sharpness: 0.0,
        feedback: 0.0,
    };

    /// The height of noise from -1 to 1, from 0 to 1.
    #[inline(always)]
    fn height(self, n: f32) -> f32 {
        let furthest = self.offset.max(1.0 - self.offset);
        let crest = (self.offset - n.abs()).abs() * (1.0 / furthest);
        crest + self.sharpness * (crest * crest - crest)
    }

    /// How much the next octave counts where this one has that height.
    #[inline(always)]
    fn next_weight(self, height: f32) -> f32 {
        let fed = (2.0 * height).min(1.0);
        (1.0 - self.feedback) + self.feedback * fed
    }
}

impl From<Variant> for Shape {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Fbm => Self::Fbm,
            Variant::Billowed => Self::Billowed,
            Variant::Ridged => Self::Ridged(Ridge::PLAIN),
        }
    }
}

/// Octaves whose noise is summed before the variant is made of it: all of them, where that is
/// the same, else a single one.
struct OctaveLayer {
    noise: Pyramid,
    /// The share of this layer in the height.
    weight: f32,
}

/// What the octaves of one map keep from one row to the next.
pub(crate) struct OctaveScratch {
    warp: Option<[(Rings, Vec<f32>); 2]>,
    /// Of one layer at a time.
    rings: Rings,
    noise: Vec<f32>,
    /// How much the next octave counts at each cell of the rows.
    weights: Vec<f32>,
}

/// A warp may be so many times as many cells off as a height is heights.
const CELLS_PER_HEIGHT: f64 = 20.0;

impl Octaves {
    /// No octave is further than `tolerance` from its height, nor a warp than
    /// [`CELLS_PER_HEIGHT`] times as many cells from its place.
    pub(crate) fn new(islands: &FractalNoise, draws: &FractalNoiseDraws, tolerance: f64) -> Self {
        Self::with_shape(islands, islands.variant.into(), None, draws, tolerance)
    }

    /// With another shape than that of the variant, and every wave fitted to a period in cells.
    pub(crate) fn with_shape(
        islands: &FractalNoise,
        shape: Shape,
        period: Option<u32>,
        draws: &FractalNoiseDraws,
        tolerance: f64,
    ) -> Self {
        let fitted = |wavelength| match period {
            Some(period) => period::fitted(period.into(), wavelength),
            None => wavelength,
        };
        let tolerance = if islands.exact { 0.0 } else { tolerance };
        let amplitudes = || (0..islands.octaves).map(|k| power(islands.gain, k));
        let total: f64 = amplitudes().sum();
        let octaves = draws.octaves.iter().zip(amplitudes()).zip(0..);
        let octaves = octaves.map(|((draws, amplitude), k)| Octave {
            draws: *draws,
            wavelength: fitted(islands.scale / power(islands.lacunarity, k)),
            weight: (amplitude / total) as f32,
        });
        let warp = draws.warp.map(|draws| Octave {
            draws,
            wavelength: fitted(islands.scale),
            weight: islands.warp as f32,
        });
        let warp = (islands.warp > 0.0)
            .then(|| warp.map(|o| Pyramid::new([o], CELLS_PER_HEIGHT * tolerance)));
        // Between cells that a warp pushes apart, or whose steps are whole, nothing is smooth.
        let tolerance = if warp.is_some() || islands.quantized {
            0.0
        } else {
            tolerance
        };
        let layers = if shape == Shape::Fbm && !islands.quantized {
            vec![OctaveLayer {
                // The height is half of the noise.
                noise: Pyramid::new(octaves, 2.0 * tolerance),
                weight: 1.0,
            }]
        } else {
            let alone = |Octave { weight, .. }, octave| OctaveLayer {
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
            shape,
            quantized: islands.quantized,
        }
    }

    /// What rows `width` cells wide are made with, from column `x` on.
    pub(crate) fn scratch(&self, x: i64, width: usize) -> OctaveScratch {
        let row = || vec![0.0; width];
        let rings = |height| Rings::new(x, width, height);
        let warp = self.warp.as_ref();
        let heights = self.layers.iter().map(|layer| layer.noise.height());
        OctaveScratch {
            warp: warp.map(|pair| pair.each_ref().map(|p| (rings(p.height()), row()))),
            rings: rings(heights.max().unwrap_or(0)),
            noise: row(),
            weights: Vec::new(),
        }
    }

    /// Whether octaves count as much as those before them say.
    fn feeds_back(&self) -> bool {
        matches!(self.shape, Shape::Ridged(ridge) if ridge.feedback > 0.0)
    }

    /// Fills some rows, as wide as the scratch is made for, with the heights of rows `y` and
    /// on.
    ///
    /// With the widest vectors that the processor has. Every cell still goes through the
    /// same additions and multiplications, none of them fused, so the bits are the same.
    pub(crate) fn fill_rows(
        &self,
        y: i64,
        rows: &mut [f32],
        scratch: &mut OctaveScratch,
        noise: &impl Noise,
    ) {
        let width = scratch.noise.len();
        rows.fill(0.0);
        let OctaveScratch {
            warp,
            rings,
            noise: values,
            weights,
        } = scratch;
        weights.clear();
        weights.resize(if self.feeds_back() { rows.len() } else { 0 }, 1.0);
        let fed = weights.len() / rows.len() * width;
        if let Some((pair, pyramids)) = warp.as_mut().zip(self.warp.as_ref()) {
            for (k, row) in rows.chunks_mut(width).enumerate() {
                let y = y + k as i64;
                for ((rings, shift), pyramid) in pair.iter_mut().zip(pyramids) {
                    pyramid.fill(y, shift, None, rings, noise);
                }
                let shift = pair.each_ref().map(|(_, shift)| shift.as_slice());
                for layer in &self.layers {
                    layer.noise.fill(y, values, Some(shift), rings, noise);
                    let weights = &mut weights[k * fed..][..fed];
                    dispatch!(Level::new(), _simd => self.add(layer.weight, values, weights, row));
                }
            }
        } else {
            for layer in &self.layers {
                rings.clear();
                for (k, row) in rows.chunks_mut(width).enumerate() {
                    layer.noise.fill(y + k as i64, values, None, rings, noise);
                    let weights = &mut weights[k * fed..][..fed];
                    dispatch!(Level::new(), _simd => self.add(layer.weight, values, weights, row));
                }
            }
        }
        dispatch!(Level::new(), _simd => self.finish(rows));
    }

    /// Adds one layer's `noise`, from -1 to 1, to the `heights`: in whole 255ths, as
    /// their number, when they are quantized. The `weights` are those of feedback, if there is any.
    ///
    /// Inlined with all that it calls, so that it is compiled once for each vector width.
    #[inline(always)]
    fn add(&self, weight: f32, noise: &[f32], weights: &mut [f32], heights: &mut [f32]) {
        match self.shape {
            Shape::Fbm => self.add_shares(weight, noise, heights, |n| 0.5 * (n + 1.0)),
            Shape::Billowed => self.add_shares(weight, noise, heights, f32::abs),
            Shape::Ridged(ridge) if self.feeds_back() => {
                for ((z, &n), share) in heights.iter_mut().zip(noise).zip(weights) {
                    let height = *share * ridge.height(n);
                    *z += weight * height;
                    *share = ridge.next_weight(height);
                }
            }
            Shape::Ridged(ridge) => {
                self.add_shares(weight, noise, heights, |n| ridge.height(n));
            }
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
            *z += if self.quantized {
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
            if self.quantized {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapSize, fractal_noise::Simplex};

    #[test]
    fn wide_vectors_give_the_bits_of_narrow_ones() {
        let noise: Vec<f32> = (0..333)
            .map(|k| (k * k % 197) as f32 / 98.5 - 1.0)
            .collect();
        for variant in [Variant::Fbm, Variant::Ridged, Variant::Billowed] {
            for quantized in [false, true] {
                let islands = FractalNoise {
                    variant,
                    quantized,
                    ..FractalNoise::default()
                };
                let octaves = Octaves::new(&islands, &islands.draw(MapSize::default(), 1), 0.0);
                let (mut wide, mut narrow) = (vec![0.1; 333], vec![0.1; 333]);
                dispatch!(Level::new(), _simd => octaves.add(0.7, &noise, &mut [], &mut wide));
                dispatch!(Level::new(), _simd => octaves.finish(&mut wide));
                octaves.add(0.7, &noise, &mut [], &mut narrow);
                octaves.finish(&mut narrow);
                assert_eq!(wide, narrow, "{variant:?}, {quantized}");
            }
        }
    }

    /// The pushes of [`Warp`](crate::filter::Warp) among them.
    #[test]
    fn no_octave_is_further_off_than_it_may() {
        for (octaves, scale, tolerance) in [
            (1, 300.0, 1e-3),
            (3, 100.0, 5e-5),
            (5, 243.0, 1e-4),
            (2, 60.0, 5e-3),
        ] {
            let islands = FractalNoise {
                octaves,
                scale,
                lacunarity: 2.0,
                gain: 0.5,
                ..FractalNoise::default()
            };
            let rows = |tolerance| {
                let draws = islands.draw(MapSize::default(), 3);
                let octaves = Octaves::new(&islands, &draws, tolerance);
                let mut rows = vec![0.0; 200 * 100];
                octaves.fill_rows(0, &mut rows, &mut octaves.scratch(0, 200), &Simplex);
                rows
            };
            let pairs = rows(tolerance).into_iter().zip(rows(0.0));
            let most = pairs.fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
            let allowed = f64::from(octaves) * tolerance;
            let words = format!("{islands:?}: off by {most}, allowed {allowed}");
            assert!(f64::from(most) < allowed, "{words}");
            assert!(f64::from(most) > 0.01 * allowed, "{words}");
        }
    }
}
