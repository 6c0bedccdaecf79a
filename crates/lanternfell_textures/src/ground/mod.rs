//! The kinds of ground, and the texture of each.

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

/// A kind of ground that can be synthesized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, Hash, PartialEq))]
pub enum GroundKind {
    /// Dense blades, muted olive to green.
    Grass,
    /// Shorter and lighter, with clover and small flowers.
    Meadow,
    /// Straw, mostly lying.
    DryGrass,
    /// Fallen leaves, needles and twigs on soil.
    ForestFloor,
    /// Dry sand in low ripples.
    Sand,
    /// Sand that the sea has just left: dark, smooth, shining.
    WetSand,
    /// Round stones of all sizes.
    Pebbles,
    /// Speckled rock with cracks and lichen.
    Granite,
    /// Dark rock, broken into columns.
    Basalt,
    /// Rock in layers, which lie along the rows.
    Sandstone,
    /// Angular stones, as they lie below a cliff.
    Scree,
    /// Snow with a crust by the wind.
    Snow,
    /// Drying mud, cracked, still wet in the cracks.
    Mud,
    /// Cushions of moss.
    Moss,
}

impl GroundKind {
    /// All of them, in the order of the declaration.
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

    /// Its name in words: "dry grass".
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// The side of one tile on the ground, in metres.
    pub fn metres(self) -> f32 {
        self.facts().1
    }

    /// Name, side of a tile in metres.
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
        let metres = self.metres();
        match self {
            Self::Grass => grass::grass(size, metres, seed),
            Self::Meadow => grass::meadow(size, metres, seed),
            Self::DryGrass => grass::dry_grass(size, metres, seed),
            Self::ForestFloor => litter::forest_floor(size, metres, seed),
            Self::Sand => sand::sand(size, metres, seed),
            Self::WetSand => sand::wet_sand(size, metres, seed),
            Self::Pebbles => stones::pebbles(size, metres, seed),
            Self::Granite => rock::granite(size, metres, seed),
            Self::Basalt => rock::basalt(size, metres, seed),
            Self::Sandstone => rock::sandstone(size, metres, seed),
            Self::Scree => stones::scree(size, metres, seed),
            Self::Snow => soft::snow(size, metres, seed),
            Self::Mud => soft::mud(size, metres, seed),
            Self::Moss => soft::moss(size, metres, seed),
        }
    }
}

/// Makes a ground's texture of `size` x `size` pixels: a power of two, 16 to 2048.
///
/// The same kind, size and seed give the same bytes, everywhere. Another size shows the same things
/// at another resolution, but for grain as small as a pixel.
///
/// # Errors
///
/// [`TextureError::Size`] for another size.
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

/// A ground's texture: two pictures of one size, four bytes a pixel, rows from the top, which meet
/// themselves at all borders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundTexture {
    size: u32,
    color_height: Vec<u8>,
    normal_material: Vec<u8>,
}

impl GroundTexture {
    /// A texture of pixels from elsewhere, as [`color_height`](Self::color_height) and
    /// [`normal_material`](Self::normal_material) have them.
    ///
    /// # Errors
    ///
    /// [`TextureError::Size`] for a size that [`synthesize`] does not take, [`TextureError::Bytes`] where there
    /// are not four bytes for each pixel.
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

    /// Pixels a side.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Red, green and blue: albedo, encoded as sRGB. Alpha: height, linear, 0 the lowest and 255
    /// the highest of this tile, by which layers are blended.
    pub fn color_height(&self) -> &[u8] {
        &self.color_height
    }

    /// All linear. Red and green: the normal's parts along u (right) and v (down the rows), 0 is
    /// 128, 1 is 255; the third part is what is left to a length of 1. Blue: perceptual roughness.
    /// Alpha: ambient occlusion, 255 is open.
    pub fn normal_material(&self) -> &[u8] {
        &self.normal_material
    }

    /// The average albedo, linear: red, green, blue.
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

    /// Both pictures at every size down to a single pixel.
    pub fn mip_chain(&self) -> MipChain {
        mip_chain(
            &self.color_height,
            &self.normal_material,
            self.size as usize,
        )
    }
}
