//! Tests of torchlight on several terrains and on endless terrain.

use std::{sync::Arc, time::Duration};

use bevy::prelude::*;
use lanternfell::{heightmap::Scale, prelude::*};

use lanternfell_terrain_test_support::{log::warnings, terrain::*};

use crate::terrain_torchlight::*;

/// The largest height difference between the map's relief and the terrain, in meters, sampled all over the map.
/// Infinite if the terrain or the relief is not ready.
fn apart(app: &mut App, map: Entity) -> f32 {
    let Some(relief) = relief(app, map).cloned() else {
        return f32::INFINITY;
    };
    let size = relief.size().as_ivec2();
    let cells = (0..size.y).step_by(7).flat_map(|y| {
        let columns = (0..size.x).step_by(5);
        columns.map(move |x| IVec2::new(x, y))
    });
    let mut most = 0.0_f32;
    for cell in cells {
        let entity = app.world().entity(map);
        let (light, at) = (
            entity.get::<TorchlightMap>().unwrap(),
            entity.get::<GlobalTransform>().unwrap(),
        );
        let (cell_size, base) = (light.cell_size, at.translation().y);
        let at = light.position_of(at, cell.as_vec2());
        let Some(ground) = ask(app, move |terrains| terrains.height(at)) else {
            return f32::INFINITY;
        };
        most = most.max((relief.ground(cell) * cell_size + base - ground).abs());
    }
    most
}

/// Waits until the map's relief matches the terrain, and checks that it keeps matching.
fn wait_until_over_land(app: &mut App, map: Entity) {
    update_until(app, |app| apart(app, map) < 0.05);
    for _ in 0..60 {
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    }
    let apart = apart(app, map);
    assert!(apart < 0.05, "{apart}");
}

#[test]
fn each_terrain_shades_only_its_own_map() {
    let mut app = lit_app();
    let far = 200.0;
    let spawn = |app: &mut App, x: f32, profile: fn(f32) -> f32| {
        let at = Transform::from_xyz(x, 0.0, 0.0);
        let terrain = spawn_dry(app, (land(profile), at));
        let over = (map(64, straight(60.0)), TerrainTorchlight(terrain), at);
        let map = app.world_mut().spawn(over).id();
        wait_for_relief(app, map);
        [terrain, map]
    };
    let [with_ridge, first] = spawn(&mut app, 0.0, ridge);
    let [_, second] = spawn(&mut app, far, plain);
    for map in [first, second] {
        assert!(apart(&mut app, map) < 0.01);
    }
    let mut behind = Vec::new();
    for x in [0.0, far] {
        spawn_torch(&mut app, Vec3::new(x - 20.0, 1.5, 0.0));
        let at = Transform::from_xyz(x + 8.0, 0.0, 0.0);
        behind.push(app.world_mut().spawn((LightLevel::default(), at)).id());
    }
    assert_eq!(luminance(&mut app, behind[0]), 0.0, "behind the ridge");
    assert!(luminance(&mut app, behind[1]) > 0.01, "on the plain");
    // Leveling one terrain does not affect the other map.
    let other = Arc::clone(relief(&app, second).unwrap());
    level(&mut app, with_ridge, first);
    assert!(apart(&mut app, first) < 0.01);
    assert!(luminance(&mut app, behind[0]) > 0.01, "the ridge is gone");
    assert!(Arc::ptr_eq(&other, relief(&app, second).unwrap()));
    // Despawning it removes the relief of its map only.
    app.world_mut().entity_mut(with_ridge).despawn();
    update_until(&mut app, |app| relief(app, first).is_none());
    assert!(Arc::ptr_eq(&other, relief(&app, second).unwrap()));
}

#[test]
fn map_moves_over_endless_terrain() {
    let mut app = lit_app();
    let scale = Scale {
        spacing: 8.0,
        relief: 120.0,
    };
    let recipe = Recipe {
        scale: Some(scale),
        ..Recipe::new(MapSize::default(), 3, FractalNoise::default())
    };
    let endless = spawn_dry(&mut app, EndlessTerrain::new(recipe));
    let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
    let over = (map(64, straight(60.0)), TerrainTorchlight(endless), at(0.0));
    let map = app.world_mut().spawn(over).id();
    let viewer = app.world_mut().spawn((TerrainViewer, at(0.0))).id();
    let said = warnings(&mut app, |app, _| {
        wait_for_relief(app, map);
        wait_until_over_land(app, map);
        // Move across region borders, then far away and back. The map waits for terrain that is not generated yet.
        for x in [700.0, 3000.0, 3020.0, 0.0] {
            // Until the terrain is generated, the map must not keep the relief of another place.
            *app.world_mut().get_mut::<Transform>(map).unwrap() = at(x);
            if x > 2000.0 {
                update_until(app, |app| {
                    relief(app, map).is_none() || apart(app, map) < 0.05
                });
            }
            *app.world_mut().get_mut::<Transform>(viewer).unwrap() = at(x);
            app.update();
            wait_until_over_land(app, map);
        }
    });
    // Messages of tests that run at the same time may be among them.
    let missing = format!("map {map} cannot light its terrain: it does not overlap");
    let of_it = said.iter().find(|text| text.contains(&missing));
    assert_eq!(of_it, None);
}
