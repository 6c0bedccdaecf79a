//! The climate of a map, as far as the command line says anything of it.

use clap::Args;
use lanternfell_heightmap::{Cover, climate::Climate};

use crate::{failure::Failure, land::Measures};

/// What the weather is like.
#[derive(Debug, Args)]
pub(crate) struct ClimateArgs {
    /// Where the wind that brings the rain comes from: 0 north, 90 east [default: 240]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) wind: Option<f64>,

    /// Degrees Celsius at the sea [default: 22; desert presets 26]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) warmth: Option<f64>,

    /// Millimetres per year that fall at the sea from air full of water [default: 2000; desert
    /// presets 150]
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    pub(crate) rain: Option<f64>,
}

impl ClimateArgs {
    /// What was asked for, or else what suits the land; checked.
    pub(crate) fn of(&self, measures: &Measures) -> Result<Climate, Failure> {
        let climate = match measures.cover() {
            Cover::Temperate => Climate::default(),
            Cover::Desert => Climate::desert(),
        };
        let mut climate = Climate {
            sea_level: measures.sea_level,
            ..climate
        };
        climate.rain.wind_from = self.wind.unwrap_or(climate.rain.wind_from);
        climate.temperature.at_sea = self.warmth.unwrap_or(climate.temperature.at_sea);
        climate.rain.rate = self.rain.unwrap_or(climate.rain.rate);
        climate.validate()?;
        Ok(climate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_tells_the_defaults() {
        let (temperate, desert) = (Climate::default(), Climate::desert());
        let (rain, dry) = (temperate.rain, desert.rain);
        let (warmth, heat) = (temperate.temperature.at_sea, desert.temperature.at_sea);
        let defaults = [
            format!("[default: {}]", rain.wind_from),
            format!("[default: {warmth}; desert presets {heat}]"),
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
