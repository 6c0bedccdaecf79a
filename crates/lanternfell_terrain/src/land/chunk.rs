//! Builds Bevy meshes from triangles. No other module creates a `Mesh` for the terrain's surface.

use bevy::{
    asset::RenderAssetUsages,
    camera::primitives::Aabb,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use lanternfell_surface::detail::{Patch, PatchTriangles};

/// A chunk of a terrain's mesh: a child entity of its terrain, with a [`Mesh3d`].
///
/// Chunks spawn and despawn as the cameras move. To change how they are rendered, insert a
/// [`TerrainMaterial`](crate::TerrainMaterial) on the terrain.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct TerrainChunk {
    /// The entity of the [`Terrain`](crate::Terrain).
    pub terrain: Entity,
    /// The level of detail. 0 is the coarsest level, and each level has twice as many triangles per area as the one
    /// before.
    pub level: u32,
}

/// The mesh of a patch before it is added to `Assets<Mesh>`.
pub(crate) struct PatchMesh {
    pub(crate) patch: Patch,
    pub(crate) mesh: Mesh,
    pub(crate) origin: Vec3,
    pub(crate) bounds: Aabb,
    pub(crate) triangles: usize,
    /// Size on the GPU in bytes.
    pub(crate) bytes: usize,
}

/// Three floats for the position, three for the normal, two for the texture coordinates.
const VERTEX_BYTES: usize = 32;
const TANGENT_BYTES: usize = 16;
const INDEX_BYTES: usize = 2;

/// The approximate size in bytes of a patch with a weight of 1, which is one triangle (half a square at the finest
/// level).
pub(crate) const fn bytes_of_weight(tangents: bool) -> usize {
    if tangents { 130 << 10 } else { 94 << 10 }
}

impl PatchMesh {
    pub(crate) fn new(patch: Patch, triangles: PatchTriangles, tangents: bool) -> Self {
        let (low, high) = triangles.bounds();
        let vertex = VERTEX_BYTES + if tangents { TANGENT_BYTES } else { 0 };
        let bytes = vertex * triangles.positions.len() + INDEX_BYTES * triangles.indices.len();
        Self {
            patch,
            origin: triangles.origin,
            bounds: Aabb::from_min_max(low, high),
            triangles: triangles.indices.len() / 3,
            bytes,
            mesh: mesh(triangles, tangents),
        }
    }
}

/// Builds the mesh. It is only kept on the GPU, because queries and colliders use the heightmap.
fn mesh(triangles: PatchTriangles, with_tangents: bool) -> Mesh {
    let mut mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    );
    if with_tangents {
        let tangents: Vec<[f32; 4]> = triangles.normals.iter().map(tangent).collect();
        mesh.insert_attribute(Mesh::ATTRIBUTE_TANGENT, tangents);
    }
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, triangles.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, triangles.normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, triangles.uvs)
        .with_inserted_indices(Indices::U16(triangles.indices))
}

/// The tangent points east along the surface, where u grows. The bitangent of a normal map points north, where v
/// shrinks.
fn tangent([x, y, _]: &[f32; 3]) -> [f32; 4] {
    let along = Vec2::new(*y, -x).normalize_or(Vec2::X);
    [along.x, along.y, 0.0, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches the tangents that Bevy generates for its own plane, which has the same texture layout, and is
    /// perpendicular to the normal.
    #[test]
    fn tangents_match_those_of_a_plane() {
        let normals: [Vec3; 4] =
            [(0., 1., 0.), (3., 4., 0.), (-1., 9., 2.), (0., 1., -7.)].map(Vec3::from);
        for normal in normals.map(Vec3::normalize) {
            let [x, y, z, sign] = tangent(&normal.to_array());
            let along = Vec3::new(x, y, z);
            assert!(along.is_normalized() && along.dot(normal).abs() < 1e-6);
            assert!(along.x > 0.0 && sign == 1.0);
            // The bitangent as shaders compute it points north.
            assert!((normal.cross(along) * sign).z < 0.0);
        }
    }
}
