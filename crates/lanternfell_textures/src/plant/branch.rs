//! Branches of trees: a twig that starts at the middle of the lower edge, side twigs, and their
//! leaves.
//!
//! The back is painted first and is darker. The twigs come next, then the front, so that there are
//! leaves on both sides of the twigs.

use crate::{
    canvas::{Canvas, Strip},
    color::{Rgb, mix, scale, srgb},
    dice::Dice,
    noise::smooth,
    plant::leaf::{Leaf, UP, lance, oval, shade, stalk, triangle},
};

/// A twig and its side twigs.
struct Twigs {
    main: Strip,
    sides: Vec<Strip>,
}

/// The parameters of twigs.
struct Growth {
    /// The main twig's length and half its width, in meters.
    length: f32,
    width: f32,
    /// The sideways offset of its end, in meters.
    bend: f32,
    /// The number of side twigs.
    count: usize,
    /// The length of the lowest and the highest side twig, in meters.
    sides: [f32; 2],
    /// The angle of the lowest and the highest side twig from the main one, in radians.
    angles: [f32; 2],
    /// How much side twigs hang (or rise, if negative): the sideways offset of their end as a
    /// fraction of their length.
    droop: f32,
}

impl Twigs {
    fn grow(meters: f32, growth: &Growth, dice: &mut Dice) -> Self {
        let main = Strip {
            x: meters * 0.5,
            y: meters,
            angle: UP - growth.bend * 0.3 / growth.length,
            length: growth.length,
            bend: growth.bend,
            width: growth.width,
            shadow: 0.0,
        };
        let side = |n: usize| {
            let along = (n as f32 + 0.5 + dice.around(0.25)) / growth.count as f32;
            let t = 0.10 + 0.86 * along;
            let hand = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
            let between = |ends: [f32; 2]| ends[0] + (ends[1] - ends[0]) * along;
            let length = between(growth.sides) * dice.between(0.8, 1.1);
            let [x, y] = main.point(t);
            Strip {
                x,
                y,
                angle: main.heading(t) + hand * between(growth.angles) * dice.between(0.85, 1.15),
                length,
                bend: hand * length * (growth.droop + dice.around(0.06)),
                width: growth.width * 0.6 * (1.0 - 0.5 * along),
                shadow: 0.0,
            }
        };
        let sides = (0..growth.count).map(side).collect();
        Self { main, sides }
    }

    fn all(&self) -> impl Iterator<Item = &Strip> {
        core::iter::once(&self.main).chain(&self.sides)
    }

    fn paint(&self, canvas: &mut Canvas, color: Rgb, level: f32) {
        for strip in &self.sides {
            stalk(canvas, strip, color, level, 0.5);
        }
        stalk(canvas, &self.main, color, level, 0.6);
    }
}

pub(super) fn pine(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"pine    ");
    let growth = Growth {
        length: meters * 0.86,
        width: 0.006,
        bend: dice.around(0.03),
        count: 21,
        sides: [0.40, 0.12],
        angles: [1.15, 0.65],
        droop: -0.16,
    };
    let twigs = Twigs::grow(meters, &growth, &mut dice);
    // First behind the twigs, then in front of them.
    needles(canvas, &twigs, &mut dice, 0.0, 0.0);
    twigs.paint(canvas, srgb(0x5C4632), 0.010);
    needles(canvas, &twigs, &mut dice, 0.012, 1.0);
    0.055
}

/// Paints needles on both sides of all twigs. `light` is 0 behind the twigs and 1 in front of them.
fn needles(canvas: &mut Canvas, twigs: &Twigs, dice: &mut Dice, level: f32, light: f32) {
    let green = [
        srgb(0x33492C),
        srgb(0x3B5230),
        srgb(0x2C422C),
        srgb(0x465A34),
    ];
    for twig in twigs.all() {
        let count = (twig.length / 0.0042) as usize;
        for n in 0..count {
            let t = (n as f32 + dice.unit()) / count as f32;
            if twig.length > 0.5 && t < 0.12 {
                continue;
            }
            for hand in [-1.0, 1.0] {
                let [x, y] = twig.point(t);
                let out = dice.between(0.35, 0.85) * (1.0 - 0.45 * t * light);
                let length = dice.between(0.036, 0.056) * (1.0 - 0.25 * t);
                let strip = Strip {
                    x,
                    y,
                    angle: twig.heading(t) + hand * out,
                    length,
                    bend: -hand * length * dice.between(0.0, 0.18),
                    width: 0.0014,
                    shadow: 0.003,
                };
                let order = 0.25 + 0.55 * light + 0.2 * dice.unit();
                let young = mix(srgb(0x6C7F42), srgb(0x7A8A4C), dice.unit());
                let color = scale(dice.tone(&green, 0.2, 0.06), shade(order));
                let color = mix(color, young, 0.35 * light * smooth(0.6, 1.0, t));
                let leaf = Leaf {
                    color,
                    tip: mix(color, young, 0.4 * light),
                    level: level + dice.unit() * 0.004,
                    veins: 0.0,
                    fold: 0.0,
                    rough: 0.55,
                };
                leaf.paint(canvas, &strip, lance);
            }
        }
    }
}

/// The leaves of twigs.
struct Foliage<'a> {
    /// The distance between leaves along a twig, in meters.
    spacing: f32,
    /// The shortest and the longest length, in meters.
    length: [f32; 2],
    /// Half the width as a fraction of the length.
    slim: f32,
    /// The range of angles between leaves and the twig, in radians.
    out: [f32; 2],
    colors: &'a [Rgb],
    tip: Rgb,
    veins: f32,
    /// The fraction of leaves that are turning yellow.
    old: f32,
    outline: fn(f32) -> f32,
}

/// Paints leaves on all twigs in random order. Their brightness runs from that of order `from` to
/// that of order `to`.
fn leaves(
    canvas: &mut Canvas,
    twigs: &Twigs,
    dice: &mut Dice,
    foliage: &Foliage,
    from: f32,
    to: f32,
) {
    let mut places = Vec::new();
    for twig in twigs.all() {
        let count = (twig.length / foliage.spacing).ceil() as usize;
        for n in 0..count {
            let t = (n as f32 + 0.4 + dice.around(0.3)) / count as f32;
            if t > 0.14 {
                places.push((*twig, t.min(1.0), if n % 2 == 0 { 1.0 } else { -1.0 }));
            }
        }
        places.push((*twig, 1.0, dice.around(0.3)));
    }
    dice.shuffle(&mut places);
    let count = places.len() as f32;
    for (n, (twig, t, hand)) in places.into_iter().enumerate() {
        let order = from + (to - from) * n as f32 / count;
        let [x, y] = twig.point(t);
        let length = dice.between(foliage.length[0], foliage.length[1]);
        let hand = if hand.abs() < 1.0 {
            hand
        } else {
            hand * dice.between(foliage.out[0], foliage.out[1])
        };
        let stem = Strip {
            x,
            y,
            angle: twig.heading(t) + hand,
            length: length * 0.2,
            width: 0.0012,
            ..Strip::default()
        };
        let color = dice.tone(foliage.colors, 0.16, 0.07);
        let color = if dice.chance(foliage.old) {
            mix(color, srgb(0xA09040), 0.6)
        } else {
            color
        };
        let color = scale(color, shade(order));
        stalk(
            canvas,
            &stem,
            mix(color, srgb(0x7A7A48), 0.5),
            0.010 + 0.02 * order,
            0.0,
        );
        let [x, y] = stem.point(0.95);
        let strip = Strip {
            x,
            y,
            angle: stem.angle + dice.around(0.25),
            length,
            bend: length * dice.around(0.22),
            // As if it were seen more or less from the side.
            width: length * foliage.slim * dice.between(0.6, 1.0),
            shadow: 0.008,
        };
        let leaf = Leaf {
            color,
            tip: mix(
                color,
                scale(foliage.tip, shade(order)),
                dice.between(0.1, 0.5),
            ),
            level: 0.010 + 0.02 * order,
            veins: foliage.veins,
            fold: dice.between(0.1, 0.4),
            rough: dice.between(0.45, 0.6),
        };
        leaf.paint(canvas, &strip, foliage.outline);
    }
}

pub(super) fn broad(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"broad   ");
    let growth = Growth {
        length: meters * 0.72,
        width: 0.004,
        bend: dice.around(0.05),
        count: 9,
        sides: [0.28, 0.07],
        angles: [0.95, 0.6],
        droop: -0.10,
    };
    let twigs = Twigs::grow(meters, &growth, &mut dice);
    let foliage = Foliage {
        spacing: 0.034,
        length: [0.07, 0.115],
        slim: 0.27,
        out: [0.5, 1.15],
        colors: &[
            srgb(0x4C6A2E),
            srgb(0x557232),
            srgb(0x446030),
            srgb(0x5E7834),
        ],
        tip: srgb(0x7E9048),
        veins: 7.0,
        old: 0.03,
        outline: oval,
    };
    leaves(canvas, &twigs, &mut dice, &foliage, 0.0, 0.5);
    twigs.paint(canvas, srgb(0x5E4C36), 0.020);
    leaves(canvas, &twigs, &mut dice, &foliage, 0.5, 1.0);
    0.085
}

pub(super) fn birch(canvas: &mut Canvas, seed: u64) -> f32 {
    let meters = canvas.meters;
    let mut dice = Dice::new(seed, b"birchlvs");
    let growth = Growth {
        length: meters * 0.78,
        width: 0.0026,
        bend: dice.around(0.06),
        count: 13,
        sides: [0.26, 0.11],
        angles: [0.85, 0.6],
        droop: 0.12,
    };
    let twigs = Twigs::grow(meters, &growth, &mut dice);
    let foliage = Foliage {
        spacing: 0.025,
        length: [0.036, 0.058],
        slim: 0.40,
        out: [0.6, 1.4],
        colors: &[
            srgb(0x61792F),
            srgb(0x6B8236),
            srgb(0x567032),
            srgb(0x768A3A),
        ],
        tip: srgb(0x93A04C),
        veins: 6.0,
        old: 0.07,
        outline: triangle,
    };
    leaves(canvas, &twigs, &mut dice, &foliage, 0.0, 0.5);
    twigs.paint(canvas, srgb(0x5A4434), 0.020);
    leaves(canvas, &twigs, &mut dice, &foliage, 0.5, 1.0);
    0.105
}
