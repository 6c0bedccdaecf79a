//! Textures of plants: leaves, grasses, barks.

mod bark;
mod branch;
mod card;
mod frond;
mod herb;
mod leaf;

use crate::{
    bake::{Baked, Finish, bake},
    canvas::Canvas,
    color::decode,
    coverage::{self, CardMipChain, card_mip_chain},
    error::{TextureError, check_size},
};

/// How a skin is painted.
enum Paint {
    /// A card that grows up from the middle of its lowest row. The function returns its mean albedo.
    Card(fn(&mut Canvas, u64) -> f32),
    /// An opaque tile: by pixels a side, meters a side and a seed.
    Tile(fn(usize, f32, u64) -> (Canvas, Finish)),
}

/// All facts about one skin.
struct Facts {
    name: &'static str,
    /// Side of the texture, in meters.
    meters: f32,
    /// Linear color for drawing without the texture.
    plain: [f32; 3],
    paint: Paint,
}

/// Declares [`PlantSkin`] from one row per skin, so that the enum, [`PlantSkin::ALL`] and the facts cannot disagree.
macro_rules! skins {
    ($($(#[$doc:meta])* $skin:ident: $name:literal, $meters:literal, $plain:expr, $paint:expr;)*) => {
        /// The texture of a part of a plant: a card that is cut out by its alpha channel, or a bark
        /// that tiles.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum PlantSkin {
            $($(#[$doc])* $skin,)*
        }

        impl PlantSkin {
            /// All skins, in the order of their declaration.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$skin),*];

            fn facts(self) -> Facts {
                use Paint::{Card, Tile};
                match self {
                    $(Self::$skin => Facts {
                        name: $name,
                        meters: $meters,
                        plain: $plain,
                        paint: $paint,
                    },)*
                }
            }
        }
    };
}

// Name, side in meters, plain color, painter. Add new skins at the end: the order does not matter
// to saved data, but `ALL` is public.
skins! {
    /// A conifer branch with needles.
    PineBranch: "pine branch", 0.8, [0.04, 0.10, 0.05], Card(branch::pine);
    /// A twig with oval leaves.
    BroadLeaves: "broad leaves", 0.7, [0.10, 0.20, 0.05], Card(branch::broad);
    /// Thin hanging twigs with small leaves.
    BirchLeaves: "birch leaves", 0.6, [0.17, 0.27, 0.06], Card(branch::birch);
    /// One frond of a palm.
    PalmFrond: "palm frond", 2.4, [0.10, 0.22, 0.05], Card(frond::palm);
    /// A fan of fern fronds.
    Fern: "fern", 0.9, [0.10, 0.22, 0.05], Card(frond::fern);
    /// A tuft of grass.
    GrassTuft: "grass tuft", 0.5, [0.10, 0.22, 0.05], Card(herb::tuft);
    /// Wild flowers on their stalks.
    Flowers: "flowers", 0.5, [0.45, 0.30, 0.40], Card(herb::flowers);
    /// The leaves and twigs of a low bush.
    Bush: "bush", 1.2, [0.10, 0.20, 0.05], Card(herb::bush);
    /// Furrowed bark. Tiles.
    Bark: "bark", 1.0, [0.16, 0.11, 0.07], Tile(bark::furrowed);
    /// White bark with dark marks. Tiles.
    BirchBark: "birch bark", 1.0, [0.72, 0.70, 0.66], Tile(bark::birch);
    /// Gray wood without bark. Tiles.
    DeadBark: "dead bark", 1.0, [0.34, 0.31, 0.27], Tile(bark::dead);
}

impl PlantSkin {
    /// Returns the name in lowercase words, for example "pine branch".
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the side of the card, or of one tile of bark, in meters.
    ///
    /// If the plant of a seed would not fit on the card, it is drawn slightly smaller.
    pub fn meters(self) -> f32 {
        self.facts().meters
    }

    /// Returns the linear red, green and blue for rendering without the texture.
    pub fn plain_color(self) -> [f32; 3] {
        self.facts().plain
    }

    /// Returns whether this is a bark: an opaque tile that repeats in both directions, with its
    /// grain down the rows. Otherwise it is a card that grows up from the middle of the lowest row.
    pub fn is_bark(self) -> bool {
        match self.facts().paint {
            Paint::Tile(_) => true,
            Paint::Card(_) => false,
        }
    }
}

/// Synthesizes a plant texture of `size` x `size` pixels. `size` must be a power of two from 16 to
/// 2048.
///
/// The same skin, size and seed give the same bytes on every platform.
///
/// # Errors
///
/// [`TextureError::Size`] if `size` is not allowed.
///
/// ```
/// use lanternfell_textures::{PlantSkin, synthesize_plant};
///
/// let fern = synthesize_plant(PlantSkin::Fern, 64, 7)?;
/// assert_eq!(fern.color_alpha().len(), 64 * 64 * 4);
/// # Ok::<(), lanternfell_textures::TextureError>(())
/// ```
pub fn synthesize_plant(
    skin: PlantSkin,
    size: u32,
    seed: u64,
) -> Result<PlantTexture, TextureError> {
    let side = check_size(size)?;
    let meters = skin.meters();
    let baked = match skin.facts().paint {
        Paint::Card(paint) => paint_card(side, meters, seed, paint),
        Paint::Tile(paint) => paint_tile(paint(side, meters, seed)),
    };
    Ok(PlantTexture {
        size,
        color_alpha: baked.color_height,
        normal_material: baked.normal_material,
    })
}

/// Bakes an opaque tile. The alpha channel holds the coverage instead of the height.
fn paint_tile((canvas, finish): (Canvas, Finish)) -> Baked {
    let mut baked = bake(&canvas, &finish);
    for pixel in baked.color_height.as_chunks_mut::<4>().0 {
        pixel[3] = 255;
    }
    baked
}

/// Paints a card. If not everything is within its borders, it is painted again at a smaller scale.
fn paint_card(size: usize, meters: f32, seed: u64, paint: fn(&mut Canvas, u64) -> f32) -> Baked {
    let mut canvas = Canvas::empty(size, meters, 1.0);
    let albedo = paint(&mut canvas, seed);
    if canvas.needed > 1.0 {
        canvas = Canvas::empty(size, meters, canvas.needed);
        paint(&mut canvas, seed);
    }
    card::bake_card(&canvas, albedo)
}

/// A plant texture: two textures of the same size, with four bytes per pixel and rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantTexture {
    size: u32,
    color_alpha: Vec<u8>,
    normal_material: Vec<u8>,
}

impl PlantTexture {
    /// The alpha, from 0 to 255, below which a pixel is cut out. Mip levels keep the share of
    /// visible pixels.
    pub const CUTOFF: u8 = coverage::CUTOFF;

    /// Creates a card from existing pixels, in the layout of [`color_alpha`](Self::color_alpha). It
    /// is flat and rough.
    ///
    /// ```
    /// use lanternfell_textures::PlantTexture;
    ///
    /// let disk = (0..256).map(|pixel| {
    ///     let (x, y) = (pixel % 16 - 8, pixel / 16 - 8);
    ///     [80, 120, 40, if x * x + y * y < 50 { 255 } else { 0 }]
    /// });
    /// let card = PlantTexture::from_color_alpha(16, disk.flatten().collect())?;
    /// assert_eq!(card.mip_chain().levels, 5);
    /// # Ok::<(), lanternfell_textures::TextureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TextureError::Size`] if `size` is not allowed in [`synthesize_plant`], and
    /// [`TextureError::Bytes`] if the pixels do not have four bytes each.
    pub fn from_color_alpha(size: u32, color_alpha: Vec<u8>) -> Result<Self, TextureError> {
        /// No slope, as rough as a leaf, and unoccluded.
        const DULL: [u8; 4] = [128, 128, 217, 255];
        let side = check_size(size)?;
        let (found, expected) = (color_alpha.len(), 4 * side * side);
        if found != expected {
            return Err(TextureError::Bytes { found, expected });
        }
        Ok(Self {
            size,
            color_alpha,
            normal_material: DULL.repeat(side * side),
        })
    }

    /// Returns the side in pixels.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the albedo and alpha, four bytes per pixel, for the format `Rgba8UnormSrgb`.
    ///
    /// - Red, green and blue: the albedo, encoded as sRGB. Uncovered pixels have the color of their
    ///   surroundings, so that filtering causes no dark fringe.
    /// - Alpha: the covered fraction of the pixel, from 0 to 255.
    pub fn color_alpha(&self) -> &[u8] {
        &self.color_alpha
    }

    /// Returns the normal, roughness and occlusion, in the layout of
    /// [`GroundTexture::normal_material`](crate::GroundTexture::normal_material).
    pub fn normal_material(&self) -> &[u8] {
        &self.normal_material
    }

    /// Returns the mean albedo of the covered part as linear red, green and blue.
    pub fn average_color(&self) -> [f32; 3] {
        let mut sums = [0.0_f64; 4];
        for &[red, green, blue, alpha] in self.color_alpha.as_chunks::<4>().0 {
            let weight = f64::from(alpha);
            let parts = [red, green, blue].map(|code| f64::from(decode(code)));
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += part * weight;
            }
            sums[3] += weight;
        }
        let [red, green, blue, weight] = sums;
        [red, green, blue].map(|sum| (sum / weight.max(1.0)) as f32)
    }

    /// Returns the share of pixels with an alpha of at least [`CUTOFF`](Self::CUTOFF).
    pub fn coverage(&self) -> f32 {
        let pixels = self.color_alpha.as_chunks::<4>().0;
        let covered = pixels.iter().filter(|pixel| pixel[3] >= Self::CUTOFF);
        covered.count() as f32 / pixels.len() as f32
    }

    /// Returns both textures with all mip levels, down to a single pixel.
    ///
    /// Each level has the same share of pixels at or above [`CUTOFF`](Self::CUTOFF) as the first,
    /// as far as whole pixels allow. So plants do not become thinner at a distance.
    pub fn mip_chain(&self) -> CardMipChain {
        card_mip_chain(&self.color_alpha, &self.normal_material, self.size as usize)
    }
}
