//! Triangles that are drawn, and where they stand in the land's frame.

use glam::Vec3;

/// Three for each triangle.
pub enum Indices {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

/// What becomes a mesh, and where its origin is.
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

    /// Bytes of vertices and indices: what a renderer is handed.
    pub fn bytes(&self) -> usize {
        let vertices = size_of_val(&self.positions[..]) + size_of_val(&self.normals[..]);
        let indices = match &self.indices {
            Indices::Short(indices) => size_of_val(&indices[..]),
            Indices::Long(indices) => size_of_val(&indices[..]),
        };
        vertices + size_of_val(&self.uvs[..]) + indices
    }

    /// The corners of every triangle, in the land's frame.
    pub fn each_triangle(&self, mut call: impl FnMut([Vec3; 3])) {
        let corner = |index: usize| Vec3::from(self.positions[index]) + self.origin;
        match &self.indices {
            Indices::Short(indices) => {
                let (triples, _) = indices.as_chunks::<3>();
                let each = triples.iter().map(|triple| triple.map(usize::from));
                each.for_each(|triple| call(triple.map(corner)));
            }
            Indices::Long(indices) => {
                let (triples, _) = indices.as_chunks::<3>();
                let each = triples
                    .iter()
                    .map(|triple| triple.map(|index| index as usize));
                each.for_each(|triple| call(triple.map(corner)));
            }
        }
    }
}
