//! The surface of a sea with waves: one mesh of nested rings, that the vertex shader lays around whoever looks.
//!
//! Problem: waves of a few metres need vertices every half metre, a sea of 20 km has no room for them, and there may
//! be several cameras.
//!
//! Idea: rings, each of cells twice as wide as those of the ring within it. A vertex has no place, only its number in
//! its ring's own lattice; the shader adds where the eye is, rounded to that lattice, so vertices stand still while the
//! eye moves and jump by whole cells. Rings round differently; the strip between them, a cell of the outer one wide,
//! takes that up. It has vertices of both and no others, so there is no crack.
//!
//! ```text
//! +-------+-------+-------+-------+     outer ring, cells of 2 m
//! |       |   \   |   /   |       |
//! +-------+---+---+---+---+-------+     the strip: one row of triangles
//! |    \  | . | . | . | . |  /    |
//! +-------+---+---+---+---+-------+     inner ring, cells of 1 m
//! ```
//!
//! The mesh is the same for all seas: 38,721 vertices, 77,184 triangles. A wave is drawn as long as it is several
//! cells long, up to eight wavelengths away; beyond it is but light and shade.
//!
//! Source: geometry clipmaps (Losasso and Hoppe 2004), with a strip in place of their trimmed L.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// Metres between vertices near the eye.
const CELL: f32 = 0.5;
/// Cells of a ring from its middle to its border, an even number: as in `water_vertex.wgsl`.
const CELLS: i32 = 32;
/// Rings, the inner square among them: the last reaches 32 km, and its border the sea's own.
const RINGS: u32 = 12;

/// The vertices' places are numbers of cells along x and z, and in y how wide a cell is in metres: below 0 on the
/// border of all, which goes to the border of the sea.
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

/// A vertex: its ring, and its number along x and z.
type Corner = (u32, IVec2);

/// Vertices along a side of a ring.
const SIDE: usize = 2 * CELLS as usize + 1;

struct Grid {
    places: Vec<[f32; 3]>,
    indices: Vec<u32>,
    /// Of each ring's lattice the vertices that are there.
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

    /// Seen from above its corners go round to the left.
    fn triangle(&mut self, corners: [Corner; 3]) {
        let [a, b, c] = corners.map(|corner| self.vertex(corner));
        self.indices.extend([a, b, c]);
    }

    fn cell(&mut self, ring: u32, at: IVec2) {
        let corner = |x, y| (ring, at + IVec2::new(x, y));
        let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        // Diagonals meet in every other vertex, so that no slope is smoother one way than the other.
        if (at.x + at.y) % 2 == 0 {
            self.triangle([a, b, c]);
            self.triangle([a, c, d]);
        } else {
            self.triangle([a, b, d]);
            self.triangle([b, c, d]);
        }
    }

    /// What is within all rings.
    fn square(&mut self) {
        for x in -CELLS..CELLS {
            for y in -CELLS..CELLS {
                self.cell(0, IVec2::new(x, y));
            }
        }
    }

    fn ring(&mut self, ring: u32) {
        // The ring within reaches `CELLS / 2` of these cells from the middle; one more is left out for the strip.
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

    /// One side of the strip between a ring and the one within it.
    fn strip(&mut self, ring: u32, side: usize) {
        let inner = CELLS / 2 + 1;
        let turned = |at: IVec2| match side {
            0 => at,
            1 => at.perp(),
            2 => -at,
            _ => -at.perp(),
        };
        // Both rows of vertices, by their numbers in their own lattices: `within` counts cells half as wide as `out`.
        let out = |x: i32| (ring, turned(IVec2::new(x, inner)));
        let within = |x: i32| (ring - 1, turned(IVec2::new(x, CELLS)));
        // Corners belong to the sides: from one to the next a fan around the last vertex within.
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

    /// Where the shader lays a vertex for an eye at a place, as in `water_vertex.wgsl`.
    fn lay([x, cell, z]: [f32; 3], eye: Vec2) -> Vec2 {
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
            .map(|corners| [0, 1, 2].map(|k| lay(places[corners[k]], eye)))
            .collect()
    }

    fn area([a, b, c]: &[Vec2; 3]) -> f64 {
        f64::from((*b - *a).perp_dot(*c - *a)) / 2.0
    }

    /// In squares of cells' corners: x to the east, y to the south, so what faces up turns to the right there.
    #[test]
    fn wherever_the_eye_is_no_triangle_turns_over_and_all_is_covered_once() {
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
    fn each_edge_within_is_of_two_triangles() {
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
    fn it_is_as_large_as_is_said() {
        let mesh = mesh();
        assert_eq!(mesh.count_vertices(), 38_721);
        assert_eq!(mesh.indices().unwrap().len() / 3, 77_184);
    }

    #[test]
    fn a_vertex_stands_still_while_the_eye_moves_within_a_cell() {
        let [a, b] = [Vec2::new(10.01, 20.01), Vec2::new(10.2, 20.2)].map(triangles);
        // Of the inner square.
        let count = (2 * CELLS * 2 * CELLS * 2) as usize;
        assert_eq!(a[..count], b[..count]);
    }
}
