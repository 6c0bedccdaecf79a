//! Trees with crowns: broadleaf, birch and dead trees.
//!
//! Steps: choose a height and the lobes of the crown from the seed. Lay out the stem with the first boughs. Grow
//! branches by [space colonization](super::colonize) toward points distributed over the lobes. Compute radii from what
//! the wood carries. Add tubes for the thickest wood within the budget, then cards of twigs at points distributed over
//! the lobes in the same way, so that leaves are where branches are.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, Purpose, Solid,
    builder::{Builder, Joint, Leaf, Wood, tube_cost},
    colonize::{Growth, colonize},
    crown::{Crown, Foliage},
    habit::Habit,
    level_direction, shade,
    skeleton::{Node, Skeleton, simplify},
    tint,
};
use crate::hash::Draws;

/// Depth of trunks below the ground in meters, so that they do not float on slopes.
pub(super) const SINK: f32 = 0.35;

/// Wood with a smaller base radius, in meters, has the tint of twigs.
const TWIG: f32 = 0.035;

/// Dimensions of an individual.
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
        // Most trees have one stem.
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

/// The trunk up to the start of the crown.
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
    add_wood(&mut builder, &skeleton, habit, wood, level);
    if level == Level::Near {
        add_stubs(&mut builder, &skeleton, habit, wood, &mut draws);
    }
    let Some(leaves) = &habit.leaves else {
        return builder.finish();
    };
    let mut draws = kind.draws(seed, Purpose::Leaves);
    // Wood comes first. Leaves get the rest of the budget, with four triangles per spot.
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
        inset: level.of([1.0, 0.84, 0.84]),
        height: measures.height,
    };
    crown.clothe(&mut builder, &spots, foliage, &mut draws);
    let places: Vec<Vec3> = spots.iter().map(|spot| spot.place).collect();
    shade::bake(&mut builder, &places, 0.22);
    builder.finish()
}

/// Grows stems, boughs and branches.
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
    skeleton.thicken(habit.tip, measures.girth, habit.exponent, habit.taper);
    skeleton
}

/// Adds a stem that bends twice on its way up. Returns its last node.
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

/// Adds boughs near the end of the stem, from which branches continue.
fn add_boughs(skeleton: &mut Skeleton, end: usize, habit: &Habit, height: f32, draws: &mut Draws) {
    let count = draws.count(habit.boughs[0], habit.boughs[1]);
    let turn = draws.angle();
    for bough in 0..count {
        let angle = turn + (bough as f32 + 0.5 * draws.spread()) / count as f32 * TAU;
        let up = draws.between(0.55, 1.3);
        let toward = (level_direction(angle) + Vec3::Y * up).normalize_or(Vec3::Y);
        // Start at different heights.
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

/// Adds tubes for the thickest wood, within the triangle budget.
fn add_wood(builder: &mut Builder, skeleton: &Skeleton, habit: &Habit, wood: Wood, level: Level) {
    let mut left = level.of([habit.wood[0], habit.wood[1], 20]);
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
        let tint = if thick < TWIG {
            wood.tint * habit.twigs
        } else {
            wood.tint
        };
        builder.tube(
            &joints,
            Wood {
                sides,
                tint,
                ..wood
            },
        );
    }
}

/// Adds short stubs of broken branches on thick wood.
fn add_stubs(
    builder: &mut Builder,
    skeleton: &Skeleton,
    habit: &Habit,
    wood: Wood,
    draws: &mut Draws,
) {
    let bare = |node: &&Node| node.radius > 0.035 && node.position.y > 0.8;
    let thick: Vec<Node> = skeleton.nodes.iter().filter(bare).copied().collect();
    for _ in 0..habit.stubs.min(thick.len() as u32) {
        let node = thick[draws.count(0, thick.len() as u32 - 1) as usize];
        let along = (node.position - skeleton.nodes[node.parent].position).normalize_or(Vec3::Y);
        let side = draws.direction().cross(along).normalize_or(Vec3::X);
        let toward = (side + along * draws.between(0.2, 0.9)).normalize_or(side);
        let length = node.radius + draws.between(0.08, 0.38);
        let radius = node.radius * draws.between(0.25, 0.45);
        let joint = |share: f32, radius: f32| Joint {
            position: node.position + toward * length * share,
            radius,
        };
        // Splintered: the end is a short point.
        builder.tube(
            &[
                joint(0.0, radius),
                joint(0.9, radius * 0.7),
                joint(1.0, 0.0),
            ],
            Wood { sides: 5, ..wood },
        );
    }
}

/// Number of sides of a tube with a radius in meters.
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

/// Widens the foot of a trunk and extends it into the ground.
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
