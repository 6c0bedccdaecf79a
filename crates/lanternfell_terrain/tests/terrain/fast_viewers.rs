//! Endless terrain keeps up with a fast viewer, on the real clock.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use lanternfell_terrain::prelude::*;
use lanternfell_terrain_test_support::terrain::*;

/// Meters per second. `EndlessTerrain` documents it.
const SPEED: f32 = 200.0;
/// Long enough for five regions.
const SECONDS: f32 = 15.0;
const FRAME: Duration = Duration::from_millis(16);

#[test]
fn viewer_at_200_meters_per_second_always_has_terrain() {
    let mut app = app();
    let noise = FractalNoise {
        octaves: 7,
        scale: 900.0,
        ..default()
    };
    let scale = Scale {
        spacing: 1.0,
        relief: 160.0,
    };
    let recipe = Recipe {
        scale: Some(scale),
        ..Recipe::new(MapSize::default(), 7, noise)
    };
    let terrain = EndlessTerrain {
        distance: 600.0,
        ..EndlessTerrain::new(recipe)
    };
    // Unlike the default, for which the tests render every cell.
    let detail = TerrainDetail {
        memory: 63 << 20,
        ..default()
    };
    let terrain = app.world_mut().spawn((terrain, detail, NeedsTerrainCover));
    let terrain = terrain.id();
    let viewer = (TerrainViewer, Transform::default());
    let viewer = app.world_mut().spawn(viewer).id();
    update_until(&mut app, |app| answers(app).ready.contains(&terrain));

    let (start, mut frames, mut without) = (Instant::now(), 0, 0);
    while start.elapsed().as_secs_f32() < SECONDS {
        let frame = Instant::now();
        let at = Vec3::X * SPEED * start.elapsed().as_secs_f32();
        let mut transform = app.world_mut().get_mut::<Transform>(viewer).unwrap();
        transform.translation = at;
        app.update();
        frames += 1;
        let height = ask(&mut app, move |terrains| terrains.height(at));
        without += usize::from(height.is_none());
        sleep(FRAME.saturating_sub(frame.elapsed()));
    }
    let ready = answers(&app).ready.iter();
    let regions = ready.filter(|entity| **entity == terrain).count() - 1;
    assert_eq!(without, 0, "of {frames} frames are without terrain");
    assert!(regions >= 3, "{regions} regions");
}
