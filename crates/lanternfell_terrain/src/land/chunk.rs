//! From triangles to Bevy's meshes: the one file that knows `Mesh`.

use bevy::{
    asset::RenderAssetUsages,
    camera::primitives::Aabb,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use lanternfell_surface::detail::{Patch, PatchTriangles};

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
const TANGENT_BYTES: usize = 16;
const INDEX_BYTES: usize = 2;

/// What a patch of one triangle takes, about: of the finest squares, half.
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

/// The mesh of these triangles. Only the GPU keeps it: queries and collider have the map.
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

/// Along the surface to the east, where texture coordinates grow; the other axis of a normal map is north, where they
/// get less.
fn tangent([x, y, _]: &[f32; 3]) -> [f32; 4] {
    let along = Vec2::new(*y, -x).normalize_or(Vec2::X);
    [along.x, along.y, 0.0, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Bevy computes them for its own plane, whose texture lies as a map's does; and at right angles to the normal.
    #[test]
    fn tangents_are_as_those_of_a_plane() {
        let normals: [Vec3; 4] =
            [(0., 1., 0.), (3., 4., 0.), (-1., 9., 2.), (0., 1., -7.)].map(Vec3::from);
        for normal in normals.map(Vec3::normalize) {
            let [x, y, z, sign] = tangent(&normal.to_array());
            let along = Vec3::new(x, y, z);
            assert!(along.is_normalized() && along.dot(normal).abs() < 1e-6);
            assert!(along.x > 0.0 && sign == 1.0);
            // The other axis, as shaders compute it, points north.
            assert!((normal.cross(along) * sign).z < 0.0);
        }
    }
}
