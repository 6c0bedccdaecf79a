//! The sections of the rules. `assets/rules.ron` explains each number.

use std::collections::BTreeMap;

use lanternfell_lightgrid::LightBands;
use serde::{Deserialize, Serialize};

use super::guards::Posting;
use crate::{Ground, GuardKind, Theme};

/// How light spreads, and the brightness of light sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct LightRules {
    pub radius: f32,
    pub tolerance: f32,
    pub bands: LightBands,
    pub torch: Color,
    pub sconce: Color,
    pub brazier: Color,
    pub fungus: Color,
    pub crystal: Color,
    pub moonlight: Color,
    pub fire: Color,
    pub ember: Color,
    pub embers: Color,
}

/// Linear red, green and blue; 1 is full light.
pub type Color = [f32; 3];

/// How far the thief sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct SightRules {
    pub thief: u32,
    pub touch: u32,
    pub cat_eyes: u32,
    pub smoke: u8,
}

/// How loud everything is, and what muffles sound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct NoiseRules {
    pub door_muffles: u16,
    pub curtain_muffles: u16,
    pub glass_muffles: u16,
    pub walk: u16,
    pub sneak: u16,
    pub run: u16,
    pub stone: u16,
    pub carpet: u16,
    pub gravel: u16,
    pub water: u16,
    pub earth: u16,
    pub guard_walk: u16,
    pub guard_run: u16,
    pub paws: u16,
    pub voice: u16,
    pub call: u16,
    pub howl: u16,
    pub door: u16,
    pub curtain: u16,
    pub lock: u16,
    pub picklock: u16,
    pub shutter: u16,
    pub takedown: u16,
    pub fight: u16,
    pub fall: u16,
    pub shove: u16,
    pub flame: u16,
    pub hiss: u16,
    pub glass: u16,
    pub pebble: u16,
    pub burst: u16,
    pub pick_up: u16,
    pub thief_hears: u16,
    pub trumpet_hears: u16,
}

/// The thief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct ThiefRules {
    pub health: i16,
    pub nerve: i16,
    pub nerve_falls: i16,
    pub nerve_returns: i16,
    pub nerve_reach: u32,
    pub nerve_rests: i16,
    pub nerve_rested: i16,
    pub nerve_noise: u16,
    pub breath: i16,
    pub breath_returns: i16,
    pub walk_ticks: u16,
    pub sneak_ticks: u16,
    pub run_ticks: u16,
    pub slots: u8,
    pub fuel: u16,
    pub fuel_start: u16,
    pub fuel_low: u16,
    pub light_ticks: u16,
    pub light_fuel: u16,
    pub embers: u16,
    pub cloth: u16,
    pub hit: u32,
    pub damage: i16,
    pub takedown_sleep: u16,
    pub throw: u32,
}

/// The effects of tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct ToolRules {
    pub oil_fuel: u16,
    pub oil_radius: u32,
    pub oil_burns: u16,
    pub fire_damage: i16,
    pub water_radius: u32,
    pub water_cloth: u16,
    pub smoke_radius: u32,
    pub smoke_density: u8,
    pub smoke_fades: u8,
    pub dart_sleep: u16,
    pub trumpet_ticks: u16,
    pub salve_heals: i16,
    pub salve_nerve: i16,
    pub blink_reach: u32,
    pub picklock_beats: u16,
    pub pebbles: u8,
    pub stack: u8,
    pub lantern_out: u16,
}

/// The effects of perks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct PerkRules {
    pub light_feet: u16,
    pub thick_skin: i16,
    pub wet_cloth: u16,
}

/// How the awareness of guards grows and fades.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct AwarenessRules {
    pub suspicious: u16,
    pub investigating: u16,
    pub beside: u16,
    pub dim: u16,
    pub lit: u16,
    pub blazing: u16,
    pub corner_of_eye: u16,
    pub far: u16,
    pub heard: u16,
    pub fades: u16,
    pub vigilant: u16,
    pub suspicious_ticks: u16,
    pub searching_ticks: u16,
    pub alarmed_search_ticks: u16,
    pub lost_ticks: u16,
    pub search_radius: u32,
    pub glance: u32,
    pub glance_ticks: u16,
    pub lamplighter: u32,
    pub miss_reach: u32,
    pub smell_reach: u32,
    pub trail_ticks: u32,
    pub follow_ticks: u16,
}

/// A kind of guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct GuardRules {
    pub health: i16,
    pub damage: i16,
    pub hit: u32,
    pub sight: [u32; 4],
    pub cone: u32,
    pub hearing: u16,
    pub calm_ticks: u16,
    pub search_ticks: u16,
    pub chase_ticks: u16,
    pub strike_ticks: u16,
    pub lantern: bool,
    pub light: Color,
    pub eyes: bool,
    pub nose: bool,
    pub sure_by_ear: bool,
    pub hands: bool,
    pub relights: bool,
    pub fights: bool,
    pub heavy: bool,
    pub beast: bool,
    pub posting: Posting,
}

/// The size of floors, and how often to retry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct MapRules {
    pub width: u32,
    pub height: u32,
    pub attempts: u32,
    pub corridor: u32,
}

/// The conditions that a generated floor must meet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct ProofRules {
    pub lit_share: u32,
    pub detour: u32,
    pub guard_distance: u32,
    pub fuel_share: u32,
}

/// The contents of a floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct FloorRules {
    pub theme: Theme,
    pub guards: BTreeMap<GuardKind, u32>,
    pub asleep: u32,
    pub sconces: u32,
    pub braziers: u32,
    pub tools: u32,
    pub treasures: u32,
    pub treasure: u16,
    pub torches: u32,
    pub torch_fuel: u16,
    pub cloth: u32,
    pub vaults: u32,
}

/// The rules for the three difficulties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are named after the difficulties")]
pub struct DifficultyTable {
    pub apprentice: DifficultyRules,
    pub thief: DifficultyRules,
    pub ghost: DifficultyRules,
}

/// A difficulty, in percent of the standard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct DifficultyRules {
    pub fuel: u32,
    pub sight: u32,
    pub hearing: u32,
    pub damage: u32,
    pub score: u32,
}

/// The scripted opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct OpeningRules {
    pub steps: u16,
    pub gutters: u16,
    pub dark: u16,
    pub silence: u16,
    pub far: u16,
    pub near: u16,
    pub glow: u16,
    pub guttering: u32,
    pub light_ahead: [f32; 3],
}

/// Points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct ScoreRules {
    pub floor: u32,
    pub ember: u32,
    pub escape: u32,
    pub unseen: u32,
    pub rescue: u32,
    pub turned_back: u32,
    pub seen: u32,
    pub kill: u32,
    pub burden: u32,
}

/// How guards act and move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct BehaviorRules {
    pub deep_sleep: u16,
    pub unmistakable: u16,
    pub smelt: u16,
    pub most_vigilance: u8,
    pub alarm_vigilance: u8,
    pub alert_cone: u32,
    pub calmed: u16,
    pub lost_way: u16,
    pub lost_chase: u16,
    pub search_tries: u32,
    pub walk_round: u32,
    pub door: u32,
    pub detour: usize,
}

/// The alarm of a floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct AlarmRules {
    pub bell_ticks: u32,
    pub seen: u32,
    pub found: u32,
    pub sharper: u32,
    pub spare_sconces: u32,
    pub hunter_ticks: u16,
    pub told_ticks: u16,
    pub stairs_ticks: u16,
}

/// The end of the night.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct NightRules {
    pub dawn: u32,
    pub late: u32,
    pub hunters: u32,
    pub daylight: u32,
}

/// Takedowns, shoves and fights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct CombatRules {
    pub behind: u32,
    pub shove_ticks: u16,
    pub warden_sleep: u16,
    pub aware_sleep: u16,
    pub leap: u32,
    pub make_way: u32,
}

/// The noise in the scripted opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct OpeningNoiseRules {
    pub nearest: u16,
    pub farthest: u16,
}

/// What tiles and smoke do to light.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct MaterialRules {
    pub rock: Color,
    pub wall: Color,
    pub door: Color,
    pub glass: Color,
    pub curtain: (f32, f32),
    pub bars: (f32, f32),
    pub smoke: f32,
}

impl NoiseRules {
    /// The reach of the loudest sound, in tenths of a cell. The reach of guards' steps is limited
    /// to it, for any ground.
    pub fn farthest(&self) -> u16 {
        let loud = [
            self.call,
            self.howl,
            self.voice,
            self.fight,
            self.burst,
            self.glass,
            self.pebble,
            self.guard_run,
            self.run,
        ];
        loud.into_iter().max().unwrap_or(0)
    }

    /// How loud steps on a ground are, in percent.
    pub fn ground(&self, ground: Ground) -> u16 {
        match ground {
            Ground::Stone => self.stone,
            Ground::Carpet => self.carpet,
            Ground::Gravel => self.gravel,
            Ground::Water => self.water,
            Ground::Earth => self.earth,
        }
    }
}
