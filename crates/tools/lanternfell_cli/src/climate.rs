//! Climate options on the command line.

use clap::Args;
use lanternfell_heightmap::{
    LandCover,
    climate::{Climate, Location},
};

use crate::{failure::Failure, land::Measures};

/// The climate of a map.
#[derive(Debug, Args)]
pub(crate) struct ClimateArgs {
    /// Direction that the rain-bearing wind comes from: 0 north, 90 east [default: 240]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) wind: Option<f64>,

    /// Temperature at sea level in degrees Celsius [default: 22; desert presets 26; from the latitude for georeferenced
    /// maps in meters]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) warmth: Option<f64>,

    /// Rain at sea level from saturated air, in millimeters per year [default: 2000; desert presets 150]
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    pub(crate) rain: Option<f64>,
}

impl ClimateArgs {
    /// Returns the climate. Options override the default of the map's land cover. Returns an error if a value or the sea
    /// level is outside its range.
    pub(crate) fn of(&self, measures: &Measures) -> Result<Climate, Failure> {
        let mut climate = match measures.cover() {
            LandCover::Temperate => Climate::default(),
            LandCover::Desert => Climate::desert(),
        };
        climate.rain.wind_from = self.wind.unwrap_or(climate.rain.wind_from);
        climate.temperature.at_sea = self.warmth.unwrap_or(climate.temperature.at_sea);
        climate.rain.rate = self.rain.unwrap_or(climate.rain.rate);
        climate.validate()?;
        self.location(measures).validate()?;
        Ok(climate)
    }

    /// Returns what the climate of the map depends on. A temperature from the user replaces that of the latitude.
    pub(crate) fn location(&self, measures: &Measures) -> Location {
        let location = measures.location();
        match self.warmth {
            Some(_) => location.without_latitudes(),
            None => location,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_contains_defaults() {
        let (temperate, desert) = (Climate::default(), Climate::desert());
        let (rain, dry) = (temperate.rain, desert.rain);
        let (warmth, heat) = (temperate.temperature.at_sea, desert.temperature.at_sea);
        let defaults = [
            format!("[default: {}]", rain.wind_from),
            format!("[default: {warmth}; desert presets {heat};"),
            format!("[default: {}; desert presets {}]", rain.rate, dry.rate),
        ];
        let mut command = ClimateArgs::augment_args(clap::Command::new("any"));
        let help = command.render_long_help().to_string();
        let help: Vec<&str> = help.split_whitespace().collect();
        for default in &defaults {
            assert!(help.join(" ").contains(default), "{default}");
        }
    }
}
