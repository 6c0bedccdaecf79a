//! Pines: whorls of branches on a straight stem.
//!
//! ```text
//!        |          short and rising at the top,
//!       \|/
//!      --|--        horizontal in the middle,
//!     ---|---
//!    '---|---'      long and hanging at the bottom, with tips turned up
//!        |
//! ```

use core::f32::consts::TAU;

use glam::Vec3;

use super::{
    Level, PlantKind, PlantMesh, PlantSkin, Purpose, Skin, Solid,
    builder::{Builder, Joint, Leaf, Wood, sway},
    crowned::flare,
    level_direction, shade, tint,
};
use crate::hash::Draws;

const KIND: PlantKind = PlantKind::Pine;

/// Dimensions of an individual, in meters.
struct Pine {
    height: f32,
    girth: f32,
    /// Height of the lowest branches.
    skirt: f32,
    /// Length of the longest branches.
    reach: f32,
    /// Horizontal offset of the top from the foot.
    lean: Vec3,
}

impl Pine {
    fn of(seed: u64) -> Self {
        let mut draws = KIND.draws(seed, Purpose::Size);
        let height = 12.0 * draws.between(0.78, 1.2);
        Self {
            height,
            girth: height * draws.between(0.0155, 0.0185),
            skirt: height * draws.between(0.12, 0.20),
            reach: height * draws.between(0.20, 0.26),
            lean: level_direction(draws.angle()) * height * draws.between(0.0, 0.03),
        }
    }

    /// Center of the stem at a height.
    fn stem(&self, y: f32) -> Vec3 {
        let share = y / self.height;
        Vec3::Y * y + self.lean * (share * share)
    }

    /// Radius of the stem at a height.
    fn radius(&self, y: f32) -> f32 {
        self.girth * libm::powf((1.0 - y / self.height).max(0.0), 0.85)
    }

    /// Length of branches at a height: rounded at the bottom, nearly linear to the top.
    fn profile(&self, y: f32) -> f32 {
        let share = ((y - self.skirt) / (self.height - self.skirt)).clamp(0.0, 1.0);
        let skirt = 0.72 + 0.28 * (share / 0.14).min(1.0);
        self.reach * libm::powf(1.0 - share, 0.82) * skirt
    }
}

/// The lower trunk.
pub(super) fn solid(seed: u64) -> Solid {
    let pine = Pine::of(seed);
    Solid::Cylinder {
        radius: pine.girth * 1.1,
        height: pine.height * 0.5,
    }
}

pub(super) fn grow(seed: u64, level: Level) -> PlantMesh {
    let pine = Pine::of(seed);
    let mut builder = Builder::default();
    let tint = tint(KIND, seed);
    let wood = Wood {
        skin: Skin::Plant(PlantSkin::Bark),
        sides: level.of([8, 5, 3]),
        tint: tint.lerp(Vec3::ONE, 0.6),
        height: pine.height,
    };
    let rings = level.of([9, 4, 2]);
    let ring = |index: u32| {
        let y = pine.height * 0.985 * index as f32 / rings as f32;
        let radius = if index == rings { 0.0 } else { pine.radius(y) };
        Joint {
            position: pine.stem(y),
            radius,
        }
    };
    let mut trunk: Vec<Joint> = (0..=rings).map(ring).collect();
    flare(&mut trunk);
    builder.tube(&trunk, wood);
    let branches = branches(&pine, &mut KIND.draws(seed, Purpose::Wood), level);
    let mut draws = KIND.draws(seed, Purpose::Leaves);
    let mut places = Vec::new();
    for branch in &branches {
        // Stop at the budget, because some seeds have many branches.
        if builder.triangle_count() + level.of([28, 12, 12]) + 8 > level.budget() {
            break;
        }
        branch.add(&mut builder, &pine, wood, tint, level, &mut draws);
        places.extend([0.35, 0.6, 0.85].map(|share| branch.spine(share)));
    }
    add_top(&mut builder, &pine, tint, level);
    shade::bake(&mut builder, &places, 0.26);
    builder.finish()
}

/// Adds the top shoot: two crossed cards.
fn add_top(builder: &mut Builder, pine: &Pine, tint: Vec3, level: Level) {
    let length = pine.height * level.of([0.085, 0.11, 0.11]);
    let base = pine.stem(pine.height - length * 0.9);
    for angle in [0.4, 0.4 + TAU / 4.0] {
        let leaf = Leaf {
            skin: Skin::Plant(PlantSkin::PineBranch),
            tint,
            wind: [0.45, 0.6],
        };
        let side = level_direction(angle) * length * 0.33;
        builder.card(base, Vec3::Y * length, side, leaf, |place| out(pine, place));
    }
}

/// The shading normal of needles: away from the stem, and up.
fn out(pine: &Pine, place: Vec3) -> Vec3 {
    let away = place - pine.stem(place.y.max(0.0));
    let slope = Vec3::Y * pine.reach * 0.45;
    (away + slope).normalize_or(Vec3::Y)
}

/// A branch that droops and rises again.
struct Branch {
    base: Vec3,
    /// Horizontal unit vector away from the stem.
    away: Vec3,
    length: f32,
    /// Slope at the stem.
    rise: f32,
    /// How far it sags, relative to its length.
    sag: f32,
}

/// All branches, whorl by whorl from the top.
fn branches(pine: &Pine, draws: &mut Draws, level: Level) -> Vec<Branch> {
    let mut branches = Vec::new();
    let mut y = pine.height * 0.955;
    let mut turn = draws.angle();
    while y > pine.skirt {
        let share = (pine.height - y) / pine.height;
        let count = draws.count(4, 5);
        turn += 2.4;
        for index in 0..count {
            let angle = turn + (index as f32 + 0.5 * draws.spread()) / count as f32 * TAU;
            let up = y + pine.height * 0.012 * draws.spread();
            let length = pine.profile(up) * draws.between(0.78, 1.16) + 0.25;
            let branch = Branch {
                base: pine.stem(up),
                away: level_direction(angle),
                length,
                rise: 0.72 - 1.02 * share.sqrt() + 0.15 * draws.spread(),
                sag: 0.05 + 0.15 * share,
            };
            // Some have broken off, mostly low ones.
            if draws.unit_f32() > 0.02 + 0.16 * share * share {
                branches.push(branch);
            }
        }
        let closer = 0.45 + 0.55 * (share / 0.35).min(1.0);
        y -= pine.height * draws.between(0.043, 0.055) * closer * level.of([1.0, 1.85, 1.85]);
    }
    branches
}

impl Branch {
    /// The position at a fraction of the length.
    fn spine(&self, share: f32) -> Vec3 {
        // The branch sags by its weight, and the tip turns toward the light.
        let sunk = self.sag * (share * share * 1.6 - share * share * share * share);
        self.base + (self.away * share + Vec3::Y * (self.rise * share - sunk)) * self.length
    }

    fn add(
        &self,
        builder: &mut Builder,
        pine: &Pine,
        wood: Wood,
        tint: Vec3,
        level: Level,
        draws: &mut Draws,
    ) {
        let radius = pine.radius(self.base.y) * 0.28 + 0.008;
        if level == Level::Near {
            let joint = |share: f32, radius: f32| Joint {
                position: self.spine(share),
                radius,
            };
            builder.tube(
                &[
                    joint(0.0, radius),
                    joint(0.45, radius * 0.6),
                    joint(0.85, 0.0),
                ],
                Wood { sides: 3, ..wood },
            );
        }
        let shade = tint * (1.0 + 0.10 * draws.spread());
        let stem = sway(self.base.y, pine.height);
        let leaf = Leaf {
            skin: Skin::Plant(PlantSkin::PineBranch),
            tint: shade,
            wind: [stem, (stem + 0.4).min(1.0)],
        };
        let normal = |place| out(pine, place);
        let side = self.away.cross(Vec3::Y);
        let wide = (self.length * 0.30 + 0.12) * level.of([0.85, 1.35, 1.35]);
        let segments = level.of([3, 2, 1]);
        let spine: Vec<Vec3> = (0..=segments)
            .map(|step| self.spine(step as f32 / segments as f32 * 1.04))
            .collect();
        builder.strip(&spine, side * wide, -0.35, leaf, normal);
        // A hanging card, so that the whorl is not a flat disc.
        let hang = (Vec3::NEG_Y + side * 0.25 * draws.spread()) * wide * 0.8;
        let (from, to) = (self.spine(0.12), self.spine(0.95));
        builder.card(from + hang * 0.35, to - from, hang, leaf, normal);
        if level == Level::Near {
            self.add_sprays(builder, leaf, side, draws, normal);
        }
    }

    /// Adds twigs on both sides.
    fn add_sprays(
        &self,
        builder: &mut Builder,
        leaf: Leaf,
        side: Vec3,
        draws: &mut Draws,
        normal: impl Fn(Vec3) -> Vec3,
    ) {
        for (share, sign) in [(0.28, 1.0), (0.40, -1.0), (0.56, 1.0), (0.66, -1.0)] {
            let length = self.length * (0.62 - 0.45 * share) * draws.between(0.85, 1.15);
            let along = (self.spine(share + 0.1) - self.spine(share)).normalize_or(self.away);
            let toward = (along * 0.75 + side * sign + Vec3::Y * (0.10 - 0.25 * draws.unit_f32()))
                .normalize_or(along);
            let flat = toward.cross(Vec3::Y).normalize_or(along);
            let roll = (flat + Vec3::Y * 0.5 * draws.spread()).normalize_or(flat);
            builder.card(
                self.spine(share),
                toward * length,
                roll * (length * 0.34),
                leaf,
                &normal,
            );
        }
    }
}
