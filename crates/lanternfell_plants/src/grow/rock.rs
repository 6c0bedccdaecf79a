//! Stones: a ball, cut by planes, worn and roughened.
//!
//! Problem: noise on a ball looks like a potato. Real stones break along planes and then wear.
//!
//! Idea: define the radius for each direction, so that every level of detail samples the same stone. The radius is the
//! minimum of the ball and of some planes. A *smooth* minimum rounds the edges as much as the stone is worn. Noise
//! finer than the planes adds roughness. The result is stretched, sunk into the ground, and cut flat below.
//!
//! ```text
//!      .-''-.        /----.         /----.
//!     /      \  ->  /      |  ->   /      |
//!    |        |    |       |   ___|       |___ ground
//!     \      /      \     /        \_____/
//! ```
//!
//! The normal at a corner averages the adjacent faces that differ by less than [`CREASE`] from the face itself. So worn
//! edges are smooth and broken edges are sharp.

use core::f32::consts::TAU;
use std::collections::BTreeMap;

use glam::Vec3;

use super::{
    GroundKind, Level, PlantKind, PlantMesh, Purpose, Skin, Solid,
    builder::{Builder, Vertex},
    level_direction, tint,
};
use crate::hash::{Draws, Key};

/// Cosine of the angle above which an edge is sharp: 48 degrees.
const CREASE: f32 = 0.669;

/// The shape of a stone.
#[derive(Debug)]
pub(super) struct Cut {
    /// Half of the size in meters: east, up, south.
    radii: [f32; 3],
    /// Smallest and largest number of planes, and of their distances from the center.
    planes: [u32; 2],
    near: [f32; 2],
    /// Vertical part of the planes' random normals: 1 for random directions, 0 for vertical walls.
    tilt: f32,
    /// Added to the vertical part, so that the stone is narrower at the top.
    taper: f32,
    /// Flat at the top and bottom.
    layered: bool,
    /// Sharpness of edges. Smaller is more worn.
    sharp: f32,
    rough: f32,
    /// Fraction of its height below the ground.
    sunk: f32,
}

impl Cut {
    pub(super) const BOULDER: Self = Self {
        radii: [0.62, 0.52, 0.55],
        planes: [9, 13],
        near: [0.58, 0.84],
        tilt: 1.0,
        taper: 0.0,
        layered: false,
        sharp: 22.0,
        rough: 0.06,
        sunk: 0.30,
    };

    pub(super) const SLAB: Self = Self {
        radii: [0.95, 0.30, 0.70],
        planes: [6, 8],
        near: [0.70, 0.92],
        tilt: 0.30,
        taper: 0.15,
        layered: true,
        sharp: 45.0,
        rough: 0.05,
        sunk: 0.36,
    };

    pub(super) const SPIRE: Self = Self {
        radii: [0.55, 1.45, 0.45],
        planes: [7, 9],
        near: [0.55, 0.82],
        tilt: 0.30,
        taper: 0.28,
        layered: false,
        sharp: 40.0,
        rough: 0.05,
        sunk: 0.22,
    };
}

/// A stone: its radius in each direction before it is stretched.
struct Stone {
    planes: Vec<(Vec3, f32)>,
    radii: Vec3,
    sharp: f32,
    rough: f32,
    sunk: f32,
    noise: Key,
}

impl Stone {
    fn of(kind: PlantKind, cut: &Cut, seed: u64) -> Self {
        let mut size = kind.draws(seed, Purpose::Size);
        let whole = size.between(0.75, 1.3);
        let radii = Vec3::from(
            cut.radii
                .map(|radius| radius * whole * size.between(0.85, 1.15)),
        );
        let mut draws = kind.draws(seed, Purpose::Wood);
        let mut planes: Vec<(Vec3, f32)> = (0..draws.count(cut.planes[0], cut.planes[1]))
            .map(|_| plane(cut, &mut draws))
            .collect();
        if cut.layered {
            for up in [Vec3::Y, Vec3::NEG_Y] {
                let normal = (up + draws.direction() * 0.10).normalize_or(up);
                planes.push((normal, draws.between(0.72, 0.85)));
            }
        }
        // A separate key for the noise, so that it does not depend on the number of planes.
        let noise = Key::new(seed, kind as u64).with(Purpose::Leaves as u64);
        Self {
            planes,
            radii,
            sharp: cut.sharp,
            rough: cut.rough,
            sunk: cut.sunk,
            noise,
        }
    }

    /// The surface point in a direction, in meters.
    fn surface(&self, direction: Vec3) -> Vec3 {
        // A smooth minimum: minus the logarithm of the sum of exponentials.
        let mut sum = libm::expf(-self.sharp);
        for &(normal, distance) in &self.planes {
            let toward = direction.dot(normal);
            // Only directions toward the plane hit it. For grazing directions its term goes to 0.
            if toward > 0.05 {
                sum += libm::expf(-self.sharp * distance / toward);
            }
        }
        let radius = -libm::logf(sum) / self.sharp;
        let broad = noise(self.noise, direction * 2.3) - 0.5;
        let fine = noise(self.noise.with(1), direction * 6.5) - 0.5;
        let rough = 1.0 + self.rough * (2.0 * broad + fine);
        let place = direction * radius * rough * self.radii;
        let ground = self.radii.y * (1.0 - 2.0 * self.sunk) * 0.8;
        let y = place.y + ground;
        // The underside is not visible, so it ends below the ground.
        Vec3::new(place.x, y.max(-0.3 * self.radii.y), place.z)
    }
}

/// A random plane that cuts the ball: its normal and its distance from the center.
fn plane(cut: &Cut, draws: &mut Draws) -> (Vec3, f32) {
    let random = draws.direction();
    let normal =
        Vec3::new(random.x, random.y * cut.tilt + cut.taper, random.z).normalize_or(Vec3::X);
    (normal, draws.between(cut.near[0], cut.near[1]))
}

/// 3D value noise from 0 to 1.
fn noise(key: Key, place: Vec3) -> f32 {
    let square = place.to_array().map(libm::floorf);
    let t = (place - Vec3::from(square))
        .to_array()
        .map(|t| t * t * (3.0 - 2.0 * t));
    let [x, y, z] = square.map(|side| side as i64);
    let mut sum = 0.0;
    for corner in 0..8_i64 {
        let step = [corner & 1, corner >> 1 & 1, corner >> 2];
        let weight = (0..3).map(|axis| {
            if step[axis] == 1 {
                t[axis]
            } else {
                1.0 - t[axis]
            }
        });
        let value = key
            .at([x + step[0], y + step[1]])
            .with((z + step[2]) as u64)
            .stream()
            .unit_f32();
        sum += value * weight.product::<f32>();
    }
    sum
}

/// The convex hull of a coarse sample of the stone.
pub(super) fn solid(kind: PlantKind, cut: &Cut, seed: u64) -> Solid {
    let stone = Stone::of(kind, cut, seed);
    let ball = Ball::new(1);
    Solid::Hull {
        points: ball
            .directions
            .iter()
            .map(|&direction| stone.surface(direction).to_array())
            .collect(),
    }
}

pub(super) fn grow(kind: PlantKind, cut: &Cut, seed: u64, level: Level) -> PlantMesh {
    let stone = Stone::of(kind, cut, seed);
    let ball = Ball::new(level.of([3, 2, 0]));
    let places: Vec<Vec3> = ball
        .directions
        .iter()
        .map(|&direction| stone.surface(direction))
        .collect();
    let tint = tint(kind, seed).lerp(Vec3::ONE, 0.3);
    let mut builder = Builder::default();
    let mut known: BTreeMap<(u32, usize, [u32; 3]), u32> = BTreeMap::new();
    let mut vertices = Vec::new();
    let corners = corners(&ball.triangles, &places);
    let mut triangles = Vec::with_capacity(ball.triangles.len());
    for (triangle, normals) in ball.triangles.iter().zip(corners) {
        let face = face_normal(*triangle, &places);
        // Textures are projected along the main axis of each face, so faces share vertices only if axis and normal
        // match.
        let axis = (0..3)
            .max_by(|&a, &b| face[a].abs().total_cmp(&face[b].abs()))
            .unwrap_or(1);
        triangles.push([0, 1, 2].map(|corner| {
            let (number, normal) = (triangle[corner], normals[corner]);
            let bits = normal.to_array().map(f32::to_bits);
            *known.entry((number, axis, bits)).or_insert_with(|| {
                vertices.push(vertex(
                    places[number as usize],
                    normal,
                    axis,
                    tint,
                    stone.radii.y,
                ));
                vertices.len() as u32 - 1
            })
        }));
    }
    builder.add(Skin::Ground(GroundKind::Granite), &vertices, &triangles);
    builder.finish()
}

/// Creates a vertex. Its texture is projected along the main axis of its face.
fn vertex(position: Vec3, normal: Vec3, axis: usize, tint: Vec3, height: f32) -> Vertex {
    let [x, y, z] = position.to_array();
    let uv = [[z, -y], [x, z], [x, -y]][axis];
    // Near the ground, and on faces that look down, less of the sky is visible.
    let above = (position.y / height).clamp(0.0, 1.0);
    let sky = 0.5 + 0.5 * normal.y;
    let light = (0.55 + 0.45 * above.sqrt()) * (0.65 + 0.35 * sky);
    Vertex {
        position,
        normal,
        uv,
        tint: tint * light,
        wind: 0.0,
    }
}

/// The normal of a face, scaled by twice its area.
fn cross(triangle: [u32; 3], places: &[Vec3]) -> Vec3 {
    let [a, b, c] = triangle.map(|corner| places[corner as usize]);
    (b - a).cross(c - a)
}

fn face_normal(triangle: [u32; 3], places: &[Vec3]) -> Vec3 {
    cross(triangle, places).normalize_or(Vec3::Y)
}

/// The normal for each corner of each triangle, averaged over the adjacent faces within the crease angle.
fn corners(triangles: &[[u32; 3]], places: &[Vec3]) -> Vec<[Vec3; 3]> {
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
    for (index, triangle) in triangles.iter().enumerate() {
        for &corner in triangle {
            around[corner as usize].push(index);
        }
    }
    let normal = |triangle: &[u32; 3]| {
        let own = face_normal(*triangle, places);
        triangle.map(|corner| {
            let faces = around[corner as usize].iter().map(|&face| triangles[face]);
            let alike = faces.filter(|face| face_normal(*face, places).dot(own) > CREASE);
            alike
                .map(|face| cross(face, places))
                .sum::<Vec3>()
                .normalize_or(own)
        })
    };
    triangles.iter().map(normal).collect()
}

/// A triangulated unit ball.
struct Ball {
    directions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Ball {
    /// An icosahedron, with each triangle split into four `cuts` times.
    fn new(cuts: u32) -> Self {
        let mut ball = Self::icosahedron();
        for _ in 0..cuts {
            let mut middles = BTreeMap::new();
            let mut finer = Vec::with_capacity(ball.triangles.len() * 4);
            for [a, b, c] in core::mem::take(&mut ball.triangles) {
                let ab = ball.middle(a, b, &mut middles);
                let bc = ball.middle(b, c, &mut middles);
                let ca = ball.middle(c, a, &mut middles);
                finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            }
            ball.triangles = finer;
        }
        ball
    }

    /// The vertex between two others.
    fn middle(&mut self, a: u32, b: u32, middles: &mut BTreeMap<(u32, u32), u32>) -> u32 {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            let sum = self.directions[a as usize] + self.directions[b as usize];
            self.directions.push(sum.normalize_or(Vec3::Y));
            self.directions.len() as u32 - 1
        })
    }

    /// Has a vertex at the top, so that the coarsest level reaches the top of the stone.
    fn icosahedron() -> Self {
        let height = 1.0 / 5.0_f32.sqrt();
        let ring = |y: f32, turn: f32| {
            (0..5).map(move |step| {
                let level = level_direction((step as f32 + turn) * TAU / 5.0);
                (level * (2.0 * height) + Vec3::Y * y).normalize_or(Vec3::Y)
            })
        };
        let poles = [Vec3::Y, Vec3::NEG_Y];
        let directions: Vec<Vec3> = poles
            .into_iter()
            .chain(ring(height, 0.0))
            .chain(ring(-height, 0.5))
            .collect();
        // Faces are the triples of adjacent vertices.
        let next = |a: usize, b: usize| directions[a].dot(directions[b]) > 0.4;
        let mut triangles = Vec::with_capacity(20);
        for a in 0..12 {
            for b in a + 1..12 {
                for c in b + 1..12 {
                    if next(a, b) && next(b, c) && next(c, a) {
                        let outward = directions[a].dot(directions[b].cross(directions[c])) > 0.0;
                        let face = if outward { [a, b, c] } else { [a, c, b] };
                        triangles.push(face.map(|corner| corner as u32));
                    }
                }
            }
        }
        Self {
            directions,
            triangles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_are_closed_and_wind_outward() {
        for (cuts, faces) in [(0, 20), (1, 80), (3, 1280)] {
            let ball = Ball::new(cuts);
            assert_eq!(ball.triangles.len(), faces);
            assert_eq!(ball.directions.len(), faces / 2 + 2, "Euler");
            for &triangle in &ball.triangles {
                let middle: Vec3 = triangle
                    .map(|corner| ball.directions[corner as usize])
                    .into_iter()
                    .sum();
                assert!(face_normal(triangle, &ball.directions).dot(middle) > 0.0);
            }
        }
    }

    #[test]
    fn broken_edges_are_sharp() {
        // Two faces of a cube, each of two triangles.
        let places = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::X + Vec3::Y,
            Vec3::Y,
            Vec3::NEG_Z,
            Vec3::Y + Vec3::NEG_Z,
        ];
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]];
        let corners = corners(&triangles, &places);
        assert_eq!(corners[0], [Vec3::Z; 3]);
        assert_eq!(corners[1], [Vec3::Z; 3]);
        assert_eq!(corners[2], [Vec3::NEG_X; 3]);
    }
}
