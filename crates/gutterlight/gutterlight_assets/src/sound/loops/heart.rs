//! A heart: two thumps a beat, quicker and harder as nerve goes.
//!
//! A thump is a low tone that drops as it dies; bent a little, so that a loudspeaker that has no
//! depths still gives its overtones. How hard it is is fixed as it begins, so that nothing
//! changes while it sounds.

use crate::sound::{
    RATE,
    contour::{Decay, smooth_step},
    smooth::{BLOCK, Block},
    wave::Oscillator,
};

/// How loud it is at its loudest.
const LOUDNESS: f32 = 0.22;

/// Nerve below which it is heard.
const HEARD: f32 = 0.5;

/// Which part of a beat after the first thump the second one comes.
const SECOND: f32 = 0.31;

/// A heart.
#[derive(Debug, Default)]
pub struct Heart {
    /// How far the beat is, from 0 to 1.
    phase: f32,
    thumps: [Option<Thump>; 2],
}

/// One of its valves shuts.
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
    /// Adds its next block.
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
