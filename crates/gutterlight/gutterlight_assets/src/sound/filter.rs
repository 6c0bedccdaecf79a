//! Filters.
//!
//! - [`Svf`] is a state-variable filter with low-pass and band-pass outputs, 12 decibels per
//!   octave. It is the trapezoidal form (Zavalishin, The Art of VA Filter Design, 2012), which can
//!   be retuned while it runs without clicks.
//! - [`OnePole`] has 6 decibels per octave. It is cheap, and sufficient for distance and damping.

use super::RATE;

/// Clamps a frequency in hertz to the range of the filters.
fn tunable(hertz: f32) -> f32 {
    hertz.clamp(5.0, 0.45 * RATE as f32)
}

/// A state-variable filter.
#[derive(Debug, Clone, Copy)]
pub struct Svf {
    damping: f32,
    a1: f32,
    a2: f32,
    a3: f32,
    first: f32,
    second: f32,
}

/// The outputs of a [`Svf`].
#[derive(Debug, Clone, Copy)]
pub struct Bands {
    /// The low-pass output.
    pub low: f32,
    /// The band-pass output, with unit gain at the center frequency.
    pub band: f32,
}

impl Svf {
    /// Creates a filter with a frequency in hertz and a Q factor (`sharpness`): 0.7 is flat, 10
    /// rings.
    pub fn new(hertz: f32, sharpness: f32) -> Self {
        let mut filter = Self {
            damping: 1.0,
            a1: 0.0,
            a2: 0.0,
            a3: 0.0,
            first: 0.0,
            second: 0.0,
        };
        filter.tune(hertz, sharpness);
        filter
    }

    /// Changes the frequency and the Q factor.
    pub fn tune(&mut self, hertz: f32, sharpness: f32) {
        let warped = libm::tanf(core::f32::consts::PI * tunable(hertz) / RATE as f32);
        self.damping = 1.0 / sharpness;
        self.a1 = 1.0 / (1.0 + warped * (warped + self.damping));
        self.a2 = warped * self.a1;
        self.a3 = warped * self.a2;
    }

    /// Processes a sample.
    #[inline]
    pub fn step(&mut self, sample: f32) -> Bands {
        let rest = sample - self.second;
        let band = self.a1 * self.first + self.a2 * rest;
        let low = self.second + self.a2 * self.first + self.a3 * rest;
        self.first = 2.0 * band - self.first;
        self.second = 2.0 * low - self.second;
        Bands {
            low,
            band: band * self.damping,
        }
    }

    /// Clears inaudibly small state, because denormal numbers slow down a CPU.
    pub fn settle(&mut self) {
        if self.first.abs() + self.second.abs() < 1e-12 {
            (self.first, self.second) = (0.0, 0.0);
        }
    }
}

/// A one-pole filter.
#[derive(Debug, Clone, Copy)]
pub struct OnePole {
    part: f32,
    held: f32,
}

impl OnePole {
    /// Creates a filter with a cutoff in hertz.
    pub fn new(hertz: f32) -> Self {
        let mut filter = Self {
            part: 1.0,
            held: 0.0,
        };
        filter.tune(hertz);
        filter
    }

    /// Changes the cutoff.
    pub fn tune(&mut self, hertz: f32) {
        self.part = 1.0 - libm::expf(-core::f32::consts::TAU * tunable(hertz) / RATE as f32);
    }

    /// Returns the low-pass output.
    #[inline]
    pub fn low(&mut self, sample: f32) -> f32 {
        self.held += self.part * (sample - self.held);
        self.held
    }

    /// Returns the high-pass output.
    #[inline]
    pub fn high(&mut self, sample: f32) -> f32 {
        sample - self.low(sample)
    }

    /// See [`Svf::settle`].
    pub fn settle(&mut self) {
        if self.held.abs() < 1e-12 {
            self.held = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::wave::Oscillator;
    use super::*;

    /// The amplitude of a tone behind a filter, after it has settled.
    fn passed(hertz: f32, mut filter: impl FnMut(f32) -> f32) -> f32 {
        let mut tone = Oscillator::default();
        let mut strongest = 0.0_f32;
        for index in 0..RATE {
            let sample = filter(tone.sine(hertz));
            if index > RATE / 2 {
                strongest = strongest.max(sample.abs());
            }
        }
        strongest
    }

    #[test]
    fn outputs_pass_their_band() {
        for (hertz, expected) in [(100.0, [1.0, 0.0]), (10_000.0, [0.0, 0.0])] {
            let mut filters = [Svf::new(1000.0, 0.7), Svf::new(1000.0, 4.0)];
            let got = [
                passed(hertz, |sample| filters[0].step(sample).low),
                passed(hertz, |sample| filters[1].step(sample).band),
            ];
            for (got, wanted) in got.into_iter().zip(expected) {
                assert!((got - wanted).abs() < 0.1, "{hertz}: {got} for {wanted}");
            }
        }
        let mut filter = Svf::new(1000.0, 4.0);
        let at_its_pitch = passed(1000.0, |x| filter.step(x).band);
        assert!((at_its_pitch - 1.0).abs() < 0.02, "{at_its_pitch}");
    }

    #[test]
    fn one_pole_halves_power_at_cutoff() {
        let mut filter = OnePole::new(1000.0);
        let passed = passed(1000.0, |x| filter.low(x));
        assert!((0.65..0.75).contains(&passed), "{passed}");
    }
}
