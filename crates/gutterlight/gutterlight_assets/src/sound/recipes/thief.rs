//! Sounds of the thief.

use crate::sound::{
    clip::Clip,
    contour::Contour,
    formant_synth::{AH, Manner, Syllable, UH, speak},
    modes::{Blow, GLASS},
    noise::Noise,
    pluck::pluck,
    texture::{Puff, puff, rush},
    wave::glide,
};

use super::blows::thump;

/// A hit and a gasp.
pub fn hurt(noise: &mut Noise) -> Clip {
    let manner = Manner {
        tense: 0.7,
        breath: 0.9,
        shaky: 0.03,
    };
    let high = noise.between(165.0, 200.0);
    let gasp = Syllable {
        at: 0.0,
        length: noise.between(0.22, 0.3),
        pitch: (high, 0.62 * high),
        vowel: (UH, AH),
        loud: 1.0,
        hiss: 0.3,
    };
    let breath = Puff {
        hertz: 1300.0,
        narrow: 1.2,
        rise: 0.05,
        ring: 0.25,
    };
    Clip::silent(0.75)
        .with(0.0, 0.9, &thump(105.0, noise))
        .with(0.04, 0.8, &speak(noise, manner, &[gasp]))
        .with(0.34, 0.2, &puff(noise, breath))
}

/// A breath out, and three soft strings.
pub fn heal(noise: &mut Noise) -> Clip {
    let mouth = Contour(&[(0.0, 1500.0), (0.7, 700.0)]);
    let level = Contour(&[(0.0, 0.0), (0.15, 1.0), (0.75, 0.0)]);
    Clip::silent(1.9)
        .with(0.0, 0.3, &rush(noise, 0.75, mouth, 1.4, level))
        .with(0.1, 0.6, &pluck(noise, 293.66, 1.5, 900.0))
        .with(0.26, 0.6, &pluck(noise, 369.99, 1.5, 900.0))
        .with(0.44, 0.7, &pluck(noise, 440.0, 1.4, 900.0))
}

/// Cloth wound around the Ember, whose hum is muffled.
pub fn wrap(noise: &mut Noise) -> Clip {
    let turns = Contour(&[
        (0.0, 0.0),
        (0.1, 1.0),
        (0.25, 0.2),
        (0.4, 0.9),
        (0.55, 0.2),
        (0.7, 0.7),
        (1.0, 0.0),
    ]);
    let cloth = Contour(&[
        (0.0, 1100.0),
        (0.1, 2600.0),
        (0.25, 1300.0),
        (0.4, 2500.0),
        (0.55, 1200.0),
        (0.7, 2200.0),
        (1.0, 900.0),
    ]);
    let glow = Contour(&[(0.0, 0.0), (0.1, 1.0), (0.9, 0.0)]);
    let low = Contour(&[(0.0, 220.0), (0.9, 90.0)]);
    Clip::silent(1.1)
        .with(0.0, 1.0, &rush(noise, 1.0, cloth, 0.8, turns))
        .with(0.0, 0.3, &rush(noise, 0.9, low, 0.8, glow))
}

/// Air drawn in, a moment of silence, and air pushed away.
pub fn blink(noise: &mut Noise) -> Clip {
    let towards = Contour(&[(0.0, 300.0), (0.35, 3800.0)]);
    let swells = Contour(&[(0.0, 0.0), (0.2, 0.25), (0.34, 1.0), (0.36, 0.0)]);
    let away = Contour(&[(0.0, 1800.0), (0.15, 500.0), (0.5, 250.0)]);
    let falls = Contour(&[(0.0, 0.0), (0.008, 1.0), (0.1, 0.4), (0.5, 0.0)]);
    let tone = Contour(&[(0.0, 180.0), (0.35, 1450.0)]);
    let shimmer = Blow {
        material: GLASS,
        hertz: 1480.0,
        ring: 0.6,
        touch: 0.0004,
    };
    Clip::silent(1.15)
        .with(0.0, 0.7, &rush(noise, 0.37, towards, 2.0, swells))
        .with(0.0, 0.16, &glide(0.36, tone, swells))
        .with(0.42, 1.0, &rush(noise, 0.5, away, 0.7, falls))
        .with(0.42, 0.22, &shimmer.strike(noise))
}

/// Something flies past the ear.
pub fn throw(noise: &mut Noise) -> Clip {
    let quick = noise.between(0.1, 0.14);
    let hertz = Contour(&[(0.0, 500.0), (quick, 2100.0), (0.34, 700.0)]);
    let level = Contour(&[(0.0, 0.0), (quick, 1.0), (0.18, 0.5), (0.36, 0.0)]);
    let sleeve = Contour(&[(0.0, 0.0), (0.03, 1.0), (0.12, 0.0)]);
    let cloth = Contour(&[(0.0, 900.0)]);
    Clip::silent(0.4)
        .with(0.0, 1.0, &rush(noise, 0.37, hertz, 1.6, level))
        .with(0.0, 0.35, &rush(noise, 0.13, cloth, 0.7, sleeve))
}
