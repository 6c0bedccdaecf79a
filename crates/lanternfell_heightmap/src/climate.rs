//! Climate: temperature, rain, moisture, and the biomes that follow from them.
//!
//! ```text
//!   heights ──► Temperature ────────────────┐
//!      │                                    ├──► BiomeTable ──► BiomeMap ──► an image
//!      └──────► Rain ──► Moisture ──────────┘
//! ```
//!
//! The islands of a game are a few hundred meters wide, but a climate needs mountains that are kilometers wide. So
//! nothing here uses the meters of the map's [`Scale`](crate::Scale). The parameters set how cold height 1 is and how
//! much rain it catches, and distances are measured in lengths of the map's longer side. The result does not depend on
//! the number of cells.
//!
//! Temperatures are annual means in degrees Celsius, and rain is in millimeters per year. These are the axes of
//! Whittaker's diagram of biomes.
//!
//! ```
//! use lanternfell_heightmap::{FractalNoise, MapSize, Progress, climate::Climate};
//!
//! let progress = Progress::default();
//! let map = FractalNoise::default().generate(MapSize::new(128, 128)?, 7, &progress)?;
//! let biomes = Climate::default().biomes(&map, &progress)?;
//! println!("In the middle: {}", biomes.name(64, 64));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atlas;
mod biomes;
mod legend;
mod moisture;
mod rain;
mod table;
mod temperature;
mod wind;

use serde::{Deserialize, Serialize};

use crate::{GenerateError, Heightmap, ParamError, Progress};

pub use atlas::BiomeView;
pub use biomes::BiomeMap;
pub use legend::LegendEntry;
pub use moisture::Moisture;
pub use rain::Rain;
pub use table::{Biome, BiomeTable, Niche, TableError};
pub use temperature::Temperature;

/// The parameters that determine the biomes of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Climate {
    /// Cells strictly above this height are land. Finite and below 1. Default: 0.5.
    pub sea_level: f32,
    /// The temperature model.
    pub temperature: Temperature,
    /// The rain model.
    pub rain: Rain,
    /// The soil moisture model.
    pub moisture: Moisture,
    /// The biome of each temperature and moisture.
    pub table: BiomeTable,
}

impl Default for Climate {
    fn default() -> Self {
        Self {
            sea_level: 0.5,
            temperature: Temperature::default(),
            rain: Rain::default(),
            moisture: Moisture::default(),
            table: BiomeTable::default(),
        }
    }
}

impl Climate {
    /// A hot desert: warm even at high altitude, with hardly any rain.
    pub fn desert() -> Self {
        Self {
            temperature: Temperature {
                at_sea: 26.0,
                at_top: 14.0,
                ..Temperature::default()
            },
            rain: Rain {
                rate: 150.0,
                ..Rain::default()
            },
            ..Self::default()
        }
    }

    /// Checks every parameter and the table.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, or the problem in the table.
    pub fn validate(&self) -> Result<(), TableError> {
        Elevation::above(self.sea_level)?;
        self.temperature.validate()?;
        self.rain.validate()?;
        self.moisture.validate()?;
        self.table.validate()
    }

    /// The moisture of every cell of `map` in millimeters per year, from rain and from the distance to the shore. It
    /// uses `sea_level` instead of [`Climate::sea_level`].
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn moisture_of(
        &self,
        map: &Heightmap,
        sea_level: f32,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let rain = self.rain.of(map, sea_level, &progress.span(0.0, 0.66))?;
        let progress = progress.span(0.66, 1.0);
        self.moisture.of(map, sea_level, &rain, &progress)
    }

    /// The biome of every cell of `map`.
    ///
    /// # Errors
    /// If a parameter is out of range, the table is not usable, or the work is canceled.
    pub fn biomes(&self, map: &Heightmap, progress: &Progress) -> Result<BiomeMap, TableError> {
        self.validate()?;
        let sea_level = self.sea_level;
        let moisture = self.moisture_of(map, sea_level, &progress.span(0.0, 0.6))?;
        let warmth = self
            .temperature
            .of(map, sea_level, &progress.span(0.6, 0.7))?;
        BiomeMap::new(
            self.table.clone(),
            (map, sea_level),
            &warmth,
            &moisture,
            &progress.span(0.7, 1.0),
        )
    }
}

/// Converts heights to elevation: 0 at the sea level and below, 1 at height 1.
#[derive(Debug, Clone, Copy)]
struct Elevation {
    sea_level: f32,
    per_height: f32,
}

impl Elevation {
    /// The highest elevation. Higher terrain is clamped to it, so that no result becomes infinite.
    const MOST: f32 = 8.0;

    /// Elevations above this sea level, which must be finite and below 1.
    fn above(sea_level: f32) -> Result<Self, ParamError> {
        let fine = sea_level.is_finite() && sea_level < 1.0;
        let value = ParamError::shortest(sea_level);
        ParamError::check(fine, "climate", "sea_level", value, "finite and below 1")?;
        let per_height = 1.0 / (1.0 - sea_level);
        Ok(Self {
            sea_level,
            per_height,
        })
    }

    fn of(self, height: f32) -> f32 {
        ((height - self.sea_level) * self.per_height).clamp(0.0, Self::MOST)
    }
}
