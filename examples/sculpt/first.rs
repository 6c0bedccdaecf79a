//! The initial strokes, roads and houses, as an example in code.

use bevy::prelude::*;
use lanternfell::{prelude::*, terrain::edits::Brush};

use crate::{
    AUTHOR,
    things::{Kind, Thing},
};

pub fn plugin(app: &mut App) {
    app.add_observer(sculpt_first);
}

/// Runs when the terrain is complete, and once more after it was sculpted.
fn sculpt_first(
    ready: On<TerrainReady>,
    mut commands: Commands,
    mut terrains: Query<(&TerrainSurface, &mut TerrainEdits)>,
) -> Result {
    let (surface, mut edits) = terrains.get_mut(ready.entity)?;
    if !edits.is_empty() {
        return Ok(());
    }
    let ditch = [[40.0, 33.0], [62.0, 40.0], [88.0, 38.0]].map(Vec2::from);
    edits.stroke(
        AUTHOR,
        surface.local_stroke(Brush::Lower { mm: 900 }, 3.5, ditch)?,
    )?;
    let mut spawn = |thing: Thing| thing.spawn(&mut commands, ready.entity);
    spawn(Kind::House.at(Vec3::new(-38.0, 9.5, 20.0)));
    spawn(Kind::Crater.at(Vec3::new(-8.0, 0.0, 46.0)));
    for line in [
        [[-66.0, 66.0], [-52.0, 46.0], [-44.0, 34.0], [-38.0, 24.0]],
        [[-43.0, 33.0], [-20.0, 29.0], [8.0, 33.0], [40.0, 22.0]],
    ] {
        let line = line.map(|[x, z]| Vec3::new(x, 0.0, z));
        spawn(Kind::Road.along(line));
    }
    Ok(())
}
