//! What a map's recipe or range implies about its frame and sea level.

use lanternfell_heightmap::{MapFrame, Preset, Recipe, Scale};
use lanternfell_render::Look;

use crate::args::decimal;

/// The sea level of a map without one, as a part of its range: slightly above the lowest height.
const SEA_LEVEL: f32 = 0.04;

/// The frame of a recipe's map, with the cover of the preset of this name and the usual snow line, so that a file of the
/// map is rendered as the recipe is.
pub(crate) fn frame_of_recipe(recipe: &Recipe, name: &str) -> MapFrame {
    let mut frame = recipe.frame();
    let scenery = &mut frame.scenery;
    scenery.cover = Preset::find(name).map(|preset| preset.cover);
    let snow = |scale: Scale| Look::usual_snow_line(scale.relief, recipe.water_level());
    scenery.snow_line = recipe.scale.map(|scale| decimal(snow(scale)));
    frame
}

/// The sea level of a map with this range, in its own heights: the frame's, or 0 m if the map has heights below and above.
pub(crate) fn sea_of((low, high): (f32, f32), frame: &MapFrame) -> f32 {
    if let Some(level) = frame.sea_level() {
        return level;
    }
    let elevation = frame.elevation;
    let metres = (elevation.metres(low), elevation.metres(high));
    if frame.elevation_is_said && metres.0 < 0.0 && metres.1 > 0.0 {
        return (-elevation.offset / elevation.relief) as f32;
    }
    if low < 0.0 && high > 0.0 {
        return 0.0;
    }
    if (0.0..=1.0).contains(&low) && high <= 1.0 {
        return SEA_LEVEL;
    }
    low + SEA_LEVEL * (high - low)
}
