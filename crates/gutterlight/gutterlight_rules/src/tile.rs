//! What a floor is made of: what can be walked on, seen through, and heard through.

use serde::{Deserialize, Serialize};

/// What one walks on, which is what steps sound like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ground {
    /// Flagstones.
    Stone,
    /// The quietest.
    Carpet,
    /// Crunches.
    Gravel,
    /// Ankle-deep; it splashes, and keeps no scent.
    Water,
    /// The floor of a cave.
    Earth,
}

impl Ground {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Stone,
        Self::Carpet,
        Self::Gravel,
        Self::Water,
        Self::Earth,
    ];
}

/// How a door stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "they say it")]
pub enum Door {
    Open,
    Closed,
    /// Opened by the key of its floor, or a picklock.
    Locked,
}

/// What fills a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tile {
    /// Natural rock.
    Rock,
    /// Masonry.
    Wall,
    /// Something to walk on.
    Ground(Ground),
    /// A column: it stands in the way of feet, eyes and light.
    Pillar,
    /// Iron bars: eyes and light pass, feet do not.
    Bars,
    /// A stained window: eyes and some light pass, feet and most sound do not.
    Glass,
    /// A door.
    Door(Door),
    /// Cloth in a doorway: closed it stops eyes and most light, never feet.
    Curtain {
        /// Drawn aside.
        open: bool,
    },
    /// A shutter in the wall before a shaft: open, the moon shines in.
    Shutter {
        /// Light comes in.
        open: bool,
    },
    /// The way up; on the first floor, out of the keep.
    StairsUp,
    /// The way down.
    StairsDown,
}

impl Tile {
    /// Whether someone can stand here, or could if the door were open.
    pub const fn is_passable(self) -> bool {
        match self {
            Self::Ground(_)
            | Self::Door(Door::Open | Door::Closed)
            | Self::Curtain { .. }
            | Self::StairsUp
            | Self::StairsDown => true,
            Self::Rock
            | Self::Wall
            | Self::Pillar
            | Self::Bars
            | Self::Glass
            | Self::Door(Door::Locked)
            | Self::Shutter { .. } => false,
        }
    }

    /// Whether one can step here at once.
    pub const fn is_walkable(self) -> bool {
        self.is_passable() && !matches!(self, Self::Door(Door::Closed))
    }

    /// Whether it ends a line of sight.
    pub const fn blocks_sight(self) -> bool {
        match self {
            Self::Rock
            | Self::Wall
            | Self::Pillar
            | Self::Door(Door::Closed | Door::Locked)
            | Self::Curtain { open: false }
            | Self::Shutter { .. } => true,
            Self::Ground(_)
            | Self::Bars
            | Self::Glass
            | Self::Door(Door::Open)
            | Self::Curtain { open: true }
            | Self::StairsUp
            | Self::StairsDown => false,
        }
    }

    /// Whether one can not squeeze past its corner, nor throw through it.
    pub const fn is_solid(self) -> bool {
        match self {
            Self::Rock
            | Self::Wall
            | Self::Pillar
            | Self::Bars
            | Self::Glass
            | Self::Door(Door::Closed | Door::Locked)
            | Self::Shutter { .. } => true,
            Self::Ground(_)
            | Self::Door(Door::Open)
            | Self::Curtain { .. }
            | Self::StairsUp
            | Self::StairsDown => false,
        }
    }

    /// Whether no light passes it, whatever the rules say.
    pub const fn is_opaque(self) -> bool {
        matches!(
            self,
            Self::Rock
                | Self::Wall
                | Self::Pillar
                | Self::Shutter { .. }
                | Self::Door(Door::Closed | Door::Locked)
        )
    }

    /// What steps on it sound like; stone where nobody walks.
    pub const fn ground(self) -> Ground {
        match self {
            Self::Ground(ground) => ground,
            Self::Curtain { .. } => Ground::Carpet,
            _ => Ground::Stone,
        }
    }

    /// As a noun with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rock => "rock",
            Self::Wall => "a wall",
            Self::Ground(Ground::Stone) => "a stone floor",
            Self::Ground(Ground::Carpet) => "a carpet",
            Self::Ground(Ground::Gravel) => "gravel",
            Self::Ground(Ground::Water) => "shallow water",
            Self::Ground(Ground::Earth) => "bare earth",
            Self::Pillar => "a pillar",
            Self::Bars => "iron bars",
            Self::Glass => "a stained window",
            Self::Door(Door::Open) => "an open door",
            Self::Door(Door::Closed) => "a door",
            Self::Door(Door::Locked) => "a locked door",
            Self::Curtain { open: true } => "a curtain, drawn aside",
            Self::Curtain { open: false } => "a curtain",
            Self::Shutter { open: true } => "an open shutter",
            Self::Shutter { open: false } => "a shutter",
            Self::StairsUp => "stairs up",
            Self::StairsDown => "stairs down",
        }
    }
}
