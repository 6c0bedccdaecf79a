//! The parts of cards: leaves, needles, stalks.

use core::f32::consts::FRAC_PI_2;

use crate::{
    canvas::{Canvas, Strip, Texel},
    color::{Rgb, mix, scale},
    noise::smooth,
};

/// The angle of the upward direction.
pub(super) const UP: f32 = -FRAC_PI_2;

/// The appearance of a leaf.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    pub(super) color: Rgb,
    /// The color to which the tip fades.
    pub(super) tip: Rgb,
    /// The height above the card, in meters.
    pub(super) level: f32,
    /// The number of pairs of side veins. 0 for none.
    pub(super) veins: f32,
    /// How much lower the middle is than the edges, in half widths.
    pub(super) fold: f32,
    pub(super) rough: f32,
}

/// An oval with a pointed end, widest before the middle.
pub(super) fn oval(t: f32) -> f32 {
    let at = t * (1.0 - 0.22 * (1.0 - t));
    let round = (4.0 * at * (1.0 - at)).max(0.0);
    round.sqrt() * (1.0 - 0.55 * smooth(0.55, 1.0, t)) * smooth(0.0, 0.12, t + 0.03)
}

/// Broad at the base, pointed and toothed.
pub(super) fn triangle(t: f32) -> f32 {
    let teeth = 1.0 + 0.09 * libm::cosf(t * 60.0);
    (smooth(0.0, 0.22, t) * (1.0 - t) * 1.45).min(1.0) * teeth
}

/// Long and pointed, with nearly parallel sides.
pub(super) fn lance(t: f32) -> f32 {
    smooth(0.0, 0.12, t + 0.04) * (1.0 - t * t * t).max(0.0)
}

/// A blade of grass.
pub(super) fn blade(t: f32) -> f32 {
    (1.0 - t * t).max(0.0) * (0.6 + 0.4 * smooth(0.0, 0.3, t))
}

impl Leaf {
    /// Paints a leaf with an outline along a strip.
    pub(super) fn paint(&self, canvas: &mut Canvas, strip: &Strip, outline: fn(f32) -> f32) {
        // The half that faces the light.
        let lit = if strip.bend + libm::cosf(strip.angle) > 0.0 {
            -0.10
        } else {
            0.10
        };
        // A rib that is narrower than a pixel would become a row of dots.
        let fine = smooth(4.0, 9.0, strip.width / canvas.pixel());
        canvas.strip(strip, outline, |t, s, _| {
            let midrib = smooth(0.18, 0.04, s.abs()) * (1.0 - 0.6 * t) * fine;
            let along = (t + s.abs() * 0.10) * self.veins;
            let vein = if self.veins > 0.0 {
                fine * smooth(0.24, 0.0, (along - along.floor() - 0.5).abs() * 2.0)
            } else {
                0.0
            };
            let light = 1.0 + 0.22 * midrib + 0.09 * vein + lit * s - 0.18 * (1.0 - t) * (1.0 - t);
            let color = mix(self.color, self.tip, t * t);
            let arch = 4.0 * t * (1.0 - t);
            let height = self.level
                + strip.width * (self.fold * s * s + 0.5 * arch - 0.03 * vein * (1.0 - midrib));
            Texel::solid(scale(color, light), height, self.rough)
        });
    }
}

/// Paints a round stalk or twig that gets thinner towards its end.
pub(super) fn stalk(canvas: &mut Canvas, strip: &Strip, color: Rgb, level: f32, taper: f32) {
    canvas.strip(
        strip,
        |t| 1.0 - taper * t,
        |t, s, _| {
            let round = (1.0 - s * s).max(0.0).sqrt();
            let light = (0.55 + 0.45 * round) * (1.0 + 0.08 * libm::cosf(t * strip.length * 700.0));
            Texel::solid(scale(color, light), level + strip.width * round, 0.8)
        },
    );
}

/// Returns the brightness for a position in the order of painting, from 0 (at the bottom) to 1 (on
/// top).
pub(super) fn shade(order: f32) -> f32 {
    0.5 + 0.5 * smooth(0.0, 1.0, order)
}
