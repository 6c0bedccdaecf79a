//! Blows and falling bodies.

use crate::sound::{
    clip::Clip,
    contour::Contour,
    modes::{BODY, Blow, IRON, WOOD},
    noise::Noise,
    texture::{Puff, cloud, puff, rush},
};

/// A body that takes weight: low and soft, with a slap of cloth and leather.
pub fn thump(hertz: f32, noise: &mut Noise) -> Clip {
    let hertz = noise.about(hertz, 0.1);
    let weight = Blow {
        material: BODY,
        hertz,
        ring: 0.17,
        touch: 0.006,
    };
    let slap = Puff {
        hertz: noise.about(700.0, 0.2),
        narrow: 0.7,
        rise: 0.003,
        ring: 0.07,
    };
    Clip::silent(0.24)
        .with(0.0, 1.0, &weight.strike(noise))
        .with(0.0, 0.4, &puff(noise, slap))
}

/// A blade that hits a blade.
fn clang(noise: &mut Noise) -> Clip {
    let blow = Blow {
        material: IRON,
        hertz: noise.about(610.0, 0.25),
        ring: noise.about(0.75, 0.2),
        touch: 0.00018,
    };
    let clash = Puff {
        hertz: 5200.0,
        narrow: 0.7,
        rise: 0.001,
        ring: 0.05,
    };
    Clip::silent(0.85)
        .with(0.0, 1.0, &blow.strike(noise))
        .with(0.0, 0.5, &puff(noise, clash))
}

/// A fight: a swing, a clash of blades, and a hit.
pub fn fight(noise: &mut Noise) -> Clip {
    let swing = Contour(&[(0.0, 500.0), (0.09, 1900.0), (0.13, 1200.0)]);
    let near = Contour(&[(0.0, 0.0), (0.08, 1.0), (0.13, 0.0)]);
    let body = noise.between(0.1, 0.16);
    Clip::silent(0.9)
        .with(0.0, 0.3, &rush(noise, 0.13, swing, 1.4, near))
        .with(0.09, 0.8, &clang(noise))
        .with(body, 0.9, &thump(92.0, noise))
        .with(body + 0.1, 0.25, &clang(noise))
}

/// A falling body: knees, trunk, an arm, and things on the belt.
pub fn fall(noise: &mut Noise) -> Clip {
    let (trunk, arm) = (noise.between(0.13, 0.19), noise.between(0.31, 0.4));
    let hertz = Contour(&[(0.0, 700.0), (0.3, 1300.0)]);
    let level = Contour(&[(0.0, 0.0), (0.1, 0.7), (0.2, 1.0), (0.5, 0.0)]);
    let after = Contour(&[(0.0, 0.1), (trunk, 1.0), (0.5, 0.0)]);
    let buckle = |noise: &mut Noise| {
        let blow = Blow {
            material: IRON,
            hertz: noise.between(1400.0, 2600.0),
            ring: 0.09,
            touch: 0.0003,
        };
        blow.strike(noise)
    };
    let floor = Blow {
        material: WOOD,
        hertz: 64.0,
        ring: 0.2,
        touch: 0.006,
    };
    Clip::silent(0.85)
        .with(0.0, 0.5, &thump(118.0, noise))
        .with(trunk, 1.0, &thump(72.0, noise))
        .with(trunk, 0.5, &floor.strike(noise))
        .with(arm, 0.35, &thump(140.0, noise))
        .with(0.0, 0.25, &rush(noise, 0.5, hertz, 0.7, level))
        .with(0.05, 0.2, &cloud(noise, 0.5, 9, after, buckle))
}
