//! Footsteps: heel and toe on different grounds.
//!
//! A step is two impacts 60 to 90 ms apart. The heel is harder and carries the weight, the toe
//! rolls and scuffs. The ground determines the response: stone clicks, carpet absorbs, gravel is a
//! hundred small stones, water splashes and bubbles, earth thuds. Boots are soft, since the player
//! is a thief.

use gutterlight_rules::Ground;

use crate::sound::{
    clip::Clip,
    contour::Contour,
    modes::{BODY, Blow, STONE},
    noise::Noise,
    texture::{Puff, bubble, cloud, puff, rush},
};

/// A step on a ground.
pub fn step(ground: Ground, noise: &mut Noise) -> Clip {
    let toe = noise.between(0.062, 0.088);
    match ground {
        Ground::Stone => on_stone(toe, noise),
        Ground::Carpet => on_carpet(toe, noise),
        Ground::Gravel => on_gravel(noise),
        Ground::Water => in_water(noise),
        Ground::Earth => on_earth(toe, noise),
    }
}

/// The weight of a step: a low thud.
fn thud(hertz: f32, ring: f32, touch: f32, noise: &mut Noise) -> Clip {
    let blow = Blow {
        material: BODY,
        hertz: noise.about(hertz, 0.12),
        ring,
        touch,
    };
    blow.strike(noise)
}

/// The click of leather on a flagstone.
fn click(touch: f32, noise: &mut Noise) -> Clip {
    let blow = Blow {
        material: STONE,
        hertz: noise.about(640.0, 0.18),
        ring: noise.about(0.045, 0.2),
        touch,
    };
    blow.strike(noise)
}

/// A scuff of one surface on another.
fn scuff(hertz: f32, ring: f32, noise: &mut Noise) -> Clip {
    let scuff = Puff {
        hertz: noise.about(hertz, 0.15),
        narrow: 0.9,
        rise: 0.012,
        ring,
    };
    puff(noise, scuff)
}

fn on_stone(toe: f32, noise: &mut Noise) -> Clip {
    Clip::silent(0.26)
        .with(0.0, 0.4, &thud(125.0, 0.09, 0.003, noise))
        .with(0.001, 1.0, &click(0.0005, noise))
        .with(0.001, 0.45, &scuff(2600.0, 0.03, noise))
        .with(toe, 0.18, &thud(170.0, 0.07, 0.003, noise))
        .with(toe, 0.5, &click(0.0004, noise))
        .with(toe + 0.006, 0.3, &scuff(3200.0, 0.08, noise))
}

fn on_carpet(toe: f32, noise: &mut Noise) -> Clip {
    Clip::silent(0.26)
        .with(0.0, 1.0, &thud(128.0, 0.08, 0.006, noise))
        .with(0.0, 0.2, &scuff(430.0, 0.07, noise))
        .with(toe, 0.5, &thud(150.0, 0.07, 0.006, noise))
        .with(toe, 0.16, &scuff(560.0, 0.1, noise))
        .with(toe, 0.05, &scuff(2600.0, 0.1, noise))
}

fn on_earth(toe: f32, noise: &mut Noise) -> Clip {
    let grit = |noise: &mut Noise| scuff(900.0, 0.012, noise);
    let pressed = Contour(&[
        (0.0, 1.0),
        (0.05, 0.2),
        (toe, 0.2),
        (toe + 0.02, 0.9),
        (0.26, 0.0),
    ]);
    Clip::silent(0.28)
        .with(0.0, 1.0, &thud(102.0, 0.1, 0.0045, noise))
        .with(0.0, 0.8, &scuff(480.0, 0.08, noise))
        .with(toe, 0.45, &thud(130.0, 0.08, 0.0045, noise))
        .with(toe, 0.65, &scuff(620.0, 0.11, noise))
        .with(0.0, 0.34, &cloud(noise, 0.26, 30, pressed, grit))
}

/// A small stone pressed against others.
fn small_stone(noise: &mut Noise) -> Clip {
    let hertz = noise.between(2600.0, 6500.0);
    let blow = Blow {
        material: STONE,
        hertz,
        ring: noise.between(0.006, 0.022),
        touch: noise.between(0.00008, 0.0003),
    };
    blow.strike(noise)
}

fn on_gravel(noise: &mut Noise) -> Clip {
    // The heel sinks in, the weight rolls over, the toe pushes off.
    let rolled = Contour(&[
        (0.0, 0.5),
        (0.02, 1.0),
        (0.07, 0.3),
        (0.11, 0.55),
        (0.15, 0.8),
        (0.25, 0.0),
    ]);
    let crunch = cloud(noise, 0.29, 110, rolled, small_stone);
    let crushed = Contour(&[(0.0, 2400.0), (0.25, 3200.0)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.012, 1.0),
        (0.07, 0.25),
        (0.14, 0.6),
        (0.26, 0.0),
    ]);
    Clip::silent(0.32)
        .with(0.0, 0.8, &crunch)
        .with(0.0, 0.45, &rush(noise, 0.27, crushed, 0.8, level))
        .with(0.0, 0.35, &thud(95.0, 0.09, 0.005, noise))
}

fn in_water(noise: &mut Noise) -> Clip {
    let splash = Contour(&[(0.0, 1300.0), (0.06, 800.0), (0.3, 500.0)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.008, 1.0),
        (0.06, 0.35),
        (0.13, 0.5),
        (0.34, 0.0),
    ]);
    let thrown_up = Contour(&[(0.0, 0.1), (0.06, 1.0), (0.2, 0.6), (0.42, 0.05)]);
    let drop = |noise: &mut Noise| bubble(noise.between(420.0, 1500.0), noise.between(0.1, 0.7));
    Clip::silent(0.52)
        .with(0.0, 0.5, &thud(120.0, 0.1, 0.006, noise))
        .with(0.0, 0.5, &rush(noise, 0.36, splash, 0.7, level))
        .with(0.02, 1.0, &cloud(noise, 0.42, 40, thrown_up, drop))
        .with(0.03, 0.3, &bubble(noise.about(380.0, 0.2), 0.5))
}

/// A trotting hound: three soft pads with claws.
pub fn paws(noise: &mut Noise) -> Clip {
    let mut clip = Clip::silent(0.36);
    let mut at = 0.0;
    for strength in [1.0, 0.7, 0.9] {
        let pad = thud(230.0, 0.05, 0.0025, noise);
        let claw = Blow {
            material: STONE,
            hertz: noise.about(3200.0, 0.15),
            ring: 0.014,
            touch: 0.00015,
        };
        clip = clip
            .with(at, strength, &pad)
            .with(at, 0.5 * strength, &scuff(1000.0, 0.03, noise))
            .with(at + 0.004, 0.6 * strength, &claw.strike(noise))
            .with(at + 0.013, 0.35 * strength, &claw.strike(noise));
        at += noise.between(0.1, 0.115);
    }
    clip
}
