//! Tiles: what a cell is made of, and whether feet, eyes and light pass it.

use serde::{Deserialize, Serialize};

/// A kind of ground. It determines the sound of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ground {
    /// Flagstones.
    Stone,
    /// The quietest ground.
    Carpet,
    /// Crunches underfoot.
    Gravel,
    /// Ankle-deep water. Splashes, and holds no scent.
    Water,
    /// The earth floor of a cave.
    Earth,
}

impl Ground {
    /// All kinds of ground, in declaration order.
    pub const ALL: [Self; 5] = [
        Self::Stone,
        Self::Carpet,
        Self::Gravel,
        Self::Water,
        Self::Earth,
    ];
}

/// The state of a door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum Door {
    Open,
    Closed,
    /// Opens with the floor's key or a picklock.
    Locked,
}

/// What a cell is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tile {
    /// Natural rock.
    Rock,
    /// Masonry.
    Wall,
    /// A floor to walk on.
    Ground(Ground),
    /// A column. Blocks feet, sight and light.
    Pillar,
    /// Iron bars. Block feet, but not sight, and let most light pass.
    Bars,
    /// A stained window. Blocks feet and most sound, but not sight, and lets some light pass.
    Glass,
    /// A door.
    Door(Door),
    /// A curtain in a doorway. Never blocks feet. When closed, it blocks sight and most light.
    Curtain {
        /// Whether it is open.
        open: bool,
    },
    /// A shutter in the wall next to a shaft. When open, moonlight falls in.
    Shutter {
        /// Whether it is open.
        open: bool,
    },
    /// The stairs up. On the first floor they lead out of the keep.
    StairsUp,
    /// The stairs down.
    StairsDown,
}

impl Tile {
    /// Whether someone can stand here once doors are open. Locked doors do not count as passable.
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

    /// Whether someone can step here now.
    pub const fn is_walkable(self) -> bool {
        self.is_passable() && !matches!(self, Self::Door(Door::Closed))
    }

    /// Whether it blocks the line of sight.
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

    /// Whether it blocks diagonal steps past its corner, and thrown items.
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

    /// Whether it blocks all light, independent of the rules.
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

    /// The ground that determines the sound of steps; stone for tiles that cannot be walked on.
    pub const fn ground(self) -> Ground {
        match self {
            Self::Ground(ground) => ground,
            Self::Curtain { .. } => Ground::Carpet,
            _ => Ground::Stone,
        }
    }

    /// The name in English, as a noun with its article.
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
            Self::Curtain { open: true } => "an open curtain",
            Self::Curtain { open: false } => "a curtain",
            Self::Shutter { open: true } => "an open shutter",
            Self::Shutter { open: false } => "a shutter",
            Self::StairsUp => "stairs up",
            Self::StairsDown => "stairs down",
        }
    }
}
