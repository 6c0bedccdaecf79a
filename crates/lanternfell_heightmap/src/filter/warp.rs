//! Domain warping: distorts the terrain by noise, so that straight lines become curves.
//!
//! Problem: fault lines are straight, hills are round, and terraces follow them too closely.
//!
//! Idea: read the height of a cell not at the cell, but at a position some cells away. The offset is itself smooth
//! noise.
//!
//! ```text
//!   |  |  |  |         /  |   \ |         x' = x + distance * noise 1 (x, y)
//!   |  |  |  |  -->   |  /    | |         y' = y + distance * noise 2 (x, y)
//!   |  |  |  |         \ \   /  |
//! ```
//!
//! Steps: for each row, compute two rows of [`FractalNoise`] with separate random numbers. Then sample a [Catmull-Rom
//! spline](super::sample) through the surrounding 4 x 4 cells at each position. Beyond the border, the map is extended
//! by its outermost cells.
//!
//! Random numbers: the purpose of the stream is `warp`. First come the octaves of the eastward offset, the coarsest
//! first, then those of the southward offset. Each octave draws as in [`FractalNoiseDraws`].
//!
//! Cost: two simplex noises per octave and cell, much less for long wavelengths, and 16 heights read per cell; one
//! additional map in memory.
//!
//! Source: Perlin, *An Image Synthesizer*, 1985 (the idea); Quilez, *Domain warping*, 2002.

use fearless_simd::{Level, dispatch};

use super::{
    apply::Apply,
    part::{Known, Locality},
    remake,
    sample::Sampler,
};
use crate::{
    Canceled, FilterContext, FractalNoise, FractalNoiseDraws, GenerateError, Heightmap, MapSize,
    OctaveDraws, ParamError, Parameters, Progress, Scale, SeededRng,
    erosion::guide::Guide,
    fractal_noise::{BAND_ROWS, Octaves, Simplex},
    parameter::parameters,
};

/// The maximum error of a position that the approximation of long wavelengths may cause, in cells.
const TOLERANCE: f64 = 1e-3;

parameters! {
    /// Distorts the terrain by noise, which depends on the seed of the context.
    #[derive(Copy)]
    pub struct Warp: "warp" {
        /// The wavelength of the noise, which is the size of the bends.
        pub scale: f64 = 100.0, in 1.0..=1e6, unit "cells", slider 8.0..=2000.0 log;
        /// The maximum offset along each axis. Above an eighth of the scale, terrain begins to fold over.
        pub distance: f64 = 10.0, in 0.0..=1000.0, unit "cells", slider 0.0..=200.0;
        /// The number of noise octaves, each with half the wavelength and half the amplitude of the previous one.
        pub octaves: u32 = 2, in 1..=8;
    }
}

impl Warp {
    /// The distance in cells up to which a new height reads the old map: the maximum offset, two cells for the spline,
    /// and a small tolerance for the noise.
    pub(super) fn reach(&self) -> usize {
        self.distance.ceil() as usize + 3
    }

    /// Filters a part of a map whose lowest and highest heights are `range`.
    pub(super) fn apply_within(
        &self,
        map: &mut Heightmap,
        range: (f32, f32),
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        if self.distance == 0.0 {
            return progress.step(1, 1);
        }
        let noise = FractalNoise {
            octaves: self.octaves,
            scale: self.scale,
            lacunarity: 2.0,
            gain: 0.5,
            ..FractalNoise::default()
        };
        let mut rng = SeededRng::new(context.seed, b"warp    ");
        let mut draw = || FractalNoiseDraws {
            warp: [OctaveDraws::default(); 2],
            octaves: (0..self.octaves)
                .map(|_| OctaveDraws::draw(&mut rng))
                .collect(),
        };
        let mut octaves = || Octaves::new(&noise, &draw(), TOLERANCE / (2.0 * self.distance));
        let octaves = [octaves(), octaves()];
        let (width, level) = (map.width(), Level::new());
        let (left, top) = context.place();
        let pushes = || vec![0.0; BAND_ROWS * width];
        let scratch = || {
            octaves
                .each_ref()
                .map(|o| (o.scratch(left, width), pushes()))
        };
        remake(map, BAND_ROWS, progress, scratch, |pushes, map, y, rows| {
            for (octaves, (scratch, push)) in octaves.iter().zip(&mut *pushes) {
                octaves.fill_rows(top + y as i64, &mut push[..rows.len()], scratch, &Simplex);
            }
            let pushes = pushes.each_ref().map(|(_, push)| push.chunks(width));
            let [dx, dy] = pushes;
            let sampler = Sampler::new(map, range);
            for ((y, row), (dx, dy)) in (y..).zip(rows.chunks_mut(width)).zip(dx.zip(dy)) {
                dispatch!(level, _simd => self.read(sampler, (left, top), y, (dx, dy), row));
            }
        })
    }

    /// Reads a row at positions that are offset by fractions of the distance to the east and south. Positions are
    /// computed on the plane, where the first cell of the map is `(left, top)`, so that a part gets the bits of the
    /// whole.
    #[inline(always)]
    fn read(
        &self,
        sampler: Sampler<'_>,
        (left, top): (i64, i64),
        y: usize,
        (dx, dy): (&[f32], &[f32]),
        row: &mut [f32],
    ) {
        for (x, (z, (&dx, &dy))) in row.iter_mut().zip(dx.iter().zip(dy)).enumerate() {
            // Convert noise from 0 to 1 to an offset in both directions.
            let [dx, dy] = [dx, dy].map(|n| self.distance * (2.0 * f64::from(n) - 1.0));
            let place = ((left + x as i64) as f64 + dx, (top + y as i64) as f64 + dy);
            *z = sampler.bicubic(place.0 - left as f64, place.1 - top as f64);
        }
    }
}

impl Apply for Warp {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let range = map.range_with(&progress.span(0.0, 0.05))?;
        Ok(self.apply_within(map, range, context, &progress.span(0.05, 1.0))?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::within(self.reach())
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(self.apply_within(map, known.range, context, progress)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let times = ratio as f64;
        let coarser = Self {
            scale: self.scale / times,
            distance: self.distance / times,
            ..*self
        };
        // Wavelengths below two cells cannot be represented.
        if coarser.scale < 2.0 {
            return Ok(None);
        }
        let known = Known { range, guide: None };
        coarser.apply_part(map, context, known, progress)?;
        Ok(None)
    }

    fn bounds(&self, range: (f32, f32), before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        before.or(Some(range))
    }

    fn work(&self) -> f32 {
        3.0
    }
}
