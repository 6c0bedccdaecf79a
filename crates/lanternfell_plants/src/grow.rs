//! Meshes of plants and stones, generated from a kind and a seed.
//!
//! Problem: a forest made of one mesh looks repetitive, and modeling a hundred meshes by hand is expensive.
//!
//! Idea: each kind is a small program that grows an individual from a seed. Wood is made of tubes, leaves are cards
//! with images of twigs. Each individual has three levels of detail: [`Level::Near`], [`Level::Middle`] and
//! [`Level::Far`]. For trees and bushes, the far level is three crossed cards with a [`silhouette`] of the near mesh.
//!
//! ```text
//!   Near: <= 2500 triangles      Middle: <= 600        Far: <= 24
//! ```
//!
//! | program | kinds |
//! |---|---|
//! | `crowned`: space colonization of a crown of lobes | trees with crowns, by their `Habit` |
//! | `pine`: whorls of branches on a straight stem | pine |
//! | `palm`: a curved stem with fronds in a spiral | palm |
//! | `bush`, `tuft`: cards and strips from the root | bush, and herbs by their `Tuft` |
//! | `rock`: a ball, cut by planes and worn | stones, by their `Cut` |
//! | `driftwood`: a bent tube with stubs | driftwood |
//!
//! Crowns are shaded as one body: the normals of leaves point out of the crown, and ambient occlusion is baked into the
//! vertex colors.
//!
//! Cost: one to a few milliseconds per mesh. Grow a dozen variants per kind once, instead of one mesh per instance.
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
    frame::{Frame, impostor_cards},
    kind::{FarLevel, PlantKind},
    mesh::{Part, PlantMesh, Skin, Sphere},
};
pub use lanternfell_textures::{GroundKind, PlantSkin};

/// Random streams. Each purpose has its own, so that an additional draw in one does not change the others.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Size,
    Wood,
    Leaves,
    Tint,
}

/// The level of detail of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// Close to the camera.
    Near,
    /// From some ten meters on.
    Middle,
    /// From a hundred meters on.
    Far,
}

impl Level {
    /// All levels, finest first.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// The largest number of triangles of a mesh.
    pub const fn budget(self) -> usize {
        match self {
            Self::Near => 2500,
            Self::Middle => 600,
            Self::Far => 24,
        }
    }

    /// Selects one of three values.
    fn of<T>(self, [near, middle, far]: [T; 3]) -> T {
        match self {
            Self::Near => near,
            Self::Middle => middle,
            Self::Far => far,
        }
    }
}

/// A collision shape in the frame of the mesh.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// A vertical trunk from the ground up.
    Cylinder {
        /// Radius in meters.
        radius: f32,
        /// Height in meters.
        height: f32,
    },
    /// A leaning trunk or a log.
    Capsule {
        /// Center of one end.
        from: [f32; 3],
        /// Center of the other end.
        to: [f32; 3],
        /// Radius in meters.
        radius: f32,
    },
    /// The convex hull of points, for stones.
    Hull {
        /// The points, a few dozen.
        points: Vec<[f32; 3]>,
    },
}

/// Grows the mesh of one individual.
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
        (Level::Far, FarLevel::Impostor) => impostor_cards(&(species.grow)(seed, Level::Near)),
        _ => (species.grow)(seed, level),
    }
}

/// Returns the collision shape of the same individual. `None` for plants without collision.
pub fn solid(kind: PlantKind, seed: u64) -> Option<Solid> {
    Some(kind.species().solid?(seed))
}

/// A random color variation per individual, in warmth and brightness.
fn tint(kind: PlantKind, seed: u64) -> Vec3 {
    let mut draws = kind.draws(seed, Purpose::Tint);
    let (warm, light) = (draws.spread(), 1.0 + 0.10 * draws.spread());
    Vec3::new(1.0 + 0.16 * warm, 1.0 + 0.05 * warm, 1.0 - 0.14 * warm) * light
}

/// Rotates a vector about a unit axis (Rodrigues).
fn turned(vector: Vec3, axis: Vec3, angle: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(angle);
    vector * cos + axis.cross(vector) * sin + axis * (axis.dot(vector) * (1.0 - cos))
}

/// The horizontal unit vector at an angle.
fn level_direction(angle: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(angle);
    Vec3::new(cos, 0.0, sin)
}
