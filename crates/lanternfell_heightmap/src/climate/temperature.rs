//! Temperature: it decreases with height and, optionally, towards the north.
//!
//! Rising air cools by about 6.5 K per kilometer (ICAO standard atmosphere). The default difference of 30 K between the
//! sea and height 1 corresponds to mountains of 4.6 km. On a map in meters, the difference follows from the altitude,
//! and on a map with latitudes, the temperature at the sea follows from them: see [`Location`].

use serde::{Deserialize, Serialize};

use super::Location;
use crate::{GenerateError, Heightmap, ParamError, Progress, analysis::map_by_rows};

/// The temperature model: annual means in degrees Celsius.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Temperature {
    /// The temperature at sea level, halfway between north and south, in degrees Celsius; from -60 to 60. Default: 22.
    /// Water has this temperature at any depth. It is not used if the [`Location`] has latitudes.
    pub at_sea: f64,
    /// The temperature at height 1, in degrees Celsius; from -100 to 60. Default: -8. It is not used if the [`Location`]
    /// is in meters.
    pub at_top: f64,
    /// How much warmer the southern border is than the northern one, in kelvin; from -100 to 100. Default: 0. A degree
    /// of latitude is about 0.7 K. It is not used if the [`Location`] has latitudes.
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
    /// The cooling of rising air in kelvin per meter. On maps in meters, it replaces `at_top`: see [`Location`].
    pub const LAPSE_RATE: f64 = 0.0065;

    /// The altitude of height 1 in meters for which the defaults are chosen.
    pub(super) const MOUNTAINS: f64 = 30.0 / Self::LAPSE_RATE;

    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range("temperature", name, value, min, max);
        check("at_sea", self.at_sea, -60.0, 60.0)?;
        check("at_top", self.at_top, -100.0, 60.0)?;
        check("southwards", self.southwards, -100.0, 100.0)
    }

    /// Computes the temperature of every cell of `map`. `location` is a sea level, or a [`Location`].
    ///
    /// # Errors
    /// If a parameter or the sea level is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        location: impl Into<Location>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        let location = location.into();
        location.validate()?;
        let last = (map.height() - 1) as f64;
        let rise = (self.at_top - self.at_sea) as f32;
        let warmth = map_by_rows(
            map.size(),
            progress,
            || (),
            |(), y, row| {
                let south = y as f64 / last - 0.5;
                let at_sea = || self.at_sea + self.southwards * south;
                let at_sea = location.warmth(y).unwrap_or_else(at_sea);
                for (cell, &z) in row.iter_mut().zip(map.row(y)) {
                    *cell = match location.altitude(z) {
                        Some(meters) => (at_sea - Self::LAPSE_RATE * meters) as f32,
                        None => at_sea as f32 + rise * location.share(z),
                    };
                }
            },
        )?;
        Ok(warmth)
    }
}
