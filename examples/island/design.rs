//! The settings of a generated island: the generator's parameters, and how its map becomes an island.
//!
//! The bare generators fill a square map up to its border, and their hills are smooth. So the design multiplies the map
//! with fine noise and lowers the border below the sea. Both can be turned off in the panel.

use bevy::prelude::*;
use lanternfell::{
    heightmap::{Blend, Filter, Generator, Mask, Scale},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::resize::resize_generator;

/// Width of a generated island in meters, for any number of cells.
pub const SIDE: f32 = 640.0;

/// The rivers of a generated island. On so small an island, rivers with the default settings would be invisible brooks.
/// The discharge is that after days of rain.
pub fn streams() -> InlandWater {
    InlandWater {
        source_area: 8_000.0,
        specific_discharge: 15.0,
        ..default()
    }
}

/// All settings of a generated island.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    pub generator: Generator,
    pub seed: u64,
    /// Cells per side.
    pub cells: u64,
    /// Weight of the fine noise, from 0 to 1.
    pub roughness: f64,
    /// Exponent of the gamma filter that flattens lowland, at least 1.
    pub flatten: f64,
    /// Whether the border is lowered below the sea.
    pub island: bool,
    /// The sea level, from 0 to 1.
    pub sea_level: f32,
    /// Height from the lowest to the highest point, in meters.
    pub relief: f32,
}

impl Design {
    /// Default settings for a generator, by name.
    pub fn of(algorithm: &str) -> Self {
        let base = Self {
            generator: Generator::from_name(algorithm).unwrap_or_default(),
            seed: 7,
            cells: 512,
            roughness: 0.5,
            flatten: 1.0,
            island: true,
            sea_level: 0.06,
            relief: 120.0,
        };
        match &base.generator {
            Generator::Hills(_) => Self {
                generator: Hills {
                    count: 320,
                    radius_min: 10.0,
                    radius_max: 76.0,
                    // With `island`, the hills gather around the center and form a single cone.
                    island: false,
                    bays: 0.0,
                }
                .into(),
                sea_level: 0.10,
                relief: 105.0,
                ..base
            },
            Generator::Faults(faults) => Self {
                generator: Faults {
                    lines: 600,
                    profile: lanternfell::heightmap::Profile::Cosine,
                    width: 40.0,
                    ..faults.clone()
                }
                .into(),
                roughness: 0.25,
                flatten: 1.3,
                sea_level: 0.14,
                relief: 95.0,
                ..base
            },
            Generator::Fluid(fluid) => Self {
                generator: Fluid {
                    passes: 4000,
                    ..fluid.clone()
                }
                .into(),
                roughness: 0.3,
                flatten: 1.2,
                sea_level: 0.22,
                ..base
            },
            Generator::FractalNoise(_) => Self {
                roughness: 0.0,
                flatten: 1.2,
                sea_level: 0.22,
                relief: 95.0,
                ..base
            },
            Generator::RidgedMultifractal(_) => Self {
                roughness: 0.0,
                sea_level: 0.1,
                relief: 130.0,
                ..base
            },
            Generator::Worley(_) => Self {
                roughness: 0.3,
                sea_level: 0.12,
                relief: 80.0,
                ..base
            },
            // It generates its own coast and sea level.
            Generator::RiverDelta(_) => Self {
                roughness: 0.0,
                island: false,
                sea_level: RiverDelta::SEA_LEVEL,
                relief: 60.0,
                ..base
            },
        }
    }

    /// Changes the number of cells, and scales all lengths in cells so that the island keeps its shape.
    pub fn resize(&mut self, cells: u64) {
        resize_generator(&mut self.generator, cells as f64 / self.cells as f64);
        self.cells = cells;
    }

    /// The recipe of the island, which is [`SIDE`] meters wide. `None` if `cells` is not a valid map size.
    pub fn recipe(&self) -> Option<Recipe> {
        let size = MapSize::new(self.cells, self.cells).ok()?;
        let mut recipe = Recipe::new(size, self.seed, self.generator.clone());
        if self.roughness > 0.0 {
            let detail = FractalNoise {
                octaves: 6,
                scale: self.cells as f64 / 5.0,
                lacunarity: 2.1,
                gain: 0.5,
                ..default()
            };
            recipe = recipe.with_layer(detail, Blend::Multiply, self.roughness);
        }
        if self.island {
            recipe = recipe.with_filter(Filter::Island(Mask::Radial));
        }
        // A delta is flat: normalizing would raise its plain to a summit with snow.
        if !matches!(self.generator, Generator::RiverDelta(_)) {
            recipe = recipe.with_filter(Filter::Normalize);
        }
        let scale = Scale {
            spacing: SIDE / (self.cells - 1) as f32,
            relief: self.relief,
        };
        Some(Recipe {
            scale: Some(scale),
            sea_level: Some(self.sea_level),
            ..recipe.with_filter(Filter::Gamma(self.flatten))
        })
    }
}
