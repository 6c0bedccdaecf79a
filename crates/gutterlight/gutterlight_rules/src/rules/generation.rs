//! The rules for generating floors. `assets/rules.ron` explains each number.

use serde::{Deserialize, Serialize};

use crate::{GuardKind, Theme, Tool};

/// How floors are laid out and filled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct GenerationRules {
    pub layout: LayoutRules,
    pub lamps: LampRules,
    pub posts: PostRules,
    pub finds: FindRules,
    pub caves: CaveRules,
    pub ways: WayRules,
    pub cellars: CellarsRules,
    pub cistern: CisternRules,
    pub chapel: ChapelRules,
    pub catacombs: CatacombsRules,
    pub sanctum: SanctumRules,
}

/// A minimum and a maximum, both inclusive.
pub type Span = (i32, i32);

/// A size in cells: from west to east, and from north to south.
pub type Size = (i32, i32);

/// The outline of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "generate/shape.rs draws each of them")]
pub enum Outline {
    Block,
    Corner,
    Cross,
    Round,
    Stalls,
    Colonnade,
    Cloister,
}

/// A kind of room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoomRules {
    /// Its outline.
    pub outline: Outline,
    /// The minimum size.
    pub low: Size,
    /// The maximum size.
    pub high: Size,
    /// The distance between pillars in a colonnade; the width of the walk in a cloister.
    pub spacing: i32,
}

/// The great room of a floor. It is as large as the map allows, within these limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GreatRoomRules {
    /// The size in percent of the map's sides.
    pub share: Size,
    /// The minimum size.
    pub low: Size,
    /// The maximum size.
    pub high: Size,
    /// The distance between pillars.
    pub spacing: i32,
}

/// How rooms are added next to existing rooms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthRules {
    /// How many rooms in a row may fail to fit before growth ends.
    pub misses: u32,
    /// The percentage of rooms that are entered through a corridor.
    pub corridors: u32,
    /// The length of these corridors, in cells.
    pub length: Span,
    /// The number of map cells for each room, which limits the number of rooms. Corridors count as
    /// rooms.
    pub each: i32,
}

/// Which tunnels are dug to close loops.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopRules {
    /// The minimum length of the existing way around, in steps.
    pub detour: u32,
    /// The maximum length of the tunnel, in cells.
    pub tunnel: i32,
    /// The maximum number of tunnels.
    pub most: usize,
}

/// A number of things: `least`, plus one for each `each` cells of the map unless `each` is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the docs of the type explain them")]
pub struct CountRules {
    pub least: i32,
    pub each: i32,
}

impl CountRules {
    /// The number of things on a map of `area` cells.
    pub fn on(&self, area: i32) -> i32 {
        self.least + area.checked_div(self.each).unwrap_or(0)
    }
}

/// The rules that every theme has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct ThemeRules {
    pub rooms: Vec<(u32, RoomRules)>,
    pub loops: LoopRules,
    pub doors: u32,
    pub curtains: u32,
    pub window_each: i32,
    pub shutter_each: i32,
    pub fungus: CountRules,
    pub crystals: CountRules,
}

/// The layout rules that all floors share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct LayoutRules {
    pub first_each: i32,
    pub gaps: GrowthRules,
    pub closet: RoomRules,
    pub barracks: RoomRules,
    pub barracks_way: Span,
    pub entrance: RoomRules,
    pub landing: Span,
    pub landing_far: u32,
    pub niche_each: i32,
    pub open_shutters: u32,
    pub window: Span,
    pub landmarks: Span,
}

/// Where lamps are placed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct LampRules {
    pub hall: u32,
    pub corridors: u32,
    pub corridor_cells: usize,
    pub on_the_way: u32,
    pub aside: u32,
    pub sconce_cells: usize,
    pub sconces: usize,
    pub corridor_sconces: usize,
    pub sconces_apart: u32,
    pub lights_apart: u32,
    pub brazier_off_goal: u32,
}

/// Where guards are posted and where they patrol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct PostRules {
    pub room_cells: usize,
    pub corridor_cells: usize,
    pub near: usize,
    pub route: Span,
    pub route_least: usize,
    pub hound_route_least: usize,
    pub lamplighter_route: usize,
    pub beds: usize,
    pub watch: (u32, u32),
    pub sentries_apart: u32,
    pub exchanges: Span,
    pub exchanged: Vec<(GuardKind, GuardKind)>,
    pub opening_exchanged: Vec<(GuardKind, GuardKind)>,
}

/// Which items are placed, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct FindRules {
    pub tools: Vec<(u32, Tool)>,
    pub two: u32,
    pub vault_tools: Vec<(Tool, u8)>,
    pub more_torches: u32,
    pub watched_treasure: Span,
    pub other_treasure: Span,
    pub other_each: u32,
    pub room_cells: usize,
    pub dead_end: u64,
    pub crowded: u64,
    pub key_rooms: usize,
}

/// How caves are generated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct CaveRules {
    pub rock: u32,
    pub rounds: u32,
    pub least: usize,
    pub pillar_each: u64,
    pub part: u32,
}

/// Requirements for the path between the stairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct WayRules {
    pub least: u32,
    pub ends: usize,
}

/// The Cellars.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct CellarsRules {
    pub theme: ThemeRules,
    pub growth: GrowthRules,
    pub hall: RoomRules,
    pub store_cells: usize,
    pub stores: u32,
    pub plain: u32,
    pub corridors: u32,
    pub gravel: u32,
}

/// The Drowned Cistern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct CisternRules {
    pub theme: ThemeRules,
    pub growth: GrowthRules,
    pub basin: GreatRoomRules,
    pub pool: RoomRules,
    pub halls: u32,
    pub plain: u32,
    pub corridors: u32,
}

/// The Chapel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct ChapelRules {
    pub theme: ThemeRules,
    pub growth: GrowthRules,
    pub nave: GreatRoomRules,
    pub plain_nave: u32,
    pub chapels: GrowthRules,
    pub chapel: RoomRules,
    pub garth: RoomRules,
    pub plain: u32,
    pub corridors: u32,
    pub aisle: i32,
}

/// The Catacombs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct CatacombsRules {
    pub theme: ThemeRules,
    pub crypt_each: i32,
    pub barracks: RoomRules,
    pub pool_each: i32,
    pub pool: Span,
}

/// The Sanctum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct SanctumRules {
    pub theme: ThemeRules,
    pub growth: GrowthRules,
    pub hall: GreatRoomRules,
    pub margin: Size,
    pub between: i32,
    pub shut_sides: Span,
    pub gates: u32,
    pub gates_apart: u32,
    pub carpet: u32,
    pub gravel: u32,
    pub water: u32,
}

impl GenerationRules {
    /// The theme rules of a theme.
    pub fn theme(&self, theme: Theme) -> &ThemeRules {
        match theme {
            Theme::Cellars => &self.cellars.theme,
            Theme::Cistern => &self.cistern.theme,
            Theme::Chapel => &self.chapel.theme,
            Theme::Catacombs => &self.catacombs.theme,
            Theme::Sanctum => &self.sanctum.theme,
        }
    }
}
