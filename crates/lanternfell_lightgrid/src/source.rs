//! What gives light, and what takes it.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::{IVec2, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::{
    error::{LightError, check_range},
    hexagonal,
    neighborhood::Neighborhood,
    relief::FURTHEST,
};

/// A lamp, or a darkness.
///
/// Its cell is held at the strength of its light: never darker, and brighter where other
/// lights make it so. Negative light takes away instead, so much in each step, and dims
/// what is around: -0.1 is much where little light comes; a darkness as strong as the
/// light around it is a hole that stays black.
///
/// # Between cells
///
/// A light may stand anywhere. Between four cells it is shared among them by their
/// distance, and each is held at what the four shares together would give it on open
/// ground. (Between three where cells are hexagons; [`hexagonal`](crate::hexagonal) says what places
/// between those are.) So its light reaches as far between cells as on one, and a torch that is carried
/// along moves smoothly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(into = "SavedSource", from = "SavedSource")]
pub struct Source {
    /// Where, in cells; whole numbers are the middles of cells. Outside of the grid it
    /// lights nothing.
    pub at: Vec2,
    /// Red, green and blue, linear; 1 is full light. Each from -64 to 64.
    pub light: Vec3,
    /// How high over the ground, in cells, from -1,000,000 to 1,000,000; 1.5 if nothing is said. It matters only
    /// where a grid has a [`Relief`](crate::Relief), and in [where light comes
    /// from](crate::FineLight::paint_directions).
    pub height: f32,
}

impl Default for Source {
    /// No light.
    fn default() -> Self {
        Self::at(Vec2::ZERO, Vec3::ZERO)
    }
}

impl Source {
    /// The brightest that a light can be, and the darkest that a darkness can be.
    pub const MAX_LIGHT: f32 = 64.0;
    /// How high a light is if nothing is said.
    pub(crate) const HEIGHT: f32 = 1.5;

    /// A light, or with negative numbers a darkness, in the middle of a cell.
    pub fn new(cell: IVec2, light: Vec3) -> Self {
        Self::at(cell.as_vec2(), light)
    }

    /// A light anywhere, in cells.
    pub const fn at(at: Vec2, light: Vec3) -> Self {
        Self {
            at,
            light,
            height: Self::HEIGHT,
        }
    }

    /// The same so high over the ground of a [`Relief`](crate::Relief), in cells.
    #[must_use]
    pub const fn with_height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    /// The cell that it stands in, where cells are squares;
    /// [`Neighborhood::cell_at`] says it for all.
    pub fn cell(&self) -> IVec2 {
        Neighborhood::Isotropic.cell_at(self.at)
    }

    pub(crate) fn validate(&self) -> Result<(), LightError> {
        for value in self.at.to_array() {
            check_range("source.at", value, f32::MIN, f32::MAX)?;
        }
        for value in self.light.to_array() {
            check_range("source.light", value, -Self::MAX_LIGHT, Self::MAX_LIGHT)?;
        }
        check_range("source.height", self.height, -FURTHEST, FURTHEST)
    }

    /// The up to four cells that share the light, with their shares, which sum to 1; none
    /// has a share of 0.
    pub(crate) fn shares(
        &self,
        neighborhood: Neighborhood,
    ) -> impl Iterator<Item = (IVec2, f32)> + Clone + use<> {
        let (corner, shares) = if neighborhood.is_hexagonal() {
            hexagonal::shares(self.at)
        } else {
            let corner = self.at.floor();
            let part = self.at - corner;
            let shares = [
                ((0, 0), (1.0 - part.x) * (1.0 - part.y)),
                ((1, 0), part.x * (1.0 - part.y)),
                ((0, 1), (1.0 - part.x) * part.y),
                ((1, 1), part.x * part.y),
            ];
            (corner.as_ivec2(), shares)
        };
        shares
            .into_iter()
            .filter(|&(_, share)| share > 0.0)
            .map(move |((x, y), share)| (corner.saturating_add(IVec2::new(x, y)), share))
    }

    /// At what part of its light each of its cells is held, given the light beside a light
    /// on open ground, along an axis and along a diagonal; and the share of each.
    ///
    /// Left out is the cell diagonal to the one it stands in, when both between are opaque. (The up to
    /// three hexagons are all neighbors.)
    pub(crate) fn holds(
        &self,
        neighborhood: Neighborhood,
        (beside, diagonal): (f32, f32),
        is_opaque: impl Fn(IVec2) -> bool,
    ) -> impl Iterator<Item = (IVec2, f32, f32)> {
        let home = neighborhood.cell_at(self.at);
        let behind_a_corner = move |cell: IVec2| {
            !neighborhood.is_hexagonal()
                && (cell.x != home.x && cell.y != home.y)
                && is_opaque(IVec2::new(cell.x, home.y))
                && is_opaque(IVec2::new(home.x, cell.y))
        };
        let shares = self.shares(neighborhood);
        let held = move |cell: IVec2| -> f32 {
            let parts = shares.clone().map(|(other, share)| {
                let apart = u8::from(other.x != cell.x) + u8::from(other.y != cell.y);
                share * [1.0, beside, diagonal][usize::from(apart)]
            });
            // The shares' sum may be rounded to more than the whole.
            parts.sum::<f32>().min(1.0)
        };
        self.shares(neighborhood)
            .filter(move |&(cell, _)| !behind_a_corner(cell))
            .map(move |(cell, share)| (cell, held(cell), share))
    }
}

/// What sources ask of one cell, in one color.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct SourceConstraint {
    /// The light is at least this.
    pub(crate) held: f32,
    /// And then this is taken away.
    pub(crate) dark: f32,
}

impl SourceConstraint {
    #[inline(always)]
    pub(crate) fn apply(self, light: f32) -> f32 {
        (light.max(self.held) - self.dark).max(0.0)
    }

    /// Both at once.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            held: self.held.max(other.held),
            dark: self.dark.max(other.dark),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Source")]
struct SavedSource {
    at: [f32; 2],
    light: [f32; 3],
    #[serde(default = "usual_height")]
    height: f32,
}

/// Of sources that were saved before there was land.
fn usual_height() -> f32 {
    Source::HEIGHT
}

impl From<Source> for SavedSource {
    fn from(source: Source) -> Self {
        Self {
            at: source.at.into(),
            light: source.light.into(),
            height: source.height,
        }
    }
}

impl From<SavedSource> for Source {
    fn from(saved: SavedSource) -> Self {
        Self {
            at: saved.at.into(),
            light: saved.light.into(),
            height: saved.height,
        }
    }
}
