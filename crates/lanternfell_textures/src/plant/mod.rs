//! The kinds of plants' textures, and each of them.

mod bark;
mod branch;
mod card;
mod frond;
mod herb;
mod leaf;

use crate::{
    bake::{Baked, bake},
    canvas::Canvas,
    color::decode,
    coverage::{self, CardMipChain, card_mip_chain},
    error::{TextureError, check_size},
};

/// A texture for a plant: a card, which is cut out by its alpha, or a bark, which is a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlantKind {
    /// A conifer's branch with its needles.
    PineBranch,
    /// A twig with oval leaves.
    BroadLeaves,
    /// Thin hanging twigs with small leaves.
    BirchLeaves,
    /// One frond of a palm.
    PalmFrond,
    /// A fan of fern fronds.
    Fern,
    /// A tuft of grass.
    GrassTuft,
    /// Wild flowers on their stalks.
    Flowers,
    /// A low bush's leaves and twigs.
    Bush,
    /// Furrowed bark; a tile.
    Bark,
    /// White bark with dark marks; a tile.
    BirchBark,
    /// Gray wood without bark; a tile.
    DeadBark,
}

impl PlantKind {
    /// All of them, in the order of the declaration.
    pub const ALL: [Self; 11] = [
        Self::PineBranch,
        Self::BroadLeaves,
        Self::BirchLeaves,
        Self::PalmFrond,
        Self::Fern,
        Self::GrassTuft,
        Self::Flowers,
        Self::Bush,
        Self::Bark,
        Self::BirchBark,
        Self::DeadBark,
    ];

    /// Its name in words: "pine branch".
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// The side of the card, or of one tile of bark, in metres. Where a seed's plant would not fit into it,
    /// it is drawn a little smaller.
    pub fn metres(self) -> f32 {
        self.facts().1
    }

    /// Whether it is a tile, opaque, to be repeated in both directions: a bark, whose grain goes down
    /// the rows. Else it is a card: it grows up from the middle of the lowest row.
    pub fn is_bark(self) -> bool {
        matches!(self, Self::Bark | Self::BirchBark | Self::DeadBark)
    }

    /// Name, side in metres.
    fn facts(self) -> (&'static str, f32) {
        match self {
            Self::PineBranch => ("pine branch", 0.8),
            Self::BroadLeaves => ("broad leaves", 0.7),
            Self::BirchLeaves => ("birch leaves", 0.6),
            Self::PalmFrond => ("palm frond", 2.4),
            Self::Fern => ("fern", 0.9),
            Self::GrassTuft => ("grass tuft", 0.5),
            Self::Flowers => ("flowers", 0.5),
            Self::Bush => ("bush", 1.2),
            Self::Bark => ("bark", 1.0),
            Self::BirchBark => ("birch bark", 1.0),
            Self::DeadBark => ("dead bark", 1.0),
        }
    }
}

/// Makes a plant's texture of `size` x `size` pixels: a power of two, 16 to 2048.
///
/// The same kind, size and seed give the same bytes, everywhere.
///
/// # Errors
///
/// [`TextureError::Size`] for another size.
///
/// ```
/// use lanternfell_textures::{PlantKind, synthesize_plant};
///
/// let fern = synthesize_plant(PlantKind::Fern, 64, 7)?;
/// assert_eq!(fern.color_alpha().len(), 64 * 64 * 4);
/// # Ok::<(), lanternfell_textures::TextureError>(())
/// ```
pub fn synthesize_plant(
    kind: PlantKind,
    size: u32,
    seed: u64,
) -> Result<PlantTexture, TextureError> {
    let side = check_size(size)?;
    let metres = kind.metres();
    let card = |paint| paint_card(side, metres, seed, paint);
    let tile = |(canvas, finish)| {
        let mut baked = bake(&canvas, &finish);
        for pixel in baked.color_height.as_chunks_mut::<4>().0 {
            pixel[3] = 255;
        }
        baked
    };
    let baked = match kind {
        PlantKind::PineBranch => card(branch::pine),
        PlantKind::BroadLeaves => card(branch::broad),
        PlantKind::BirchLeaves => card(branch::birch),
        PlantKind::PalmFrond => card(frond::palm),
        PlantKind::Fern => card(frond::fern),
        PlantKind::GrassTuft => card(herb::tuft),
        PlantKind::Flowers => card(herb::flowers),
        PlantKind::Bush => card(herb::bush),
        PlantKind::Bark => tile(bark::furrowed(side, metres, seed)),
        PlantKind::BirchBark => tile(bark::birch(side, metres, seed)),
        PlantKind::DeadBark => tile(bark::dead(side, metres, seed)),
    };
    Ok(PlantTexture {
        size,
        color_alpha: baked.color_height,
        normal_material: baked.normal_material,
    })
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
