//! Command-line arguments.

use clap::{Parser, Subcommand};

#[cfg(not(target_arch = "wasm32"))]
use crate::commands::bots::BotsArgs;
use crate::{
    commands::{dump::DumpArgs, export::ExportArgs, import::ImportArgs, replay::ReplayArgs},
    failure::Failure,
};

/// Gutterlight, a torch-stealth roguelike: descend five floors of a drowned keep for the Ember, and
/// climb out unseen
#[derive(Debug, Parser)]
#[command(
    name = "gutterlight",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
#[cfg_attr(
    feature = "play",
    command(
        after_help = "Without arguments, the game starts at the title screen. Games started with the options under
\"Start a game\" are neither scored nor saved.

Examples:
  gutterlight --seed 7 --difficulty ghost
  gutterlight --play thursday.replay
  gutterlight --headless --seed 5 --turns 1490 --screenshot catacombs.png"
    )
)]
#[cfg_attr(not(feature = "play"), command(arg_required_else_help = false))]
pub(crate) struct Arguments {
    /// Options of the game itself.
    #[cfg(feature = "play")]
    #[command(flatten)]
    pub(crate) play: crate::play::args::PlayArgs,

    /// The command to run instead of the game.
    #[cfg(feature = "play")]
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The command to run.
    #[cfg(not(feature = "play"))]
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Commands that do not need a screen.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a replay to its end and print the result
    Replay(ReplayArgs),
    /// Print a floor of a keep and its light
    Dump(DumpArgs),
    /// Let bots play games and print statistics
    // Runs on all cores and shows its progress on a terminal.
    #[cfg(not(target_arch = "wasm32"))]
    Bots(BotsArgs),
    /// Write the suspended game to a file, for another computer or browser
    Export(ExportArgs),
    /// Suspend a game that was exported elsewhere
    Import(ImportArgs),
}

impl Command {
    /// Runs the command. Returns the text to print.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        match self {
            Self::Replay(args) => args.run(),
            Self::Dump(args) => args.run(),
            #[cfg(not(target_arch = "wasm32"))]
            Self::Bots(args) => args.run(),
            Self::Export(args) => args.run(),
            Self::Import(args) => args.run(),
        }
    }
}
