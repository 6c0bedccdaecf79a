//! A piece of sound while it is made, and what makes it fit to be played.
//!
//! Loudness is measured as a simple ear would: behind a high-pass, because a small loudspeaker
//! has no depths and ears care little for them, and over 50 ms, because shorter sounds
//! seem softer than they are strong. A clip is as loud as its loudest 50 ms.

use super::{
    RATE,
    contour::{Contour, smooth_step},
    filter::OnePole,
};

/// What the ear takes together, in seconds.
const GLANCE: f32 = 0.05;

/// It is looked for in so many steps of its own length.
const HOPS: usize = 20;

/// Below this pitch the ear counts less, in hertz.
const EAR: f32 = 250.0;

/// Above this a finished clip is bent softly towards 1.
const KNEE: f32 = 0.7;

/// What changes slowly, such as a level or the tuning of a filter, is looked up once in so many
/// samples: 0.7 ms.
pub const MOVE: usize = 32;

/// Samples of one channel, [`RATE`] in a second.
#[derive(Debug, Clone, Default)]
pub struct Clip(Vec<f32>);

/// How many samples so many seconds are.
pub fn samples(seconds: f32) -> usize {
    (seconds.max(0.0) * RATE as f32) as usize
}

impl Clip {
    /// So many seconds of nothing.
    pub fn silent(seconds: f32) -> Self {
        Self(vec![0.0; samples(seconds)])
    }

    /// So many seconds of what `sample` gives for each time.
    pub fn render(seconds: f32, mut sample: impl FnMut(f32) -> f32) -> Self {
        let time = |index| index as f32 * (1.0 / RATE as f32);
        Self(
            (0..samples(seconds))
                .map(|index| sample(time(index)))
                .collect(),
        )
    }

    /// Its samples.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// Its samples, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.0
    }

    /// With another one laid over it from a second on; what does not fit is cut off.
    pub fn with(mut self, at: f32, gain: f32, other: &Self) -> Self {
        self.add(at, gain, &other.0);
        self
    }

    /// Lays samples over it from a second on; what does not fit is cut off.
    pub fn add(&mut self, at: f32, gain: f32, other: &[f32]) {
        let from = samples(at).min(self.0.len());
        for (sample, more) in self.0[from..].iter_mut().zip(other) {
            *sample += gain * more;
        }
    }

    /// With each sample changed by its time.
    pub fn map(mut self, mut change: impl FnMut(f32, f32) -> f32) -> Self {
        for (index, sample) in self.0.iter_mut().enumerate() {
            *sample = change(index as f32 * (1.0 / RATE as f32), *sample);
        }
        self
    }

    /// With each sample as strong as a contour says; in straight lines of [`MOVE`] samples.
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

    /// Its greatest sample, whatever its sign.
    pub fn peak(&self) -> f32 {
        self.0
            .iter()
            .fold(0.0, |peak, sample| sample.abs().max(peak))
    }

    /// With its greatest sample at 1.
    pub fn peaked(self) -> Self {
        let gain = 1.0 / self.peak().max(1e-9);
        self.map(|_, sample| gain * sample)
    }

    /// Ready to be played: as loud as wanted, in decibels below the loudest there can be,
    /// at most so many seconds long, without what nobody hears at its end, and without clicks.
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

    /// Cuts off its end where it is 66 decibels below its peak.
    fn trim(&mut self) {
        let floor = self.peak() / 2000.0;
        let last = self.0.iter().rposition(|sample| sample.abs() > floor);
        self.0.truncate(last.map_or(0, |last| last + 1));
    }

    /// Lets it begin and end at nothing: a millisecond in, up to 20 out.
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

/// So many decibels as a factor.
pub fn gain(decibels: f32) -> f32 {
    libm::exp2f(decibels / 6.020_6)
}

/// A sample that is bent softly so as to stay below 1.
pub fn soften(sample: f32) -> f32 {
    let over = sample.abs() - KNEE;
    if over <= 0.0 {
        return sample;
    }
    let room = 1.0 - KNEE;
    (KNEE + room * over / (over + room)).copysign(sample)
}

/// How strong the loudest 50 ms are for the ear: 1 would be a full square wave.
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
    fn a_finished_clip_is_as_loud_as_wanted() {
        let mut tone = Oscillator::default();
        let clip = Clip::render(1.0, |_| tone.sine(2000.0));
        let finished = clip.finish(-20.0, 0.5);
        assert!((strength(&finished) - 0.1).abs() < 0.005);
        assert!(finished.len() <= samples(0.5));
        assert_eq!(finished.first(), Some(&0.0));
        assert_eq!(finished.last(), Some(&0.0));
    }

    #[test]
    fn depths_count_less() {
        let mut tones = [Oscillator::default(); 2];
        let low = Clip::render(0.2, |_| tones[0].sine(50.0));
        let high = Clip::render(0.2, |_| tones[1].sine(2000.0));
        assert!(strength(low.as_slice()) < 0.3 * strength(high.as_slice()));
    }

    #[test]
    fn softening_keeps_order_and_stays_below_one() {
        let mut last = 0.0;
        for step in 1..=1000 {
            let soft = soften(step as f32 / 100.0);
            assert!(soft > last && soft < 1.0, "{step}: {soft}");
            assert_eq!(soften(-step as f32 / 100.0), -soft);
            last = soft;
        }
    }

    #[test]
    fn what_does_not_fit_is_cut_off() {
        let long = Clip::render(1.0, |_| 1.0);
        let clip = Clip::silent(0.1)
            .with(0.05, 0.5, &long)
            .with(3.0, 1.0, &long);
        assert_eq!(clip.as_slice().len(), samples(0.1));
        assert_eq!((clip.as_slice()[0], clip.peak()), (0.0, 0.5));
    }
}
