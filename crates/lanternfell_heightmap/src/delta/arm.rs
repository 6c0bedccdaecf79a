//! The path of one channel: a curve from its branching point to its mouth, with bends.
//!
//! The path is a cubic Bezier curve that leaves the old channel at an angle and turns towards the sea at its end. Three
//! sine waves displace it sideways. Their wavelengths are fractions of the channel's length, so short channels have
//! short bends, like narrow rivers.

use core::f64::consts::TAU;

use super::channels::{length, minus};
use crate::SeededRng;

/// The angle at which a channel leaves the one from which it branches, in radians.
const PARTING: f64 = 0.5;

/// The fraction of the turn towards the sea that is completed at the end.
const OUTWARDS: f64 = 0.6;

/// The amplitude of a bend as a fraction of its wavelength.
const BEND: f64 = 0.10;

/// A path from one point to another.
pub(super) struct Arm {
    corners: [[f64; 2]; 4],
    length: f64,
}

impl Arm {
    /// A path from `start`, where the water flows along the unit vector `heading`, to `end`, where it turns towards
    /// `outwards`.
    pub(super) fn new(
        start: [f64; 2],
        heading: [f64; 2],
        end: [f64; 2],
        outwards: [f64; 2],
    ) -> Self {
        let way = minus(end, start);
        let length = length(way);
        let side = if cross(heading, way) >= 0.0 {
            PARTING
        } else {
            -PARTING
        };
        let first = turned(heading, side);
        let towards = libm::atan2(cross(way, outwards), dot(way, outwards));
        let last = turned(way, OUTWARDS * towards);
        let corners = [
            start,
            [
                start[0] + 0.35 * length * first[0],
                start[1] + 0.35 * length * first[1],
            ],
            [end[0] - 0.3 * last[0], end[1] - 0.3 * last[1]],
            end,
        ];
        Self { corners, length }
    }

    /// The points of the path, from the one after the start to the end, about `step` apart.
    ///
    /// Draws for each of the three waves: its length, amplitude and phase.
    pub(super) fn path(
        &self,
        step: f64,
        winding: f64,
        rng: &mut SeededRng,
    ) -> impl Iterator<Item = [f64; 2]> {
        let mut count = 1.6;
        let waves = [(); 3].map(|()| {
            let long = rng.between(0.7, 1.3) * self.length / count;
            count *= 2.0;
            let high = rng.between(0.5, 1.5) * BEND * winding * long;
            (TAU / long.max(1e-9), high, rng.between(0.0, TAU))
        });
        let steps = (1.15 * self.length / step).ceil().max(2.0) as usize;
        (1..=steps).map(move |number| {
            let share = number as f64 / steps as f64;
            let wave = |(turns, high, phase)| high * libm::sin(turns * share * self.length + phase);
            // The bends fade in, so that the path starts at the branching point.
            let bent = (4.0 * share).min(1.0) * waves.into_iter().map(wave).sum::<f64>();
            let ([x, y], tangent) = self.at(share);
            let long = length(tangent).max(1e-9);
            [x - bent * tangent[1] / long, y + bent * tangent[0] / long]
        })
    }

    /// The point and the tangent at a fraction of the curve.
    fn at(&self, share: f64) -> ([f64; 2], [f64; 2]) {
        let rest = 1.0 - share;
        let [a, b, c, d] = self.corners;
        let place = |k: usize| {
            let outer = rest * rest * rest * a[k] + share * share * share * d[k];
            outer + 3.0 * rest * share * (rest * b[k] + share * c[k])
        };
        let tangent = |k: usize| {
            let outer = rest * rest * (b[k] - a[k]) + share * share * (d[k] - c[k]);
            3.0 * (outer + 2.0 * rest * share * (c[k] - b[k]))
        };
        ([place(0), place(1)], [tangent(0), tangent(1)])
    }
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    [x * cosine - y * sine, x * sine + y * cosine]
}
