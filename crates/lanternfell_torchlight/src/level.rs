//! Writes how well entities are lit, and triggers an event when their band changes.

use bevy::prelude::*;
use lanternfell_lightgrid::LightBand;

use crate::{
    frame::Frame,
    map::TorchlightMap,
    position::{LightPosition, PositionData, Positions},
    thresholds::LightThresholds,
};

/// How well an entity is lit. Insert it on the entity. The plugin updates it in each run, and marks
/// it as changed only if its value changes.
///
/// It is the light of the cell that contains the entity. If several maps contain the entity, it is
/// the light of the brightest.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LightLevel {
    /// Linear red, green and blue. 1 is full light.
    pub light: Vec3,
    /// The relative luminance of the light. 1 is full light.
    pub luminance: f32,
    /// The band of the luminance, by the [`LightThresholds`] of the map. `Hidden` outside of all
    /// maps.
    pub band: LightBand,
    /// The map that the light is from, or `None` outside of all maps.
    #[entities]
    pub map: Option<Entity>,
}

/// Triggered on an entity when its [`LightLevel`] changes its band, for example from dark to lit.
///
/// React to it with an observer, for one entity or for all. It is triggered in
/// [`TorchlightSystems::Publish`](crate::TorchlightSystems::Publish), and observers see the new [`LightLevel`].
///
/// A new entity starts as `Hidden`, so one that is spawned in the light triggers the event too.
/// Near a threshold, the luminance has to pass it by
/// [`LightBands::hysteresis`](lanternfell_lightgrid::LightBands::hysteresis) before the band
/// changes.
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq, Eq)]
pub struct LightBandChanged {
    /// The entity with the [`LightLevel`].
    pub entity: Entity,
    /// The map that the light is from, or `None` if the entity has left all maps.
    pub map: Option<Entity>,
    /// The previous band.
    pub before: LightBand,
    /// The current band.
    pub now: LightBand,
}

/// Updates every [`LightLevel`].
pub(crate) fn publish(
    mut commands: Commands,
    positions: Positions,
    maps: Query<(&TorchlightMap, &LightThresholds)>,
    map_entities: Query<(Entity, &TorchlightMap)>,
    mut levels: Query<(PositionData, &mut LightLevel)>,
    mut frames: Local<Vec<(Entity, Frame)>>,
) {
    positions.frames(map_entities.iter(), &mut frames);
    for (data, mut level) in &mut levels {
        let entity = data.0;
        let position = positions.of(data);
        let now = read(position, &level, &frames, &maps);
        let before = level.band;
        if now.band != before {
            commands.trigger(LightBandChanged {
                entity,
                map: now.map,
                before,
                now: now.band,
            });
        }
        level.set_if_neq(now);
    }
}

/// The level at a position, by the brightest map there. Of equally bright maps, the first is used.
fn read(
    position: Option<LightPosition>,
    before: &LightLevel,
    frames: &[(Entity, Frame)],
    maps: &Query<(&TorchlightMap, &LightThresholds)>,
) -> LightLevel {
    let mut brightest = LightLevel::default();
    for &(entity, frame) in frames {
        let cell = position
            .and_then(|position| position.in_map(entity, &frame))
            .and_then(|at| frame.cell(at));
        let (Some(cell), Ok((map, bands))) = (cell, maps.get(entity)) else {
            continue;
        };
        let luminance = map.data.grid.luminance(cell);
        if brightest.map.is_none() || luminance > brightest.luminance {
            brightest = LightLevel {
                light: map.data.grid.light(cell),
                luminance,
                band: bands.band(luminance, before.map.map(|_| before.band)),
                map: Some(entity),
            };
        }
    }
    brightest
}
