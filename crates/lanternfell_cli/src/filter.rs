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
  Normalise, Invert, Flatten(2), Turbulence(0.5), Seamless(0.2), Island(Radial)
  Stretch((low: 2, high: 98)), Clamp((min: 0.2, max: 0.8)), Linear((scale: 0.5, offset: 0.25))
  Curve([(0, 0), (0.5, 0.2), (1, 1)]), Terrace((levels: 8, sharpness: 0.8))
  Smooth(Gaussian(2.5)), Smooth(Box(4)), Smooth(Median(3)), Smooth(Conservative(2))
  Sharpen((sigma: 2, amount: 1)), Warp((scale: 80, distance: 20)), Edges((width: 40))
  Droplets(()), Talus((angle: 35)), Fluvial((strength: 0.6))

Examples:
  lanternfell filter island.png --by Invert -o hollow.png
  lanternfell filter dem.tif --by Normalise --by 'Smooth(Gaussian(2.5))' -o soft.tif
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
