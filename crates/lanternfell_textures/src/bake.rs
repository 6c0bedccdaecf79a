//! Converts a painted canvas to the bytes of a texture.
//!
//! 1. Heights are leveled and spread over 256 steps. The lowest and the highest 1/1000 of the
//!    pixels are clamped to the ends.
//! 2. Normals are central differences of the heights in meters. Steep ones are flattened, otherwise
//!    the cliffs between blades of grass would dominate.
//! 3. Occlusion is how much lower a pixel is than its surroundings, near and far (an unsharp mask
//!    of the height; Luft, Colditz and Deussen 2006).
//! 4. Colors are darkened slightly where they are occluded, leveled, and scaled to the albedo of
//!    the real material.

use crate::{
    blur::blurred,
    canvas::Canvas,
    color::{Rgb, encode, luminance, scale},
    level::{level_heights, level_tones},
    rows,
};

/// The parameters of the conversion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finish {
    /// The mean luminance, linear.
    pub(crate) albedo: f32,
    /// The factor of the heights for normals and occlusion.
    pub(crate) relief: f32,
    /// The distance over which light is occluded, in meters.
    pub(crate) hollow: f32,
    /// The strength of the occlusion.
    pub(crate) occlusion: f32,
    /// The share of the occlusion that also darkens the color, from 0 to 1.
    pub(crate) grime: f32,
}

/// The bytes of a texture.
pub(crate) struct Baked {
    pub(crate) color_height: Vec<u8>,
    pub(crate) normal_material: Vec<u8>,
}

/// The maximum slope. Steeper ones are flattened to it.
const STEEPEST: f32 = 1.6;

/// The minimum of the occlusion.
const DARKEST: f32 = 0.12;

/// Converts a canvas of ground to bytes.
pub(crate) fn bake(canvas: &Canvas, finish: &Finish) -> Baked {
    let size = canvas.size;
    let mut heights: Vec<f32> = canvas.texels.iter().map(|texel| texel.height).collect();
    level_heights(&mut heights, size);
    let open = occlusion(&heights, canvas, finish);
    let mut colors: Vec<Rgb> = Vec::with_capacity(size * size);
    for (texel, open) in canvas.texels.iter().zip(&open) {
        colors.push(scale(texel.color, 1.0 - finish.grime * (1.0 - open)));
    }
    level_tones(&mut colors, size);
    let steps = height_steps(&heights);
    let gain = finish.albedo / mean_luminance(&colors).max(1e-6);
    let mut color_height = vec![0; size * size * 4];
    rows::for_each(&mut color_height, size * 4, |y, row| {
        for (x, bytes) in row.chunks_exact_mut(4).enumerate() {
            let index = y * size + x;
            let color = colors[index].map(|channel| encode(channel * gain));
            bytes[..3].copy_from_slice(&color);
            bytes[3] = steps[index];
        }
    });
    let rough = |index: usize| canvas.texels[index].rough;
    Baked {
        color_height,
        normal_material: normals(&heights, size, canvas.pixel(), finish.relief, rough, &open),
    }
}

fn mean_luminance(colors: &[Rgb]) -> f32 {
    let sum: f64 = colors
        .iter()
        .map(|&color| f64::from(luminance(color)))
        .sum();
    (sum / colors.len() as f64) as f32
}

/// Returns the occlusion of each pixel, from [`DARKEST`] to 1 (open).
fn occlusion(heights: &[f32], canvas: &Canvas, finish: &Finish) -> Vec<f32> {
    let size = canvas.size;
    let ring = |meters: f32| {
        let radius = ((meters / canvas.pixel() * 0.5 + 0.5) as usize).max(1);
        (
            blurred(heights, size, radius),
            finish.relief / meters.max(canvas.pixel()),
        )
    };
    let (far, far_slope) = ring(finish.hollow);
    let (near, near_slope) = ring(finish.hollow * 0.25);
    rows::square(size, |x, y| {
        let index = y * size + x;
        let below = |around: f32, slope: f32| ((around - heights[index]) * slope).max(0.0);
        let depth = below(far[index], far_slope) + below(near[index], near_slope);
        // 1 is open. A depth of one ring radius removes a share of the remaining light.
        (1.0 / (1.0 + finish.occlusion * depth)).max(DARKEST)
    })
}

/// Converts heights to steps from 0 to 255.
fn height_steps(heights: &[f32]) -> Vec<u8> {
    let mut order: Vec<u32> = heights.iter().map(|&height| sortable(height)).collect();
    let last = order.len() - 1;
    let rare = last / 1000;
    let low = unsortable(*order.select_nth_unstable(rare).1);
    let high = unsortable(*order.select_nth_unstable(last - rare).1);
    let factor = 255.0 / (high - low).max(1e-9);
    let step = |height: &f32| ((height - low) * factor + 0.5).clamp(0.0, 255.0) as u8;
    heights.iter().map(step).collect()
}

/// Converts a number to an integer that sorts in the same order.
fn sortable(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

fn unsortable(bits: u32) -> f32 {
    f32::from_bits(if bits >> 31 == 1 {
        bits & !(1 << 31)
    } else {
        !bits
    })
}

/// Returns the bytes of normals, roughness and occlusion of a seamless tile.
pub(crate) fn normals(
    heights: &[f32],
    size: usize,
    pixel: f32,
    relief: f32,
    rough: impl Fn(usize) -> f32 + Sync + Send,
    open: &[f32],
) -> Vec<u8> {
    let mut bytes = vec![0; size * size * 4];
    let factor = relief / (2.0 * pixel);
    let mask = size - 1;
    rows::for_each(&mut bytes, size * 4, |y, row| {
        let at = |x: usize, y: usize| heights[(y & mask) * size + (x & mask)];
        for (x, bytes) in row.chunks_exact_mut(4).enumerate() {
            let across = (at(x + 1, y) - at(x + size - 1, y)) * factor;
            let down = (at(x, y + 1) - at(x, y + size - 1)) * factor;
            let index = y * size + x;
            let normal = normal_of(across, down);
            bytes.copy_from_slice(&[
                signed_byte(normal[0]),
                signed_byte(normal[1]),
                unit_byte(rough(index)),
                unit_byte(open[index]),
            ]);
        }
    });
    bytes
}

/// Returns the normal for slopes along u and v, with steep slopes flattened.
pub(crate) fn normal_of(across: f32, down: f32) -> [f32; 3] {
    let steep = across * across + down * down;
    let back = 1.0 / (1.0 + steep / (STEEPEST * STEEPEST)).sqrt();
    let length = 1.0 / (1.0 + steep * back * back).sqrt();
    [-across * back * length, -down * back * length, length]
}

/// Converts a number from -1 to 1 to a byte. 0 becomes 128.
pub(crate) fn signed_byte(number: f32) -> u8 {
    (number * 127.0 + 128.5).clamp(0.0, 255.0) as u8
}

/// Converts a number from 0 to 1 to a byte.
pub(crate) fn unit_byte(number: f32) -> u8 {
    (number * 255.0 + 0.5).clamp(0.0, 255.0) as u8
}
