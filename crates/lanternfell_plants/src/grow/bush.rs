//! Bushes: bent stems from one root, and a low crown of lobes.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, PlantSkin, Purpose, Skin,
    builder::{Builder, Joint, Leaf, Wood},
    crown::{Crown, Foliage, Lobe},
    level_direction, shade, tint,
};
use crate::hash::Draws;

const KIND: PlantKind = PlantKind::Bush;

pub(super) fn grow(seed: u64, level: Level) -> PlantMesh {
    let height = 1.2 * KIND.draws(seed, Purpose::Size).between(0.75, 1.25);
    let mut draws = KIND.draws(seed, Purpose::Wood);
    let crown = Crown::new(lobes(height, &mut draws));
    let tint = tint(KIND, seed);
    let mut builder = Builder::default();
    add_stems(&mut builder, &crown, height, level, &mut draws);
    let mut draws = KIND.draws(seed, Purpose::Leaves);
    let mut spots = crown.spots(600, &mut draws);
    spots.retain(|spot| spot.place.y > 0.08 * height && !crown.hides(spot));
    spots.truncate(level.of([135, 42, 1]));
    let larger = level.of([1.0, 1.5, 1.5]);
    let foliage = Foliage {
        leaf: Leaf {
            skin: Skin::Plant(PlantSkin::Bush),
            tint,
            wind: [0.10, 0.45],
        },
        size: [0.50, 0.48].map(|size| size * height * larger),
        droop: Vec3::new(0.0, 0.8, 0.0),
        wild: 0.8,
        inset: level.of([1.0, 0.85, 0.85]),
        height: height * 1.5,
    };
    crown.clothe(&mut builder, &spots, foliage, &mut draws);
    let places: Vec<Vec3> = spots.iter().map(|spot| spot.place).collect();
    shade::bake(&mut builder, &places, 0.20);
    builder.finish()
}

/// A group of lobes, wider than tall.
fn lobes(height: f32, draws: &mut Draws) -> Vec<Lobe> {
    let count = draws.count(5, 7);
    let turn = draws.angle();
    let around = |index: u32| {
        let angle = turn + (index as f32 + 0.6 * draws.spread()) / count as f32 * TAU;
        let away = level_direction(angle) * draws.between(0.28, 0.46);
        let radius = draws.between(0.24, 0.34);
        let y = draws.between(0.18, 0.42);
        Lobe {
            center: (away + Vec3::Y * y) * height,
            radii: Vec3::new(radius, radius * 0.85, radius) * height,
        }
    };
    let mut lobes: Vec<Lobe> = (0..count).map(around).collect();
    let top = level_direction(draws.angle()) * 0.1 + Vec3::Y * 0.62;
    lobes.push(Lobe {
        center: top * height,
        radii: Vec3::new(0.32, 0.30, 0.32) * height,
    });
    lobes
}

/// Adds a stem into each lobe.
fn add_stems(builder: &mut Builder, crown: &Crown, height: f32, level: Level, draws: &mut Draws) {
    for lobe in &crown.lobes {
        let foot = level_direction(draws.angle()) * 0.05 * height;
        let point = |share: f32| {
            // First up, then out.
            let out = lobe.center * Vec3::new(share * share, share, share * share);
            foot * (1.0 - share) + out
        };
        let radius = 0.020 * height;
        let joint = |share: f32| Joint {
            position: point(share),
            radius: radius * (1.0 - share),
        };
        let shares: &[f32] = level.of([&[0.0, 0.3, 0.6, 1.0], &[0.0, 0.5, 1.0], &[0.0, 1.0]]);
        let joints: Vec<Joint> = shares.iter().map(|share| joint(*share)).collect();
        let wood = Wood {
            skin: Skin::Plant(PlantSkin::Bark),
            sides: level.of([4, 3, 3]),
            tint: Vec3::ONE,
            height: height * 1.5,
        };
        builder.tube(&joints, wood);
    }
}
