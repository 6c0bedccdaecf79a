//! Grass, meadow and dry grass: thousands of blades, each a bent strip.
//!
//! Blades are sown from low to high: the first ones lie flat and are dark and old, the last ones
//! stand above the rest in the light. A smooth noise field gives neighboring blades similar
//! directions, with a random offset for each blade.

use core::f32::consts::TAU;

use crate::{
    bake::Finish,
    canvas::{Canvas, Strip, Texel},
    color::{Rgb, mix, scale, srgb, toned},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

/// The parameters of one sowing of blades.
struct Blades<'a> {
    /// Blades per square meter.
    density: f32,
    /// The shortest and the longest length, in meters.
    length: [f32; 2],
    /// Half the width of the narrowest and the widest blade, in meters.
    width: [f32; 2],
    /// The range of the random offset of the direction, in radians.
    whim: f32,
    /// The height of the first and the last blade's root above the soil, in meters.
    level: [f32; 2],
    /// The height of the tip above the root, in meters.
    rise: f32,
    /// The brightness of the first and the last blade.
    light: [f32; 2],
    colors: &'a [Rgb],
    /// The color to which the tips fade.
    tip: Rgb,
}

fn sow(canvas: &mut Canvas, dice: &mut Dice, lean: &Fractal, blades: &Blades) {
    let meters = canvas.meters;
    let count = (blades.density * meters * meters) as usize;
    for (n, [x, y]) in dice.points(count, meters).into_iter().enumerate() {
        let order = n as f32 / count as f32;
        let length = dice.between(blades.length[0], blades.length[1]);
        let strip = Strip {
            x,
            y,
            angle: lean.at(x / meters, y / meters) * TAU + dice.around(blades.whim),
            length,
            bend: length * dice.around(0.45),
            width: dice.between(blades.width[0], blades.width[1]),
            shadow: 0.006,
        };
        let light = blades.light[0] + (blades.light[1] - blades.light[0]) * order;
        let color = scale(dice.tone(blades.colors, 0.28, 0.08), light);
        let tip = mix(color, scale(blades.tip, light), dice.between(0.15, 0.6));
        let level = blades.level[0] + (blades.level[1] - blades.level[0]) * order;
        let level = level + dice.around(0.001);
        blade(canvas, &strip, color, tip, level, blades.rise);
    }
}

/// Paints a blade. It is dark at its root, and folded along its middle, so that one half is
/// brighter.
fn blade(canvas: &mut Canvas, strip: &Strip, color: Rgb, tip: Rgb, level: f32, rise: f32) {
    let fold = if strip.bend > 0.0 { 0.16 } else { -0.16 };
    canvas.strip(
        strip,
        |t| (1.0 - t * t) * (0.55 + 0.9 * t * (1.0 - t) * 2.0).min(1.0),
        |t, s, _| {
            let shade = (0.5 + 0.5 * smooth(0.0, 0.45, t)) * (1.0 + fold * s);
            let arch = t * (2.0 - t);
            let height = level + rise * arch - strip.width * 0.5 * (1.0 - s.abs()) * 0.6;
            Texel::solid(
                scale(mix(color, tip, t * t), shade),
                height,
                0.62 + 0.12 * t,
            )
        },
    );
}

/// Creates the soil between the roots.
fn soil(size: usize, meters: f32, seed: u64, color: Rgb) -> Canvas {
    let clods = Fractal::new(24, 24, 4, 0.6, seed).square(size);
    Canvas::ground(size, meters, |index, _, _| {
        let tone = 1.0 + 0.3 * clods[index] + 0.3 * (speck(index, seed) - 0.5);
        Texel::solid(scale(color, tone), 0.003 * clods[index], 0.95)
    })
}

pub(super) fn grass(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"grass   ");
    let mut canvas = soil(size, meters, dice.seed(), srgb(0x2A2A18));
    let lean = Fractal::new(5, 5, 2, 0.5, dice.seed());
    let straw = [srgb(0x8A7D4C), srgb(0x7A6C42), srgb(0x6B6338)];
    let green = [
        srgb(0x5F6F2E),
        srgb(0x55682F),
        srgb(0x6F7C36),
        srgb(0x47592F),
        srgb(0x6A702B),
        srgb(0x7C8440),
    ];
    let mut blades = Blades {
        density: 500.0,
        length: [0.05, 0.13],
        width: [0.0025, 0.004],
        whim: 2.5,
        level: [0.0, 0.003],
        rise: 0.004,
        light: [0.5, 0.6],
        colors: &straw,
        tip: srgb(0x9A8C5A),
    };
    sow(&mut canvas, &mut dice, &lean, &blades);
    blades = Blades {
        density: 3000.0,
        length: [0.07, 0.18],
        width: [0.0034, 0.0066],
        whim: 1.5,
        level: [0.002, 0.016],
        rise: 0.010,
        light: [0.42, 1.05],
        colors: &green,
        tip: srgb(0x8E9650),
    };
    sow(&mut canvas, &mut dice, &lean, &blades);
    let finish = Finish {
        albedo: 0.085,
        relief: 1.0,
        hollow: 0.05,
        occlusion: 3.0,
        grime: 0.6,
    };
    (canvas, finish)
}

pub(super) fn dry_grass(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"drygrass");
    let mut canvas = soil(size, meters, dice.seed(), srgb(0x4A3C28));
    let lean = Fractal::new(4, 4, 2, 0.5, dice.seed());
    let straw = [
        srgb(0xA8905C),
        srgb(0xB59C66),
        srgb(0x947C4C),
        srgb(0xBFA873),
        srgb(0x8A7A4A),
    ];
    let olive = [srgb(0x7A7A42), srgb(0x86824A)];
    let old = Blades {
        density: 1300.0,
        length: [0.08, 0.2],
        width: [0.0022, 0.004],
        whim: 3.0,
        level: [0.0, 0.005],
        rise: 0.004,
        light: [0.45, 0.7],
        colors: &straw,
        tip: srgb(0xA89470),
    };
    sow(&mut canvas, &mut dice, &lean, &old);
    let green = Blades {
        density: 350.0,
        length: [0.06, 0.14],
        whim: 1.2,
        level: [0.004, 0.009],
        light: [0.7, 0.9],
        colors: &olive,
        tip: srgb(0xB0A060),
        ..old
    };
    sow(&mut canvas, &mut dice, &lean, &green);
    let new = Blades {
        density: 1900.0,
        length: [0.09, 0.24],
        width: [0.0018, 0.0036],
        whim: 1.4,
        level: [0.005, 0.016],
        rise: 0.008,
        light: [0.65, 1.05],
        colors: &straw,
        tip: srgb(0xD0BC8C),
    };
    sow(&mut canvas, &mut dice, &lean, &new);
    let finish = Finish {
        albedo: 0.20,
        relief: 1.0,
        hollow: 0.05,
        occlusion: 3.0,
        grime: 0.6,
    };
    (canvas, finish)
}

pub(super) fn meadow(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"meadow  ");
    let mut canvas = soil(size, meters, dice.seed(), srgb(0x2E2C1A));
    let lean = Fractal::new(5, 5, 2, 0.5, dice.seed());
    let green = [
        srgb(0x717D3A),
        srgb(0x69783B),
        srgb(0x7D8841),
        srgb(0x5F7038),
        srgb(0x848642),
    ];
    let low = Blades {
        density: 2900.0,
        length: [0.05, 0.12],
        width: [0.0034, 0.006],
        whim: 1.8,
        level: [0.0, 0.008],
        rise: 0.007,
        light: [0.45, 0.85],
        colors: &green,
        tip: srgb(0x9AA058),
    };
    sow(&mut canvas, &mut dice, &lean, &low);
    clovers(&mut canvas, &mut dice, 150.0);
    let high = Blades {
        density: 1500.0,
        level: [0.008, 0.015],
        light: [0.85, 1.1],
        ..low
    };
    sow(&mut canvas, &mut dice, &lean, &high);
    clovers(&mut canvas, &mut dice, 60.0);
    flowers(&mut canvas, &mut dice, 16.0);
    let finish = Finish {
        albedo: 0.11,
        relief: 1.0,
        hollow: 0.05,
        occlusion: 3.0,
        grime: 0.6,
    };
    (canvas, finish)
}

/// Paints clover: three round leaves with a pale band.
fn clovers(canvas: &mut Canvas, dice: &mut Dice, density: f32) {
    let meters = canvas.meters;
    let green = [srgb(0x586F34), srgb(0x63783B), srgb(0x516631)];
    let count = (density * meters * meters) as usize;
    for (n, [x, y]) in dice.points(count, meters).into_iter().enumerate() {
        let turn = dice.angle();
        let size = dice.between(0.013, 0.023);
        let color = dice.tone(&green, 0.18, 0.08);
        let level = 0.014 + 0.004 * n as f32 / count as f32;
        for leaf in 0..3 {
            let strip = Strip {
                x,
                y,
                angle: turn + leaf as f32 * TAU / 3.0 + dice.around(0.15),
                length: size,
                bend: 0.0,
                width: size * 0.52,
                shadow: 0.006,
            };
            canvas.strip(&strip, heart, |t, s, _| {
                let band = smooth(0.07, 0.0, (t - 0.5 + 0.15 * s.abs()).abs());
                let color = mix(color, [0.25, 0.32, 0.18], 0.4 * band);
                let vein = 1.0 - 0.25 * smooth(0.15, 0.0, s.abs());
                let height = level + 0.004 * t - 0.002 * (1.0 - s.abs());
                Texel::solid(scale(color, vein * (0.75 + 0.35 * t)), height, 0.6)
            });
        }
    }
}

/// The outline of a clover leaf: narrow at the stalk, broad and round at the end.
fn heart(t: f32) -> f32 {
    let round = (1.0 - (t * 2.0 - 1.15) * (t * 2.0 - 1.15)).max(0.0).sqrt();
    round * smooth(0.0, 0.5, t + 0.15)
}

/// Paints daisies, buttercups and a few violets.
fn flowers(canvas: &mut Canvas, dice: &mut Dice, density: f32) {
    let meters = canvas.meters;
    let count = (density * meters * meters) as usize;
    for [x, y] in dice.points(count, meters) {
        let kind = dice.unit();
        let tone = 1.0 + dice.around(0.12);
        let (petals, radius, color, heart) = if kind < 0.5 {
            (
                13.0,
                dice.between(0.011, 0.016),
                srgb(0xE4E2D6),
                srgb(0xC8A02C),
            )
        } else if kind < 0.82 {
            (
                5.0,
                dice.between(0.009, 0.013),
                srgb(0xD6B42E),
                srgb(0xB08A20),
            )
        } else {
            (
                5.0,
                dice.between(0.008, 0.012),
                srgb(0x8470A8),
                srgb(0xC8B060),
            )
        };
        let turn = dice.angle();
        let [tilt_x, tilt_y] = [dice.around(0.2), dice.around(0.2)];
        canvas.patch(x, y, radius * 1.1, |dx, dy, _| {
            let away = (dx * dx + dy * dy).sqrt() / radius;
            let wave = libm::cosf((libm::atan2f(dy, dx) + turn) * petals);
            let edge = 0.82 + 0.18 * wave;
            let alpha = ((edge - away) * radius / 0.004 + 0.5).clamp(0.0, 1.0);
            let in_heart = smooth(0.36, 0.26, away);
            let shade =
                1.0 - 0.2 * (1.0 - wave) * away + tilt_x * dx / radius + tilt_y * dy / radius;
            let color = mix(toned(color, tone * shade.min(1.1), 0.0), heart, in_heart);
            let height = 0.026 + 0.003 * in_heart - 0.002 * away;
            (alpha > 0.0).then(|| (Texel::solid(color, height, 0.7), alpha))
        });
    }
}
