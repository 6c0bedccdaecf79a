//! Finds the positions of blockers, sources and shadow casters, and passes them to the maps.
//!
//! Each run compares the result with the previous one, so an entity that did not move costs one lookup. Lists are
//! sorted by entity, so that the light does not depend on the order in which the world stores its entities.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_lightgrid::{Cell, Disc, Relief, Source};

use crate::{
    blocker::LightBlocker,
    detail::ShadowCaster,
    flicker::Flicker,
    frame::Frame,
    map::TorchlightMap,
    position::{LightPosition, PositionData, Positions},
    source::LightSource,
};

/// Collects the blockers of each map.
pub(crate) fn collect_blockers(
    positions: Positions,
    blockers: Query<(PositionData, &LightBlocker)>,
    mut maps: Query<(Entity, &mut TorchlightMap)>,
    mut frames: Local<Vec<(Entity, Frame)>>,
    mut found: Local<Vec<(Entity, LightPosition, Cell)>>,
    mut over: Local<Vec<(IVec2, Cell)>>,
) {
    found.clear();
    found.extend(blockers.iter().filter_map(|(data, blocker)| {
        let position = positions.of(data)?;
        Some((data.0, position, blocker.sane()))
    }));
    found.sort_unstable_by_key(|(entity, ..)| entity.index_u32());
    positions.frames(maps.iter(), &mut frames);
    for &(entity, frame) in frames.iter() {
        let Ok((_, mut map)) = maps.get_mut(entity) else {
            continue;
        };
        over.clear();
        over.extend(found.iter().filter_map(|(_, position, cell)| {
            let at = frame.cell(position.in_map(entity, &frame)?)?;
            Some((at, *cell))
        }));
        // The sort is stable: blockers in the same cell stay in the order of their entities.
        over.sort_by_key(|(at, _)| (at.y, at.x));
        // Combines the blockers of each cell in place, without allocating a list per cell.
        over.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.behind(&later.1);
            }
            same
        });
        // This runs in every frame. `replace` checks whether anything has changed.
        let map = map.bypass_change_detection();
        map.data.cover.replace(&mut map.data.grid, &over);
    }
}

/// Collects the sources of each map.
pub(crate) fn collect_sources(
    time: Res<Time>,
    positions: Positions,
    lamps: Query<(PositionData, &LightSource, Option<&Flicker>)>,
    mut maps: Query<(Entity, &mut TorchlightMap)>,
    mut frames: Local<Vec<(Entity, Frame)>>,
    mut found: Local<Vec<(Entity, LightPosition, Vec3, f32)>>,
    mut sources: Local<Vec<Source>>,
) {
    let now = time.elapsed_secs_f64();
    found.clear();
    found.extend(lamps.iter().filter_map(|(data, lamp, flicker)| {
        let light = lamp.light(flicker.map_or(1.0, |flicker| flicker.at(now)));
        let position = positions.of(data).filter(|_| light != Vec3::ZERO)?;
        Some((data.0, position, light, lamp.sane_radius()))
    }));
    found.sort_unstable_by_key(|(entity, ..)| entity.index_u32());
    positions.frames(maps.iter(), &mut frames);
    for &(entity, frame) in frames.iter() {
        let Ok((_, mut map)) = maps.get_mut(entity) else {
            continue;
        };
        let map = map.bypass_change_detection();
        // Three lists in the same order: the sources of the grid, their entities and their radii.
        sources.clear();
        map.data.lamps.clear();
        map.data.radii.clear();
        for (lamp, position, light, radius) in found.iter() {
            let place = position.in_map(entity, &frame);
            if let Some(at) = place.filter(|&at| frame.reaches(at)) {
                let height = position.height_over(&frame);
                sources.push(over_land(
                    Source::at(at, *light),
                    height,
                    map.data.grid.relief(),
                ));
                map.data.lamps.push(*lamp);
                map.data.radii.push(*radius);
            }
        }
        let taken = map.data.grid.set_sources(&sources);
        debug_assert!(taken.is_ok(), "{taken:?}");
    }
}

/// The number of steps, about a second, for which sources may wait for a map that is still loading.
const PATIENCE: u32 = 64;

/// Warns once if there are light sources but no map.
pub(crate) fn warn_without_map(
    sources: Query<(), With<LightSource>>,
    maps: Query<(), With<TorchlightMap>>,
    mut steps: Local<u32>,
) {
    if *steps > PATIENCE {
        return;
    }
    *steps = if sources.is_empty() || !maps.is_empty() {
        0
    } else {
        *steps + 1
    };
    if *steps > PATIENCE {
        warn!("there are LightSources but no TorchlightMap: spawn one, or there is no light");
    }
}

/// Collects the shadow casters of each map.
pub(crate) fn collect_casters(
    positions: Positions,
    casters: Query<(PositionData, &ShadowCaster)>,
    mut maps: Query<(Entity, &mut TorchlightMap)>,
    mut frames: Local<Vec<(Entity, Frame)>>,
    mut found: Local<Vec<(Entity, LightPosition, f32)>>,
) {
    found.clear();
    found.extend(casters.iter().filter_map(|(data, caster)| {
        let radius = caster.sane_radius();
        let position = positions.of(data).filter(|_| radius > 0.0)?;
        Some((data.0, position, radius))
    }));
    found.sort_unstable_by_key(|(entity, ..)| entity.index_u32());
    positions.frames(maps.iter(), &mut frames);
    for &(entity, frame) in frames.iter() {
        let Ok((_, mut map)) = maps.get_mut(entity) else {
            continue;
        };
        let map = map.bypass_change_detection();
        map.data.casters.clear();
        let size = map.data.grid.size().as_vec2();
        map.data
            .casters
            .extend(found.iter().filter_map(|&(_, position, radius)| {
                let at = position.in_map(entity, &frame)?;
                // A caster outside of the map may reach into it.
                let reaches = (at + radius).cmpge(Vec2::splat(-1.0)) & (at - radius).cmple(size);
                reaches.all().then_some(Disc { at, radius })
            }));
    }
}

/// The minimum height of a lamp above the relief, in cells. A lamp that lies on the ground, such as a torch that was
/// thrown away, then still lights its surroundings.
const LOWEST: f32 = 0.25;

/// The maximum height of a lamp above the relief, in cells. The grid allows no more.
const HIGHEST: f32 = 1e6;

/// Converts the height of a source above the map's plane to its height above the relief. Does nothing without a relief,
/// or if the height is not known.
fn over_land(source: Source, height: Option<f32>, relief: Option<&Arc<Relief>>) -> Source {
    let (Some(height), Some(relief)) = (height, relief) else {
        return source;
    };
    // `max` also replaces NaN by the minimum.
    let above = (height - relief.ground_at(source.at)).max(LOWEST);
    source.with_height(above.min(HIGHEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamp_height_is_above_relief() {
        let relief = Relief::new(4, 2, |cell| cell.x as f32 * 2.0).unwrap();
        let relief = Arc::new(relief);
        let height = |at: f32, height: f32| {
            let source = Source::at(Vec2::new(at, 0.0), Vec3::ONE);
            over_land(source, Some(height), Some(&relief)).height
        };
        assert_eq!(height(0.0, 3.0), 3.0);
        assert_eq!(height(1.5, 3.5), 0.5);
        for low in [2.0, -50.0, f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(height(1.0, low), LOWEST, "{low}");
        }
        assert_eq!(height(1.0, f32::INFINITY), HIGHEST);
        let source = Source::at(Vec2::ZERO, Vec3::ONE);
        assert_eq!(over_land(source, None, Some(&relief)), source);
        assert_eq!(over_land(source, Some(9.0), None), source);
    }
}
