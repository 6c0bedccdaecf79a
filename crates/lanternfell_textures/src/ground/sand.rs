//! Sand: rippled by the wind, or smooth and wet.
//!
//! Ripples are a wave with a whole number of crests per tile, steep on the lee side. Noise shifts
//! its phase, so that crests merge and fork. Grains are pixel-sized, each with the tone of its
//! mineral.

use core::f32::consts::TAU;

use crate::{
    bake::Finish,
    canvas::{Canvas, Texel},
    color::{Rgb, mix, scale, srgb},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

/// Returns a ripple's height, from 0 to 1, at a phase in turns. It rises slowly and falls fast.
fn ripple(phase: f32) -> f32 {
    let at = phase - phase.floor();
    let skewed = if at < 0.68 {
        at / 1.36
    } else {
        0.5 + (at - 0.68) / 0.64
    };
    0.5 - 0.5 * libm::cosf(skewed * TAU)
}

/// Returns the tone of a grain. Most are similar, some are dark minerals, some are clear quartz.
fn grain(index: usize, seed: u64, sand: Rgb, contrast: f32) -> Rgb {
    let which = speck(index, seed);
    let tone = 1.0 + contrast * (speck(index, seed ^ 1) - 0.5);
    if which < 0.05 {
        mix(sand, srgb(0x5A4636), 0.35 + contrast * 0.3)
    } else if which > 0.95 {
        scale(mix(sand, srgb(0xF0E8DC), contrast * 1.6), tone)
    } else {
        scale(sand, tone)
    }
}

pub(super) fn sand(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"sand    ");
    let shift = Fractal::new(3, 5, 4, 0.4, dice.seed()).square(size);
    let strength = Fractal::new(6, 6, 2, 0.5, dice.seed()).square(size);
    let bumps = Fractal::new(40, 40, 3, 0.6, dice.seed()).square(size);
    let grains = dice.seed();
    let mut canvas = Canvas::ground(size, meters, |index, u, v| {
        let phase = v * 27.0 + u * 3.0 + shift[index] * 0.95;
        let crest = ripple(phase);
        let amount = 0.75 + 0.45 * strength[index];
        let height = 0.0075 * crest * amount.max(0.15)
            + 0.0010 * bumps[index]
            + 0.0007 * (speck(index, grains ^ 2) - 0.5);
        // Coarser, darker grains collect in the troughs.
        let bed = mix(srgb(0xBFA27A), srgb(0xCDB591), smooth(0.1, 0.8, crest));
        let tone = 1.0 + 0.06 * bumps[index];
        Texel::solid(scale(grain(index, grains, bed, 0.22), tone), height, 0.88)
    });
    shells(&mut canvas, &mut dice, 5.0, 0.010);
    let finish = Finish {
        albedo: 0.42,
        relief: 1.0,
        hollow: 0.05,
        occlusion: 1.5,
        grime: 0.35,
    };
    (canvas, finish)
}

pub(super) fn wet_sand(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"wetsand ");
    let shift = Fractal::new(4, 4, 3, 0.42, dice.seed()).square(size);
    let bumps = Fractal::new(14, 14, 5, 0.5, dice.seed()).square(size);
    let damp = Fractal::new(18, 18, 3, 0.6, dice.seed()).square(size);
    let grains = dice.seed();
    let mut canvas = Canvas::ground(size, meters, |index, u, v| {
        // Faint traces of the backwash: wide, flat and crossing each other.
        let trace = ripple(v * 11.0 + u * 6.0 + shift[index] * 0.9)
            * (0.35 + 0.65 * ripple(v * 9.0 - u * 7.0 + shift[index] * 0.7));
        let height =
            0.0065 * trace + 0.0022 * bumps[index] + 0.00016 * (speck(index, grains ^ 2) - 0.5);
        let wet = smooth(-0.9, 0.9, damp[index] * 0.8 - 0.9 * (trace - 0.4));
        let bed = mix(srgb(0x80694F), srgb(0x735F48), wet);
        let rough = 0.40 - 0.13 * wet + 0.06 * (speck(index, grains ^ 3) - 0.5);
        Texel::solid(grain(index, grains, bed, 0.06), height, rough)
    });
    shells(&mut canvas, &mut dice, 10.0, 0.008);
    let finish = Finish {
        albedo: 0.155,
        relief: 1.0,
        hollow: 0.06,
        occlusion: 1.2,
        grime: 0.3,
    };
    (canvas, finish)
}

/// Paints fragments of shells and small stones, half buried in the sand.
fn shells(canvas: &mut Canvas, dice: &mut Dice, density: f32, level: f32) {
    let meters = canvas.meters;
    let colors = [
        srgb(0xD8CDBD),
        srgb(0xC0A894),
        srgb(0x8A8078),
        srgb(0x6C5E52),
        srgb(0xE2DCD0),
    ];
    let count = (density * meters * meters) as usize;
    for [x, y] in dice.points(count, meters) {
        let radius = dice.between(0.004, 0.011);
        let flat = dice.between(0.5, 0.95);
        let (sin, cos) = libm::sincosf(dice.angle());
        let color = dice.tone(&colors, 0.15, 0.05);
        let under = canvas.under(x, y).height.min(level);
        canvas.patch(x, y, radius * 1.3, |dx, dy, _| {
            let (a, b) = (cos * dx + sin * dy, (cos * dy - sin * dx) / flat);
            let away = (a * a + b * b).sqrt() / radius;
            let dome = (1.0 - away * away).max(0.0).sqrt();
            let alpha = ((1.0 - away) * radius / 0.004 + 0.5).clamp(0.0, 1.0);
            let color = scale(color, 0.8 + 0.25 * dome);
            let height = under + radius * 0.5 * dome;
            Some((Texel::solid(color, height, 0.45), alpha))
        });
    }
}
