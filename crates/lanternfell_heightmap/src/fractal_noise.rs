//! Archipelagos of simplex noise.
//!
//! Problem: islands with coasts at every scale, with bays within bays.
//!
//! Idea: smooth noise with a long wavelength decides where the continents are. The same noise at a third of the
//! wavelength and a third of the height adds islands and bays, and so on down to single rocks. The sea is at middle
//! height.
//!
//! ```text
//!   octave 0   .--''''--.__            __.--    wavelength 243 cells, height 243/363
//!   octave 1   _/\__/\_   _/\__/\_/\__/         81                     81/363
//!   octave 2   ^v^v^^v^v^v^^v^v^v^^v^v^v^       27                     27/363
//!   ...
//!   sum     ~~~/\_/''\~~~~~~~~~~/\~/''\~~~      sea at 127/255
//! ```
//!
//! Steps: for every cell, the height is `E = sum over octaves of (a / M) v`. The amplitude `a` decreases by the gain
//! from one octave to the next, `M` is the sum of all amplitudes, and `v` is the octave's noise mapped to 0 to 1. `E`
//! is not stretched, because the sea level is a fixed height.
//!
//! In the article all octaves start at the same point, so the corner of every map is water. Here each octave has its
//! own offset and hash.
//!
//! Cost: linear in the number of cells and of short octaves. Long octaves (27 cells and more in the article's sum) are
//! evaluated at few cells ([`pyramid`]) and are cheap, unless a warp displaces the cells or the octaves are quantized.
//! Memory: a few additional rows per thread. A height depends only on the position, so any tile of the endless plane
//! can be generated alone.
//!
//! Accuracy, compared with the definition in `f64`, measured for wavelengths from a thousandth of a cell to 1000 cells:
//!
//! - The error of noise with a wavelength of `n` cells, from -1 to 1, is at most `1e-6 + 1e-4 / n`, or 1e-6 if `n` is
//!   less than 1.
//! - From 20 cells on, interpolation may add an error of 5e-5 to the height of an octave. Noise that is evaluated at
//!   every cell does not have this error ([`exact`](FractalNoise::exact), quantized octaves, a warp).
//! - The error of a warp is a thousandth of a cell.
//! - With the article's octaves, the error is usually 1e-5 and at most 1e-4. For comparison, a step of a 16-bit image
//!   is 1.5e-5.
//! - A quantized octave is exact, except where its noise is so close to a step that the error can cross it.
//!
//! Source: Leib, *Fractal simplex noise for procedural terrain generation*, 2016.

mod mask;
mod octaves;
mod periodic;
mod points;
mod pyramid;
mod simplex;
mod source;

#[cfg(feature = "noise")]
use noise::NoiseFn;
use serde::{Deserialize, Serialize};

use crate::{
    GenerateError, Heightmap, MapRegion, MapSize, ParamError, Parameters, Progress, SeededRng,
    evaluate::{Parts, Pointwise, evaluate},
    parameter::{choices, parameters},
    rows::for_each_row_with,
};

pub use mask::Mask;
pub(crate) use octaves::{Octaves, Ridge, Shape};
pub(crate) use periodic::Periodic;
pub use points::{simplex_noise, simplex_noise_row};
#[cfg(feature = "noise")]
use source::Foreign;
pub(crate) use source::{Noise, Simplex};

/// The number of rows that are computed together: enough for the [`pyramid`] to pay off, but few enough to split small
/// maps among threads.
pub(crate) const BAND_ROWS: usize = 32;

parameters! {
    /// Octaves of simplex noise, with the sea at middle height.
    ///
    /// Heights are from 0 to 1. Terrain above [`FractalNoise::SEA_LEVEL`] is land, which is about half of a map.
    ///
    /// ```
    /// use lanternfell_heightmap::{FractalNoise, MapSize, Progress};
    ///
    /// let islands = FractalNoise::default();
    /// let size = MapSize::new(512, 512)?;
    /// let map = islands.generate(size, 7, &Progress::default())?;
    /// let land = map.share_above(FractalNoise::SEA_LEVEL);
    /// assert!((0.3..0.7).contains(&land));
    ///
    /// // The noise plane is endless: the next tile to the east joins without a seam.
    /// let east = islands.tile(&islands.draw(size, 7), (512, 0), size, &Progress::default())?;
    /// assert!((map.get(511, 99) - east.get(0, 99)).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct FractalNoise: "fractal-noise" {
        /// The number of octaves.
        pub octaves: u32 = 5, in 1..=16, slider 1..=10;
        /// The wavelength of the first and coarsest octave, about the size of a continent.
        pub scale: f64 = 243.0, in 0.1..=1e6, unit "cells", slider 8.0..=2000.0 log;
        /// The factor by which the wavelength shrinks from one octave to the next.
        pub lacunarity: f64 = 3.0, in 1.0..=16.0, slider 1.5..=4.0;
        /// The amplitude of each octave relative to the previous one: rough above `1 / lacunarity`, smooth below.
        pub gain: f64 = 1.0 / 3.0, above 0.0..=1.0, slider 0.1..=0.9;
        /// How each octave's noise becomes height.
        pub variant: Variant = Variant::Fbm;
        /// The largest displacement of the terrain, by noise of the first octave's wavelength. A tenth of the scale
        /// makes coasts swirl, a third folds the terrain.
        pub warp: f64 = 0.0, in 0.0..=1000.0, unit "cells", slider 0.0..=200.0;
        /// How the terrain falls off at the border of the map.
        pub mask: Mask = Mask::None;
        /// Whether each octave is rounded down to multiples of 1/255, as in the article, which makes terraces.
        pub quantized: bool = false, alias "quantised";
        /// Whether long waves are evaluated at every cell instead of interpolated: up to 5e-5 closer to the definition,
        /// at about twice the cost.
        pub exact: bool = false;
    }
}

choices! {
    /// How each octave's noise `n`, from -1 to 1, becomes height.
    pub enum Variant {
        /// `(n + 1) / 2`: rolling terrain with hollows as round as hills.
        Fbm = "fbm" | "plain",
        /// `|n|`: round hills between sharp valleys. About two fifths of the map are land.
        Billowed = "billowed",
        /// `1 - |n|`: replaced by [`RidgedMultifractal`](crate::RidgedMultifractal), but still accepted in recipes.
        Ridged = "ridged" [hidden],
    }
    default Fbm
}

/// The draws of a [`FractalNoise`].
///
/// Deserialization does not validate them, because the number of octaves is only known when they are used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FractalNoiseDraws {
    /// The draws of the two noises that displace the plane eastwards and southwards.
    pub warp: [OctaveDraws; 2],
    /// The draws of each octave, the coarsest first.
    pub octaves: Vec<OctaveDraws>,
}

impl FractalNoiseDraws {
    /// Checks that there are draws for this number of octaves, and that they are in range.
    pub(crate) fn check(&self, owner: &'static str, octaves: u32) -> Result<(), ParamError> {
        let drawn = self.octaves.len();
        ParamError::check(
            drawn == octaves as usize,
            owner,
            "octaves",
            f64::from(octaves),
            format_args!("{drawn}, the number of drawn octaves"),
        )?;
        let all = self.warp.iter().chain(&self.octaves);
        for offset in all.flat_map(|octave| octave.offset) {
            ParamError::check_range(owner, "offset", offset, -1e9, 1e9)?;
        }
        Ok(())
    }
}

/// The draws of one octave.
///
/// # The noise
/// Cell `(x, y)` of an octave is at `p = offset + (x, y) / wavelength`. With `F = (sqrt 3 - 1) / 2` and `G = (3 - sqrt
/// 3) / 6`, its square of the skewed lattice is `(i, j) = floor(p + F (p.x + p.y))`, and the corner of that square is
/// at `(i, j) - G (i + j)`. The corners of the triangle are `(i, j)`; then `(i + 1, j)` if `p` is further east than
/// south of the first corner, or else `(i, j + 1)`; and `(i + 1, j + 1)`. The noise, from -1 to 1, is
///
/// ```text
///   93.5 * sum over the corners of  max(0, 1/2 - r^2)^4 (slope . (p - corner)),   r = |p - corner|
/// ```
///
/// and the slope of a corner, computed in wrapping `u32`, is
///
/// ```text
///   a = i * 0x9E3779B1 + j * 0x85EBCA77        b = a ^ hash       c = (b ^ (b >> 15)) * 0x2C1B3C6D
///   t = (c as i32) / 2^31                      from -1 to 1: half turns
///   slope = (4 t (1 - |t|),  -4 q (1 - |q|)),  q = |t| - 1/2     approximately sine and cosine
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OctaveDraws {
    /// The position in the noise at which the octave starts: x and y in wavelengths.
    pub offset: [f64; 2],
    /// Selects one of 2^32 noise functions.
    pub hash: u32,
}

impl OctaveDraws {
    /// Large enough that octaves are unrelated, small enough that no precision is lost.
    const OFFSETS: f64 = 4096.0;

    /// Draws in this order: x, y, hash.
    pub(crate) fn draw(rng: &mut SeededRng) -> Self {
        Self {
            offset: [
                rng.between(0.0, Self::OFFSETS),
                rng.between(0.0, Self::OFFSETS),
            ],
            hash: rng.below(1 << 32) as u32,
        }
    }
}

/// The shortest wavelength of an octave in cells. With shorter waves, positions within a block would lose their
/// precision.
const MIN_WAVELENGTH: f64 = 0.001;

/// Checks that the last octave is not too fine.
pub(crate) fn check_finest(
    owner: &'static str,
    octaves: u32,
    scale: f64,
    lacunarity: f64,
) -> Result<(), ParamError> {
    let wavelengths = core::iter::successors(Some(scale), |s| Some(s / lacunarity));
    let (allowed, _) = (1..=octaves)
        .zip(wavelengths)
        .take_while(|(_, wavelength)| *wavelength >= MIN_WAVELENGTH)
        .last()
        .unwrap_or((1, scale));
    ParamError::check(
        octaves <= allowed,
        owner,
        "octaves",
        f64::from(octaves),
        format_args!(
            "at most {allowed} with this scale and lacunarity, \
             because the next octave is finer than a thousandth of a cell"
        ),
    )
}

impl FractalNoise {
    /// The sea level: the middle of 0 to 255, as in the article.
    pub const SEA_LEVEL: f32 = 127.0 / 255.0;

    /// The largest coordinate of a tile's first cell, in cells in any direction from the origin.
    pub const MAX_ORIGIN: i64 = 1 << 40;

    /// Checks every parameter against its range. The size does not matter.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        check_finest(Self::OWNER, self.octaves, self.scale, self.lacunarity)
    }

    /// Draws first the two warp noises, then each octave from the coarsest. Adding an octave does not change the
    /// others. The size does not matter.
    pub fn draw(&self, _size: MapSize, seed: u64) -> FractalNoiseDraws {
        let mut rng = SeededRng::new(seed, b"islands ");
        let mut next = || OctaveDraws::draw(&mut rng);
        FractalNoiseDraws {
            warp: [next(), next()],
            octaves: (0..self.octaves).map(|_| next()).collect(),
        }
    }

    /// The evaluation: the heights of these draws, from 0 to 1.
    ///
    /// # Errors
    /// If a parameter is out of range, the draws do not match [`octaves`](Self::octaves) or are out of range, or the
    /// work is canceled.
    pub fn evaluate(
        &self,
        size: MapSize,
        draws: &FractalNoiseDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.fill(&Simplex, draws, (0, 0), self.mask, size, progress)
    }

    /// The evaluation with another noise, for example one of the `noise` crate. Its values are clamped to -1 to 1, and
    /// a wavelength is one unit. Octaves only differ by their offsets.
    ///
    /// ```
    /// use lanternfell_heightmap::{FractalNoise, MapSize, Progress};
    ///
    /// let islands = FractalNoise::default();
    /// let perlin = noise::Perlin::new(3);
    /// let size = MapSize::new(64, 64)?;
    /// islands.evaluate_with(&perlin, size, &islands.draw(size, 7), &Progress::default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate).
    #[cfg(feature = "noise")]
    pub fn evaluate_with(
        &self,
        noise: &(impl NoiseFn<f64, 2> + Sync),
        size: MapSize,
        draws: &FractalNoiseDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.fill(&Foreign(noise), draws, (0, 0), self.mask, size, progress)
    }

    /// A tile of the endless noise plane, whose north-west cell is at `origin` (x, y).
    ///
    /// Overlapping tiles agree to the last bit. They also agree with the map of [`evaluate`](Self::evaluate), which
    /// starts at the origin, if its mask is [`Mask::None`]. The mask is ignored here, because a plane has no border.
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate), or if the origin is beyond [`MAX_ORIGIN`](Self::MAX_ORIGIN).
    pub fn tile(
        &self,
        draws: &FractalNoiseDraws,
        origin: (i64, i64),
        size: MapSize,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let allowed = -Self::MAX_ORIGIN..=Self::MAX_ORIGIN;
        for (name, at) in [("origin x", origin.0), ("origin y", origin.1)] {
            let words = format_args!("from -{max} to {max}", max = Self::MAX_ORIGIN);
            ParamError::check(allowed.contains(&at), Self::OWNER, name, at as f64, words)?;
        }
        self.fill(&Simplex, draws, origin, Mask::None, size, progress)
    }

    /// Generates the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        self.evaluate(size, &self.draw(size, seed), progress)
    }

    fn fill<N: Noise>(
        &self,
        noise: &N,
        draws: &FractalNoiseDraws,
        (x, y): (i64, i64),
        mask: Mask,
        size: MapSize,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        draws.check(Self::OWNER, self.octaves)?;
        let octaves = Octaves::new(self, draws, N::TOLERANCE);
        let mut map = Heightmap::flat(size);
        for_each_row_with(
            map.heights_mut(),
            BAND_ROWS * size.width(),
            progress,
            || octaves.scratch(x, size.width()),
            |scratch, band, rows| {
                let south = band * BAND_ROWS;
                octaves.fill_rows(y + south as i64, rows, scratch, noise);
                for (south, row) in (south..).zip(rows.chunks_mut(size.width())) {
                    mask.apply(south, size.height(), row);
                }
            },
        )?;
        Ok(map)
    }
}

evaluate!(FractalNoise, Self::SEA_LEVEL, self => Parts::Pointwise(self));

impl Pointwise for FractalNoise {
    fn has_border(&self) -> bool {
        self.mask != Mask::None
    }

    fn plane_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.tile(&self.draw(world, seed), origin, size, progress)
    }

    fn part(
        &self,
        region: MapRegion,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(world)?;
        let octaves = Octaves::new(self, &self.draw(world, seed), Simplex::TOLERANCE);
        let (x, width) = (region.x(), region.size().width());
        let mut map = Heightmap::flat(region.size());
        for_each_row_with(
            map.heights_mut(),
            BAND_ROWS * width,
            progress,
            || octaves.scratch(x as i64, width),
            |scratch, band, rows| {
                let y = region.y() + band * BAND_ROWS;
                octaves.fill_rows(y as i64, rows, scratch, &Simplex);
                for (y, row) in (y..).zip(rows.chunks_mut(width)) {
                    self.mask.apply_from((x, y), world, row);
                }
            },
        )?;
        Ok(map)
    }
}
