//! `lanternfell`: heightmaps and pictures of them, from the command line.
//!
//! ```text
//! lanternfell generate hills --set island=true --seed 7 -o island.png
//! lanternfell render island.png -o view.png
//! ```
//!
//! # How it is built
//! - [`args`]: what several commands can be asked for, as clap reads it.
//! - [`source`]: the name, recipe or file that a command starts from; [`land`]: the map that it
//!   becomes.
//! - [`generate`], [`convert`], [`filter`], [`erode`], [`measure`], [`mesh`], [`render`],
//!   [`preview`], [`info`], [`tile`], [`recipe`], [`completions`]: the commands, each with its own
//!   arguments; [`change`] is what those have in common that write a changed map, [`climate`] what
//!   those have that know the weather.
//! - [`read`], [`write`]: maps from files and pipes, and into them; [`output`]: a file that is
//!   written whole or not at all.
//! - [`job`]: the progress bar, and Ctrl-C.
//! - [`failure`]: everything that can go wrong, one line each.
//!
//! # Exit codes
//! 0 when the file was written, 2 when something was wrong (one line on standard error
//! says what, and nothing was written), 130 after Ctrl-C.

mod args;
mod change;
mod climate;
mod completions;
mod convert;
mod erode;
mod failure;
mod filter;
mod generate;
mod info;
mod job;
mod land;
mod measure;
mod mesh;
mod output;
mod parameters;
mod preview;
mod read;
mod recipe;
mod render;
mod source;
mod tile;
mod write;

use std::{io::Write, process::ExitCode};

use clap::Parser;

use args::{Arguments, Command};
use failure::Failure;
use job::Job;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
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

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let job = Job::begin(arguments.quiet)?;
    if let Some(threads) = arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global()?;
    }
    match &arguments.command {
        Command::Generate(command) => generate::run(command, &job),
        Command::Render(command) => render::run(command, &job),
        Command::Info(command) => info::run(command, &job),
        Command::Filter(command) => filter::run(command, &job),
        Command::Erode(command) => erode::run(command, &job),
        Command::Measure(command) => measure::run(command, &job),
        Command::Mesh(command) => mesh::run(command, &job),
        Command::Convert(command) => convert::run(command, &job),
        Command::Tile(command) => tile::run(command, &job),
        Command::Preview(command) => preview::run(command, &job),
        Command::Recipe(command) => recipe::run(command),
        Command::Completions(command) => completions::run(command),
    }
}

/// Help and version go to standard output; a mistake becomes one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is no reason to fail: whoever closed it has read enough.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    // What follows are a summary and a hint at --help, of several lines each.
    let end = text
        .find("\n\nUsage:")
        .or_else(|| text.find("\n\nFor more"));
    let text = &text[..end.unwrap_or(text.len())];
    say_wrong(text.strip_prefix("error: ").unwrap_or(text));
    ExitCode::from(2)
}

/// One line on standard error, whatever the message is made of.
fn say_wrong(message: &str) {
    let words: Vec<&str> = message.split_whitespace().collect();
    let _ = writeln!(std::io::stderr(), "error: {}", words.join(" "));
}
