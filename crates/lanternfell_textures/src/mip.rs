//! Mip levels.
//!
//! Each pixel of a level is the average of four pixels of the level before. The levels are kept in
//! full precision, and only the output is rounded.
//!
//! - Albedo is averaged in linear light. Heights and occlusion are averaged directly.
//! - Normals are averaged as vectors. Where they differ, the average is shorter than 1: bumps
//!   become roughness. The lost length widens the highlight (Toksvig, *Mipmapping normal maps*,
//!   2005): a Blinn-Phong power s becomes s·l / (l + s·(1 - l)), so 1/s grows by (1 - l) / l; with
//!   s = 2/α² - 2 for a roughness α = r².

use crate::{
    bake::{signed_byte, unit_byte},
    color::{decode, encode},
};

/// All mip levels of both textures of a ground, level 0 first. This is the memory layout of a GPU
/// texture with mip levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MipChain {
    /// See [`GroundTexture::color_height`](crate::GroundTexture::color_height).
    pub color_height: Vec<u8>,
    /// See [`GroundTexture::normal_material`](crate::GroundTexture::normal_material).
    pub normal_material: Vec<u8>,
    /// The number of levels, down to one pixel.
    pub levels: u32,
}

/// A pixel in full precision: linear color and height, normal, 1/s of the highlight, occlusion.
pub(crate) type Wide = [f32; 9];

/// Returns the number of mip levels of a square texture.
pub(crate) fn levels(size: usize) -> u32 {
    size.ilog2() + 1
}

pub(crate) fn mip_chain(color_height: &[u8], normal_material: &[u8], size: usize) -> MipChain {
    let levels = levels(size);
    let mut chain = MipChain {
        color_height: color_height.to_vec(),
        normal_material: normal_material.to_vec(),
        levels,
    };
    let colors = color_height.as_chunks::<4>().0;
    let materials = normal_material.as_chunks::<4>().0;
    let pixels = colors.iter().zip(materials);
    let mut level: Vec<Wide> = pixels
        .map(|(&color, &material)| wide(color, material))
        .collect();
    let mut side = size;
    while side > 1 {
        level = halved(&level, side);
        side /= 2;
        for pixel in &level {
            let (color, material) = narrow(pixel);
            chain.color_height.extend_from_slice(&color);
            chain.normal_material.extend_from_slice(&material);
        }
    }
    chain
}

/// Returns the level with half the side.
pub(crate) fn halved<const N: usize>(level: &[[f32; N]], side: usize) -> Vec<[f32; N]> {
    let rows = level.chunks_exact(side * 2).flat_map(|rows| {
        let (top, bottom) = rows.split_at(side);
        top.chunks_exact(2).zip(bottom.chunks_exact(2))
    });
    let average = |(top, bottom): (&[[f32; N]], &[[f32; N]])| {
        std::array::from_fn(|n| (top[0][n] + top[1][n] + (bottom[0][n] + bottom[1][n])) * 0.25)
    };
    rows.map(average).collect()
}

fn wide(color: [u8; 4], material: [u8; 4]) -> Wide {
    let [x, y, z] = normal(material[0], material[1]);
    let unit = |byte: u8| f32::from(byte) / 255.0;
    [
        decode(color[0]),
        decode(color[1]),
        decode(color[2]),
        unit(color[3]),
        x,
        y,
        z,
        spread_of(unit(material[2])),
        unit(material[3]),
    ]
}

fn narrow(pixel: &Wide) -> ([u8; 4], [u8; 4]) {
    let [red, green, blue, height, x, y, z, spread, open] = *pixel;
    let color = [encode(red), encode(green), encode(blue), unit_byte(height)];
    let (unit, length) = unit_normal([x, y, z]);
    let rough = roughness_of(spread + (1.0 - length) / length);
    let material = [
        signed_byte(unit[0]),
        signed_byte(unit[1]),
        unit_byte(rough),
        unit_byte(open),
    ];
    (color, material)
}

/// Returns the unit normal of two bytes.
pub(crate) fn normal(x: u8, y: u8) -> [f32; 3] {
    let [x, y] = [x, y].map(|byte| (f32::from(byte) - 128.0) / 127.0);
    [x, y, (1.0 - x * x - y * y).max(0.0).sqrt()]
}

/// Returns the vector with length 1, and its previous length, at most 1.
pub(crate) fn unit_normal([x, y, z]: [f32; 3]) -> ([f32; 3], f32) {
    let length = (x * x + y * y + z * z).sqrt().clamp(1e-3, 1.0);
    ([x / length, y / length, z / length], length)
}

/// Returns 1/s for a perceptual roughness.
pub(crate) fn spread_of(rough: f32) -> f32 {
    let square = (rough * rough) * (rough * rough);
    square / (2.0 - 2.0 * square).max(1e-4)
}

/// Returns the perceptual roughness for 1/s.
pub(crate) fn roughness_of(spread: f32) -> f32 {
    let square = 2.0 * spread / (1.0 + 2.0 * spread);
    square.max(0.0).sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roughness_round_trips() {
        for n in 0..=99 {
            let rough = n as f32 / 100.0;
            assert!(
                (roughness_of(spread_of(rough)) - rough).abs() < 1e-3,
                "{rough}"
            );
        }
        assert!(roughness_of(spread_of(1.0)) > 0.999);
    }

    #[test]
    fn bumps_become_roughness() {
        let bumpy = |x: u8| [x, 128, 51, 255];
        let colors = [200; 16];
        let flat = mip_chain(&colors, &[bumpy(128); 4].concat(), 2);
        let rough = mip_chain(
            &colors,
            &[bumpy(228), bumpy(28), bumpy(228), bumpy(28)].concat(),
            2,
        );
        assert_eq!(flat.normal_material[16..], [128, 128, 51, 255]);
        assert_eq!(rough.normal_material[16..18], [128, 128]);
        // Two slopes of 52 degrees: l = 0.616, 1/s = 0.0008 + 0.623, r = 0.863.
        assert!(
            rough.normal_material[18].abs_diff(220) <= 1,
            "{:?}",
            rough.normal_material
        );
    }

    #[test]
    fn mean_of_black_and_white_is_half_the_light() {
        let colors = [[0, 0, 0, 0], [255; 4], [255; 4], [0, 0, 0, 0]].concat();
        let chain = mip_chain(&colors, &[128; 16], 2);
        assert_eq!(chain.color_height[16..], [188, 188, 188, 128]);
        assert_eq!(chain.levels, 2);
    }
}
