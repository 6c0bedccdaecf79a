//! Win rates of subsets of the games: by twist, by perk, by tool.

use core::fmt::Write;
use std::collections::BTreeMap;

use gutterlight_rules::{Perk, Tool, Twist};
use serde::Serialize;

use super::game::BotGame;

/// Statistics of several subsets, by name.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Parts(BTreeMap<&'static str, Part>);

/// Statistics of one subset of the games.
#[derive(Default, Serialize)]
struct Part {
    games: usize,
    wins: usize,
    wins_percent: f64,
    /// Bounds of the 95 % interval, in percent.
    wins_low: f64,
    wins_high: f64,
    /// The number of games in which the thief met the thing, and the number lost at it.
    met: usize,
    lost_there: usize,
}

impl Parts {
    /// Groups the games by the twists of their keeps. A game counts for a twist on any floor, even one that the thief
    /// did not reach. Otherwise twists on deep floors would look better, because only good runs get there.
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

    /// Groups the games by the bot's preferred perk, whether or not it was offered. `met` counts the games in which it
    /// was learned.
    pub(super) fn by_perk(games: &[&BotGame]) -> Self {
        Self::of(Perk::ALL.map(|perk| (perk.name(), perk)), |&perk| {
            let mut part = Part::default();
            for game in games.iter().filter(|game| game.fancied == perk) {
                part.count(game, game.perks.contains(&perk), false);
            }
            part
        })
    }

    /// Groups the games by the tools used. The result is biased: long games use more tools.
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

    /// Returns the subsets as a text table.
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

/// The 95 % Wilson score interval (Wilson 1927) of the share of wins, from 0 to 1. It is also accurate for few games
/// and for shares near 0 and 1.
pub(super) fn wilson(wins: usize, games: usize) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    // The 97.5 % quantile of the standard normal distribution.
    const Z: f64 = 1.959_964;
    let (n, share) = (games as f64, wins as f64 / games as f64);
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // At 0 and 1 the bound is exact except for rounding.
    let low = ((middle - spread) / scale).max(0.0);
    let high = ((middle + spread) / scale).min(1.0);
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_match_published_values() {
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
