//! `lanternfell erode`: erodes a map with water, ice, gravity and wind.

use clap::Args;
use lanternfell_heightmap::{
    Filter,
    erosion::{GlacialErosion, HydraulicErosion, StreamPowerErosion, ThermalErosion, WindErosion},
};

use crate::{
    change::{self, ChangeArgs},
    failure::Failure,
    job::Job,
    parameters,
};

/// `lanternfell erode`.
#[derive(Debug, Args)]
#[command(
    after_help = format!("{ORDER} --help lists them.\n\n{EXAMPLES}"),
    after_long_help = format!("{ORDER}\n{}\n{EXAMPLES}", parameters::of_erosions())
)]
pub(crate) struct Erode {
    #[command(flatten)]
    change: ChangeArgs,

    /// Cut valleys with rivers; the strength, from 0 to 1
    #[arg(long, value_name = "STRENGTH", allow_negative_numbers = true)]
    rivers: Option<f64>,

    /// Height of the sea that rivers flow into [default: rivers flow over the edge of the map]
    #[arg(
        long,
        value_name = "Z",
        allow_negative_numbers = true,
        requires = "rivers"
    )]
    river_sea: Option<f32>,

    /// Erode with raindrops that run downhill; the number of drops per cell
    #[arg(long, value_name = "DENSITY", allow_negative_numbers = true)]
    droplets: Option<f64>,

    /// Let material slide from slopes steeper than this angle
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    talus: Option<f64>,

    /// Carve glacial troughs; the depth of the largest one in meters
    #[arg(long, value_name = "METERS", allow_negative_numbers = true)]
    ice: Option<f64>,

    /// Height above which more snow falls than melts, in the map's own heights [default: 0.5, also for maps in meters]
    #[arg(
        long,
        value_name = "Z",
        allow_negative_numbers = true,
        requires = "ice"
    )]
    snow_line: Option<f64>,

    /// Width of a trough at its top in meters, where it is as deep as --ice [default: 4 times --ice]
    #[arg(
        long,
        value_name = "METERS",
        allow_negative_numbers = true,
        requires = "ice"
    )]
    trough: Option<f64>,

    /// Blow sand into dunes; the number of steps
    #[arg(long, value_name = "STEPS")]
    wind: Option<u32>,

    /// Direction that the wind comes from: 0 north, 90 east [default: 270]
    #[arg(
        long,
        value_name = "DEGREES",
        allow_negative_numbers = true,
        requires = "wind"
    )]
    wind_from: Option<f64>,

    /// Initial thickness of the sand in meters [default: 3]
    #[arg(
        long,
        value_name = "METERS",
        allow_negative_numbers = true,
        requires = "wind"
    )]
    sand: Option<f64>,

    /// Seed of the random numbers of droplets and wind
    #[arg(long, value_name = "N", default_value_t = 0)]
    erosion_seed: u64,
}

const ORDER: &str = "The order is always rivers, ice, droplets, talus, wind. Without any of these options, droplets and
talus run with their defaults. For droplets, the last line shows how much material was eroded,
deposited and carried over the edge of the map. Slopes depend on --spacing and --relief.
`lanternfell filter` has more parameters for each erosion:";

const EXAMPLES: &str = "Examples:
  lanternfell erode island.png -o eroded.png
  lanternfell erode hills --size 1024 --rivers 0.6 --droplets 0.5 --talus 35 -o alps.tif
  lanternfell erode dem.tif --ice 200 --snow-line 2600 -o fjords.tif
  lanternfell erode hills --spacing 2 --wind 400 --wind-from 250 --sand 4 -o dunes.tif";

pub(crate) fn run(command: &Erode, job: &Job) -> Result<(), Failure> {
    change::run(
        &command.change,
        &command.filters(),
        command.erosion_seed,
        job,
    )
}

/// The ratio of a trough's width to its depth: the library's default, and the middle of the range that Graf (1970)
/// measured.
const WIDER: f64 = 4.0;

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
        let ice = self.ice.map(|depth| {
            let default = GlacialErosion::default();
            Filter::GlacialErosion(GlacialErosion {
                depth,
                equilibrium_line: self.snow_line.unwrap_or(default.equilibrium_line),
                width: self.trough.unwrap_or((WIDER * depth).max(1.0)),
                ..default
            })
        });
        let wind = self.wind.map(|steps| {
            let default = WindErosion::default();
            Filter::WindErosion(WindErosion {
                steps,
                wind_from: self.wind_from.unwrap_or(default.wind_from),
                sand: self.sand.unwrap_or(default.sand),
                ..default
            })
        });
        let order = [rivers, ice, droplets, talus, wind];
        let asked: Vec<Filter> = order.into_iter().flatten().collect();
        if !asked.is_empty() {
            return asked;
        }
        vec![
            Filter::HydraulicErosion(HydraulicErosion::default()),
            Filter::ThermalErosion(ThermalErosion::default()),
        ]
    }
}
