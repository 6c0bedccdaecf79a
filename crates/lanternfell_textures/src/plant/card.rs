//! Converts a painted card to bytes.
//!
//! Uncovered pixels of a card need a color too: filtering blends it into the edges, where black
//! would be a dark fringe. So color, normal and the other values are averaged up to smaller and
//! smaller levels, with coverage as the weight. The result is then pushed down into the uncovered
//! pixels (Gortler and others, *The Lumigraph*, 1996).

use crate::{
    bake::{Baked, normal_of, signed_byte, unit_byte},
    blur::blurred,
    canvas::Canvas,
    color::{encode, luminance},
    mip::halved,
};

/// The distance over which light is occluded, as a fraction of a card's side.
const HOLLOW: f32 = 0.04;

/// The strength of the occlusion.
const OCCLUSION: f32 = 2.5;

/// The covered fraction, then color, normal x and y, roughness and occlusion, all multiplied by
/// that fraction.
type Weighed = [f32; 8];

/// Converts a card to bytes. `albedo` is the mean luminance of the covered part.
pub(super) fn bake_card(canvas: &Canvas, albedo: f32) -> Baked {
    let open = occlusion(canvas);
    let gain = gain(canvas, albedo);
    let weighed = (0..canvas.texels.len()).map(|index| {
        let texel = &canvas.texels[index];
        let [red, green, blue] = texel.color.map(|channel| channel * gain);
        let [x, y] = slope(canvas, index);
        let [x, y, _] = normal_of(x, y);
        let parts = [1.0, red, green, blue, x, y, texel.rough, open[index]];
        parts.map(|part| part * texel.cover)
    });
    let mut card = weighed.collect();
    bleed(&mut card, canvas.size);
    let mut baked = Baked {
        color_height: Vec::with_capacity(card.len() * 4),
        normal_material: Vec::with_capacity(card.len() * 4),
    };
    for (parts, texel) in card.iter().zip(&canvas.texels) {
        let [_, red, green, blue, x, y, rough, open] = *parts;
        let color = [
            encode(red),
            encode(green),
            encode(blue),
            unit_byte(texel.cover),
        ];
        let material = [
            signed_byte(x),
            signed_byte(y),
            unit_byte(rough),
            unit_byte(open),
        ];
        baked.color_height.extend_from_slice(&color);
        baked.normal_material.extend_from_slice(&material);
    }
    baked
}

fn gain(canvas: &Canvas, albedo: f32) -> f32 {
    let (mut light, mut covered) = (0.0_f64, 0.0_f64);
    for texel in &canvas.texels {
        light += f64::from(luminance(texel.color) * texel.cover);
        covered += f64::from(texel.cover);
    }
    if light > 0.0 {
        albedo * (covered / light) as f32
    } else {
        1.0
    }
}

/// Returns the slopes along u and v, from the covered neighbors.
fn slope(canvas: &Canvas, index: usize) -> [f32; 2] {
    let size = canvas.size;
    let (x, y) = (index % size, index / size);
    let here = canvas.texels[index].height;
    let height = |x: usize, y: usize| {
        let texel = &canvas.texels[y.min(size - 1) * size + x.min(size - 1)];
        if texel.cover > 0.5 {
            texel.height
        } else {
            here
        }
    };
    let across = height(x + 1, y) - height(x.saturating_sub(1), y);
    let down = height(x, y + 1) - height(x, y.saturating_sub(1));
    [across, down].map(|rise| rise / (2.0 * canvas.pixel()))
}

fn occlusion(canvas: &Canvas) -> Vec<f32> {
    // Uncovered pixels count as low as the lowest covered one.
    let covered = canvas.texels.iter().filter(|texel| texel.cover > 0.0);
    let lowest = covered.map(|texel| texel.height).fold(f32::MAX, f32::min);
    let height = |n: usize| {
        let texel = &canvas.texels[n];
        if texel.cover > 0.0 {
            lowest + (texel.height - lowest) * texel.cover
        } else {
            lowest
        }
    };
    let heights: Vec<f32> = (0..canvas.texels.len()).map(height).collect();
    let hollow = HOLLOW * canvas.meters;
    let radius = ((hollow / canvas.pixel() * 0.5 + 0.5) as usize).max(1);
    let around = blurred(&heights, canvas.size, radius);
    let below = around
        .iter()
        .zip(&heights)
        .map(|(around, height)| (around - height).max(0.0));
    below
        .map(|below| (1.0 / (1.0 + OCCLUSION * 4.0 * below / hollow)).max(0.2))
        .collect()
}

/// Divides by the weights, and fills pixels without weight from their surroundings.
fn bleed(card: &mut Vec<Weighed>, size: usize) {
    let mut levels = vec![core::mem::take(card)];
    let mut side = size;
    while side > 1 {
        let smaller = halved(&levels[levels.len() - 1], side);
        levels.push(smaller);
        side /= 2;
    }
    // Down from the smallest level, which contains something of everything.
    let mut filled: Vec<Weighed> = Vec::new();
    for level in levels.into_iter().rev() {
        filled = fill(level, &filled, side);
        side *= 2;
    }
    *card = filled;
}

/// The minimum covered fraction of a pixel that keeps its own color.
const OWN: f32 = 0.01;

/// Returns a level in which each pixel has its own color, or that of the smaller level.
fn fill(mut level: Vec<Weighed>, smaller: &[Weighed], side: usize) -> Vec<Weighed> {
    for (index, pixel) in level.iter_mut().enumerate() {
        let weight = pixel[0];
        let above = smaller.get(index / side / 2 * (side / 2) + index % side / 2);
        match above {
            Some(above) if weight < OWN => *pixel = *above,
            _ if weight > 0.0 => *pixel = pixel.map(|part| part / weight),
            _ => {}
        }
    }
    level
}
