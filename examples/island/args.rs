//! The command line: what to show, from where, at which hour.

use clap::{Parser, builder::PossibleValuesParser};
use lanternfell::{
    headless::{HeadlessArgs, parse_or_exit},
    heightmap::Generator,
};

use crate::{
    design::{Design, SIZES},
    sky::TimeOfDay,
    view::StartView,
};

/// What the command line asks for.
#[derive(Parser)]
pub struct IslandArgs {
    #[command(flatten)]
    pub headless: HeadlessArgs,

    /// What makes the land
    #[arg(long, value_name = "NAME", value_parser = algorithm(), default_value = "hills")]
    algorithm: String,

    /// Which island
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Cells along each side: 128, 256, 512, 1024 or 2048
    #[arg(long, value_name = "N", value_parser = cells, allow_negative_numbers = true)]
    cells: Option<u64>,

    /// The time of day, from 0 to 24
    #[arg(long, value_name = "H", value_parser = hour, allow_negative_numbers = true)]
    hour: Option<f32>,

    /// air, shore or walk
    #[arg(long, value_name = "NAME", value_parser = view, default_value = "air")]
    pub view: StartView,

    /// Neither panel nor help line
    #[arg(long)]
    pub bare: bool,
}

impl IslandArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        parse_or_exit()
    }

    pub fn design(&self) -> Design {
        let mut design = Design::of(&self.algorithm);
        design.seed = self.seed.unwrap_or(design.seed);
        design.resize(self.cells.unwrap_or(design.cells));
        design
    }

    pub fn time_of_day(&self) -> TimeOfDay {
        let mut time = TimeOfDay::default();
        time.hour = self.hour.unwrap_or(time.hour);
        time
    }
}

fn algorithm() -> PossibleValuesParser {
    PossibleValuesParser::new(Generator::NAMES)
}

fn seed(value: &str) -> Result<u64, &'static str> {
    value.parse().map_err(|_| "must be a whole number")
}

fn cells(value: &str) -> Result<u64, &'static str> {
    let cells = value.parse().ok().filter(|cells| SIZES.contains(cells));
    cells.ok_or("must be 128, 256, 512, 1024 or 2048")
}

fn hour(value: &str) -> Result<f32, &'static str> {
    let hour = value.parse().ok();
    hour.filter(|hour| (0.0..=24.0).contains(hour))
        .ok_or("must be from 0 to 24")
}

fn view(name: &str) -> Result<StartView, &'static str> {
    StartView::from_name(name).ok_or("must be air, shore or walk")
}
