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
    metres: f32,
    /// Linear color for drawing without the texture.
    plain: [f32; 3],
    paint: Paint,
}

/// Declares [`PlantSkin`] from one row per skin, so that the enum, [`PlantSkin::ALL`] and the facts cannot disagree.
macro_rules! skins {
    ($($(#[$doc:meta])* $skin:ident: $name:literal, $metres:literal, $plain:expr, $paint:expr;)*) => {
        /// A texture for a part of a plant: a card that its alpha cuts out, or a bark that tiles.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum PlantSkin {
            $($(#[$doc])* $skin,)*
        }

        impl PlantSkin {
            /// All of them, in the order of the declaration.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$skin),*];

            fn facts(self) -> Facts {
                use Paint::{Card, Tile};
                match self {
                    $(Self::$skin => Facts {
                        name: $name,
                        metres: $metres,
                        plain: $plain,
                        paint: $paint,
                    },)*
                }
            }
        }
    };
}

// Name, side in meters, plain color, painter. New skins go to the end: the order decides nothing that is saved, but
// `ALL` is public.
skins! {
    /// A conifer's branch with its needles.
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
    /// A low bush's leaves and twigs.
    Bush: "bush", 1.2, [0.10, 0.20, 0.05], Card(herb::bush);
    /// Furrowed bark; a tile.
    Bark: "bark", 1.0, [0.16, 0.11, 0.07], Tile(bark::furrowed);
    /// White bark with dark marks; a tile.
    BirchBark: "birch bark", 1.0, [0.72, 0.70, 0.66], Tile(bark::birch);
    /// Gray wood without bark; a tile.
    DeadBark: "dead bark", 1.0, [0.34, 0.31, 0.27], Tile(bark::dead);
}

impl PlantSkin {
    /// Its name in words: "pine branch".
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The side of the card, or of one tile of bark, in meters. A seed's plant that would not fit is drawn a little
    /// smaller.
    pub fn metres(self) -> f32 {
        self.facts().metres
    }

    /// Linear red, green and blue for drawing it without its texture.
    pub fn plain_color(self) -> [f32; 3] {
        self.facts().plain
    }

    /// Whether it is an opaque tile that repeats in both directions: a bark, whose grain goes down the rows. Otherwise
    /// it is a card that grows up from the middle of the lowest row.
    pub fn is_bark(self) -> bool {
        match self.facts().paint {
            Paint::Tile(_) => true,
            Paint::Card(_) => false,
        }
    }
}

/// Makes a plant's texture of `size` x `size` pixels: a power of two, 16 to 2048.
///
/// The same skin, size and seed give the same bytes, everywhere.
///
/// # Errors
///
/// [`TextureError::Size`] for another size.
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
    let metres = skin.metres();
    let baked = match skin.facts().paint {
        Paint::Card(paint) => paint_card(side, metres, seed, paint),
        Paint::Tile(paint) => paint_tile(paint(side, metres, seed)),
    };
    Ok(PlantTexture {
        size,
        color_alpha: baked.color_height,
        normal_material: baked.normal_material,
    })
}

/// Bakes an opaque tile: the alpha channel holds coverage instead of height.
fn paint_tile((canvas, finish): (Canvas, Finish)) -> Baked {
    let mut baked = bake(&canvas, &finish);
    for pixel in baked.color_height.as_chunks_mut::<4>().0 {
        pixel[3] = 255;
    }
    baked
}

/// Paints a card; once more, showing more, if not all was within its borders.
fn paint_card(size: usize, metres: f32, seed: u64, paint: fn(&mut Canvas, u64) -> f32) -> Baked {
    let mut canvas = Canvas::empty(size, metres, 1.0);
    let albedo = paint(&mut canvas, seed);
    if canvas.needed > 1.0 {
        canvas = Canvas::empty(size, metres, canvas.needed);
        paint(&mut canvas, seed);
    }
    card::bake_card(&canvas, albedo)
}

/// A plant's texture: two pictures of one size, four bytes a pixel, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantTexture {
    size: u32,
    color_alpha: Vec<u8>,
    normal_material: Vec<u8>,
}

impl PlantTexture {
    /// The alpha, of 255, below which a pixel is cut out. Mip levels keep the share of pixels that are not.
    pub const CUTOFF: u8 = coverage::CUTOFF;

    /// A card of pixels from elsewhere, as [`color_alpha`](Self::color_alpha) has them, flat and dull.
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
    /// [`TextureError::Size`] for a size that [`synthesize_plant`] does not take, [`TextureError::Bytes`] where there
    /// are not four bytes for each pixel.
    pub fn from_color_alpha(size: u32, color_alpha: Vec<u8>) -> Result<Self, TextureError> {
        /// No slope, as rough as a leaf, and nothing above it.
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

    /// Pixels a side.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Red, green and blue: albedo, encoded as sRGB; where nothing is, the color of what is nearest, so
    /// that no dark fringe comes in by filtering. Alpha: how much of the pixel is covered.
    pub fn color_alpha(&self) -> &[u8] {
        &self.color_alpha
    }

    /// As [`GroundTexture::normal_material`](crate::GroundTexture::normal_material): normal x and y,
    /// roughness, occlusion.
    pub fn normal_material(&self) -> &[u8] {
        &self.normal_material
    }

    /// The average albedo of what is covered, linear: red, green, blue.
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

    /// The share of pixels at or above [`CUTOFF`](Self::CUTOFF).
    pub fn coverage(&self) -> f32 {
        let pixels = self.color_alpha.as_chunks::<4>().0;
        let covered = pixels.iter().filter(|pixel| pixel[3] >= Self::CUTOFF);
        covered.count() as f32 / pixels.len() as f32
    }

    /// Both pictures at every size down to a single pixel. At each size as large a share of the pixels
    /// is at or above [`CUTOFF`](Self::CUTOFF) as at the first, as far as whole pixels allow: plants do not
    /// become thin from afar.
    pub fn mip_chain(&self) -> CardMipChain {
        card_mip_chain(&self.color_alpha, &self.normal_material, self.size as usize)
    }
}
