//! Chooses the sprite for types of the rules.
//!
//! A cell of the map is drawn as two layers: [`Picture::of_tile`], which fills it, and
//! [`Picture::of_trim`], which some cells have. The fixture, the item and the figure of the cell
//! follow on top.
//!
//! `frame` is any increasing number. Each sprite uses it modulo its number of animation frames.

use gutterlight_rules::{
    AlertState, Direction, Ember, FixtureKind, Ground, GuardKind, IVec2, Item, LightBand, Perk,
    SeenGuard, Theme, Thief, Tile, Tool,
};

use super::{
    canvas::hash,
    edge::Edge,
    effect::Effect,
    figure::Facing,
    fixture::{FLICKERS, Lamp},
    ground::Patch,
    guard,
    icon::Icon,
    item::Thing,
    landmark::Landmark,
    mask::Mask,
    opening::{Barrier, Opening},
    picture::{Picture, Subject},
    thief::{self, Held},
    wall::{self, Block, Stuff},
};

impl Picture {
    /// The sprite that fills a cell: a wall, or the ground, also under doors and pillars.
    ///
    /// `known` returns the tile of other cells, as far as the player knows them. Unknown cells
    /// count as wall and show no edge.
    pub fn of_tile(
        tile: Tile,
        theme: Theme,
        at: IVec2,
        known: impl Fn(IVec2) -> Option<Tile>,
        frame: u32,
    ) -> Self {
        let stuff = match tile {
            Tile::Rock => Some(Stuff::Rock),
            Tile::Wall | Tile::Shutter { .. } => Some(Stuff::Masonry(theme)),
            _ => None,
        };
        let bits = hash(at.x, at.y, 1);
        Self::Plain(if let Some(stuff) = stuff {
            let mask = Mask::of(|way| shows_edge(way, known(at + way.step())));
            // Few blocks use the other variant.
            let variant = u8::from(bits.is_multiple_of(8)) % wall::VARIANTS;
            Subject::Wall(Block::new(stuff, mask, variant))
        } else {
            // Most cells use the plain variant.
            let variant = match bits % 16 {
                0..9 => 0,
                9..13 => 1,
                13..15 => 2,
                _ => 3,
            };
            let ground = ground_under(tile, at, known);
            Subject::Ground(Patch::new(ground, theme, variant, frame))
        })
    }

    /// The sprite drawn on top: a door, a pillar, stairs, or the border of a carpet. `None` if
    /// there is none.
    pub fn of_trim(
        tile: Tile,
        theme: Theme,
        at: IVec2,
        known: impl Fn(IVec2) -> Option<Tile>,
    ) -> Option<Self> {
        let barrier = |barrier| {
            if runs_across(at, &known) {
                Subject::Opening(Opening::Across(barrier))
            } else {
                Subject::Opening(Opening::Along(barrier, theme))
            }
        };
        let subject = match tile {
            Tile::Rock | Tile::Wall => return None,
            Tile::Ground(ground) => Subject::Edge(edge(ground, at, known)?),
            Tile::Pillar => Subject::Landmark(Landmark::Pillar(theme)),
            Tile::StairsUp => Subject::Landmark(Landmark::StairsUp(theme)),
            Tile::StairsDown => Subject::Landmark(Landmark::StairsDown(theme)),
            Tile::Bars => barrier(Barrier::Bars),
            Tile::Glass => barrier(Barrier::Glass),
            Tile::Door(door) => barrier(Barrier::Door(door)),
            Tile::Curtain { open } => barrier(Barrier::Curtain { open }),
            Tile::Shutter { open } => {
                let is_open = |way: &Direction| {
                    let neighbor = known(at + way.step());
                    neighbor.is_some_and(|tile| !is_wall(tile))
                };
                // South is preferred, because it shows the front of the shutter.
                let ways = [
                    Direction::South,
                    Direction::East,
                    Direction::West,
                    Direction::North,
                ];
                let side = ways.into_iter().find(is_open)?;
                Subject::Opening(Opening::Shutter { open, side })
            }
        };
        Some(Self::Plain(subject))
    }

    /// The sprite of a light of the keep. `None` for moonlight that is shut out.
    ///
    /// Draw it with an offset of [`Picture::shift`].
    pub fn of_fixture(
        kind: FixtureKind,
        burning: bool,
        at: IVec2,
        known: impl Fn(IVec2) -> Option<Tile>,
        frame: u32,
    ) -> Option<Self> {
        let flame = burning.then_some((frame % u32::from(FLICKERS)) as u8);
        let shape = (hash(at.x, at.y, 2) % 2) as u8;
        let lamp = match kind {
            FixtureKind::Sconce => {
                let has_wall = |way: &Direction| known(at + way.step()).is_some_and(is_wall);
                let ways = [
                    Direction::North,
                    Direction::East,
                    Direction::West,
                    Direction::South,
                ];
                let side = ways.into_iter().find(has_wall);
                Lamp::Sconce {
                    side: side.unwrap_or_default(),
                    flame,
                }
            }
            FixtureKind::Brazier => Lamp::Brazier(flame),
            FixtureKind::Fungus => Lamp::Fungus(shape),
            FixtureKind::Crystal => Lamp::Crystal((frame % 2) as u8),
            FixtureKind::Moonlight if burning => Lamp::Moonlight,
            FixtureKind::Moonlight => return None,
        };
        Some(Self::Plain(Subject::Fixture(lamp)))
    }

    /// The offset of a sprite from its cell in pixels, to the east and south. A sconce on the wall
    /// to the north is drawn on the face of that wall.
    pub fn shift(self) -> IVec2 {
        let (Self::Plain(subject) | Self::Outline(subject)) = self;
        match subject {
            Subject::Fixture(Lamp::Sconce {
                side: Direction::North,
                ..
            }) => IVec2::new(0, -(super::CELL as i32)),
            _ => IVec2::ZERO,
        }
    }

    /// The position of the tip of the flame relative to the center of its cell in pixels, to the
    /// east and south. `None` if nothing burns.
    pub const fn flame(self) -> Option<IVec2> {
        let Self::Plain(subject) = self else {
            return None;
        };
        Some(match subject {
            Subject::Fixture(Lamp::Sconce {
                side,
                flame: Some(_),
            }) => match side {
                Direction::North => IVec2::new(0, -21),
                Direction::East => IVec2::new(3, -7),
                Direction::West => IVec2::new(-3, -7),
                _ => IVec2::new(0, -1),
            },
            Subject::Fixture(Lamp::Brazier(Some(_))) => IVec2::new(0, -7),
            Subject::Item(Thing::Torch(Some(_))) => IVec2::new(3, -7),
            Subject::Item(Thing::Ember(_)) => IVec2::ZERO,
            Subject::Effect(Effect::Fire(_)) => IVec2::new(0, -2),
            Subject::Thief(pose) => return pose.flame(),
            _ => return None,
        })
    }

    /// Whether the sprite is a light itself, which is drawn at full brightness in any light.
    pub const fn glows(self) -> bool {
        let Self::Plain(subject) = self else {
            return false;
        };
        match subject {
            Subject::Fixture(lamp) => {
                !matches!(lamp, Lamp::Sconce { flame: None, .. } | Lamp::Brazier(None))
            }
            Subject::Item(Thing::Ember(_) | Thing::Torch(Some(_)))
            | Subject::Effect(Effect::Fire(_) | Effect::Flame(_) | Effect::Spark) => true,
            _ => false,
        }
    }

    /// The sprite of an item on the ground.
    pub const fn of_item(item: Item, frame: u32) -> Self {
        let moment = (frame % 2) as u8;
        let thing = match item {
            Item::Tool(stack) => Thing::Tool(stack.tool),
            Item::Torch(torch) if torch.lit => Thing::Torch(Some(moment)),
            Item::Torch(_) => Thing::Torch(None),
            Item::Key => Thing::Key,
            // In the rules, treasures are worth up to 40 on the first floor and about 150 on the
            // last.
            Item::Treasure(..25) => Thing::Treasure(0),
            Item::Treasure(25..70) => Thing::Treasure(1),
            Item::Treasure(_) => Thing::Treasure(2),
            Item::Cloth(_) => Thing::Cloth,
            Item::Prisoner => Thing::Prisoner,
            Item::Ember => Thing::Ember(moment),
        };
        Self::Plain(Subject::Item(thing))
    }

    /// The sprite of a tool, for a slot.
    pub const fn of_tool(tool: Tool) -> Self {
        Self::Plain(Subject::Item(Thing::Tool(tool)))
    }

    /// The sprite of the thief. `frame` counts the thief's steps.
    pub fn of_thief(thief: &Thief, frame: u32) -> Self {
        let held = match (thief.ember, thief.torch) {
            (Some(Ember { wrapped: false }), _) => Held::Ember,
            (_, Some(torch)) if torch.lit => Held::Torch,
            (Some(Ember { wrapped: true }), _) => Held::WrappedEmber,
            (None, Some(_)) => Held::DarkTorch,
            (None, None) => Held::Nothing,
        };
        let facing = Facing::from(thief.facing);
        let pose = thief::Pose::new(facing, frame, held, thief.cloaked);
        Self::Plain(Subject::Thief(pose))
    }

    /// The sprite of a visible guard. `frame` counts its steps.
    pub fn of_guard(guard: &SeenGuard, frame: u32) -> Self {
        let guise = guard::Guise::of(guard);
        let pose = match guard.alert_state {
            AlertState::Dead => guard::Pose::Dead(guise),
            AlertState::Unconscious => guard::Pose::Unconscious(guise),
            _ if guard.asleep => guard::Pose::Asleep(guise),
            _ => guard::Pose::up(guise, guard.lantern, guard.facing.into(), frame),
        };
        Self::Plain(Subject::Guard(pose))
    }

    /// The sprite of a kind of guard for a legend: from the front, with its light.
    pub const fn of_guard_kind(kind: GuardKind) -> Self {
        let pose = guard::Pose::up(guard::Guise::Of(kind), true, Facing::South, 0);
        Self::Plain(Subject::Guard(pose))
    }

    /// The sprite of an effect.
    pub const fn of_effect(effect: Effect) -> Self {
        Self::Plain(Subject::Effect(effect))
    }

    /// The sprite of smoke with a density from 1 to 100.
    pub const fn of_smoke(density: u8) -> Self {
        Self::of_effect(Effect::Smoke(match density {
            ..34 => 0,
            34..67 => 1,
            _ => 2,
        }))
    }

    /// An icon for the panel.
    pub const fn of_icon(icon: Icon) -> Self {
        Self::Plain(Subject::Icon(icon))
    }

    /// The sign of an alert state, drawn over a guard's head.
    pub const fn of_alert_state(alert_state: AlertState) -> Self {
        Self::of_icon(Icon::AlertState(alert_state))
    }

    /// The gem of a light band. Each band has another shape.
    pub const fn of_band(band: LightBand) -> Self {
        Self::of_icon(Icon::Band(band))
    }

    /// The icon of a perk.
    pub const fn of_perk(perk: Perk) -> Self {
        Self::Plain(Subject::Perk(perk))
    }
}

/// Whether a tile is as thick as a wall.
const fn is_wall(tile: Tile) -> bool {
    matches!(tile, Tile::Rock | Tile::Wall | Tile::Shutter { .. })
}

/// Whether a tile fills a gap in a wall.
const fn is_barrier(tile: Tile) -> bool {
    matches!(
        tile,
        Tile::Door(_) | Tile::Curtain { .. } | Tile::Bars | Tile::Glass
    )
}

/// Whether a wall shows an edge toward a neighbor. Walls continue over the lintels of doors to
/// their east and west.
fn shows_edge(way: Direction, neighbor: Option<Tile>) -> bool {
    let is_sideways = matches!(way, Direction::East | Direction::West);
    neighbor.is_some_and(|tile| !(is_wall(tile) || is_sideways && is_barrier(tile)))
}

/// Whether the gap is in a wall that runs from north to south.
fn runs_across(at: IVec2, known: impl Fn(IVec2) -> Option<Tile>) -> bool {
    let is_closed = |way: Direction| {
        let neighbor = known(at + way.step());
        neighbor.is_none_or(|tile| is_wall(tile) || is_barrier(tile))
    };
    is_closed(Direction::North)
        && is_closed(Direction::South)
        && !(is_closed(Direction::East) && is_closed(Direction::West))
}

/// The ground under a door or a pillar: for a pillar the most common ground around it, for a gap a
/// stone threshold.
fn ground_under(tile: Tile, at: IVec2, known: impl Fn(IVec2) -> Option<Tile>) -> Ground {
    match tile {
        Tile::Ground(ground) => ground,
        Tile::Pillar => {
            let is_around = |ground: Ground| {
                let ways = Direction::ALL.into_iter();
                let here = |way: &Direction| known(at + way.step()) == Some(Tile::Ground(ground));
                ways.filter(here).count()
            };
            // If several grounds are equally common, stone wins.
            let grounds = Ground::ALL.into_iter().rev();
            grounds
                .max_by_key(|ground| is_around(*ground))
                .unwrap_or(Ground::Stone)
        }
        _ => Ground::Stone,
    }
}

/// The edge of a carpet or of water, if there is one here.
fn edge(ground: Ground, at: IVec2, known: impl Fn(IVec2) -> Option<Tile>) -> Option<Edge> {
    let kind = match ground {
        Ground::Carpet => Edge::Carpet,
        Ground::Water => Edge::Shore,
        _ => return None,
    };
    let goes_on = |tile| matches!(tile, Tile::Pillar) || tile == Tile::Ground(ground);
    let mask = Mask::of(|way| known(at + way.step()).is_some_and(|tile| !goes_on(tile)));
    (!mask.is_closed()).then(|| kind(mask))
}
