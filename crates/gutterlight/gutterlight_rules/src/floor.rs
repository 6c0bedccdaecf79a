//! One floor of the keep, with everything on it.

mod alarm;
mod twist;

use glam::IVec2;
use lanternfell_lightgrid::LightBand;
use serde::{Deserialize, Serialize};

pub use alarm::{Alarm, MOST_BELLS};
pub use twist::Twist;

use crate::{Door, Fixture, FixtureKind, Guard, GuardId, Item, Placed, Plane, Tile};

/// Floors of the keep.
pub const FLOORS: usize = 5;

/// What a floor was once built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Theme {
    /// Store rooms under the gate: stone, doors, barrels of gravel.
    Cellars,
    /// Flooded halls and cisterns.
    Cistern,
    /// Carpets, curtains, stained windows, a barracks.
    Chapel,
    /// Caves with fungus and crystals.
    Catacombs,
    /// Where the Ember burns.
    Sanctum,
}

impl Theme {
    /// As a name.
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
    /// Where.
    pub at: IVec2,
    /// How thick, from 1 to 100.
    pub density: u8,
}

/// Oil on the ground; or fire, once it burns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oil {
    /// Where.
    pub at: IVec2,
    /// For how many more ticks it burns; 0 as long as it does not.
    pub burns: u16,
}

/// What the thief remembers of a cell: no creatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// What fills it.
    pub tile: Tile,
    /// The lamp in it, and whether it burnt.
    pub fixture: Option<(FixtureKind, bool)>,
    /// What lay there.
    pub item: Option<Item>,
    /// How lit it was.
    pub band: LightBand,
}

/// One floor of the keep, with everything on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// What it was built for.
    pub theme: Theme,
    /// What fills each cell. Rock or walls all around the border.
    pub tiles: Plane<Tile>,
    /// Where the stairs up arrive: the cell of [`Tile::StairsUp`].
    pub up: IVec2,
    /// The cell of [`Tile::StairsDown`]; the last floor has none.
    pub down: Option<IVec2>,
    /// The lights of the keep.
    pub fixtures: Vec<Fixture>,
    /// What lies about.
    pub items: Vec<Placed>,
    /// The guards, standing and lying.
    pub guards: Vec<Guard>,
    /// Smoke, at most one to a cell.
    pub smoke: Vec<Smoke>,
    /// Oil and fire, at most one to a cell.
    pub oil: Vec<Oil>,
    /// When the thief was last in each cell, in ticks of the game; 0 for never.
    pub scent: Plane<u32>,
    /// What the thief remembers.
    pub memory: Plane<Option<Memory>>,
    /// The tick at which the thief left it.
    pub left: u32,
    /// How frightened it is.
    pub alarm: Alarm,
    /// What is other on it than its theme says.
    pub twist: Option<Twist>,
}

impl Floor {
    /// A floor with nothing on it yet.
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

    /// A cell of the border that somebody might get through, if there is one.
    pub(crate) fn gap(&self) -> Option<IVec2> {
        let last = IVec2::new(self.tiles.width(), self.tiles.height()) - IVec2::ONE;
        let border = |at: IVec2| at.x == 0 || at.y == 0 || at.x == last.x || at.y == last.y;
        let opens = |tile: Tile| tile.is_passable() || tile == Tile::Door(Door::Locked);
        let mut cells = self.tiles.iter();
        cells
            .find(|&(at, &tile)| border(at) && opens(tile))
            .map(|(at, _)| at)
    }

    /// What fills a cell; rock outside.
    #[inline]
    pub fn tile(&self, at: IVec2) -> Tile {
        self.tiles.get(at).copied().unwrap_or(Tile::Rock)
    }

    /// The lamp in a cell.
    pub fn fixture_at(&self, at: IVec2) -> Option<&Fixture> {
        self.fixtures.iter().find(|fixture| fixture.at == at)
    }

    /// The guard that stands in a cell.
    pub fn guard_at(&self, at: IVec2) -> Option<GuardId> {
        let here = |guard: &Guard| guard.at == at && guard.is_standing();
        self.guards.iter().position(here).map(|id| id as GuardId)
    }

    /// Whoever lies in a cell.
    pub fn body_at(&self, at: IVec2) -> Option<GuardId> {
        let here = |guard: &Guard| guard.at == at && !guard.is_standing();
        self.guards.iter().position(here).map(|id| id as GuardId)
    }

    /// What lies on top in a cell.
    pub fn item_at(&self, at: IVec2) -> Option<Item> {
        let here = |placed: &&Placed| placed.at == at;
        self.items.iter().rev().find(here).map(|placed| placed.item)
    }

    /// How thick the smoke in a cell is, from 0 to 100.
    pub fn smoke_at(&self, at: IVec2) -> u8 {
        let here = self.smoke.iter().find(|smoke| smoke.at == at);
        here.map_or(0, |smoke| smoke.density)
    }

    /// Whether fire burns in a cell.
    pub fn fire_at(&self, at: IVec2) -> bool {
        self.oil.iter().any(|oil| oil.at == at && oil.burns > 0)
    }

    /// Whether a cell ends a line of sight: smoke that is so thick, percent, does too.
    pub(crate) fn blocks_sight(&self, at: IVec2, smoke: u8) -> bool {
        self.tile(at).blocks_sight() || (!self.smoke.is_empty() && self.smoke_at(at) >= smoke)
    }

    /// Whether feet could stand in a cell, if nobody stood there and doors were open.
    pub fn is_passable(&self, at: IVec2) -> bool {
        self.tile(at).is_passable()
            && !self
                .fixtures
                .iter()
                .any(|lamp| lamp.at == at && lamp.kind.is_solid())
    }

    /// Whether the corners on a step's way are free: a diagonal step needs both cells
    /// beside it to be.
    pub fn corners_free(&self, from: IVec2, to: IVec2) -> bool {
        let step = to - from;
        step.x == 0
            || step.y == 0
            || !(self.tile(from + IVec2::new(step.x, 0)).is_solid()
                || self.tile(from + IVec2::new(0, step.y)).is_solid())
    }
}
