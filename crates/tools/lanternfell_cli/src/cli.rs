//! All commands of the program: each is a file of its own, which knows nothing of this one.

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

/// Heightmaps by small algorithms, and pictures of them.
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

`lanternfell COMMAND --help` shows all options of a command, `lanternfell help NAME` what a parameter,
a filter or an option is.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,

    /// On how many threads to work; the result is the same with any number [default: one for
    /// each core]
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// No progress bar and no summary
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a heightmap by a generator or a recipe, and write it
    Generate(Generate),
    /// Draw a picture of a heightmap: in its water, or from above
    Render(Render),
    /// Change a heightmap by filters
    Filter(FilterCommand),
    /// Erode a heightmap by rivers, rain and gravity
    Erode(Erode),
    /// Write what each cell is like: slopes, normals, rivers, rain, masks to be painted by
    Measure(Measure),
    /// Write a heightmap as triangles, for engines or for printing
    Mesh(Mesh),
    /// Tell what a map is like, in numbers
    Info(Info),
    /// Write a heightmap in another format
    Convert(Convert),
    /// Make a world as a folder of tiles, in the memory of one; many machines can share it
    Tile(Tile),
    /// Draw a map in the terminal
    Preview(Preview),
    /// Check and show recipes, and list those that come with the program
    Recipe(RecipeCommand),
    /// Write a script that completes this program's commands in a shell
    Completions(Completions),
    /// Say what a command, a generator, a filter, a parameter or an option is
    Help(Help),
}

impl Cli {
    /// Does what was asked for.
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
