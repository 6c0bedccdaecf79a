//! Parameters of the trees with crowns, and the lobes of their crowns.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{PlantSkin, Skin, colonize::Growth, crown::Lobe, level_direction};
use crate::hash::Draws;

/// Growth parameters of a tree. Lengths are relative to its height unless noted.
#[derive(Debug)]
pub(super) struct Habit {
    /// Mean height in meters.
    pub(super) height: f32,
    /// Radius of the trunk.
    pub(super) girth: f32,
    /// End of the stem that is laid out before branches grow.
    pub(super) stem: f32,
    /// Sideways bend of the stem.
    pub(super) bend: f32,
    /// Most stems from one root.
    pub(super) stems: u32,
    /// Smallest and largest number of boughs at the end of the stem.
    pub(super) boughs: [u32; 2],
    /// Creates the lobes of the crown for a height in meters.
    pub(super) lobes: fn(f32, &mut Draws) -> Vec<Lobe>,
    /// Number of points that branches grow toward.
    pub(super) points: usize,
    /// How branches grow. Its lengths are also relative to the height.
    pub(super) growth: Growth,
    /// Radius of a twig in meters, and the exponent of the radius rule.
    pub(super) tip: f32,
    pub(super) exponent: f32,
    /// Fraction by which wood at the top is thinner than the radius rule gives.
    pub(super) taper: f32,
    /// Number of broken branches.
    pub(super) stubs: u32,
    /// Skin of the wood.
    pub(super) bark: Skin,
    /// Factor for the tint of thin wood.
    pub(super) twigs: Vec3,
    /// Triangles of wood at the near and the middle level.
    pub(super) wood: [usize; 2],
    /// `None` for dead trees.
    pub(super) leaves: Option<Leaves>,
}

/// The leaves of a tree.
#[derive(Debug)]
pub(super) struct Leaves {
    pub(super) skin: Skin,
    /// Length and width of a card at the near level, in meters.
    pub(super) size: [f32; 2],
    /// Preferred direction of twigs, and the random deviation from it.
    pub(super) droop: Vec3,
    pub(super) wild: f32,
}

impl Habit {
    /// Low boughs and a broad crown of many lobes.
    pub(super) const BROADLEAF: Self = Self {
        height: 9.0,
        girth: 0.030,
        stem: 0.27,
        bend: 0.03,
        stems: 1,
        boughs: [3, 5],
        lobes: broad_lobes,
        points: 420,
        growth: Growth {
            step: 0.034,
            influence: 0.6,
            kill: 0.060,
            tropism: Vec3::new(0.0, 0.18, 0.0),
            wobble: 0.28,
            rounds: 60,
        },
        tip: 0.011,
        exponent: 2.25,
        taper: 0.35,
        stubs: 0,
        bark: Skin::Plant(PlantSkin::Bark),
        twigs: Vec3::ONE,
        wood: [900, 150],
        leaves: Some(Leaves {
            skin: Skin::Plant(PlantSkin::BroadLeaves),
            size: [1.15, 1.05],
            droop: Vec3::new(0.0, 0.5, 0.0),
            wild: 0.9,
        }),
    };

    /// One to three slender stems up to the top, thin rising branches and hanging twigs.
    pub(super) const BIRCH: Self = Self {
        height: 10.0,
        girth: 0.0135,
        stem: 0.86,
        bend: 0.035,
        stems: 3,
        boughs: [0, 0],
        lobes: slender_lobes,
        points: 300,
        growth: Growth {
            step: 0.028,
            influence: 0.5,
            kill: 0.05,
            tropism: Vec3::new(0.0, 0.75, 0.0),
            wobble: 0.22,
            rounds: 40,
        },
        tip: 0.008,
        exponent: 2.4,
        taper: 0.35,
        stubs: 0,
        bark: Skin::Plant(PlantSkin::BirchBark),
        // Only old bark is white.
        twigs: Vec3::new(0.30, 0.22, 0.17),
        wood: [820, 150],
        leaves: Some(Leaves {
            skin: Skin::Plant(PlantSkin::BirchLeaves),
            size: [1.05, 0.72],
            droop: Vec3::new(0.0, -1.0, 0.0),
            wild: 0.45,
        }),
    };

    /// A gnarled stem with a few bare boughs.
    pub(super) const DEAD: Self = Self {
        height: 6.0,
        girth: 0.029,
        stem: 0.36,
        bend: 0.07,
        stems: 1,
        boughs: [2, 3],
        lobes: bare_lobes,
        points: 170,
        growth: Growth {
            step: 0.038,
            influence: 0.9,
            kill: 0.062,
            tropism: Vec3::new(0.0, 0.10, 0.0),
            wobble: 0.55,
            rounds: 60,
        },
        tip: 0.012,
        exponent: 2.15,
        taper: 0.5,
        stubs: 9,
        bark: Skin::Plant(PlantSkin::DeadBark),
        twigs: Vec3::ONE,
        wood: [2200, 500],
        leaves: None,
    };
}

/// A top lobe and two tiers of lobes around the stem.
fn broad_lobes(height: f32, draws: &mut Draws) -> Vec<Lobe> {
    let lean = level_direction(draws.angle()) * height * draws.between(0.0, 0.05);
    let lobe = |center: Vec3, radius: f32, flat: f32| Lobe {
        center: center * height + lean * center.y,
        radii: Vec3::new(radius, radius * flat, radius) * height,
    };
    let mut lobes = vec![lobe(
        Vec3::new(0.0, draws.between(0.76, 0.82), 0.0),
        draws.between(0.16, 0.20),
        0.85,
    )];
    let tiers = [
        ([0.52, 0.68], [0.18, 0.26], [0.15, 0.20], 5),
        ([0.38, 0.50], [0.25, 0.33], [0.11, 0.16], 5),
    ];
    for (ys, distances, radii, count) in tiers {
        let turn = draws.angle();
        let count = draws.count(count - 1, count + 1);
        for index in 0..count {
            let angle = turn + (index as f32 + 0.6 * draws.spread()) / count as f32 * TAU;
            let away = level_direction(angle) * draws.between(distances[0], distances[1]);
            let y = draws.between(ys[0], ys[1]);
            lobes.push(lobe(
                away + Vec3::Y * y,
                draws.between(radii[0], radii[1]),
                0.75,
            ));
        }
    }
    lobes
}

/// Small lobes along the stem, smaller toward the top.
fn slender_lobes(height: f32, draws: &mut Draws) -> Vec<Lobe> {
    let count = draws.count(12, 15);
    let turn = draws.angle();
    let lobe = |index: u32| {
        let share = index as f32 / (count - 1) as f32;
        let y = 0.33 + 0.61 * share + 0.03 * draws.spread();
        // Widest a third of the way up, narrow at the top.
        let wide = 0.45 + 1.1 * libm::sinf(0.5 + share * 2.6).max(0.0);
        let away = level_direction(turn + index as f32 * 2.4 + draws.spread())
            * (0.105 * wide * draws.between(0.5, 1.1));
        let radius = draws.between(0.070, 0.098) * (0.55 + 0.45 * wide) * (1.12 - 0.42 * share);
        Lobe {
            center: (away + Vec3::Y * y) * height,
            radii: Vec3::new(radius, radius * 1.15, radius) * height,
        }
    };
    (0..count).map(lobe).collect()
}

/// A few lobes far apart, like the remains of a crown.
fn bare_lobes(height: f32, draws: &mut Draws) -> Vec<Lobe> {
    let count = draws.count(6, 8);
    let turn = draws.angle();
    let lobe = |index: u32| {
        let angle = turn + (index as f32 + 0.8 * draws.spread()) / count as f32 * TAU;
        let away = level_direction(angle) * draws.between(0.10, 0.36);
        let y = draws.between(0.42, 0.88);
        Lobe {
            center: (away + Vec3::Y * y) * height,
            radii: Vec3::new(0.16, 0.12, 0.16) * height,
        }
    };
    (0..count).map(lobe).collect()
}
