//! What plants and stones look like: meshes from a kind and a seed.
//!
//! Problem: a forest of one mesh looks like wallpaper, and a hundred made by hand are a game's whole budget.
//!
//! Idea: every kind is a small program that grows one individual from a seed: wood as tubes, leaves as cards
//! with pictures of twigs. It grows at three levels: [`Level::Near`] to walk up to, [`Level::Middle`] for the
//! next hundred metres, and [`Level::Far`]: for trees and bushes three crossed cards that show a [`silhouette`] of the near one.
//!
//! ```text
//!   Near: <= 2500 triangles      Middle: <= 600        Far: <= 24
//! ```
//!
//! | kind | grown by |
//! |---|---|
//! | broadleaf, birch, dead | space colonisation of a crown of lobes |
//! | pine | whorls of branches on a straight stem |
//! | palm | a curved stem, fronds in a spiral |
//! | bush, fern, flower, grass | cards and strips from the root |
//! | boulder, slab, spire | a cut and worn ball |
//! | driftwood | a bent tube with stubs |
//!
//! Crowns are shaded as bodies: leaves' normals point out of the crown, and what light does not reach the inside is
//! baked into the vertices.
//!
//! Cost: one to a few milliseconds each. A game grows a dozen variants of each kind once, not one for each that stands.
//!
//! [`silhouette`]: crate::raster::silhouette

mod builder;
mod bush;
mod colonize;
mod crown;
mod crowned;
mod driftwood;
mod frame;
mod habit;
mod mesh;
mod palm;
mod pine;
mod rock;
mod shade;
mod skeleton;
mod tuft;

use glam::Vec3;

pub use self::{
    frame::{Frame, picture_cards},
    mesh::{Part, PlantMesh, Skin, Sphere},
};
use self::{habit::Habit, rock::Cut, tuft::Tuft};
use crate::hash::{Draws, Key};

/// A kind of plant or stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, Hash, PartialEq))]
pub enum PlantKind {
    /// A conifer of about 12 m.
    Pine,
    /// A broad tree of about 9 m.
    Broadleaf,
    /// A palm of about 8 m.
    Palm,
    /// A slender white tree of about 10 m.
    Birch,
    /// A bare, dead tree of about 6 m.
    Dead,
    /// A bush of about 1.2 m.
    Bush,
    /// A fern of about 0.6 m.
    Fern,
    /// Flowers of about 0.4 m.
    Flower,
    /// A tuft of grass of about 0.5 m.
    Grass,
    /// A rounded stone of about 1 m.
    Boulder,
    /// A flat stone of about 1.6 m.
    Slab,
    /// A standing stone of about 2 m.
    Spire,
    /// A bleached log of about 2.5 m.
    Driftwood,
}

impl PlantKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Pine,
        Self::Broadleaf,
        Self::Palm,
        Self::Birch,
        Self::Dead,
        Self::Bush,
        Self::Fern,
        Self::Flower,
        Self::Grass,
        Self::Boulder,
        Self::Slab,
        Self::Spire,
        Self::Driftwood,
    ];

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pine => "pine",
            Self::Broadleaf => "broadleaf",
            Self::Palm => "palm",
            Self::Birch => "birch",
            Self::Dead => "dead",
            Self::Bush => "bush",
            Self::Fern => "fern",
            Self::Flower => "flower",
            Self::Grass => "grass",
            Self::Boulder => "boulder",
            Self::Slab => "slab",
            Self::Spire => "spire",
            Self::Driftwood => "driftwood",
        }
    }

    /// Whether its far level shows a picture of the near one.
    pub const fn has_silhouette(self) -> bool {
        matches!(
            self,
            Self::Pine | Self::Broadleaf | Self::Palm | Self::Birch | Self::Dead | Self::Bush
        )
    }

    /// The individual's random numbers, for one of several purposes.
    fn draws(self, seed: u64, purpose: Purpose) -> Draws {
        Key::new(seed, self as u64).with(purpose as u64).stream()
    }
}

/// What random numbers are for: each has its own, so that one more draw here changes nothing there.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Size,
    Wood,
    Leaves,
    Tint,
}

/// How much detail a mesh has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// To walk up to.
    Near,
    /// From some ten metres on.
    Middle,
    /// From a hundred metres on.
    Far,
}

impl Level {
    /// All levels, the finest first.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// The most triangles that a mesh has.
    pub const fn budget(self) -> usize {
        match self {
            Self::Near => 2500,
            Self::Middle => 600,
            Self::Far => 24,
        }
    }

    /// One of three values.
    fn of<T>(self, [near, middle, far]: [T; 3]) -> T {
        match self {
            Self::Near => near,
            Self::Middle => middle,
            Self::Far => far,
        }
    }
}

/// What bodies meet of a plant or stone, in its mesh's frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// An upright trunk, from the ground up.
    Cylinder {
        /// Its radius, in metres.
        radius: f32,
        /// Its height, in metres.
        height: f32,
    },
    /// A leaning trunk or a log.
    Capsule {
        /// The middle of one end.
        from: [f32; 3],
        /// The middle of the other.
        to: [f32; 3],
        /// Its radius, in metres.
        radius: f32,
    },
    /// The convex hull of points: stones.
    Hull {
        /// The points, a few dozen.
        points: Vec<[f32; 3]>,
    },
}

/// The mesh of one individual.
///
/// ```
/// use lanternfell_plants::grow::{Level, PlantKind, Skin, grow};
///
/// let pine = grow(PlantKind::Pine, 7, Level::Near);
/// assert!(pine.triangle_count() <= Level::Near.budget());
/// assert_eq!(pine.parts[0].skin, Skin::Bark);
/// assert!(pine.bounds().1[1] > 8.0);
/// assert_eq!(pine, grow(PlantKind::Pine, 7, Level::Near));
/// ```
pub fn grow(kind: PlantKind, seed: u64, level: Level) -> PlantMesh {
    if level == Level::Far && kind.has_silhouette() {
        return picture_cards(&grow(kind, seed, Level::Near));
    }
    match kind {
        PlantKind::Pine => pine::grow(seed, level),
        PlantKind::Broadleaf => crowned::grow(kind, &Habit::BROADLEAF, seed, level),
        PlantKind::Palm => palm::grow(seed, level),
        PlantKind::Birch => crowned::grow(kind, &Habit::BIRCH, seed, level),
        PlantKind::Dead => crowned::grow(kind, &Habit::DEAD, seed, level),
        PlantKind::Bush => bush::grow(seed, level),
        PlantKind::Fern => tuft::grow_fern(seed, level),
        PlantKind::Flower => tuft::grow(kind, &Tuft::FLOWER, seed, level),
        PlantKind::Grass => tuft::grow(kind, &Tuft::GRASS, seed, level),
        PlantKind::Boulder => rock::grow(kind, &Cut::BOULDER, seed, level),
        PlantKind::Slab => rock::grow(kind, &Cut::SLAB, seed, level),
        PlantKind::Spire => rock::grow(kind, &Cut::SPIRE, seed, level),
        PlantKind::Driftwood => driftwood::grow(seed, level),
    }
}

/// What bodies meet of the same individual; none of what one walks through.
pub fn solid(kind: PlantKind, seed: u64) -> Option<Solid> {
    match kind {
        PlantKind::Pine => Some(pine::solid(seed)),
        PlantKind::Broadleaf => Some(crowned::solid(kind, &Habit::BROADLEAF, seed)),
        PlantKind::Palm => Some(palm::solid(seed)),
        PlantKind::Birch => Some(crowned::solid(kind, &Habit::BIRCH, seed)),
        PlantKind::Dead => Some(crowned::solid(kind, &Habit::DEAD, seed)),
        PlantKind::Boulder => Some(rock::solid(kind, &Cut::BOULDER, seed)),
        PlantKind::Slab => Some(rock::solid(kind, &Cut::SLAB, seed)),
        PlantKind::Spire => Some(rock::solid(kind, &Cut::SPIRE, seed)),
        PlantKind::Driftwood => Some(driftwood::solid(seed)),
        PlantKind::Bush | PlantKind::Fern | PlantKind::Flower | PlantKind::Grass => None,
    }
}

/// A tint for one individual: a little more yellow or blue, lighter or darker.
fn tint(kind: PlantKind, seed: u64) -> Vec3 {
    let mut draws = kind.draws(seed, Purpose::Tint);
    let (warm, light) = (draws.spread(), 1.0 + 0.10 * draws.spread());
    Vec3::new(1.0 + 0.16 * warm, 1.0 + 0.05 * warm, 1.0 - 0.14 * warm) * light
}

/// A vector turned about a unit axis (Rodrigues).
fn turned(vector: Vec3, axis: Vec3, angle: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(angle);
    vector * cos + axis.cross(vector) * sin + axis * (axis.dot(vector) * (1.0 - cos))
}

/// The level direction at an angle.
fn level_direction(angle: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(angle);
    Vec3::new(cos, 0.0, sin)
}
