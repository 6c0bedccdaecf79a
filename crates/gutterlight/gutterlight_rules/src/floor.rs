//! A floor of the keep, with everything on it.

mod alarm;
mod twist;

use glam::IVec2;
use lanternfell_lightgrid::LightBand;
use serde::{Deserialize, Serialize};

pub use alarm::{Alarm, MOST_BELLS};
pub use twist::Twist;

use crate::{Door, Fixture, FixtureKind, Guard, GuardId, Item, Placed, Plane, Tile};

/// The number of floors of the keep.
pub const FLOORS: usize = 5;

/// The theme of a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Theme {
    /// Store rooms under the gate: stone, doors, gravel.
    Cellars,
    /// Flooded halls and cisterns.
    Cistern,
    /// Carpets, curtains, stained windows, a barracks.
    Chapel,
    /// Caves with fungus and crystals.
    Catacombs,
    /// The floor of the Ember.
    Sanctum,
}

impl Theme {
    /// The name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cellars => "the Cellars",
            Self::Cistern => "the Drowned Cistern",
            Self::Chapel => "the Chapel",
            Self::Catacombs => "the Catacombs",
            Self::Sanctum => "the Sanctum",
        }
    }
}

/// Smoke in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Smoke {
    /// The cell.
    pub at: IVec2,
    /// The density, from 1 to 100.
    pub density: u8,
}

/// Oil on the floor, which may burn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oil {
    /// The cell.
    pub at: IVec2,
    /// The remaining ticks that it burns; 0 if it does not burn.
    pub burns: u16,
}

/// What the thief remembers of a cell. Creatures are not remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The tile.
    pub tile: Tile,
    /// The lamp in the cell, and whether it was lit.
    pub fixture: Option<(FixtureKind, bool)>,
    /// The item in the cell.
    pub item: Option<Item>,
    /// The light band of the cell.
    pub band: LightBand,
}

/// A floor of the keep, with everything on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// The theme of the floor.
    pub theme: Theme,
    /// The tile of each cell. The border is solid.
    pub tiles: Plane<Tile>,
    /// The cell of [`Tile::StairsUp`].
    pub up: IVec2,
    /// The cell of [`Tile::StairsDown`]. The last floor has none.
    pub down: Option<IVec2>,
    /// The lights that are part of the keep.
    pub fixtures: Vec<Fixture>,
    /// The items on the floor.
    pub items: Vec<Placed>,
    /// The guards, standing or on the ground.
    pub guards: Vec<Guard>,
    /// Smoke, at most one entry for each cell.
    pub smoke: Vec<Smoke>,
    /// Oil and fire, at most one entry for each cell.
    pub oil: Vec<Oil>,
    /// The time at which the thief was last in each cell, in ticks; 0 for never.
    pub scent: Plane<u32>,
    /// What the thief remembers of each cell.
    pub memory: Plane<Option<Memory>>,
    /// The time at which the thief last left the floor, in ticks.
    pub left: u32,
    /// The alarm of the floor.
    pub alarm: Alarm,
    /// The twist of the floor, if it has one.
    pub twist: Option<Twist>,
}

impl Floor {
    /// An empty floor.
    pub fn new(theme: Theme, tiles: Plane<Tile>, up: IVec2, down: Option<IVec2>) -> Self {
        let (width, height) = (tiles.width(), tiles.height());
        Self {
            theme,
            tiles,
            up,
            down,
            fixtures: Vec::new(),
            items: Vec::new(),
            guards: Vec::new(),
            smoke: Vec::new(),
            oil: Vec::new(),
            scent: Plane::new(width, height, 0),
            memory: Plane::new(width, height, None),
            left: 0,
            alarm: Alarm::default(),
            twist: None,
        }
    }

    /// A cell of the border that could be passed, if there is one.
    pub(crate) fn gap(&self) -> Option<IVec2> {
        let last = IVec2::new(self.tiles.width(), self.tiles.height()) - IVec2::ONE;
        let border = |at: IVec2| at.x == 0 || at.y == 0 || at.x == last.x || at.y == last.y;
        let opens = |tile: Tile| tile.is_passable() || tile == Tile::Door(Door::Locked);
        let mut cells = self.tiles.iter();
        cells
            .find(|&(at, &tile)| border(at) && opens(tile))
            .map(|(at, _)| at)
    }

    /// The tile of a cell; rock outside of the floor.
    #[inline]
    pub fn tile(&self, at: IVec2) -> Tile {
        self.tiles.get(at).copied().unwrap_or(Tile::Rock)
    }

    /// The fixture in a cell.
    pub fn fixture_at(&self, at: IVec2) -> Option<&Fixture> {
        self.fixtures.iter().find(|fixture| fixture.at == at)
    }

    /// The standing guard in a cell.
    pub fn guard_at(&self, at: IVec2) -> Option<GuardId> {
        let here = |guard: &Guard| guard.at == at && guard.is_standing();
        self.guards.iter().position(here).map(|id| id as GuardId)
    }

    /// The guard that lies in a cell.
    pub fn body_at(&self, at: IVec2) -> Option<GuardId> {
        let here = |guard: &Guard| guard.at == at && !guard.is_standing();
        self.guards.iter().position(here).map(|id| id as GuardId)
    }

    /// The topmost item in a cell.
    pub fn item_at(&self, at: IVec2) -> Option<Item> {
        let here = |placed: &&Placed| placed.at == at;
        self.items.iter().rev().find(here).map(|placed| placed.item)
    }

    /// The density of the smoke in a cell, from 0 to 100.
    pub fn smoke_at(&self, at: IVec2) -> u8 {
        let here = self.smoke.iter().find(|smoke| smoke.at == at);
        here.map_or(0, |smoke| smoke.density)
    }

    /// Whether a cell burns.
    pub fn fire_at(&self, at: IVec2) -> bool {
        self.oil.iter().any(|oil| oil.at == at && oil.burns > 0)
    }

    /// Whether a cell blocks the line of sight. Smoke of at least this density does too.
    pub(crate) fn blocks_sight(&self, at: IVec2, smoke: u8) -> bool {
        self.tile(at).blocks_sight() || (!self.smoke.is_empty() && self.smoke_at(at) >= smoke)
    }

    /// Whether someone could stand in a cell if it were free and doors were open.
    pub fn is_passable(&self, at: IVec2) -> bool {
        self.tile(at).is_passable()
            && !self
                .fixtures
                .iter()
                .any(|lamp| lamp.at == at && lamp.kind.is_solid())
    }

    /// Whether a step is not blocked by corners. A diagonal step needs both cells next to it to be
    /// free of solid tiles.
    pub fn corners_free(&self, from: IVec2, to: IVec2) -> bool {
        let step = to - from;
        step.x == 0
            || step.y == 0
            || !(self.tile(from + IVec2::new(step.x, 0)).is_solid()
                || self.tile(from + IVec2::new(0, step.y)).is_solid())
    }
}
