//! An island by one of the generators: its parameters, and how its map becomes an island.
//!
//! The bare algorithms of the articles fill a square to its border, and their hills are as
//! smooth as glass. So the design lays a layer of fine simplex noise over the ground and
//! lowers the border under the sea; both are sliders, down to nothing.

use bevy::prelude::*;
use lanternfell::prelude::*;
use serde::{Deserialize, Serialize};

use crate::resize::resize_generator;

/// Metres from one side of the island's map to the other, whatever its cells.
pub const SIDE: f32 = 640.0;

/// The rivers of so small an island, after days of rain: else they would be brooks that nobody sees from the air.
pub fn streams() -> InlandWater {
    InlandWater {
        source_area: 8_000.0,
        specific_discharge: 15.0,
        ..default()
    }
}

/// Everything that shapes the island.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    pub generator: Generator,
    pub seed: u64,
    /// Cells along each side.
    pub cells: u64,
    /// How much fine noise is laid over the ground, from 0 to 1.
    pub roughness: f64,
    /// The power of the flattening, from 1.
    pub flatten: f64,
    /// Whether the border is lowered under the sea.
    pub island: bool,
    /// The sea's surface, from 0 to 1.
    pub sea_level: f32,
    /// Metres from the lowest to the highest point.
    pub relief: f32,
}

impl Design {
    /// The design of this algorithm that looks good from the start.
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
                    // The hills of an `island` crowd around the middle and pile up into one cone.
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
            // It has its own coast and sea.
            Generator::RiverDelta(_) => Self {
                roughness: 0.0,
                island: false,
                sea_level: RiverDelta::SEA_LEVEL,
                relief: 60.0,
                ..base
            },
        }
    }

    /// Changes the number of cells. Lengths in cells change with it, so that the island
    /// keeps its shape.
    pub fn resize(&mut self, cells: u64) {
        resize_generator(&mut self.generator, cells as f64 / self.cells as f64);
        self.cells = cells;
    }

    /// The recipe of the island, always [`SIDE`] metres across.
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
        // A delta is no higher than it is: stretched, its plain would be a summit with snow.
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
