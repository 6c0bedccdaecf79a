//! From triangles to Bevy's meshes: the one file that knows `Mesh`.

use bevy::{
    asset::RenderAssetUsages,
    camera::primitives::Aabb,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use lanternfell_heightmap::detail::{Patch, PatchTriangles};

/// On every drawn piece of land: a child of its terrain, with a [`Mesh3d`].
///
/// Pieces come and go as the cameras move. To draw them in another way give the terrain a
/// [`TerrainMaterial`](crate::TerrainMaterial).
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct TerrainChunk {
    /// The entity of the [`Terrain`](crate::Terrain).
    pub terrain: Entity,
    /// How fine it is: 0 is the coarsest level, and each has twice as many triangles on an area.
    pub level: u32,
}

/// A patch's mesh, before it becomes an asset.
pub(crate) struct PatchMesh {
    pub(crate) patch: Patch,
    pub(crate) mesh: Mesh,
    pub(crate) origin: Vec3,
    pub(crate) bounds: Aabb,
    pub(crate) triangles: usize,
    /// What it takes on the GPU.
    pub(crate) bytes: usize,
}

/// Three floats for the place, three for the normal, two for the texture.
const VERTEX_BYTES: usize = 32;
const INDEX_BYTES: usize = 2;

/// What a patch of one triangle takes, about: of the finest squares, half.
pub(crate) const BYTES_OF_WEIGHT: usize = 94 << 10;

impl PatchMesh {
    pub(crate) fn new(patch: Patch, triangles: PatchTriangles) -> Self {
        let (low, high) = triangles.bounds();
        let bytes =
            VERTEX_BYTES * triangles.positions.len() + INDEX_BYTES * triangles.indices.len();
        Self {
            patch,
            origin: triangles.origin,
            bounds: Aabb::from_min_max(low, high),
            triangles: triangles.indices.len() / 3,
            bytes,
            mesh: mesh(triangles),
        }
    }
}

/// The mesh of these triangles. Only the GPU keeps it: queries and collider have the map.
fn mesh(triangles: PatchTriangles) -> Mesh {
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, triangles.positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, triangles.normals)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, triangles.uvs)
    .with_inserted_indices(Indices::U16(triangles.indices))
}
