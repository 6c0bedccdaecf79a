//! Turning points: bells and strings.
//!
//! The strings are tuned in D. A new perk climbs in fifths, victory ends on the major chord, and
//! death has only its bell.

use crate::sound::{
    clip::Clip,
    contour::Contour,
    filter::Svf,
    modes::{BRONZE, Blow, GLASS},
    noise::Noise,
    pluck::pluck,
    texture::rush,
    wave::{Oscillator, glide},
};

fn bell(hertz: f32, ring: f32, touch: f32, noise: &mut Noise) -> Clip {
    let bell = Blow {
        material: BRONZE,
        hertz,
        ring,
        touch,
    };
    bell.strike(noise)
}

/// The alarm bell of the keep, rung in haste.
pub fn alarm(noise: &mut Noise) -> Clip {
    let stroke = bell(523.25, 2.2, 0.0004, noise);
    let back = bell(518.0, 1.5, 0.0007, noise);
    let mut clip = Clip::silent(4.4);
    for number in 0..4 {
        let at = 0.62 * number as f32;
        clip = clip.with(at, 1.0, &stroke).with(at + 0.31, 0.55, &back);
    }
    clip
}

/// Rising strings.
pub fn perk_learnt(noise: &mut Noise) -> Clip {
    let mut clip = Clip::silent(2.5);
    let notes = [146.83, 220.0, 293.66, 440.0, 587.33];
    for (number, hertz) in notes.into_iter().enumerate() {
        let string = pluck(noise, hertz, 2.6, 2600.0);
        clip = clip.with(0.13 * number as f32, 0.7, &string);
    }
    clip
}

/// A deep bell, and fire that flares up.
pub fn ember_taken(noise: &mut Noise) -> Clip {
    let roar = Contour(&[(0.0, 90.0), (1.2, 420.0), (2.2, 900.0), (4.5, 200.0)]);
    let wakes = Contour(&[(0.0, 0.0), (0.6, 0.3), (1.9, 1.0), (2.6, 0.5), (4.6, 0.0)]);
    let rises = Contour(&[(0.0, 73.4), (1.9, 146.8), (4.5, 146.8)]);
    let tone = Contour(&[(0.0, 0.0), (1.9, 1.0), (4.5, 0.0)]);
    let glint = |hertz, noise: &mut Noise| {
        let blow = Blow {
            material: GLASS,
            hertz,
            ring: 1.6,
            touch: 0.0004,
        };
        blow.strike(noise)
    };
    Clip::silent(4.8)
        .with(0.0, 1.0, &bell(146.83, 4.2, 0.0022, noise))
        .with(0.0, 0.42, &rush(noise, 4.6, roar, 0.6, wakes))
        .with(0.0, 0.3, &glide(4.5, rises, tone))
        .with(1.9, 0.6, &bell(293.66, 2.8, 0.0015, noise))
        .with(2.0, 0.14, &glint(1174.66, noise))
        .with(2.25, 0.12, &glint(1760.0, noise))
        .with(2.55, 0.1, &glint(2349.32, noise))
}

/// A low bell, with a sinking tone underneath.
pub fn death(noise: &mut Noise) -> Clip {
    let sinks = Contour(&[(0.0, 110.0), (1.0, 104.0), (4.5, 55.0)]);
    let fades = Contour(&[(0.0, 0.0), (0.3, 1.0), (1.5, 0.7), (4.6, 0.0)]);
    let mut pair = [Oscillator::default(); 2];
    let mut dull = Svf::new(420.0, 0.8);
    let sinking = Clip::render(4.6, |time| {
        let hertz = sinks.at(time);
        let [first, second] = &mut pair;
        dull.step(first.saw(hertz) + second.saw(1.061 * hertz)).low
    });
    let sinking = sinking.under(fades).peaked();
    Clip::silent(4.8)
        .with(0.0, 1.0, &bell(110.0, 4.2, 0.0025, noise))
        .with(0.05, 0.5, &bell(116.5, 2.6, 0.004, noise))
        .with(0.0, 0.4, &sinking)
}

/// Strings: four chords, ending on the major.
pub fn victory(noise: &mut Noise) -> Clip {
    const D: [f32; 5] = [146.83, 220.0, 293.66, 369.99, 440.0];
    const G: [f32; 5] = [98.0, 196.0, 246.94, 293.66, 392.0];
    const A: [f32; 5] = [110.0, 164.81, 220.0, 277.18, 329.63];
    const END: [f32; 5] = [73.42, 146.83, 220.0, 369.99, 587.33];
    let mut clip = Clip::silent(5.8);
    for (at, chord, spread) in [
        (0.0, D, 0.07),
        (0.95, G, 0.06),
        (1.75, A, 0.06),
        (2.6, END, 0.11),
    ] {
        for (number, hertz) in chord.into_iter().enumerate() {
            let ring = if at > 2.0 { 3.0 } else { 1.3 };
            let string = pluck(noise, hertz, ring, 2800.0);
            clip = clip.with(at + spread * number as f32, 0.5, &string);
        }
    }
    clip.with(2.6, 0.35, &bell(293.66, 3.0, 0.002, noise))
}
