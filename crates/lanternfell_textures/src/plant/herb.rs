//! Plants on the ground: grass, flowers, a bush.

use core::f32::consts::TAU;

use crate::{
    canvas::{Canvas, Strip, Texel},
    color::{Rgb, mix, scale, srgb},
    dice::Dice,
    noise::smooth,
    plant::leaf::{Leaf, UP, blade, oval, shade, stalk},
};

/// Paints blades from one root. Those in the back are longer and darker.
fn blades(canvas: &mut Canvas, dice: &mut Dice, count: usize, length: [f32; 2], spread: f32) {
    let meters = canvas.meters;
    let green = [
        srgb(0x5F6F2E),
        srgb(0x566A30),
        srgb(0x6E7C36),
        srgb(0x4C5E2E),
        srgb(0x78803C),
    ];
    for n in 0..count {
        let order = n as f32 / count as f32;
        let aside = dice.around(1.0);
        let lean = aside * 0.27 + dice.around(0.15);
        let length =
            meters * (length[1] + (length[0] - length[1]) * order) * dice.between(0.7, 1.0);
        let strip = Strip {
            x: meters * (0.5 + spread * aside),
            y: meters * 1.005,
            angle: UP + lean,
            length: length * (1.0 - 0.12 * lean.abs()),
            bend: length * (lean * 0.40 + dice.around(0.13)),
            width: meters * dice.between(0.005, 0.0095),
            shadow: meters * 0.010,
        };
        let color = scale(dice.tone(&green, 0.18, 0.08), shade(order));
        let dry = if dice.chance(0.1) {
            0.9
        } else {
            dice.between(0.1, 0.4)
        };
        let leaf = Leaf {
            color,
            tip: mix(color, scale(srgb(0xA39C5C), shade(order)), dry),
            level: 0.012 * order,
            veins: 0.0,
            fold: 0.5,
            rough: 0.6,
        };
        leaf.paint(canvas, &strip, blade);
    }
}

pub(super) fn tuft(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"tuft    ");
    // In the back, some stalks with ears.
    for _ in 0..6 {
        let lean = dice.around(0.3);
        let length = meters * dice.between(0.78, 0.95);
        let strip = Strip {
            x: meters * (0.5 + 0.12 * dice.around(1.0)),
            y: meters,
            angle: UP + lean * 0.6,
            length,
            bend: length * lean * 0.5,
            width: 0.0011,
            shadow: 0.0,
        };
        stalk(canvas, &strip, srgb(0x8F8850), 0.0, 0.3);
        ear(canvas, &mut dice, &strip);
    }
    blades(canvas, &mut dice, 110, [0.34, 0.90], 0.24);
    0.095
}

/// Paints the grains at the end of a stalk.
fn ear(canvas: &mut Canvas, dice: &mut Dice, strip: &Strip) {
    for n in 0..16 {
        let t = 0.76 + 0.24 * n as f32 / 16.0;
        let [x, y] = strip.point(t);
        let hand = if n % 2 == 0 { 0.45 } else { -0.45 };
        let grain = Strip {
            x,
            y,
            angle: strip.heading(t) + hand + dice.around(0.15),
            length: 0.013,
            width: 0.0021,
            ..Strip::default()
        };
        let color = dice.tone(&[srgb(0xA89A62), srgb(0x96884F)], 0.15, 0.05);
        let leaf = Leaf {
            color,
            tip: srgb(0xC2B47C),
            level: 0.002,
            veins: 0.0,
            fold: -0.3,
            rough: 0.75,
        };
        leaf.paint(canvas, &grain, oval);
    }
}

/// The head of a flower.
struct Head {
    petals: u32,
    /// The length of a petal in meters, and half its width as a fraction of that.
    length: f32,
    slim: f32,
    color: Rgb,
    heart: Rgb,
    /// The radius of the center, as a fraction of a petal's length.
    eye: f32,
}

pub(super) fn flowers(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"flowers ");
    blades(canvas, &mut dice, 34, [0.22, 0.5], 0.20);
    let count = 13;
    for n in 0..count {
        // Spread out, the tall ones first.
        let aside = ((n * 5 % count) as f32 + 0.5) / count as f32 * 2.0 - 1.0 + dice.around(0.06);
        let order = n as f32 / count as f32;
        let length = meters * (0.86 - 0.40 * order - 0.12 * aside.abs()) * dice.between(0.94, 1.03);
        let strip = Strip {
            x: meters * (0.5 + 0.13 * aside),
            y: meters,
            angle: UP + aside * 0.27,
            length,
            bend: length * (aside * 0.24 + dice.around(0.08)),
            width: 0.0014,
            shadow: 0.003,
        };
        let green = dice.tone(&[srgb(0x5E7234), srgb(0x6A7C3C)], 0.12, 0.05);
        stalk(canvas, &strip, green, 0.010, 0.2);
        stalk_leaves(canvas, &mut dice, &strip, green);
        let head = head(&mut dice);
        let tilt = strip.heading(1.0);
        paint_head(canvas, &mut dice, strip.point(1.0), tilt, &head);
    }
    0.17
}

fn head(dice: &mut Dice) -> Head {
    let kind = dice.unit();
    let length = dice.between(0.85, 1.1);
    match kind {
        k if k < 0.38 => Head {
            petals: 15,
            length: 0.021 * length,
            slim: 0.17,
            color: srgb(0xE2E0D4),
            heart: srgb(0xC69A28),
            eye: 0.42,
        },
        k if k < 0.62 => Head {
            petals: 5,
            length: 0.018 * length,
            slim: 0.55,
            color: srgb(0xD2AE2A),
            heart: srgb(0xA88420),
            eye: 0.25,
        },
        k if k < 0.82 => Head {
            petals: 11,
            length: 0.018 * length,
            slim: 0.22,
            color: srgb(0x5E66B0),
            heart: srgb(0x504878),
            eye: 0.30,
        },
        _ => Head {
            petals: 5,
            length: 0.022 * length,
            slim: 0.60,
            color: srgb(0xB8402C),
            heart: srgb(0x2C2420),
            eye: 0.22,
        },
    }
}

/// Paints some narrow leaves along a stalk.
fn stalk_leaves(canvas: &mut Canvas, dice: &mut Dice, strip: &Strip, green: Rgb) {
    for n in 0..5_u8 {
        let t = 0.15 + 0.13 * f32::from(n) + dice.around(0.04);
        let [x, y] = strip.point(t);
        let hand = if n % 2 == 0 { 1.0 } else { -1.0 };
        let length = dice.between(0.03, 0.055) * (1.1 - t);
        let side = Strip {
            x,
            y,
            angle: strip.heading(t) + hand * dice.between(0.5, 0.9),
            length,
            bend: hand * length * 0.25,
            width: length * 0.14,
            shadow: 0.003,
        };
        let leaf = Leaf {
            color: green,
            tip: mix(green, srgb(0x8C9850), 0.4),
            level: 0.011,
            veins: 0.0,
            fold: 0.3,
            rough: 0.6,
        };
        leaf.paint(canvas, &side, oval);
    }
}

/// Paints petals around a center, seen from the side: those along the stalk's direction are
/// shorter.
fn paint_head(canvas: &mut Canvas, dice: &mut Dice, [x, y]: [f32; 2], tilt: f32, head: &Head) {
    let first = dice.angle();
    let squash = dice.between(0.55, 0.9);
    let order = |n: u32| first + n as f32 * TAU / head.petals as f32;
    for n in 0..head.petals {
        let angle = order(n) + dice.around(0.08);
        // Foreshorten a petal along the direction of the stalk.
        let (sin, cos) = libm::sincosf(angle);
        let along = cos * squash;
        let seen = (along * along + sin * sin).sqrt();
        let petal = Strip {
            x,
            y,
            angle: tilt + libm::atan2f(sin, along),
            length: head.length * seen * dice.between(0.92, 1.05),
            width: head.length * head.slim * (0.6 + 0.4 * seen),
            shadow: 0.002,
            ..Strip::default()
        };
        let color = scale(head.color, (0.86 + 0.14 * seen) * (1.0 + dice.around(0.07)));
        let leaf = Leaf {
            color,
            tip: mix(color, [0.9, 0.88, 0.84], 0.15),
            level: 0.016 + 0.0008 * dice.unit(),
            veins: 0.0,
            fold: 0.2,
            rough: 0.65,
        };
        leaf.paint(canvas, &petal, petal_outline);
    }
    let radius = head.length * head.eye;
    canvas.patch(x, y, radius * 1.3, |dx, dy, _| {
        let away = (dx * dx + dy * dy).sqrt() / radius;
        let dome = (1.0 - away * away).max(0.0).sqrt();
        let alpha = smooth(1.1, 0.85, away);
        let color = scale(head.heart, 0.7 + 0.35 * dome);
        (alpha > 0.0).then(|| (Texel::solid(color, 0.018 + radius * 0.5 * dome, 0.8), alpha))
    });
}

/// The outline of a petal: narrow at the center, round at the end.
fn petal_outline(t: f32) -> f32 {
    let end = ((1.0 - t) * 5.0).clamp(0.0, 1.0);
    (0.35 + 0.65 * smooth(0.0, 0.7, t)) * (end * (2.0 - end)).sqrt()
}

/// Paints a bush: a dome of small leaves over some branches, dark inside.
pub(super) fn bush(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"bush    ");
    let green = [
        srgb(0x4A6230),
        srgb(0x526B33),
        srgb(0x425830),
        srgb(0x5E7438),
        srgb(0x667A3A),
    ];
    let branches: Vec<Strip> = (0..16).map(|n| branch(meters, n, &mut dice)).collect();
    let layers = 5;
    for layer in 0..layers {
        if layer == 2 {
            for strip in &branches {
                stalk(canvas, strip, srgb(0x54442F), 0.02, 0.6);
            }
        }
        // Outer leaves come last.
        let order = layer as f32 / (layers - 1) as f32;
        for strip in &branches {
            for _ in 0..12 {
                spray(canvas, &mut dice, strip, order, &green);
            }
        }
    }
    0.075
}

fn branch(meters: f32, n: usize, dice: &mut Dice) -> Strip {
    let aside = (n as f32 + 0.5) / 16.0 * 2.0 - 1.0;
    let lean = aside * 0.95 + dice.around(0.12);
    let length = meters * (0.76 - 0.30 * lean.abs()) * dice.between(0.82, 1.0);
    Strip {
        x: meters * (0.5 + 0.05 * aside),
        y: meters,
        angle: UP + lean * 0.85,
        length,
        bend: length * (lean * 0.12 + dice.around(0.2)),
        width: 0.005,
        shadow: 0.0,
    }
}

/// Paints some leaves around a position on a branch.
fn spray(canvas: &mut Canvas, dice: &mut Dice, branch: &Strip, order: f32, green: &[Rgb]) {
    let t = 0.18 + 0.82 * dice.unit().sqrt();
    let [x, y] = branch.point(t);
    let reach = canvas.meters * 0.075;
    for _ in 0..2 {
        let length = dice.between(0.045, 0.075);
        let strip = Strip {
            x: x + dice.around(reach),
            y: y + dice.around(reach),
            angle: branch.heading(t) + dice.around(1.5),
            length,
            bend: length * dice.around(0.25),
            width: length * dice.between(0.17, 0.3),
            shadow: 0.016,
        };
        // There is more light towards the ends and the top.
        let light = shade(order) * (0.68 + 0.34 * t);
        let color = scale(dice.tone(green, 0.18, 0.07), light);
        let leaf = Leaf {
            color,
            tip: mix(color, scale(srgb(0x8A9A50), light), dice.between(0.1, 0.5)),
            level: 0.005 + 0.05 * order + 0.01 * t,
            veins: 6.0,
            fold: dice.between(0.1, 0.4),
            rough: dice.between(0.45, 0.6),
        };
        leaf.paint(canvas, &strip, oval);
    }
}
