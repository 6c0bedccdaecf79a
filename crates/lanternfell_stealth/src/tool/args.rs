//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use lanternfell_stealth::{Bot, Difficulty, FLOORS};

/// Replays, floors and bots of Gutterlight, the torch-stealth game.
#[derive(Debug, Parser)]
#[command(
    name = "gutterlight",
    version,
    max_term_width = 100,
    arg_required_else_help = false
)]
#[command(after_help = "Examples:
  gutterlight replay thursday.replay
  gutterlight dump 7 --floor 3 --png chapel.png
  gutterlight bots --seeds 200")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a recorded game to its end, and say how it ended
    Replay(Replay),
    /// Draw a floor of a keep, and the light on it
    Dump(Dump),
    /// Let bots play games, and say how they did
    Bots(Bots),
}

/// `gutterlight replay`.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The replay
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Draw the last floor too
    #[arg(long)]
    pub(crate) dump: bool,
}

/// `gutterlight dump`.
#[derive(Debug, Args)]
#[command(
    after_help = "The floor is drawn in the notation of lanternfell_stealth::drawing, and
below it how bright each cell is: from a space for dark over . : - = + * to @, each twice as
bright as the one before; lit walls as #, dark ones as %."
)]
pub(crate) struct Dump {
    /// What the keep is made from
    #[arg(value_name = "SEED", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// Which floor, from 1 to 5
    #[arg(long, value_name = "N", value_parser = floor, default_value = "1",
        allow_negative_numbers = true)]
    pub(crate) floor: usize,

    /// apprentice, thief or ghost
    #[arg(long, value_name = "D", value_parser = difficulty, default_value = "thief")]
    pub(crate) difficulty: Difficulty,

    /// Draw it as a picture too, a .png. An existing file is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
}

/// `gutterlight bots`.
#[derive(Debug, Args)]
#[command(
    after_help = "Wins have their 95 % interval (Wilson 1927) in brackets. A game that is
not over after very many turns is lost: given up."
)]
pub(crate) struct Bots {
    /// How many games each bot plays, each in another keep
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) seeds: u64,

    /// What the first keep is made from; the next from the number after
    #[arg(long, value_name = "S", value_parser = seed, default_value = "0",
        allow_negative_numbers = true)]
    pub(crate) first: u64,

    /// apprentice, thief or ghost
    #[arg(long, value_name = "D", value_parser = difficulty, default_value = "thief")]
    pub(crate) difficulty: Difficulty,

    /// Only this one: careful, light-blind, noise-deaf, reckless or random
    #[arg(long, value_name = "NAME", value_parser = bot)]
    pub(crate) bot: Option<Bot>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep a replay of each game in this folder, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) replays: Option<PathBuf>,
}

fn seed(text: &str) -> Result<u64, String> {
    let allowed = format!("must be a whole number from 0 to {}", u64::MAX);
    text.parse().map_err(|_| allowed)
}

fn count(text: &str) -> Result<u64, String> {
    let count = text
        .parse()
        .ok()
        .filter(|count| (1..=1_000_000).contains(count));
    count.ok_or("must be a whole number from 1 to 1000000".to_owned())
}

/// Floors are counted from 1 by people.
fn floor(text: &str) -> Result<usize, String> {
    let floor = text
        .parse()
        .ok()
        .filter(|floor| (1..=FLOORS).contains(floor));
    floor.ok_or(format!("must be a whole number from 1 to {FLOORS}"))
}

fn difficulty(text: &str) -> Result<Difficulty, String> {
    let mut all = Difficulty::ALL.into_iter();
    all.find(|difficulty| difficulty.name() == text)
        .ok_or(format!(
            "must be {}",
            listed(&Difficulty::ALL.map(Difficulty::name))
        ))
}

fn bot(text: &str) -> Result<Bot, String> {
    let mut all = Bot::ALL.into_iter();
    all.find(|bot| bot.name() == text)
        .ok_or(format!("must be {}", listed(&Bot::ALL.map(Bot::name))))
}

/// `a, b or c`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}
