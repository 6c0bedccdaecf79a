//! Tells entities how lit they are, and the game when that matters.

use bevy::prelude::*;
use lanternfell_lightgrid::LightBand;

use crate::{
    frame::Frame,
    map::LightMap,
    position::{LightPosition, PositionData, Positions},
    thresholds::LightThresholds,
};

/// How lit the cell is in which this entity stands. Put it on whatever wants to know; each
/// run of the plugin fills it in, and only a change of it counts as one.
///
/// An entity that stands in several maps has the light of the one in which it is brightest.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LightLevel {
    /// Red, green and blue, linear; 1 is full light.
    pub light: Vec3,
    /// How bright that looks, from 0.
    pub luminance: f32,
    /// How lit it is in a word, by the map's [`LightThresholds`]. `Hidden` outside of all maps.
    pub band: LightBand,
    /// The map that it has its light from; none outside of all maps.
    #[entities]
    pub map: Option<Entity>,
}

/// Something with a [`LightLevel`] came into another band, as from the dark into light.
///
/// Something new is `Hidden` before it is seen for the first time. Something in the
/// twilight between two bands stays in the one in which it was
/// ([`LightBands::hysteresis`](lanternfell_lightgrid::LightBands::hysteresis)).
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct LightBandChanged {
    /// The entity with the [`LightLevel`].
    pub entity: Entity,
    /// The map that it has its light from; none when it has left all maps.
    pub map: Option<Entity>,
    /// In which band it was.
    pub before: LightBand,
    /// In which it is.
    pub now: LightBand,
}

/// Fills in every [`LightLevel`].
pub(crate) fn publish(
    positions: Positions,
    maps: Query<(&LightMap, &LightThresholds)>,
    map_entities: Query<(Entity, &LightMap)>,
    mut levels: Query<(PositionData, &mut LightLevel)>,
    mut changes: MessageWriter<LightBandChanged>,
    mut frames: Local<Vec<(Entity, Frame)>>,
) {
    positions.frames(map_entities.iter(), &mut frames);
    for (data, mut level) in &mut levels {
        let entity = data.0;
        let position = positions.of(data);
        let now = read(position, &level, &frames, &maps);
        let before = level.band;
        if now.band != before {
            changes.write(LightBandChanged {
                entity,
                map: now.map,
                before,
                now: now.band,
            });
        }
        level.set_if_neq(now);
    }
}

/// The level at a position, by the brightest map there, of equally bright ones the first.
fn read(
    position: Option<LightPosition>,
    before: &LightLevel,
    frames: &[(Entity, Frame)],
    maps: &Query<(&LightMap, &LightThresholds)>,
) -> LightLevel {
    let mut brightest = LightLevel::default();
    for &(entity, frame) in frames {
        let cell = position
            .and_then(|position| position.in_map(entity, &frame))
            .and_then(|at| frame.cell(at));
        let (Some(cell), Ok((map, bands))) = (cell, maps.get(entity)) else {
            continue;
        };
        let luminance = map.grid.luminance(cell);
        if brightest.map.is_none() || luminance > brightest.luminance {
            brightest = LightLevel {
                light: map.grid.light(cell),
                luminance,
                band: bands.band(luminance, before.map.map(|_| before.band)),
                map: Some(entity),
            };
        }
    }
    brightest
}
