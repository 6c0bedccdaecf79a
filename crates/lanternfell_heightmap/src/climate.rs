//! How warm and how wet a map is, and what would grow there.
//!
//! ```text
//!   heights ──► Temperature ────────────────┐
//!      │                                    ├──► BiomeTable ──► BiomeMap ──► a picture
//!      └──────► Rain ──► Moisture ──────────┘
//! ```
//!
//! A game's island is a few hundred metres wide; a climate needs mountains of kilometres.
//! So nothing here is in metres of the map's [`Scale`](crate::Scale): height 1 is as cold
//! and catches as much rain as the parameters say, and distances are in lengths of the
//! map's longer side. The result of a map does not depend on how many cells it has.
//!
//! Temperatures are means over the year in degrees Celsius, rain is in millimetres per
//! year: what Whittaker's diagram of biomes has on its axes.
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

/// Everything that decides which biomes a map has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Climate {
    /// Cells strictly above this height are land; finite and below 1; 0.5 by default.
    pub sea_level: f32,
    /// How warm it is.
    pub temperature: Temperature,
    /// How much it rains.
    pub rain: Rain,
    /// How wet the ground is.
    pub moisture: Moisture,
    /// What grows where.
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
    /// The climate of a hot desert: warm even high up, and with hardly any rain.
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
    /// Names the first parameter outside its range, or what is wrong with the table.
    pub fn validate(&self) -> Result<(), TableError> {
        Elevation::above(self.sea_level)?;
        self.temperature.validate()?;
        self.rain.validate()?;
        self.moisture.validate()?;
        self.table.validate()
    }

    /// The moisture of every cell of `map`, above that sea level, in millimetres per year: by rain, and near the shore.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
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
    /// When a parameter is out of its range or the table can not be used, or the work was
    /// cancelled.
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

/// How far above the sea heights are: 0 at the sea and below, 1 at height 1.
#[derive(Debug, Clone, Copy)]
struct Elevation {
    sea_level: f32,
    per_height: f32,
}

impl Elevation {
    /// Higher land counts as this high, so that nothing becomes infinite.
    const MOST: f32 = 8.0;

    /// Above this sea level, which must be finite and below 1.
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
