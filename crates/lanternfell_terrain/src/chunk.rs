//! From triangles to Bevy's meshes: the one file that knows `Mesh`.

use bevy::{
    asset::RenderAssetUsages,
    camera::primitives::Aabb,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use lanternfell_heightmap::triangulation::{ChunkLevels, Triangles};

/// On every drawn piece of land: a child of a child of its terrain.
///
/// Its [`Mesh3d`] is the level of detail that suits the camera. Give it another
/// [`MeshMaterial3d`] to draw it in another way.
#[derive(Component, Debug, Clone, PartialEq)]
pub struct TerrainChunk {
    /// The entity of the [`Terrain`](crate::Terrain).
    pub terrain: Entity,
    /// The meshes of all levels, the finest first.
    pub levels: Vec<Handle<Mesh>>,
}

/// A chunk's meshes, before they become assets.
pub(crate) struct ChunkMeshes {
    pub(crate) bounds: Aabb,
    pub(crate) levels: Vec<Mesh>,
}

impl From<ChunkLevels> for ChunkMeshes {
    fn from(chunk: ChunkLevels) -> Self {
        Self {
            bounds: Aabb::from_min_max(chunk.low, chunk.high),
            levels: chunk.levels.into_iter().map(mesh).collect(),
        }
    }
}

/// The mesh of these triangles. Only the GPU keeps it: queries and collider have the map.
fn mesh(triangles: Triangles) -> Mesh {
    let vertices = triangles.positions.len();
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, triangles.positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, triangles.normals)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, triangles.uvs)
    .with_inserted_indices(indices(triangles.indices, vertices))
}

/// Two bytes an index where they suffice, as they do for every chunk of this plugin.
fn indices(indices: Vec<u32>, vertices: usize) -> Indices {
    if vertices <= usize::from(u16::MAX) {
        Indices::U16(indices.into_iter().map(|index| index as u16).collect())
    } else {
        Indices::U32(indices)
    }
}
