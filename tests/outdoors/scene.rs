//! A whole app is saved as a scene and loaded into another app, as the docs of the crate describe it.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_world_serialization::{
    DynamicWorld, DynamicWorldBuilder, WorldSerializationPlugin, serde::WorldDeserializer,
};
use lanternfell::{
    heightmap::Scale,
    prelude::*,
    terrain::edits::{Brush, Stroke},
    vegetation::VegetationLayout,
};
use lanternfell_terrain_test_support::terrain::*;
use serde::de::DeserializeSeed;

use super::terrain_torchlight::{add_lit_plugins, map, straight};

/// A component of the app, which the library does not know.
#[derive(Component, Reflect, Debug, Default, PartialEq)]
#[reflect(Component)]
struct Guard {
    alertness: u32,
}

fn app() -> App {
    app_with(|app: &mut App| {
        add_lit_plugins(app);
        // Bevy's default feature `reflect_auto_register` registers all of them.
        app.add_plugins(WorldSerializationPlugin)
            .register_type::<Guard>()
            .register_type::<Name>()
            .register_type::<Transform>();
    })
}

fn spawn_world(app: &mut App) {
    let recipe = Recipe::new(
        MapSize::new(65, 65).unwrap(),
        7,
        Hills {
            island: true,
            ..default()
        },
    );
    let rule = ScatterRule {
        spacing: 5.0,
        height: SoftRange::ANY,
        ..default()
    };
    let mut edits = TerrainEdits::default();
    let dig = Stroke::along(Brush::Lower { mm: 900 }, 5 * 256, [[30 * 256, 20 * 256]]);
    edits.stroke(1, dig).unwrap();
    let world = app.world_mut();
    world.resource_mut::<Wind>().speed = 9.5;
    let terrain = (
        Name::new("Island"),
        Terrain::new(recipe).with_scale(Scale {
            spacing: 1.0,
            relief: 10.0,
        }),
        Vegetation {
            plants: vec![Plant::new(PlantKind::Pine, rule)],
            seed: 5,
            ..default()
        },
        edits,
        Water {
            level: Some(0.25),
            ..default()
        },
        Transform::from_xyz(3.0, 0.0, -2.0),
    );
    let terrain = world.spawn(terrain).id();
    let (map, flow, timing) = map(128, straight(80.0));
    let map = (map, flow, timing, TerrainTorchlight(terrain));
    let map = world.spawn(map).id();
    let torch = LightSource::new(Color::srgb(1.0, 0.6, 0.2));
    let at = Transform::from_xyz(4.0, 11.0, 0.0);
    world.spawn((torch, at, InTorchlightMap(map)));
    let guard = Guard { alertness: 3 };
    let at = Transform::from_xyz(-6.0, 6.0, 1.0);
    world.spawn((guard, LightLevel::default(), at, InTorchlightMap(map)));
}

/// Only what the app has spawned and set.
fn save(app: &mut App) -> String {
    let world = app.world_mut();
    type Own = Or<(
        With<Terrain>,
        With<TorchlightMap>,
        With<LightSource>,
        With<Guard>,
    )>;
    let mut own = world.query_filtered::<Entity, Own>();
    let own: Vec<Entity> = own.iter(world).collect();
    let registry = world.resource::<AppTypeRegistry>().read();
    let scene = DynamicWorldBuilder::from_world(world, &registry)
        .deny_all_resources()
        .allow_resource::<Wind>()
        .extract_entities(own.into_iter())
        .extract_resources()
        .build();
    scene.serialize(&registry).unwrap()
}

fn load(app: &mut App, text: &str) {
    let world = app.world_mut();
    let registry = world.resource::<AppTypeRegistry>().clone();
    let mut assets = world.resource::<AssetServer>().clone();
    let scene: DynamicWorld = {
        let registry = registry.read();
        let seed = WorldDeserializer {
            type_registry: &registry,
            load_from_path: &mut assets,
        };
        let mut text = ron::Deserializer::from_str(text).unwrap();
        seed.deserialize(&mut text).unwrap()
    };
    let mut entities = EntityHashMap::default();
    scene.write_to_world(world, &mut entities).unwrap();
}

/// What a player notices, after everything is generated.
#[derive(Debug, PartialEq)]
struct Seen {
    heights: Vec<u32>,
    water: f32,
    edits: Vec<u8>,
    place: Vec3,
    /// The cells of the map that a trunk blocks.
    trunks: Vec<IVec2>,
    band: LightBand,
    luminance: u32,
    alertness: u32,
    wind: f32,
    entities: usize,
}

/// The cells of the map that a trunk blocks. None before the map has a relief.
fn trunks(app: &mut App) -> Vec<IVec2> {
    let world = app.world_mut();
    let mut maps = world.query::<&TorchlightMap>();
    let Some(relief) = maps.single(world).ok().and_then(|map| map.grid().relief()) else {
        return Vec::new();
    };
    let cells = (0..128).flat_map(|y| (0..128).map(move |x| IVec2::new(x, y)));
    cells
        .filter(|&cell| relief.top(cell) > relief.ground(cell))
        .collect()
}

fn look(app: &mut App) -> Seen {
    update_until(app, |app| {
        // A loaded map has the relief it was saved with before its terrain is generated.
        let is_planted = !trunks(app).is_empty();
        let world = app.world_mut();
        let mut grown =
            world.query_filtered::<(), (With<TerrainSurface>, With<VegetationLayout>)>();
        let is_planted = is_planted && grown.single(world).is_ok();
        let mut guards = world.query_filtered::<&LightLevel, With<Guard>>();
        is_planted && guards.iter(world).any(|level| level.luminance > 0.0)
    });
    for _ in 0..30 {
        app.update();
    }
    let trunks = trunks(app);
    let world = app.world_mut();
    let mut terrains = world.query::<(&TerrainSurface, &TerrainEdits, &Transform)>();
    let (surface, edits, transform) = terrains.single(world).unwrap();
    let heights = surface.map().heights().iter();
    let mut seen = Seen {
        heights: heights.map(|height| height.to_bits()).collect(),
        water: surface.water_level(),
        edits: edits.to_bytes(),
        place: transform.translation,
        trunks,
        band: default(),
        luminance: 0,
        alertness: 0,
        wind: world.resource::<Wind>().speed,
        entities: 0,
    };
    let mut guards = world.query::<(&LightLevel, &Guard)>();
    let (level, guard) = guards.single(world).unwrap();
    (seen.band, seen.luminance) = (level.band, level.luminance.to_bits());
    seen.alertness = guard.alertness;
    seen.entities = world.query::<Entity>().iter(world).count();
    seen
}

#[test]
fn scene_restores_everything() {
    let mut today = app();
    spawn_world(&mut today);
    let before = look(&mut today);
    let text = save(&mut today);
    // The recipe is saved, not the heights.
    assert!(text.contains("Hills") && !text.contains("TerrainSurface"));

    let mut tomorrow = app();
    load(&mut tomorrow, &text);
    assert_eq!(look(&mut tomorrow), before);
}
