//! Textures: puffs, rushes and clouds of small events, from noise.
//!
//! - A [`puff`] is noise at one pitch that swells and dies: a scuff, a spark, breath.
//! - A [`rush`] is noise whose pitch and strength follow contours: cloth, fire, steam, what
//!   flies past.
//! - A [`cloud`] is many small things that happen one by one: gravel, shards, drops. The ear
//!   takes the single ones for the material and their number for the size.
//! - A [`bubble`] is air in water: a tone that rises as it comes up (Minnaert 1933; van den
//!   Doel, Physically based models for liquid sounds, 2005).

use super::{
    RATE,
    clip::{Clip, MOVE, samples},
    contour::{Contour, Decay, smooth_step},
    filter::Svf,
    noise::Noise,
    wave::Oscillator,
};

/// Noise at one pitch that swells and dies.
#[derive(Debug, Clone, Copy)]
pub struct Puff {
    /// Its pitch, in hertz.
    pub hertz: f32,
    /// How narrow it is: 0.7 is broad, 5 nearly a tone.
    pub narrow: f32,
    /// In how many seconds it swells.
    pub rise: f32,
    /// In how many seconds it falls by 60 decibels.
    pub ring: f32,
}

/// The sound of a [`Puff`], with a peak of 1.
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

/// Noise whose pitch in hertz and whose strength follow contours.
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

/// So many small things in so many seconds, with a peak of 1. `density` says how likely each
/// moment is, from 0 to 1. `thing` makes one; most are weak and few are strong.
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

/// A moment: thrown until one is kept.
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

/// A bubble that begins at a pitch in hertz and bursts after some ten of its waves.
pub fn bubble(hertz: f32, rise: f32) -> Clip {
    let ring = 22.0 / hertz + 0.012;
    let mut tone = Oscillator::default();
    let mut fall = Decay::new(1.3 * ring);
    Clip::render(ring, |time| {
        let hertz = hertz * (1.0 + rise * time / ring);
        fall.step() * tone.sine(hertz.min(0.4 * RATE as f32))
    })
}

/// A scrape: something sticks, slips and sticks again, so many times a second, never quite
/// evenly. Given are the pushes alone; what is scraped has to ring with them.
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
    fn a_cloud_is_where_it_is_dense() {
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
    fn a_rush_follows_its_level() {
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
