//! Barks: tiles whose grain runs down the rows, so u goes around a trunk and v along it.

use core::f32::consts::TAU;

use crate::{
    bake::Finish,
    canvas::{Canvas, Strip, Texel},
    cells::Cells,
    color::{mix, scale, srgb, toned},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

/// Paints bark with furrows between long plates, whose surfaces flake.
pub(super) fn furrowed(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"bark    ");
    let warp = Fractal::new(5, 4, 4, 0.5, dice.seed()).square(size);
    let plates = Cells::new(15, 5, 0.95, dice.seed());
    let flakes = Cells::new(32, 20, 1.0, dice.seed());
    let fiber = Fractal::new(40, 7, 4, 0.6, dice.seed()).square(size);
    let grains = dice.seed();
    let canvas = Canvas::ground(size, meters, |index, u, v| {
        let (u, v) = (u + 0.030 * warp[index], v + 0.02 * fiber[index]);
        let plate = plates.at(u, v);
        let flake = flakes.at(u + 0.004 * fiber[index], v);
        let strand = fiber[index];
        let furrow = smooth(
            0.20 + 0.12 * plate.random(2),
            0.02,
            plate.edge + 0.05 * strand,
        );
        let chip = smooth(0.10, 0.0, flake.edge);
        let height =
            0.022 * (1.0 - furrow) + 0.004 * flake.random(0) - 0.002 * chip + 0.0035 * strand;
        let face = mix(srgb(0x6E5E4E), srgb(0x86776A), plate.random(0));
        let face = mix(
            face,
            srgb(0x7A5C46),
            0.6 * smooth(0.55, 0.9, flake.random(1)),
        );
        let color = mix(face, srgb(0x33271E), 0.85 * furrow);
        let tone =
            (1.0 + 0.20 * strand) * (1.0 - 0.2 * chip) * (0.92 + 0.16 * speck(index, grains));
        Texel::solid(scale(color, tone), height, 0.88 + 0.06 * strand)
    });
    let finish = Finish {
        albedo: 0.095,
        relief: 1.0,
        hollow: 0.03,
        occlusion: 2.4,
        grime: 0.6,
    };
    (canvas, finish)
}

/// Paints birch bark: white and smooth, with dark lines around the trunk, some black scars, and
/// peeling edges.
pub(super) fn birch(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"birchbrk");
    let bands = Fractal::new(3, 26, 4, 0.55, dice.seed()).square(size);
    let skin = Fractal::new(20, 30, 4, 0.6, dice.seed()).square(size);
    let peels = Fractal::new(5, 12, 3, 0.5, dice.seed()).square(size);
    let grains = dice.seed();
    let mut canvas = Canvas::ground(size, meters, |index, _, _| {
        let band = bands[index];
        let peel = smooth(0.22, 0.30, peels[index] + 0.1 * band);
        let rim = peel * (1.0 - peel) * 4.0;
        let white = mix(srgb(0xCFC8BA), srgb(0xBDAE9C), smooth(0.1, 0.7, band));
        let color = mix(white, srgb(0xB39478), 0.30 * peel);
        let tone = (1.0 + 0.06 * skin[index] - 0.14 * rim) * (0.97 + 0.06 * speck(index, grains));
        let height = 0.0016 * (1.0 - peel) + 0.0012 * rim + 0.0008 * band + 0.0005 * skin[index];
        Texel::solid(
            scale(color, tone),
            height,
            0.62 + 0.1 * skin[index] + 0.1 * peel,
        )
    });
    lenticels(&mut canvas, &mut dice);
    scars(&mut canvas, &mut dice, &skin);
    let finish = Finish {
        albedo: 0.42,
        relief: 1.6,
        hollow: 0.03,
        occlusion: 1.6,
        grime: 0.5,
    };
    (canvas, finish)
}

/// Paints lenticels, the short dark lines through which the bark breathes.
fn lenticels(canvas: &mut Canvas, dice: &mut Dice) {
    let meters = canvas.meters;
    for [x, y] in dice.points(420, meters) {
        let length = dice.between(0.012, 0.10) * dice.between(0.4, 1.0);
        let strip = Strip {
            x: x - length * 0.5,
            y,
            angle: dice.around(0.05),
            length,
            bend: length * dice.around(0.05),
            width: dice.between(0.0012, 0.0034),
            shadow: 0.0,
        };
        let color = dice.tone(&[srgb(0x4C4038), srgb(0x6A5848), srgb(0x3A322C)], 0.2, 0.05);
        let skin = Texel {
            cover: 0.85,
            ..Texel::skin(color, 0.8)
        };
        canvas.strip(&strip, |t| (4.0 * t * (1.0 - t)).sqrt(), |_, _, _| skin);
    }
}

/// Paints the scars of branches: black, cracked, wider than high.
fn scars(canvas: &mut Canvas, dice: &mut Dice, fray: &[f32]) {
    let meters = canvas.meters;
    for [x, y] in dice.points(11, meters) {
        let wide = dice.between(0.025, 0.075);
        let high = wide * dice.between(0.25, 0.5);
        let seed = dice.seed();
        canvas.patch(x, y, wide * 1.4, |dx, dy, index| {
            let (a, b) = (dx / wide, dy / high);
            // Pointed at both sides.
            let away = a.abs() + (a * a * 0.3 + b * b).sqrt() + 0.35 * fray[index];
            let alpha = smooth(1.1, 0.8, away);
            let crack = 0.8 + 0.4 * speck(index, seed);
            let color = toned(srgb(0x2C2622), crack, 0.02);
            let height = 0.0035 * (1.0 - away).max(-0.2) + 0.0010 * fray[index];
            (alpha > 0.0).then(|| (Texel::solid(color, 0.004 + height, 0.9), alpha))
        });
    }
}

/// Paints weathered wood: silver fibers, long cracks, and knots around which the fibers bend.
pub(super) fn dead(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"deadbark");
    let knots: Vec<[f32; 2]> = dice.points(5, 1.0);
    let sway = Fractal::new(4, 3, 3, 0.45, dice.seed());
    let fiber = Fractal::new(56, 3, 4, 0.62, dice.seed());
    let cracks = Fractal::new(9, 1, 4, 0.45, dice.seed());
    let boards = Fractal::new(24, 2, 2, 0.5, dice.seed());
    let stain = Fractal::new(10, 6, 3, 0.55, dice.seed()).square(size);
    let grains = dice.seed();
    let canvas = Canvas::ground(size, meters, |index, u, v| {
        let (push, knot) = around_knots(&knots, u, v);
        let u = u + 0.022 * sway.at(u, v) + push;
        let strand = fiber.at(u, v);
        let board = boards.at(u, v);
        // Cracks follow the zeros of a smooth noise field, and end in sound wood.
        let crack = cracks.at(u, v).abs() + 0.02 * strand;
        let gap = smooth(0.075, 0.01, crack) * smooth(-0.25, 0.25, stain[index] + 0.5 * board);
        let height = 0.0045 * strand - 0.011 * gap + 0.008 * knot;
        let gray = mix(srgb(0x8E887E), srgb(0xA59D90), smooth(-0.5, 0.5, board));
        let color = mix(gray, srgb(0x77695A), 0.5 * smooth(0.0, 0.8, stain[index]));
        let color = mix(color, srgb(0x4C4238), 0.8 * gap + 0.5 * knot);
        let tone = (1.0 + 0.26 * strand) * (0.95 + 0.1 * speck(index, grains));
        Texel::solid(scale(color, tone), height, 0.84 + 0.06 * strand)
    });
    let finish = Finish {
        albedo: 0.21,
        relief: 1.0,
        hollow: 0.025,
        occlusion: 2.2,
        grime: 0.6,
    };
    (canvas, finish)
}

/// Returns how far knots push the fibers sideways, in tile coordinates, and the strength of a knot.
fn around_knots(knots: &[[f32; 2]], u: f32, v: f32) -> (f32, f32) {
    let mut push = 0.0;
    let mut knot = 0.0_f32;
    for [x, y] in knots {
        // The distance to the nearest repetition of the knot.
        let near = |way: f32| way - (way + 0.5).floor();
        let (dx, dy) = (near(u - x), near(v - y) * 0.45);
        let square = (dx * dx + dy * dy) / (0.028 * 0.028);
        // Smooth and small at the far side, where the nearest repetition changes.
        push -= dx * 0.9 / (1.0 + square * square);
        let rings = 0.75 + 0.25 * libm::cosf(square.sqrt() * TAU * 1.6);
        knot = knot.max(smooth(0.85, 0.35, square) * rings);
    }
    (push, knot)
}
