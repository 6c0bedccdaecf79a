//! The list of all sprites.

use gutterlight_rules::{AlertState, Perk};

use super::{
    canvas::Canvas,
    colorblind::Palette,
    edge::Edge,
    effect::Effect,
    fixture::Lamp,
    ground::Patch,
    guard,
    icon::Icon,
    item::Thing,
    landmark::Landmark,
    opening::Opening,
    outline::outline,
    palette::{FLAME, Ink},
    perk, thief,
    wall::Block,
};

/// The name of a sprite. All of them are in the [`Atlas`](super::Atlas).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Picture {
    /// The normal sprite.
    Plain(Subject),
    /// The outline of a figure or an item, for those in the dark.
    Outline(Subject),
}

/// The subject of a sprite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Ground to walk on.
    Ground(Patch),
    /// A wall, or rock.
    Wall(Block),
    /// The border of a carpet, or a shore.
    Edge(Edge),
    /// A door, a curtain, bars, a window, or a shutter.
    Opening(Opening),
    /// A pillar or stairs.
    Landmark(Landmark),
    /// A light of the keep.
    Fixture(Lamp),
    /// An item.
    Item(Thing),
    /// The thief.
    Thief(thief::Pose),
    /// A guard.
    Guard(guard::Pose),
    /// A temporary effect, or a mark.
    Effect(Effect),
    /// An icon for the panel.
    Icon(Icon),
    /// The icon of a perk.
    Perk(Perk),
}

impl Picture {
    /// All sprites, in the order of the atlas.
    pub fn all() -> impl Iterator<Item = Self> {
        let outlines = Subject::all().filter(|subject| subject.has_outline());
        Subject::all()
            .map(Self::Plain)
            .chain(outlines.map(Self::Outline))
    }

    /// The outline of a figure or an item. `None` for everything else.
    pub fn outline(self) -> Option<Self> {
        let (Self::Plain(subject) | Self::Outline(subject)) = self;
        subject.has_outline().then_some(Self::Outline(subject))
    }

    /// Draws the sprite in the colors of a palette. Outlines do not depend on it.
    pub(super) fn draw(self, palette: Palette) -> Canvas {
        match self {
            Self::Plain(subject) => subject.draw().inked(|ink| subject.ink(palette, ink)),
            Self::Outline(subject) => outline(&subject.draw()),
        }
    }
}

impl Subject {
    fn all() -> impl Iterator<Item = Self> {
        let terrain = Patch::all()
            .map(Self::Ground)
            .chain(Block::all().map(Self::Wall))
            .chain(Edge::all().map(Self::Edge))
            .chain(Opening::all().map(Self::Opening))
            .chain(Landmark::all().map(Self::Landmark));
        let things = Lamp::all()
            .map(Self::Fixture)
            .chain(Thing::all().map(Self::Item))
            .chain(thief::Pose::all().map(Self::Thief))
            .chain(guard::Pose::all().map(Self::Guard));
        let signs = Effect::ALL
            .into_iter()
            .map(Self::Effect)
            .chain(Icon::all().map(Self::Icon))
            .chain(Perk::ALL.into_iter().map(Self::Perk));
        terrain.chain(things).chain(signs)
    }

    const fn has_outline(self) -> bool {
        matches!(self, Self::Item(_) | Self::Thief(_) | Self::Guard(_))
    }

    /// Maps a color of this subject to a palette.
    fn ink(self, palette: Palette, ink: Ink) -> Ink {
        if !self.signals() {
            return ink;
        }
        // Orange is too similar to the replacement of red.
        if self == Self::Icon(Icon::AlertState(AlertState::Searching)) && ink == FLAME[1] {
            return palette.alert_state(AlertState::Searching);
        }
        palette.ink(ink)
    }

    /// Whether the colors carry information, unlike the materials of the keep.
    const fn signals(self) -> bool {
        match self {
            Self::Item(_)
            | Self::Thief(_)
            | Self::Guard(_)
            | Self::Effect(_)
            | Self::Icon(_)
            | Self::Perk(_) => true,
            Self::Ground(_)
            | Self::Wall(_)
            | Self::Edge(_)
            | Self::Opening(_)
            | Self::Landmark(_)
            | Self::Fixture(_) => false,
        }
    }

    fn draw(self) -> Canvas {
        match self {
            Self::Ground(patch) => patch.draw(),
            Self::Wall(block) => block.draw(),
            Self::Edge(edge) => edge.draw(),
            Self::Opening(opening) => opening.draw(),
            Self::Landmark(landmark) => landmark.draw(),
            Self::Fixture(lamp) => lamp.draw(),
            Self::Item(thing) => thing.draw(),
            Self::Thief(pose) => pose.draw(),
            Self::Guard(pose) => pose.draw(),
            Self::Effect(effect) => effect.draw(),
            Self::Icon(icon) => icon.draw(),
            Self::Perk(perk) => perk::draw(perk),
        }
    }
}
