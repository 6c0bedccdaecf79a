//! Driftwood: a bent log with stubs, half in the sand.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, Purpose, Skin, Solid,
    builder::{Builder, Joint, Wood},
    tint, turned,
};
use crate::hash::Draws;

const KIND: PlantKind = PlantKind::Driftwood;

/// An individual's measures, in metres.
struct Log {
    length: f32,
    radius: f32,
    /// How far its middle is bent to the side, and how far its thin end stands up.
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
            bend: length * 0.16 * draws.spread(),
            lift: length * draws.between(0.02, 0.16),
        }
    }

    /// Its middle line, along x.
    fn line(&self, share: f32) -> Vec3 {
        let bow = libm::sinf(share * TAU / 2.0);
        let wave = 0.35 * libm::sinf(share * 7.0);
        Vec3::new(
            (share - 0.5) * self.length,
            self.radius * 0.45 + self.lift * share * share,
            self.bend * (bow + wave),
        )
    }

    /// Thick where its roots were, thin at the other end.
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
    let mut draws = KIND.draws(seed, Purpose::Wood);
    let mut builder = Builder::default();
    let sides = level.of([9, 6, 3]);
    let wood = Wood {
        skin: Skin::DeadBark,
        sides,
        tint: tint(KIND, seed).lerp(Vec3::splat(1.1), 0.5),
        height: f32::MAX,
    };
    let rings = level.of([14, 6, 2]);
    let ring = |index: u32| {
        let share = index as f32 / rings as f32;
        // Worn unevenly.
        let worn = 1.0 + level.of([0.10, 0.06, 0.0]) * draws.spread();
        Joint {
            position: log.line(share),
            radius: log.radius(share) * worn,
        }
    };
    let mut joints: Vec<Joint> = (0..=rings).map(ring).collect();
    close(&mut joints);
    builder.tube(&joints, wood);
    let stubs = level.of([draws.count(3, 6), 2, 0]);
    for _ in 0..stubs {
        add_stub(
            &mut builder,
            &log,
            Wood {
                sides: level.of([6, 4, 3]),
                ..wood
            },
            level,
            &mut draws,
        );
    }
    darken_below(&mut builder, log.radius);
    builder.finish()
}

/// Both ends: broken off, a little out of the middle.
fn close(joints: &mut Vec<Joint>) {
    let (first, last) = (joints[0], joints[joints.len() - 1]);
    let out = Vec3::X;
    joints.insert(
        0,
        Joint {
            position: first.position - out * first.radius * 0.35,
            radius: first.radius * 0.55,
        },
    );
    joints.insert(
        0,
        Joint {
            position: first.position - out * first.radius * 0.25 + Vec3::Y * 0.01,
            radius: 0.0,
        },
    );
    joints.push(Joint {
        position: last.position + out * last.radius * 0.9,
        radius: last.radius * 0.5,
    });
    joints.push(Joint {
        position: last.position + out * last.radius * 1.2,
        radius: 0.0,
    });
}

/// What is left of a branch or a root.
fn add_stub(builder: &mut Builder, log: &Log, wood: Wood, level: Level, draws: &mut Draws) {
    // Roots at the thick end, branches further on.
    let root = draws.unit_f32() < 0.45;
    let share = if root {
        draws.between(0.0, 0.08)
    } else {
        draws.between(0.3, 0.95)
    };
    let along = (log.line(share + 0.02) - log.line(share)).normalize_or(Vec3::X);
    let up = turned(Vec3::Y, along, draws.between(-1.3, 1.3));
    let slant = if root { -0.6 } else { 0.9 };
    let mut toward = (up + along * slant + draws.direction() * 0.25).normalize_or(Vec3::Y);
    let length = log.length * draws.between(0.08, if root { 0.18 } else { 0.30 });
    let thick = log.radius(share) * draws.between(0.35, 0.55);
    let pieces = level.of([4, 2, 1]);
    let mut position = log.line(share);
    let mut joints = vec![Joint {
        position,
        radius: thick,
    }];
    for piece in 1..=pieces {
        position += toward * length / pieces as f32;
        toward = (toward + draws.direction() * 0.35).normalize_or(toward);
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

/// Its underside lies in its own shadow.
fn darken_below(builder: &mut Builder, radius: f32) {
    for vertex in &mut builder.vertices {
        let height = (vertex.position.y / (radius * 1.5)).clamp(0.0, 1.0);
        vertex.tint *= 0.55 + 0.45 * height;
        vertex.wind = 0.0;
    }
}
