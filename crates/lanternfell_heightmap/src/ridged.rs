//! Ridged multifractals: jagged ranges above smooth valleys.
//!
//! Problem: a sum of octaves is equally rough everywhere, in valleys and on summits. Real mountains are rough where
//! they are high and young, and smooth where debris has accumulated.
//!
//! Idea: noise crosses 0 along lines. Folded there, `1 - |n|`, it forms a ridge; squared, a sharp ridge. Each octave is
//! multiplied by the height of the previous one, so detail grows on the ridges, and nothing is added where the first
//! octave is low.
//!
//! ```text
//!   n            /\      /\           1 - |n|     /\    /\    /\      (..)^2   |    |    |
//!           ____/  \____/  \__   ->              /  \__/  \__/  \  ->         _/\__/ \__/ \_
//!               \  /    \  /
//! ```
//!
//! Steps, for every octave `k` with noise `n` from -1 to 1:
//!
//! ```text
//!   crest  c = |offset - |n|| / max(offset, 1 - offset)        0 to 1
//!   sharp  s = c + sharpness (c^2 - c)                         c, or c^2
//!   height h = weight s                                        the first weight is 1
//!   sum      + gain^k h / (sum of all gain^k)                  0 to 1
//!   next weight = 1 - feedback + feedback min(1, 2 h)
//! ```
//!
//! Musgrave's version has an offset of 1, a sharpness of 1, a feedback of 1 and the factor 2. His exponent H
//! corresponds to `gain = lacunarity^-H`. Without feedback the octaves are independent, and without sharpness too the
//! result is the former ridged variant of [`FractalNoise`].
//!
//! Cost, accuracy and determinism are those of [`FractalNoise`]: the octaves are simplex noise, and long waves are
//! interpolated from few cells. With a period, the octaves are periodic gradient noise on a square lattice, evaluated
//! at every cell.
//!
//! Source: Musgrave in Ebert et al., *Texturing and Modeling: A Procedural Approach*, 3rd edition, 2003, chapter 16.

use crate::{
    FractalNoise, FractalNoiseDraws, GenerateError, Heightmap, MapSize, Mask, ParamError,
    Parameters, Progress, Variant,
    evaluate::{Parts, Pointwise, evaluate},
    fractal_noise::{BAND_ROWS, Noise, Octaves, Periodic, Ridge, Shape, Simplex, check_finest},
    parameter::parameters,
    period, rows,
};

parameters! {
    /// Ridges with ever finer ridges on them, above smooth valleys.
    ///
    /// Heights are from 0 to 1, but few cells come close to either.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapSize, Progress, RidgedMultifractal};
    ///
    /// let alps = RidgedMultifractal { scale: 100.0, ..RidgedMultifractal::default() };
    /// let map = alps.generate(MapSize::new(128, 128)?, 7, &Progress::default())?;
    /// assert!(map.range().0 >= 0.0 && map.range().1 <= 1.0);
    ///
    /// // With a period the map can be tiled.
    /// let tile = RidgedMultifractal { period: Some(64), scale: 32.0, ..alps };
    /// let map = tile.generate(map.size(), 7, &Progress::default())?;
    /// assert_eq!(map.row(5), map.row(5 + 64));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct RidgedMultifractal: "ridged" {
        /// The number of octaves.
        pub octaves: u32 = 7, in 1..=16, slider 1..=10;
        /// The wavelength of the first and coarsest octave, about the distance between ranges.
        pub scale: f64 = 256.0, in 0.1..=1e6, unit "cells", slider 8.0..=2000.0 log;
        /// The factor by which the wavelength shrinks from one octave to the next.
        pub lacunarity: f64 = 2.0, in 1.0..=16.0, slider 1.5..=4.0;
        /// The amplitude of each octave relative to the previous one.
        pub gain: f64 = 0.5, above 0.0..=1.0, slider 0.1..=0.9;
        /// The magnitude of the noise on the valley floors: 1 makes round valleys, less folds them up into additional
        /// ridges.
        pub offset: f64 = 1.0, in 0.5..=2.0;
        /// The sharpness of ridges: 0 is the shape of a roof, 1 its square.
        pub sharpness: f64 = 1.0, in 0.0..=1.0;
        /// How much an octave fades where the previous one is low: 0 adds the same detail everywhere, 1 leaves valleys
        /// smooth.
        pub feedback: f64 = 1.0, in 0.0..=1.0;
        /// The largest displacement of the terrain, by noise of the first octave's wavelength.
        pub warp: f64 = 0.0, in 0.0..=1000.0, unit "cells", slider 0.0..=200.0;
        /// The number of cells after which the map repeats along both axes; a multiple of the scale. Finer octaves are
        /// adjusted to fit it.
        pub period: Option<u32> = None, in 1..=1_000_000, unit "cells", slider 64..=2048;
        /// Whether long waves are evaluated at every cell instead of interpolated: up to 5e-5 closer to the definition,
        /// at about twice the cost.
        pub exact: bool = false;
    }
}

impl RidgedMultifractal {
    /// The sea level. About a third of the default map is below it.
    pub const SEA_LEVEL: f32 = 0.12;

    /// Checks every parameter against its range. The size does not matter.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        period::check(Self::OWNER, self.period, self.scale)?;
        check_finest(Self::OWNER, self.octaves, self.scale, self.lacunarity)
    }

    /// The draws: those of [`FractalNoise::draw`] for the same number of octaves. The size does not matter.
    pub fn draw(&self, size: MapSize, seed: u64) -> FractalNoiseDraws {
        self.octaves().draw(size, seed)
    }

    /// The evaluation: the heights of these draws, from 0 to 1.
    ///
    /// # Errors
    /// If a parameter is out of range, the draws do not match [`octaves`](field@Self::octaves) or are out of range, or
    /// the work is canceled.
    pub fn evaluate(
        &self,
        size: MapSize,
        draws: &FractalNoiseDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        draws.check(Self::OWNER, self.octaves)?;
        self.fill_part((0, 0), size, draws, progress)
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

    /// The rectangle of the noise plane whose north-west cell is at `origin`.
    fn fill_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        draws: &FractalNoiseDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        match self.period {
            None => self.fill(origin, size, draws, progress),
            Some(cells) => self.fill_periodic(origin, size, draws, cells, progress),
        }
    }

    fn fill(
        &self,
        (x, y): (i64, i64),
        size: MapSize,
        draws: &FractalNoiseDraws,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let octaves = self.shaped(draws, Simplex::TOLERANCE);
        let mut map = Heightmap::flat(size);
        let width = map.width();
        rows::for_each_row_with(
            map.heights_mut(),
            BAND_ROWS * width,
            progress,
            || octaves.scratch(x, width),
            |scratch, band, rows| {
                let y = y + (band * BAND_ROWS) as i64;
                octaves.fill_rows(y, rows, scratch, &Simplex);
            },
        )?;
        Ok(map)
    }

    fn fill_periodic(
        &self,
        (x, y): (i64, i64),
        size: MapSize,
        draws: &FractalNoiseDraws,
        cells: u32,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let octaves = self.shaped(draws, Periodic::TOLERANCE);
        let noise = Periodic {
            cells: cells.into(),
        };
        let mut map = Heightmap::flat(size);
        let width = map.width();
        rows::for_each_row(map.heights_mut(), width, progress, |south, row| {
            let y = period::wrapped(y + south as i64, cells);
            period::fill_row(x, row, Some(cells), |x, part| {
                let mut scratch = octaves.scratch(x, part.len());
                octaves.fill_rows(y, part, &mut scratch, &noise);
            });
        })?;
        Ok(map)
    }

    /// The octaves of another generator, to which this one applies another shape.
    fn octaves(&self) -> FractalNoise {
        FractalNoise {
            octaves: self.octaves,
            scale: self.scale,
            lacunarity: self.lacunarity,
            gain: self.gain,
            variant: Variant::Ridged,
            warp: self.warp,
            mask: Mask::None,
            quantized: false,
            exact: self.exact,
        }
    }

    fn shaped(&self, draws: &FractalNoiseDraws, tolerance: f64) -> Octaves {
        let ridge = Ridge {
            offset: self.offset as f32,
            sharpness: self.sharpness as f32,
            feedback: self.feedback as f32,
        };
        let shape = Shape::Ridged(ridge);
        Octaves::with_shape(&self.octaves(), shape, self.period, draws, tolerance)
    }
}

evaluate!(RidgedMultifractal, Self::SEA_LEVEL, self => Parts::Pointwise(self));

impl Pointwise for RidgedMultifractal {
    fn plane_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(world)?;
        self.fill_part(origin, size, &self.draw(world, seed), progress)
    }
}
