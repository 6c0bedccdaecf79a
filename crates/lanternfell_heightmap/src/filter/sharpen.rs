//! Sharpening: adds what a blur would remove.
//!
//! ```text
//!   z           __         z + amount (z - blurred)     .__
//!             .'                                       .
//!   blurred  .'                                       .
//!         __.'                                     __.
//!                                                    '
//! ```
//!
//! Cost: a Gaussian blur and one pass; two additional maps in memory.
//!
//! Source: the *unsharp mask* of photography; Gonzalez and Woods, *Digital Image Processing*, 2002.

use super::{
    apply::Apply,
    finite,
    part::{Known, Locality},
    smooth,
};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress,
    Scale, erosion::guide::Guide, parameter::parameters, rows,
};

parameters! {
    /// Deepens valleys and sharpens ridges: `z + amount (z - blurred z)`. Heights may leave their
    /// previous range.
    #[derive(Copy)]
    pub struct Sharpen: "sharpen" {
        /// The size of the sharpened features, as the standard deviation of the blur.
        pub sigma: f64 = 2.0, in 0.0..=1024.0, unit "cells", slider 0.0..=50.0;
        /// The strength; 0 changes nothing.
        pub amount: f64 = 0.5, in 0.0..=100.0, slider 0.0..=4.0;
    }
}

impl Sharpen {
    /// Filters a part of a map whose lowest and highest heights are `range`.
    pub(super) fn apply_within(
        &self,
        map: &mut Heightmap,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let width = map.width();
        let mut blurred = map.clone();
        smooth::blur(&mut blurred, self.sigma, range, &progress.span(0.0, 0.8))?;
        let progress = &progress.span(0.8, 1.0);
        rows::for_each_row(map.heights_mut(), width, progress, |y, row| {
            for (z, &blurred) in row.iter_mut().zip(blurred.row(y)) {
                let here = f64::from(*z);
                *z = finite(here + self.amount * (here - f64::from(blurred)));
            }
        })
    }
}

impl Apply for Sharpen {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let range = map.range_with(&progress.span(0.0, 0.05))?;
        Ok(self.apply_within(map, range, &progress.span(0.05, 1.0))?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        smooth::locality(self.sigma)
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(self.apply_within(map, known.range, progress)?)
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let coarser = Self {
            sigma: self.sigma / ratio as f64,
            ..*self
        };
        let known = Known { range, guide: None };
        coarser.apply_part(map, context, known, progress)?;
        Ok(None)
    }

    fn work(&self) -> f32 {
        3.0
    }
}
