//! Mip levels of textures that are cut out by their alpha.
//!
//! The mean alpha falls below the cutoff where less than half of a pixel was covered, so needles
//! and blades vanish from a distance. Therefore the alphas of each level are multiplied by a factor
//! such that the same share of pixels passes as at the first level (Castaño, *Computing alpha
//! mipmaps*, 2010). The factor lifts the alpha of that rank to the cutoff. It is found by selection
//! instead of by Castaño's search.
//!
//! Colors and normals are weighted by coverage. Everything else is as in [`crate::mip`].

use crate::{
    bake::{signed_byte, unit_byte},
    color::{decode, encode},
    mip::{halved, levels, normal, roughness_of, spread_of, unit_normal},
};

/// All mip levels of both textures of a plant, level 0 first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardMipChain {
    /// See [`PlantTexture::color_alpha`](crate::PlantTexture::color_alpha).
    pub color_alpha: Vec<u8>,
    /// See [`PlantTexture::normal_material`](crate::PlantTexture::normal_material).
    pub normal_material: Vec<u8>,
    /// The number of levels, down to one pixel.
    pub levels: u32,
}

/// Pixels with a lower alpha are cut out.
pub(crate) const CUTOFF: u8 = 128;

/// A pixel in full precision. The first number is its weight, which is never 0. The next eight are
/// multiplied by the weight: linear color, normal, 1/s of the highlight, occlusion. The last one is
/// the alpha.
type Wide = [f32; 10];

/// The weight of an uncovered pixel.
const LEAST_WEIGHT: f32 = 1.0 / 256.0;

pub(crate) fn card_mip_chain(
    color_alpha: &[u8],
    normal_material: &[u8],
    size: usize,
) -> CardMipChain {
    let levels = levels(size);
    let mut chain = CardMipChain {
        color_alpha: color_alpha.to_vec(),
        normal_material: normal_material.to_vec(),
        levels,
    };
    let colors = color_alpha.as_chunks::<4>().0;
    let passing = colors.iter().filter(|color| color[3] >= CUTOFF);
    let share = passing.count() as f64 / colors.len() as f64;
    let pixels = colors.iter().zip(normal_material.as_chunks::<4>().0);
    let mut level: Vec<Wide> = pixels
        .map(|(&color, &material)| wide(color, material))
        .collect();
    let mut side = size;
    while side > 1 {
        level = halved(&level, side);
        side /= 2;
        let factor = factor(level.iter().map(|pixel| pixel[9]).collect(), share);
        for pixel in &level {
            let (color, material) = narrow(pixel, factor);
            chain.color_alpha.extend_from_slice(&color);
            chain.normal_material.extend_from_slice(&material);
        }
    }
    chain
}

/// Returns the factor of the alphas with which this share of them passes.
fn factor(mut alphas: Vec<f32>, share: f64) -> f32 {
    let count = (share * alphas.len() as f64 + 0.5) as usize;
    if count == 0 || share >= 1.0 {
        return 1.0;
    }
    let (_, &mut rank, _) = alphas.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
    // The cutoff itself passes, because half a step below it is rounded up.
    let cutoff = f32::from(CUTOFF) / 255.0;
    if rank > 0.0 { cutoff / rank } else { 1.0 }
}

fn wide(color: [u8; 4], material: [u8; 4]) -> Wide {
    let [x, y, z] = normal(material[0], material[1]);
    let unit = |byte: u8| f32::from(byte) / 255.0;
    let alpha = unit(color[3]);
    let weight = alpha.max(LEAST_WEIGHT);
    let [red, green, blue] = [color[0], color[1], color[2]].map(decode);
    let spread = spread_of(unit(material[2]));
    let weighted = [red, green, blue, x, y, z, spread, unit(material[3])].map(|part| part * weight);
    let mut wide = [weight; 10];
    wide[1..9].copy_from_slice(&weighted);
    wide[9] = alpha;
    wide
}

fn narrow(pixel: &Wide, factor: f32) -> ([u8; 4], [u8; 4]) {
    let [weight, parts @ .., alpha] = *pixel;
    let [red, green, blue, x, y, z, spread, open] = parts.map(|part| part / weight);
    let (unit, length) = unit_normal([x, y, z]);
    let rough = roughness_of(spread + (1.0 - length) / length);
    let color = [
        encode(red),
        encode(green),
        encode(blue),
        unit_byte(alpha * factor),
    ];
    let material = [
        signed_byte(unit[0]),
        signed_byte(unit[1]),
        unit_byte(rough),
        unit_byte(open),
    ];
    (color, material)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One pixel in four is covered. Without the factor, no pixel of the next level would pass.
    #[test]
    fn thin_shapes_stay() {
        let size = 64;
        let mut colors = vec![0; size * size * 4];
        for y in 0..size {
            for x in (y / 2 % 4..size).step_by(4) {
                colors[(y * size + x) * 4 + 3] = 255;
            }
        }
        let chain = card_mip_chain(&colors, &vec![128; size * size * 4], size);
        let next = &chain.color_alpha[size * size * 4..][..size * size];
        let passing = next
            .as_chunks::<4>()
            .0
            .iter()
            .filter(|pixel| pixel[3] >= 128);
        assert!(passing.count() * 4 >= size * size / 4);
    }

    #[test]
    fn factor_keeps_share_of_passing_pixels() {
        for (alphas, share, factor_is) in [
            (vec![0.1, 0.2, 0.3, 0.4], 0.5, 0.501_960_8 / 0.3),
            (vec![0.9, 0.8, 0.3, 0.0], 0.5, 0.501_960_8 / 0.8),
            (vec![0.0, 0.0], 0.5, 1.0),
            (vec![1.0, 1.0], 1.0, 1.0),
            (vec![0.2], 0.1, 1.0),
        ] {
            assert!((factor(alphas, share) - factor_is).abs() < 1e-6);
        }
    }

    #[test]
    fn uncovered_pixels_do_not_affect_color() {
        let colors = [[255, 0, 0, 255], [0; 4], [0; 4], [0; 4]].concat();
        let chain = card_mip_chain(&colors, &[128; 16], 2);
        let [red, green, blue, _] = chain.color_alpha[16..] else {
            unreachable!("one pixel");
        };
        assert!(red >= 252 && green == 0 && blue == 0, "{red}");
    }
}
