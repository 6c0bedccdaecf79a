//! What comes out: a mesh in parts, each with its own skin.

use core::ops::Range;

use lanternfell_textures::{GroundKind, PlantSkin};

/// The texture of a part of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skin {
    /// A texture that [`synthesize_plant`](lanternfell_textures::synthesize_plant) makes. Leaf cards have their stem at
    /// the bottom middle and their tip at the top; bark repeats once a meter.
    Plant(PlantSkin),
    /// A ground texture, opaque, that repeats once a meter: stones.
    Ground(GroundKind),
    /// A texture of a model that comes from elsewhere.
    Own {
        /// Its index among the model's textures.
        texture: u8,
        /// Whether its alpha cuts it out, as leaves are. Otherwise it is opaque and repeats, as bark does.
        cut_out: bool,
    },
    /// The picture of the whole plant from the side: see [`raster`](crate::raster).
    Picture,
}

impl Skin {
    /// Whether the texture has holes, and both sides of it are seen.
    pub fn is_cut_out(self) -> bool {
        match self {
            Self::Plant(skin) => !skin.is_bark(),
            Self::Ground(_) => false,
            Self::Own { cut_out, .. } => cut_out,
            Self::Picture => true,
        }
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
