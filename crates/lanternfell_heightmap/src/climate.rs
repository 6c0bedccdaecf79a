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
//! Elevation models of real terrain are different: their [`Location`] has altitudes in meters, and latitudes if they are
//! georeferenced. A hill of 200 m is then 1.3 K colder than the sea, and not as cold as the summit of a high mountain.
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
mod location;
mod moisture;
mod rain;
mod table;
mod temperature;
mod wind;

use serde::{Deserialize, Serialize};

use crate::{GenerateError, Heightmap, Progress};

pub use atlas::BiomeView;
pub use biomes::BiomeMap;
pub use legend::LegendEntry;
pub use location::Location;
pub use moisture::Moisture;
pub use rain::Rain;
pub use table::{Biome, BiomeTable, Niche, TableError};
pub use temperature::Temperature;

/// The parameters that determine the biomes of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Climate {
    /// The height of the sea: see [`is_land`](crate::is_land). Finite and below 1. Default: 0.5.
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
        Location::from(self.sea_level).validate()?;
        self.validate_parts()
    }

    /// Checks everything except the sea level.
    fn validate_parts(&self) -> Result<(), TableError> {
        self.temperature.validate()?;
        self.rain.validate()?;
        self.moisture.validate()?;
        self.table.validate()
    }

    /// The moisture of every cell of `map` in millimeters per year, from rain and from the distance to the shore. It
    /// uses `location`, which is a sea level or a [`Location`], instead of [`Climate::sea_level`].
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn moisture_of(
        &self,
        map: &Heightmap,
        location: impl Into<Location>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let location = location.into();
        let rain = self.rain.of(map, location, &progress.span(0.0, 0.66))?;
        let progress = progress.span(0.66, 1.0);
        self.moisture
            .of(map, location.sea_level(), &rain, &progress)
    }

    /// The biome of every cell of `map`.
    ///
    /// # Errors
    /// If a parameter is out of range, the table is not usable, or the work is canceled.
    pub fn biomes(&self, map: &Heightmap, progress: &Progress) -> Result<BiomeMap, TableError> {
        self.biomes_of(map, self.sea_level, progress)
    }

    /// The biome of every cell of `map`, like [`biomes`](Self::biomes). It uses `location`, which is a sea level or a
    /// [`Location`], instead of [`Climate::sea_level`].
    ///
    /// # Errors
    /// As for [`biomes`](Self::biomes).
    pub fn biomes_of(
        &self,
        map: &Heightmap,
        location: impl Into<Location>,
        progress: &Progress,
    ) -> Result<BiomeMap, TableError> {
        let location = location.into();
        self.validate_parts()?;
        location.validate()?;
        let moisture = self.moisture_of(map, location, &progress.span(0.0, 0.6))?;
        let warmth = self
            .temperature
            .of(map, location, &progress.span(0.6, 0.7))?;
        BiomeMap::new(
            self.table.clone(),
            (map, location.sea_level()),
            &warmth,
            &moisture,
            &progress.span(0.7, 1.0),
        )
    }
}
