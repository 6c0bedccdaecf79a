//! Palms: a curved stem, fronds in a spiral, and coconuts.
//!
//! Fronds start at the top, each a golden angle further around. Young fronds stand up, old ones hang, and the oldest
//! are brown.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, PlantSkin, Purpose, Skin, Solid,
    builder::{Builder, Joint, Leaf, Wood},
    crowned::SINK,
    level_direction, shade, tint,
};
use crate::hash::Draws;

const KIND: PlantKind = PlantKind::Palm;

/// The golden angle in radians.
const GOLDEN: f32 = 2.399_963;

/// Dimensions of an individual, in meters.
struct Palm {
    height: f32,
    girth: f32,
    /// Horizontal offset of the top from the foot.
    lean: Vec3,
    frond: f32,
}

impl Palm {
    fn of(seed: u64) -> Self {
        let mut draws = KIND.draws(seed, Purpose::Size);
        let height = 6.6 * draws.between(0.75, 1.2);
        Self {
            height,
            girth: draws.between(0.13, 0.17),
            lean: level_direction(draws.angle()) * height * draws.between(0.05, 0.38),
            frond: draws.between(2.5, 3.1),
        }
    }

    /// Center of the stem: it starts slanted and then rises toward the light.
    fn stem(&self, share: f32) -> Vec3 {
        let away = 1.55 * share - 0.55 * share * share * share;
        Vec3::Y * (self.height * share) + self.lean * away
    }

    /// Radius of the stem: thick at the foot, slightly swollen below the crown, with rings where fronds were.
    fn radius(&self, share: f32, ring: bool) -> f32 {
        let foot = 0.95 * libm::expf(-share * 11.0);
        let top = 0.18 * libm::expf(-(1.0 - share) * 12.0);
        let scar = if ring { 1.05 } else { 0.96 };
        self.girth * (1.0 - 0.30 * share + foot + top) * scar
    }
}

/// The lower half of the stem.
pub(super) fn solid(seed: u64) -> Solid {
    let palm = Palm::of(seed);
    let radius = palm.radius(0.3, false);
    let to = palm.stem(0.55).to_array();
    Solid::Capsule {
        from: [0.0, radius, 0.0],
        to,
        radius,
    }
}

pub(super) fn grow(seed: u64, level: Level) -> PlantMesh {
    let palm = Palm::of(seed);
    let tint = tint(KIND, seed);
    let mut builder = Builder::default();
    add_stem(&mut builder, &palm, tint, level);
    let mut draws = KIND.draws(seed, Purpose::Leaves);
    let count = level.of([draws.count(19, 24), 13, 4]);
    let top = palm.stem(1.0);
    let mut places = Vec::new();
    for index in 0..count {
        let frond = Frond::new(index, count, palm.frond, top, &mut draws);
        frond.add(&mut builder, tint, level);
        places.extend([0.25, 0.5, 0.75, 1.0].map(|share| frond.spine(share)));
    }
    if level == Level::Near {
        add_coconuts(&mut builder, top, &mut draws);
    }
    shade::bake(&mut builder, &places, 0.16);
    builder.finish()
}

fn add_stem(builder: &mut Builder, palm: &Palm, tint: Vec3, level: Level) {
    let rings = level.of([22, 6, 2]);
    let ring = |index: u32| {
        let share = index as f32 / rings as f32;
        // Joints are denser at the foot, where the stem curves and widens.
        let share = share * (0.6 + 0.4 * share);
        Joint {
            position: palm.stem(share),
            radius: palm.radius(share, index.is_multiple_of(2)),
        }
    };
    let mut joints: Vec<Joint> = (0..=rings).map(ring).collect();
    joints.insert(
        0,
        Joint {
            position: palm.stem(0.0) - Vec3::Y * SINK,
            radius: joints[0].radius,
        },
    );
    let top = palm.stem(1.0);
    joints.push(Joint {
        position: top + Vec3::Y * 0.16,
        radius: 0.0,
    });
    let wood = Wood {
        skin: Skin::Plant(PlantSkin::Bark),
        sides: level.of([9, 5, 3]),
        tint: tint.lerp(Vec3::ONE, 0.7) * Vec3::new(1.05, 1.0, 0.9),
        height: palm.height * 1.6,
    };
    builder.tube(&joints, wood);
}

/// A leaf.
struct Frond {
    base: Vec3,
    away: Vec3,
    length: f32,
    /// Slope at its base.
    rise: f32,
    sag: f32,
    /// 0 is the youngest, 1 the oldest.
    age: f32,
    shade: f32,
}

impl Frond {
    fn new(index: u32, count: u32, length: f32, top: Vec3, draws: &mut Draws) -> Self {
        let age = (index as f32 + 0.5) / count as f32;
        let away = level_direction(index as f32 * GOLDEN + 0.35 * draws.spread());
        Self {
            base: top + away * 0.07 + Vec3::Y * (0.16 - 0.30 * age),
            away,
            length: length * (0.72 + 0.35 * libm::sinf(age * 2.6)) * draws.between(0.9, 1.1),
            rise: 1.75 - 1.95 * age + 0.25 * draws.spread(),
            sag: 0.26 + 0.54 * age + 0.12 * draws.spread(),
            age,
            shade: 1.0 + 0.10 * draws.spread(),
        }
    }

    /// The midrib: a ballistic curve with the length of the frond.
    fn spine(&self, share: f32) -> Vec3 {
        let start = (self.away + Vec3::Y * self.rise).normalize_or(Vec3::Y);
        let hang = Vec3::NEG_Y * (self.sag * share * share);
        let outward = self.away * (0.12 * share);
        self.base + (start * share * (1.0 - 0.15 * share) + hang + outward) * self.length
    }

    fn add(&self, builder: &mut Builder, tint: Vec3, level: Level) {
        let segments = level.of([8, 4, 2]);
        let spine: Vec<Vec3> = (0..=segments)
            .map(|step| self.spine(step as f32 / segments as f32))
            .collect();
        let side = self.away.cross(Vec3::Y) * (self.length * level.of([0.20, 0.22, 0.24]));
        // The oldest are dry.
        let dry = ((self.age - 0.86) / 0.08).clamp(0.0, 1.0);
        let color = tint.lerp(Vec3::new(1.35, 0.95, 0.6), dry) * self.shade;
        let leaf = Leaf {
            skin: Skin::Plant(PlantSkin::PalmFrond),
            tint: color,
            wind: [0.22, 0.85],
        };
        let middle = self.base - Vec3::Y * 1.2;
        // Leaflets hang from the midrib.
        builder.strip(&spine, side, -0.55, leaf, |place| {
            (place - middle).normalize_or(Vec3::Y)
        });
    }
}

/// Adds a few coconuts below the fronds.
fn add_coconuts(builder: &mut Builder, top: Vec3, draws: &mut Draws) {
    let count = draws.count(0, 5);
    let turn = draws.angle();
    for index in 0..count {
        let away = level_direction(turn + index as f32 * TAU / 5.0);
        let middle = top + away * draws.between(0.20, 0.26) - Vec3::Y * draws.between(0.12, 0.24);
        let size = draws.between(0.10, 0.13);
        let joint = |y: f32, radius: f32| Joint {
            position: middle + Vec3::Y * y * size,
            radius: radius * size,
        };
        let wood = Wood {
            skin: Skin::Plant(PlantSkin::Bark),
            sides: 6,
            tint: Vec3::new(0.75, 0.85, 0.45),
            height: 20.0,
        };
        builder.tube(
            &[
                joint(1.2, 0.15),
                joint(0.7, 0.8),
                joint(-0.2, 1.0),
                joint(-0.9, 0.55),
                joint(-1.1, 0.0),
            ],
            wood,
        );
    }
}
