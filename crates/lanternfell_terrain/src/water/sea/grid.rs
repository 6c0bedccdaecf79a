//! The mesh of a sea with waves: nested rings that the vertex shader centers on the camera.
//!
//! Problem: waves a few meters long need a vertex every half meter, which is too many for a sea of 20 km, and there may
//! be several cameras.
//!
//! Idea: each ring has cells twice as wide as the ring inside it. A vertex has no position, only an index in the
//! lattice of its ring. The shader adds the eye position, rounded to that lattice, so vertices stay in place while the
//! eye moves, and jump by whole cells. Each ring rounds to its own lattice, so neighboring rings shift relative to each
//! other. The strip between them, one cell of the outer ring wide, absorbs the shift. It only uses vertices of the two
//! rings, so there are no cracks.
//!
//! ```text
//! +-------+-------+-------+-------+     outer ring, cells of 2 m
//! |       |   \   |   /   |       |
//! +-------+---+---+---+---+-------+     the strip: one row of triangles
//! |    \  | . | . | . | . |  /    |
//! +-------+---+---+---+---+-------+     inner ring, cells of 1 m
//! ```
//!
//! The mesh is the same for all seas: 38,721 vertices, 77,184 triangles. A wave displaces vertices only where it is
//! several cells long, up to a distance of eight wavelengths. Farther away it only changes the shading.
//!
//! Source: geometry clipmaps (Losasso and Hoppe 2004), with a strip in place of their trimmed L.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// Meters between vertices near the eye.
const CELL: f32 = 0.5;
/// Cells from the center of a ring to its border. An even number, the same as in `water_vertex.wgsl`.
const CELLS: i32 = 32;
/// The number of rings, including the inner square. The last one reaches 32 km; its border is moved to that of the sea.
const RINGS: u32 = 12;

/// Vertex positions hold the lattice index in x and z, and the cell width in meters in y. The width is negative for
/// vertices on the outermost border, which the shader moves to the border of the sea.
pub(super) fn mesh() -> Mesh {
    let mut grid = Grid::default();
    grid.square();
    for ring in 1..RINGS {
        grid.ring(ring);
    }
    let normals = vec![[0.0, 1.0, 0.0]; grid.places.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, grid.places)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(grid.indices))
}

/// A vertex: its ring, and its lattice index along x and z.
type Corner = (u32, IVec2);

/// Vertices along a side of a ring.
const SIDE: usize = 2 * CELLS as usize + 1;

struct Grid {
    places: Vec<[f32; 3]>,
    indices: Vec<u32>,
    /// The vertex index at each lattice point of each ring, once it exists.
    known: Vec<Option<u32>>,
}

impl Default for Grid {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            indices: Vec::new(),
            known: vec![None; RINGS as usize * SIDE * SIDE],
        }
    }
}

impl Grid {
    fn vertex(&mut self, (ring, at): Corner) -> u32 {
        let [x, y] = [at.x, at.y].map(|n| (n + CELLS) as usize);
        let known = &mut self.known[(ring as usize * SIDE + y) * SIDE + x];
        let next = self.places.len() as u32;
        let index = *known.get_or_insert(next);
        if index == next {
            let is_last = ring + 1 == RINGS && at.abs().max_element() == CELLS;
            let cell = CELL * (1 << ring) as f32;
            let width = if is_last { -cell } else { cell };
            self.places.push([at.x as f32, width, at.y as f32]);
        }
        index
    }

    /// The corners are counterclockwise seen from above.
    fn triangle(&mut self, corners: [Corner; 3]) {
        let [a, b, c] = corners.map(|corner| self.vertex(corner));
        self.indices.extend([a, b, c]);
    }

    fn cell(&mut self, ring: u32, at: IVec2) {
        let corner = |x, y| (ring, at + IVec2::new(x, y));
        let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        // Diagonals alternate, so that slopes are equally smooth in both directions.
        if (at.x + at.y) % 2 == 0 {
            self.triangle([a, b, c]);
            self.triangle([a, c, d]);
        } else {
            self.triangle([a, b, d]);
            self.triangle([b, c, d]);
        }
    }

    /// The square inside all rings.
    fn square(&mut self) {
        for x in -CELLS..CELLS {
            for y in -CELLS..CELLS {
                self.cell(0, IVec2::new(x, y));
            }
        }
    }

    fn ring(&mut self, ring: u32) {
        // The inner ring reaches `CELLS / 2` of these cells from the center. One more is left out for the strip.
        let inner = CELLS / 2 + 1;
        for x in -CELLS..CELLS {
            for y in -CELLS..CELLS {
                let is_within = |n: i32| (-inner..inner).contains(&n);
                if !(is_within(x) && is_within(y)) {
                    self.cell(ring, IVec2::new(x, y));
                }
            }
        }
        for side in 0..4 {
            self.strip(ring, side);
        }
    }

    /// One side of the strip between a ring and the ring inside it.
    fn strip(&mut self, ring: u32, side: usize) {
        let inner = CELLS / 2 + 1;
        let turned = |at: IVec2| match side {
            0 => at,
            1 => at.perp(),
            2 => -at,
            _ => -at.perp(),
        };
        // Vertices of both rows by lattice index. `within` counts cells half as wide as `out` does.
        let out = |x: i32| (ring, turned(IVec2::new(x, inner)));
        let within = |x: i32| (ring - 1, turned(IVec2::new(x, CELLS)));
        // Each side includes its corners. Each fan has its apex at the last vertex of the inner ring.
        self.triangle([within(-CELLS), out(-inner), out(-inner + 1)]);
        for x in 1 - inner..inner - 1 {
            let [near, middle, far] = [2 * x, 2 * x + 1, 2 * x + 2].map(within);
            self.triangle([near, out(x), middle]);
            self.triangle([middle, out(x), out(x + 1)]);
            self.triangle([middle, out(x + 1), far]);
        }
        self.triangle([within(CELLS), out(inner - 1), out(inner)]);
    }
}

#[cfg(test)]
mod tests {
    use bevy::mesh::VertexAttributeValues;

    use super::*;

    /// The position of a vertex for a given eye, as computed in `water_vertex.wgsl`.
    fn vertex_position([x, cell, z]: [f32; 3], eye: Vec2) -> Vec2 {
        let width = cell.abs();
        ((eye / width).round() + Vec2::new(x, z)) * width
    }

    fn triangles(eye: Vec2) -> Vec<[Vec2; 3]> {
        let mesh = mesh();
        let Some(VertexAttributeValues::Float32x3(places)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            panic!("no places");
        };
        let indices: Vec<usize> = mesh.indices().unwrap().iter().collect();
        let corners = indices.chunks_exact(3);
        corners
            .map(|corners| [0, 1, 2].map(|k| vertex_position(places[corners[k]], eye)))
            .collect()
    }

    fn area([a, b, c]: &[Vec2; 3]) -> f64 {
        f64::from((*b - *a).perp_dot(*c - *a)) / 2.0
    }

    /// x points east and y south, so triangles that face up have a negative area here.
    #[test]
    fn triangles_face_up_and_cover_the_sea_once_for_any_eye() {
        let eyes = [
            [0.0, 0.0],
            [0.3, -7.9],
            [1234.5, 77.7],
            [-15.99, 16.01],
            [3.3, 5000.2],
        ];
        for eye in eyes.map(Vec2::from) {
            let all = triangles(eye);
            let least = all
                .iter()
                .map(|corners| -area(corners))
                .fold(f64::MAX, f64::min);
            assert!(least > 0.0, "at {eye}: {least}");
            let side = 2.0 * f64::from(CELL) * f64::from(CELLS) * f64::from(1 << (RINGS - 1));
            let sum: f64 = all.iter().map(|corners| -area(corners)).sum();
            assert!((sum / (side * side) - 1.0).abs() < 1e-6, "at {eye}: {sum}");
        }
    }

    #[test]
    fn inner_edges_have_two_triangles() {
        let mesh = mesh();
        let indices: Vec<usize> = mesh.indices().unwrap().iter().collect();
        let mut edges = std::collections::BTreeMap::new();
        for corners in indices.chunks_exact(3) {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                *edges.entry((a.min(b), a.max(b))).or_insert(0) += 1;
            }
        }
        let border = edges.values().filter(|&&count| count == 1).count();
        assert!(edges.values().all(|&count| count <= 2));
        assert_eq!(border, 8 * CELLS as usize);
    }

    #[test]
    fn has_documented_size() {
        let mesh = mesh();
        assert_eq!(mesh.count_vertices(), 38_721);
        assert_eq!(mesh.indices().unwrap().len() / 3, 77_184);
    }

    #[test]
    fn vertices_stay_while_the_eye_moves_within_a_cell() {
        let [a, b] = [Vec2::new(10.01, 20.01), Vec2::new(10.2, 20.2)].map(triangles);
        // The triangles of the inner square.
        let count = (2 * CELLS * 2 * CELLS * 2) as usize;
        assert_eq!(a[..count], b[..count]);
    }
}
