//! Archipelagos of simplex noise.
//!
//! Problem: land with coasts at every scale, bays within bays, wherever one looks.
//!
//! Idea: smooth noise at a long wavelength decides where the continents are, the same
//! noise at a third of the wavelength and a third of the height adds islands and bays,
//! and so on down to pebbles. Water stands at middle height.
//!
//! ```text
//!   octave 0   .--''''--.__            __.--    wavelength 243 cells, height 243/363
//!   octave 1   _/\__/\_   _/\__/\_/\__/         81                     81/363
//!   octave 2   ^v^v^^v^v^v^^v^v^v^^v^v^v^       27                     27/363
//!   ...
//!   sum     ~~~/\_/''\~~~~~~~~~~/\~/''\~~~      sea at 127/255
//! ```
//!
//! Steps: for every cell, `E = sum over octaves of (a / M) v`, where the amplitude `a`
//! falls by the gain from one octave to the next, `M` is the sum of all amplitudes, and
//! `v` is the octave's noise brought to 0 to 1. `E` is the height as it is: it is not
//! stretched, since the sea level is a fixed height.
//!
//! The article lets all octaves start at one point, so the corner of every map is water.
//! Here each octave has an offset and a hash of its own.
//!
//! Cost: linear in cells, and in the octaves that are short; long ones (27 cells and more in the
//! article's sum) are looked up at few cells ([`pyramid`]) and cost little, unless a warp pushes
//! the cells apart or the octaves are quantized. Some rows beyond the map for each thread. Height
//! is a function of the point, so any tile of the endless plane can be made alone.
//!
//! Accuracy, against the definition in `f64` and measured from wavelengths of a thousandth of a
//! cell to 1000 cells: noise of `n` cells, from -1 to 1, is off by `1e-6 + 1e-4 / n` at most, and
//! by 1e-6 where `n` is less than 1. From 20 cells on an octave's height may be off by another
//! 5e-5, save where the noise is looked up at every cell as the definition has it
//! ([`exact`](FractalNoise::exact), quantized octaves, a warp). A warp is off by a thousandth of a
//! cell. With the article's octaves that is 1e-5 as a rule and 1e-4 at most, where a step of a
//! 16-bit picture is 1.5e-5. A quantized octave is exact but where its noise is as near to a step
//! as it may be off.
//!
//! Source: Leib, *Fractal simplex noise for procedural terrain generation*, 2016.

mod mask;
mod octaves;
mod periodic;
mod pyramid;
mod simplex;
mod source;

#[cfg(feature = "noise")]
use noise::NoiseFn;
use serde::{Deserialize, Serialize};

use crate::{
    GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, SeededRng, Window,
    evaluate::{Parts, Pointwise, evaluate},
    parameter::{choices, parameters},
    rows::for_each_row_with,
};

pub use mask::Mask;
pub(crate) use octaves::{Octaves, Ridge, Shape};
pub(crate) use periodic::Periodic;
#[cfg(feature = "noise")]
use source::Foreign;
pub(crate) use source::{Noise, Simplex};

/// Simplex noise at a point in wavelengths, from -1 to 1: the noise that [`FractalNoise`] adds up.
pub fn simplex_noise(at: [f64; 2], seed: u32) -> f32 {
    simplex::Anchor::new(at, seed).noise_here()
}

/// So many rows are made together: enough for the [`pyramid`] to pay, few enough for a small map
/// to be shared.
pub(crate) const BAND_ROWS: usize = 32;

parameters! {
    /// Octaves of simplex noise over a sea at middle height.
    ///
    /// Heights are from 0 to 1, and land is what lies above [`FractalNoise::SEA_LEVEL`]: about
    /// half of a map.
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
    /// // The plane goes on: the next tile to the east joins without a seam.
    /// let east = islands.tile(&islands.draw(size, 7), (512, 0), size, &Progress::default())?;
    /// assert!((map.get(511, 99) - east.get(0, 99)).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct FractalNoise: "islands" {
        /// How many octaves are summed.
        pub octaves: u32 = 5, in 1..=16, slider 1..=10;
        /// The wavelength of the first and coarsest octave: about the size of a continent.
        pub scale: f64 = 243.0, in 0.1..=1e6, unit "cells", slider 8.0..=2000.0 log;
        /// By how much the wavelength shrinks from one octave to the next.
        pub lacunarity: f64 = 3.0, in 1.0..=16.0, slider 1.5..=4.0;
        /// The height of each octave as a share of the one before: rough above `1 / lacunarity`,
        /// smooth below.
        pub gain: f64 = 1.0 / 3.0, above 0.0..=1.0, slider 0.1..=0.9;
        /// What is made of the noise.
        pub variant: Variant = Variant::Fbm;
        /// How far the land is pushed about at most, by noise of the first octave's wavelength. A
        /// tenth of the scale makes coasts swirl, a third folds the land.
        pub warp: f64 = 0.0, in 0.0..=1000.0, unit "cells", slider 0.0..=200.0;
        /// What happens to the map's edge.
        pub mask: Mask = Mask::None;
        /// Whether every octave is rounded down to whole 255ths, as in the article: terraces.
        pub quantized: bool = false, alias "quantised";
        /// Whether long waves too are looked up at every cell, instead of at few and found between
        /// them: nearer to the definition by up to 5e-5, and about twice the work.
        pub exact: bool = false;
    }
}

choices! {
    /// What is made of each octave's noise `n`, which is from -1 to 1.
    pub enum Variant {
        /// `(n + 1) / 2`: rolling land, hollows as round as hills.
        Fbm = "fbm" | "plain",
        /// `|n|`: round hills between sharp valleys; about two fifths are land.
        Billowed = "billowed",
        /// `1 - |n|`, as it was before there was
        /// [`RidgedMultifractal`](crate::RidgedMultifractal), which a recipe becomes.
        Ridged = "ridged" [hidden],
    }
    default Fbm
}

/// The random numbers of an archipelago.
///
/// Read from a file they are checked when they are used, since only then it is known how many
/// octaves there must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FractalNoiseDraws {
    /// Of the two noises that warp the plane, eastwards and southwards.
    pub warp: [OctaveDraws; 2],
    /// Of each octave, the coarsest first.
    pub octaves: Vec<OctaveDraws>,
}

impl FractalNoiseDraws {
    /// Checks that they are those of so many octaves, and finite.
    pub(crate) fn check(&self, owner: &'static str, octaves: u32) -> Result<(), ParamError> {
        let drawn = self.octaves.len();
        ParamError::check(
            drawn == octaves as usize,
            owner,
            "octaves",
            f64::from(octaves),
            format_args!("{drawn}, as many as were drawn"),
        )?;
        let all = self.warp.iter().chain(&self.octaves);
        for offset in all.flat_map(|octave| octave.offset) {
            ParamError::check_range(owner, "offset", offset, -1e9, 1e9)?;
        }
        Ok(())
    }
}

/// The random numbers of one octave.
///
/// # The noise
/// Cell `(x, y)` of an octave lies at `p = offset + (x, y) / wavelength`. With
/// `F = (sqrt 3 - 1) / 2` and `G = (3 - sqrt 3) / 6` its square of the skewed lattice is
/// `(i, j) = floor(p + F (p.x + p.y))`, whose corner stands at `(i, j) - G (i + j)`. The triangle's
/// corners are `(i, j)`; `(i + 1, j)` where `p` lies further east of the first than south of it,
/// else `(i, j + 1)`; and `(i + 1, j + 1)`. The noise, from -1 to 1, is
///
/// ```text
///   93.5 * sum over the corners of  max(0, 1/2 - r^2)^4 (slope . (p - corner)),   r = |p - corner|
/// ```
///
/// and a corner's slope, all in `u32` that wraps around, is
///
/// ```text
///   a = i * 0x9E3779B1 + j * 0x85EBCA77        b = a ^ hash       c = (b ^ (b >> 15)) * 0x2C1B3C6D
///   t = (c as i32) / 2^31                      from -1 to 1: half turns
///   slope = (4 t (1 - |t|),  -4 q (1 - |q|)),  q = |t| - 1/2     nearly its sine and cosine
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OctaveDraws {
    /// Where in its noise the octave starts: x and y in wavelengths.
    pub offset: [f64; 2],
    /// Which of 2^32 noises it is.
    pub hash: u32,
}

impl OctaveDraws {
    /// Far enough for octaves to have nothing in common, near enough to cost no digits.
    const OFFSETS: f64 = 4096.0;

    /// In this order: x, y, hash.
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

/// No octave is finer, in cells: inside a block its places would lose their digits.
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
            "at most {allowed} with this scale and lacunarity: \
             the next is finer than a thousandth of a cell"
        ),
    )
}

impl FractalNoise {
    /// The height of the sea: the middle of 0 to 255, as the article has it.
    pub const SEA_LEVEL: f32 = 127.0 / 255.0;

    /// A tile's first cell lies at most this far from the origin, in cells either way.
    pub const MAX_ORIGIN: i64 = 1 << 40;

    /// Checks every parameter against its range. Any size will do.
    ///
    /// # Errors
    /// Names the first parameter that is out of its range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        check_finest(Self::OWNER, self.octaves, self.scale, self.lacunarity)
    }

    /// The draws: first of the two warping noises, then of each octave from the coarsest.
    /// One more octave leaves the others as they are. The size plays no part.
    pub fn draw(&self, _size: MapSize, seed: u64) -> FractalNoiseDraws {
        let mut rng = SeededRng::new(seed, b"islands ");
        let mut next = || OctaveDraws::draw(&mut rng);
        FractalNoiseDraws {
            warp: [next(), next()],
            octaves: (0..self.octaves).map(|_| next()).collect(),
        }
    }

    /// The evaluation: the heights that follow from these draws, from 0 to 1.
    ///
    /// # Errors
    /// When a parameter is out of its range, the draws are not those of
    /// [`octaves`](Self::octaves) octaves or not finite, or the work was cancelled.
    pub fn evaluate(
        &self,
        size: MapSize,
        draws: &FractalNoiseDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.fill(&Simplex, draws, (0, 0), self.mask, size, progress)
    }

    /// The evaluation with another noise, as the `noise` crate has many: values from -1 to 1
    /// (others are clamped), one wavelength per unit. Octaves differ by their offsets only.
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

    /// A tile of the endless plane, whose north-west cell is at `origin` (x, y).
    ///
    /// Tiles that overlap agree to the last bit, and so does the map of
    /// [`evaluate`](Self::evaluate), which starts at the origin, when its mask is
    /// [`Mask::None`]. A plane has no edge, so here the mask does nothing.
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate), and when the origin is beyond
    /// [`MAX_ORIGIN`](Self::MAX_ORIGIN).
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

    /// Makes the map of this seed: validates, draws, and evaluates.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
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
        window: Window,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(world)?;
        let octaves = Octaves::new(self, &self.draw(world, seed), Simplex::TOLERANCE);
        let (x, width) = (window.x(), window.size().width());
        let mut map = Heightmap::flat(window.size());
        for_each_row_with(
            map.heights_mut(),
            BAND_ROWS * width,
            progress,
            || octaves.scratch(x as i64, width),
            |scratch, band, rows| {
                let y = window.y() + band * BAND_ROWS;
                octaves.fill_rows(y as i64, rows, scratch, &Simplex);
                for (y, row) in (y..).zip(rows.chunks_mut(width)) {
                    self.mask.apply_from((x, y), world, row);
                }
            },
        )?;
        Ok(map)
    }
}
