//! The numbers of the game.
//!
//! All numbers are in `assets/rules.ron`, which explains each of them. It is parsed when the first
//! game starts. To try another balance without recompiling, pass other [`Rules`] to
//! [`World::with_rules`](crate::World::with_rules). [`Rules::from_ron`] checks every number once,
//! and the game then relies on the checks.
//!
//! Times are in ticks or beats: [`BEAT`] ticks are a beat, the time in which a thief walks one
//! cell. Distances are in cells. Shares are whole percentages.

mod check;
mod generation;
mod guards;
mod sections;
mod twists;

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use generation::{
    CatacombsRules, CaveRules, CellarsRules, ChapelRules, CisternRules, CountRules, FindRules,
    GenerationRules, GreatRoomRules, GrowthRules, LampRules, LayoutRules, LoopRules, Outline,
    PostRules, RoomRules, SanctumRules, Size, Span, ThemeRules, WayRules,
};
pub use guards::{GuardTable, Posting};
pub use sections::{
    AlarmRules, AwarenessRules, BehaviorRules, Color, CombatRules, DifficultyRules,
    DifficultyTable, FloorRules, GuardRules, LightRules, MapRules, MaterialRules, NightRules,
    NoiseRules, OpeningNoiseRules, OpeningRules, PerkRules, ProofRules, ScoreRules, SightRules,
    ThiefRules, ToolRules,
};
pub use twists::TwistRules;

use crate::{FixtureKind, GuardKind};

/// The number of ticks in a beat.
pub const BEAT: u16 = 4;

/// The standard rules.
const TABLE: &str = include_str!("../assets/rules.ron");

/// The reason why rules are not valid.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RulesError {
    /// The text cannot be parsed.
    #[error("the rules cannot be parsed: {0}")]
    Syntax(String),
    /// A number is out of range.
    #[error("{field} is {value}, but must be from {low} to {high}")]
    Range {
        /// The path of the number: `thief.health`.
        field: String,
        /// The value.
        value: f64,
        /// The minimum.
        low: f64,
        /// The maximum.
        high: f64,
    },
    /// Two values contradict each other, or something is missing.
    #[error("{0}")]
    Inconsistent(String),
}

/// All numbers of the game. `assets/rules.ron` explains each of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct Rules {
    pub light: LightRules,
    pub sight: SightRules,
    pub noise: NoiseRules,
    pub thief: ThiefRules,
    pub tools: ToolRules,
    pub perks: PerkRules,
    pub awareness: AwarenessRules,
    pub guards: GuardTable,
    pub map: MapRules,
    pub proof: ProofRules,
    pub floors: Vec<FloorRules>,
    pub difficulty: DifficultyTable,
    pub opening: OpeningRules,
    pub score: ScoreRules,
    pub behavior: BehaviorRules,
    pub alarm: AlarmRules,
    pub night: NightRules,
    pub combat: CombatRules,
    pub opening_noise: OpeningNoiseRules,
    pub materials: MaterialRules,
    pub twists: TwistRules,
    pub generation: GenerationRules,
}

/// The difficulty of a game.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Difficulty {
    /// More fuel, and guards that see and hear less.
    Apprentice,
    /// The standard difficulty.
    #[default]
    Thief,
    /// Less fuel, and guards that see and hear more.
    Ghost,
}

impl Difficulty {
    /// All difficulties, from easy to hard.
    pub const ALL: [Self; 3] = [Self::Apprentice, Self::Thief, Self::Ghost];

    /// The name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apprentice => "apprentice",
            Self::Thief => "thief",
            Self::Ghost => "ghost",
        }
    }
}

impl Rules {
    /// The standard rules, from `assets/rules.ron`.
    pub fn standard() -> Arc<Self> {
        static STANDARD: OnceLock<Arc<Rules>> = OnceLock::new();
        let read = || Self::from_ron(TABLE).expect("a test parses assets/rules.ron");
        Arc::clone(STANDARD.get_or_init(|| Arc::new(read())))
    }

    /// Parses rules and checks every number.
    ///
    /// # Errors
    /// If the text cannot be parsed, or if a number is out of range. The error names the number.
    pub fn from_ron(text: &str) -> Result<Self, RulesError> {
        let rules: Self =
            ron::from_str(text).map_err(|error| RulesError::Syntax(error.to_string()))?;
        rules.validate()?;
        Ok(rules)
    }

    /// A checksum of the rules. A replay stores it, so that it is only played with the same rules.
    pub fn fingerprint(&self) -> u32 {
        // Encoding rules that were parsed cannot fail.
        crc32fast::hash(&postcard::to_stdvec(self).unwrap_or_default())
    }

    /// The rules for a kind of guard.
    pub fn guard(&self, kind: GuardKind) -> &GuardRules {
        &self.guards[kind]
    }

    /// The rules for a difficulty.
    pub fn difficulty(&self, difficulty: Difficulty) -> &DifficultyRules {
        match difficulty {
            Difficulty::Apprentice => &self.difficulty.apprentice,
            Difficulty::Thief => &self.difficulty.thief,
            Difficulty::Ghost => &self.difficulty.ghost,
        }
    }

    /// The light of a fixture: linear red, green and blue.
    pub fn lamp(&self, kind: FixtureKind) -> Vec3 {
        let light = &self.light;
        Vec3::from_array(match kind {
            FixtureKind::Sconce => light.sconce,
            FixtureKind::Brazier => light.brazier,
            FixtureKind::Fungus => light.fungus,
            FixtureKind::Crystal => light.crystal,
            FixtureKind::Moonlight => light.moonlight,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_rules_are_valid() {
        let rules = Rules::from_ron(TABLE).expect("assets/rules.ron");
        assert_eq!(rules, *Rules::standard());
    }

    #[test]
    fn fingerprint_depends_on_every_number() {
        let rules = Rules::standard();
        let other = |change: fn(&mut Rules)| {
            let mut other = (*rules).clone();
            change(&mut other);
            other.fingerprint()
        };
        let prints = [
            rules.fingerprint(),
            other(|rules| rules.light.radius += 1.0),
            other(|rules| rules.behavior.deep_sleep += 1),
            other(|rules| rules.generation.layout.closet.spacing += 1),
        ];
        for (place, print) in prints.iter().enumerate() {
            assert!(!prints[..place].contains(print), "{prints:x?}");
        }
    }
}
