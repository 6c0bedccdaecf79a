//! Fronds: a rib from the lower edge, with leaflets along both sides.

use core::f32::consts::PI;

use crate::{
    canvas::{Canvas, Strip},
    color::{mix, scale, srgb},
    dice::Dice,
    noise::smooth,
    plant::leaf::{Leaf, UP, lance, oval, shade, stalk},
};

/// Paints a palm frond: long, narrow, hanging leaflets, which lean forward more towards the end.
pub(super) fn palm(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"palm    ");
    let rib = Strip {
        x: meters * 0.5,
        y: meters,
        angle: UP,
        length: meters * 0.80,
        bend: dice.around(0.06),
        width: 0.018,
        shadow: 0.0,
    };
    let green = [
        srgb(0x55702E),
        srgb(0x5E7832),
        srgb(0x4B6530),
        srgb(0x688038),
    ];
    let pairs = 38;
    for n in 0..pairs {
        let along = n as f32 / (pairs - 1) as f32;
        let t = 0.12 + 0.87 * along;
        let [x, y] = rib.point(t);
        // The longest leaflets are in the lower middle.
        let reach = 0.35 + 0.65 * libm::sinf(PI * (0.12 + 0.80 * along));
        for hand in [-1.0, 1.0] {
            let length = meters * 0.40 * reach * dice.between(0.88, 1.06);
            let out = 1.15 - 0.85 * along + dice.around(0.07);
            let strip = Strip {
                x,
                y,
                angle: rib.heading(t) + hand * out,
                length,
                bend: hand * length * dice.between(0.02, 0.20),
                width: 0.019 + 0.007 * reach,
                shadow: 0.015,
            };
            let order = 0.35 + 0.65 * dice.unit();
            let color = scale(dice.tone(&green, 0.16, 0.06), shade(order));
            let dry = if dice.chance(0.12) {
                0.8
            } else {
                dice.between(0.1, 0.35)
            };
            let leaf = Leaf {
                color,
                tip: mix(color, scale(srgb(0xA89A58), shade(order)), dry),
                level: 0.01 * along + 0.02 * order,
                veins: 0.0,
                fold: 0.45,
                rough: 0.45,
            };
            leaf.paint(canvas, &strip, lance);
        }
    }
    stalk(canvas, &rib, srgb(0x8C9050), 0.05, 0.75);
    0.095
}

/// The leans of a fern's fronds: outer ones in the back, middle ones in front.
const LEANS: [f32; 9] = [-0.90, 0.92, -0.70, 0.72, -0.44, 0.48, 0.22, -0.20, 0.02];

/// Paints a fern: fronds that fan out from one root, each divided twice.
pub(super) fn fern(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"fern    ");

    for (n, lean) in LEANS.into_iter().enumerate() {
        let length = meters * (0.90 - 0.40 * lean.abs()) * dice.between(0.90, 1.02);
        let rib = Strip {
            x: meters * (0.5 + 0.02 * lean),
            y: meters,
            angle: UP + 0.75 * lean + dice.around(0.05),
            length,
            bend: lean * length * 0.32,
            width: 0.0035,
            shadow: 0.004,
        };
        let order = (n as f32 + 0.5) / LEANS.len() as f32;
        frond(canvas, &rib, &mut dice, order);
    }
    0.085
}

fn frond(canvas: &mut Canvas, rib: &Strip, dice: &mut Dice, order: f32) {
    let green = [
        srgb(0x4F7030),
        srgb(0x587834),
        srgb(0x466630),
        srgb(0x62803A),
    ];
    let level = 0.012 * order;
    let tone = dice.between(0.9, 1.1);
    let pairs = (rib.length / 0.021) as usize;
    for n in 0..pairs {
        let along = n as f32 / pairs as f32;
        let t = 0.14 + 0.85 * along;
        let [x, y] = rib.point(t);
        let reach = smooth(-0.12, 0.22, along) * (1.0 - along).max(0.0);
        for hand in [-1.0, 1.0] {
            let length = rib.length * 0.21 * (0.06 + reach) * dice.between(0.9, 1.05);
            let pinna = Strip {
                x,
                y,
                angle: rib.heading(t) + hand * (1.2 - 0.35 * along + dice.around(0.06)),
                length,
                bend: -hand * length * 0.15,
                width: 0.0010,
                shadow: 0.0,
            };
            let color = scale(dice.tone(&green, 0.10, 0.05), tone * (0.42 + 0.58 * order));
            pinnules(canvas, &pinna, dice, color, level + 0.001 * along);
            stalk(canvas, &pinna, scale(color, 0.9), level + 0.003, 0.6);
        }
    }
    stalk(
        canvas,
        rib,
        scale(srgb(0x7A7440), shade(order)),
        level + 0.004,
        0.7,
    );
}

/// Paints the smallest leaflets.
fn pinnules(
    canvas: &mut Canvas,
    pinna: &Strip,
    dice: &mut Dice,
    color: crate::color::Rgb,
    level: f32,
) {
    let count = ((pinna.length / 0.0075) as usize).max(2);
    for n in 0..count {
        let along = (n as f32 + 0.3) / count as f32;
        let [x, y] = pinna.point(along);
        let length = 0.004 + 0.013 * (1.0 - along) * (pinna.length / 0.15).min(1.0);
        for hand in [-1.0, 1.0] {
            let strip = Strip {
                x,
                y,
                angle: pinna.heading(along) + hand * dice.between(0.85, 1.15),
                length: length + 0.004,
                bend: 0.0,
                width: 0.0036,
                shadow: 0.002,
            };
            let color = scale(color, 1.0 + dice.around(0.10));
            let leaf = Leaf {
                color,
                tip: mix(color, srgb(0x8A9C54), 0.35),
                level: level + 0.0006 * dice.unit(),
                veins: 0.0,
                fold: -0.25,
                rough: 0.6,
            };
            leaf.paint(canvas, &strip, oval);
        }
    }
}
