//! Land pushed about by noise: straight lines become bent ones.
//!
//! Problem: faults are straight, hills round, terraces follow them too well.
//!
//! Idea: the height of a cell is read not there, but at a place some cells away, and how
//! far away in which direction is itself smooth noise (domain distortion).
//!
//! ```text
//!   |  |  |  |         /  |   \ |         x' = x + distance * noise 1 (x, y)
//!   |  |  |  |  -->   |  /    | |         y' = y + distance * noise 2 (x, y)
//!   |  |  |  |         \ \   /  |
//! ```
//!
//! Steps: for each row, two rows of the noise that [`FractalNoise`] is made of, by draws of
//! their own; then at each place [Catmull and Rom's spline](super::sample) through the
//! 4 x 4 cells around it. Beyond its border the map goes on as its outermost cells.
//!
//! Draws: the stream's purpose is `warp`; in order the octaves that push east, the coarsest
//! first, then those that push south, each as [`FractalNoiseDraws`] has them.
//!
//! Cost: two simplex noises per octave and cell, far less where the waves are long, and 16
//! heights read; one map of memory.
//!
//! Source: Perlin, *An Image Synthesizer*, 1985 (the idea); Quilez, *Domain warping*,
//! 2002.

use fearless_simd::{Level, dispatch};

use super::{
    apply::Apply,
    part::{Known, Locality},
    remake,
    sample::Sampler,
};
use crate::{
    Cancelled, FilterContext, FractalNoise, FractalNoiseDraws, GenerateError, Heightmap, MapSize,
    OctaveDraws, ParamError, Parameters, Progress, Scale, SeededRng,
    erosion::guide::Guide,
    fractal_noise::{BAND_ROWS, Octaves, Simplex},
    parameter::parameters,
};

/// How far an octave of long waves may leave a place from where it should be, in cells.
const TOLERANCE: f64 = 1e-3;

parameters! {
    /// Pushes the land about by noise; the context's seed says which.
    #[derive(Copy)]
    pub struct Warp: "warp" {
        /// The noise's wavelength: the size of the bends.
        pub scale: f64 = 100.0, in 1.0..=1e6, unit "cells", slider 8.0..=2000.0 log;
        /// How far land is pushed at most along each axis. Above an eighth of the scale land begins
        /// to fold over.
        pub distance: f64 = 10.0, in 0.0..=1000.0, unit "cells", slider 0.0..=200.0;
        /// Octaves of noise, each of half the wavelength and half the height of the one before.
        pub octaves: u32 = 2, in 1..=8;
    }
}

impl Warp {
    /// How far around a cell its new height is read: up to the distance, and two cells more by the
    /// spline, and a hair by the noise.
    pub(super) fn reach(&self) -> usize {
        self.distance.ceil() as usize + 3
    }

    /// Changes a part of a map whose lowest and highest heights are `range`.
    pub(super) fn apply_within(
        &self,
        map: &mut Heightmap,
        range: (f32, f32),
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
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

    /// Reads a row, each height so much of the distance further east and south. Places are worked
    /// out on the plane, whose cell `(left, top)` is the map's first: so a part has the whole's bits.
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
            // Noise from 0 to 1 pushes either way.
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
        // Bends of less than two cells are none.
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
