//! Finds where blockers and sources stand, and tells the maps.
//!
//! Each run compares what it finds with what the map has: things that did not move cost
//! their look-up and nothing more. Lists are sorted by entity, so that the light does not
//! depend on the order in which the world keeps its entities.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_lightgrid::{Cell, Disc, Relief, Source};

use crate::{
    blocker::LightBlocker,
    detail::ShadowCaster,
    flicker::Flicker,
    frame::Frame,
    map::LightMap,
    position::{LightPosition, PositionData, Positions},
    source::LightSource,
};

/// The blockers over the cells of each map.
pub(crate) fn collect_blockers(
    positions: Positions,
    blockers: Query<(PositionData, &LightBlocker)>,
    mut maps: Query<(Entity, &mut LightMap)>,
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
        // Stable: those in one cell stay in the order of their entities.
        over.sort_by_key(|(at, _)| (at.y, at.x));
        // What several blockers in one cell let through together, without a list for each cell.
        over.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.behind(&later.1);
            }
            same
        });
        // Runs each time; `replace` finds out whether anything has changed.
        let map = map.bypass_change_detection();
        map.cover.replace(&mut map.grid, &over);
    }
}

/// The sources of each map.
pub(crate) fn collect_sources(
    time: Res<Time>,
    positions: Positions,
    lamps: Query<(PositionData, &LightSource, Option<&Flicker>)>,
    mut maps: Query<(Entity, &mut LightMap)>,
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
        // Three lists in the same order: the grid's sources, their entities and their radii.
        sources.clear();
        map.lamps.clear();
        map.radii.clear();
        for (lamp, position, light, radius) in found.iter() {
            let place = position.in_map(entity, &frame);
            if let Some(at) = place.filter(|&at| frame.reaches(at)) {
                let height = position.height_over(&frame);
                sources.push(over_land(Source::at(at, *light), height, map.grid.relief()));
                map.lamps.push(*lamp);
                map.radii.push(*radius);
            }
        }
        let taken = map.grid.set_sources(&sources);
        debug_assert!(taken.is_ok(), "{taken:?}");
    }
}

/// What casts shadows on the screen, on each map.
pub(crate) fn collect_casters(
    positions: Positions,
    casters: Query<(PositionData, &ShadowCaster)>,
    mut maps: Query<(Entity, &mut LightMap)>,
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
        map.casters.clear();
        let size = map.grid.size().as_vec2();
        map.casters
            .extend(found.iter().filter_map(|&(_, position, radius)| {
                let at = position.in_map(entity, &frame)?;
                // One that stands beside the map may still reach into it.
                let reaches = (at + radius).cmpge(Vec2::splat(-1.0)) & (at - radius).cmple(size);
                reaches.all().then_some(Disc { at, radius })
            }));
    }
}

/// The least height of a lamp over its ground, in cells: one that lies on it or in it, as one that was thrown away, lights
/// what is around it.
const LOWEST: f32 = 0.25;

/// No lamp is higher over its ground than the grid takes.
const HIGHEST: f32 = 1e6;

/// The same source as high over the land as it is over the map's plane, if there is land and its height is known.
fn over_land(source: Source, height: Option<f32>, relief: Option<&Arc<Relief>>) -> Source {
    let (Some(height), Some(relief)) = (height, relief) else {
        return source;
    };
    // Written so that what is no number is the least.
    let above = (height - relief.ground_at(source.at)).max(LOWEST);
    source.with_height(above.min(HIGHEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lamp_is_as_high_as_it_is_over_its_ground() {
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
