//! Animated light: torch, candle, faulty lamp, pulse.
//!
//! ```text
//! torch        ~~~\/~~\_/~^~\/~~     three octaves of noise, always moving
//! candle       -----.__.---------    calm, with occasional gusts
//! faulty lamp  ------|_|-|_|-----    steady, with phases of switching off and on
//! pulse        /~\_/~\_/~\_/~\_/     smoothly down and up
//! ```
//!
//! Everything is a function of the seed and the time. It is therefore the same on every machine,
//! and does not depend on the frame rate. The noise is value noise over an integer hash (of
//! [`SplitMix64`]), interpolated by a quintic polynomial, so that torches and candles do not jump.

use bevy::prelude::*;
use lanternfell_random::SplitMix64;
use serde::{Deserialize, Serialize};

/// Animates the strength of the [`LightSource`](crate::LightSource) on the same entity: multiplies
/// it by a factor from 0 to 1.
///
/// It uses the clock of the plugin's schedule, so it stops when the game is paused. Default: a
/// [`torch`](Self::torch) with seed 0.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Flicker {
    /// The kind of animation.
    pub kind: FlickerKind,
    /// Lights of the same kind with the same seed flicker in sync.
    pub seed: u32,
    /// Factor for the speed, clamped to 0 to 100. Default: 1.
    pub speed: f32,
    /// How much the light dims, from 0 (not at all) to 1 (off). Values are clamped.
    pub depth: f32,
}

/// The kind of animation of a light.
#[derive(Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Debug, Default, Clone, PartialEq, Hash)]
pub enum FlickerKind {
    /// Always moving.
    #[default]
    Torch,
    /// Calm, with a gust every few seconds.
    Candle,
    /// Steady, with phases of switching off and on. It jumps.
    FaultyLamp,
    /// Down and up again, once per second at speed 1.
    Pulse,
}

impl Default for Flicker {
    fn default() -> Self {
        Self::torch(0)
    }
}

impl Flicker {
    /// A torch, which dims by up to 35 %.
    pub const fn torch(seed: u32) -> Self {
        Self::new(FlickerKind::Torch, seed, 0.35)
    }

    /// A candle, which dims by up to 45 % in gusts.
    pub const fn candle(seed: u32) -> Self {
        Self::new(FlickerKind::Candle, seed, 0.45)
    }

    /// A lamp with a loose contact, which dims by 90 %.
    pub const fn faulty_lamp(seed: u32) -> Self {
        Self::new(FlickerKind::FaultyLamp, seed, 0.9)
    }

    /// A crystal or a warning light, which dims by 70 % once per second.
    pub const fn pulse(seed: u32) -> Self {
        Self::new(FlickerKind::Pulse, seed, 0.7)
    }

    const fn new(kind: FlickerKind, seed: u32, depth: f32) -> Self {
        Self {
            kind,
            seed,
            speed: 1.0,
            depth,
        }
    }

    /// Returns the factor for the strength at this time, from 0 to 1. NaN in the time, speed or
    /// depth counts as 0.
    pub fn at(&self, seconds: f64) -> f32 {
        let time = brought(seconds, -1e12, 1e12) * brought(f64::from(self.speed), 0.0, 100.0);
        let depth = brought(f64::from(self.depth), 0.0, 1.0) as f32;
        let down = match self.kind {
            FlickerKind::Torch => self.torch_down(time),
            FlickerKind::Candle => self.candle_down(time),
            FlickerKind::FaultyLamp => self.lamp_down(time),
            FlickerKind::Pulse => self.pulse_down(time),
        };
        1.0 - depth * down
    }

    fn torch_down(&self, time: f64) -> f32 {
        // No common divisor of the frequencies, so the sum does not repeat.
        0.50 * self.noise(0, 2.9 * time)
            + 0.32 * self.noise(1, 7.1 * time)
            + 0.18 * self.noise(2, 16.3 * time)
    }

    fn candle_down(&self, time: f64) -> f32 {
        // Only the upper quarter of a slow noise is a gust.
        let gust = smooth(((self.noise(0, 0.6 * time) - 0.75) * 4.0).max(0.0));
        let shiver = self.noise(1, 9.7 * time);
        0.2 * self.noise(2, 1.3 * time) + gust * (0.4 + 0.4 * shiver)
    }

    fn lamp_down(&self, time: f64) -> f32 {
        let fit = self.hash(0, floor(time / 1.7)) < 0.35;
        let off = self.hash(1, floor(time * 18.0)) < 0.5;
        if fit && off { 1.0 } else { 0.0 }
    }

    fn pulse_down(&self, time: f64) -> f32 {
        let turn = time + f64::from(self.hash(0, 0));
        let part = (turn - turn.floor()) as f32;
        smooth(1.0 - (2.0 * part - 1.0).abs())
    }

    /// Value noise from 0 to 1, with a new value at each integer time.
    fn noise(&self, octave: u64, time: f64) -> f32 {
        let step = floor(time);
        let (before, after) = (self.hash(octave, step), self.hash(octave, step + 1));
        before + (after - before) * smooth((time - time.floor()) as f32)
    }

    /// A hash from 0 to below 1.
    fn hash(&self, octave: u64, step: i64) -> f32 {
        let key = SplitMix64::new(u64::from(self.seed) << 2 | octave).word();
        let bits = SplitMix64::new((step as u64).wrapping_add(key)).word();
        (bits >> 40) as f32 / (1 << 24) as f32
    }
}

/// Maps 0 to 1 to 0 to 1. The first and second derivatives are zero at both ends.
fn smooth(part: f32) -> f32 {
    part * part * part * (part * (part * 6.0 - 15.0) + 10.0)
}

fn floor(time: f64) -> i64 {
    time.floor() as i64
}

fn brought(value: f64, least: f64, most: f64) -> f64 {
    if value.is_nan() {
        return 0.0;
    }
    value.clamp(least, most)
}

#[cfg(test)]
mod tests {
    use lanternfell_random::Fnv1a;

    use super::*;

    const ALL: [fn(u32) -> Flicker; 4] = [
        Flicker::torch,
        Flicker::candle,
        Flicker::faulty_lamp,
        Flicker::pulse,
    ];

    fn minute(flicker: Flicker) -> impl Iterator<Item = f32> {
        (0..6000).map(move |step| flicker.at(f64::from(step) * 0.01))
    }

    #[test]
    fn stays_between_depth_and_full_light() {
        for kind in ALL {
            for seed in 0..8 {
                let flicker = kind(seed);
                let range = 1.0 - flicker.depth - 1e-6..=1.0;
                for part in minute(flicker) {
                    assert!(range.contains(&part), "{flicker:?} {part}");
                }
            }
        }
    }

    #[test]
    fn covers_most_of_its_range() {
        for kind in ALL {
            let flicker = kind(3);
            let (least, most) = minute(flicker).fold((1.0f32, 0.0f32), |(least, most), part| {
                (least.min(part), most.max(part))
            });
            let deep = 1.0 - flicker.depth;
            assert!(least < deep + 0.4 * flicker.depth, "{flicker:?} {least}");
            assert!(most > 0.92, "{flicker:?} {most}");
        }
    }

    #[test]
    fn average_is_bright() {
        for kind in ALL {
            for seed in 0..8 {
                let mean = minute(kind(seed)).sum::<f32>() / 6000.0;
                assert!((0.6..0.98).contains(&mean), "{:?} {mean}", kind(seed));
            }
        }
    }

    #[test]
    fn default_is_a_torch() {
        let (least, most) = minute(Flicker::default()).fold((1.0f32, 0.0f32), |range, part| {
            (range.0.min(part), range.1.max(part))
        });
        assert!(least < 0.8 && most > 0.92, "from {least} to {most}");
        assert_eq!(Flicker::default(), Flicker::torch(0));
    }

    #[test]
    fn seeds_differ() {
        for kind in ALL {
            let differ = minute(kind(5))
                .zip(minute(kind(6)))
                .filter(|(a, b)| (a - b).abs() > 0.01);
            assert!(differ.count() > 300, "{:?}", kind(5));
        }
    }

    /// A hash of the bits of one minute.
    fn hash(flicker: Flicker) -> u64 {
        let words = minute(flicker).map(f32::to_bits);
        words.fold(Fnv1a::default(), Fnv1a::with).finish()
    }

    #[test]
    fn values_match_pinned_hashes() {
        let found = ALL.map(|kind| (kind(42).kind, hash(kind(42))));
        assert!(
            found == PINNED,
            "a minute's hashes are now {found:#?}, but were {PINNED:#?}"
        );
    }

    const PINNED: [(FlickerKind, u64); 4] = [
        (FlickerKind::Torch, 13_644_183_994_073_173_590),
        (FlickerKind::Candle, 3_692_330_804_561_662_610),
        (FlickerKind::FaultyLamp, 1_046_908_439_940_730_197),
        (FlickerKind::Pulse, 6_015_772_856_608_692_597),
    ];

    #[test]
    fn torch_candle_and_pulse_are_continuous() {
        for kind in [Flicker::torch, Flicker::candle, Flicker::pulse] {
            for seed in 0..4 {
                let flicker = kind(seed);
                for step in 0..20_000 {
                    let time = f64::from(step) * 0.001;
                    let apart = (flicker.at(time) - flicker.at(time + 0.0005)).abs();
                    assert!(apart < 0.01, "{flicker:?} at {time}: {apart}");
                }
            }
        }
    }

    #[test]
    fn accepts_invalid_values() {
        for kind in ALL {
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -3.0, f32::MAX] {
                let flicker = Flicker {
                    speed: value,
                    depth: value,
                    ..kind(1)
                };
                for seconds in [0.0, f64::from(value), f64::MAX] {
                    let part = flicker.at(seconds);
                    assert!((0.0..=1.0).contains(&part), "{flicker:?} {part}");
                }
            }
        }
    }
}
