//! A clip: a mono sound during synthesis, and the processing that makes it ready for playback.
//!
//! Strength is measured with a simple model of hearing. A high-pass comes first, because small
//! loudspeakers have no bass and ears are less sensitive to it. The window is 50 ms, because
//! shorter sounds seem softer than they are. The strength of a clip is that of its loudest 50 ms.

use super::{
    RATE,
    contour::{Contour, smooth_step},
    filter::OnePole,
};

/// The integration time of the ear, in seconds.
const GLANCE: f32 = 0.05;

/// The number of steps of the sliding window per window length.
const HOPS: usize = 20;

/// The cutoff of the high-pass, in hertz.
const EAR: f32 = 250.0;

/// The level above which a finished clip is softly limited to 1.
const KNEE: f32 = 0.7;

/// The number of samples between updates of slowly changing values such as levels and filter
/// frequencies: 0.7 ms.
pub const MOVE: usize = 32;

/// Mono samples at [`RATE`].
#[derive(Debug, Clone, Default)]
pub struct Clip(Vec<f32>);

/// Converts seconds to a number of samples.
pub fn samples(seconds: f32) -> usize {
    (seconds.max(0.0) * RATE as f32) as usize
}

impl Clip {
    /// A silent clip of some seconds.
    pub fn silent(seconds: f32) -> Self {
        Self(vec![0.0; samples(seconds)])
    }

    /// Renders a clip. `sample` returns the sample at a time in seconds.
    pub fn render(seconds: f32, mut sample: impl FnMut(f32) -> f32) -> Self {
        let time = |index| index as f32 * (1.0 / RATE as f32);
        Self(
            (0..samples(seconds))
                .map(|index| sample(time(index)))
                .collect(),
        )
    }

    /// The samples.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// The samples, mutable.
    pub fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.0
    }

    /// Adds another clip at a time in seconds. The part beyond the end is cut off.
    pub fn with(mut self, at: f32, gain: f32, other: &Self) -> Self {
        self.add(at, gain, &other.0);
        self
    }

    /// Adds samples at a time in seconds. The part beyond the end is cut off.
    pub fn add(&mut self, at: f32, gain: f32, other: &[f32]) {
        let from = samples(at).min(self.0.len());
        for (sample, more) in self.0[from..].iter_mut().zip(other) {
            *sample += gain * more;
        }
    }

    /// Maps each sample with its time in seconds.
    pub fn map(mut self, mut change: impl FnMut(f32, f32) -> f32) -> Self {
        for (index, sample) in self.0.iter_mut().enumerate() {
            *sample = change(index as f32 * (1.0 / RATE as f32), *sample);
        }
        self
    }

    /// Multiplies the clip with a contour, which is interpolated linearly over [`MOVE`] samples.
    pub fn under(mut self, level: Contour) -> Self {
        let step = MOVE as f32 / RATE as f32;
        for (index, piece) in self.0.chunks_mut(MOVE).enumerate() {
            let time = index as f32 * step;
            let (from, to) = (level.at(time), level.at(time + step));
            let slope = (to - from) / MOVE as f32;
            for (number, sample) in piece.iter_mut().enumerate() {
                *sample *= from + slope * number as f32;
            }
        }
        self
    }

    /// The largest absolute sample.
    pub fn peak(&self) -> f32 {
        self.0
            .iter()
            .fold(0.0, |peak, sample| sample.abs().max(peak))
    }

    /// Scales the clip to a peak of 1.
    pub fn peaked(self) -> Self {
        let gain = 1.0 / self.peak().max(1e-9);
        self.map(|_, sample| gain * sample)
    }

    /// Makes the clip ready for playback. `loudness` is in decibels relative to full scale. The
    /// result has at most `longest` seconds, no inaudible end, and no clicks.
    pub fn finish(mut self, loudness: f32, longest: f32) -> Vec<f32> {
        let mut depths = OnePole::new(25.0);
        self = self.map(|_, sample| depths.high(sample));
        self.0.truncate(samples(longest));
        let gain = gain(loudness) / strength(&self.0).max(1e-9);
        self = self.map(|_, sample| soften(gain * sample));
        self.trim();
        self.fade();
        self.0
    }

    /// Removes the end below -66 decibels relative to the peak.
    fn trim(&mut self) {
        let floor = self.peak() / 2000.0;
        let last = self.0.iter().rposition(|sample| sample.abs() > floor);
        self.0.truncate(last.map_or(0, |last| last + 1));
    }

    /// Fades in over a millisecond, and out over up to 20 ms.
    fn fade(&mut self) {
        let (rise, fall) = (samples(0.001), (self.0.len() / 8).min(samples(0.02)));
        for (index, sample) in self.0.iter_mut().take(rise).enumerate() {
            *sample *= smooth_step(0.0, rise as f32, index as f32);
        }
        for (index, sample) in self.0.iter_mut().rev().take(fall).enumerate() {
            *sample *= smooth_step(0.0, fall as f32, index as f32);
        }
    }
}

/// Converts decibels to a factor.
pub fn gain(decibels: f32) -> f32 {
    libm::exp2f(decibels / 6.020_6)
}

/// Softly limits a sample, so that it stays below 1.
pub fn soften(sample: f32) -> f32 {
    let over = sample.abs() - KNEE;
    if over <= 0.0 {
        return sample;
    }
    let room = 1.0 - KNEE;
    (KNEE + room * over / (over + room)).copysign(sample)
}

/// The perceived strength of the loudest 50 ms. A full-scale square wave has 1.
pub fn strength(samples: &[f32]) -> f32 {
    let mut ear = OnePole::new(EAR);
    let hop = (GLANCE * RATE as f32) as usize / HOPS;
    let power = |part: &[f32]| {
        let heard = part.iter().map(|&sample| ear.high(sample));
        heard.map(|sample| sample * sample).sum::<f32>()
    };
    let mut powers: Vec<f32> = samples.chunks(hop).map(power).collect();
    powers.resize(powers.len().max(HOPS), 0.0);
    let sums = powers.windows(HOPS).map(|part| part.iter().sum::<f32>());
    libm::sqrtf(sums.fold(0.0, f32::max) / (hop * HOPS) as f32)
}

#[cfg(test)]
mod tests {
    use super::super::wave::Oscillator;
    use super::*;

    #[test]
    fn finish_sets_loudness() {
        let mut tone = Oscillator::default();
        let clip = Clip::render(1.0, |_| tone.sine(2000.0));
        let finished = clip.finish(-20.0, 0.5);
        assert!((strength(&finished) - 0.1).abs() < 0.005);
        assert!(finished.len() <= samples(0.5));
        assert_eq!(finished.first(), Some(&0.0));
        assert_eq!(finished.last(), Some(&0.0));
    }

    #[test]
    fn low_frequencies_count_less() {
        let mut tones = [Oscillator::default(); 2];
        let low = Clip::render(0.2, |_| tones[0].sine(50.0));
        let high = Clip::render(0.2, |_| tones[1].sine(2000.0));
        assert!(strength(low.as_slice()) < 0.3 * strength(high.as_slice()));
    }

    #[test]
    fn soften_is_monotonic_and_below_one() {
        let mut last = 0.0;
        for step in 1..=1000 {
            let soft = soften(step as f32 / 100.0);
            assert!(soft > last && soft < 1.0, "{step}: {soft}");
            assert_eq!(soften(-step as f32 / 100.0), -soft);
            last = soft;
        }
    }

    #[test]
    fn with_cuts_off_at_the_end() {
        let long = Clip::render(1.0, |_| 1.0);
        let clip = Clip::silent(0.1)
            .with(0.05, 0.5, &long)
            .with(3.0, 1.0, &long);
        assert_eq!(clip.as_slice().len(), samples(0.1));
        assert_eq!((clip.as_slice()[0], clip.peak()), (0.0, 0.5));
    }
}
