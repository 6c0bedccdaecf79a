//! Trees whose branches grow into a crown: broadleaf, birch, dead.
//!
//! Steps: a height and lobes for the crown from the seed; the stem, laid out, with the first boughs; branches by
//! [space colonisation](super::colonize) toward points strewn over the lobes; thickness by what wood carries; tubes
//! for the thickest wood that the budget allows; cards of twigs at points strewn over the lobes in the same way, so that
//! leaves are where branches are.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, Purpose, Skin, Solid,
    builder::{Builder, Joint, Leaf, Wood, tube_cost},
    colonize::{Growth, colonize},
    crown::{Crown, Foliage, Lobe},
    level_direction, shade,
    skeleton::{Skeleton, simplify},
    tint,
};
use crate::hash::Draws;

/// How deep trunks reach into the ground, in metres, so that they do not float on slopes.
pub(super) const SINK: f32 = 0.35;

/// A tree's way to grow; lengths are shares of its height.
#[derive(Debug)]
pub(super) struct Habit {
    /// Mean height in metres.
    height: f32,
    /// The trunk's radius.
    girth: f32,
    /// The stem's end, as it is laid out before branches grow.
    stem: f32,
    /// How far the stem bends to the sides.
    bend: f32,
    /// Most stems from one root.
    stems: u32,
    /// Boughs laid out at the stem's end.
    boughs: [u32; 2],
    lobes: fn(f32, &mut Draws) -> Vec<Lobe>,
    /// Points that branches grow toward.
    points: usize,
    growth: Growth,
    /// A twig's radius in metres, and the exponent of thickness.
    tip: f32,
    exponent: f32,
    bark: Skin,
    /// Triangles of wood at the near and the middle level.
    wood: [usize; 2],
    leaves: Option<Leaves>,
}

/// A tree's leaves.
#[derive(Debug)]
struct Leaves {
    skin: Skin,
    /// A card's length and width in metres, at the near level.
    size: [f32; 2],
    droop: Vec3,
    wild: f32,
}

impl Habit {
    /// Low boughs, a broad crown of many lobes.
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
        bark: Skin::Bark,
        wood: [900, 150],
        leaves: Some(Leaves {
            skin: Skin::BroadLeaves,
            size: [1.15, 1.05],
            droop: Vec3::new(0.0, 0.5, 0.0),
            wild: 0.9,
        }),
    };

    /// One to three slender stems to the top, thin rising branches, hanging twigs.
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
        bark: Skin::BirchBark,
        wood: [820, 150],
        leaves: Some(Leaves {
            skin: Skin::BirchLeaves,
            size: [1.05, 0.72],
            droop: Vec3::new(0.0, -1.0, 0.0),
            wild: 0.45,
        }),
    };

    /// A gnarled stem, few bare boughs.
    pub(super) const DEAD: Self = Self {
        height: 6.0,
        girth: 0.036,
        stem: 0.42,
        bend: 0.06,
        stems: 1,
        boughs: [2, 4],
        lobes: bare_lobes,
        points: 90,
        growth: Growth {
            step: 0.040,
            influence: 0.9,
            kill: 0.085,
            tropism: Vec3::new(0.0, 0.10, 0.0),
            wobble: 0.55,
            rounds: 60,
        },
        tip: 0.012,
        exponent: 2.1,
        bark: Skin::DeadBark,
        wood: [1900, 420],
        leaves: None,
    };
}

/// Lobes in three tiers about the stem, none where another is.
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
        // Widest a third up, narrow at the top.
        let wide = 0.45 + 1.1 * libm::sinf(0.5 + share * 2.6).max(0.0);
        let away = level_direction(turn + index as f32 * 2.4 + draws.spread())
            * (0.105 * wide * draws.between(0.5, 1.1));
        let radius = draws.between(0.070, 0.098) * (0.55 + 0.45 * wide);
        Lobe {
            center: (away + Vec3::Y * y) * height,
            radii: Vec3::new(radius, radius * 1.15, radius) * height,
        }
    };
    (0..count).map(lobe).collect()
}

/// A few lobes far apart: what is left of a crown.
fn bare_lobes(height: f32, draws: &mut Draws) -> Vec<Lobe> {
    let count = draws.count(4, 6);
    let turn = draws.angle();
    let lobe = |index: u32| {
        let angle = turn + (index as f32 + 0.8 * draws.spread()) / count as f32 * TAU;
        let away = level_direction(angle) * draws.between(0.12, 0.34);
        let y = draws.between(0.45, 0.86);
        Lobe {
            center: (away + Vec3::Y * y) * height,
            radii: Vec3::new(0.14, 0.12, 0.14) * height,
        }
    };
    (0..count).map(lobe).collect()
}

/// An individual's measures.
struct Measures {
    height: f32,
    girth: f32,
    stems: u32,
}

impl Measures {
    fn of(kind: PlantKind, habit: &Habit, seed: u64) -> Self {
        let mut draws = kind.draws(seed, Purpose::Size);
        let height = habit.height * draws.between(0.82, 1.18);
        let girth = habit.girth * height * draws.between(0.88, 1.15);
        // Most have one stem.
        let stems = if draws.unit_f32() < 0.6 {
            1
        } else {
            draws.count(1, habit.stems)
        };
        Self {
            height,
            girth,
            stems,
        }
    }
}

/// The trunk up to where the crown begins.
pub(super) fn solid(kind: PlantKind, habit: &Habit, seed: u64) -> Solid {
    let Measures {
        height,
        girth,
        stems,
    } = Measures::of(kind, habit, seed);
    let radius = if stems > 1 { girth * 2.2 } else { girth * 1.1 };
    Solid::Cylinder {
        radius,
        height: height * habit.stem.min(0.5),
    }
}

pub(super) fn grow(kind: PlantKind, habit: &Habit, seed: u64, level: Level) -> PlantMesh {
    let measures = Measures::of(kind, habit, seed);
    let mut draws = kind.draws(seed, Purpose::Wood);
    let crown = Crown::new((habit.lobes)(measures.height, &mut draws));
    let skeleton = skeleton(habit, &measures, &crown, &mut draws);
    let mut builder = Builder::default();
    let tint = tint(kind, seed);
    let wood = Wood {
        skin: habit.bark,
        sides: 3,
        tint: tint.lerp(Vec3::ONE, 0.6),
        height: measures.height,
    };
    add_wood(
        &mut builder,
        &skeleton,
        wood,
        level.of([habit.wood[0], habit.wood[1], 20]),
        level,
    );
    let Some(leaves) = &habit.leaves else {
        shade::bake(&mut builder, &[], 0.0);
        return builder.finish();
    };
    let mut draws = kind.draws(seed, Purpose::Leaves);
    let cards = (level.budget() - builder.triangle_count()) / 4;
    let spots = crown.spots(2000, &mut draws);
    let mut spots: Vec<_> = spots
        .into_iter()
        .filter(|spot| !crown.hides(spot))
        .collect();
    spots.truncate(cards);
    let larger = level.of([1.0, 1.75, 1.75]);
    let foliage = Foliage {
        leaf: Leaf {
            skin: leaves.skin,
            tint,
            wind: [0.15, 0.5],
        },
        size: leaves
            .size
            .map(|size| size * larger * measures.height / habit.height),
        droop: leaves.droop,
        wild: leaves.wild,
        height: measures.height,
    };
    crown.clothe(&mut builder, &spots, foliage, &mut draws);
    let places: Vec<Vec3> = spots.iter().map(|spot| spot.place).collect();
    shade::bake(&mut builder, &places, 0.22);
    builder.finish()
}

/// Stems, boughs and branches.
fn skeleton(habit: &Habit, measures: &Measures, crown: &Crown, draws: &mut Draws) -> Skeleton {
    let height = measures.height;
    let mut skeleton = Skeleton::default();
    let turn = draws.angle();
    for stem in 0..measures.stems {
        let away = level_direction(turn + stem as f32 * TAU / measures.stems as f32);
        let apart = if measures.stems > 1 { 1.0 } else { 0.0 };
        let foot = away * (apart * measures.girth * 1.1);
        let root = skeleton.nodes.len();
        skeleton.push(foot, root);
        let lean = away * (apart * draws.between(0.06, 0.13))
            + level_direction(draws.angle()) * habit.bend;
        let end = add_stem(&mut skeleton, root, habit, height, lean, draws);
        add_boughs(&mut skeleton, end, habit, height, draws);
    }
    let points: Vec<Vec3> = crown
        .spots(habit.points, draws)
        .iter()
        .map(|spot| spot.place)
        .collect();
    let growth = Growth {
        step: habit.growth.step * height,
        influence: habit.growth.influence * height,
        kill: habit.growth.kill * height,
        ..habit.growth
    };
    colonize(&mut skeleton, &points, growth, draws);
    skeleton.relax(0.5);
    skeleton.thicken(habit.tip, measures.girth, habit.exponent);
    skeleton
}

/// A stem that bends twice on its way up; says its end.
fn add_stem(
    skeleton: &mut Skeleton,
    root: usize,
    habit: &Habit,
    height: f32,
    lean: Vec3,
    draws: &mut Draws,
) -> usize {
    let foot = skeleton.nodes[root].position;
    let steps = (habit.stem / habit.growth.step).max(3.0) as u32;
    let (bow, phase) = (
        level_direction(draws.angle()) * habit.bend * 0.5,
        draws.angle(),
    );
    let point = |step: u32| {
        let share = (step + 1) as f32 / steps as f32;
        let bent = bow * (libm::sinf(phase + share * 5.0) - libm::sinf(phase));
        foot + (Vec3::Y * habit.stem * share + lean * share * habit.stem + bent * share) * height
    };
    skeleton.line(root, (0..steps).map(point))
}

/// Boughs from about the stem's end, which branches go on from.
fn add_boughs(skeleton: &mut Skeleton, end: usize, habit: &Habit, height: f32, draws: &mut Draws) {
    let count = draws.count(habit.boughs[0], habit.boughs[1]);
    let turn = draws.angle();
    for bough in 0..count {
        let angle = turn + (bough as f32 + 0.5 * draws.spread()) / count as f32 * TAU;
        let up = draws.between(0.55, 1.3);
        let toward = (level_direction(angle) + Vec3::Y * up).normalize_or(Vec3::Y);
        // Not all at one height.
        let from = end.saturating_sub(draws.count(0, 2) as usize);
        let start = skeleton.nodes[from].position;
        let length = draws.between(0.10, 0.17) * height;
        let point = |step: u32| {
            let share = step as f32 / 4.0;
            start + (toward * share + Vec3::Y * (0.25 * share * share)) * length
        };
        skeleton.line(from, (1..=4).map(point));
    }
}

/// Tubes for the thickest wood, as far as the triangles last.
fn add_wood(builder: &mut Builder, skeleton: &Skeleton, wood: Wood, budget: usize, level: Level) {
    let mut left = budget;
    for mut chain in skeleton.chains() {
        let thick = chain[0].radius;
        let sides = sides(thick, level);
        if chain[0].position.y <= 0.0 {
            flare(&mut chain);
        }
        let joints = simplify(
            &chain,
            (thick * level.of([0.22, 0.6, 1.0])).max(level.of([0.012, 0.05, 0.2])),
        );
        if joints.len() < 2 {
            continue;
        }
        let cost = tube_cost(joints.len(), sides);
        if cost > left {
            break;
        }
        left -= cost;
        builder.tube(&joints, Wood { sides, ..wood });
    }
}

/// Sides of a tube by its radius in metres.
fn sides(radius: f32, level: Level) -> usize {
    let by_radius = |limits: [f32; 3], sides: [usize; 4]| {
        let place = limits.iter().position(|limit| radius > *limit);
        sides[place.unwrap_or(3)]
    };
    level.of([
        by_radius([0.12, 0.05, 0.025], [10, 6, 4, 3]),
        by_radius([0.12, 0.05, 0.025], [6, 4, 3, 3]),
        3,
    ])
}

/// A trunk's foot: wider at the ground, and some way into it.
pub(super) fn flare(chain: &mut Vec<Joint>) {
    let foot = chain[0];
    chain.insert(
        0,
        Joint {
            position: foot.position - Vec3::Y * SINK,
            ..foot
        },
    );
    let reach = foot.radius * 2.5;
    let low = chain[2].position.lerp(foot.position, 0.6);
    chain.insert(
        2,
        Joint {
            position: low,
            ..foot
        },
    );
    for joint in chain {
        let y = joint.position.y.max(0.0) / reach;
        joint.radius *= 1.0 + 0.55 * libm::expf(-y * 2.0);
    }
}
