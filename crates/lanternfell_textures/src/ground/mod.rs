//! The kinds of ground and their textures.

mod grass;
mod litter;
mod rock;
mod sand;
mod soft;
mod stones;

use crate::{
    bake::{Finish, bake},
    canvas::Canvas,
    color::decode,
    error::{TextureError, check_size},
    mip::{MipChain, mip_chain},
};

/// A ground material that can be synthesized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, Hash, PartialEq))]
pub enum GroundKind {
    /// Dense blades of grass, muted olive to green.
    Grass,
    /// Shorter and lighter grass with clover and small flowers.
    Meadow,
    /// Dry grass stalks, mostly lying flat.
    DryGrass,
    /// Fallen leaves, needles and twigs on soil.
    ForestFloor,
    /// Dry sand with low ripples.
    Sand,
    /// Sand that the sea has just left: dark, smooth and shiny.
    WetSand,
    /// Round stones of all sizes.
    Pebbles,
    /// Speckled rock with cracks and lichen.
    Granite,
    /// Dark rock, broken into columns.
    Basalt,
    /// Rock in layers, which run along the rows of the texture.
    Sandstone,
    /// Angular stones, as below a cliff.
    Scree,
    /// Snow with a crust shaped by the wind.
    Snow,
    /// Drying mud with cracks that are still wet.
    Mud,
    /// Cushions of moss.
    Moss,
}

impl GroundKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Self; 14] = [
        Self::Grass,
        Self::Meadow,
        Self::DryGrass,
        Self::ForestFloor,
        Self::Sand,
        Self::WetSand,
        Self::Pebbles,
        Self::Granite,
        Self::Basalt,
        Self::Sandstone,
        Self::Scree,
        Self::Snow,
        Self::Mud,
        Self::Moss,
    ];

    /// Returns the name in lowercase words, for example "dry grass".
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// Returns the side of one tile in meters.
    pub fn meters(self) -> f32 {
        self.facts().1
    }

    /// The name, and the side of a tile in meters.
    fn facts(self) -> (&'static str, f32) {
        match self {
            Self::Grass => ("grass", 2.0),
            Self::Meadow => ("meadow", 2.0),
            Self::DryGrass => ("dry grass", 2.0),
            Self::ForestFloor => ("forest floor", 2.5),
            Self::Sand => ("sand", 2.5),
            Self::WetSand => ("wet sand", 3.0),
            Self::Pebbles => ("pebbles", 2.0),
            Self::Granite => ("granite", 4.0),
            Self::Basalt => ("basalt", 4.0),
            Self::Sandstone => ("sandstone", 4.0),
            Self::Scree => ("scree", 3.0),
            Self::Snow => ("snow", 4.0),
            Self::Mud => ("mud", 3.0),
            Self::Moss => ("moss", 2.0),
        }
    }

    fn paint(self, size: usize, seed: u64) -> (Canvas, Finish) {
        let meters = self.meters();
        match self {
            Self::Grass => grass::grass(size, meters, seed),
            Self::Meadow => grass::meadow(size, meters, seed),
            Self::DryGrass => grass::dry_grass(size, meters, seed),
            Self::ForestFloor => litter::forest_floor(size, meters, seed),
            Self::Sand => sand::sand(size, meters, seed),
            Self::WetSand => sand::wet_sand(size, meters, seed),
            Self::Pebbles => stones::pebbles(size, meters, seed),
            Self::Granite => rock::granite(size, meters, seed),
            Self::Basalt => rock::basalt(size, meters, seed),
            Self::Sandstone => rock::sandstone(size, meters, seed),
            Self::Scree => stones::scree(size, meters, seed),
            Self::Snow => soft::snow(size, meters, seed),
            Self::Mud => soft::mud(size, meters, seed),
            Self::Moss => soft::moss(size, meters, seed),
        }
    }
}

/// Synthesizes a ground texture of `size` x `size` pixels. `size` must be a power of two from 16 to
/// 2048.
///
/// The same kind, size and seed give the same bytes on every platform. Another size shows the same
/// content at another resolution, except for pixel-sized grain.
///
/// # Errors
///
/// [`TextureError::Size`] if `size` is not allowed.
///
/// ```
/// use lanternfell_textures::{GroundKind, synthesize};
///
/// let moss = synthesize(GroundKind::Moss, 64, 7)?;
/// assert_eq!(moss.color_height().len(), 64 * 64 * 4);
/// # Ok::<(), lanternfell_textures::TextureError>(())
/// ```
pub fn synthesize(kind: GroundKind, size: u32, seed: u64) -> Result<GroundTexture, TextureError> {
    let side = check_size(size)?;
    let (canvas, finish) = kind.paint(side, seed);
    let baked = bake(&canvas, &finish);
    Ok(GroundTexture {
        size,
        color_height: baked.color_height,
        normal_material: baked.normal_material,
    })
}

/// A ground texture: two seamless textures of the same size, with four bytes per pixel and rows
/// from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundTexture {
    size: u32,
    color_height: Vec<u8>,
    normal_material: Vec<u8>,
}

impl GroundTexture {
    /// Creates a texture from existing pixels, in the layout of
    /// [`color_height`](Self::color_height) and [`normal_material`](Self::normal_material).
    ///
    /// # Errors
    ///
    /// [`TextureError::Size`] if `size` is not allowed in [`synthesize`], and
    /// [`TextureError::Bytes`] if the pixels do not have four bytes each.
    pub fn from_pixels(
        size: u32,
        color_height: Vec<u8>,
        normal_material: Vec<u8>,
    ) -> Result<Self, TextureError> {
        let side = check_size(size)?;
        let expected = 4 * side * side;
        for found in [color_height.len(), normal_material.len()] {
            if found != expected {
                return Err(TextureError::Bytes { found, expected });
            }
        }
        Ok(Self {
            size,
            color_height,
            normal_material,
        })
    }

    /// Returns the side in pixels.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the albedo and height, four bytes per pixel, for the format `Rgba8UnormSrgb`.
    ///
    /// - Red, green and blue: the albedo, encoded as sRGB.
    /// - Alpha: the height for blending layers, linear, from 0 (the lowest of this tile) to 255.
    pub fn color_height(&self) -> &[u8] {
        &self.color_height
    }

    /// Returns the normal, roughness and occlusion, four bytes per pixel, all linear, for the
    /// format `Rgba8Unorm`.
    ///
    /// - Red and green: the normal along u (right) and v (down, as in DirectX). 128 is 0 and 255 is
    ///   1. The third component follows from the length of 1.
    /// - Blue: the perceptual roughness.
    /// - Alpha: the ambient occlusion. 255 is unoccluded.
    pub fn normal_material(&self) -> &[u8] {
        &self.normal_material
    }

    /// Returns the mean albedo as linear red, green and blue.
    pub fn average_color(&self) -> [f32; 3] {
        let mut sums = [0.0_f64; 3];
        for pixel in self.color_height.chunks_exact(4) {
            for (sum, &code) in sums.iter_mut().zip(pixel) {
                *sum += f64::from(decode(code));
            }
        }
        let pixels = f64::from(self.size) * f64::from(self.size);
        sums.map(|sum| (sum / pixels) as f32)
    }

    /// Returns both textures with all mip levels, down to a single pixel.
    pub fn mip_chain(&self) -> MipChain {
        mip_chain(
            &self.color_height,
            &self.normal_material,
            self.size as usize,
        )
    }
}
