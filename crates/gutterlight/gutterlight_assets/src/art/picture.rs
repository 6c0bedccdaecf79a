//! The list of all pictures.

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

/// The name of a picture, all of which are in the [`Atlas`](super::Atlas).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Picture {
    /// As it is seen.
    Plain(Subject),
    /// Its outline: thin pale lines around whoever stands in the dark.
    Outline(Subject),
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Something to walk on.
    Ground(Patch),
    /// A wall, or rock.
    Wall(Block),
    /// A carpet's border, or a shore.
    Edge(Edge),
    /// A door, a curtain, bars, a window, a shutter.
    Opening(Opening),
    /// A pillar, or a stair.
    Landmark(Landmark),
    /// The lights of the keep.
    Fixture(Lamp),
    /// What can be taken.
    Item(Thing),
    /// You.
    Thief(thief::Pose),
    /// Those who must not see you.
    Guard(guard::Pose),
    /// What comes and goes.
    Effect(Effect),
    /// A sign for a panel.
    Icon(Icon),
    /// The sign of a perk.
    Perk(Perk),
}

impl Picture {
    /// Every picture, in the order of the atlas.
    pub fn all() -> impl Iterator<Item = Self> {
        let outlines = Subject::all().filter(|subject| subject.is_somebody());
        Subject::all()
            .map(Self::Plain)
            .chain(outlines.map(Self::Outline))
    }

    /// The outline of whoever it shows; nothing else has one.
    pub fn outline(self) -> Option<Self> {
        let (Self::Plain(subject) | Self::Outline(subject)) = self;
        subject.is_somebody().then_some(Self::Outline(subject))
    }

    /// What it looks like in these colors. Outlines have none.
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

    const fn is_somebody(self) -> bool {
        matches!(self, Self::Thief(_) | Self::Guard(_))
    }

    /// What an ink of its picture becomes in these colors.
    fn ink(self, palette: Palette, ink: Ink) -> Ink {
        if !self.signals() {
            return ink;
        }
        // Orange is too near to what red becomes.
        if self == Self::Icon(Icon::AlertState(AlertState::Searching)) && ink == FLAME[1] {
            return palette.alert_state(AlertState::Searching);
        }
        palette.ink(ink)
    }

    /// Whether its colors say something, and are not only what the keep is made of.
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
