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
//! | program | kinds |
//! |---|---|
//! | `crowned`: space colonization of a crown of lobes | trees with crowns, by their `Habit` |
//! | `pine`: whorls of branches on a straight stem | pine |
//! | `palm`: a curved stem, fronds in a spiral | palm |
//! | `bush`, `tuft`: cards and strips from the root | bush, and herbs by their `Tuft` |
//! | `rock`: a cut and worn ball | stones, by their `Cut` |
//! | `driftwood`: a bent tube with stubs | driftwood |
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
mod kind;
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
    kind::{FarLevel, PlantKind},
    mesh::{Part, PlantMesh, Skin, Sphere},
};
pub use lanternfell_textures::{GroundKind, PlantSkin};

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
/// use lanternfell_plants::grow::{Level, PlantKind, PlantSkin, Skin, grow};
///
/// let pine = grow(PlantKind::Pine, 7, Level::Near);
/// assert!(pine.triangle_count() <= Level::Near.budget());
/// assert_eq!(pine.parts[0].skin, Skin::Plant(PlantSkin::Bark));
/// assert!(pine.bounds().1[1] > 8.0);
/// assert_eq!(pine, grow(PlantKind::Pine, 7, Level::Near));
/// ```
pub fn grow(kind: PlantKind, seed: u64, level: Level) -> PlantMesh {
    let species = kind.species();
    match (level, kind.far_level()) {
        (Level::Far, FarLevel::Impostor) => picture_cards(&(species.grow)(seed, Level::Near)),
        _ => (species.grow)(seed, level),
    }
}

/// What bodies meet of the same individual; `None` for what one walks through.
pub fn solid(kind: PlantKind, seed: u64) -> Option<Solid> {
    Some(kind.species().solid?(seed))
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
