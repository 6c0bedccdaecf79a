//! `gutterlight bots`: games by bots, on all cores.
//!
//! Each game is played on one thread; which one plays which changes no result.

use std::{
    io::IsTerminal,
    path::Path,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use lanternfell_stealth::{Bot, Difficulty, Ending, MOST_TURNS, World};
use rayon::prelude::*;

use crate::{args, failure::Failure, files, table};

/// How a bot's game went.
pub(crate) struct Game {
    pub(crate) bot: Bot,
    /// None if it was given up.
    pub(crate) ending: Option<Ending>,
    pub(crate) turns: u32,
    pub(crate) floors: usize,
    pub(crate) times_seen: u32,
    pub(crate) score: u32,
    /// What it took to play.
    pub(crate) time: Duration,
}

/// Plays all games, and says how they went.
pub(crate) fn run(command: &args::Bots) -> Result<String, Failure> {
    let last = command.first.checked_add(command.seeds - 1);
    let last = last.ok_or_else(|| {
        let most = u64::MAX;
        Failure::Usage(format!(
            "there are not so many seeds: the last one is {most}"
        ))
    })?;
    if let Some(folder) = &command.replays {
        files::make_folder(folder)?;
    }
    let bots = command.bot.map_or(Bot::ALL.to_vec(), |bot| vec![bot]);
    let seeds = command.first..=last;
    let games: Vec<(Bot, u64)> = bots
        .iter()
        .flat_map(|&bot| seeds.clone().map(move |seed| (bot, seed)))
        .collect();
    let bar = bar(games.len() as u64);
    let played = games.into_par_iter().map(|(bot, seed)| {
        let game = play(bot, seed, command.difficulty, command.replays.as_deref());
        bar.inc(1);
        game
    });
    let games = played.collect::<Result<Vec<Game>, Failure>>();
    bar.finish_and_clear();
    let report = table::Report::new(command, &bots, &games?);
    Ok(if command.json {
        report.json()
    } else {
        report.text()
    })
}

/// A bar on standard error, if that is a terminal.
fn bar(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(games).with_message("playing");
    match ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len}  {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn play(
    bot: Bot,
    seed: u64,
    difficulty: Difficulty,
    replays: Option<&Path>,
) -> Result<Game, Failure> {
    let begin = Instant::now();
    let world = bot.play(World::new(seed, difficulty), MOST_TURNS);
    let time = begin.elapsed();
    if let (Some(folder), Some(replay)) = (replays, world.replay()) {
        let name = format!("{}-{}-{seed}.replay", bot.name(), difficulty.name());
        files::write(&folder.join(name), &replay.to_bytes())?;
    }
    let view = world.view();
    Ok(Game {
        bot,
        ending: view.ending(),
        turns: view.turn(),
        floors: view.floors_reached(),
        times_seen: view.tally().times_seen,
        score: view.score(),
        time,
    })
}
