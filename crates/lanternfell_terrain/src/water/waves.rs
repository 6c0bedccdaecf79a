//! Waves: a sum of trains, whose height anybody can work out.
//!
//! Problem: what floats must ride on the waves that are seen, so the processor has to know them as well as the
//! shader does, at any place and time, without asking the GPU.
//!
//! Idea: the sea is a sum of a few sine trains of fixed lengths and directions, each as fast as gravity makes waves of
//! its length in deep water. Nothing is simulated: height, slope and velocity are formulas of place and time.
//!
//! ```text
//! sum        η = Σ c aₖ cos 2π(qₖ·p - fₖ t + φₖ)      q turns per metre, f turns per second, φ turns
//! crests     η + ½ κ η²                                sharper above, flatter below
//! shoals     c = smoothstep(0, s λₖ, depth)            long waves feel the ground first
//! ```
//!
//! Bevy's shaders know the time only modulo [`Time::wrap_period`], an hour, so each train does a whole number of
//! turns in an hour; and endless ground begins to count its places anew after 65,536 m, so it does in these too.
//!
//! Sources: deep-water dispersion ω² = g k (Airy 1841); the second order's sharper crests after Stokes (1847);
//! significant height as four standard deviations (Longuet-Higgins 1952); height by wind and fetch from JONSWAP
//! (Hasselmann et al. 1973), of a fully developed sea by Pierson and Moskowitz (1964).

use std::f64::consts::TAU;

use bevy::{math::DVec2, prelude::*};

use crate::window::PlanePlace;

/// How many trains there are: as in `waves.wgsl`.
pub(crate) const TRAINS: usize = 8;

/// The period after which the shaders' time begins at 0 again, in seconds: Bevy's default.
const WRAP: f64 = 3600.0;

/// Metres per second squared.
pub(crate) const GRAVITY: f64 = 9.81;

/// Of the wavelength that carries most: how long a train is.
const LENGTHS: [f64; TRAINS] = [1.71, 1.27, 1.0, 0.73, 0.52, 0.36, 0.23, 0.14];

/// How high it is, beside the others: most at the wavelength itself, and less the shorter, as in a wind sea.
const SHARES: [f64; TRAINS] = [0.45, 0.8, 1.0, 0.75, 0.55, 0.36, 0.24, 0.15];

/// Where it runs, in spreads from the sea's direction: short waves run further aside.
const ASIDE: [f64; TRAINS] = [0.12, -0.35, 0.0, 0.55, -0.8, 0.95, -1.15, 1.3];

/// Where it begins, in turns: anything, so that not all crests meet at the origin.
const BEGINNINGS: [f64; TRAINS] = [0.0, 0.37, 0.71, 0.13, 0.89, 0.53, 0.23, 0.61];

/// How far the crests' sharpening goes, in standard deviations of the height; with more of it the highest waves'
/// troughs would turn over.
const SHARPEST: f32 = 0.25;

/// The waves of a sea. They move with Bevy's [`Time`](bevy::time::Time), so they stand still in a pause.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct Waves {
    /// Significant height: the highest third's mean, from trough to crest, in metres. 0.5 by default; 0 for a level
    /// sea, which is the cheapest. No more than an eighth of the wavelength counts.
    pub height: f32,
    /// From crest to crest of those waves that carry most, in metres, from 2 to 500; 26 by default.
    pub wavelength: f32,
    /// Where they run to: x to the east, y to the south. Its length does not matter.
    pub direction: Vec2,
    /// How far they run aside, in radians from 0 (all the same way) to 1.5; 0.6 by default.
    pub spread: f32,
    /// How sharp the crests are, and how flat the troughs: from 0 to 1, the default.
    pub sharpness: f32,
    /// The depth of water from which on waves are as high as on the open sea, in wavelengths. 0.25 by default, so
    /// that they are calm near the shore; 0 where they shall run up to it in full.
    pub shoal: f32,
    /// How much foam there is on the crests, from 0 for none to 1; 0.4 by default.
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
    /// No waves at all.
    pub const CALM: Self = Self {
        height: 0.0,
        wavelength: 26.0,
        direction: Vec2::X,
        spread: 0.0,
        sharpness: 0.0,
        shoal: 0.25,
        whitecaps: 0.0,
    };

    /// The same waves as high as a wind of so many metres per second makes them that has blown over so many metres of
    /// sea, with foam on their crests from 5 m/s on. Over 15 km that is 0.3 m at 5 m/s, and 1.1 m at 18 m/s. What is no
    /// number, or below 0, is a calm.
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

    /// Whether the surface moves at all.
    pub fn are_any(&self) -> bool {
        self.checked().1 > 0.0
    }

    /// No crest is higher above the level sea, and no trough lower, in metres.
    pub(crate) fn highest(&self) -> f32 {
        let field = WaveField::new(self, None);
        let sum: f64 = field.trains.iter().map(|train| train.amplitude).sum();
        let sum = sum as f32;
        sum * (1.0 + 0.5 * field.sharpening * sum)
    }

    /// Wavelength and height that count, in metres: a wavelength that is no number is the default.
    fn checked(&self) -> (f64, f64) {
        let default = Self::default();
        let length = or(self.wavelength, default.wavelength).clamp(2.0, 500.0);
        let height = or(self.height, 0.0).clamp(0.0, length / 8.0);
        (f64::from(length), f64::from(height))
    }
}

/// How high a sea becomes however far the wind has blown, in squared speeds divided by gravity: by the spectrum's
/// constants, 2 √(0.0081 / 0.74).
const FULL_SEA: f32 = 0.209;

/// What is a number, or else `otherwise`.
fn or(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

/// One train of waves, in the frame of one terrain.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Train {
    /// Turns per metre, to the east and the south.
    pub(crate) turns: DVec2,
    /// Turns per second.
    pub(crate) frequency: f64,
    /// In turns, at the middle of the terrain when the time is 0.
    pub(crate) phase: f64,
    /// Metres.
    pub(crate) amplitude: f64,
    /// Metres from crest to crest.
    pub(crate) length: f64,
}

/// The waves of one terrain's sea.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WaveField {
    pub(crate) trains: [Train; TRAINS],
    /// One divided by metres.
    pub(crate) sharpening: f32,
    /// In wavelengths, above 0.
    pub(crate) shoal: f32,
    /// The standard deviation of the height in metres.
    pub(crate) deviation: f32,
}

/// How the surface is at one place and time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Swell {
    /// Metres above the level sea.
    pub(crate) height: f32,
    /// Metres of height for each metre to the east and to the south.
    pub(crate) slope: Vec2,
    /// Of the water at the surface, in metres per second.
    pub(crate) velocity: Vec3,
}

impl WaveField {
    /// Of a sea whose middle lies somewhere on the plane of endless ground, or nowhere.
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
            // Whole turns, where places begin anew.
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

    /// At a place in the terrain's own frame, where the water is so deep, at a time of so many seconds.
    pub(crate) fn at(&self, place: Vec2, depth: f32, seconds: f64) -> Swell {
        self.drawn_at(place, depth, seconds, 0.0)
    }

    /// The same as it is drawn for an eye so far away.
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

    /// How much of a train there is over a ground so deep.
    fn calm(&self, train: &Train, depth: f32) -> f64 {
        let part = f64::from(depth / self.shoal) / train.length;
        let part = part.clamp(0.0, 1.0);
        part * part * (3.0 - 2.0 * part)
    }
}

/// How much of a train is drawn so far from the eye: as in `sea.wgsl`.
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
    fn the_significant_height_is_four_deviations() {
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
    fn slope_and_velocity_are_the_heights_own_differences() {
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
        PlanePlace {
            turned,
            ..default()
        }
    }

    #[test]
    fn an_hour_later_and_a_turn_of_the_plane_further_all_is_the_same() {
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
    fn a_neighbor_has_the_same_waves_at_the_same_place() {
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
    fn it_is_calm_near_the_shore_unless_it_is_not_wanted() {
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
    fn crests_are_sharper_than_troughs_and_no_trough_turns_over() {
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
    fn a_wind_makes_waves() {
        let breeze = Waves::default().in_wind(5.0, 15_000.0);
        let storm = Waves::default().in_wind(18.0, 15_000.0);
        assert!((breeze.height - 0.313).abs() < 0.001 && breeze.whitecaps == 0.0);
        assert!((storm.height - 1.126).abs() < 0.001 && storm.whitecaps == 1.0);
        assert_eq!(storm.wavelength, Waves::default().wavelength);
        // A light air makes no more, however far it blows.
        let air = Waves::default().in_wind(1.0, 1e6);
        assert!((air.height - 0.0213).abs() < 1e-4, "{}", air.height);
        // Four times the way, twice the height.
        let ocean = Waves::default().in_wind(18.0, 60_000.0);
        assert!((ocean.height / storm.height - 2.0).abs() < 1e-5);
        for bad in [f32::NAN, -3.0, 0.0, f32::INFINITY] {
            assert!(!Waves::default().in_wind(bad, 100.0).are_any(), "{bad}");
            assert!(!Waves::default().in_wind(5.0, bad).are_any(), "{bad}");
        }
    }

    #[test]
    fn what_is_no_number_is_no_wave() {
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
