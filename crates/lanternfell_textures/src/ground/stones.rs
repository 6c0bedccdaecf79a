//! Stones: round ones from a river, and angular ones from a cliff.
//!
//! Large stones are placed first, where there is still room. Smaller ones fill the gaps, as in real
//! gravel. A round stone is a slightly dented oval with a dome. An angular one is cut by straight
//! lines, with a tilted flat top and bevels.

use core::f32::consts::TAU;

use crate::{
    bake::Finish,
    canvas::{Canvas, Texel},
    cells::Cells,
    color::{Rgb, mix, scale, srgb, toned},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

/// A size class of stones: the smallest and the largest radius in meters, and the number of tries
/// per square meter.
struct Grade(f32, f32, f32);

/// The properties shared by all stones of a texture.
struct Quarry {
    /// Fine variations within stones.
    vein: Vec<f32>,
    /// The seed of the pixel grain.
    grain: u64,
}

/// The properties of one stone.
struct Stone {
    x: f32,
    y: f32,
    radius: f32,
    /// The ratio of width to length.
    flat: f32,
    turn: f32,
    color: Rgb,
    speckle: f32,
    level: f32,
    random: [f32; 4],
    rough: f32,
}

/// Whether there is no stone at a position and around it at a distance of `reach`.
fn is_free(canvas: &Canvas, x: f32, y: f32, reach: f32, bed: f32) -> bool {
    let lies = |x: f32, y: f32| canvas.under(x, y).height > bed;
    let around = |n: u8| {
        let (sin, cos) = libm::sincosf(f32::from(n) * TAU / 8.0);
        lies(x + cos * reach, y + sin * reach)
    };
    !lies(x, y) && !(0..8).any(around)
}

pub(super) fn pebbles(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"pebbles ");
    let mut canvas = gravel(size, meters, dice.seed());
    let quarry = Quarry {
        vein: Fractal::new(20, 20, 4, 0.6, dice.seed()).square(size),
        grain: dice.seed(),
    };
    let colors = [
        srgb(0x7C7B78),
        srgb(0x8E8A82),
        srgb(0x6B6A6A),
        srgb(0x857A6C),
        srgb(0x8E7F6F),
        srgb(0x5F5F61),
        srgb(0xA39C90),
        srgb(0x765F52),
        srgb(0xB8B2A6),
        srgb(0x717572),
    ];
    let grades = [
        Grade(0.065, 0.10, 40.0),
        Grade(0.04, 0.065, 180.0),
        Grade(0.024, 0.04, 700.0),
        Grade(0.014, 0.024, 2400.0),
        Grade(0.009, 0.014, 3600.0),
    ];
    for Grade(least, most, density) in grades {
        let count = (density * meters * meters) as usize;
        for [x, y] in dice.points(count, meters) {
            let stone = Stone {
                x,
                y,
                radius: dice.between(least, most),
                flat: dice.between(0.62, 0.95),
                turn: dice.angle(),
                color: dice.tone(&colors, 0.18, 0.025),
                speckle: dice.unit(),
                level: 0.0,
                random: [0; 4].map(|_| dice.around(1.0)),
                rough: dice.between(0.5, 0.75),
            };
            if is_free(&canvas, x, y, stone.radius * 0.72, 0.004) {
                round(&mut canvas, &stone, &quarry);
            }
        }
    }
    let finish = Finish {
        albedo: 0.19,
        relief: 0.8,
        hollow: 0.06,
        occlusion: 2.6,
        grime: 0.6,
    };
    (canvas, finish)
}

/// Creates grit and sand between the stones.
fn gravel(size: usize, meters: f32, seed: u64) -> Canvas {
    let count = (meters / 0.016) as usize;
    let cells = Cells::new(count, count, 1.0, seed);
    Canvas::ground(size, meters, |index, u, v| {
        let place = cells.at(u, v);
        let dome = smooth(0.0, 0.45, place.edge);
        let color = mix(srgb(0x5A5248), srgb(0x8A8072), place.random(0));
        let tone = (0.55 + 0.45 * dome) * (0.9 + 0.2 * speck(index, seed));
        Texel::solid(scale(color, tone), 0.003 * dome * place.random(1), 0.8)
    })
}

fn round(canvas: &mut Canvas, stone: &Stone, quarry: &Quarry) {
    let (sin, cos) = libm::sincosf(stone.turn);
    let [dent, skew, pinch, band] = stone.random;
    let pixel = canvas.pixel();
    let high = stone.radius * (0.45 + 0.2 * stone.flat);
    canvas.patch(stone.x, stone.y, stone.radius * 1.25, |dx, dy, index| {
        let a = (cos * dx + sin * dy) / stone.radius;
        let b = (cos * dy - sin * dx) / (stone.radius * stone.flat);
        let shape = 1.0 + 0.14 * dent * a * b + 0.10 * skew * a * a * a + 0.08 * pinch * b;
        let square = (a * a + b * b) * shape;
        let alpha =
            ((1.0 - square) * 0.5 * stone.radius * stone.flat / pixel + 0.5).clamp(0.0, 1.0);
        if alpha <= 0.0 {
            return None;
        }
        let dome = (1.0 - square * square.sqrt()).max(0.0).sqrt();
        let vein = quarry.vein[index];
        let stripe = smooth(
            0.25,
            0.0,
            (b * 1.3 + 0.3 * a + vein * 0.25 - band * 0.5).abs() - 0.05,
        );
        let stripe = if stone.speckle > 0.8 {
            stripe * 0.5
        } else {
            0.0
        };
        let speckle = (speck(index, quarry.grain) - 0.5) * 0.35 * stone.speckle;
        let tone = (1.0 + 0.16 * vein + speckle) * (0.72 + 0.28 * dome);
        let color = mix(scale(stone.color, tone), [0.5, 0.48, 0.44], stripe);
        let height = 0.004 + stone.level + high * dome + 0.0006 * vein;
        Some((
            Texel::solid(color, height, stone.rough + 0.06 * vein),
            alpha,
        ))
    });
}

pub(super) fn scree(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"scree   ");
    let mut canvas = gravel(size, meters, dice.seed());
    let quarry = Quarry {
        vein: Fractal::new(24, 24, 5, 0.62, dice.seed()).square(size),
        grain: dice.seed(),
    };
    let colors = [
        srgb(0x7A7874),
        srgb(0x6C6A68),
        srgb(0x88847C),
        srgb(0x7D7469),
        srgb(0x5E5C5C),
        srgb(0x94908A),
    ];
    let grades = [
        Grade(0.13, 0.20, 7.0),
        Grade(0.075, 0.13, 34.0),
        Grade(0.045, 0.075, 130.0),
        Grade(0.024, 0.045, 420.0),
        Grade(0.013, 0.024, 1300.0),
    ];
    for Grade(least, most, density) in grades {
        let count = (density * meters * meters) as usize;
        for [x, y] in dice.points(count, meters) {
            let stone = Stone {
                x,
                y,
                radius: dice.between(least, most),
                flat: dice.between(0.6, 0.95),
                turn: dice.angle(),
                color: dice.tone(&colors, 0.22, 0.03),
                speckle: dice.unit(),
                level: 0.0,
                random: [0; 4].map(|_| dice.around(1.0)),
                rough: dice.between(0.75, 0.9),
            };
            let cuts = cuts(&mut dice);
            if is_free(&canvas, x, y, stone.radius * 0.5, 0.012) {
                angular(&mut canvas, &stone, &cuts, &quarry);
            }
        }
    }
    let finish = Finish {
        albedo: 0.17,
        relief: 0.8,
        hollow: 0.09,
        occlusion: 2.6,
        grime: 0.6,
    };
    (canvas, finish)
}

/// Returns the straight sides of a stone: the direction of each and its distance.
fn cuts(dice: &mut Dice) -> Vec<[f32; 3]> {
    let count = 5 + (dice.unit() * 3.0) as usize;
    let side = |n: usize| {
        let angle = (n as f32 + dice.around(0.35)) * TAU / count as f32;
        let (sin, cos) = libm::sincosf(angle);
        [cos, sin, dice.between(0.62, 0.9)]
    };
    (0..count).map(side).collect()
}

fn angular(canvas: &mut Canvas, stone: &Stone, cuts: &[[f32; 3]], quarry: &Quarry) {
    let (sin, cos) = libm::sincosf(stone.turn);
    let [tilt_x, tilt_y, ridge, warm] = stone.random;
    let pixel = canvas.pixel();
    let thick = stone.radius * (0.4 + 0.15 * ridge);
    canvas.patch(stone.x, stone.y, stone.radius * 1.45, |dx, dy, index| {
        let vein = quarry.vein[index];
        let a = (cos * dx + sin * dy) / stone.radius;
        let b = (cos * dy - sin * dx) / (stone.radius * stone.flat);
        // The distance inside the nearest side, in radii.
        let mut inside = f32::MAX;
        for &[x, y, away] in cuts {
            inside = inside.min(away - (x * a + y * b));
        }
        let inside = inside + 0.03 * vein;
        let alpha = (inside * stone.radius * stone.flat / pixel + 0.5).clamp(0.0, 1.0);
        if alpha <= 0.0 {
            return None;
        }
        let top = 0.62 + 0.26 * (tilt_x * a + tilt_y * b);
        let facet = 0.62 + 0.4 * (ridge * a - tilt_x * b) + 0.12;
        let bevel = inside * (1.6 + 0.5 * warm);
        let shape = bevel.min(top).min(facet).max(0.0);
        let on_top = smooth(0.0, 0.12, bevel - top.min(facet));
        let speckle = (speck(index, quarry.grain) - 0.5) * 0.25;
        let tone = (1.0 + 0.22 * vein + speckle) * (0.82 + 0.18 * on_top);
        let edge = smooth(0.10, 0.0, (bevel - top.min(facet)).abs());
        let color = toned(stone.color, tone * (1.0 + 0.18 * edge), 0.03 * warm);
        let height = 0.006 + thick * shape * 1.5 + 0.0012 * vein;
        Some((Texel::solid(color, height, stone.rough), alpha))
    });
}
