//! What many games come to: a table, or JSON.

use core::fmt::Write;
use std::collections::BTreeMap;

use lanternfell_stealth::{Bot, Difficulty, Ending, GuardKind, Rules};
use serde::Serialize;

use super::game::BotGame;

/// How all bots did.
#[derive(Serialize)]
pub(crate) struct Report {
    difficulty: &'static str,
    first_seed: u64,
    seeds: u64,
    bots: Vec<Row>,
    /// Of a hundred duels against each kind of guard, from full health, the thief wins so many.
    duels: BTreeMap<&'static str, u8>,
}

/// How one bot did.
#[derive(Serialize)]
struct Row {
    bot: &'static str,
    games: usize,
    wins: usize,
    /// Percent, and the 95 % interval.
    wins_percent: f64,
    wins_low: f64,
    wins_high: f64,
    /// Of the wins those in which nobody was ever sure of the thief.
    wins_unseen: usize,
    mean_turns: f64,
    /// Counted from 1.
    mean_floor: f64,
    mean_times_seen: f64,
    mean_score: f64,
    /// Of all beats those with a burning torch in the hand.
    torch_percent: f64,
    /// Beats of fuel that are left in games that are won, in the mean.
    fuel_left: Option<f64>,
    /// How often it ended how, wins left out.
    lost: BTreeMap<&'static str, usize>,
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
        // Names and numbers can all be written.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{} seeds from {} on, {}\n\n{:<12}{:>6}  {:>6}  {:<15}{:>6}{:>7}{:>7}{:>7}{:>8}{:>9}{:>6}{:>9}{:>9}  lost to\n",
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
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", row.text());
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
        let wins = games.iter().filter(|game| has_won(game)).count();
        let (low, high) = wilson(wins, games.len());
        let mut lost = BTreeMap::new();
        for game in games.iter().filter(|game| !has_won(game)) {
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
                .filter(|game| has_won(game) && game.times_seen == 0)
                .count(),
            mean_turns: turns,
            mean_floor: mean(|game| game.floors as f64),
            mean_times_seen: mean(|game| f64::from(game.times_seen)),
            mean_score: mean(|game| f64::from(game.score)),
            torch_percent: torch_percent(games),
            fuel_left: fuel_left(games),
            lost,
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

/// The part of all beats that the torch in the hand burnt.
fn torch_percent(games: &[&BotGame]) -> f64 {
    let sum =
        |value: fn(&BotGame) -> u32| games.iter().map(|game| f64::from(value(game))).sum::<f64>();
    100.0 * sum(|game| game.beats_torch) / sum(|game| game.beats).max(1.0)
}

/// The fuel that is left when a game is won, in the mean; none if none is.
fn fuel_left(games: &[&BotGame]) -> Option<f64> {
    let won = games.iter().filter(|game| has_won(game));
    let fuel: Vec<f64> = won.map(|game| f64::from(game.fuel)).collect();
    (!fuel.is_empty()).then(|| fuel.iter().sum::<f64>() / fuel.len() as f64)
}

/// The odds from full health against each kind of guard that fights.
fn duels(difficulty: Difficulty) -> BTreeMap<&'static str, u8> {
    let rules = Rules::standard();
    let fighters = GuardKind::ALL.into_iter().filter(|kind| kind.fights());
    let odds = |kind: GuardKind| {
        let guard = rules.guard(kind).health;
        rules.odds(difficulty, rules.thief.health, kind, guard)
    };
    fighters.map(|kind| (kind.name(), odds(kind))).collect()
}

fn has_won(game: &BotGame) -> bool {
    game.ending == Some(Ending::Escaped)
}

fn cause(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "given up",
        Some(Ending::Escaped) => "nothing",
        Some(Ending::Burnt) => "fire",
        Some(Ending::GaveUp) => "giving up",
        Some(Ending::Slain(guard)) => guard.name(),
    }
}

/// The 95 % interval of the share of wins, from 0 to 1: that of Wilson (1927), which is
/// right for few games and for shares near 0 and 1 too.
fn wilson(wins: usize, games: usize) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    // So many standard deviations hold 95 % of a normal distribution.
    const Z: f64 = 1.959_964;
    let (n, share) = (games as f64, wins as f64 / games as f64);
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // At 0 and 1 the bound is exactly that, but for rounding.
    let low = ((middle - spread) / scale).max(0.0);
    let high = ((middle + spread) / scale).min(1.0);
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_books() {
        // Newcombe (1998), method 3.
        for (wins, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(wins, games);
            assert!((found.0 - low).abs() < 1e-4, "{wins} of {games}: {found:?}");
            assert!(
                (found.1 - high).abs() < 1e-4,
                "{wins} of {games}: {found:?}"
            );
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert!(wilson(20, 20).1 >= 1.0 - 1e-9);
    }
}
