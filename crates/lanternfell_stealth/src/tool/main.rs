//! `gutterlight`: replays, floors and bots of the game, from the command line.
//!
//! ```text
//! gutterlight replay thursday.replay
//! gutterlight dump 7 --floor 3 --png chapel.png
//! gutterlight bots --seeds 200
//! ```
//!
//! # How it is built
//! - [`args`]: what can be asked for, as clap reads it.
//! - [`replay`], [`dump`] and [`bots`]: the three commands.
//! - [`picture`]: a floor in pixels; [`table`]: what games by bots come to.
//! - [`files`]: what is read, and what is written: whole, or not at all.
//! - [`failure`]: everything that can go wrong, one line each.
//!
//! # Exit codes
//! 0 when it was done, 2 when something was wrong: one line on standard error says what, and
//! nothing was written.

mod args;
mod bots;
mod dump;
mod failure;
mod files;
mod picture;
mod replay;
mod table;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let done = match &arguments.command {
        Command::Replay(command) => replay::run(command),
        Command::Dump(command) => dump::run(command),
        Command::Bots(command) => bots::run(command),
    };
    match done {
        Ok(page) => {
            // A closed pipe is no reason to fail: whoever closed it has read enough.
            let _ = io::stdout().write_all(page.as_bytes());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            say_wrong(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

/// Help and version go to standard output; a mistake becomes one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
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
    let _ = writeln!(io::stderr(), "error: {}", words.join(" "));
}
