//! Unsettling sounds of the dark.
//!
//! They frighten by what is missing: no clear attack that could be located, a rhythm like that of
//! something alive, long pauses, and breath. None of them is loud.

use crate::sound::{
    clip::Clip,
    contour::{Contour, smooth_step},
    filter::Svf,
    formant_synth::{AH, MM, Manner, OH, OO, Syllable, UH, speak},
    modes::{BODY, Blow, IRON, STONE, WOOD},
    noise::Noise,
    texture::{Puff, cloud, puff, rush, stick_slip},
    wave::{Oscillator, glide, sine},
};

/// The noise in the dark.
pub fn something(variation: u32, noise: &mut Noise) -> Clip {
    match variation % 3 {
        0 => dragged(noise),
        1 => knocks(noise),
        _ => whisper(noise),
    }
}

/// Something heavy that is dragged over stone, once.
fn drag(seconds: f32, noise: &mut Noise) -> Clip {
    let hertz = Contour(&[(0.0, 24.0), (0.4 * seconds, 41.0), (seconds, 17.0)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.25 * seconds, 0.8),
        (0.6 * seconds, 1.0),
        (seconds, 0.0),
    ]);
    let slips = stick_slip(noise, seconds, hertz, level);
    let mut rings = [
        Svf::new(210.0, 5.0),
        Svf::new(390.0, 6.0),
        Svf::new(820.0, 4.0),
    ];
    let mut grit = Svf::new(1500.0, 0.8);
    let drag = slips.map(|time, slip| {
        let ring: f32 = rings.iter_mut().map(|ring| ring.step(slip).band).sum();
        ring + 0.006 * level.at(time) * grit.step(noise.pink()).band
    });
    drag.peaked()
}

/// A breath that is too long, through a throat that is too large.
fn breath(seconds: f32, noise: &mut Noise) -> Clip {
    let level = Contour(&[
        (0.0, 0.0),
        (0.3 * seconds, 1.0),
        (0.55 * seconds, 0.7),
        (seconds, 0.0),
    ]);
    let mut throat = [330.0, 720.0, 1900.0].map(|hertz| Svf::new(hertz, 5.0));
    let breath = Clip::render(seconds, |time| {
        let part = time / seconds;
        // The breath catches a little, as if over something wet.
        let catches = 1.0 + 0.35 * sine(14.0 * time) * smooth_step(0.35, 0.9, part);
        let air = noise.pink() * catches;
        let [low, middle, high] = &mut throat;
        low.step(air).band + 0.7 * middle.step(air).band + 0.35 * high.step(air).band
    });
    breath.under(level).peaked()
}

/// The layer underneath: two low tones that are slightly detuned.
fn unease(seconds: f32) -> Clip {
    let mut tones = [Oscillator::default(); 3];
    let level = Contour(&[(0.0, 0.0), (0.5 * seconds, 1.0), (seconds, 0.0)]);
    let clip = Clip::render(seconds, |_| {
        let [first, second, third] = &mut tones;
        first.sine(73.0) + second.sine(76.8) + 0.6 * third.sine(147.5)
    });
    clip.under(level).peaked()
}

/// Dragging, a pause, dragging closer, and an exhalation.
fn dragged(noise: &mut Noise) -> Clip {
    Clip::silent(3.7)
        .with(0.0, 0.3, &unease(3.6))
        .with(0.0, 0.55, &drag(0.55, noise))
        .with(1.05, 1.0, &drag(0.8, noise))
        .with(2.1, 0.5, &breath(1.5, noise))
}

/// Three irregular knocks, a chain, and a moan that may be the wind.
fn knocks(noise: &mut Noise) -> Clip {
    let mut clip = Clip::silent(3.8).with(0.3, 0.3, &unease(3.2));
    for (at, strength) in [(0.0, 0.6), (0.62, 0.75), (1.02, 1.0)] {
        let knock = Blow {
            material: WOOD,
            hertz: noise.about(96.0, 0.04),
            ring: 0.3,
            touch: 0.003,
        };
        clip = clip.with(at, strength, &knock.strike(noise));
    }
    let swings = Contour(&[(0.0, 0.2), (0.3, 1.0), (1.1, 0.0)]);
    let link = |noise: &mut Noise| {
        let blow = Blow {
            material: IRON,
            hertz: noise.between(1200.0, 2400.0),
            ring: 0.16,
            touch: 0.0004,
        };
        blow.strike(noise)
    };
    clip.with(1.35, 0.2, &cloud(noise, 1.2, 14, swings, link))
        .with(1.9, 0.32, &moan(noise))
}

/// A low moan with a bending pitch.
fn moan(noise: &mut Noise) -> Clip {
    let manner = Manner {
        tense: 0.05,
        breath: 1.6,
        shaky: 0.02,
    };
    let syllable = |at, length, pitch, vowel| Syllable {
        at,
        length,
        pitch,
        vowel,
        loud: 1.0,
        hiss: 0.0,
    };
    let moan = [
        syllable(0.0, 0.75, (68.0, 81.0), (MM, OO)),
        syllable(0.68, 1.1, (81.0, 59.0), (OO, OH)),
    ];
    speak(noise, manner, &moan)
}

/// Noise shaped like words, close by, and taps like those of a fingernail.
fn whisper(noise: &mut Noise) -> Clip {
    let manner = Manner {
        tense: 0.0,
        breath: 6.0,
        shaky: 0.05,
    };
    let word = |at, length, vowel, hiss| Syllable {
        at,
        length,
        pitch: (40.0, 36.0),
        vowel,
        loud: 1.0,
        hiss,
    };
    let words = [
        word(0.0, 0.3, (OO, UH), 0.5),
        word(0.34, 0.22, (UH, AH), 0.3),
        word(0.85, 0.75, (OH, AH), 0.7),
    ];
    let nail = Blow {
        material: STONE,
        hertz: 1300.0,
        ring: 0.05,
        touch: 0.0003,
    };
    let mut clip = Clip::silent(3.2).with(0.0, 0.35, &unease(2.8)).with(
        0.5,
        0.8,
        &speak(noise, manner, &words),
    );
    for (at, strength) in [(2.25, 0.4), (2.36, 0.5), (2.47, 0.6), (2.9, 0.8)] {
        clip = clip.with(at, strength, &nail.strike(noise));
    }
    clip
}

/// The nerve is gone: an irregular heartbeat, a gasp, ringing ears.
pub fn nerve_gone(noise: &mut Noise) -> Clip {
    let beat = Blow {
        material: BODY,
        hertz: 74.0,
        ring: 0.25,
        touch: 0.007,
    };
    let mut clip = Clip::silent(2.1);
    for (at, strength) in [
        (0.0, 1.0),
        (0.16, 0.7),
        (0.42, 0.9),
        (0.95, 1.0),
        (1.12, 0.7),
    ] {
        clip = clip.with(at, 1.6 * strength, &beat.strike(noise));
    }
    let drawn = Contour(&[(0.0, 700.0), (0.3, 1900.0)]);
    let in_breath = Contour(&[(0.0, 0.0), (0.22, 1.0), (0.34, 0.0)]);
    let ringing = Contour(&[(0.0, 0.0), (0.5, 1.0), (1.9, 0.0)]);
    let ear = Contour(&[(0.0, 3400.0)]);
    let shiver = Puff {
        hertz: 420.0,
        narrow: 2.5,
        rise: 0.15,
        ring: 0.7,
    };
    clip.with(0.1, 0.5, &rush(noise, 0.36, drawn, 1.2, in_breath))
        .with(0.1, 0.045, &glide(1.9, ear, ringing))
        .with(0.9, 0.3, &puff(noise, shiver))
}
