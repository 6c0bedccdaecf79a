//! Doors, curtains, locks and shutters: wood, cloth and iron.

use crate::sound::{
    clip::Clip,
    contour::Contour,
    filter::Svf,
    modes::{Blow, IRON, Material, WOOD},
    noise::Noise,
    texture::{Puff, cloud, puff, rush, stick_slip},
};

fn blow(material: Material, hertz: f32, ring: f32, touch: f32, noise: &mut Noise) -> Clip {
    let hertz = noise.about(hertz, 0.06);
    let blow = Blow {
        material,
        hertz,
        ring,
        touch,
    };
    blow.strike(noise)
}

/// A creaking hinge. It sticks and slips, faster as the door swings, and makes the boards of the
/// door resonate.
fn creak(noise: &mut Noise) -> Clip {
    let slow = noise.between(48.0, 75.0);
    let quick = slow * noise.between(2.0, 3.2);
    let hertz = Contour(&[(0.0, slow), (0.22, quick), (0.36, 0.8 * quick), (0.5, slow)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.06, 0.7),
        (0.2, 1.0),
        (0.27, 0.45),
        (0.36, 0.8),
        (0.5, 0.0),
    ]);
    let slips = stick_slip(noise, 0.5, hertz, level);
    let boards = [430.0, 760.0, 1180.0, 1730.0, 2480.0, 3300.0];
    let mut rings = boards.map(|pitch| Svf::new(noise.about(pitch, 0.12), 9.0));
    let creak = slips.map(|_, slip| {
        rings
            .iter_mut()
            .map(|ring| ring.step(slip).band)
            .sum::<f32>()
    });
    creak.peaked()
}

/// A door swings, and its latch falls.
pub fn door(noise: &mut Noise) -> Clip {
    let latch = noise.between(0.46, 0.56);
    let air = Contour(&[(0.0, 180.0), (0.4, 320.0)]);
    let moved = Contour(&[(0.0, 0.0), (0.25, 1.0), (0.55, 0.0)]);
    Clip::silent(1.0)
        .with(0.0, 0.3, &blow(IRON, 900.0, 0.05, 0.0008, noise))
        .with(0.02, 0.6, &creak(noise))
        .with(0.0, 0.16, &rush(noise, 0.55, air, 0.7, moved))
        .with(latch, 1.0, &blow(WOOD, 98.0, 0.22, 0.003, noise))
        .with(latch, 0.45, &blow(WOOD, 310.0, 0.1, 0.001, noise))
        .with(
            latch + 0.004,
            0.32,
            &blow(IRON, 1150.0, 0.11, 0.0003, noise),
        )
        .with(latch + 0.05, 0.16, &blow(IRON, 1500.0, 0.07, 0.0003, noise))
}

/// Heavy cloth drawn aside, with its rings on the rod.
pub fn curtain(noise: &mut Noise) -> Clip {
    let heavy = Contour(&[(0.0, 700.0), (0.2, 1500.0), (0.55, 900.0)]);
    let fine = Contour(&[(0.0, 3200.0), (0.25, 5200.0), (0.55, 3500.0)]);
    let drawn = Contour(&[
        (0.0, 0.0),
        (0.08, 0.5),
        (0.2, 1.0),
        (0.27, 0.5),
        (0.35, 0.85),
        (0.6, 0.0),
    ]);
    let along = Contour(&[(0.0, 0.0), (0.06, 1.0), (0.4, 0.6), (0.5, 0.0)]);
    let ring = |noise: &mut Noise| {
        let hertz = noise.between(2100.0, 3300.0);
        blow(IRON, hertz, 0.05, 0.0003, noise)
    };
    Clip::silent(0.7)
        .with(0.0, 0.8, &rush(noise, 0.62, heavy, 0.7, drawn))
        .with(0.0, 0.3, &rush(noise, 0.62, fine, 0.8, drawn))
        .with(0.0, 0.17, &cloud(noise, 0.5, 13, along, ring))
}

/// Pins being picked, then a bolt that slides back.
pub fn lock(noise: &mut Noise) -> Clip {
    let mut clip = Clip::silent(0.75);
    let mut at = 0.0;
    for strength in [0.35, 0.25, 0.4, 0.3] {
        let hertz = noise.between(2100.0, 3100.0);
        clip = clip.with(at, strength, &blow(IRON, hertz, 0.03, 0.0002, noise));
        at += noise.between(0.06, 0.12);
    }
    let scrape = Puff {
        hertz: 2600.0,
        narrow: 2.0,
        rise: 0.03,
        ring: 0.05,
    };
    clip.with(at, 0.2, &puff(noise, scrape))
        .with(at + 0.05, 1.0, &blow(IRON, 520.0, 0.13, 0.0006, noise))
        .with(at + 0.05, 0.8, &blow(WOOD, 190.0, 0.12, 0.002, noise))
        .with(at + 0.075, 0.3, &blow(IRON, 1300.0, 0.08, 0.0003, noise))
}

/// Boards on an iron frame that fall shut and rattle.
pub fn shutter(noise: &mut Noise) -> Clip {
    let again = noise.between(0.09, 0.13);
    Clip::silent(0.65)
        .with(0.0, 1.0, &blow(WOOD, 215.0, 0.14, 0.0012, noise))
        .with(0.0, 0.5, &blow(WOOD, 90.0, 0.16, 0.003, noise))
        .with(0.001, 0.42, &blow(IRON, 740.0, 0.28, 0.0004, noise))
        .with(again, 0.45, &blow(WOOD, 260.0, 0.1, 0.001, noise))
        .with(again, 0.24, &blow(IRON, 910.0, 0.2, 0.0004, noise))
        .with(1.7 * again, 0.2, &blow(WOOD, 290.0, 0.08, 0.001, noise))
        .with(2.2 * again, 0.12, &blow(IRON, 1100.0, 0.14, 0.0004, noise))
}
