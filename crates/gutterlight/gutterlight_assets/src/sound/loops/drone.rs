//! A drone for darkness and danger.
//!
//! Each ear has two low saw waves that are detuned by a fraction of a hertz, so that they beat
//! slowly and differently on both sides. With darkness, a third one a semitone above is added,
//! which beats three times per second. Alarm opens the filter, adds a tritone, and makes everything
//! throb.

use core::f32::consts::SQRT_2;

use crate::sound::{
    filter::{OnePole, Svf},
    noise::Noise,
    smooth::{BLOCK, Block, Ramp},
    wave::Oscillator,
};

/// The loudness.
const LOUDNESS: f32 = 0.042;

/// The root note, A1: three octaves below A4.
const ROOT: f32 = 55.0;

/// The drone of one ear.
#[derive(Debug)]
struct Side {
    root: [Oscillator; 2],
    second: Oscillator,
    tritone: Oscillator,
    filter: Svf,
    detune: f32,
}

/// A drone.
#[derive(Debug)]
pub struct Drone {
    sides: [Side; 2],
    noise: Noise,
    air: Svf,
    slow: OnePole,
    swell: Oscillator,
    throb: Oscillator,
}

impl Side {
    fn new(detune: f32, phase: f32) -> Self {
        Self {
            root: [Oscillator::at(phase), Oscillator::at(0.5 * phase)],
            second: Oscillator::at(0.3),
            tritone: Oscillator::at(phase),
            filter: Svf::new(120.0, 0.9),
            detune,
        }
    }

    #[inline]
    fn sample(&mut self, darkness: f32, alarm: f32) -> f32 {
        let root = ROOT * self.detune;
        let [first, other] = &mut self.root;
        let base = first.saw(root) + other.saw(2.004 * root);
        let second = self.second.saw(1.0595 * root);
        let tritone = self.tritone.saw(2.0 * SQRT_2 * root);
        let sum = 0.6 * base + (0.25 + 0.55 * darkness) * second + 0.7 * alarm * tritone;
        self.filter.step(sum).low
    }
}

impl Drone {
    /// Creates a drone. The seed determines its random part.
    pub fn new(seed: u64) -> Self {
        Self {
            sides: [Side::new(1.0, 0.1), Side::new(1.0058, 0.6)],
            noise: Noise::new(seed),
            air: Svf::new(500.0, 2.5),
            slow: OnePole::new(0.4),
            swell: Oscillator::default(),
            throb: Oscillator::default(),
        }
    }

    /// Adds the next block.
    pub fn add_to(&mut self, block: &mut Block, darkness: Ramp, alarm: Ramp) {
        let (dark, hunted) = (darkness.at(0), alarm.at(0));
        for side in &mut self.sides {
            side.filter.tune(130.0 + 130.0 * dark + 460.0 * hunted, 0.9);
        }
        let wander = self.slow.low(self.noise.white()).clamp(-0.2, 0.2);
        self.air.tune(420.0 + 900.0 * wander, 2.5);
        for frame in 0..BLOCK {
            let (darkness, alarm) = (darkness.at(frame), alarm.at(frame));
            let strength = (0.16 + 0.84 * darkness).max(alarm);
            let swell = 1.0 + 0.3 * self.swell.sine(0.07);
            let throb = 1.0 - 0.6 * alarm * (0.5 + 0.5 * self.throb.sine(1.9));
            let gain = LOUDNESS * strength * swell * throb;
            let air = 0.35 * darkness * self.air.step(self.noise.pink()).band;
            let [left, right] = &mut self.sides;
            block.left[frame] += gain * (left.sample(darkness, alarm) + air);
            block.right[frame] += gain * (right.sample(darkness, alarm) - air);
        }
    }
}
