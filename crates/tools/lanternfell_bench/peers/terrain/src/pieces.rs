//! Rendered meshes, and their positions in the space of the terrain.

use glam::Vec3;

/// Three indices per triangle.
pub enum Indices {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

/// A mesh and its origin.
pub struct Piece {
    pub origin: Vec3,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub indices: Indices,
}

impl Piece {
    pub fn triangles(&self) -> usize {
        let indices = match &self.indices {
            Indices::Short(indices) => indices.len(),
            Indices::Long(indices) => indices.len(),
        };
        indices / 3
    }

    /// Bytes of vertices and indices, as passed to a renderer.
    pub fn bytes(&self) -> usize {
        let vertices = size_of_val(&self.positions[..]) + size_of_val(&self.normals[..]);
        let indices = match &self.indices {
            Indices::Short(indices) => size_of_val(&indices[..]),
            Indices::Long(indices) => size_of_val(&indices[..]),
        };
        vertices + size_of_val(&self.uvs[..]) + indices
    }

    /// The vertex indices of every triangle.
    pub fn each_triple(&self, mut call: impl FnMut([u32; 3])) {
        match &self.indices {
            Indices::Short(indices) => {
                let (triples, _) = indices.as_chunks::<3>();
                triples
                    .iter()
                    .for_each(|triple| call(triple.map(u32::from)));
            }
            Indices::Long(indices) => {
                let (triples, _) = indices.as_chunks::<3>();
                triples.iter().for_each(|triple| call(*triple));
            }
        }
    }

    /// The corners of every triangle, in the space of the terrain.
    pub fn each_triangle(&self, mut call: impl FnMut([Vec3; 3])) {
        let corner = |index: u32| Vec3::from(self.positions[index as usize]) + self.origin;
        self.each_triple(|triple| call(triple.map(corner)));
    }
}
