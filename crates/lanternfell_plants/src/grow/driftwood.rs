//! Driftwood: a bent log with stubs, partly buried in sand.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, PlantSkin, Purpose, Skin, Solid,
    builder::{Builder, Joint, Wood},
    tint, turned,
};
use crate::hash::{Draws, Key};

const KIND: PlantKind = PlantKind::Driftwood;

/// Roots at the thick end.
const ROOTS: u32 = 5;

/// Dimensions of an individual, in meters.
struct Log {
    length: f32,
    radius: f32,
    /// Sideways bend of the middle, and height of the thin end.
    bend: f32,
    lift: f32,
}

impl Log {
    fn of(seed: u64) -> Self {
        let mut draws = KIND.draws(seed, Purpose::Size);
        let length = 2.5 * draws.between(0.7, 1.3);
        Self {
            length,
            radius: length * draws.between(0.045, 0.065),
            bend: length * 0.28 * draws.spread(),
            lift: length * draws.between(0.02, 0.16),
        }
    }

    /// The center line, along x.
    fn line(&self, share: f32) -> Vec3 {
        let bow = libm::sinf(share * TAU / 2.0);
        let wave = 0.45 * libm::sinf(share * 7.0);
        Vec3::new(
            (share - 0.5) * self.length,
            self.radius * 0.45 + self.lift * share * share,
            self.bend * (bow + wave),
        )
    }

    /// Radius: thick at the roots, thin at the other end.
    fn radius(&self, share: f32) -> f32 {
        self.radius * (1.0 - 0.55 * share + 0.5 * libm::expf(-share * 14.0))
    }
}

/// The log without its stubs.
pub(super) fn solid(seed: u64) -> Solid {
    let log = Log::of(seed);
    let [from, to] = [0.06, 0.92].map(|share| log.line(share).to_array());
    Solid::Capsule {
        from,
        to,
        radius: log.radius(0.5),
    }
}

pub(super) fn grow(seed: u64, level: Level) -> PlantMesh {
    let log = Log::of(seed);
    let mut worn = KIND.draws(seed, Purpose::Tint);
    let mut draws = KIND.draws(seed, Purpose::Wood);
    let mut builder = Builder::default();
    let sides = level.of([9, 6, 3]);
    let wood = Wood {
        skin: Skin::Plant(PlantSkin::DeadBark),
        sides,
        tint: tint(KIND, seed).lerp(Vec3::splat(1.1), 0.5),
        height: f32::MAX,
    };
    let rings = level.of([14, 6, 2]);
    let ring = |index: u32| {
        let share = index as f32 / rings as f32;
        // Worn unevenly.
        let rough = 1.0 + level.of([0.10, 0.06, 0.0]) * worn.spread();
        Joint {
            position: log.line(share),
            radius: log.radius(share) * rough,
        }
    };
    let mut joints: Vec<Joint> = (0..=rings).map(ring).collect();
    close(&mut joints, level);
    builder.tube(&joints, wood);
    let thin = Wood {
        sides: level.of([6, 4, 3]),
        ..wood
    };
    for stub in 0..ROOTS + draws.count(2, 4) {
        // Coarser levels leave out some roots and branches.
        let (root, number) = (stub < ROOTS, if stub < ROOTS { stub } else { stub - ROOTS });
        if number < level.of([u32::MAX, if root { 3 } else { 2 }, 0]) {
            // Each stub has its own random numbers, so that it does not change with its neighbors or the level.
            let mut draws = Key::new(seed, KIND as u64)
                .with(Purpose::Leaves as u64)
                .with(u64::from(stub))
                .stream();
            add_stub(&mut builder, &log, root, thin, level, &mut draws);
        }
    }
    darken_below(&mut builder, log.radius);
    builder.finish()
}

/// Closes both ends with blunt caps.
fn close(joints: &mut Vec<Joint>, level: Level) {
    let (first, last) = (joints[0], joints[joints.len() - 1]);
    let beyond = |end: Joint, sign: f32, out: f32, thick: f32| Joint {
        position: end.position + Vec3::X * (sign * out * end.radius),
        radius: thick * end.radius,
    };
    if level != Level::Far {
        joints.insert(0, beyond(first, -1.0, 0.35, 0.55));
        joints.push(beyond(last, 1.0, 0.9, 0.5));
    }
    joints.insert(0, beyond(first, -1.0, 0.30, 0.0));
    joints.push(beyond(last, 1.0, 1.2, 0.0));
}

/// Adds the stub of a branch or a root.
fn add_stub(
    builder: &mut Builder,
    log: &Log,
    root: bool,
    wood: Wood,
    level: Level,
    draws: &mut Draws,
) {
    // Roots are at the thick end, branches further along.
    let share = if root {
        draws.between(0.0, 0.06)
    } else {
        draws.between(0.3, 0.95)
    };
    let along = (log.line(share + 0.02) - log.line(share)).normalize_or(Vec3::X);
    let up = turned(Vec3::Y, along, draws.between(-1.7, 1.7));
    let slant = if root { -0.6 } else { 0.9 };
    let mut toward = (up + along * slant + draws.direction() * 0.25).normalize_or(Vec3::Y);
    let [shortest, longest, thickness] = if root {
        [0.13, 0.24, 0.30]
    } else {
        [0.10, 0.38, 0.42]
    };
    let length = log.length * draws.between(shortest, longest);
    let thick = log.radius(share) * thickness * draws.between(0.8, 1.25);
    let pieces = level.of([4, 2, 1]);
    let mut position = log.line(share);
    let mut joints = vec![Joint {
        position,
        radius: thick,
    }];
    for piece in 1..=pieces {
        position += toward * length / pieces as f32;
        toward = (toward + draws.direction() * 0.5).normalize_or(toward);
        let left = 1.0 - piece as f32 / pieces as f32;
        joints.push(Joint {
            position,
            radius: if piece == pieces {
                0.0
            } else {
                thick * (0.35 + 0.55 * left)
            },
        });
    }
    builder.tube(&joints, wood);
}

/// Darkens the underside, which is in its own shadow, and removes the wind weights.
fn darken_below(builder: &mut Builder, radius: f32) {
    for vertex in &mut builder.vertices {
        let height = (vertex.position.y / (radius * 1.5)).clamp(0.0, 1.0);
        vertex.tint *= 0.55 + 0.45 * height;
        vertex.wind = 0.0;
    }
}
