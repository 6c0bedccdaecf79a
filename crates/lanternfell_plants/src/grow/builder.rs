//! Building blocks of meshes: tubes, cards and strips.
//!
//! ```text
//!     /|\  tip          o---o            o--o--o  v = 0
//!    / | \              |  /|            |\ | /|
//!   o--+--o ring        | / |            o--o--o      a strip follows a spine
//!   |  |  |             |/  |            |\ | /|      and is folded along it, like a gutter
//!   o--+--o ring        o---o            o--o--o  v = 1
//!     tube               card             strip
//! ```

use core::f32::consts::TAU;

use glam::Vec3;

use super::mesh::{Part, PlantMesh, Skin};

/// A vertex of the mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
    pub(super) uv: [f32; 2],
    pub(super) tint: Vec3,
    pub(super) wind: f32,
}

/// A mesh under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) vertices: Vec<Vertex>,
    /// Triangles per skin, in the order of first use.
    triangles: Vec<(Skin, Vec<u32>)>,
}

/// A point along a branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Joint {
    pub(super) position: Vec3,
    pub(super) radius: f32,
}

/// The look of a tube.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wood {
    pub(super) skin: Skin,
    pub(super) sides: usize,
    pub(super) tint: Vec3,
    /// The height at which branches reach their full wind weight, see [`sway`].
    pub(super) height: f32,
}

/// The look of a card or strip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    pub(super) skin: Skin,
    pub(super) tint: Vec3,
    /// Wind weights at the base and the tip.
    pub(super) wind: [f32; 2],
}

/// The wind weight of wood at a height: 0 at the root.
pub(super) fn sway(y: f32, height: f32) -> f32 {
    let share = (y / height).clamp(0.0, 1.0);
    0.5 * share * share
}

impl Builder {
    pub(super) fn triangle_count(&self) -> usize {
        self.triangles
            .iter()
            .map(|(_, indices)| indices.len() / 3)
            .sum()
    }

    /// Adds vertices, and triangles with indices relative to them.
    pub(super) fn add(&mut self, skin: Skin, vertices: &[Vertex], triangles: &[[u32; 3]]) {
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(vertices);
        let place = match self.triangles.iter().position(|(of, _)| *of == skin) {
            Some(place) => place,
            None => {
                self.triangles.push((skin, Vec::new()));
                self.triangles.len() - 1
            }
        };
        let indices = triangles.iter().flatten().map(|corner| base + corner);
        self.triangles[place].1.extend(indices);
    }

    /// Adds a tube through joints. `u` repeats about once per meter around it, always a whole number of times.
    pub(super) fn tube(&mut self, joints: &[Joint], wood: Wood) {
        let (Some(first), Some(last), true) = (joints.first(), joints.last(), joints.len() > 1)
        else {
            return;
        };
        let sides = wood.sides as u32;
        let around = (first.radius * TAU).round().max(1.0);
        let mut vertices = Vec::with_capacity(joints.len() * (wood.sides + 1));
        let mut side = (joints[1].position - first.position)
            .any_orthogonal_vector()
            .normalize_or(Vec3::X);
        let mut along = 0.0;
        for index in 0..joints.len() {
            let joint = joints[index];
            let before = joints[index.saturating_sub(1)];
            let after = joints[(index + 1).min(joints.len() - 1)];
            along += joint.position.distance(before.position);
            let axis = (after.position - before.position).normalize_or(Vec3::Y);
            // Transport the ring along the tube without twist.
            side = (side - axis * side.dot(axis)).normalize_or(axis.any_orthogonal_vector());
            let across = axis.cross(side);
            // One vertex more than sides: the first and the last share a position, but not their `u`.
            for step in 0..=sides {
                let share = (step % sides) as f32 / sides as f32;
                let (sin, cos) = libm::sincosf(share * TAU);
                let normal = side * cos + across * sin;
                vertices.push(Vertex {
                    position: joint.position + normal * joint.radius,
                    normal,
                    uv: [step as f32 / sides as f32 * around, -along],
                    tint: wood.tint,
                    wind: sway(joint.position.y, wood.height),
                });
            }
        }
        let pointed = [first, last].map(|end| end.radius <= 1e-4);
        self.add(
            wood.skin,
            &vertices,
            &tube_triangles(joints.len() as u32, sides, pointed),
        );
    }

    /// Adds a flat card from `base` along `axis`. Its width is `side` on either side.
    pub(super) fn card(
        &mut self,
        base: Vec3,
        axis: Vec3,
        side: Vec3,
        leaf: Leaf,
        normal: impl Fn(Vec3) -> Vec3,
    ) {
        let corner = |u: f32, v: f32| {
            let position = base + axis * (1.0 - v) + side * (2.0 * u - 1.0);
            Vertex {
                position,
                normal: normal(position),
                uv: [u, v],
                tint: leaf.tint,
                wind: leaf.wind[1] + (leaf.wind[0] - leaf.wind[1]) * v,
            }
        };
        let corners = [
            corner(0.0, 1.0),
            corner(1.0, 1.0),
            corner(1.0, 0.0),
            corner(0.0, 0.0),
        ];
        self.add(leaf.skin, &corners, &[[0, 1, 2], [0, 2, 3]]);
    }

    /// Adds a strip along a spine. Its width is `side` on either side, and its halves are folded by `fold` radians.
    pub(super) fn strip(
        &mut self,
        spine: &[Vec3],
        side: Vec3,
        fold: f32,
        leaf: Leaf,
        normal: impl Fn(Vec3) -> Vec3,
    ) {
        let mut vertices = Vec::with_capacity(spine.len() * 3);
        let (sin, cos) = libm::sincosf(fold);
        let last = spine.len() - 1;
        for (index, &middle) in spine.iter().enumerate() {
            let along = (spine[(index + 1).min(last)] - spine[index.saturating_sub(1)])
                .normalize_or(Vec3::Y);
            let up = side.cross(along).normalize_or(Vec3::Y);
            let v = 1.0 - index as f32 / last as f32;
            for (u, offset) in [
                (0.0, up * (sin * side.length()) - side * cos),
                (0.5, Vec3::ZERO),
                (1.0, up * (sin * side.length()) + side * cos),
            ] {
                let position = middle + offset;
                vertices.push(Vertex {
                    position,
                    normal: normal(position),
                    uv: [u, v],
                    tint: leaf.tint,
                    wind: leaf.wind[1] + (leaf.wind[0] - leaf.wind[1]) * v,
                });
            }
        }
        let squares = (0..last as u32).flat_map(|row| [row * 3, row * 3 + 1]);
        let triangles: Vec<[u32; 3]> = squares
            .flat_map(|a| [[a, a + 1, a + 4], [a, a + 4, a + 3]])
            .collect();
        self.add(leaf.skin, &vertices, &triangles);
    }

    /// Returns the mesh.
    pub(super) fn finish(self) -> PlantMesh {
        let mut mesh = PlantMesh::default();
        for vertex in &self.vertices {
            mesh.positions.push(vertex.position.to_array());
            mesh.normals.push(vertex.normal.to_array());
            mesh.uvs.push(vertex.uv);
            mesh.colors.push(vertex.tint.extend(vertex.wind).to_array());
        }
        for (skin, indices) in self.triangles {
            let start = mesh.indices.len();
            mesh.indices.extend(indices);
            mesh.parts.push(Part {
                skin,
                indices: start..mesh.indices.len(),
            });
        }
        mesh
    }
}

/// Number of triangles of a tube that ends in a point.
pub(super) fn tube_cost(joints: usize, sides: usize) -> usize {
    (2 * joints - 3) * sides
}

/// The triangles between rings. Where the first or last ring is a point, there is one per side instead of two.
fn tube_triangles(rings: u32, sides: u32, pointed: [bool; 2]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity((2 * rings * sides) as usize);
    for ring in 0..rings - 1 {
        for side in 0..sides {
            let a = ring * (sides + 1) + side;
            let above = a + sides + 1;
            if !(pointed[0] && ring == 0) {
                triangles.push([a, a + 1, above]);
            }
            if !(pointed[1] && ring == rings - 2) {
                triangles.push([a + 1, above + 1, above]);
            }
        }
    }
    triangles
}
