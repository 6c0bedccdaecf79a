//! Every number of the game, in one table.
//!
//! The table is `assets/rules.ron`, which is read when the first game begins and says what
//! each number means. Another table can be handed in, to try a balance without a compiler.
//! Each number is checked once, when the table is read; the rules then trust it.
//!
//! Time is counted in ticks and beats: [`BEAT`] ticks are a beat, in which a thief walks
//! one cell. Distances are cells. Parts of a hundred are whole numbers.

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
    DifficultyTable, FloorRules, GuardRules, LightRules, MapRules, MaterialRules, NoiseRules,
    OpeningNoiseRules, OpeningRules, PerkRules, ProofRules, ScoreRules, SightRules, ThiefRules,
    ToolRules,
};
pub use twists::TwistRules;

use crate::{FixtureKind, GuardKind};

/// The ticks of a beat.
pub const BEAT: u16 = 4;

/// The table that the game is played with.
const TABLE: &str = include_str!("../assets/rules.ron");

/// What is wrong with a table of rules.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RulesError {
    /// It can not be read.
    #[error("the rules can not be read: {0}")]
    Syntax(String),
    /// A number is out of its range.
    #[error("{field} is {value}, but must be from {low} to {high}")]
    Range {
        /// Where it stands: `thief.health`.
        field: String,
        /// What it is.
        value: f64,
        /// The least that it may be.
        low: f64,
        /// The most that it may be.
        high: f64,
    },
    /// Things do not fit together.
    #[error("{0}")]
    Inconsistent(String),
}

/// Every number of the game. The table itself says what each one means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "assets/rules.ron documents every number where it stands"
)]
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
    pub combat: CombatRules,
    pub opening_noise: OpeningNoiseRules,
    pub materials: MaterialRules,
    pub twists: TwistRules,
    pub generation: GenerationRules,
}

/// How hard the game is.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Difficulty {
    /// More fuel, duller guards.
    Apprentice,
    /// As it is meant to be.
    #[default]
    Thief,
    /// Less of everything.
    Ghost,
}

impl Difficulty {
    /// All, from easy to hard.
    pub const ALL: [Self; 3] = [Self::Apprentice, Self::Thief, Self::Ghost];

    /// As a name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apprentice => "apprentice",
            Self::Thief => "thief",
            Self::Ghost => "ghost",
        }
    }
}

impl Rules {
    /// The table that the game is played with.
    pub fn standard() -> Arc<Self> {
        static STANDARD: OnceLock<Arc<Rules>> = OnceLock::new();
        let read = || Self::from_ron(TABLE).expect("a test reads assets/rules.ron");
        Arc::clone(STANDARD.get_or_init(|| Arc::new(read())))
    }

    /// Reads and checks a table.
    ///
    /// # Errors
    /// If it can not be read, or a number is out of its range: the error names it.
    pub fn from_ron(text: &str) -> Result<Self, RulesError> {
        let rules: Self =
            ron::from_str(text).map_err(|error| RulesError::Syntax(error.to_string()))?;
        rules.validate()?;
        Ok(rules)
    }

    /// A number that another table hardly ever has: replays are bound to their rules.
    pub fn fingerprint(&self) -> u32 {
        // The standard encoding of values that have just been read can not fail.
        crc32fast::hash(&postcard::to_stdvec(self).unwrap_or_default())
    }

    /// What a kind of guard is like.
    pub fn guard(&self, kind: GuardKind) -> &GuardRules {
        &self.guards[kind]
    }

    /// The numbers of a difficulty.
    pub fn difficulty(&self, difficulty: Difficulty) -> &DifficultyRules {
        match difficulty {
            Difficulty::Apprentice => &self.difficulty.apprentice,
            Difficulty::Thief => &self.difficulty.thief,
            Difficulty::Ghost => &self.difficulty.ghost,
        }
    }

    /// The light of a lamp.
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
    fn the_table_is_in_order() {
        let rules = Rules::from_ron(TABLE).expect("assets/rules.ron");
        assert_eq!(rules, *Rules::standard());
    }

    #[test]
    fn tables_that_differ_in_one_number_have_other_fingerprints() {
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
