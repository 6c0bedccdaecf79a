//! Blends chosen sides of the map to a height.
//!
//! Problem: an island needs sea on all sides, a coast on one side, and a crater needs a wall.
//!
//! Idea: near a chosen side, heights approach a given level. The outermost cells have exactly that
//! level.
//!
//! ```text
//!   z       .-.__.-~~-._.              level + (z - level) f_x f_y,
//!          /             \             f = 3 t^2 - 2 t^3, t = distance / width up to 1
//!   level.'               '._
//!        |width|     |width |
//! ```
//!
//! Cost: one pass, no additional memory.
//!
//! Source: smoothstep is folklore; the *edges* filter of THREE.Terrain does the same on all sides.

use super::{apply::Apply, finite, part::Locality, smooth_step};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, Scale,
    erosion::guide::Guide, parameter::parameters, rows,
};

parameters! {
    /// Blends heights to `level` towards the chosen sides.
    #[derive(Copy)]
    pub struct Edges: "edges" {
        /// The width of the blended strip. 0 changes only the outermost cells.
        pub width: f64 = 32.0, in 0.0..=16_384.0, unit "cells", slider 0.0..=256.0;
        /// The height of the outermost cells.
        pub level: f64 = 0.0, in -1e6..=1e6, slider 0.0..=1.0;
        /// Whether the northern side (row 0) is blended.
        pub north: bool = true;
        /// Whether the eastern side is blended.
        pub east: bool = true;
        /// Whether the southern side is blended.
        pub south: bool = true;
        /// Whether the western side is blended.
        pub west: bool = true;
    }
}

impl Edges {
    /// The weight of the original height at cell `at` of `count` cells between two sides.
    fn along(&self, at: usize, count: usize, sides: [bool; 2]) -> f64 {
        let distances = [at, count - 1 - at];
        let shares = sides.into_iter().zip(distances).map(|(chosen, distance)| {
            if chosen && (distance as f64) <= self.width {
                // The outermost cells are at the level even if the width is 0.
                smooth_step(distance as f64 / self.width.max(1.0))
            } else {
                1.0
            }
        });
        shares.product()
    }
}

impl Apply for Edges {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let FilterContext { region, world, .. } = *context;
        let width = map.width();
        let columns: Vec<f64> = (region.x()..region.x() + width)
            .map(|x| self.along(x, world.width(), [self.west, self.east]))
            .collect();
        Ok(rows::for_each_row(
            map.heights_mut(),
            width,
            progress,
            |y, row| {
                let y = region.y() + y;
                let across = self.along(y, world.height(), [self.north, self.south]);
                for (z, along) in row.iter_mut().zip(&columns) {
                    let share = along * across;
                    if share < 1.0 {
                        *z = finite(self.level + (f64::from(*z) - self.level) * share);
                    }
                }
            },
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Placed
    }

    fn apply_coarsely(
        &self,
        map: &mut Heightmap,
        ratio: usize,
        context: &FilterContext,
        _range: (f32, f32),
        progress: &Progress,
    ) -> Result<Option<Guide>, GenerateError> {
        let coarser = Self {
            width: self.width / ratio as f64,
            ..*self
        };
        coarser.apply(map, context, progress)?;
        Ok(None)
    }
}
