//! Temperature: it decreases with height and, optionally, towards the north.
//!
//! Rising air cools by about 6.5 K per kilometer (ICAO standard atmosphere). The default difference of 30 K between the
//! sea and height 1 corresponds to mountains of 4.6 km.

use serde::{Deserialize, Serialize};

use super::Elevation;
use crate::{GenerateError, Heightmap, ParamError, Progress, analysis::map_by_rows};

/// The temperature model: annual means in degrees Celsius.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Temperature {
    /// The temperature at sea level, halfway between north and south, in degrees Celsius; from -60 to 60. Default: 22.
    /// Water has this temperature at any depth.
    pub at_sea: f64,
    /// The temperature at height 1, in degrees Celsius; from -100 to 60. Default: -8.
    pub at_top: f64,
    /// How much warmer the southern border is than the northern one, in kelvin; from -100 to 100. Default: 0. A degree
    /// of latitude is about 0.7 K.
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
    /// The cooling of rising air in kelvin per meter. For mountains of a known height in meters, set `at_top` to
    /// `at_sea - LAPSE_RATE * height`.
    pub const LAPSE_RATE: f64 = 0.0065;

    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range("temperature", name, value, min, max);
        check("at_sea", self.at_sea, -60.0, 60.0)?;
        check("at_top", self.at_top, -100.0, 60.0)?;
        check("southwards", self.southwards, -100.0, 100.0)
    }

    /// Computes the temperature of every cell of `map`.
    ///
    /// # Errors
    /// If a parameter or the sea level is out of range, or the work is canceled.
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
