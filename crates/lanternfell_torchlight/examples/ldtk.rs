//! Light in a world of the LDtk editor, loaded by `bevy_ecs_ldtk`. Values of its IntGrid layer become walls and stained
//! glass, and its entities become torches. Another torch follows the mouse.

use bevy::{camera::ScalingMode, prelude::*};
use bevy_ecs_ldtk::prelude::*;
use lanternfell_headless::OrHeadless;
use lanternfell_torchlight::{FollowsTilemaps, LdtkLight, prelude::*};

/// The size of the level in pixels.
const SIZE: Vec2 = Vec2::new(320.0, 176.0);

fn main() -> AppExit {
    App::new()
        .add_plugins(
            DefaultPlugins
                .or_headless()
                .set(ImagePlugin::default_nearest()),
        )
        .add_plugins(LdtkPlugin)
        .add_plugins(TorchlightPlugin::default())
        .insert_resource(LevelSelection::index(0))
        .insert_resource(ClearColor(Color::BLACK))
        .add_systems(Startup, setup)
        .add_systems(Update, (light_torches, carry_torch))
        .run()
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    let world = LdtkWorldBundle {
        ldtk_handle: assets.load("tilemaps/keep.ldtk").into(),
        ..default()
    };
    let glass = Cell::glass(Vec3::new(0.9, 0.25, 0.15));
    let light = LdtkLight::new()
        .int_grid(1, Cell::wall(Vec3::splat(0.6)))
        .int_grid(2, glass);
    commands.spawn((world, light));
    // One light map over the whole level.
    commands.spawn(FollowsTilemaps::default());
    let torch = LightSource::default().with_strength(2.5);
    let place = Transform::from_translation((SIZE * Vec2::new(0.86, 0.8)).extend(0.0));
    commands.spawn((Torch, torch, Flicker::torch(7), place));
    let scaling_mode = ScalingMode::AutoMin {
        min_width: SIZE.x,
        min_height: SIZE.y,
    };
    let projection = OrthographicProjection {
        scaling_mode,
        ..OrthographicProjection::default_2d()
    };
    let middle = Transform::from_translation((SIZE / 2.0).extend(0.0));
    commands.spawn((Camera2d, Projection::Orthographic(projection), middle));
}

/// Adds lights to the torches that were placed in the editor.
fn light_torches(
    mut commands: Commands,
    placed: Query<(Entity, &EntityInstance), Added<EntityInstance>>,
) {
    for (seed, (entity, placed)) in placed.iter().enumerate() {
        if placed.identifier == "Torch" {
            let light = LightSource::default().with_strength(3.0);
            commands
                .entity(entity)
                .insert((light, Flicker::torch(seed as u32)));
        }
    }
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
