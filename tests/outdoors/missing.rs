//! Parts without the plugin or map that they need are reported once.
//!
//! Reported: `Terrain` or `Vegetation` without `TerrainPlugin` and `LightSource` without a map did nothing, and nothing
//! was logged.

use bevy::{asset::AssetPlugin, image::ImagePlugin, mesh::MeshPlugin, prelude::*};
use lanternfell::prelude::*;
use lanternfell_terrain_test_support::log::{count_messages, warnings};

fn app() -> App {
    let mut app = App::new();
    let assets = (AssetPlugin::default(), MeshPlugin, ImagePlugin::default());
    app.add_plugins((MinimalPlugins, TransformPlugin, assets));
    app
}

fn finish(app: &mut App) {
    app.finish();
    app.cleanup();
}

#[track_caller]
fn assert_only(said: &[String], words: &[&str]) {
    assert_eq!(
        (count_messages(said, words), said.len()),
        (1, 1),
        "{said:?}"
    );
}

#[test]
fn terrain_without_its_plugin() {
    let said = warnings(&mut app(), |app, _| {
        finish(app);
        let world = app.world_mut();
        world.spawn(Terrain::default());
        world.spawn(EndlessTerrain::default());
        world.commands().spawn(Terrain::default());
        app.update();
    });
    assert_only(&said, &["TerrainPlugin"]);
}

#[test]
fn vegetation_without_its_plugin() {
    let said = warnings(&mut app(), |app, _| {
        app.add_plugins(TerrainPlugin);
        finish(app);
        for _ in 0..2 {
            app.world_mut()
                .spawn((Terrain::default(), Vegetation::default()));
            app.update();
        }
    });
    assert_only(&said, &["VegetationPlugin"]);
}

#[test]
fn vegetation_without_the_plugin_of_the_terrain() {
    let said = warnings(&mut app(), |app, _| {
        app.add_plugins(VegetationPlugin);
        finish(app);
        app.world_mut().spawn(Vegetation::default());
        app.update();
    });
    assert_only(&said, &["VegetationPlugin", "without TerrainPlugin"]);
}

#[test]
fn light_without_its_plugin() {
    let said = warnings(&mut app(), |app, _| {
        finish(app);
        app.world_mut()
            .spawn((LightSource::default(), Transform::default()));
        app.world_mut().spawn(TorchlightMap::default());
        app.update();
    });
    assert_only(&said, &["TorchlightPlugin"]);
}

#[test]
fn light_without_a_map() {
    let said = warnings(&mut app(), |app, _| {
        app.add_plugins(TorchlightPlugin::in_schedule(Update));
        finish(app);
        // A map that arrives after the sources is not missing.
        app.world_mut()
            .spawn((LightSource::default(), Transform::default()));
        for _ in 0..30 {
            app.update();
        }
        let map = app.world_mut().spawn(TorchlightMap::default()).id();
        for _ in 0..200 {
            app.update();
        }
        app.world_mut().despawn(map);
    });
    assert_eq!(said, Vec::<String>::new());
    let said = warnings(&mut app(), |app, _| {
        app.add_plugins(TorchlightPlugin::in_schedule(Update));
        finish(app);
        app.world_mut()
            .spawn((LightSource::default(), Transform::default()));
        for _ in 0..200 {
            app.update();
        }
    });
    assert_only(&said, &["LightSource", "TorchlightMap"]);
}

#[test]
fn nothing_is_reported_if_nothing_is_missing() {
    let said = warnings(&mut app(), |app, _| {
        app.add_plugins((TerrainPlugin, VegetationPlugin));
        app.add_plugins(TorchlightPlugin::in_schedule(Update));
        finish(app);
        let world = app.world_mut();
        world.spawn((Terrain::default(), Vegetation::default()));
        world.spawn(TorchlightMap::default());
        world.spawn((LightSource::default(), Transform::default()));
        for _ in 0..200 {
            app.update();
        }
    });
    assert_eq!(said, Vec::<String>::new());
}
