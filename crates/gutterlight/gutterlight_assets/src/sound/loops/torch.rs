//! A burning torch.
//!
//! - Breath: pink noise around 270 Hz that flutters about ten times per second, like flames do.
//! - Hiss: a little noise of higher frequencies, with the same flutter.
//! - Cracks: pitch boils in the wood and bursts. Cracks are random, and each makes more cracks
//!   likely.
//! - Guttering: the flame leaves the wick several times per second. The breath drops out and gets
//!   lower.

use crate::sound::{
    RATE,
    filter::{OnePole, Svf},
    modes::Mode,
    noise::Noise,
    smooth::{BLOCK, Block, Ramp},
};

/// The loudness. All other levels are relative to it.
const LOUDNESS: f32 = 0.05;

/// A burning torch.
#[derive(Debug)]
pub struct Torch {
    noise: Noise,
    breath: Svf,
    hiss: Svf,
    flutter: OnePole,
    /// The smoothed strength of the flame, and its current target while it gutters.
    flame: OnePole,
    gasp: f32,
    /// The number of samples until the next change of the flame.
    until: u32,
    cracks: [Mode; 4],
    next: usize,
    /// The additional rate of cracks per second, raised by each crack.
    eager: f32,
}

impl Torch {
    /// Creates a torch. The seed determines its random part.
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

    /// Adds the next block.
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
        // White noise below 9 Hz is about fifty times weaker than the whole.
        let flutter = 1.0 + 24.0 * (1.0 + guttering) * self.flutter.low(self.noise.white());
        let flow = air * flame * flutter.max(0.1);
        let breath = 2.2 * self.breath.step(flow).band;
        let hiss = 0.4 * self.hiss.step(flow).band;
        breath + hiss + 6.0 * self.crack(guttering)
    }

    /// The strength of the flame, from 0 to 1.
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
            // For a ninth of a second, this adds half a crack on average. With a whole one, the
            // cracks would never stop.
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
