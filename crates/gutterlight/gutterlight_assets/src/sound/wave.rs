//! Tones: a sine that is the same on every machine, and oscillators.
//!
//! The sine is a polynomial in turns, so that oscillators never multiply by pi, and a million
//! samples take milliseconds. It is the Taylor series up to the ninth power over a quarter turn.
//! The error is at most 4e-6, which is 108 dB below the tone.

use super::{
    RATE,
    clip::{Clip, MOVE},
    contour::Contour,
};

/// The sine of an angle in turns. Accurate up to some thousand turns.
#[inline]
pub fn sine(turns: f32) -> f32 {
    let part = turns - (turns as i32) as f32;
    let half = if part > 0.5 {
        part - 1.0
    } else if part < -0.5 {
        part + 1.0
    } else {
        part
    };
    let quarter = if half > 0.25 {
        0.5 - half
    } else if half < -0.25 {
        -0.5 - half
    } else {
        half
    };
    let square = quarter * quarter;
    let tail = 81.605_25 + square * (-76.705_86 + square * 42.058_69);
    quarter * (6.283_185_5 + square * (-41.341_7 + square * tail))
}

/// An oscillator: a phase in turns.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oscillator {
    phase: f32,
}

impl Oscillator {
    /// Starts at a phase from 0 to 1.
    pub const fn at(phase: f32) -> Self {
        Self { phase }
    }

    /// Advances by one sample at a frequency in hertz. Returns the previous phase, from 0 to 1.
    #[inline]
    pub fn turn(&mut self, hertz: f32) -> f32 {
        let phase = self.phase;
        self.phase += hertz * (1.0 / RATE as f32);
        if self.phase >= 1.0 {
            self.phase -= 1.0;
        }
        phase
    }

    /// Returns the next sample of a sine.
    #[inline]
    pub fn sine(&mut self, hertz: f32) -> f32 {
        sine(self.turn(hertz))
    }

    /// Returns the next sample of a saw wave, which has all harmonics.
    ///
    /// Its jump is rounded over the two adjacent samples, which reduces aliasing (Välimäki,
    /// Huovilainen 2007).
    #[inline]
    pub fn saw(&mut self, hertz: f32) -> f32 {
        let step = hertz * (1.0 / RATE as f32);
        let phase = self.turn(hertz);
        let rounding = if phase < step {
            let near = phase / step - 1.0;
            -near * near
        } else if phase > 1.0 - step {
            let near = (phase - 1.0) / step + 1.0;
            near * near
        } else {
            0.0
        };
        2.0 * phase - 1.0 - rounding
    }
}

/// Renders a sine whose frequency in hertz and level follow contours.
pub fn glide(seconds: f32, hertz: Contour, level: Contour) -> Clip {
    let mut tone = Oscillator::default();
    let mut clip = Clip::silent(seconds);
    for (index, piece) in clip.as_mut_slice().chunks_mut(MOVE).enumerate() {
        let hertz = hertz.at((index * MOVE) as f32 / RATE as f32);
        piece.fill_with(|| tone.sine(hertz));
    }
    clip.under(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_matches_libm() {
        for step in -4000..4000 {
            let turns = step as f32 / 777.0;
            let exact = libm::sin(f64::from(turns) * core::f64::consts::TAU) as f32;
            assert!((sine(turns) - exact).abs() < 2e-5, "{turns}");
        }
    }

    #[test]
    fn tones_have_their_frequency() {
        let mut tone = Oscillator::default();
        let rising = (0..RATE)
            .map(|_| tone.sine(440.0))
            .collect::<Vec<_>>()
            .windows(2)
            .filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0)
            .count();
        assert!((439..=441).contains(&rising), "{rising}");
        let mut saw = Oscillator::default();
        let mean = (0..RATE).map(|_| saw.saw(441.0)).sum::<f32>() / RATE as f32;
        assert!(mean.abs() < 0.02, "{mean}");
    }
}
