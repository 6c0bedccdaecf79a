//! `gutterlight bots`: bots play games on all cores. Each game runs on one thread. The number of
//! threads does not change the results.

mod game;
mod parts;
mod progress;
mod report;

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use gutterlight_rules::{Bot, Difficulty};
use rayon::prelude::*;

use crate::{failure::Failure, guard, values};
use game::BotGame;
use progress::Progress;
use report::Report;

/// The arguments of `gutterlight bots`.
#[derive(Debug, Args)]
#[command(
    after_help = "The 95 % interval of the win rate (Wilson 1927) is in parentheses. A game that
exceeds the turn limit counts as lost (\"given up\"). For each bot with at least one win, more tables break
the games down by the twists of the keep, the preferred perk and the tools used.

Example: gutterlight bots --seeds 200"
)]
pub(crate) struct BotsArgs {
    /// Number of games per bot, each in a different keep
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = |text: &str| values::whole_number(text, 1..=1_000_000_u64))]
    seeds: u64,

    /// Seed of the first keep; the following games use the next seeds
    #[arg(long, value_name = "S", value_parser = values::seed, default_value = "0",
        allow_negative_numbers = true)]
    first: u64,

    /// apprentice, thief or ghost
    #[arg(long, value_name = "D", value_parser = values::difficulty, default_value = "thief")]
    difficulty: Difficulty,

    /// Run only this bot: careful, light-blind, noise-deaf, reckless, ghost or random
    #[arg(long, value_name = "NAME", value_parser = bot)]
    bot: Option<Bot>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write a replay of each game to this folder, which is created if it does not exist
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
}

impl BotsArgs {
    /// Plays all games. Returns the report.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let last = self.first.checked_add(self.seeds - 1);
        let last = last.ok_or_else(|| {
            let most = u64::MAX;
            Failure::Usage(format!(
                "--first plus --seeds exceeds the largest seed, {most}"
            ))
        })?;
        guard::threads()?;
        if let Some(folder) = &self.replays {
            make_folder(folder)?;
        }
        let bots = self.bot.map_or(Bot::ALL.to_vec(), |bot| vec![bot]);
        let seeds = self.first..=last;
        let games: Vec<(Bot, u64)> = bots
            .iter()
            .flat_map(|&bot| seeds.clone().map(move |seed| (bot, seed)))
            .collect();
        let progress = Progress::new(games.len());
        let played = games.into_par_iter().map(|(bot, seed)| {
            let game = BotGame::play(bot, seed, self.difficulty, self.replays.as_deref());
            progress.count_one();
            game
        });
        let games = played.collect::<Result<Vec<BotGame>, Failure>>();
        progress.finish();
        let report = Report::new(self.difficulty, self.first, self.seeds, &bots, &games?);
        Ok(if self.json {
            report.json()
        } else {
            report.text()
        })
    }
}

/// Parses the name of a bot.
fn bot(text: &str) -> Result<Bot, String> {
    values::named(text, Bot::ALL, Bot::name)
}

/// Creates a folder unless it exists.
fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::Write {
        path: path.to_owned(),
        error,
    })
}
