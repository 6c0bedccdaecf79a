//! Gutterlight: down five floors of a drowned keep for the Ember, and up again, unseen.
//!
//! ```text
//! gutterlight                              the game
//! gutterlight replay thursday.replay       a recorded game to its end
//! gutterlight dump 7 --floor 3             a floor, and the light on it
//! gutterlight bots --seeds 200             games by bots, and how they went
//! gutterlight export thursday.save         the suspended game, for another computer
//! ```
//!
//! The rules are in [`gutterlight_rules`], pictures and sounds in [`gutterlight_assets`]; here
//! is what makes a program of them. [`run`] is all of it.
//!
//! # How it is built
//! - `args`: what can be asked for, as clap reads it; `values`: what its values may be.
//! - `play`: the game, with the feature `play`: the only part that needs Bevy.
//! - `commands`: `replay`, `dump`, `bots`, `export` and `import`.
//! - [`home`]: where settings, scores, the suspended game, the last games and the pages of ended games
//!   lie, on disk or in a browser; [`settings`]: what a player has set.
//! - `files`: what is read, and what is written: whole, or not at all; `failure`: everything
//!   that can go wrong, one line each.
//!
//! # Exit codes
//! 0 when it was done, 2 when something was wrong: one line on standard error says what, and
//! nothing was written.

mod args;
mod commands;
mod failure;
mod files;
pub mod home;
#[cfg(feature = "play")]
mod play;
pub mod settings;
mod values;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use args::Arguments;
use failure::Failure;
use lanternfell_files::usage::say_wrong;

/// Does what the process's arguments ask for.
pub fn run() -> ExitCode {
    let done = match asked() {
        Ok(arguments) => arguments.run(),
        Err(error) => return lanternfell_files::usage::answer(&error, ""),
    };
    done.unwrap_or_else(|failure| {
        say_wrong(&failure.to_string());
        ExitCode::from(2)
    })
}

/// What the command line asks for.
#[cfg(not(all(feature = "play", target_arch = "wasm32")))]
fn asked() -> Result<Arguments, clap::Error> {
    clap::Parser::try_parse()
}

/// What the page's address asks for; it has told what is wrong there.
#[cfg(all(feature = "play", target_arch = "wasm32"))]
fn asked() -> Result<Arguments, clap::Error> {
    Ok(lanternfell_headless::parse_or_exit())
}

impl Arguments {
    #[cfg(feature = "play")]
    fn run(self) -> Result<ExitCode, Failure> {
        match &self.command {
            Some(command) => command.run().map(|page| print(&page)),
            None => play::run(self.play),
        }
    }

    #[cfg(not(feature = "play"))]
    fn run(self) -> Result<ExitCode, Failure> {
        self.command.run().map(|page| print(&page))
    }
}

fn print(page: &str) -> ExitCode {
    // A closed pipe is no reason to fail: whoever closed it has read enough.
    let _ = io::stdout().write_all(page.as_bytes());
    ExitCode::SUCCESS
}
