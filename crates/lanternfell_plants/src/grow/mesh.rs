//! The generated meshes: several parts, each with its own skin.

use core::ops::Range;

use lanternfell_textures::{GroundKind, PlantSkin};

/// The texture of a part of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skin {
    /// A texture from [`synthesize_plant`](lanternfell_textures::synthesize_plant). Leaf cards have the stem at the
    /// bottom center and the tip at the top. Bark repeats once per meter.
    Plant(PlantSkin),
    /// A ground texture for stones: opaque, repeating once per meter.
    Ground(GroundKind),
    /// A texture of your own model.
    Own {
        /// Index among the model's textures.
        texture: u8,
        /// Whether its alpha cuts it out, like leaves. Otherwise it is opaque and repeats, like bark.
        cut_out: bool,
    },
    /// The side view of the whole plant: see [`raster`](crate::raster).
    Impostor,
}

impl Skin {
    /// Whether the texture has holes and is visible from both sides.
    pub fn is_cut_out(self) -> bool {
        match self {
            Self::Plant(skin) => !skin.is_bark(),
            Self::Ground(_) => false,
            Self::Own { cut_out, .. } => cut_out,
            Self::Impostor => true,
        }
    }
}

/// Triangles with one skin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The skin of the triangles.
    pub skin: Skin,
    /// Range of the mesh's indices.
    pub indices: Range<usize>,
}

/// A mesh in meters, y up, with the root at the origin. Triangles wind counterclockwise seen from outside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlantMesh {
    /// Positions of the vertices. Trunks and stones extend slightly below the ground, y = 0.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals. Those of leaves point out of the crown, so that it is shaded as one body, and are valid for both
    /// sides of a card.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates from the top left. From 0 to 1 on leaves.
    pub uvs: Vec<[f32; 2]>,
    /// Linear tint (rgb), including baked ambient occlusion, and wind weight (alpha), from 0 at the root to 1.
    pub colors: Vec<[f32; 4]>,
    /// Three indices per triangle.
    pub indices: Vec<u32>,
    /// The skins of the triangles, in order and without gaps.
    pub parts: Vec<Part>,
}

/// A bounding sphere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Center.
    pub center: [f32; 3],
    /// Radius in meters.
    pub radius: f32,
}

impl PlantMesh {
    /// The number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.indices.len() / 3
    }

    /// The minimum and maximum of the positions. Zeros for a mesh without vertices.
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

    /// A bounding sphere around the center of the bounding box.
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
