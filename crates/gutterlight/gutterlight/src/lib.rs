//! Gutterlight, a torch-stealth roguelike: descend five floors of a drowned keep for the Ember, and climb out unseen.
//!
//! ```text
//! gutterlight                              the game
//! gutterlight replay thursday.replay       play a replay to its end
//! gutterlight dump 7 --floor 3             print a floor and its light
//! gutterlight bots --seeds 200             let bots play, and print statistics
//! gutterlight export thursday.save         export the suspended game for another computer
//! ```
//!
//! The rules are in [`gutterlight_rules`], the art and sounds in [`gutterlight_assets`]. This crate is the program.
//! [`run`] is its entry point.
//!
//! # Modules
//! - `args`: the command-line arguments. `values`: parsers of their values.
//! - `play`: the game, with the feature `play`. Only this module needs Bevy.
//! - `commands`: `replay`, `dump`, `bots`, `export` and `import`.
//! - [`home`]: the files with settings, scores, the suspended game, replays and finished games, on disk or in a
//!   browser.
//! - [`settings`]: the player's settings.
//! - `files`: reading and writing files of commands. `failure`: their errors. `guard`: signals and threads.
//!
//! # Exit codes
//! 0 on success, 2 on an error. An error prints one line to standard error, and nothing is written. A full disk, a file
//! size limit and missing memory are errors too. 130 if a signal ends a command.

mod args;
mod commands;
mod failure;
mod files;
#[cfg(not(target_arch = "wasm32"))]
mod guard;
pub mod home;
#[cfg(feature = "play")]
mod play;
pub mod settings;
mod values;

use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use args::{Arguments, Command};
use failure::Failure;
use lanternfell_files::usage::{print_error, printable};

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    #[cfg(not(target_arch = "wasm32"))]
    lanternfell_limits::report_full_files();
    let done = match asked() {
        Ok(arguments) => arguments.run(),
        Err(error) => return lanternfell_files::usage::report(&error, ""),
    };
    done.unwrap_or_else(|failure| {
        print_error(&failure.to_string());
        ExitCode::from(2)
    })
}

/// Parses the command line.
#[cfg(not(all(feature = "play", target_arch = "wasm32")))]
fn asked() -> Result<Arguments, clap::Error> {
    clap::Parser::try_parse()
}

/// Parses the query of the page's address. Errors have already been shown on the page.
#[cfg(all(feature = "play", target_arch = "wasm32"))]
fn asked() -> Result<Arguments, clap::Error> {
    Ok(lanternfell_headless::parse_or_exit())
}

impl Arguments {
    #[cfg(feature = "play")]
    fn run(self) -> Result<ExitCode, Failure> {
        match &self.command {
            Some(command) => finish(command),
            None => play::run(self.play),
        }
    }

    #[cfg(not(feature = "play"))]
    fn run(self) -> Result<ExitCode, Failure> {
        finish(&self.command)
    }
}

/// Runs a command and prints its page.
fn finish(command: &Command) -> Result<ExitCode, Failure> {
    #[cfg(not(target_arch = "wasm32"))]
    guard::signals()?;
    print(&command.run()?)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a page. A closed pipe is not an error.
fn print(page: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(printable(page).as_bytes());
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Write {
            path: "standard output".into(),
            error,
        }),
        _ => Ok(()),
    }
}
