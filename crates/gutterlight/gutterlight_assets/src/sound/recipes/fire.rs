//! Fire that catches, goes out, and bursts.

use crate::sound::{
    clip::Clip,
    contour::{Contour, Decay},
    noise::Noise,
    texture::{Puff, bubble, cloud, puff, rush},
    wave::{Oscillator, glide, sine},
};

/// A spark: a crack in wood or pitch.
fn spark(noise: &mut Noise) -> Clip {
    let spark = Puff {
        hertz: noise.between(1400.0, 6000.0),
        narrow: noise.between(0.8, 3.0),
        rise: 0.0004,
        ring: noise.between(0.004, 0.016),
    };
    puff(noise, spark)
}

/// A flame that catches: a soft burst of air, flutter, sparks.
pub fn flame(noise: &mut Noise) -> Clip {
    let flutter = noise.between(11.0, 17.0);
    let low = Contour(&[(0.0, 160.0), (0.09, 620.0), (0.3, 380.0), (0.9, 260.0)]);
    let high = Contour(&[(0.0, 1400.0), (0.1, 3200.0), (0.5, 1800.0)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.07, 1.0),
        (0.18, 0.55),
        (0.5, 0.3),
        (0.9, 0.0),
    ]);
    let breath = rush(noise, 0.9, low, 0.6, level)
        .map(|time, sample| sample * (1.0 + 0.45 * sine(flutter * time) * (8.0 * time).min(1.0)));
    let catches = Contour(&[(0.0, 0.2), (0.08, 1.0), (0.9, 0.15)]);
    Clip::silent(0.95)
        .with(0.0, 1.0, &breath)
        .with(0.0, 0.22, &rush(noise, 0.6, high, 0.7, level))
        .with(0.0, 0.4, &cloud(noise, 0.85, 24, catches, spark))
}

/// A flame that is put out: steam, sputtering, drops.
pub fn hiss(noise: &mut Noise) -> Clip {
    let steam = Contour(&[(0.0, 3800.0), (0.15, 6200.0), (1.4, 3600.0)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.015, 1.0),
        (0.12, 0.8),
        (0.4, 0.36),
        (0.8, 0.12),
        (1.5, 0.0),
    ]);
    let rate = noise.between(19.0, 27.0);
    let sputter = rush(noise, 1.5, steam, 0.6, level).map(|time, sample| {
        let rough = sine(rate * time) * sine(0.37 * rate * time + 0.1);
        sample * (1.0 + 0.5 * rough * (3.0 * time).min(1.0))
    });
    let dies = Contour(&[(0.0, 1.0), (0.5, 0.4), (1.0, 0.0)]);
    let drop = |noise: &mut Noise| bubble(noise.between(700.0, 2200.0), 0.4);
    Clip::silent(1.55)
        .with(0.0, 1.0, &sputter)
        .with(0.0, 0.16, &cloud(noise, 1.0, 16, dies, drop))
        .with(0.0, 0.2, &cloud(noise, 1.0, 14, dies, spark))
}

/// A bomb: a heavy bang, then smoke that rushes out.
pub fn burst(noise: &mut Noise) -> Clip {
    let falls = Contour(&[(0.0, 150.0), (0.05, 82.0), (0.4, 44.0)]);
    let blow = Contour(&[
        (0.0, 0.0),
        (0.004, 1.0),
        (0.05, 0.7),
        (0.14, 0.2),
        (0.4, 0.0),
    ]);
    let roar = Contour(&[(0.0, 3000.0), (0.1, 900.0), (0.8, 300.0)]);
    let level = Contour(&[
        (0.0, 0.0),
        (0.003, 1.0),
        (0.07, 0.45),
        (0.3, 0.15),
        (0.9, 0.0),
    ]);
    let smoke = Contour(&[(0.0, 2500.0), (0.5, 4200.0), (1.7, 2800.0)]);
    let pours = Contour(&[(0.0, 0.0), (0.12, 0.7), (0.3, 1.0), (1.7, 0.0)]);
    let mut crack = Decay::new(0.03);
    let mut tone = Oscillator::default();
    let snap = Clip::render(0.04, |_| crack.step() * tone.sine(900.0) * noise.white());
    Clip::silent(1.75)
        .with(0.0, 1.0, &glide(0.5, falls, blow))
        .with(0.0, 1.6, &rush(noise, 0.9, roar, 0.5, level))
        .with(0.0, 0.5, &snap)
        .with(0.03, 0.3, &rush(noise, 1.7, smoke, 0.6, pours))
}
