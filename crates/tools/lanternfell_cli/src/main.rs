//! `lanternfell`: heightmaps and pictures of them, from the command line.
//!
//! ```text
//! lanternfell generate hills --set island=true --seed 7 -o island.png
//! lanternfell render island.png -o view.png
//! ```
//!
//! # How it is built
//! Each part uses those below it, never those above:
//! - [`cli`]: all commands, as clap reads them.
//! - [`generate`], [`convert`], [`filter`], [`erode`], [`measure`], [`mesh`], [`render`],
//!   [`preview`], [`info`], [`tile`], [`recipe`], [`completions`], [`help`]: the commands, each with its own
//!   arguments.
//! - [`change`]: what those have in common that write a changed map; [`climate`]: those that know
//!   the weather.
//! - [`source`]: the name, recipe or file that a command starts from; [`land`]: the map that it
//!   becomes; [`world`], [`rows`]: maps that are read in parts; [`manifest`]: what a folder of tiles contains;
//!   [`frame`]: the frame and sea level that a recipe or range implies.
//! - [`read`], [`write`]: maps from files and pipes, and into them; [`output`]: a file that is
//!   written whole or not at all; [`path`]: the names of files.
//! - [`args`]: groups of options that several commands have; [`engine`]: what game engines expect.
//! - [`job`]: the progress bar, and Ctrl-C.
//! - [`failure`]: everything that can go wrong, one line each.
//!
//! # Exit codes
//! 0 when the file was written, 2 when something was wrong (one line on standard error
//! says what, and nothing was written; also where there is no memory, or a file may not get so
//! large), 130 after Ctrl-C.

mod args;
mod change;
mod cli;
mod climate;
mod completions;
mod convert;
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
mod measure;
mod mesh;
mod output;
mod parameters;
mod path;
mod preview;
mod read;
mod recipe;
mod render;
mod rows;
mod source;
mod tile;
mod unpacked;
mod world;
mod write;

use std::{ffi::OsString, process::ExitCode};

use clap::{CommandFactory, FromArgMatches};

use cli::Cli;
use failure::Failure;
use job::Job;
use lanternfell_files::usage::say_wrong;
use lanternfell_limits::OrExit;

/// Maps are large: where there is no memory for one, the program says so and leaves nothing.
#[global_allocator]
static MEMORY: OrExit = OrExit::after(output::abandon_at_once);

fn main() -> ExitCode {
    lanternfell_limits::report_full_files();
    let words: Vec<OsString> = std::env::args_os().collect();
    let program = help::tailored(Cli::command(), &words);
    let matches = program.try_get_matches_from(words);
    let arguments = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return lanternfell_files::usage::answer(&error, ""),
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Cancelled) => {
            say_wrong("cancelled, nothing was written");
            ExitCode::from(130)
        }
        Err(failure @ Failure::Stopped(_)) => {
            say_wrong(&failure.to_string());
            ExitCode::from(130)
        }
        Err(failure) => {
            say_wrong(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Cli) -> Result<(), Failure> {
    let job = Job::begin(arguments.quiet)?;
    if let Some(threads) = arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global()?;
    }
    arguments.run(&job)
}
