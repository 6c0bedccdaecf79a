//! Textures from noise: puffs, rushes, clouds and bubbles.
//!
//! - A [`puff`] is band-passed noise that swells and decays: a scuff, a spark, a breath.
//! - A [`rush`] is noise whose frequency and level follow contours: cloth, fire, steam, something
//!   flying past.
//! - A [`cloud`] is many small events: gravel, shards, drops. The ear hears the material in the
//!   single events, and the size in their number.
//! - A [`bubble`] is air in water: a tone with a rising pitch (Minnaert 1933; van den Doel,
//!   Physically based models for liquid sounds, 2005).

use super::{
    RATE,
    clip::{Clip, MOVE, samples},
    contour::{Contour, Decay, smooth_step},
    filter::Svf,
    noise::Noise,
    wave::Oscillator,
};

/// Band-passed noise that swells and decays.
#[derive(Debug, Clone, Copy)]
pub struct Puff {
    /// The center frequency in hertz.
    pub hertz: f32,
    /// The Q factor: 0.7 is broad, 5 is almost a tone.
    pub narrow: f32,
    /// The attack time in seconds.
    pub rise: f32,
    /// The time of a decay by 60 decibels, in seconds.
    pub ring: f32,
}

/// Renders a [`Puff`] with a peak of 1.
pub fn puff(noise: &mut Noise, puff: Puff) -> Clip {
    let mut filter = Svf::new(puff.hertz, puff.narrow);
    let mut fall = Decay::new(puff.ring);
    let clip = Clip::render(puff.rise + puff.ring, |time| {
        let level = if time < puff.rise {
            smooth_step(0.0, puff.rise, time)
        } else {
            fall.step()
        };
        level * filter.step(noise.white()).band
    });
    clip.peaked()
}

/// Renders noise whose center frequency in hertz and level follow contours, with a peak of 1.
pub fn rush(noise: &mut Noise, seconds: f32, hertz: Contour, narrow: f32, level: Contour) -> Clip {
    let mut filter = Svf::new(hertz.at(0.0), narrow);
    let mut clip = Clip::silent(seconds);
    for (index, piece) in clip.as_mut_slice().chunks_mut(MOVE).enumerate() {
        let time = (index * MOVE) as f32 / RATE as f32;
        filter.tune(hertz.at(time), narrow);
        for sample in piece {
            *sample = filter.step(noise.pink()).band;
        }
    }
    clip.under(level).peaked()
}

/// Renders `count` small events within some seconds, with a peak of 1. `density` is the relative
/// probability of each moment, from 0 to 1. `thing` renders one event. Most events are weak, and
/// few are strong.
pub fn cloud(
    noise: &mut Noise,
    seconds: f32,
    count: u32,
    density: Contour,
    mut thing: impl FnMut(&mut Noise) -> Clip,
) -> Clip {
    let mut clip = Clip::silent(seconds);
    for _ in 0..count {
        let at = moment(noise, seconds, density);
        let strength = noise.unit();
        let one = thing(noise);
        clip.add(at, 0.05 + strength * strength * strength, one.as_slice());
    }
    clip.peaked()
}

/// Draws a random moment by rejection sampling.
fn moment(noise: &mut Noise, seconds: f32, density: Contour) -> f32 {
    let mut at = 0.0;
    for _ in 0..16 {
        at = noise.between(0.0, seconds);
        if noise.unit() < density.at(at) {
            break;
        }
    }
    at
}

/// Renders a bubble with an initial frequency in hertz. It bursts after about 22 waves. `rise` is
/// the relative increase of the frequency until then.
pub fn bubble(hertz: f32, rise: f32) -> Clip {
    let ring = 22.0 / hertz + 0.012;
    let mut tone = Oscillator::default();
    let mut fall = Decay::new(1.3 * ring);
    Clip::render(ring, |time| {
        let hertz = hertz * (1.0 + rise * time / ring);
        fall.step() * tone.sine(hertz.min(0.4 * RATE as f32))
    })
}

/// A scrape: something sticks and slips, `hertz` times per second and slightly irregularly. Renders
/// only the impulses. The caller adds the resonance.
pub fn stick_slip(noise: &mut Noise, seconds: f32, hertz: Contour, level: Contour) -> Clip {
    let mut clip = Clip::silent(seconds);
    let mut at = 0.0;
    while at < seconds {
        let index = samples(at);
        if let Some(sample) = clip.as_mut_slice().get_mut(index) {
            *sample += noise.about(level.at(at), 0.4);
        }
        at += noise.about(1.0 / hertz.at(at).max(1.0), 0.22);
    }
    clip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloud_follows_its_density() {
        let mut noise = Noise::new(1);
        let density = Contour(&[(0.0, 0.0), (0.5, 0.0), (0.5001, 1.0)]);
        let clip = cloud(&mut noise, 1.0, 200, density, |_| {
            Clip::render(0.001, |_| 1.0)
        });
        let (before, after) = clip.as_slice().split_at(samples(0.5));
        let power = |part: &[f32]| part.iter().map(|x| x * x).sum::<f32>();
        assert!(power(after) > 100.0 * power(before));
    }

    #[test]
    fn rush_follows_its_level() {
        let level = Contour(&[(0.0, 0.0), (0.2, 1.0), (0.4, 0.0)]);
        let hertz = Contour(&[(0.0, 800.0)]);
        let clip = rush(&mut Noise::new(1), 0.4, hertz, 1.0, level);
        let power = |from: f32| {
            let from = samples(from);
            clip.as_slice()[from..from + 2000]
                .iter()
                .map(|x| x * x)
                .sum::<f32>()
        };
        assert!(power(0.18) > 10.0 * power(0.0));
        assert!(power(0.18) > 10.0 * power(0.35));
    }
}
