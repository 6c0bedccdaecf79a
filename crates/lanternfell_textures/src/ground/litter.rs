//! Forest floor: soil, needles, twigs, and the leaves of several autumns.
//!
//! Lower layers are older: grayer, darker and partly decomposed. Leaves are strips with an outline,
//! a midrib and veins, curled up at their edges. Twigs are round.

use core::f32::consts::PI;

use crate::{
    bake::Finish,
    canvas::{Canvas, Strip, Texel},
    color::{Rgb, mix, scale, srgb},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

pub(super) fn forest_floor(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"litter  ");
    let mut canvas = humus(size, meters, dice.seed());
    let old = [
        srgb(0x4A3826),
        srgb(0x54432E),
        srgb(0x4E4436),
        srgb(0x3E3022),
    ];
    let brown = [
        srgb(0x6E4E2E),
        srgb(0x7C5A34),
        srgb(0x5E4228),
        srgb(0x86683E),
        srgb(0x6A5238),
    ];
    let fresh = [
        srgb(0x8E6430),
        srgb(0x9A7638),
        srgb(0x7E4C28),
        srgb(0xA08448),
    ];
    leaves(&mut canvas, &mut dice, 260.0, &old, [0.0, 0.008]);
    needles(&mut canvas, &mut dice, 500.0, [0.004, 0.010]);
    twigs(&mut canvas, &mut dice, 14.0, 0.008);
    leaves(&mut canvas, &mut dice, 170.0, &brown, [0.008, 0.016]);
    needles(&mut canvas, &mut dice, 260.0, [0.012, 0.018]);
    twigs(&mut canvas, &mut dice, 9.0, 0.016);
    leaves(&mut canvas, &mut dice, 34.0, &fresh, [0.016, 0.020]);
    let finish = Finish {
        albedo: 0.075,
        relief: 1.0,
        hollow: 0.06,
        occlusion: 3.0,
        grime: 0.6,
    };
    (canvas, finish)
}

fn humus(size: usize, meters: f32, seed: u64) -> Canvas {
    let clods = Fractal::new(20, 20, 5, 0.65, seed).square(size);
    let soil = srgb(0x33281C);
    Canvas::ground(size, meters, |index, _, _| {
        let crumb = clods[index];
        let tone = 1.0 + 0.45 * crumb + 0.4 * (speck(index, seed) - 0.5);
        Texel::solid(scale(soil, tone), 0.004 * crumb, 0.95)
    })
}

/// Paints leaves with this density per square meter, from one level to another.
fn leaves(canvas: &mut Canvas, dice: &mut Dice, density: f32, colors: &[Rgb], levels: [f32; 2]) {
    let meters = canvas.meters;
    let count = (density * meters * meters) as usize;
    for (n, [x, y]) in dice.points(count, meters).into_iter().enumerate() {
        let length = dice.between(0.055, 0.115);
        let lobed = dice.chance(0.35);
        let strip = Strip {
            x,
            y,
            angle: dice.angle(),
            length,
            bend: length * dice.around(0.25),
            width: length
                * if lobed {
                    0.34
                } else {
                    dice.between(0.22, 0.32)
                },
            shadow: 0.008,
        };
        let level = levels[0] + (levels[1] - levels[0]) * n as f32 / count as f32;
        let color = dice.tone(colors, 0.25, 0.10);
        let leaf = Leaf {
            lobed,
            color,
            edge: mix(color, srgb(0x3A2A1C), dice.between(0.1, 0.6)),
            level,
            curl: dice.between(-0.002, 0.007),
            roll: dice.between(-0.004, 0.004),
            spots: dice.seed(),
        };
        paint_leaf(canvas, &strip, &leaf);
    }
}

struct Leaf {
    lobed: bool,
    color: Rgb,
    edge: Rgb,
    level: f32,
    curl: f32,
    roll: f32,
    spots: u64,
}

fn paint_leaf(canvas: &mut Canvas, strip: &Strip, leaf: &Leaf) {
    let outline = |t: f32| {
        // The first 12 % is the stalk.
        let along = (t - 0.12) / 0.88;
        if along < 0.0 {
            return 0.07;
        }
        let oval = libm::sinf(PI * along.min(1.0)).max(0.0);
        let full = oval.sqrt() * (1.0 - 0.35 * along) + 0.02;
        if leaf.lobed {
            full * (0.72 + 0.28 * libm::cosf(along * 21.0 + 0.6))
        } else {
            full
        }
    };
    canvas.strip(strip, outline, |t, s, index| {
        let midrib = smooth(0.16, 0.04, s.abs());
        let along = (t + s.abs() * 0.16) * 8.0;
        let vein = smooth(0.2, 0.0, (along - along.floor() - 0.5).abs() * 2.0);
        let spot = if speck(index, leaf.spots) < 0.12 {
            0.75
        } else {
            1.0
        };
        let light = (1.0 + 0.3 * midrib + 0.12 * vein + 0.10 * s * leaf.roll.signum()) * spot;
        let color = mix(leaf.color, leaf.edge, s * s * 0.8);
        let height = leaf.level
            + leaf.curl * s * s
            + leaf.roll * (t - 0.5) * s
            + 0.004 * t * (1.0 - t)
            + 0.0006 * (midrib - vein);
        Texel::solid(scale(color, light), height, 0.78)
    });
}

/// Paints pine needles, in pairs.
fn needles(canvas: &mut Canvas, dice: &mut Dice, density: f32, levels: [f32; 2]) {
    let meters = canvas.meters;
    let colors = [
        srgb(0x7A5432),
        srgb(0x8C6840),
        srgb(0x6A4628),
        srgb(0x94784E),
    ];
    let count = (density * meters * meters * 0.5) as usize;
    for (n, [x, y]) in dice.points(count, meters).into_iter().enumerate() {
        let level = levels[0] + (levels[1] - levels[0]) * n as f32 / count as f32;
        let angle = dice.angle();
        let color = dice.tone(&colors, 0.25, 0.08);
        let length = dice.between(0.04, 0.075);
        for side in [-1.0, 1.0] {
            let strip = Strip {
                x,
                y,
                angle: angle + side * dice.between(0.05, 0.2),
                length,
                bend: side * length * dice.between(0.0, 0.12),
                width: 0.0011,
                shadow: 0.004,
            };
            canvas.strip(
                &strip,
                |_| 1.0,
                |t, _, _| Texel::solid(scale(color, 0.8 + 0.3 * t), level + 0.003, 0.7),
            );
        }
    }
}

/// Paints twigs: round, with knots, some with a side twig.
fn twigs(canvas: &mut Canvas, dice: &mut Dice, density: f32, level: f32) {
    let meters = canvas.meters;
    let colors = [
        srgb(0x5A4834),
        srgb(0x6A5A48),
        srgb(0x4A3828),
        srgb(0x7A6C5A),
    ];
    let count = (density * meters * meters) as usize;
    for [x, y] in dice.points(count, meters) {
        let length = dice.between(0.08, 0.32);
        let color = dice.tone(&colors, 0.2, 0.06);
        let main = Strip {
            x,
            y,
            angle: dice.angle(),
            length,
            bend: length * dice.around(0.2),
            width: dice.between(0.003, 0.007),
            shadow: 0.010,
        };
        twig(canvas, &main, color, level);
        if dice.chance(0.6) {
            let from = dice.between(0.25, 0.7);
            let [x, y] = main.point(from);
            let side = if dice.chance(0.5) { 1.0 } else { -1.0 };
            let branch = Strip {
                x,
                y,
                angle: main.heading(from) + side * dice.between(0.4, 0.9),
                length: length * dice.between(0.2, 0.45),
                bend: 0.0,
                width: main.width * 0.6,
                ..main
            };
            twig(canvas, &branch, color, level);
        }
    }
}

fn twig(canvas: &mut Canvas, strip: &Strip, color: Rgb, level: f32) {
    let knots = strip.length * 40.0;
    canvas.strip(
        strip,
        |t| (1.0 - 0.5 * t) * (1.0 + 0.12 * libm::cosf(t * knots)),
        |t, s, index| {
            let round = (1.0 - s * s).max(0.0).sqrt();
            let bark = 0.85 + 0.3 * speck(index, 77) - 0.15 * libm::cosf(t * knots * 4.0);
            let height = level + strip.width * (1.0 + round);
            Texel::solid(scale(color, bark * (0.55 + 0.45 * round)), height, 0.85)
        },
    );
}
