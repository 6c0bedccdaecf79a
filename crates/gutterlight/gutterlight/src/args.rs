//! What can be asked for on the command line.

use clap::{Parser, Subcommand};

#[cfg(not(target_arch = "wasm32"))]
use crate::commands::bots::BotsArgs;
use crate::{
    commands::{dump::DumpArgs, export::ExportArgs, import::ImportArgs, replay::ReplayArgs},
    failure::Failure,
};

/// Gutterlight, a torch-stealth roguelike: down five floors of a drowned keep for the Ember,
/// and up again, unseen
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
        after_help = "Without arguments the game begins with its title. What is begun by \"A game at
once\" is not counted, and not kept.

Examples:
  gutterlight --seed 7 --difficulty ghost
  gutterlight --play thursday.replay
  gutterlight --headless --seed 5 --turns 1490 --screenshot catacombs.png"
    )
)]
#[cfg_attr(not(feature = "play"), command(arg_required_else_help = false))]
pub(crate) struct Arguments {
    /// How to play.
    #[cfg(feature = "play")]
    #[command(flatten)]
    pub(crate) play: crate::play::args::PlayArgs,

    /// What to do instead of playing.
    #[cfg(feature = "play")]
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// What to do.
    #[cfg(not(feature = "play"))]
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What needs no screen.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a recorded game to its end, and say how it ended
    Replay(ReplayArgs),
    /// Draw a floor of a keep, and the light on it
    Dump(DumpArgs),
    /// Let bots play games, and say how they did
    // It takes all cores, and tells on a terminal how far it is.
    #[cfg(not(target_arch = "wasm32"))]
    Bots(BotsArgs),
    /// Write the suspended game to a file, for another computer or browser
    Export(ExportArgs),
    /// Suspend a game that was exported elsewhere
    Import(ImportArgs),
}

impl Command {
    /// Does it. What it has to say.
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
