//! The cloud texture: two channels of tiling noise.
//!
//! Each channel sums octaves of gradient noise (Perlin, "Improving Noise", 2002) whose lattices wrap around. Each texel
//! is then replaced by its rank among all texels. The values are thus uniformly distributed, and a cover of 0.4 selects
//! 40 % of the sky.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

/// Texels per side.
const SIDE: usize = 256;

/// Generates the texture: red holds the shapes, green the edges.
pub(crate) fn cloud_map() -> Image {
    let shapes = ranked(fractal(SIDE, 4, 5, 0.55, 11));
    let rims = ranked(fractal(SIDE, 6, 5, 0.65, 47));
    let mut level: Vec<[f32; 2]> = shapes.into_iter().zip(rims).map(|(a, b)| [a, b]).collect();
    let mut data = Vec::new();
    let mut side = SIDE;
    loop {
        let bytes = level
            .iter()
            .flatten()
            .map(|value| (value * 255.0).round() as u8);
        data.extend(bytes);
        if side == 1 {
            break;
        }
        level = halved(&level, side);
        side /= 2;
    }
    // Not `Image::new`, which accepts only one mip level.
    let mut image = Image::new_uninit(
        Extent3d {
            width: SIDE as u32,
            height: SIDE as u32,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        TextureFormat::Rg8Unorm,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = SIDE.ilog2() + 1;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

/// Returns the next mip level: each texel is the mean of four.
fn halved(level: &[[f32; 2]], side: usize) -> Vec<[f32; 2]> {
    let half = side / 2;
    let mean = |index: usize| {
        let first = index / half * 2 * side + index % half * 2;
        let four = [first, first + 1, first + side, first + side + 1].map(|at| level[at]);
        [0, 1].map(|channel| four.iter().map(|texel| texel[channel]).sum::<f32>() / 4.0)
    };
    (0..half * half).map(mean).collect()
}

/// Replaces each value by its rank, scaled to 0 to 1.
fn ranked(values: Vec<f32>) -> Vec<f32> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    // The sort is stable, so equal values get ranks in index order.
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank as f32 / (values.len() - 1) as f32;
    }
    ranks
}

/// Sums octaves of noise. The first has `cells` lattice cells per side; each further octave has half the cell size and
/// `gain` times the amplitude.
fn fractal(side: usize, cells: u32, octaves: u32, gain: f32, seed: u32) -> Vec<f32> {
    let mut sum = vec![0.0; side * side];
    let mut height = 1.0;
    for octave in 0..octaves {
        let period = cells << octave;
        let step = period as f32 / side as f32;
        let gradients = gradients(period, seed + octave);
        for (index, value) in sum.iter_mut().enumerate() {
            let place = Vec2::new((index % side) as f32 + 0.5, (index / side) as f32 + 0.5);
            *value += height * gradient_noise(place * step, period, &gradients);
        }
        height *= gain;
    }
    sum
}

/// Returns a gradient direction for each corner of a lattice of `period` by `period` cells, in row-major order.
fn gradients(period: u32, seed: u32) -> Vec<Vec2> {
    let direction = |corner: u32| {
        let (x, y) = (corner % period, corner / period);
        // `period` is at most 96, so x, y and the seed occupy separate bits.
        let turn = hash(x + (y << 8) + (seed << 16)) as f32 / 4_294_967_296.0;
        Vec2::from_angle(core::f32::consts::TAU * turn)
    };
    (0..period * period).map(direction).collect()
}

/// Gradient noise from about -1 to 1, with period `period`.
fn gradient_noise(place: Vec2, period: u32, gradients: &[Vec2]) -> f32 {
    let cell = place.floor();
    let within = place - cell;
    let corner = |x: u32, y: u32| {
        let at = UVec2::new(cell.x as u32 + x, cell.y as u32 + y) % period;
        let gradient = gradients[(at.y * period + at.x) as usize];
        gradient.dot(within - Vec2::new(x as f32, y as f32))
    };
    // The first and second derivatives are 0 at both ends, so cells join without visible edges.
    let ease = within * within * within * (within * (within * 6.0 - 15.0) + 10.0);
    let north = corner(0, 0).lerp(corner(1, 0), ease.x);
    let south = corner(0, 1).lerp(corner(1, 1), ease.x);
    north.lerp(south, ease.y)
}

/// PCG hash (Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).
fn hash(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texture_tiles_and_has_all_mip_levels() {
        let image = cloud_map();
        let data = image.data.as_ref().unwrap();
        let texels: usize = (0..=SIDE.ilog2()).map(|level| (SIDE >> level).pow(2)).sum();
        assert_eq!(data.len(), 2 * texels);
        let at = |x: usize, y: usize| i32::from(data[2 * (y * SIDE + x)]);
        let steps =
            |a: usize, b: usize| -> i32 { (0..SIDE).map(|y| (at(a, y) - at(b, y)).abs()).sum() };
        assert!(steps(SIDE - 1, 0) < 2 * steps(100, 101).max(steps(30, 31)));
    }

    #[test]
    fn cover_selects_that_fraction_of_texels() {
        let ranks = ranked(fractal(64, 4, 4, 0.5, 3));
        let above = ranks.iter().filter(|rank| **rank > 0.6).count();
        assert!((above as f32 / ranks.len() as f32 - 0.4).abs() < 0.01);
    }
}
