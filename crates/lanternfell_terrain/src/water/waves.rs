//! Waves as a sum of wave trains, which the CPU and the shader evaluate in the same way.
//!
//! Problem: floating bodies must ride on the visible waves. So the CPU has to compute them for any position and time,
//! without reading data back from the GPU.
//!
//! Idea: the surface is a sum of a few sine wave trains with fixed wavelengths and directions. Each train has the phase
//! speed of deep-water waves of its length. There is no simulation state: height, slope and velocity are functions of
//! position and time.
//!
//! ```text
//! sum        η = Σ c aₖ cos 2π(qₖ·p - fₖ t + φₖ)      q turns per meter, f turns per second, φ turns
//! crests     η + ½ κ η²                                sharper above, flatter below
//! shoals     c = smoothstep(0, s λₖ, depth)            long waves are affected in deeper water
//! ```
//!
//! Bevy's shaders only know the time modulo [`Time::wrap_period`], one hour, so each train has a whole number of
//! periods per hour. The coordinates of an endless terrain wrap around after 65,536 m, so each train has a whole number
//! of periods over this distance, too.
//!
//! Sources: deep-water dispersion ω² = g k (Airy 1841); the second order's sharper crests after Stokes (1847);
//! significant height as four standard deviations (Longuet-Higgins 1952); height by wind and fetch from JONSWAP
//! (Hasselmann et al. 1973), of a fully developed sea by Pierson and Moskowitz (1964).

use std::f64::consts::TAU;

use bevy::{math::DVec2, prelude::*};

use crate::region::PlanePlace;

/// The number of wave trains. Must match `waves.wgsl`.
pub(crate) const TRAINS: usize = 8;

/// The period in seconds after which the time in shaders wraps to 0. This is Bevy's default.
const WRAP: f64 = 3600.0;

/// Meters per second squared.
pub(crate) const GRAVITY: f64 = 9.81;

/// The wavelength of each train, as a multiple of the dominant wavelength.
const LENGTHS: [f64; TRAINS] = [1.71, 1.27, 1.0, 0.73, 0.52, 0.36, 0.23, 0.14];

/// The relative amplitude of each train. As in a wind sea, it is largest at the dominant wavelength and falls off for
/// shorter waves.
const SHARES: [f64; TRAINS] = [0.45, 0.8, 1.0, 0.75, 0.55, 0.36, 0.24, 0.15];

/// The angle of each train to the main direction, in units of the spread. Shorter waves deviate more.
const ASIDE: [f64; TRAINS] = [0.12, -0.35, 0.0, 0.55, -0.8, 0.95, -1.15, 1.3];

/// The phase of each train in turns. Arbitrary, so that the crests do not all meet at the origin.
const BEGINNINGS: [f64; TRAINS] = [0.0, 0.37, 0.71, 0.13, 0.89, 0.53, 0.23, 0.61];

/// The maximum sharpening of crests, in standard deviations of the height. With more, the deepest troughs would invert.
const SHARPEST: f32 = 0.25;

/// The waves of a sea.
///
/// They follow Bevy's [`Time`](bevy::time::Time), so pausing the time pauses the waves.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Waves {
    /// The significant wave height in meters: the mean height from trough to crest of the highest third of the waves.
    /// Default: 0.5. It is limited to an eighth of the wavelength.
    ///
    /// 0 gives a flat sea, which is the cheapest to render.
    pub height: f32,
    /// The dominant wavelength in meters, from 2 to 500. Default: 26.
    pub wavelength: f32,
    /// The direction in which the waves travel: x points east, y south. The length of the vector does not matter.
    pub direction: Vec2,
    /// The directional spread in radians, from 0 (all waves travel in the same direction) to 1.5. Default: 0.6.
    pub spread: f32,
    /// The sharpness of crests and flatness of troughs, from 0 to 1. Default: 1.
    pub sharpness: f32,
    /// The water depth, in wavelengths, from which on waves have their full height. Default: 0.25, which makes them
    /// calm near the shore. With 0 they keep their full height up to the shore.
    pub shoal: f32,
    /// The amount of foam on the crests, from 0 to 1. Default: 0.4.
    pub whitecaps: f32,
}

impl Default for Waves {
    fn default() -> Self {
        Self {
            height: 0.5,
            wavelength: 26.0,
            direction: Vec2::new(0.8, 0.6),
            spread: 0.6,
            sharpness: 1.0,
            shoal: 0.25,
            whitecaps: 0.4,
        }
    }
}

impl Waves {
    /// A flat sea without waves.
    pub const CALM: Self = Self {
        height: 0.0,
        wavelength: 26.0,
        direction: Vec2::X,
        spread: 0.0,
        sharpness: 0.0,
        shoal: 0.25,
        whitecaps: 0.0,
    };

    /// Returns these waves with the height and whitecaps of a wind sea.
    ///
    /// `speed` is the wind speed in meters per second, and `fetch` the distance in meters over which the wind has
    /// blown. Negative and non-finite values count as 0. Over a fetch of 15 km the height is 0.3 m at 5 m/s, and 1.1 m
    /// at 18 m/s. Whitecaps appear above 5 m/s.
    #[must_use]
    pub fn in_wind(self, speed: f32, fetch: f32) -> Self {
        let gravity = GRAVITY as f32;
        let [speed, fetch] = [speed, fetch].map(|value| or(value, 0.0).max(0.0));
        Self {
            height: (0.0016 * speed * (fetch / gravity).sqrt())
                .min(FULL_SEA * speed * speed / gravity),
            whitecaps: ((speed - 5.0) / 12.0).clamp(0.0, 1.0),
            ..self
        }
    }

    /// Returns whether there are any waves.
    pub fn are_any(&self) -> bool {
        self.checked().1 > 0.0
    }

    /// The maximum height of a crest above the level sea, and the maximum depth of a trough, in meters.
    pub(crate) fn highest(&self) -> f32 {
        let field = WaveField::new(self, None);
        let sum: f64 = field.trains.iter().map(|train| train.amplitude).sum();
        let sum = sum as f32;
        sum * (1.0 + 0.5 * field.sharpening * sum)
    }

    /// The effective wavelength and height in meters. A non-finite wavelength is replaced by the default.
    fn checked(&self) -> (f64, f64) {
        let default = Self::default();
        let length = or(self.wavelength, default.wavelength).clamp(2.0, 500.0);
        let height = or(self.height, 0.0).clamp(0.0, length / 8.0);
        (f64::from(length), f64::from(height))
    }
}

/// The limit of the height for an unlimited fetch, in units of speed² / gravity. It is derived from the constants of
/// the spectrum: 2 √(0.0081 / 0.74).
const FULL_SEA: f32 = 0.209;

/// Returns `value` if it is finite, otherwise `otherwise`.
fn or(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

/// A wave train in the local space of one terrain.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Train {
    /// Turns per meter, to the east and the south.
    pub(crate) turns: DVec2,
    /// Turns per second.
    pub(crate) frequency: f64,
    /// Phase in turns, at the center of the terrain at time 0.
    pub(crate) phase: f64,
    /// Meters.
    pub(crate) amplitude: f64,
    /// Meters from crest to crest.
    pub(crate) length: f64,
}

/// The waves of one terrain's sea.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WaveField {
    pub(crate) trains: [Train; TRAINS],
    /// In 1/meter.
    pub(crate) sharpening: f32,
    /// In wavelengths, above 0.
    pub(crate) shoal: f32,
    /// The standard deviation of the height, in meters.
    pub(crate) deviation: f32,
}

/// The state of the surface at one position and time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Swell {
    /// Meters above the level sea.
    pub(crate) height: f32,
    /// The gradient of the height, to the east and to the south.
    pub(crate) slope: Vec2,
    /// The velocity of the water at the surface, in meters per second.
    pub(crate) velocity: Vec3,
}

impl WaveField {
    /// Creates the waves of a sea. `place` is the position on the plane if the terrain is a region of an endless
    /// terrain.
    pub(crate) fn new(waves: &Waves, place: Option<&PlanePlace>) -> Self {
        let place = place.map_or(DVec2::ZERO, |place| place.turned.as_dvec2());
        let (length, height) = waves.checked();
        let deviation = height / 4.0;
        let sum: f64 = SHARES.iter().map(|share| share * share / 2.0).sum();
        let ahead = waves.direction.as_dvec2().normalize_or(DVec2::X);
        let spread = f64::from(or(waves.spread, 0.0).clamp(0.0, 1.5));
        let train = |k: usize| {
            let way = DVec2::from_angle(ASIDE[k] * spread).rotate(ahead);
            let turns = way / (LENGTHS[k] * length);
            // A whole number of turns over the distance after which coordinates wrap around.
            let turns = (turns * PlanePlace::TURN).round() / PlanePlace::TURN;
            let speed = (GRAVITY * TAU * turns.length()).sqrt() / TAU;
            Train {
                turns,
                frequency: (speed * WRAP).round() / WRAP,
                phase: (BEGINNINGS[k] + turns.dot(place)).rem_euclid(1.0),
                amplitude: SHARES[k] * deviation / sum.sqrt(),
                length: LENGTHS[k] * length,
            }
        };
        let sharpness = or(waves.sharpness, 0.0).clamp(0.0, 1.0);
        Self {
            trains: std::array::from_fn(train),
            sharpening: SHARPEST * sharpness / (deviation as f32).max(1e-6),
            shoal: or(waves.shoal, 0.0).clamp(1e-4, 100.0),
            deviation: deviation as f32,
        }
    }

    /// The waves at a position in the terrain's local space, for water of this depth, at a time in seconds.
    pub(crate) fn at(&self, place: Vec2, depth: f32, seconds: f64) -> Swell {
        self.drawn_at(place, depth, seconds, 0.0)
    }

    /// The waves as they are rendered for a camera at this distance in meters.
    pub(crate) fn drawn_at(&self, place: Vec2, depth: f32, seconds: f64, distance: f32) -> Swell {
        let place = place.as_dvec2();
        let mut sum = Swell::default();
        for train in &self.trains {
            let turns = train.turns.dot(place) - train.frequency * seconds + train.phase;
            let angle = TAU * turns.rem_euclid(1.0);
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let high = train.amplitude * self.calm(train, depth) * drawn(train, distance);
            let speed = high * TAU * train.frequency;
            let ahead = (train.turns * train.length * (speed * cos)).as_vec2();
            sum.height += (high * cos) as f32;
            sum.slope -= (train.turns * (TAU * high * sin)).as_vec2();
            sum.velocity += Vec3::new(ahead.x, (speed * sin) as f32, ahead.y);
        }
        let steeper = 1.0 + self.sharpening * sum.height;
        Swell {
            height: sum.height * (0.5 + 0.5 * steeper),
            slope: sum.slope * steeper,
            velocity: Vec3::new(sum.velocity.x, sum.velocity.y * steeper, sum.velocity.z),
        }
    }

    /// The fraction of a train's amplitude at this water depth.
    fn calm(&self, train: &Train, depth: f32) -> f64 {
        let part = f64::from(depth / self.shoal) / train.length;
        let part = part.clamp(0.0, 1.0);
        part * part * (3.0 - 2.0 * part)
    }
}

/// The fraction of a train's amplitude that is rendered at this distance from the eye. Must match `sea.wgsl`.
fn drawn(train: &Train, distance: f32) -> f64 {
    let wavelengths = f64::from(distance) / train.length;
    let gone = ((wavelengths - 4.0) / 4.0).clamp(0.0, 1.0);
    1.0 - gone * gone * (3.0 - 2.0 * gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEEP: f32 = 1e6;

    fn heights(waves: &Waves, seconds: f64) -> Vec<f32> {
        let field = WaveField::new(waves, None);
        let places = (0..20_000).map(|k| Vec2::new((k % 141) as f32 * 7.3, (k / 141) as f32 * 9.1));
        places
            .map(|place| field.at(place, DEEP, seconds).height)
            .collect()
    }

    fn deviation(heights: &[f32]) -> f32 {
        let mean = heights.iter().sum::<f32>() / heights.len() as f32;
        let squares = heights.iter().map(|height| (height - mean).powi(2));
        (squares.sum::<f32>() / heights.len() as f32).sqrt()
    }

    #[test]
    fn significant_height_is_four_deviations() {
        for height in [0.2, 0.5, 2.0] {
            let waves = Waves {
                height,
                sharpness: 0.0,
                ..Waves::default()
            };
            let measured = 4.0 * deviation(&heights(&waves, 12.0));
            assert!(
                (measured / height - 1.0).abs() < 0.03,
                "{measured} of {height}"
            );
        }
    }

    #[test]
    fn slope_and_velocity_match_differences_of_height() {
        let field = WaveField::new(&Waves::default(), None);
        let step = 1e-2;
        for k in 0..500 {
            let (place, seconds) = (
                Vec2::new(k as f32 * 3.7, k as f32 * -1.9),
                f64::from(k) * 0.71,
            );
            let here = field.at(place, DEEP, seconds);
            let height = |place, seconds| f64::from(field.at(place, DEEP, seconds).height);
            let slope = [Vec2::X, Vec2::Y].map(|axis| {
                let [from, to] = [place - axis * step, place + axis * step];
                (height(to, seconds) - height(from, seconds)) / f64::from(2.0 * step)
            });
            let later = seconds + 1e-2;
            let rise = (height(place, later) - height(place, seconds - 1e-2)) / 2e-2;
            assert!((slope[0] as f32 - here.slope.x).abs() < 2e-3, "at {place}");
            assert!((slope[1] as f32 - here.slope.y).abs() < 2e-3, "at {place}");
            assert!((rise as f32 - here.velocity.y).abs() < 2e-3, "at {place}");
        }
    }

    fn on_plane(turned: Vec2) -> PlanePlace {
        PlanePlace { turned }
    }

    #[test]
    fn waves_repeat_after_an_hour_and_65536_meters() {
        let waves = Waves::default();
        let [here, beyond] = [
            Vec2::new(1000.0, 65_000.0),
            Vec2::new(1000.0, 65_000.0 - 65_536.0),
        ]
        .map(|place| WaveField::new(&waves, Some(&on_plane(place))));
        for k in 0..100 {
            let (place, seconds) = (Vec2::splat(k as f32 * 1.3), f64::from(k) * 3.1);
            let at = here.at(place, DEEP, seconds).height;
            assert!((at - here.at(place, DEEP, seconds + 3600.0).height).abs() < 1e-4);
            assert!((at - beyond.at(place, DEEP, seconds).height).abs() < 1e-4);
        }
    }

    #[test]
    fn neighboring_regions_have_the_same_waves() {
        let waves = Waves::default();
        let [west, east] =
            [0.0, 512.0].map(|x| WaveField::new(&waves, Some(&on_plane(Vec2::new(x, 300.0)))));
        for k in 0..100 {
            let at = Vec2::new(256.0, k as f32 * 2.3);
            let [a, b] = [(west, at), (east, at - Vec2::X * 512.0)]
                .map(|(field, at)| field.at(at, DEEP, 77.0).height);
            assert!((a - b).abs() < 1e-4, "{a} and {b}");
        }
    }

    #[test]
    fn shoal_calms_waves_near_the_shore() {
        let field = WaveField::new(&Waves::default(), None);
        let loud = WaveField::new(
            &Waves {
                shoal: 0.0,
                ..Waves::default()
            },
            None,
        );
        let highest = |field: &WaveField, depth| {
            let all = (0..2000).map(|k| field.at(Vec2::splat(k as f32), depth, 5.0).height.abs());
            all.fold(0.0, f32::max)
        };
        assert_eq!(highest(&field, 0.0), 0.0);
        assert!(highest(&field, 0.3) < 0.1 * highest(&field, DEEP));
        assert_eq!(highest(&field, 20.0), highest(&field, DEEP));
        assert!(highest(&loud, 0.3) > 0.9 * highest(&loud, DEEP));
    }

    #[test]
    fn crests_are_sharper_and_troughs_do_not_invert() {
        let all = heights(&Waves::default(), 40.0);
        let (low, high) = all.iter().fold((0.0_f32, 0.0_f32), |(low, high), &height| {
            (low.min(height), high.max(height))
        });
        assert!(high > -1.3 * low, "{low} to {high}");
        assert!(high <= Waves::default().highest());
        let field = WaveField::new(&Waves::default(), None);
        let lowest: f64 = field.trains.iter().map(|train| train.amplitude).sum();
        assert!(1.0 - field.sharpening * lowest as f32 >= -1e-6);
    }

    #[test]
    fn wind_sets_height_and_whitecaps() {
        let breeze = Waves::default().in_wind(5.0, 15_000.0);
        let storm = Waves::default().in_wind(18.0, 15_000.0);
        assert!((breeze.height - 0.313).abs() < 0.001 && breeze.whitecaps == 0.0);
        assert!((storm.height - 1.126).abs() < 0.001 && storm.whitecaps == 1.0);
        assert_eq!(storm.wavelength, Waves::default().wavelength);
        // A light wind is limited by the fully developed sea, however long the fetch is.
        let air = Waves::default().in_wind(1.0, 1e6);
        assert!((air.height - 0.0213).abs() < 1e-4, "{}", air.height);
        // Four times the fetch gives twice the height.
        let ocean = Waves::default().in_wind(18.0, 60_000.0);
        assert!((ocean.height / storm.height - 2.0).abs() < 1e-5);
        for bad in [f32::NAN, -3.0, 0.0, f32::INFINITY] {
            assert!(!Waves::default().in_wind(bad, 100.0).are_any(), "{bad}");
            assert!(!Waves::default().in_wind(5.0, bad).are_any(), "{bad}");
        }
    }

    #[test]
    fn invalid_numbers_give_finite_waves() {
        let bad = [f32::NAN, f32::INFINITY, -1.0, 1e30];
        for value in bad {
            let waves = Waves {
                height: value,
                wavelength: value,
                direction: Vec2::splat(value),
                spread: value,
                sharpness: value,
                shoal: value,
                whitecaps: value,
            };
            let swell = WaveField::new(&waves, None).at(Vec2::ONE, 10.0, 1.0);
            assert!(
                swell.height.is_finite() && swell.slope.is_finite(),
                "{value}"
            );
        }
        assert!(!Waves::CALM.are_any());
    }
}
