//! Light on an isometric map of the Tiled editor, loaded by `bevy_ecs_tiled`. Tiles of a class become walls, and tiles
//! with a property become stained glass. A torch follows the mouse.

use bevy::{camera::ScalingMode, prelude::*};
use bevy_ecs_tiled::prelude::{TiledMap, TiledPlugin, TiledPluginConfig, TilemapAnchor};
use lanternfell_headless::OrHeadless;
use lanternfell_torchlight::{FollowsTilemaps, TiledLight, prelude::*};

fn main() -> AppExit {
    let tiled = TiledPluginConfig {
        tiled_types_export_file: None,
        ..default()
    };
    App::new()
        .add_plugins(
            DefaultPlugins
                .set(ImagePlugin::default_nearest())
                .or_headless(),
        )
        .add_plugins((TiledPlugin(tiled), TorchlightPlugin::default()))
        .insert_resource(ClearColor(Color::BLACK))
        .add_systems(Startup, setup)
        .add_systems(Update, carry_torch)
        .run()
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    let light = TiledLight::new()
        .class("wall", Cell::wall(Vec3::splat(0.6)))
        .property("glass", Cell::glass(Vec3::new(0.9, 0.25, 0.15)));
    let map = TiledMap(assets.load("tilemaps/crypt.tmx"));
    commands.spawn((map, light, TilemapAnchor::Center));
    // One light map over the whole map.
    let light_map = commands.spawn(FollowsTilemaps::default()).id();
    let cold = LightSource::new(Color::srgb(0.4, 0.65, 1.0)).with_strength(3.0);
    commands.spawn((cold, LightCell::new(10, 7), InTorchlightMap(light_map)));
    let warm = LightSource::default().with_strength(3.0);
    commands.spawn((
        Torch,
        warm,
        Flicker::torch(7),
        Transform::from_xyz(-64.0, 8.0, 0.0),
    ));
    let scaling_mode = ScalingMode::AutoMin {
        min_width: 450.0,
        min_height: 260.0,
    };
    let projection = OrthographicProjection {
        scaling_mode,
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
}

#[derive(Component)]
struct Torch;

fn carry_torch(
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut torch: Single<&mut Transform, With<Torch>>,
) {
    let (camera, view) = *camera;
    let cursor = window.cursor_position();
    if let Some(place) = cursor.and_then(|cursor| camera.viewport_to_world_2d(view, cursor).ok()) {
        torch.translation = place.extend(0.0);
    }
}
