//! All commands of the program. Each command has its own module, which does not depend on this one.

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    completions::{self, Completions},
    convert::{self, Convert},
    edit::{self, Edit},
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
    /// Write a large world or a heightmap file as a folder of tiles; several machines can share the work
    Tile(Tile),
    /// List, change and apply logs of edits, which dig, build and make holes on top of a map
    Edit(Edit),
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
            Command::Edit(command) => edit::run(command, job, &mut Self::command()),
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

/// Joins each option with a following word that starts like a negative number: `--size -1x5` becomes `--size=-1x5`.
///
/// clap would take such a word for an unknown option. Now the error is that of the option, which names the allowed
/// values.
pub(crate) fn with_negative_values(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let starts_negative = |word: &str| {
        let rest = word.strip_prefix('-');
        rest.is_some_and(|rest| {
            rest.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        })
    };
    let is_option = |word: &str| word.len() > 2 && word.starts_with("--") && !word.contains('=');
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        let is_value = word.to_str().is_some_and(starts_negative);
        match joined.last_mut() {
            Some(option) if is_value && option.to_str().is_some_and(is_option) => {
                option.push("=");
                option.push(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_options_with_negative_values() {
        let joined = |words: &str| {
            let words = words.split(' ').map(OsString::from);
            let words = with_negative_values(words).into_iter();
            words
                .map(|word| word.into_string().unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            joined("lanternfell info a.r16 --size -1x5 --sea-level -.5 -o -1.png"),
            "lanternfell info a.r16 --size=-1x5 --sea-level=-.5 -o -1.png"
        );
        for same in [
            "a --size 3 -1",
            "a -- -1",
            "a --size=3 -1",
            "a --out -",
            "a --quiet -q",
        ] {
            assert_eq!(joined(same), same);
        }
    }
}
