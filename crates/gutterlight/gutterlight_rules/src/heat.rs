//! Heat: six burdens that a player who has won can add to a new game, in any combination.
//!
//! A burden only changes the rules; the rest of the game does not know about burdens. Each burden
//! raises the score by `ScoreRules::burden` percent.

use serde::{Deserialize, Serialize};

use crate::{GuardKind, Rules};

/// A burden that makes a game harder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Burden {
    /// Half of the fuel, in the starting torch and in all torches found.
    DryTorches,
    /// Guards see a third farther in every light.
    KeenEyes,
    /// Guards hear a third farther.
    KeenEars,
    /// No guard sleeps on duty, and bells ring twice as long.
    LightSleepers,
    /// One more hound on every floor.
    Kennels,
    /// Less health.
    OldWounds,
}

impl Burden {
    /// All burdens, in declaration order.
    pub const ALL: [Self; 6] = [
        Self::DryTorches,
        Self::KeenEyes,
        Self::KeenEars,
        Self::LightSleepers,
        Self::Kennels,
        Self::OldWounds,
    ];

    /// The name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DryTorches => "dry torches",
            Self::KeenEyes => "keen eyes",
            Self::KeenEars => "keen ears",
            Self::LightSleepers => "light sleepers",
            Self::Kennels => "kennels",
            Self::OldWounds => "old wounds",
        }
    }

    /// The effect, as a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::DryTorches => "Torches hold half as much fuel.",
            Self::KeenEyes => "Guards see a third farther.",
            Self::KeenEars => "Guards hear a third farther.",
            Self::LightSleepers => "No guard sleeps on duty, and bells ring twice as long.",
            Self::Kennels => "One more hound on every floor.",
            Self::OldWounds => "You have a third less health.",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Applies the burden to the rules.
    fn weigh_on(self, rules: &mut Rules) {
        let difficulties = |rules: &mut Rules, change: fn(&mut crate::rules::DifficultyRules)| {
            let table = &mut rules.difficulty;
            for row in [&mut table.apprentice, &mut table.thief, &mut table.ghost] {
                change(row);
            }
        };
        match self {
            Self::DryTorches => difficulties(rules, |row| row.fuel = (row.fuel / 2).max(10)),
            Self::KeenEyes => difficulties(rules, |row| row.sight = more(row.sight)),
            Self::KeenEars => difficulties(rules, |row| row.hearing = more(row.hearing)),
            Self::LightSleepers => {
                rules.floors.iter_mut().for_each(|floor| floor.asleep = 0);
                rules.alarm.bell_ticks = (2 * rules.alarm.bell_ticks).min(100_000);
                rules.alarm.seen *= 2;
                rules.alarm.found *= 2;
            }
            Self::Kennels => {
                for floor in &mut rules.floors {
                    *floor.count_mut(GuardKind::Hound) += 1;
                }
            }
            Self::OldWounds => rules.thief.health = (2 * rules.thief.health / 3).max(1),
        }
    }
}

/// A third more, up to the limit of 1000 percent.
fn more(percent: u32) -> u32 {
    (percent * 4 / 3).min(1000)
}

/// The burdens of a game.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(from = "u8", into = "u8")]
pub struct Heat(u8);

impl Heat {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// Adds a burden.
    #[must_use]
    pub const fn with(self, burden: Burden) -> Self {
        Self(self.0 | burden.bit())
    }

    /// Removes a burden.
    #[must_use]
    pub const fn without(self, burden: Burden) -> Self {
        Self(self.0 & !burden.bit())
    }

    /// Whether a burden is included.
    pub const fn has(self, burden: Burden) -> bool {
        self.0 & burden.bit() != 0
    }

    /// The number of burdens.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The included burdens, in declaration order.
    pub fn burdens(self) -> impl Iterator<Item = Burden> {
        Burden::ALL
            .into_iter()
            .filter(move |&burden| self.has(burden))
    }
}

impl FromIterator<Burden> for Heat {
    fn from_iter<T: IntoIterator<Item = Burden>>(burdens: T) -> Self {
        burdens.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Bits that do not stand for a burden are dropped.
impl From<u8> for Heat {
    fn from(bits: u8) -> Self {
        let all = Burden::ALL.into_iter().collect::<Self>();
        Self(bits & all.0)
    }
}

impl From<Heat> for u8 {
    fn from(heat: Heat) -> Self {
        heat.0
    }
}

impl Rules {
    /// The rules with burdens applied.
    #[must_use]
    pub fn heated(&self, heat: Heat) -> Self {
        let mut rules = self.clone();
        for burden in heat.burdens() {
            burden.weigh_on(&mut rules);
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Action, Bot, Difficulty, Replay, ReplayError, World};

    fn all() -> Heat {
        Burden::ALL.into_iter().collect()
    }

    fn hot(seed: u64, heat: Heat) -> World {
        World::with_heat(seed, Difficulty::Thief, heat)
    }

    #[test]
    fn burdens_can_be_added_and_removed() {
        let mut heat = Heat::NONE;
        for (count, burden) in (1..).zip(Burden::ALL) {
            heat = heat.with(burden);
            assert!(heat.has(burden) && heat.count() == count);
        }
        assert_eq!(heat.burdens().collect::<Vec<_>>(), Burden::ALL);
        assert_eq!(heat, all());
        assert!(!heat.without(Burden::Kennels).has(Burden::Kennels));
        assert_eq!(Heat::from(u8::MAX), all());
    }

    #[test]
    fn every_burden_changes_the_rules_and_keeps_them_valid() {
        let rules = Rules::standard();
        assert_eq!(rules.heated(Heat::NONE), *rules);
        for burden in Burden::ALL {
            let heated = rules.heated(Heat::NONE.with(burden));
            assert_ne!(heated, *rules, "{}", burden.name());
            assert_eq!(heated.validate(), Ok(()), "{}", burden.name());
        }
        assert_eq!(rules.heated(all()).validate(), Ok(()));
    }

    #[test]
    fn burdens_survive_saves_and_replays() {
        let mut world = Bot::Careful.play(hot(6, all()), 60);
        let loaded = World::load(&world.save()).expect("a save");
        assert!(loaded == world && loaded.view().heat() == all());
        assert_eq!(loaded.replay(), world.replay());
        if world.view().ending().is_none() {
            world.act(Action::GiveUp).expect("at any time");
        }
        let replay = world.replay().expect("a game from its beginning");
        assert_eq!(replay.play(Rules::standard()).as_ref(), Ok(&world));
        let cool = Replay {
            heat: Heat::NONE,
            ..replay
        };
        let other = cool.play(Rules::standard());
        assert_eq!(other.err(), Some(ReplayError::OtherRules));
    }

    #[test]
    fn burdens_raise_the_score_and_are_listed() {
        let heat = Heat::NONE.with(Burden::KeenEars).with(Burden::OldWounds);
        let world = hot(3, heat);
        let rules = Rules::standard();
        assert!(world.view().thief().health < rules.thief.health);
        let floor = rules.score.floor;
        let worth = floor * (100 + 2 * rules.score.burden) / 100;
        assert_eq!(world.view().score(), worth);
        let words = "Heat             2 (keen ears, old wounds)\n";
        assert!(world.view().morgue().contains(words));
        assert!(world.view().summary().ends_with("keep 3 (thief, heat 2)"));
        let plain = World::with_rules(Arc::clone(&rules), 3, Difficulty::Thief, false);
        assert!(!plain.view().morgue().contains("Heat"));
    }
}
