//! Struck objects by modal synthesis: wood, iron, bronze, glass, stone, bodies.
//!
//! A struck object rings in its modes, each a decaying tone. The frequency ratios characterize the
//! shape, the decay of the high modes the material, and the duration of the contact the hardness: a
//! contact of 1 ms excites little above 1 kHz.
//!
//! ```text
//!    blow (half a sine)  ->  mode 1 \
//!                        ->  mode 2  + -> sound
//!                        ->  mode 3 /
//! ```
//!
//! A mode is a two-pole filter with two multiplications per sample. Each sample depends on the one
//! before, so four modes run interleaved in the time of one. The ratios of bars and bells are from
//! Fletcher and Rossing, The Physics of Musical Instruments (1998). Those of stone and bodies are
//! estimated from spectra.

use super::{RATE, clip::Clip, clip::samples, contour::decay_part, noise::Noise, wave::sine};

/// How a material rings.
#[derive(Debug, Clone, Copy)]
pub struct Material {
    /// The frequencies of the modes, relative to the fundamental.
    ratios: &'static [f32],
    /// The exponent of the ratio by which higher modes decay faster.
    damping: f32,
    /// The exponent of the ratio by which higher modes are weaker.
    tilt: f32,
}

/// A board or a box.
pub const WOOD: Material = Material {
    ratios: &[1.0, 1.57, 2.14, 2.92, 3.71, 4.88, 6.13, 7.9],
    damping: 0.9,
    tilt: 0.6,
};

/// A bar with free ends, and the twists that a forged one has.
pub const IRON: Material = Material {
    ratios: &[1.0, 1.83, 2.76, 3.69, 5.4, 7.1, 8.93, 11.3, 13.34],
    damping: 0.55,
    tilt: 0.25,
};

/// A church bell: hum, prime, tierce, quint, nominal, and above.
pub const BRONZE: Material = Material {
    ratios: &[
        0.5, 1.0, 1.003, 1.2, 1.5, 2.0, 2.51, 2.66, 3.01, 4.17, 5.43, 6.8,
    ],
    damping: 0.7,
    tilt: 0.3,
};

/// A sliver or a thin bowl.
pub const GLASS: Material = Material {
    ratios: &[1.0, 1.62, 2.32, 3.17, 4.25],
    damping: 0.5,
    tilt: 0.3,
};

/// A flagstone, a pebble.
pub const STONE: Material = Material {
    ratios: &[1.0, 1.41, 1.93, 2.71, 3.38, 4.63, 6.2],
    damping: 0.5,
    tilt: 0.35,
};

/// Flesh, cloth and leather.
pub const BODY: Material = Material {
    ratios: &[1.0, 1.48, 2.21, 3.3],
    damping: 0.7,
    tilt: 0.9,
};

/// A blow on something.
#[derive(Debug, Clone, Copy)]
pub struct Blow {
    /// The material.
    pub material: Material,
    /// The frequency of the fundamental, in hertz.
    pub hertz: f32,
    /// The time in which the fundamental decays by 60 decibels, in seconds.
    pub ring: f32,
    /// The duration of the contact, in seconds.
    pub touch: f32,
}

impl Blow {
    /// Renders the blow, with a peak of 1. No two are equal: frequencies vary by up to 2 %,
    /// amplitudes by up to 40 %.
    pub fn strike(self, noise: &mut Noise) -> Clip {
        let mut clip = Clip::silent(1.1 * self.ring + self.touch);
        let push = push(self.touch);
        for ratios in self.material.ratios.chunks(4) {
            let mut four = [Mode::SILENT; 4];
            let mut longest = 0.0_f32;
            for (mode, &ratio) in four.iter_mut().zip(ratios) {
                // Random numbers are drawn for skipped modes too, so that the sounds after them
                // stay the same.
                let hertz = self.hertz * noise.about(ratio, 0.02);
                let weight = libm::powf(ratio, -self.material.tilt);
                let gain = noise.about(weight, 0.4);
                let ring = self.ring * libm::powf(ratio, -self.material.damping);
                // Above the Nyquist frequency a mode would alias to a wrong pitch.
                if hertz < 0.45 * RATE as f32 {
                    *mode = Mode::new(hertz, ring).louder(gain);
                    longest = longest.max(ring);
                }
            }
            // High modes decay early. Computing them to the end of the clip would take most of the
            // time.
            let audible = push.len() + samples(1.1 * longest);
            let out = clip.as_mut_slice().iter_mut().take(audible);
            add_four(four, out, &push);
        }
        clip.peaked()
    }
}

/// Adds four modes with the same excitation.
fn add_four<'a>(mut four: [Mode; 4], out: impl Iterator<Item = &'a mut f32>, push: &[f32]) {
    let pushes = push.iter().copied().chain(core::iter::repeat(0.0));
    for (sample, push) in out.zip(pushes) {
        let next = four.each_mut().map(|mode| mode.step(push));
        // Added in pairs, so that two additions run at the same time.
        *sample += (next[0] + next[1]) + (next[2] + next[3]);
    }
}

/// The force of a blow over time: half a sine, whose sum does not depend on its length.
fn push(touch: f32) -> Vec<f32> {
    let length = samples(touch).max(1);
    let step = 0.5 / (length + 1) as f32;
    let shape = (1..=length).map(|index| sine(step * index as f32));
    shape.map(|force| force / length as f32).collect()
}

/// One mode of a struck object.
#[derive(Debug, Clone, Copy)]
pub struct Mode {
    turn: f32,
    loss: f32,
    gain: f32,
    last: [f32; 2],
}

impl Mode {
    const SILENT: Self = Self {
        turn: 0.0,
        loss: 0.0,
        gain: 0.0,
        last: [0.0; 2],
    };

    /// A mode with a frequency in hertz that decays by 60 decibels in `ring` seconds.
    pub fn new(hertz: f32, ring: f32) -> Self {
        let part = decay_part(ring);
        let turns = hertz / RATE as f32;
        Self {
            turn: 2.0 * part * sine(turns + 0.25),
            loss: part * part,
            // An impulse of strength 1 then gives a tone with amplitude 1.
            gain: sine(turns),
            last: [0.0; 2],
        }
    }

    /// Advances by one sample, with this excitation.
    #[inline]
    pub fn step(&mut self, push: f32) -> f32 {
        let next = self.turn * self.last[0] - self.loss * self.last[1] + self.gain * push;
        self.last = [next, self.last[0]];
        next
    }

    /// Multiplies the amplitude.
    fn louder(mut self, gain: f32) -> Self {
        self.gain *= gain;
        self
    }

    /// See [`Svf::settle`](super::filter::Svf::settle).
    pub fn settle(&mut self) {
        if self.last[0].abs() + self.last[1].abs() < 1e-12 {
            self.last = [0.0; 2];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mode_has_its_frequency_and_decay() {
        let mut mode = Mode::new(1000.0, 0.5);
        let tone: Vec<f32> = (0..RATE).map(|n| mode.step(f32::from(n == 0))).collect();
        let peak = |from: usize| {
            let part = &tone[from..from + 100];
            part.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()))
        };
        assert!((peak(0) - 1.0).abs() < 0.02, "{}", peak(0));
        assert!((peak(samples(0.5)) - 1e-3).abs() < 1e-4);
        let rising = tone[..samples(0.25)]
            .windows(2)
            .filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0)
            .count();
        assert!((248..=251).contains(&rising), "{rising}");
    }

    #[test]
    fn soft_blows_are_duller() {
        let brightness = |touch: f32| {
            let blow = Blow {
                material: WOOD,
                hertz: 200.0,
                ring: 0.1,
                touch,
            };
            let clip = blow.strike(&mut Noise::new(1));
            let steps = clip.as_slice().windows(2);
            steps.map(|pair| (pair[1] - pair[0]).abs()).sum::<f32>()
                / clip.as_slice().iter().map(|x| x.abs()).sum::<f32>()
        };
        assert!(brightness(0.004) < 0.6 * brightness(0.0003));
    }
}
