//! Soft ground: snow, mud, moss.

use core::f32::consts::TAU;

use crate::{
    bake::Finish,
    canvas::{Canvas, Strip, Texel},
    cells::Cells,
    color::{mix, scale, srgb, toned},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

/// Paints snow: drifts, a crust that the wind has cut into low tongues, and crystals, a few of
/// which sparkle.
pub(super) fn snow(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"snow    ");
    let drifts = Fractal::new(5, 6, 4, 0.42, dice.seed()).square(size);
    let shift = Fractal::new(6, 6, 3, 0.5, dice.seed());
    let tongues = Fractal::new(7, 17, 3, 0.38, dice.seed());
    let grain = Fractal::new(90, 90, 2, 0.7, dice.seed()).square(size);
    let crystals = dice.seed();
    let canvas = Canvas::ground(size, meters, |index, u, v| {
        let bent = shift.at(u, v) * 0.028;
        let (u, v) = (u + bent * 0.4, v + bent);
        // Offsetting the lookup by the wave's own height makes it steep to the wind and flat to the
        // lee.
        let wave = tongues.at(u, v);
        let crust = tongues.at(u + 0.004 * wave, v + 0.012 * wave);
        let height = 0.024 * drifts[index]
            + 0.013 * crust
            + 0.0014 * grain[index]
            + 0.0009 * (speck(index, crystals) - 0.5);
        let deep = smooth(0.4, -0.9, drifts[index] + 0.6 * crust);
        let color = mix([0.90, 0.905, 0.915], [0.80, 0.835, 0.885], deep);
        let shine = speck(index, crystals ^ 1);
        let tone = 0.98 + 0.02 * crust + 0.035 * (speck(index, crystals ^ 2) - 0.5);
        let (tone, rough) = if shine > 0.994 {
            (1.06, 0.18)
        } else {
            (tone, 0.66 - 0.08 * crust)
        };
        Texel::solid(scale(color, tone), height, rough + 0.06 * grain[index])
    });
    let finish = Finish {
        albedo: 0.86,
        relief: 1.0,
        hollow: 0.08,
        occlusion: 0.9,
        grime: 0.15,
    };
    (canvas, finish)
}

/// Paints mud: plates with edges that curl up as they dry, some with finer cracks, wet at the
/// bottom.
pub(super) fn mud(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"mud     ");
    let warp = Fractal::new(9, 9, 4, 0.5, dice.seed()).square(size);
    let aside = Fractal::new(9, 9, 4, 0.5, dice.seed()).square(size);
    let skin = Fractal::new(26, 26, 5, 0.6, dice.seed()).square(size);
    let damp = Fractal::new(14, 14, 3, 0.55, dice.seed()).square(size);
    let plates = Cells::new(11, 11, 0.95, dice.seed());
    let pieces = Cells::new(31, 33, 1.0, dice.seed());
    let grains = dice.seed();
    let canvas = Canvas::ground(size, meters, |index, u, v| {
        let (u, v) = (u + 0.017 * warp[index], v + 0.017 * aside[index]);
        let plate = plates.at(u, v);
        let piece = pieces.at(u, v);
        let width = 0.022 + 0.032 * plate.random(2);
        let crack = smooth(width, width * 0.3, plate.edge);
        let fine = smooth(0.06, 0.015, piece.edge)
            * smooth(0.35, 0.65, piece.random(1) + 0.5 * damp[index]);
        let curl = smooth(0.20, width, plate.edge);
        let tilt =
            plate.offset[0] * (plate.random(0) - 0.5) + plate.offset[1] * (plate.random(1) - 0.5);
        let height = (0.018 + 0.008 * curl * curl + 0.010 * tilt) * (1.0 - crack)
            - 0.005 * fine * (1.0 - crack)
            + 0.0022 * skin[index]
            + 0.0005 * (speck(index, grains) - 0.5);
        let wet = smooth(-0.1, 0.75, damp[index] - 0.7 * curl) * 0.7;
        let wet = wet.max(crack);
        let dry = mix(srgb(0x7A6650), srgb(0x8C775E), plate.random(3));
        let color = mix(dry, srgb(0x43352A), wet * 0.85);
        let tone = (1.0 + 0.14 * skin[index] + 0.12 * curl)
            * (1.0 - 0.25 * fine)
            * (0.93 + 0.14 * speck(index, grains ^ 1));
        Texel::solid(
            scale(color, tone),
            height,
            0.85 - 0.5 * wet + 0.06 * skin[index],
        )
    });
    let finish = Finish {
        albedo: 0.105,
        relief: 1.0,
        hollow: 0.05,
        occlusion: 2.4,
        grime: 0.55,
    };
    (canvas, finish)
}

/// Paints moss: merged cushions, each with a thousand shoots that point outward.
pub(super) fn moss(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"moss    ");
    let large = Cells::new(14, 13, 1.0, dice.seed());
    let small = Cells::new(37, 37, 1.0, dice.seed());
    let warp = Fractal::new(12, 12, 4, 0.55, dice.seed());
    let aside = Fractal::new(12, 12, 4, 0.55, dice.seed());
    let fuzz = Fractal::new(80, 80, 3, 0.7, dice.seed()).square(size);
    let grains = dice.seed();
    let cushion = |u: f32, v: f32| {
        let bent = warp.at(u, v);
        let (u, v) = (u + 0.022 * bent, v + 0.022 * aside.at(u, v));
        let big = large.at(u, v);
        let little = small.at(u, v);
        let dome = |near: f32| (1.0 - near * near * 1.5).max(-0.3);
        let height = 0.022 * dome(big.near) + 0.007 * dome(little.near) + 0.003 * bent;
        (height, big, little)
    };
    let green = [
        srgb(0x56692A),
        srgb(0x62752E),
        srgb(0x4C5F2A),
        srgb(0x6E7C34),
        srgb(0x5A6A34),
    ];
    let mut canvas = Canvas::ground(size, meters, |index, u, v| {
        let (height, _, little) = cushion(u, v);
        let deep = smooth(0.030, 0.0, height);
        let color = mix(srgb(0x55662A), srgb(0x2A3216), deep);
        let tone = (0.8 + 0.3 * little.random(0)) * (1.0 + 0.25 * fuzz[index]);
        let tone = tone * (0.8 + 0.4 * speck(index, grains));
        Texel::solid(
            scale(color, tone),
            height + 0.002 * fuzz[index],
            0.9 + 0.06 * fuzz[index],
        )
    });
    let count = (5500.0 * meters * meters) as usize;
    for (n, [x, y]) in dice.points(count, meters).into_iter().enumerate() {
        let (height, big, _) = cushion(x / meters, y / meters);
        let order = n as f32 / count as f32;
        // Outward, with a random offset.
        let out = libm::atan2f(-big.offset[1], -big.offset[0]);
        let strip = Strip {
            x,
            y,
            angle: out + dice.around(0.5) * TAU * 0.5,
            length: dice.between(0.010, 0.024),
            bend: dice.around(0.006),
            width: dice.between(0.0022, 0.0036),
            shadow: 0.004,
        };
        let light = (0.55 + 0.45 * order) * (0.7 + 0.5 * smooth(0.0, 0.028, height));
        let color = toned(
            mix(
                dice.tone(&green, 0.3, 0.10),
                srgb(0x7A6A3C),
                0.5 * smooth(0.75, 1.0, big.random(2)),
            ),
            light * (0.75 + 0.5 * big.random(1)),
            0.25 * (big.random(3) - 0.4),
        );
        let tip = mix(color, scale(srgb(0x98A050), light), dice.between(0.2, 0.7));
        let level = height + 0.003 * order + dice.around(0.0005);
        canvas.strip(
            &strip,
            |t| (1.0 - t * t).max(0.0),
            |t, s, _| {
                let fold = 1.0 + 0.12 * s;
                let height = level + 0.0025 * t - 0.0006 * (1.0 - s.abs());
                Texel::solid(
                    scale(mix(color, tip, t * t), fold * (0.75 + 0.25 * t)),
                    height,
                    0.92 - 0.14 * t,
                )
            },
        );
    }
    let finish = Finish {
        albedo: 0.075,
        relief: 1.0,
        hollow: 0.06,
        occlusion: 2.2,
        grime: 0.6,
    };
    (canvas, finish)
}
