//! The first visible frame of a terrain, with a renderer that compiles its pipelines in the background.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use std::time::Instant;

use bevy::prelude::*;
use lanternfell_terrain::{heightmap::Heightmap, prelude::*};

use lanternfell_terrain_test_support::canvas::*;

fn app_with_camera() -> App {
    let mut app = app_that_draws(UVec2::new(64, 36), |app| {
        app.insert_resource(ClearColor(Color::srgb(1.0, 0.0, 1.0)));
    });
    let above = Transform::from_xyz(0.0, 60.0, 0.0).looking_at(Vec3::ZERO, Vec3::NEG_Z);
    spawn_camera(&mut app, above);
    let down = Transform::default().looking_to(Vec3::NEG_Y, Vec3::X);
    app.world_mut().spawn((DirectionalLight::default(), down));
    app
}

/// Terrain in the west, and water in the east.
pub fn half_and_half() -> impl Bundle {
    let size = MapSize::new(129, 129).unwrap();
    let heights = (0..size.cells()).map(|cell| if cell % 129 < 64 { 1.0 } else { 0.0 });
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    let scale = Scale {
        spacing: 1.0,
        relief: 8.0,
    };
    // Snow would be as blue as water.
    let layers = TerrainLayers::temperate(&LayerZones {
        snow_line: 2.0,
        ..default()
    });
    (Terrain::new(map).with_scale(scale), layers)
}

/// Takes a screenshot in every frame until three are complete.
fn watch(app: &mut App, is_complete: fn([f32; 2]) -> bool) -> Vec<[f32; 2]> {
    let start = Instant::now();
    loop {
        take_picture(app);
        app.update();
        let pictures = &app.world().resource::<Canvas>().pictures;
        let pictures: Vec<[f32; 2]> = pictures.iter().map(land_and_sea).collect();
        let complete = pictures.iter().filter(|picture| is_complete(**picture));
        if complete.count() > 2 {
            return pictures;
        }
        assert!(start.elapsed() < PATIENCE, "{pictures:?}");
    }
}

/// The order in which pipelines are compiled is random, so this is tested three times.
#[test]
fn terrain_and_sea_appear_in_the_same_frame() {
    for _ in 0..3 {
        let mut app = app_with_camera();
        let wet = Water {
            level: Some(0.5),
            ..default()
        };
        app.world_mut().spawn((half_and_half(), wet));
        let pictures = watch(&mut app, |[land, sea]| land > 0.2 && sea > 0.2);
        let is_seen = |share: f32| share > 0.01;
        assert!(
            !pictures[0].into_iter().any(is_seen),
            "the first frame is not empty: {pictures:?}"
        );
        for [land, sea] in &pictures {
            assert_eq!(is_seen(*land), is_seen(*sea), "{pictures:?}");
        }
    }
}

#[test]
fn terrain_without_sea_does_not_wait() {
    let mut app = app_with_camera();
    app.world_mut().spawn(half_and_half()).remove::<Water>();
    let pictures = watch(&mut app, |[land, _]| land > 0.6);
    assert!(pictures.iter().all(|[_, sea]| *sea < 0.01), "{pictures:?}");
}
