//! How games went in which something was so, beside those in which it was not.

use core::fmt::Write;
use std::collections::BTreeMap;

use gutterlight_rules::{Perk, Tool, Twist};
use serde::Serialize;

use super::game::BotGame;

/// How it went for each of several things, by their names.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Parts(BTreeMap<&'static str, Part>);

/// How games went in which one thing was so.
#[derive(Default, Serialize)]
struct Part {
    games: usize,
    wins: usize,
    wins_percent: f64,
    /// The 95 % interval.
    wins_low: f64,
    wins_high: f64,
    /// In how many of them the thief met it, and in how many of those it was lost there.
    met: usize,
    lost_there: usize,
}

impl Parts {
    /// Of the keeps with each twist on any floor: whether the thief came there or not, so that those on
    /// deep floors do not look better because only the best come there.
    pub(super) fn by_twist(games: &[&BotGame]) -> Self {
        Self::of(Twist::ALL.map(|twist| (twist.name(), twist)), |&twist| {
            let mut part = Part::default();
            for game in games {
                let mut floors = game.twists.iter();
                let Some(depth) = floors.position(|&other| other == Some(twist)) else {
                    continue;
                };
                let lost_there = !game.is_won() && game.depth == depth;
                part.count(game, game.floors > depth, lost_there);
            }
            part
        })
    }

    /// Of the games in which the bot wanted each perk first, whether it was ever on offer or not; met are
    /// those in which it was learnt.
    pub(super) fn by_perk(games: &[&BotGame]) -> Self {
        Self::of(Perk::ALL.map(|perk| (perk.name(), perk)), |&perk| {
            let mut part = Part::default();
            for game in games.iter().filter(|game| game.fancied == perk) {
                part.count(game, game.perks.contains(&perk), false);
            }
            part
        })
    }

    /// Of the games in which each tool was used. Who lives long uses more of all.
    pub(super) fn by_tool(games: &[&BotGame]) -> Self {
        Self::of(Tool::ALL.map(|tool| (tool.name(), tool)), |tool| {
            let mut part = Part::default();
            for game in games.iter().filter(|game| game.tools.contains(tool)) {
                part.count(game, true, false);
            }
            part
        })
    }

    fn of<T>(
        things: impl IntoIterator<Item = (&'static str, T)>,
        part: impl Fn(&T) -> Part,
    ) -> Self {
        let things = things.into_iter();
        Self(
            things
                .map(|(name, thing)| (name, part(&thing).reckoned()))
                .collect(),
        )
    }

    /// A table.
    pub(super) fn text(&self, bot: &str, by: &str) -> String {
        let mut text = format!(
            "{:<24}{:>6}  {:>6}  {:<15}{:>6}{:>12}\n",
            format!("{bot}, by {by}"),
            "games",
            "wins %",
            "(95 %)",
            "met",
            "lost there",
        );
        for (name, part) in self.0.iter().filter(|(_, part)| part.games > 0) {
            let interval = format!("({:.1}-{:.1})", part.wins_low, part.wins_high);
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{name:<24}{:>6}  {:>6.1}  {interval:<15}{:>6}{:>12}",
                part.games, part.wins_percent, part.met, part.lost_there,
            );
        }
        text
    }
}

impl Part {
    fn count(&mut self, game: &BotGame, met: bool, lost_there: bool) {
        self.games += 1;
        self.wins += usize::from(game.is_won());
        self.met += usize::from(met);
        self.lost_there += usize::from(lost_there);
    }

    fn reckoned(self) -> Self {
        let (low, high) = wilson(self.wins, self.games);
        Self {
            wins_percent: 100.0 * self.wins as f64 / self.games.max(1) as f64,
            wins_low: 100.0 * low,
            wins_high: 100.0 * high,
            ..self
        }
    }
}

/// The 95 % interval of the share of wins, from 0 to 1: that of Wilson (1927), which is
/// right for few games and for shares near 0 and 1 too.
pub(super) fn wilson(wins: usize, games: usize) -> (f64, f64) {
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
