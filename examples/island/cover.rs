//! Ground layers and their zones: fixed for generated islands, and by size and elevation for other terrain.

use bevy::{math::ops, prelude::*};
use lanternfell::{heightmap::LandCover, prelude::*};

use crate::{
    extent::Extent,
    ground::{Built, Land},
    quality::Quality,
};

pub fn plugin(app: &mut App) {
    app.add_observer(clothe);
}

/// Sets the layers when the new terrain is ready. The old terrain keeps its own until then.
fn clothe(
    ready: On<TerrainReady>,
    built: Res<Built>,
    quality: Res<Quality>,
    mut grounds: Query<(&TerrainSurface, &mut TerrainLayers)>,
) {
    let (Some(asked), Ok((ground, mut layers))) = (built.asked(), grounds.get_mut(ready.entity))
    else {
        return;
    };
    let zones = match asked.land {
        Land::Island(_) => LayerZones::default(),
        Land::Recipe(_) | Land::File(_) => {
            measured(ground, &asked.water(Water::default()), asked.sea)
        }
    };
    let of_climate = match asked.cover() {
        LandCover::Temperate => TerrainLayers::temperate(&zones),
        LandCover::Desert => TerrainLayers::desert(&zones),
    };
    layers.set_if_neq(TerrainLayers {
        quality: quality.level().layers(),
        ..of_climate
    });
}

/// Minimum height of the snow line above the sea for recipes, in meters, as in mountains near a cool coast.
const SNOW_LINE: f32 = 1000.0;

/// The same for elevation models, above the zero of their elevations. Most real places are warmer.
const SNOW_LINE_ON_EARTH: f32 = 2500.0;

/// On higher terrain, snow starts at this share of the height.
const SNOW_SHARE: f32 = 0.69;

/// Computes the snow line, beaches, rock and meadows from the size of the terrain.
fn measured(ground: &TerrainSurface, water: &Water, has_sea: bool) -> LayerZones {
    let usual = LayerZones::default();
    let (extent, scale) = (
        Extent::of(ground, has_sea.then_some(water)),
        ground.surface().scale(),
    );
    let snow_line = if ground.frame().elevation_is_explicit {
        // The map stores its elevation. A recipe's heights start at its own sea.
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
    // On coarse cells the average slope is lower than that of the walls within a cell. At 32 m the correction is full.
    let coarse = (ops::log2(scale.spacing) / 5.0).clamp(0.0, 1.0);
    LayerZones {
        snow_line,
        rock_slope: usual.rock_slope - 13.0 * coarse,
        sand_height: (usual.sand_height * extent.times()).clamp(0.2, 5.0),
        patches: usual.patches * extent.times(),
        // At least as wide as one texel of the control map.
        river_beds: usual.river_beds.max(scale.spacing),
    }
}
