//! Crowns made of ellipsoids, which place and orient leaves.

use glam::Vec3;

use super::builder::{Builder, Leaf};
use crate::hash::Draws;

/// An ellipsoid of leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lobe {
    pub(super) center: Vec3,
    pub(super) radii: Vec3,
}

impl Lobe {
    /// A random point in the lobe, more often near its surface.
    pub(super) fn point(&self, draws: &mut Draws) -> Vec3 {
        let out = draws.between(0.25, 1.0);
        self.center + draws.direction() * self.radii * libm::cbrtf(out)
    }

    /// The outward direction at a position.
    fn out(&self, place: Vec3) -> Vec3 {
        ((place - self.center) / self.radii).normalize_or(Vec3::Y)
    }

    /// Relative distance from the center: 0 at the center, 1 on the surface, more outside.
    fn depth(&self, place: Vec3) -> f32 {
        ((place - self.center) / self.radii).length()
    }
}

/// A group of lobes.
#[derive(Debug, Clone)]
pub(super) struct Crown {
    pub(super) lobes: Vec<Lobe>,
    whole: Lobe,
}

/// A position for a twig.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) place: Vec3,
    pub(super) lobe: usize,
}

/// The leaves of a crown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foliage {
    pub(super) leaf: Leaf,
    /// Length and width of a card, in meters.
    pub(super) size: [f32; 2],
    /// Preferred direction of twigs: up, or down if they hang.
    pub(super) droop: Vec3,
    /// Random deviation from that direction.
    pub(super) wild: f32,
    /// Factor for the distance of cards from the center of their lobe. Below 1, large cards do not stick out of the
    /// crown.
    pub(super) inset: f32,
    /// Height for the wind weight of the wood, which is added to that of the leaves.
    pub(super) height: f32,
}

impl Crown {
    pub(super) fn new(lobes: Vec<Lobe>) -> Self {
        let far = |sign: f32| {
            lobes
                .iter()
                .map(move |lobe| lobe.center + lobe.radii * sign)
        };
        let max = far(1.0).reduce(Vec3::max).unwrap_or(Vec3::ONE);
        let min = far(-1.0).reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let whole = Lobe {
            center: (min + max) / 2.0,
            radii: (max - min) / 2.0,
        };
        Self { lobes, whole }
    }

    /// About `count` random points in the lobes, proportional to their surface, in random order.
    pub(super) fn spots(&self, count: usize, draws: &mut Draws) -> Vec<Spot> {
        let surface = |lobe: &Lobe| lobe.radii.x * lobe.radii.y + lobe.radii.x * lobe.radii.z;
        let sum: f32 = self.lobes.iter().map(surface).sum();
        let mut spots = Vec::with_capacity(count + self.lobes.len());
        for (index, lobe) in self.lobes.iter().enumerate() {
            let share = (surface(lobe) / sum * count as f32) as usize + 1;
            spots.extend((0..share).map(|_| Spot {
                place: lobe.point(draws),
                lobe: index,
            }));
        }
        for last in (1..spots.len()).rev() {
            let other = draws.count(0, last as u32) as usize;
            spots.swap(last, other);
        }
        spots
    }

    /// The shading normal of leaves at a position: out of their lobe and out of the whole crown.
    pub(super) fn normal(&self, place: Vec3, lobe: usize) -> Vec3 {
        let own = self.lobes[lobe].out(place);
        (own * 0.6 + self.whole.out(place) * 0.6 + Vec3::Y * 0.25).normalize_or(Vec3::Y)
    }

    /// Whether a position is deep inside another lobe, where it is not visible.
    pub(super) fn hides(&self, spot: &Spot) -> bool {
        let others = self
            .lobes
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != spot.lobe);
        others
            .into_iter()
            .any(|(_, lobe)| lobe.depth(spot.place) < 0.6)
    }

    /// Adds two crossed cards at each spot: one faces outward.
    pub(super) fn clothe(
        &self,
        builder: &mut Builder,
        spots: &[Spot],
        foliage: Foliage,
        draws: &mut Draws,
    ) {
        for spot in spots {
            let out = (self.lobes[spot.lobe].out(spot.place) + draws.direction() * 0.35)
                .normalize_or(Vec3::Y);
            let astray = foliage.droop + draws.direction() * foliage.wild;
            let axis = (astray - out * astray.dot(out)).normalize_or(out.any_orthonormal_vector());
            let side = axis.cross(out);
            let large = draws.between(0.85, 1.15);
            let [length, width] = foliage.size.map(|size| size * large);
            let sway = super::builder::sway(spot.place.y, foliage.height);
            let shade = 1.0 + 0.10 * draws.spread();
            let leaf = Leaf {
                tint: foliage.leaf.tint * shade,
                wind: foliage.leaf.wind.map(|wind| (wind + sway).min(1.0)),
                ..foliage.leaf
            };
            let middle = self.lobes[spot.lobe].center;
            let base = middle + (spot.place - middle) * foliage.inset - axis * length / 2.0;
            let normal = |place| self.normal(place, spot.lobe);
            builder.card(base, axis * length, side * width / 2.0, leaf, normal);
            // The second card is tilted, because otherwise it would be seen edge-on from outside.
            let across = (out + side * 0.4 * draws.spread()).normalize_or(out) * width / 2.0;
            builder.card(base, axis * length, across, leaf, normal);
        }
    }
}
