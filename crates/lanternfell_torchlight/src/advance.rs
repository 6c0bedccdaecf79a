//! The light of every map goes on.

use bevy::prelude::*;

use crate::{flow::LightFlow, map::LightMap};

/// By the time that has passed in the plugin's schedule.
pub(crate) fn advance(time: Res<Time>, mut maps: Query<(&LightFlow, &mut LightMap)>) {
    let seconds = time.delta_secs_f64();
    for (flow, mut map) in &mut maps {
        let LightMap { grid, owed, .. } = map.bypass_change_detection();
        flow.advance(grid, owed, seconds);
    }
}
