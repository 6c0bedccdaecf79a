//! Adding the plugin.

use bevy::prelude::*;
use lanternfell_terrain::prelude::*;

use bevy::{
    app::SubApp,
    ecs::reflect::AppTypeRegistry,
    reflect::serde::{ReflectDeserializer, ReflectSerializer},
    render::RenderApp,
};
use serde::de::DeserializeSeed;

use lanternfell_terrain_test_support::{
    log::{count_messages, warnings},
    terrain::{answers, app_with, hills, wait_until_ready},
};

#[test]
#[should_panic(expected = "TerrainPlugin: : plugin was already added in application")]
fn panics_if_added_twice() {
    let _ = app_with((TerrainPlugin, |app: &mut App| {
        app.add_plugins(TerrainPlugin);
    }));
}

#[test]
fn terrain_spawned_before_the_plugin_gets_its_components() {
    let mut app = app_with(|app: &mut App| {
        app.world_mut().spawn(Terrain::new(hills(90, 41, 2)));
        app.add_plugins(TerrainPlugin);
    });
    app.world_mut().spawn(Terrain::new(hills(90, 41, 3)));
    let world = app.world_mut();
    let mut complete = world.query_filtered::<(), (
        With<Terrain>,
        With<Water>,
        With<TerrainLayers>,
        With<TerrainDetail>,
        With<TerrainCollider>,
    )>();
    assert_eq!(complete.iter(world).count(), 2);
    wait_until_ready(&mut app);
    assert_eq!(answers(&app).ready.len(), 2);
}

#[test]
fn components_are_registered_for_reflection() {
    let app = app_with(TerrainPlugin);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in ["Terrain", "TerrainLayers", "TerrainDetail", "Water"] {
        let registration = registry.get_with_short_type_path(name);
        let component = registration.and_then(|found| found.data::<ReflectComponent>());
        assert!(component.is_some(), "{name}");
    }
}

/// Serializes through reflection, like a scene.
#[test]
fn scene_restores_terrain_with_its_recipe() {
    let app = app_with(TerrainPlugin);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let recipe = hills(90, 41, 2).with_filter(Filter::Gamma(1.5));
    let terrain = Terrain::new(recipe).with_scale(Scale {
        spacing: 3.0,
        relief: 77.5,
    });
    let text = ron::to_string(&ReflectSerializer::new(&terrain, &registry)).unwrap();
    let mut reader = ron::Deserializer::from_str(&text).unwrap();
    let read = ReflectDeserializer::new(&registry).deserialize(&mut reader);
    let read = read.unwrap_or_else(|error| panic!("{error}: {text}"));
    let read = Terrain::from_reflect(read.as_partial_reflect());
    assert_eq!(read, Some(terrain));
}

#[test]
fn logs_an_error_if_added_before_the_renderer() {
    let said = warnings(&mut App::new(), |_, _| {
        let _ = app_with((TerrainPlugin, |app: &mut App| {
            app.insert_sub_app(RenderApp, SubApp::new());
        }));
    });
    assert_eq!(
        count_messages(&said, &["add it after DefaultPlugins"]),
        1,
        "{said:?}"
    );
}
