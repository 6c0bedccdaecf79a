//! Light over several lands, and over land without end.

use std::{sync::Arc, time::Duration};

use bevy::prelude::*;
use lanternfell::prelude::*;

use lanternfell_terrain_test_support::{log::warnings, terrain::*};

use crate::light_over_land::*;

/// How far the ground of a map's relief is from that of the terrains, at most, in metres: at cells all over the map.
/// Infinitely where there is no land, or no relief, yet.
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
            entity.get::<LightMap>().unwrap(),
            entity.get::<GlobalTransform>().unwrap(),
        );
        let (cell_size, base) = (light.cell_size(), at.translation().y);
        let at = light.position_of(at, cell.as_vec2());
        let Some(ground) = ask(app, move |terrains| terrains.height(at)) else {
            return f32::INFINITY;
        };
        most = most.max((relief.ground(cell) * cell_size + base - ground).abs());
    }
    most
}

/// Waits until a map's relief is the land's, and sees that it stays that.
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
fn each_land_hides_its_own_maps_light() {
    let mut app = lit_app();
    let far = 200.0;
    let spawn = |app: &mut App, x: f32, profile: fn(f32) -> f32| {
        let at = Transform::from_xyz(x, 0.0, 0.0);
        let terrain = app.world_mut().spawn((land(profile), dry(), at)).id();
        let over = (map(64, straight(60.0)), LightOverLand(terrain), at);
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
    // One is made level; the other has nothing to do with that.
    let other = Arc::clone(relief(&app, second).unwrap());
    app.world_mut().entity_mut(with_ridge).insert(land(plain));
    wait_for_relief(&mut app, first);
    assert!(luminance(&mut app, behind[0]) > 0.01, "the ridge is gone");
    assert!(Arc::ptr_eq(&other, relief(&app, second).unwrap()));
    // And taken away: its map is without land, the other as it was.
    app.world_mut().entity_mut(with_ridge).despawn();
    update_until(&mut app, |app| relief(app, first).is_none());
    assert!(Arc::ptr_eq(&other, relief(&app, second).unwrap()));
}

#[test]
fn a_map_goes_along_over_land_without_end() {
    let mut app = lit_app();
    let scale = Scale {
        spacing: 8.0,
        relief: 120.0,
    };
    let recipe = Recipe {
        scale: Some(scale),
        ..Recipe::new(MapSize::default(), 3, FractalNoise::default())
    };
    let endless = app
        .world_mut()
        .spawn((EndlessTerrain::new(recipe), dry()))
        .id();
    let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
    let over = (map(64, straight(60.0)), LightOverLand(endless), at(0.0));
    let map = app.world_mut().spawn(over).id();
    let viewer = app.world_mut().spawn((TerrainViewer, at(0.0))).id();
    let said = warnings(&mut app, |app, _| {
        wait_for_relief(app, map);
        wait_until_over_land(app, map);
        // Over the borders of windows, and far away, there and back: land that is to come is waited for.
        for x in [700.0, 3000.0, 3020.0, 0.0] {
            // Where there is no land yet there are no hills of elsewhere.
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
    let of_it = said.iter().find(|text| text.contains("lies over no land"));
    assert_eq!(of_it, None);
}
