//! The player: a figure with a torch, and the camera behind it.

use bevy::prelude::*;
use lanternfell::prelude::*;

use crate::{
    figure::{flame, spawn_figure},
    guard::shore,
};

/// Walking speed in meters per second, and turning speed in radians per second.
const SPEED: f32 = 3.0;
const TURN: f32 = 1.9;

/// Strength of the lit torch.
const TORCH: f32 = 3.0;

/// The player's figure.
#[derive(Component)]
pub struct Walker {
    /// Where the player starts, and returns to when caught.
    pub start: Transform,
}

/// The torch in the player's hand.
#[derive(Component)]
pub struct Torch;

/// Spawns the player on the southern shore with an unlit torch, once the terrain is ready.
pub fn come_ashore(
    _: On<TerrainReady>,
    walkers: Query<(), With<Walker>>,
    terrains: TerrainQuery,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    if !walkers.is_empty() {
        return;
    }
    let at = shore(&terrains, 0.0, 4.0);
    let start = Transform::from_translation(at).looking_to(Vec3::NEG_Z, Vec3::Y);
    let blue = Color::srgb(0.2, 0.27, 0.38);
    let body = spawn_figure(&mut commands, &mut meshes, &mut materials, blue, start);
    let torch = flame(&mut meshes, &mut materials, 0.0);
    let torch = commands.spawn((torch, Torch, Visibility::Hidden)).id();
    commands
        .entity(body)
        .insert((Walker { start }, GrassPresser::default()))
        .add_child(torch);
    commands.spawn((
        Camera3d::default(),
        IsDefaultUiCamera,
        SkyFog::default(),
        view(&start, at.y),
    ));
}

/// The camera's transform behind a figure. `ground` is the terrain height at the figure.
fn view(figure: &Transform, ground: f32) -> Transform {
    let back = figure.back().with_y(0.0).normalize_or(Vec3::Z);
    let head = figure.translation.with_y(ground) + 1.9 * Vec3::Y;
    let stands = head + 5.5 * back + 2.6 * Vec3::Y;
    Transform::from_translation(stands).looking_at(head - 7.0 * back, Vec3::Y)
}

pub fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    terrains: TerrainQuery,
    walker: Single<&mut Transform, With<Walker>>,
) {
    let axis = |on, back| f32::from(i8::from(keys.pressed(on)) - i8::from(keys.pressed(back)));
    let mut walker = walker.into_inner();
    walker.rotate_y(axis(KeyCode::KeyA, KeyCode::KeyD) * TURN * time.delta_secs());
    let step = axis(KeyCode::KeyW, KeyCode::KeyS) * SPEED * time.delta_secs();
    let next = walker.translation + step * walker.forward();
    // The player can wade up to 0.9 m deep.
    if step != 0.0 && terrains.water_depth(next).is_some_and(|depth| depth < 0.9) {
        walker.translation = next;
    }
}

pub fn light_torch(
    keys: Res<ButtonInput<KeyCode>>,
    torch: Single<(&mut LightSource, &mut Visibility), With<Torch>>,
) {
    if !keys.just_pressed(KeyCode::KeyF) {
        return;
    }
    let (mut light, mut visibility) = torch.into_inner();
    let burns = light.strength > 0.0;
    light.strength = if burns { 0.0 } else { TORCH };
    *visibility = if burns {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    };
}

/// Moves the camera smoothly to its place behind the player, at least 0.6 m above the terrain.
pub fn follow(
    time: Res<Time>,
    terrains: TerrainQuery,
    walker: Single<&Transform, With<Walker>>,
    camera: Single<&mut Transform, (With<Camera3d>, Without<Walker>)>,
) {
    let ground = |at| terrains.height(at).unwrap_or(0.0);
    let mut wanted = view(&walker, ground(walker.translation));
    let least = ground(wanted.translation) + 0.6;
    wanted.translation.y = wanted.translation.y.max(least);
    let part = 1.0 - (-6.0 * time.delta_secs()).exp();
    let mut camera = camera.into_inner();
    camera.translation = camera.translation.lerp(wanted.translation, part);
    camera.rotation = camera.rotation.slerp(wanted.rotation, part);
}
