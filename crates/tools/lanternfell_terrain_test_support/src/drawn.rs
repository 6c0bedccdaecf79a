//! Reads the meshes of a terrain, to compare queries and colliders with them.

use bevy::{
    mesh::{Indices, MeshVertexAttribute, VertexAttributeValues},
    prelude::*,
};
use lanternfell_terrain::TerrainChunk;

/// The rendered triangles in world space.
pub struct Drawn(Vec<[Vec3; 3]>);

impl Drawn {
    /// Reads the triangles of this terrain, or of all terrains if it is `None`.
    pub fn new(app: &mut App, terrain: impl Into<Option<Entity>>) -> Self {
        let terrain = terrain.into();
        let mut triangles = Vec::new();
        let world = app.world_mut();
        let mut chunks = world.query::<(&TerrainChunk, &Mesh3d, &GlobalTransform)>();
        let meshes = world.resource::<Assets<Mesh>>();
        for (chunk, mesh, transform) in chunks.iter(world) {
            if terrain.is_some_and(|terrain| terrain != chunk.terrain) {
                continue;
            }
            let mesh = meshes.get(&mesh.0).unwrap();
            let corners = positions(mesh);
            let at = |index: usize| transform.transform_point(corners[index]);
            let indices: Vec<usize> = mesh.indices().map(Indices::iter).unwrap().collect();
            let cut = indices.chunks_exact(3);
            triangles.extend(cut.map(|corner| [at(corner[0]), at(corner[1]), at(corner[2])]));
        }
        assert!(!triangles.is_empty(), "nothing is drawn");
        Self(triangles)
    }

    /// Returns the corners of each triangle.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.0.iter().copied()
    }

    /// Returns the y of the highest corner.
    pub fn highest(&self) -> f32 {
        let corners = self.0.iter().flatten();
        corners.fold(f32::NEG_INFINITY, |highest, corner| highest.max(corner.y))
    }

    /// Returns the y of the highest triangle above or below `(x, z)`.
    pub fn height(&self, at: Vec2) -> Option<f32> {
        let heights = self.0.iter().filter_map(|triangle| height_on(triangle, at));
        heights.max_by(f32::total_cmp)
    }
}

/// The y of a triangle at `(x, z)`, if this is inside of it.
fn height_on([a, b, c]: &[Vec3; 3], at: Vec2) -> Option<f32> {
    let flat = |point: &Vec3| Vec2::new(point.x, point.z);
    let (ab, ac, ap) = (flat(b) - flat(a), flat(c) - flat(a), at - flat(a));
    let area = ab.perp_dot(ac);
    // Vertical triangles have no height.
    if area.abs() < 1e-4 * ab.length() * ac.length() {
        return None;
    }
    let (to_b, to_c) = (ap.perp_dot(ac) / area, ab.perp_dot(ap) / area);
    let inside = to_b >= -1e-4 && to_c >= -1e-4 && to_b + to_c <= 1.0 + 1e-4;
    inside.then_some(a.y + (b.y - a.y) * to_b + (c.y - a.y) * to_c)
}

/// Returns the vertex positions of a mesh.
pub fn positions(mesh: &Mesh) -> Vec<Vec3> {
    vectors(mesh, Mesh::ATTRIBUTE_POSITION)
}

/// Returns a vertex attribute with three components.
pub fn vectors(mesh: &Mesh, attribute: MeshVertexAttribute) -> Vec<Vec3> {
    match mesh.attribute(attribute) {
        Some(VertexAttributeValues::Float32x3(values)) => {
            values.iter().map(|&value| Vec3::from(value)).collect()
        }
        _ => panic!("a mesh without {attribute:?}"),
    }
}
