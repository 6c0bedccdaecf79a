//! `gutterlight bots`: games by bots, on all cores.
//!
//! Each game is played on one thread; which one plays which changes no result.

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

use crate::{failure::Failure, values};
use game::BotGame;
use progress::Progress;
use report::Report;

/// `gutterlight bots`.
#[derive(Debug, Args)]
#[command(
    after_help = "Wins have their 95 % interval (Wilson 1927) in brackets. A game that is
not over after very many turns is lost: given up. Below the table stands for each bot that wins how it
went in the keeps with each twist, in the games in which it wanted each perk, and in which it used each tool.

Example: gutterlight bots --seeds 200"
)]
pub(crate) struct BotsArgs {
    /// How many games each bot plays, each in another keep
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = |text: &str| values::whole_number(text, 1..=1_000_000_u64))]
    seeds: u64,

    /// What the first keep is made from; the next from the number after
    #[arg(long, value_name = "S", value_parser = values::seed, default_value = "0",
        allow_negative_numbers = true)]
    first: u64,

    /// apprentice, thief or ghost
    #[arg(long, value_name = "D", value_parser = values::difficulty, default_value = "thief")]
    difficulty: Difficulty,

    /// Only this one: careful, light-blind, noise-deaf, reckless, ghost or random
    #[arg(long, value_name = "NAME", value_parser = bot)]
    bot: Option<Bot>,

    /// As JSON
    #[arg(long)]
    json: bool,

    /// Keep a replay of each game in this folder, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
}

impl BotsArgs {
    /// Plays all games, and says how they went.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let last = self.first.checked_add(self.seeds - 1);
        let last = last.ok_or_else(|| {
            let most = u64::MAX;
            Failure::Usage(format!(
                "there are not so many seeds: the last one is {most}"
            ))
        })?;
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

/// A bot, by its name.
fn bot(text: &str) -> Result<Bot, String> {
    values::named(text, Bot::ALL, Bot::name)
}

/// Makes a folder, unless it is there.
fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::Write {
        path: path.to_owned(),
        error,
    })
}
