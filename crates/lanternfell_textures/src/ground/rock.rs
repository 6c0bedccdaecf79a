//! Rock: granite, basalt, sandstone.
//!
//! Rock consists of blocks between joints (cells around scattered points, each with its own tilt),
//! a rough surface (noise in octaves), and lichen.

use core::f32::consts::TAU;

use crate::{
    bake::Finish,
    canvas::{Canvas, Texel},
    cells::{Cells, Place},
    color::{Rgb, mix, scale, srgb, toned},
    dice::Dice,
    noise::{Fractal, smooth, speck},
};

/// Returns the height of a cell's tilted face, in squares of its grid.
fn face(place: &Place, steep: f32) -> f32 {
    let tilt = |which: u32| (place.random(which) - 0.5) * 2.0 * steep;
    place.offset[0] * tilt(0) + place.offset[1] * tilt(1)
}

/// Noise that offsets positions, in tile coordinates.
struct Warp {
    across: Vec<f32>,
    down: Vec<f32>,
    strength: f32,
}

impl Warp {
    fn new(cells: usize, octaves: u32, strength: f32, size: usize, dice: &mut Dice) -> Self {
        let mut square = || Fractal::new(cells, cells, octaves, 0.5, dice.seed()).square(size);
        Self {
            across: square(),
            down: square(),
            strength,
        }
    }

    fn at(&self, index: usize, u: f32, v: f32) -> (f32, f32) {
        (
            u + self.across[index] * self.strength,
            v + self.down[index] * self.strength,
        )
    }
}

/// The number of slab steps between low and high.
const STEPS: f32 = 1.7;

pub(super) fn granite(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"granite ");
    let warp = Warp::new(6, 5, 0.03, size, &mut dice);
    let body = Fractal::new(6, 5, 4, 0.38, dice.seed());
    let joints = Cells::new(5, 4, 1.0, dice.seed());
    let flakes = Cells::new(26, 23, 1.0, dice.seed());
    let skin = Fractal::new(22, 22, 5, 0.66, dice.seed()).square(size);
    let patches = Fractal::new(16, 16, 4, 0.6, dice.seed()).square(size);
    let clumps = Fractal::new(110, 110, 2, 0.7, dice.seed()).square(size);
    let grains = dice.seed();
    let mut canvas = Canvas::ground(size, meters, |index, u, v| {
        let (u, v) = warp.at(index, u, v);
        let swell = body.at(u, v);
        let rough_skin = skin[index];
        // Slabs have broken off. The rest forms steps.
        let steps = swell * STEPS + 0.05 * patches[index];
        let within = steps - steps.floor();
        let riser = smooth(0.35, 1.0, within);
        let slab = (steps.floor() + riser) / STEPS;
        let chip = flakes.at(u + 0.006 * rough_skin, v);
        let chips = face(&chip, 0.9) * smooth(-0.1, 0.5, patches[index]);
        let edge = riser * (1.0 - riser) * 4.0;
        let joint = joints.at(u, v);
        // Joints are open in some places and closed in others.
        let open = smooth(0.0, 0.5, warp.across[index] - warp.down[index]);
        let joint = smooth(0.02 + 0.02 * open, 0.0, joint.edge) * open;
        let height = 0.13 * slab + 0.06 * swell + 0.016 * rough_skin + 0.02 * chips - 0.05 * joint
            + 0.0014 * (speck(index, grains) - 0.5);
        let rust = smooth(0.1, 0.8, patches[index] + 0.35 * rough_skin);
        let color = mineral(clumps[index], index, grains);
        let color = mix(color, [0.27, 0.205, 0.15], 0.30 * rust);
        let tone = (1.0 + 0.18 * rough_skin - 0.10 * edge) * (1.0 - 0.55 * joint);
        let rough = 0.72 + 0.1 * rough_skin + 0.1 * rust;
        Texel::solid(scale(color, tone), height, rough)
    });
    lichens(&mut canvas, &mut dice, 6.0, &patches);
    let finish = Finish {
        albedo: 0.22,
        relief: 1.0,
        hollow: 0.12,
        occlusion: 2.0,
        grime: 0.55,
    };
    (canvas, finish)
}

/// Returns the color of a mineral: feldspar, quartz or mica, in clumps.
fn mineral(clump: f32, index: usize, seed: u64) -> Rgb {
    let which = 0.5 + 0.45 * clump + 0.5 * (speck(index, seed ^ 5) - 0.5);
    let tone = 0.92 + 0.16 * speck(index, seed ^ 6);
    let mica = smooth(0.28, 0.16, which);
    let pink = smooth(0.70, 0.80, which);
    let quartz = smooth(0.40, 0.44, which) * smooth(0.58, 0.54, which);
    let color = mix([0.31, 0.285, 0.258], [0.24, 0.24, 0.24], quartz);
    let color = mix(color, [0.37, 0.29, 0.25], pink);
    scale(mix(color, [0.09, 0.09, 0.095], mica), tone)
}

/// Paints crusts of lichen: frayed discs, some with a dark center.
fn lichens(canvas: &mut Canvas, dice: &mut Dice, density: f32, fray: &[f32]) {
    let meters = canvas.meters;
    let colors = [
        srgb(0x9AA08C),
        srgb(0x8A927C),
        srgb(0xA8AA94),
        srgb(0x70766A),
        srgb(0xA08A4C),
    ];
    let count = (density * meters * meters) as usize;
    for [x, y] in dice.points(count, meters) {
        let radius = dice.between(0.02, 0.09) * dice.between(0.5, 1.0);
        let color = dice.tone(&colors, 0.12, 0.05);
        let (ring, seed) = (dice.chance(0.3), dice.seed());
        canvas.patch(x, y, radius * 1.5, |dx, dy, index| {
            let away = (dx * dx + dy * dy).sqrt() / radius;
            let frayed = away + 0.35 * fray[index] + 0.3 * (speck(index, seed) - 0.5);
            let alpha = smooth(1.0, 0.75, frayed);
            let middle = if ring { smooth(0.55, 0.3, frayed) } else { 0.0 };
            let color = scale(
                color,
                1.0 - 0.4 * middle + 0.2 * (speck(index, seed ^ 1) - 0.5),
            );
            (alpha > 0.0).then(|| (Texel::skin(color, 0.95), alpha * 0.8))
        });
    }
}

pub(super) fn basalt(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"basalt  ");
    let warp = Warp::new(8, 4, 0.014, size, &mut dice);
    let columns = Cells::new(8, 7, 0.85, dice.seed());
    let chips = Cells::new(21, 19, 1.0, dice.seed());
    let skin = Fractal::new(18, 18, 6, 0.62, dice.seed()).square(size);
    let holes = Cells::new(130, 130, 1.0, dice.seed());
    let grains = dice.seed();
    let canvas = Canvas::ground(size, meters, |index, u, v| {
        let (u, v) = warp.at(index, u, v);
        let column = columns.at(u, v);
        let chip = chips.at(u, v);
        let hole = holes.at(u, v);
        let rough_skin = skin[index];
        let patchy = smooth(-0.3, 0.6, warp.across[index]);
        let joint = smooth(0.012 + 0.03 * patchy, 0.0, column.edge);
        let worn = smooth(0.07, 0.0, column.edge + 0.03 * rough_skin);
        let split = smooth(0.06, 0.0, chip.edge) * smooth(0.55, 0.75, chip.random(3));
        let vesicle = if hole.random(0) < 0.16 {
            smooth(0.42, 0.22, hole.near)
        } else {
            0.0
        };
        let height = 0.09 * column.random(2)
            + 0.14 * face(&column, 0.45)
            + 0.055 * face(&chip, 0.6)
            + 0.012 * rough_skin
            - 0.07 * joint
            - 0.012 * worn * worn
            - 0.008 * split
            - 0.006 * vesicle;
        let tone = (0.85 + 0.3 * column.random(3))
            * (1.0 + 0.2 * rough_skin)
            * (1.0 + 0.35 * (speck(index, grains) - 0.5))
            * (1.0 - 0.5 * vesicle - 0.45 * joint - 0.3 * split + 0.22 * worn * (1.0 - joint));
        let iron = smooth(0.25, 0.85, chip.random(2) * 0.55 + 0.5 * rough_skin);
        let color = mix([0.056, 0.055, 0.055], [0.095, 0.07, 0.055], 0.6 * iron);
        Texel::solid(
            scale(color, tone),
            height,
            0.68 + 0.1 * rough_skin + 0.15 * joint,
        )
    });
    let finish = Finish {
        albedo: 0.058,
        relief: 1.0,
        hollow: 0.12,
        occlusion: 2.0,
        grime: 0.5,
    };
    (canvas, finish)
}

/// The number of thin layers per tile. Each is some centimeters thick.
const LAMINAE: f32 = 88.0;

/// A stratum of sandstone.
struct Stratum {
    /// Its top edge, as a tile coordinate.
    top: f32,
    color: Rgb,
    /// How far it protrudes, from 0 to 1.
    hard: f32,
    /// The slant of its thin layers, and their strength.
    cross: f32,
    fine: f32,
    /// The depth of the joint above it, from 0 to 1.
    joint: f32,
}

/// Returns the strata of a tile from top to bottom, 5 to 41 cm thick before they are scaled to fit.
fn strata(dice: &mut Dice, meters: f32) -> Vec<Stratum> {
    let colors = [
        srgb(0xAC8C68),
        srgb(0xA5815F),
        srgb(0xB59A76),
        srgb(0x9E785A),
        srgb(0xB8A282),
        srgb(0xA88E70),
        srgb(0x99745A),
    ];
    let mut heights = Vec::new();
    let mut total = 0.0;
    while total < meters {
        let height = 0.05 + 0.36 * dice.unit() * dice.unit();
        heights.push(height);
        total += height;
    }
    let mut top = 0.0;
    let layer = |height: f32| {
        let stratum = Stratum {
            top,
            color: dice.tone(&colors, 0.10, 0.02),
            hard: dice.unit(),
            cross: dice.around(0.9),
            fine: dice.between(0.3, 1.0),
            joint: dice.unit() * dice.unit(),
        };
        top += height / total;
        stratum
    };
    heights.into_iter().map(layer).collect()
}

pub(super) fn sandstone(size: usize, meters: f32, seed: u64) -> (Canvas, Finish) {
    let mut dice = Dice::new(seed, b"sandston");
    let layers = strata(&mut dice, meters);
    let wave = Fractal::new(3, 5, 5, 0.42, dice.seed()).square(size);
    let skin = Fractal::new(20, 30, 5, 0.62, dice.seed()).square(size);
    let blocks = Cells::new(6, 9, 1.0, dice.seed());
    let pits = Cells::new(70, 90, 1.0, dice.seed());
    let grains = dice.seed();
    let canvas = Canvas::ground(size, meters, |index, u, v| {
        let at = v + 0.022 * wave[index];
        let at = at - at.floor();
        let which = layers.partition_point(|layer| layer.top <= at).max(1) - 1;
        let layer = &layers[which];
        let end = layers.get(which + 1).map_or(1.0, |next| next.top);
        let within = (at - layer.top) / (end - layer.top);
        // The joints above and below the stratum are sharp at the top and soft at the bottom.
        let thick = (end - layer.top) * meters;
        let below = layers.get(which + 1).unwrap_or(&layers[0]);
        let gape = |joint: f32| (0.10 + 0.9 * joint) * (0.75 + 0.6 * wave[index]).clamp(0.1, 1.0);
        let worn = smooth(0.018, 0.0, within * thick) * gape(layer.joint);
        let ledge = 1.0 - worn.max(smooth(0.028, 0.0, (1.0 - within) * thick) * gape(below.joint));
        let slanted = at + layer.cross * 0.02 * wave[index];
        let fine = libm::sinf(slanted * LAMINAE * TAU + layer.cross * 6.0 * skin[index]);
        let block = blocks.at(u + 0.02 * wave[index], v + 0.04 * wave[index]);
        let crack =
            smooth(0.03, 0.0, block.edge) * smooth(0.2, 0.6, wave[index] + 0.3 * skin[index]);
        let pit = pits.at(u, v);
        let hollow = if pit.random(0) < 0.2 {
            smooth(0.4, 0.1, pit.near)
        } else {
            0.0
        };
        let height = 0.03 * layer.hard
            + 0.05 * ledge
            + 0.0035 * layer.fine * fine
            + 0.010 * skin[index]
            + 0.03 * face(&block, 0.25)
            - 0.03 * crack
            - 0.008 * hollow;
        let tone = (0.78 + 0.22 * ledge)
            * (1.0 + 0.11 * layer.fine * fine + 0.13 * skin[index])
            * (1.0 - 0.45 * crack - 0.3 * hollow)
            * (0.94 + 0.12 * speck(index, grains));
        let color = toned(layer.color, tone, 0.04 * fine * layer.fine);
        Texel::solid(color, height, 0.86 + 0.05 * skin[index])
    });
    let finish = Finish {
        albedo: 0.27,
        relief: 1.0,
        hollow: 0.10,
        occlusion: 2.0,
        grime: 0.5,
    };
    (canvas, finish)
}
