//! Light sources, and what they demand of cells.

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

/// A light source: a lamp, or with negative light a darkness.
///
/// A lamp holds its cell at the strength of its light: the cell is never darker, but it may be
/// brighter because of other lamps.
///
/// Negative light is subtracted from its cell in each step, which also dims the cells around it. In
/// faint light -0.1 is already much. A darkness as strong as the light around it keeps its cell
/// black.
///
/// # Positions between cells
///
/// A source can be at any position. Between cell centers its light is shared bilinearly by four
/// cells. Each of them is held at the light that the four shares together would produce there on
/// open ground. A source therefore reaches equally far at any position, and a torch that a
/// character carries moves smoothly. On hexagons three cells share the light; see
/// [`hexagonal`](crate::hexagonal) for positions between them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(into = "SavedSource", from = "SavedSource")]
pub struct Source {
    /// The position in cells; whole numbers are cell centers. A source outside of the grid has no
    /// effect.
    pub at: Vec2,
    /// Linear red, green and blue, each from -64 to 64. 1 is full light.
    pub light: Vec3,
    /// The height above the ground, in multiples of the cell width, from -1,000,000 to 1,000,000.
    /// Default: 1.5.
    ///
    /// It only affects grids with a [`Relief`](crate::Relief), and
    /// [`HighResLight::paint_directions`](crate::HighResLight::paint_directions).
    pub height: f32,
}

impl Default for Source {
    /// A source at (0, 0) without light.
    fn default() -> Self {
        Self::at(Vec2::ZERO, Vec3::ZERO)
    }
}

impl Source {
    /// The largest absolute value of each component of `light`.
    pub const MAX_LIGHT: f32 = 64.0;
    /// The default height.
    pub(crate) const HEIGHT: f32 = 1.5;

    /// Creates a source at the center of a cell.
    pub fn new(cell: IVec2, light: Vec3) -> Self {
        Self::at(cell.as_vec2(), light)
    }

    /// Creates a source at any position, in cells.
    pub const fn at(at: Vec2, light: Vec3) -> Self {
        Self {
            at,
            light,
            height: Self::HEIGHT,
        }
    }

    /// Sets the height above the ground of a [`Relief`](crate::Relief), in multiples of the cell
    /// width.
    #[must_use]
    pub const fn with_height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    /// The cell that contains the source, on square grids. [`Neighborhood::cell_at`] works for all
    /// grids.
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

    /// The cells that share the light, with their shares: up to four cells, whose shares are above
    /// 0 and sum to 1.
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

    /// For each cell that shares the light: the cell, the fraction of the light at which it is
    /// held, and its share.
    ///
    /// `(axial, diagonal)` is the light next to a lamp of strength 1 on open ground, along an axis
    /// and along a diagonal.
    ///
    /// On squares, the cell diagonally opposite the source's own cell is left out if the two cells
    /// between them are opaque: otherwise light would leak around the corner. Three hexagons that
    /// share a source are all neighbors, so none is left out.
    pub(crate) fn holds(
        &self,
        neighborhood: Neighborhood,
        (axial, diagonal): (f32, f32),
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
                share * [1.0, axial, diagonal][usize::from(apart)]
            });
            // Rounding may lift the sum above 1.
            parts.sum::<f32>().min(1.0)
        };
        self.shares(neighborhood)
            .filter(move |&(cell, _)| !behind_a_corner(cell))
            .map(move |(cell, share)| (cell, held(cell), share))
    }
}

/// The constraint that sources put on the light of one cell, in one color.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct SourceConstraint {
    /// The minimum light of the cell.
    pub(crate) held: f32,
    /// The light that is subtracted afterwards.
    pub(crate) dark: f32,
}

impl SourceConstraint {
    #[inline(always)]
    pub(crate) fn apply(self, light: f32) -> f32 {
        (light.max(self.held) - self.dark).max(0.0)
    }

    /// The combination of two constraints: the larger of each value.
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

/// The height of sources that were saved before sources had a height.
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
