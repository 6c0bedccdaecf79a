//! What comes out: a mesh in parts, each with its own skin.

use core::ops::Range;

/// What a part of a mesh is covered with. Pictures of leaves have their stem at the bottom middle and their tip at
/// the top; those of bark and rock repeat, once a meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Skin {
    /// Brown, furrowed bark.
    Bark,
    /// White bark with dark bands.
    BirchBark,
    /// Gray wood without bark: dead trees, driftwood.
    DeadBark,
    /// Stone.
    Rock,
    /// A conifer's twig with its needles.
    PineBranch,
    /// A twig of broad leaves.
    BroadLeaves,
    /// A hanging twig of small leaves.
    BirchLeaves,
    /// A palm's frond, whole.
    PalmFrond,
    /// A fan of a fern's fronds.
    Fern,
    /// A tuft of grass.
    GrassTuft,
    /// Flowers on their stems.
    Flowers,
    /// A bush's twig.
    Bush,
    /// The picture of the whole plant from the side: see [`raster`](crate::raster).
    Picture,
}

impl Skin {
    /// All skins.
    pub const ALL: [Self; 13] = [
        Self::Bark,
        Self::BirchBark,
        Self::DeadBark,
        Self::Rock,
        Self::PineBranch,
        Self::BroadLeaves,
        Self::BirchLeaves,
        Self::PalmFrond,
        Self::Fern,
        Self::GrassTuft,
        Self::Flowers,
        Self::Bush,
        Self::Picture,
    ];

    /// Whether its picture has holes, and is seen from both sides.
    pub const fn is_cut_out(self) -> bool {
        !matches!(
            self,
            Self::Bark | Self::BirchBark | Self::DeadBark | Self::Rock
        )
    }
}

/// Triangles with one skin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What covers it.
    pub skin: Skin,
    /// Which of the mesh's indices.
    pub indices: Range<usize>,
}

/// A mesh in metres: y is up, the root at the origin. Triangles wind counterclockwise seen from outside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlantMesh {
    /// Where the vertices are. Trunks and stones go on a little below the ground, y = 0.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals; those of leaves point out of the crown, so that it is shaded as one body. They hold for both
    /// sides of a card.
    pub normals: Vec<[f32; 3]>,
    /// Places in the skins' pictures, from the top left; 0 to 1 on leaves.
    pub uvs: Vec<[f32; 2]>,
    /// Red, green and blue: a linear tint, with the light that does not reach the inside; alpha: how much the wind
    /// moves the vertex, from 0 at the root to 1.
    pub colors: Vec<[f32; 4]>,
    /// Three for each triangle.
    pub indices: Vec<u32>,
    /// Which triangles have which skin, in order and without gaps.
    pub parts: Vec<Part>,
}

/// A ball around a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Its middle.
    pub center: [f32; 3],
    /// Its radius, in metres.
    pub radius: f32,
}

impl PlantMesh {
    /// How many triangles it has.
    pub fn triangle_count(&self) -> usize {
        self.indices.len() / 3
    }

    /// The least and the most of each coordinate; zeros for a mesh without vertices.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let Some(&first) = self.positions.first() else {
            return ([0.0; 3], [0.0; 3]);
        };
        self.positions
            .iter()
            .fold((first, first), |(min, max), position| {
                let axes = [0, 1, 2];
                (
                    axes.map(|axis| min[axis].min(position[axis])),
                    axes.map(|axis| max[axis].max(position[axis])),
                )
            })
    }

    /// A ball about the middle of its box that holds all of it.
    pub fn bounding_sphere(&self) -> Sphere {
        let (min, max) = self.bounds();
        let center = [0, 1, 2].map(|axis| (min[axis] + max[axis]) / 2.0);
        let squared = |position: &[f32; 3]| {
            let offset = [0, 1, 2].map(|axis| position[axis] - center[axis]);
            offset.iter().map(|side| side * side).sum::<f32>()
        };
        let most = self.positions.iter().map(squared).fold(0.0, f32::max);
        Sphere {
            center,
            radius: most.sqrt(),
        }
    }
}
