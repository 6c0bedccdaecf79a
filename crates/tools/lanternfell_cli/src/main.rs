//! `lanternfell`: generates, converts, erodes, measures and renders heightmaps on the command line.
//!
//! ```text
//! lanternfell generate hills --set island=true --seed 7 -o island.png
//! lanternfell render island.png -o view.png
//! ```
//!
//! # Modules
//! The commands use the modules below them, which do not depend on any command:
//! - [`cli`]: all commands, as clap parses them.
//! - [`generate`], [`convert`], [`filter`], [`erode`], [`measure`], [`mesh`], [`render`], [`preview`], [`info`],
//!   [`tile`], [`edit`], [`recipe`], [`completions`], [`help`]: the commands, each with its own arguments.
//! - [`change`]: the shared part of commands that write a changed map; [`climate`], [`legend`]: options of commands
//!   that compute biomes.
//! - [`source`]: the name, recipe or file that a command starts from; [`land`]: the map made from it; [`world`],
//!   [`rows`], [`unpacked`], [`stamp`], [`mosaic`]: maps that are read in
//!   parts; [`manifest`]: the manifest of a folder of tiles; [`frame`]:
//!   the frame and sea level that a recipe or range implies.
//! - [`project`]: maps resampled to square cells in meters.
//! - [`edits`]: logs of edits, and how they are applied to maps.
//! - [`read`], [`write`]: read and write maps in files and pipes; [`output`]: a file that is written completely or not
//!   at all; [`path`]: file names.
//! - [`texture`]: textures of meshes.
//! - [`args`]: groups of options that several commands share; [`engine`]: the requirements of game engines;
//!   [`parameters`]: lists of parameters for the help.
//! - [`job`]: the progress bar and Ctrl-C; [`memory`]: refuses work that does not fit into memory.
//! - [`failure`]: all errors, one line each.
//!
//! # Exit codes
//! 0 after success. 2 after an error: one line on standard error describes it, and no file is written. Running out of
//! memory and exceeding the file size limit are errors too. 130 after Ctrl-C.

mod args;
mod change;
mod cli;
mod climate;
mod completions;
mod convert;
mod edit;
mod edits;
mod engine;
mod erode;
mod failure;
mod filter;
mod frame;
mod generate;
mod help;
mod info;
mod job;
mod land;
mod legend;
mod manifest;
mod meaning;
mod measure;
mod memory;
mod mesh;
mod mosaic;
mod output;
mod parameters;
mod path;
mod preview;
mod project;
mod read;
mod recipe;
mod render;
mod rows;
mod source;
mod stamp;
mod texture;
mod tile;
mod unpacked;
mod world;
mod write;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use cli::Cli;
use failure::Failure;
use job::Job;
use lanternfell_files::usage::print_error;
use lanternfell_limits::OrExit;

/// Maps are large: when memory runs out, the program prints an error and removes its temporary files.
#[global_allocator]
static MEMORY: OrExit = OrExit::after(lanternfell_files::remove_temporary_files);

fn main() -> ExitCode {
    lanternfell_limits::report_full_files();
    let words = cli::with_negative_values(std::env::args_os());
    let program = help::tailored(Cli::command(), &words);
    let matches = program.try_get_matches_from(words);
    let arguments = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return lanternfell_files::usage::report(&error, ""),
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Canceled) => {
            print_error("canceled, no file was written");
            ExitCode::from(130)
        }
        Err(failure @ Failure::Stopped(_)) => {
            print_error(&failure.to_string());
            ExitCode::from(130)
        }
        Err(failure) => {
            print_error(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Cli) -> Result<(), Failure> {
    let job = Job::begin(arguments.quiet)?;
    // 0 is one per core. Without this, a failure to start them would be a panic later.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.unwrap_or(0));
    pool.build_global()?;
    arguments.run(&job)
}
