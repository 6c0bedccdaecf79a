//! How warm it is: colder with height, and colder towards the north if wanted.
//!
//! Air that rises cools by about 6.5 K per kilometre (ICAO standard atmosphere). The 30 K
//! between the sea and height 1 that are the default are thus mountains of 4.6 km.

use serde::{Deserialize, Serialize};

use super::Elevation;
use crate::{GenerateError, Heightmap, ParamError, Progress, analysis::map_by_rows};

/// How warm it is, in degrees Celsius, as a mean over the year.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Temperature {
    /// At sea level in the middle between north and south, in degrees Celsius, from -60 to
    /// 60; 22 by default. Water has it everywhere.
    pub at_sea: f64,
    /// At height 1, in degrees Celsius, from -100 to 60; -8 by default.
    pub at_top: f64,
    /// How much warmer the southern border is than the northern, in kelvin, from -100 to
    /// 100; 0 by default. A degree of latitude is about 0.7 K.
    pub southwards: f64,
}

impl Default for Temperature {
    fn default() -> Self {
        Self {
            at_sea: 22.0,
            at_top: -8.0,
            southwards: 0.0,
        }
    }
}

impl Temperature {
    /// What air cools by as it rises, in kelvin per metre: for those who know how high
    /// their mountains are. `at_top` is then `at_sea` less this times the height in metres.
    pub const LAPSE_RATE: f64 = 0.0065;

    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range("temperature", name, value, min, max);
        check("at_sea", self.at_sea, -60.0, 60.0)?;
        check("at_top", self.at_top, -100.0, 60.0)?;
        check("southwards", self.southwards, -100.0, 100.0)
    }

    /// The temperature of every cell of `map`.
    ///
    /// # Errors
    /// When a parameter or the sea level is out of its range, or the work was cancelled.
    pub fn of(
        &self,
        map: &Heightmap,
        sea_level: f32,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        let elevation = Elevation::above(sea_level)?;
        let last = (map.height() - 1) as f64;
        let rise = (self.at_top - self.at_sea) as f32;
        let warmth = map_by_rows(
            map.size(),
            progress,
            || (),
            |(), y, row| {
                let south = y as f64 / last - 0.5;
                let at_sea = (self.at_sea + self.southwards * south) as f32;
                for (cell, &z) in row.iter_mut().zip(map.row(y)) {
                    *cell = at_sea + rise * elevation.of(z);
                }
            },
        )?;
        Ok(warmth)
    }
}
