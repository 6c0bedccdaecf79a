//! `lanternfell filter`: changes a map by filters, one after the other.

use clap::Args;
use lanternfell_heightmap::Filter;

use crate::{
    change::{self, ChangeArgs},
    failure::Failure,
    job::Job,
};

/// `lanternfell filter`.
#[derive(Debug, Args)]
#[command(
    after_help = "Filters are written as in a recipe: the name, and in parentheses the \
parameters, of which any may be left out:
  Normalize, Invert, Gamma(2), Turbulence(0.5), Seamless(0.2), Island(Radial)
  Stretch((low: 2, high: 98)), Clamp((min: 0.2, max: 0.8)), Linear((scale: 0.5, offset: 0.25))
  Curve([(0, 0), (0.5, 0.2), (1, 1)]), Terrace((levels: 8, sharpness: 0.8))
  Smooth(Gaussian(2.5)), Smooth(Box(4)), Smooth(Median(3)), Smooth(Conservative(2))
  Sharpen((sigma: 2, amount: 1)), Kernel((weights: [0, 1, 0, 1, 4, 1, 0, 1, 0]))
  Warp((scale: 80, distance: 20)), Edges((width: 40)), Shape((radius: 0.1, falloff: 0.2))
  Mound((at: (0.5, 0.5), height: 0.4)), Dig((path: [(0, 0.2), (1, 0.8)], depth: (0.1, 0.2)))
  HydraulicErosion(()), ThermalErosion((angle: 35)), StreamPowerErosion((strength: 0.6))

Examples:
  lanternfell filter island.png --by Invert -o hollow.png
  lanternfell filter dem.tif --by Normalize --by 'Smooth(Gaussian(2.5))' -o soft.tif
  lanternfell filter island.png --by 'Terrace((levels: 8))' -o steps.png"
)]
pub(crate) struct FilterCommand {
    #[command(flatten)]
    change: ChangeArgs,

    /// A filter; may be repeated, and they are applied in this order
    #[arg(long, value_name = "FILTER", required = true, value_parser = filter)]
    by: Vec<Filter>,

    /// What the filters' random numbers come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    filter_seed: u64,
}

pub(crate) fn run(command: &FilterCommand, job: &Job) -> Result<(), Failure> {
    change::run(&command.change, &command.by, command.filter_seed, job)
}

fn filter(text: &str) -> Result<Filter, String> {
    Filter::from_ron(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_is_in_the_help_as_it_is_written() {
        let mut command = FilterCommand::augment_args(clap::Command::new("filter"));
        let help = command.render_long_help().to_string();
        let (_, list) = help.split_once("may be left out:").unwrap();
        let (list, _) = list.split_once("Examples").unwrap();
        // The commas between filters, not those within.
        let (mut depth, mut written) = (0, vec![String::new()]);
        for letter in list.chars() {
            depth += i32::from("([".contains(letter)) - i32::from(")]".contains(letter));
            match letter {
                ',' | '\n' if depth == 0 => written.push(String::new()),
                letter => written.last_mut().unwrap().push(letter),
            }
        }
        let written = written.iter().map(|text| text.trim());
        let written: Vec<&str> = written.filter(|text| !text.is_empty()).collect();
        let read = |text: &&str| filter(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let read: Vec<Filter> = written.iter().map(read).collect();
        for name in Filter::NAMES {
            assert!(read.iter().any(|filter| filter.name() == name), "{name}");
        }
    }
}
