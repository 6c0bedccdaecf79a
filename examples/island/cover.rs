//! What grows on the ground, and from which height: the islands are a stage, all else has metres.

use bevy::{math::ops, prelude::*};
use lanternfell::{heightmap::Cover, prelude::*};

use crate::{
    extent::Extent,
    ground::{Built, Land},
    quality::Quality,
};

pub fn plugin(app: &mut App) {
    app.add_observer(clothe);
}

/// With the new ground, not before: the old one keeps its layers.
fn clothe(
    ready: On<TerrainReady>,
    built: Res<Built>,
    quality: Res<Quality>,
    mut grounds: Query<(&TerrainSurface, &Water, &mut TerrainLayers)>,
) {
    let (Some(asked), Ok((ground, water, mut layers))) =
        (built.asked(), grounds.get_mut(ready.entity))
    else {
        return;
    };
    let zones = match asked.land {
        Land::Island(_) => LayerZones::default(),
        Land::Recipe(_) | Land::File(_) => measured(ground, &asked.water(*water)),
    };
    let of_climate = match asked.cover() {
        Cover::Temperate => TerrainLayers::temperate(&zones),
        Cover::Desert => TerrainLayers::desert(&zones),
    };
    layers.set_if_neq(TerrainLayers {
        quality: quality.level().layers(),
        ..of_climate
    });
}

/// Metres above the sea from which there is snow, at least: as in the mountains of a cool coast.
const SNOW_LINE: f32 = 1000.0;

/// The same of places on earth, of which most are not so cool.
const SNOW_LINE_ON_EARTH: f32 = 2500.0;

/// The share of the land's height above which there is snow, where it is that high.
const SNOW_SHARE: f32 = 0.69;

/// Snow, beaches, rock and meadows of ground that is so large, in that sea.
fn measured(ground: &TerrainSurface, water: &Water) -> LayerZones {
    let usual = LayerZones::default();
    let (extent, scale) = (Extent::of(ground, water), ground.surface().scale());
    let snow_line = if ground.frame().elevation_is_said {
        // A map knows how high it lies; its sea may be anywhere.
        let sea = water.surface_y(ground);
        let (zero, least) = match ground.recipe() {
            Some(_) => (sea, SNOW_LINE),
            None => (-ground.datum() as f32, SNOW_LINE_ON_EARTH),
        };
        let land = scale.relief - zero;
        let snow = zero + least.max(SNOW_SHARE * land);
        (snow - sea) / (scale.relief - sea).max(1.0)
    } else {
        usual.snow_line
    };
    // A slope over cells of 32 m is an average, and no longer as steep as its walls are.
    let coarse = (ops::log2(scale.spacing) / 5.0).clamp(0.0, 1.0);
    LayerZones {
        snow_line,
        rock_slope: usual.rock_slope - 13.0 * coarse,
        sand_height: (usual.sand_height * extent.times()).clamp(0.2, 5.0),
        patches: usual.patches * extent.times(),
        // A texel of it, at least.
        river_beds: usual.river_beds.max(scale.spacing),
    }
}
