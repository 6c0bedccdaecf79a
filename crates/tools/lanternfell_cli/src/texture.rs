//! Textures of meshes: images of the map from above, one pixel per cell.

use std::borrow::Cow;

use clap::ValueEnum;
use lanternfell_heightmap::{ElevationModel, Progress, RgbImage};
use lanternfell_render::{ShadedReliefView, TopView};

use crate::{failure::Failure, land::Measures};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Texture {
    /// Sand, grass, rock and snow; water by depth
    Natural,
    /// Tints by height, as in an atlas
    Atlas,
    /// No texture
    None,
}

impl Texture {
    /// Draws the texture of a map, or returns `None` for no texture.
    pub(crate) fn draw(
        self,
        map: &ElevationModel,
        mut measures: Measures,
        progress: &Progress,
    ) -> Result<Option<RgbImage>, Failure> {
        let mut shown = Cow::Borrowed(map);
        if !matches!(map.heights.range(), (0.0.., ..=1.0)) {
            measures.stretch(shown.to_mut())?;
        }
        let map = &shown.heights;
        let sea_level = measures.sea_level;
        Ok(match self {
            Self::None => None,
            Self::Natural => {
                let default = TopView::default();
                let view = TopView {
                    sea_level,
                    look: measures.look(),
                    vertical_scale: measures.vertical_scale().unwrap_or(default.vertical_scale),
                    // Light from directly above, so that only the viewer's own light causes shading.
                    sun_elevation: 90.0,
                    ..default
                };
                Some(view.draw(map, progress)?)
            }
            Self::Atlas => {
                let mut view = ShadedReliefView::new(measures.ground());
                view.sea_level = sea_level;
                view.hillshade.altitude = 90.0;
                Some(view.draw(map, progress)?)
            }
        })
    }
}
