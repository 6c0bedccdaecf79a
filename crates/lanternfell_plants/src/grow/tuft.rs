//! Plants without stems: ferns, flowers and grass.
//!
//! A fern is a rosette of bent fronds. Flowers and grass are cards around a center that lean outward. Cards with
//! several pieces are bent.

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, PlantSkin, Purpose, Skin,
    builder::{Builder, Leaf},
    level_direction, shade, tint,
};

/// Dimensions of a tuft; lengths in meters.
#[derive(Debug)]
pub(super) struct Tuft {
    skin: Skin,
    height: f32,
    /// Width of a card relative to its height.
    width: f32,
    /// Largest distance of cards from the center.
    spread: f32,
    /// Outward lean of the tips, relative to the height of the card.
    lean: f32,
    /// Number of cards per level, and pieces per card.
    cards: [u32; 3],
    pieces: [u32; 3],
}

impl Tuft {
    pub(super) const GRASS: Self = Self {
        skin: Skin::Plant(PlantSkin::GrassTuft),
        height: 0.5,
        width: 1.0,
        spread: 0.10,
        lean: 0.38,
        cards: [7, 4, 2],
        pieces: [3, 1, 1],
    };

    pub(super) const FLOWER: Self = Self {
        skin: Skin::Plant(PlantSkin::Flowers),
        height: 0.42,
        width: 0.85,
        spread: 0.11,
        lean: 0.22,
        cards: [6, 3, 2],
        pieces: [2, 1, 1],
    };
}

pub(super) fn grow(kind: PlantKind, tuft: &Tuft, seed: u64, level: Level) -> PlantMesh {
    let height = tuft.height * kind.draws(seed, Purpose::Size).between(0.75, 1.25);
    let mut draws = kind.draws(seed, Purpose::Leaves);
    let tint = tint(kind, seed);
    let mut builder = Builder::default();
    let count = level.of(tuft.cards);
    let turn = draws.angle();
    for index in 0..count {
        let angle = turn + (index as f32 + 0.5 * draws.spread()) / count as f32 * TAU;
        // Cards lean across their broad side.
        let away = level_direction(angle);
        let side = level_direction(angle + TAU / 4.0 + 0.8 * draws.spread());
        let foot = away * (tuft.spread * draws.between(0.2, 1.0));
        let tall = height * draws.between(0.75, 1.1);
        let lean = tuft.lean * draws.between(0.3, 1.2);
        let leaf = Leaf {
            skin: tuft.skin,
            tint: tint * (1.0 + 0.12 * draws.spread()),
            wind: [0.0, 1.0],
        };
        let pieces = level.of(tuft.pieces);
        let spine: Vec<Vec3> = (0..=pieces)
            .map(|piece| {
                let share = piece as f32 / pieces as f32;
                foot + (Vec3::Y * share * (1.0 - 0.2 * lean * share)
                    + away * (lean * share * share))
                    * tall
            })
            .collect();
        let wide = level.of([1.0, 1.25, 1.5]) * tuft.width * tall / 2.0;
        // Short plants are lit like the ground: their normals point up and slightly outward.
        let normal = |place: Vec3| {
            (Vec3::Y * height * 1.5 + place * Vec3::new(1.0, 0.2, 1.0)).normalize_or(Vec3::Y)
        };
        add_card(&mut builder, &spine, side * wide, leaf, normal);
    }
    darken_foot(&mut builder, height);
    builder.finish()
}

/// Adds a card of one piece, or an unfolded strip of several.
fn add_card(
    builder: &mut Builder,
    spine: &[Vec3],
    side: Vec3,
    leaf: Leaf,
    normal: impl Fn(Vec3) -> Vec3,
) {
    match *spine {
        [from, to] => builder.card(from, to - from, side, leaf, normal),
        _ => builder.strip(spine, side, 0.0, leaf, normal),
    }
}

/// Darkens the base, because little light reaches it between dense blades.
fn darken_foot(builder: &mut Builder, height: f32) {
    for vertex in &mut builder.vertices {
        let share = (vertex.position.y / height).clamp(0.0, 1.0);
        vertex.tint *= 0.45 + 0.55 * share.sqrt();
    }
}

pub(super) fn grow_fern(seed: u64, level: Level) -> PlantMesh {
    let kind = PlantKind::Fern;
    let height = 0.6 * kind.draws(seed, Purpose::Size).between(0.75, 1.3);
    let mut draws = kind.draws(seed, Purpose::Leaves);
    let tint = tint(kind, seed);
    let mut builder = Builder::default();
    let count = level.of([draws.count(9, 12), 6, 4]);
    let turn = draws.angle();
    let mut places = Vec::new();
    for index in 0..count {
        let away = level_direction(turn + index as f32 * 2.4 + 0.3 * draws.spread());
        // Young fronds stand in the center, old ones lie around them.
        let age = (index as f32 + 0.5) / count as f32;
        let length = height * (0.9 + 0.65 * age) * draws.between(0.85, 1.15);
        let rise = 3.0 - 2.0 * age + 0.3 * draws.spread();
        let start = (away + Vec3::Y * rise).normalize_or(Vec3::Y);
        let sag = 0.20 + 0.32 * age;
        let point = |share: f32| {
            away * 0.02 + (start * share + Vec3::NEG_Y * (sag * share * share)) * length
        };
        let pieces = level.of([5, 2, 1]);
        let spine: Vec<Vec3> = (0..=pieces)
            .map(|piece| point(piece as f32 / pieces as f32))
            .collect();
        let side = away.cross(Vec3::Y) * (length * level.of([0.38, 0.42, 0.45]));
        let leaf = Leaf {
            skin: Skin::Plant(PlantSkin::Fern),
            tint: tint * (1.0 + 0.14 * draws.spread()),
            wind: [0.0, 0.8],
        };
        let normal = |place: Vec3| (place + Vec3::Y * height).normalize_or(Vec3::Y);
        builder.strip(&spine, side, level.of([0.25, 0.2, 0.0]), leaf, normal);
        places.extend([0.3, 0.6, 0.9].map(point));
    }
    shade::bake(&mut builder, &places, 0.12);
    darken_foot(&mut builder, height * 0.5);
    builder.finish()
}
