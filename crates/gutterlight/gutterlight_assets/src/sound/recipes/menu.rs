//! Menu sounds: wood and strings, unobtrusive.

use crate::sound::{
    clip::Clip,
    modes::{Blow, WOOD},
    noise::Noise,
    pluck::pluck,
};

fn knock(hertz: f32, ring: f32, touch: f32, noise: &mut Noise) -> Clip {
    let blow = Blow {
        material: WOOD,
        hertz,
        ring,
        touch,
    };
    blow.strike(noise)
}

/// The selection moves.
pub fn tick(noise: &mut Noise) -> Clip {
    knock(980.0, 0.05, 0.0006, noise)
}

/// An entry is chosen.
pub fn choose(noise: &mut Noise) -> Clip {
    Clip::silent(0.85)
        .with(0.0, 0.35, &knock(490.0, 0.07, 0.001, noise))
        .with(0.0, 0.7, &pluck(noise, 293.66, 0.8, 1800.0))
        .with(0.05, 0.6, &pluck(noise, 440.0, 0.8, 1800.0))
}

/// A menu closes.
pub fn back(noise: &mut Noise) -> Clip {
    Clip::silent(0.85)
        .with(0.0, 0.3, &knock(390.0, 0.07, 0.0012, noise))
        .with(0.0, 0.7, &pluck(noise, 293.66, 0.6, 1500.0))
        .with(0.05, 0.6, &pluck(noise, 220.0, 0.8, 1500.0))
}

/// Something is not possible.
pub fn refuse(noise: &mut Noise) -> Clip {
    Clip::silent(0.36)
        .with(0.0, 1.0, &knock(196.0, 0.12, 0.002, noise))
        .with(0.11, 0.8, &knock(165.0, 0.14, 0.002, noise))
}
