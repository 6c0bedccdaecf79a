//! `lanternfell erode`: what water and gravity do to a map.

use clap::Args;
use lanternfell_heightmap::{
    Filter,
    erosion::{HydraulicErosion, StreamPowerErosion, ThermalErosion},
};

use crate::{
    change::{self, ChangeArgs},
    failure::Failure,
    job::Job,
};

/// `lanternfell erode`.
#[derive(Debug, Args)]
#[command(
    after_help = "In this order, whatever the order of the options: rivers, droplets, talus. \
Without any of them: droplets and talus by their defaults. How steep the land is follows from \
--spacing and --relief. `lanternfell filter` has more parameters of each.

Examples:
  lanternfell erode island.png -o eroded.png
  lanternfell erode hills --size 1024 --rivers 0.6 --droplets 0.5 --talus 35 -o alps.tif"
)]
pub(crate) struct Erode {
    #[command(flatten)]
    change: ChangeArgs,

    /// Rivers cut valleys: how much, from 0 to 1
    #[arg(long, value_name = "STRENGTH", allow_negative_numbers = true)]
    rivers: Option<f64>,

    /// The height of the sea that rivers run to [default: the border]
    #[arg(
        long,
        value_name = "Z",
        allow_negative_numbers = true,
        requires = "rivers"
    )]
    river_sea: Option<f32>,

    /// Drops of rain run downhill, take ground up and lay it down: how many for each cell
    #[arg(long, value_name = "DENSITY", allow_negative_numbers = true)]
    droplets: Option<f64>,

    /// Ground slides that is steeper than this angle
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    talus: Option<f64>,

    /// What the droplets' random numbers come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    erosion_seed: u64,
}

pub(crate) fn run(command: &Erode, job: &Job) -> Result<(), Failure> {
    change::run(
        &command.change,
        &command.filters(),
        command.erosion_seed,
        job,
    )
}

impl Erode {
    fn filters(&self) -> Vec<Filter> {
        let rivers = self.rivers.map(|strength| {
            Filter::StreamPowerErosion(StreamPowerErosion {
                strength,
                sea_level: self.river_sea,
                ..StreamPowerErosion::default()
            })
        });
        let droplets = self.droplets.map(|density| {
            Filter::HydraulicErosion(HydraulicErosion {
                density,
                ..HydraulicErosion::default()
            })
        });
        let talus = self.talus.map(|angle| {
            Filter::ThermalErosion(ThermalErosion {
                angle,
                ..ThermalErosion::default()
            })
        });
        let asked: Vec<Filter> = [rivers, droplets, talus].into_iter().flatten().collect();
        if !asked.is_empty() {
            return asked;
        }
        vec![
            Filter::HydraulicErosion(HydraulicErosion::default()),
            Filter::ThermalErosion(ThermalErosion::default()),
        ]
    }
}
