//! The frame and sea level that a map's recipe, range or file implies.

use lanternfell_heightmap::{Elevation, MapFrame, MapSize, Preset, Recipe, Scale};
use lanternfell_io::{ElevationSource, Meaning};
use lanternfell_render::Look;

use crate::{
    args::{ResizeArgs, ScaleArgs, decimal},
    failure::Failure,
    meaning::Reason,
};

/// The default sea level as a fraction of the map's range: slightly above the lowest height.
const SEA_LEVEL: f32 = 0.04;

/// Returns the frame of a recipe's map, with the land cover of the preset with this name and the default snow line. A
/// file of the map is then rendered like the recipe.
pub(crate) fn frame_of_recipe(recipe: &Recipe, name: &str) -> MapFrame {
    let mut frame = recipe.frame();
    let scenery = &mut frame.scenery;
    scenery.cover = Preset::find(name).map(|preset| preset.cover);
    let snow = |scale: Scale| Look::default_snow_line(scale.relief, recipe.water_level());
    scenery.snow_line = recipe.scale.map(|scale| decimal(snow(scale)));
    frame
}

/// Returns the frame of a map that was read, with the user's options.
pub(crate) fn of_file(
    scale: &ScaleArgs,
    resize: &ResizeArgs,
    (frame, size): (MapFrame, MapSize),
) -> Result<MapFrame, Failure> {
    let frame = scale.of_file((frame, size), resize)?;
    Ok(scale.settled(frame, size))
}

/// Returns the frame of numbers without metadata, like that of a map that is read completely: numbers outside 0 to 1
/// are meters.
pub(crate) fn of_numbers(range: (f32, f32), size: MapSize, reason: Reason) -> (MapFrame, Reason) {
    let frame = MapFrame::of_size(size);
    let Some(elevation) = Elevation::of_range(range) else {
        return (frame.with_default_relief(size), reason);
    };
    let frame = MapFrame {
        elevation,
        elevation_is_explicit: true,
        ..frame
    };
    let meaning = Meaning {
        source: ElevationSource::Range,
        one: 1.0,
    };
    (frame, Reason::of_file(meaning))
}

/// Returns the sea level of a map with this range, in its own heights: that of the frame, which is 0 m for a map in
/// meters. Otherwise 0.04 for a map within 0 to 1, and slightly above the lowest height for other maps.
///
/// `one` is the number of a height of 1 in the file: see [`Meaning::one`](lanternfell_io::Meaning::one). If heights are
/// rounded to integers, so is the sea level at 0 m. Otherwise cells at 0 m could be above it.
pub(crate) fn sea_of(range: (f32, f32), frame: &MapFrame, one: f32) -> f32 {
    let Some(level) = frame.sea_level() else {
        return usual_sea(range, frame);
    };
    if one > 1.0 && frame.scenery.sea_level.is_none() {
        (level * one).round() / one
    } else {
        level
    }
}

fn usual_sea((low, high): (f32, f32), frame: &MapFrame) -> f32 {
    let elevation = frame.elevation;
    let meters = (elevation.meters(low), elevation.meters(high));
    if frame.elevation_is_explicit && meters.0 < 0.0 && meters.1 > 0.0 {
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
