//! The sum of octaves over rows of cells.
//!
//! Every octave is noise with its own wavelength, evaluated at the cell, or at the position from which a domain warp
//! takes the cell's height. Long waves are evaluated at few cells ([`pyramid`](super::pyramid)), unless a warp
//! displaces the cells.

use fearless_simd::{Level, dispatch};

use super::{
    FractalNoise, FractalNoiseDraws, Variant,
    pyramid::{Pyramid, Rings},
    source::{Noise, Octave},
};
use crate::period;

/// All octaves of one map.
pub(crate) struct Octaves {
    /// Displacements to the east and to the south, in cells.
    warp: Option<[Pyramid; 2]>,
    layers: Vec<OctaveLayer>,
    shape: Shape,
    quantized: bool,
}

/// How each octave's noise `n` becomes height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// `(n + 1) / 2`.
    Fbm,
    /// `|n|`.
    Billowed,
    /// Ridges where the noise is 0.
    Ridged(Ridge),
}

/// The parameters of ridges, as documented by the module of [`RidgedMultifractal`](crate::RidgedMultifractal).
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

    /// Converts noise from -1 to 1 to a height from 0 to 1.
    #[inline(always)]
    fn height(self, n: f32) -> f32 {
        let furthest = self.offset.max(1.0 - self.offset);
        let crest = (self.offset - n.abs()).abs() * (1.0 / furthest);
        crest + self.sharpness * (crest * crest - crest)
    }

    /// The weight of the next octave where this one has this height.
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

/// Octaves whose noise is summed before it is converted to height. All octaves form one layer if the conversion is
/// linear; otherwise each octave has its own layer.
struct OctaveLayer {
    noise: Pyramid,
    /// The fraction of the height that this layer contributes.
    weight: f32,
}

/// The memory that is reused from one row to the next.
pub(crate) struct OctaveScratch {
    warp: Option<[(Rings, Vec<f32>); 2]>,
    /// The rings of one layer at a time.
    rings: Rings,
    noise: Vec<f32>,
    /// The weight of the next octave at each cell of the rows.
    weights: Vec<f32>,
}

/// The ratio of the tolerance of a warp in cells to the tolerance of heights.
const CELLS_PER_HEIGHT: f64 = 20.0;

impl Octaves {
    /// Prepares the octaves. The error of each octave's height is at most `tolerance`. The error of a warp is at most
    /// [`CELLS_PER_HEIGHT`] times as many cells.
    pub(crate) fn new(islands: &FractalNoise, draws: &FractalNoiseDraws, tolerance: f64) -> Self {
        Self::with_shape(islands, islands.variant.into(), None, draws, tolerance)
    }

    /// Like [`new`](Self::new), with another shape than that of the variant, and with every wavelength adjusted to fit
    /// a period in cells.
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
        // Interpolation needs smooth noise: not cells that a warp displaces, nor quantized steps.
        let tolerance = if warp.is_some() || islands.quantized {
            0.0
        } else {
            tolerance
        };
        let layers = if shape == Shape::Fbm && !islands.quantized {
            vec![OctaveLayer {
                // The height is half the noise, so the noise may have twice the error.
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

    /// The scratch memory for rows of `width` cells from column `x` on.
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

    /// Whether the weight of an octave depends on the previous octave.
    fn feeds_back(&self) -> bool {
        matches!(self.shape, Shape::Ridged(ridge) if ridge.feedback > 0.0)
    }

    /// Fills `rows`, whose width is that of the scratch memory, with the heights of the rows from `y` on.
    ///
    /// Uses the widest vectors of the CPU. Every cell goes through the same additions and multiplications, none of them
    /// fused, so the bits do not depend on the vector width.
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

    /// Adds one layer's `noise`, from -1 to 1, to the `heights`. Quantized heights are summed in units of 1/255.
    /// `weights` are those of the feedback, if there is any.
    ///
    /// Inlined with all its callees, so that it is compiled once for each vector width.
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
                // Never negative, so truncation is rounding down.
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
                // Divide only once, at the end, so that each height of k/255, including the sea level, has a single bit
                // pattern.
                *z /= 255.0;
            }
            *z = z.clamp(0.0, 1.0);
        }
    }
}

/// Raises `base` to the power `exponent` by multiplications in a fixed order.
fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapSize, fractal_noise::Simplex};

    #[test]
    fn vector_width_does_not_change_bits() {
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

    /// Covers the tolerances that [`Warp`](crate::filter::Warp) uses.
    #[test]
    fn octave_errors_are_within_tolerance() {
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
