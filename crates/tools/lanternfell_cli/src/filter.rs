//! `lanternfell filter`: applies filters to a map, one after the other.

use clap::Args;
use lanternfell_heightmap::Filter;

use crate::{
    change::{self, ChangeArgs},
    failure::Failure,
    job::Job,
    parameters,
};

/// `lanternfell filter`.
#[derive(Debug, Args)]
#[command(
    after_help = format!("{WRITTEN} Filters (--help lists their parameters):\n  {}\n\n{EXAMPLES}",
        Filter::NAMES.join(", ")),
    after_long_help = format!("{WRITTEN}\n{}\n{EXAMPLES}", parameters::of_filters())
)]
pub(crate) struct FilterCommand {
    #[command(flatten)]
    change: ChangeArgs,

    /// A filter to apply. May be repeated; filters are applied in this order
    #[arg(long, value_name = "FILTER", required = true, value_parser = filter)]
    by: Vec<Filter>,

    /// Seed of the filters' random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    filter_seed: u64,
}

const WRITTEN: &str = "Filters are written as in a recipe: the name, followed by the \
parameters in parentheses, or by the value if there is only one. Parameters may be omitted: \
'Terrace((levels: 12))', 'Gamma(1.5)'. A name alone (terrace or Terrace) uses the defaults.";

const EXAMPLES: &str = "Examples:
  lanternfell filter island.png --by invert -o hollow.png
  lanternfell filter dem.tif --by Normalize --by 'Smooth(Gaussian(2.5))' -o soft.tif
  lanternfell filter island.png --by 'Terrace((levels: 8))' -o steps.png
  lanternfell filter flat.png --by 'Dig((path: [(0, 0.2), (1, 0.8)], depth: (0.1, 0.2)))' -o bed.png";

pub(crate) fn run(command: &FilterCommand, job: &Job) -> Result<(), Failure> {
    change::run(&command.change, &command.by, command.filter_seed, job)
}

fn filter(text: &str) -> Result<Filter, String> {
    if let Some(filter) = Filter::from_name(text) {
        return Ok(filter);
    }
    // The name alone, as it is written in recipes.
    let mut described = Filter::DESCRIBED.iter();
    if let Some(named) = described.find(|known| parameters::written(known.name) == text) {
        return Filter::from_name(named.name).ok_or_else(|| text.to_owned());
    }
    Filter::from_ron(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_filters_by_name_and_as_ron() {
        for name in Filter::NAMES {
            let default = filter(name).unwrap();
            assert_eq!(default.name(), name);
            assert_eq!(filter(&parameters::written(name)), Ok(default.clone()));
            let written = ron::to_string(&default).unwrap();
            assert_eq!(filter(&written), Ok(default), "{written}");
        }
        assert!(filter("Pile(3)").is_err());
    }

    #[test]
    fn examples_are_valid_filters() {
        for example in EXAMPLES.lines().filter(|line| line.contains("--by")) {
            for by in example.split("--by ").skip(1) {
                let text = match by.strip_prefix('\'') {
                    Some(quoted) => quoted.split('\'').next(),
                    None => by.split(' ').next(),
                };
                assert!(filter(text.unwrap()).is_ok(), "{example}");
            }
        }
    }
}
