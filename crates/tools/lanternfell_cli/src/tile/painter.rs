//! Textures of mesh tiles.
//!
//! Neighboring tiles must have the same colors on a shared edge. The colors of an atlas depend on a cell and its
//! neighbors, so each tile is drawn with the cells around it. The natural colors depend on the whole map, for instance
//! on the distance to the shore, so the whole map is drawn once, and the textures are cropped from it.

use lanternfell_heightmap::{ElevationModel, Heightmap, MapRegion, MapSize, Progress, RgbImage};

use super::{
    plan::Plan,
    source::{TileSource, stretched},
};
use crate::{failure::Failure, land::Measures, memory, texture::Texture};

/// The longer side of the largest map that is drawn as a whole.
const LARGEST_WHOLE: usize = 4096;

/// Draws the textures of tiles.
pub(super) enum Painter {
    /// No texture.
    None,
    /// From the tile and the cells around it.
    Atlas {
        measures: Measures,
        range: (f32, f32),
    },
    /// From an image of the whole map.
    Crop(RgbImage),
}

impl Painter {
    /// Returns an error if the whole map must be drawn, but is too large.
    pub(super) fn check(texture: Texture, size: MapSize) -> Result<(), Failure> {
        let (width, height) = (size.width(), size.height());
        if texture != Texture::Natural || width.max(height) <= LARGEST_WHOLE {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "--texture natural draws the whole map, which can have up to {LARGEST_WHOLE} cells per side, but this one \
             has {width}x{height}; --texture atlas works for any size"
        )))
    }

    pub(super) fn new(
        texture: Texture,
        source: &TileSource<'_>,
        plan: &Plan,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let size = plan.size();
        let measures = source.measures(plan.frame, size);
        match texture {
            Texture::None => Ok(Self::None),
            Texture::Atlas => {
                let range = source.shown_range();
                let measures = stretched(measures, range);
                Ok(Self::Atlas { measures, range })
            }
            Texture::Natural => {
                let what = format_args!("--texture natural");
                memory::check(3 * memory::of_map(size), what)?;
                let whole = MapRegion::whole(size);
                let heights = source.region(whole, &progress.span(0.0, 0.5))?;
                let map = plan.frame.of(heights);
                let image = texture.draw(&map, measures, &progress.span(0.5, 1.0))?;
                Ok(image.map_or(Self::None, Self::Crop))
            }
        }
    }

    /// Draws the texture of a tile. `heights` are those of `around`, which contains the tile and the cells around it.
    pub(super) fn draw(
        &self,
        tile: MapRegion,
        (heights, around): (&Heightmap, MapRegion),
        progress: &Progress,
    ) -> Result<Option<RgbImage>, Failure> {
        let crop = |image: &RgbImage, x, y| image.cropped((x, y), tile.size());
        match self {
            Self::None => Ok(None),
            Self::Crop(whole) => Ok(Some(crop(whole, tile.x(), tile.y())?)),
            Self::Atlas { measures, range } => {
                let frame = measures.frame.part(measures.size, around);
                let heights = shown(heights, *range);
                let measures = Measures {
                    frame,
                    size: around.size(),
                    ..*measures
                };
                let map = ElevationModel { heights, frame };
                let image = Texture::Atlas.draw(&map, measures, progress)?;
                let (x, y) = (tile.x() - around.x(), tile.y() - around.y());
                Ok(image.map(|image| crop(&image, x, y)).transpose()?)
            }
        }
    }
}

/// Returns the heights with this range stretched to 0 to 1, and clamped.
fn shown(heights: &Heightmap, (low, high): (f32, f32)) -> Heightmap {
    let (low, span) = (f64::from(low), f64::from(high) - f64::from(low));
    let share = |z: f32| match span > 0.0 {
        true => ((f64::from(z) - low) * (1.0 / span)).clamp(0.0, 1.0) as f32,
        false => 0.0,
    };
    let shares = heights.heights().iter().map(|&z| share(z)).collect();
    Heightmap::from_heights(heights.size(), shares).expect("finite heights")
}
