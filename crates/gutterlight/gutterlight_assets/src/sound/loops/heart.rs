//! A heartbeat: two thumps per beat, faster and harder as nerve falls.
//!
//! A thump is a decaying low tone with a falling pitch. It is slightly distorted, so that
//! loudspeakers without bass still play its overtones. The strength of a thump is fixed at its
//! start.

use crate::sound::{
    RATE,
    contour::{Decay, smooth_step},
    smooth::{BLOCK, Block},
    wave::Oscillator,
};

/// The maximum loudness.
const LOUDNESS: f32 = 0.22;

/// The nerve below which the heart is audible.
const HEARD: f32 = 0.5;

/// The time of the second thump, as a fraction of a beat.
const SECOND: f32 = 0.31;

/// A heart.
#[derive(Debug, Default)]
pub struct Heart {
    /// The phase of the beat, from 0 to 1.
    phase: f32,
    thumps: [Option<Thump>; 2],
}

/// A single thump.
#[derive(Debug, Clone, Copy)]
struct Thump {
    tone: Oscillator,
    hertz: f32,
    drop: Decay,
    fall: Decay,
    strength: f32,
    age: u32,
}

impl Thump {
    fn new(hertz: f32, ring: f32, strength: f32) -> Self {
        Self {
            tone: Oscillator::default(),
            hertz,
            drop: Decay::new(0.12),
            fall: Decay::new(ring),
            strength,
            age: 0,
        }
    }

    fn sample(&mut self) -> f32 {
        let rise = smooth_step(0.0, 0.008, self.age as f32 / RATE as f32);
        self.age += 1;
        let tone = self.tone.sine(self.hertz * (1.0 + 0.9 * self.drop.step()));
        let level = rise * self.fall.step();
        let bent = 3.5 * level * tone;
        self.strength * bent / (1.0 + bent.abs())
    }

    fn is_over(&self) -> bool {
        self.age > RATE / 2
    }
}

impl Heart {
    /// Adds the next block.
    pub fn add_to(&mut self, block: &mut Block, nerve: f32) {
        let fear = 1.0 - smooth_step(0.0, HEARD, nerve);
        let beats_in_a_second = (54.0 + 78.0 * fear) / 60.0;
        for frame in 0..BLOCK {
            let before = self.phase;
            self.phase += beats_in_a_second / RATE as f32;
            if before < SECOND && self.phase >= SECOND {
                self.beat(1, 78.0, 0.24, 0.7 * fear);
            }
            if self.phase >= 1.0 {
                self.phase -= 1.0;
                self.beat(0, 58.0, 0.32, fear);
            }
            let thumps = self.thumps.iter_mut().flatten();
            let sample: f32 = thumps.map(Thump::sample).sum();
            block.add(frame, LOUDNESS * sample, [0.71, 0.71, 0.0]);
        }
        for thump in &mut self.thumps {
            if thump.is_some_and(|thump| thump.is_over()) {
                *thump = None;
            }
        }
    }

    fn beat(&mut self, which: usize, hertz: f32, ring: f32, strength: f32) {
        if strength > 0.0 {
            self.thumps[which] = Some(Thump::new(hertz, ring, strength));
        }
    }
}
