//! Ridged multifractals: jagged ranges above smooth valleys.
//!
//! Problem: in a sum of octaves every place is equally rough, the valley floor as the summit.
//! Real mountains are rough where they are high and young, and smooth where rubble lies.
//!
//! Idea: where noise crosses 0 there is a line through the land. Folded there, `1 - |n|`, it is a
//! crest; squared, a sharp one. And each octave is multiplied by the height of the one before:
//! detail grows on the crests, and where the first octave is low nothing is added.
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
//! Musgrave's has an offset of 1, a sharpness of 1, a feedback of 1 and the factor 2; his
//! exponent H is `gain = lacunarity^-H`. With no feedback the octaves are independent, and
//! with no sharpness either it is the ridged variant that [`FractalNoise`] had.
//!
//! Cost, accuracy and determinism are those of [`FractalNoise`], whose octaves these are: simplex
//! noise, long waves looked up at few cells. With a period they are gradient noise on squares,
//! which can repeat itself, at every cell.
//!
//! Source: Musgrave in Ebert et al., *Texturing and Modeling: A Procedural Approach*, 3rd
//! edition, 2003, chapter 16.

use crate::{
    FractalNoise, FractalNoiseDraws, GenerateError, Heightmap, MapSize, Mask, ParamError,
    Parameters, Progress, Variant,
    evaluate::{Parts, Pointwise, evaluate},
    fractal_noise::{BAND_ROWS, Noise, Octaves, Periodic, Ridge, Shape, Simplex, check_finest},
    parameter::parameters,
    period, rows,
};

parameters! {
    /// Crests that grow finer crests, above smooth valleys.
    ///
    /// Heights are from 0 to 1; few places come near either.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapSize, Progress, RidgedMultifractal};
    ///
    /// let alps = RidgedMultifractal { scale: 100.0, ..RidgedMultifractal::default() };
    /// let map = alps.generate(MapSize::new(128, 128)?, 7, &Progress::default())?;
    /// assert!(map.range().0 >= 0.0 && map.range().1 <= 1.0);
    ///
    /// // With a period it fits beside itself.
    /// let tile = RidgedMultifractal { period: Some(64), scale: 32.0, ..alps };
    /// let map = tile.generate(map.size(), 7, &Progress::default())?;
    /// assert_eq!(map.row(5), map.row(5 + 64));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct RidgedMultifractal: "ridged" {
        /// How many octaves are summed.
        pub octaves: u32 = 7, in 1..=16, slider 1..=10;
        /// The wavelength of the first and coarsest octave: about the way from one range to the
        /// next.
        pub scale: f64 = 256.0, in 0.1..=1e6, unit "cells", slider 8.0..=2000.0 log;
        /// By how much the wavelength shrinks from one octave to the next.
        pub lacunarity: f64 = 2.0, in 1.0..=16.0, slider 1.5..=4.0;
        /// The height of each octave as a share of the one before.
        pub gain: f64 = 0.5, above 0.0..=1.0, slider 0.1..=0.9;
        /// At which magnitude of the noise the crests' lowest places are: 1 makes valleys round,
        /// less folds them up, so that crests run along them too.
        pub offset: f64 = 1.0, in 0.5..=2.0;
        /// How sharp crests are: 0 as a roof, 1 as its square.
        pub sharpness: f64 = 1.0, in 0.0..=1.0;
        /// How much each octave counts only where the one before is high: 0 is everywhere alike,
        /// 1 leaves the valleys smooth.
        pub feedback: f64 = 1.0, in 0.0..=1.0;
        /// How far the land is pushed about at most, by noise of the first octave's wavelength.
        pub warp: f64 = 0.0, in 0.0..=1000.0, unit "cells", slider 0.0..=200.0;
        /// After how many cells the map repeats itself, both ways; a whole number of times the
        /// scale. Finer octaves are fitted to it.
        pub period: Option<u32> = None, in 1..=1_000_000, unit "cells", slider 64..=2048;
        /// Whether long waves too are looked up at every cell, instead of at few and found between
        /// them: nearer to the definition by up to 5e-5, and about twice the work.
        pub exact: bool = false;
    }
}

impl RidgedMultifractal {
    /// A height below which about a third of the default map lies.
    pub const SEA_LEVEL: f32 = 0.12;

    /// Checks every parameter against its range. Any size will do.
    ///
    /// # Errors
    /// Names the first parameter that is out of its range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        period::check(Self::OWNER, self.period, self.scale)?;
        check_finest(Self::OWNER, self.octaves, self.scale, self.lacunarity)
    }

    /// The draws: those of [`FractalNoise::draw`] for so many octaves. The size plays no part.
    pub fn draw(&self, size: MapSize, seed: u64) -> FractalNoiseDraws {
        self.octaves().draw(size, seed)
    }

    /// The evaluation: the heights that follow from these draws, from 0 to 1.
    ///
    /// # Errors
    /// When a parameter is out of its range, the draws are not those of
    /// [`octaves`](field@Self::octaves) octaves or not finite, or the work was cancelled.
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

    /// Makes the map of this seed: validates, draws and evaluates.
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

    /// The rectangle of the plane whose north-west cell is at `origin`.
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

    /// The octaves as those of another generator, which this one shapes differently.
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
