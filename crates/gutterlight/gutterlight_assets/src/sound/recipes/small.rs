//! Small things: glass, pebbles, coins, keys, and picking things up.

use crate::sound::{
    clip::Clip,
    contour::Contour,
    modes::{Blow, GLASS, IRON, Material, STONE, WOOD},
    noise::Noise,
    texture::{Puff, cloud, puff, rush},
};

fn tap(material: Material, hertz: f32, ring: f32, touch: f32, noise: &mut Noise) -> Clip {
    let blow = Blow {
        material,
        hertz,
        ring,
        touch,
    };
    blow.strike(noise)
}

/// Breaking glass, and shards that ring as they fall, fewer over time.
pub fn glass(noise: &mut Noise) -> Clip {
    let fewer = Contour(&[
        (0.0, 1.0),
        (0.05, 0.75),
        (0.2, 0.28),
        (0.5, 0.12),
        (0.95, 0.01),
    ]);
    let shard = |noise: &mut Noise| {
        let (hertz, ring) = (noise.between(1900.0, 6500.0), noise.between(0.04, 0.22));
        tap(GLASS, hertz, ring, 0.00006, noise)
    };
    let crack = Puff {
        hertz: 4200.0,
        narrow: 0.7,
        rise: 0.001,
        ring: 0.11,
    };
    Clip::silent(1.3)
        .with(0.0, 1.0, &puff(noise, crack))
        .with(0.0, 0.5, &tap(GLASS, 850.0, 0.12, 0.0003, noise))
        .with(0.002, 1.0, &cloud(noise, 1.2, 85, fewer, shard))
}

/// A pebble that bounces, lower each time, and comes to rest.
pub fn pebble(noise: &mut Noise) -> Clip {
    let hertz = noise.between(1500.0, 2300.0);
    let bounce = noise.between(0.62, 0.7);
    let mut clip = Clip::silent(0.95);
    let (mut at, mut pause, mut strength) = (0.0, noise.between(0.17, 0.22), 1.0);
    while pause > 0.012 && at < 0.8 {
        let click = tap(STONE, noise.about(hertz, 0.07), 0.03, 0.00015, noise);
        let floor = tap(STONE, noise.about(480.0, 0.1), 0.03, 0.0008, noise);
        clip = clip
            .with(at, strength, &click)
            .with(at, 0.4 * strength, &floor);
        at += pause;
        pause *= bounce * noise.about(1.0, 0.1);
        strength *= noise.between(0.55, 0.75);
    }
    clip
}

/// Coins that fall on each other.
pub fn coin(noise: &mut Noise) -> Clip {
    let mut clip = Clip::silent(0.9);
    let mut at = 0.0;
    for strength in [0.8, 1.0, 0.5, 0.3] {
        let (hertz, ring) = (noise.between(3100.0, 4300.0), noise.between(0.25, 0.5));
        clip = clip.with(at, strength, &tap(GLASS, hertz, ring, 0.00008, noise));
        at += noise.between(0.03, 0.09);
    }
    clip
}

/// A key put on a ring of jingling keys.
pub fn key(noise: &mut Noise) -> Clip {
    let swing = Contour(&[
        (0.0, 1.0),
        (0.1, 0.2),
        (0.16, 0.8),
        (0.3, 0.1),
        (0.36, 0.4),
        (0.5, 0.0),
    ]);
    let jingle = |noise: &mut Noise| {
        let (hertz, ring) = (noise.between(1700.0, 3900.0), noise.between(0.1, 0.3));
        tap(IRON, hertz, ring, 0.0001, noise)
    };
    Clip::silent(0.9)
        .with(0.0, 0.5, &tap(IRON, 1250.0, 0.3, 0.0003, noise))
        .with(0.01, 1.0, &cloud(noise, 0.8, 22, swing, jingle))
}

/// Something taken from the floor and put into a bag.
pub fn pick_up(noise: &mut Noise) -> Clip {
    let cloth = Contour(&[(0.0, 900.0), (0.12, 2200.0), (0.28, 1200.0)]);
    let level = Contour(&[(0.0, 0.0), (0.05, 0.7), (0.1, 0.3), (0.18, 1.0), (0.3, 0.0)]);
    let in_bag = noise.between(0.17, 0.2);
    Clip::silent(0.36)
        .with(
            0.0,
            0.6,
            &tap(WOOD, noise.about(520.0, 0.2), 0.04, 0.0008, noise),
        )
        .with(0.0, 0.55, &rush(noise, 0.31, cloth, 0.8, level))
        .with(
            in_bag,
            0.5,
            &tap(WOOD, noise.about(280.0, 0.2), 0.06, 0.002, noise),
        )
}
