//! All commands of the program. Each command has its own module, which does not depend on this one.

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    completions::{self, Completions},
    convert::{self, Convert},
    erode::{self, Erode},
    failure::Failure,
    filter::{self, FilterCommand},
    generate::{self, Generate},
    help::{self, Help},
    info::{self, Info},
    job::Job,
    measure::{self, Measure},
    mesh::{self, Mesh},
    preview::{self, Preview},
    recipe::{self, RecipeCommand},
    render::{self, Render},
    tile::{self, Tile},
};

/// Generates, converts, erodes, measures and renders heightmaps.
#[derive(Debug, Parser)]
#[command(
    name = "lanternfell",
    version,
    max_term_width = 100,
    arg_required_else_help = false,
    disable_help_subcommand = true
)]
#[command(after_help = "Examples:
  lanternfell generate hills --set island=true --seed 7 -o island.png
  lanternfell render island.png -o view.png

Run `lanternfell COMMAND --help` for all options of a command, and `lanternfell help NAME` for the
meaning of a generator, filter, parameter or option.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Number of threads; the result is the same for any number [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Print no progress bar and no summary
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate a heightmap with a generator, preset or recipe
    Generate(Generate),
    /// Render an image of a heightmap, in perspective or from above
    Render(Render),
    /// Apply filters to a heightmap
    Filter(FilterCommand),
    /// Erode a heightmap with rivers, rain, ice, gravity and wind
    Erode(Erode),
    /// Measure each cell (slope, normals, rivers, rain, ...) and write maps or masks
    Measure(Measure),
    /// Write a heightmap as a triangle mesh, for engines or 3D printing
    Mesh(Mesh),
    /// Print statistics of a map
    Info(Info),
    /// Convert a heightmap to another format
    Convert(Convert),
    /// Generate a large world as a folder of tiles; several machines can share the work
    Tile(Tile),
    /// Show a map in the terminal
    Preview(Preview),
    /// Check and show recipes, and list the presets
    Recipe(RecipeCommand),
    /// Print a shell completion script
    Completions(Completions),
    /// Explain a command, generator, filter, preset, parameter or option
    Help(Help),
}

impl Cli {
    /// Runs the command.
    pub(crate) fn run(&self, job: &Job) -> Result<(), Failure> {
        match &self.command {
            Command::Generate(command) => generate::run(command, job),
            Command::Render(command) => render::run(command, job),
            Command::Info(command) => info::run(command, job),
            Command::Filter(command) => filter::run(command, job),
            Command::Erode(command) => erode::run(command, job),
            Command::Measure(command) => measure::run(command, job),
            Command::Mesh(command) => mesh::run(command, job),
            Command::Convert(command) => convert::run(command, job),
            Command::Tile(command) => tile::run(command, job),
            Command::Preview(command) => preview::run(command, job),
            Command::Recipe(command) => recipe::run(command, &mut Self::command()),
            Command::Help(command) => help::run(command, &mut Self::command()),
            Command::Completions(command) => completions::run(command, &mut Self::command()),
        }
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "must be a whole number from 1 to 1024".to_owned())
}
