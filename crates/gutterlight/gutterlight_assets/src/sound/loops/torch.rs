//! A torch: it breathes, it hisses, it cracks.
//!
//! - Breath: pink noise around 270 Hz that flutters some ten times a second, as flames do.
//! - Hiss: a little of what is above, with it.
//! - Cracks: pitch boils in the wood and bursts out. They come by chance, and one brings others.
//! - Guttering: the flame lets go of the wick, several times a second, each time for longer; its
//!   breath stumbles and what is left of it is lower.

use crate::sound::{
    RATE,
    filter::{OnePole, Svf},
    modes::Mode,
    noise::Noise,
    smooth::{BLOCK, Block, Ramp},
};

/// How loud it is; the rest of it is relative to this.
const LOUDNESS: f32 = 0.05;

/// A torch that burns.
#[derive(Debug)]
pub struct Torch {
    noise: Noise,
    breath: Svf,
    hiss: Svf,
    flutter: OnePole,
    /// How much of the flame is there while it gutters, and where that is going.
    flame: OnePole,
    gasp: f32,
    /// Samples until it gasps anew.
    until: u32,
    cracks: [Mode; 4],
    next: usize,
    /// How many more cracks there are in a second, just after one.
    eager: f32,
}

impl Torch {
    /// Its chance is from a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            noise: Noise::new(seed),
            breath: Svf::new(270.0, 0.5),
            hiss: Svf::new(2600.0, 0.7),
            flutter: OnePole::new(9.0),
            flame: OnePole::new(14.0),
            gasp: 1.0,
            until: 0,
            cracks: [Mode::new(1000.0, 0.001); 4],
            next: 0,
            eager: 0.0,
        }
    }

    /// Adds its next block.
    pub fn add_to(&mut self, block: &mut Block, level: Ramp, guttering: Ramp) {
        if level.at(0) <= 0.0 && level.at(BLOCK) <= 0.0 {
            return;
        }
        self.breath.tune(270.0 - 90.0 * guttering.at(0), 0.5);
        for frame in 0..BLOCK {
            let sample = LOUDNESS * level.at(frame) * self.sample(guttering.at(frame));
            block.add(frame, sample, [0.74, 0.67, 0.06]);
        }
        self.breath.settle();
        self.hiss.settle();
        self.cracks.iter_mut().for_each(Mode::settle);
    }

    fn sample(&mut self, guttering: f32) -> f32 {
        let flame = self.flame_left(guttering);
        let air = self.noise.pink();
        // What is left below 9 Hz of white noise is some fifty times weaker.
        let flutter = 1.0 + 24.0 * (1.0 + guttering) * self.flutter.low(self.noise.white());
        let flow = air * flame * flutter.max(0.1);
        let breath = 2.2 * self.breath.step(flow).band;
        let hiss = 0.4 * self.hiss.step(flow).band;
        breath + hiss + 6.0 * self.crack(guttering)
    }

    /// How much of the flame is there, from 0 to 1.
    fn flame_left(&mut self, guttering: f32) -> f32 {
        if self.until == 0 {
            self.until = (self.noise.between(0.05, 0.24) * RATE as f32) as u32;
            self.gasp = self.noise.unit();
        }
        self.until -= 1;
        let there = if self.gasp < 0.7 * guttering {
            0.05
        } else {
            1.0
        };
        let left = self.flame.low(there);
        1.0 - guttering.min(0.95) * (1.0 - left)
    }

    fn crack(&mut self, guttering: f32) -> f32 {
        let often = 6.0 + 9.0 * guttering + self.eager;
        let mut push = 0.0;
        if self.noise.unit() * (RATE as f32) < often {
            let strength = self.noise.unit();
            push = strength * strength * strength;
            self.next = (self.next + 1) % self.cracks.len();
            let (hertz, ring) = (
                self.noise.between(900.0, 5200.0),
                self.noise.between(0.003, 0.016),
            );
            self.cracks[self.next] = Mode::new(hertz, ring);
            // For a ninth of a second: half a crack more. A whole one would never end.
            self.eager += 9.0 * self.noise.unit();
        }
        self.eager *= 0.9998;
        let struck = self.next;
        let rings = self.cracks.iter_mut().enumerate();
        rings
            .map(|(index, crack)| crack.step(if index == struck { push } else { 0.0 }))
            .sum()
    }
}
