//! The statistics of many games, as a table or as JSON.

use core::fmt::Write;
use std::collections::BTreeMap;

use gutterlight_rules::{Bot, Difficulty, Ending, GuardKind, Rules};
use serde::Serialize;

use super::{
    game::BotGame,
    parts::{Parts, wilson},
};

/// The results of all bots.
#[derive(Serialize)]
pub(crate) struct Report {
    difficulty: &'static str,
    first_seed: u64,
    seeds: u64,
    bots: Vec<Row>,
    /// Duels won of 100 against each kind of guard, starting at full health.
    duels: BTreeMap<&'static str, u8>,
}

/// The results of one bot.
#[derive(Serialize)]
struct Row {
    bot: &'static str,
    games: usize,
    wins: usize,
    /// The win rate and its 95 % interval, in percent.
    wins_percent: f64,
    wins_low: f64,
    wins_high: f64,
    /// The wins in which no guard was ever sure of the thief.
    wins_unseen: usize,
    mean_turns: f64,
    /// Counted from 1.
    mean_floor: f64,
    mean_times_seen: f64,
    mean_score: f64,
    /// The share of beats with a burning torch in hand.
    torch_percent: f64,
    /// The mean fuel left in won games, in beats. `None` without wins.
    fuel_left: Option<f64>,
    /// The number of lost games by cause.
    lost: BTreeMap<&'static str, usize>,
    /// Results by twist of the keep.
    twists: Parts,
    /// Results by preferred perk, and by tool used.
    perks: Parts,
    tools: Parts,
    mean_lamps_doused: f64,
    ms_per_game: f64,
    us_per_turn: f64,
}

impl Report {
    pub(crate) fn new(
        difficulty: Difficulty,
        first_seed: u64,
        seeds: u64,
        bots: &[Bot],
        games: &[BotGame],
    ) -> Self {
        let row = |&bot: &Bot| {
            let games: Vec<&BotGame> = games.iter().filter(|game| game.bot == bot).collect();
            Row::new(bot, &games)
        };
        Self {
            difficulty: difficulty.name(),
            first_seed,
            seeds,
            bots: bots.iter().map(row).collect(),
            duels: duels(difficulty),
        }
    }

    pub(crate) fn json(&self) -> String {
        // Serialization cannot fail: the report contains only strings, numbers and maps.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{} seeds starting at {}, {}\n\n{:<12}{:>6}  {:>6}  {:<15}{:>6}{:>7}{:>7}{:>7}{:>8}{:>9}{:>6}{:>9}{:>9}  lost to\n",
            self.seeds,
            self.first_seed,
            self.difficulty,
            "bot",
            "games",
            "wins %",
            "(95 %)",
            "unseen",
            "turns",
            "floor",
            "seen",
            "score",
            "torch %",
            "fuel",
            "ms/game",
            "us/turn",
        );
        for row in &self.bots {
            // Writing to a `String` does not fail.
            let _ = writeln!(text, "{}", row.text());
        }
        for row in self.bots.iter().filter(|row| row.wins > 0) {
            for (by, parts) in [
                ("twist", &row.twists),
                ("perk", &row.perks),
                ("tool", &row.tools),
            ] {
                let _ = write!(text, "\n{}", parts.text(row.bot, by));
            }
            let doused = row.mean_lamps_doused;
            let _ = writeln!(text, "\n{}: {doused:.2} lamps put out per game", row.bot);
        }
        let duels = self.duels.iter();
        let duels: Vec<_> = duels.map(|(kind, won)| format!("{kind} {won}")).collect();
        let _ = writeln!(
            text,
            "\nduels won of 100, from full health: {}",
            duels.join(", ")
        );
        text
    }
}

impl Row {
    fn new(bot: Bot, games: &[&BotGame]) -> Self {
        let wins = games.iter().filter(|game| game.is_won()).count();
        let (low, high) = wilson(wins, games.len());
        let mut lost = BTreeMap::new();
        for game in games.iter().filter(|game| !game.is_won()) {
            *lost.entry(cause(game.ending)).or_insert(0) += 1;
        }
        let mean = |value: fn(&BotGame) -> f64| {
            let sum: f64 = games.iter().map(|game| value(game)).sum();
            sum / games.len().max(1) as f64
        };
        let (turns, seconds) = (
            mean(|game| f64::from(game.turns)),
            mean(|game| game.time.as_secs_f64()),
        );
        Self {
            bot: bot.name(),
            games: games.len(),
            wins,
            wins_percent: 100.0 * wins as f64 / games.len().max(1) as f64,
            wins_low: 100.0 * low,
            wins_high: 100.0 * high,
            wins_unseen: games
                .iter()
                .filter(|game| game.is_won() && game.times_seen == 0)
                .count(),
            mean_turns: turns,
            mean_floor: mean(|game| game.floors as f64),
            mean_times_seen: mean(|game| f64::from(game.times_seen)),
            mean_score: mean(|game| f64::from(game.score)),
            torch_percent: torch_percent(games),
            fuel_left: fuel_left(games),
            lost,
            twists: Parts::by_twist(games),
            perks: Parts::by_perk(games),
            tools: Parts::by_tool(games),
            mean_lamps_doused: mean(|game| f64::from(game.lamps_doused)),
            ms_per_game: 1e3 * seconds,
            us_per_turn: 1e6 * seconds / turns.max(1.0),
        }
    }

    fn text(&self) -> String {
        let interval = format!("({:.1}-{:.1})", self.wins_low, self.wins_high);
        let fuel = self
            .fuel_left
            .map_or("-".to_owned(), |fuel| format!("{fuel:.0}"));
        let mut lost: Vec<_> = self.lost.iter().collect();
        lost.sort_by_key(|&(cause, &count)| (core::cmp::Reverse(count), *cause));
        let lost: Vec<_> = lost
            .iter()
            .map(|(cause, count)| format!("{cause} {count}"))
            .collect();
        format!(
            "{:<12}{:>6}  {:>6.1}  {:<15}{:>6}{:>7.0}{:>7.2}{:>7.1}{:>8.0}{:>9.1}{:>6}{:>9.1}{:>9.1}  {}",
            self.bot,
            self.games,
            self.wins_percent,
            interval,
            self.wins_unseen,
            self.mean_turns,
            self.mean_floor,
            self.mean_times_seen,
            self.mean_score,
            self.torch_percent,
            fuel,
            self.ms_per_game,
            self.us_per_turn,
            lost.join(", "),
        )
    }
}

/// The share of all beats with a burning torch in hand, in percent.
fn torch_percent(games: &[&BotGame]) -> f64 {
    let sum =
        |value: fn(&BotGame) -> u32| games.iter().map(|game| f64::from(value(game))).sum::<f64>();
    100.0 * sum(|game| game.beats_torch) / sum(|game| game.beats).max(1.0)
}

/// The mean fuel left in won games. `None` without wins.
fn fuel_left(games: &[&BotGame]) -> Option<f64> {
    let won = games.iter().filter(|game| game.is_won());
    let fuel: Vec<f64> = won.map(|game| f64::from(game.fuel)).collect();
    (!fuel.is_empty()).then(|| fuel.iter().sum::<f64>() / fuel.len() as f64)
}

/// The odds from full health against each kind of guard that fights.
fn duels(difficulty: Difficulty) -> BTreeMap<&'static str, u8> {
    let rules = Rules::standard();
    let fighters = GuardKind::ALL
        .into_iter()
        .filter(|kind| rules.guard(*kind).fights);
    let odds = |kind: GuardKind| {
        let guard = rules.guard(kind).health;
        rules.odds(difficulty, rules.thief.health, kind, guard)
    };
    fighters.map(|kind| (kind.name(), odds(kind))).collect()
}

fn cause(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "given up",
        Some(Ending::Escaped) => "nothing",
        Some(Ending::Burnt) => "fire",
        Some(Ending::Caught) => "daylight",
        Some(Ending::GaveUp) => "giving up",
        Some(Ending::TurnedBack | Ending::Rescued) => "turning back",
        Some(Ending::Slain(guard)) => guard.name(),
    }
}
