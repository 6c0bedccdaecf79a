//! Digging: F lowers the terrain, G raises it, B builds a platform, Z undoes.

use bevy::prelude::*;
use lanternfell::{
    prelude::*,
    terrain::{
        EditTerrain, TerrainEdit, TerrainPlatform,
        edits::{Bank, Brush, Pavement},
    },
};

use crate::{Eye, Motion, ground::Ground};

pub fn plugin(app: &mut App) {
    app.init_resource::<Done>()
        .add_systems(Update, (forget, (dig, build, undo)).chain());
}

const AUTHOR: u32 = 1;

/// Seconds between two strokes while a key is held.
const PACE: f32 = 0.25;

/// How far the player reaches, in meters.
const ON_FOOT: f32 = 8.0;
const IN_THE_AIR: f32 = 400.0;

/// What was dug and built, the last one at the end.
#[derive(Resource, Default)]
struct Done(Vec<Step>);

enum Step {
    Stroke,
    Platform(Entity),
}

/// Removes pits and platforms when another island is chosen. The same one with other settings keeps them.
fn forget(
    mut commands: Commands,
    ground: Res<Ground>,
    terrains: Query<Entity, With<TerrainEdits>>,
    platforms: Query<Entity, With<TerrainPlatform>>,
    mut done: ResMut<Done>,
    mut known: Local<Option<Ground>>,
) {
    if !ground.is_changed() {
        return;
    }
    let before = known.replace(ground.clone());
    if before.is_some_and(|before| before.is_same_place(&ground)) {
        return;
    }
    done.0.clear();
    for platform in &platforms {
        commands.entity(platform).despawn();
    }
    for terrain in &terrains {
        commands.entity(terrain).remove::<TerrainEdits>();
    }
}

/// The terrain and the point of it in the middle of the view, in its local space.
fn aimed(
    motion: &Motion,
    eye: &GlobalTransform,
    terrains: &TerrainQuery,
    places: &Query<&GlobalTransform, With<TerrainSurface>>,
) -> Option<(Entity, Vec3)> {
    let reach = match motion {
        Motion::Fly => IN_THE_AIR,
        Motion::Walk => ON_FOOT,
    };
    let hit = terrains.cast_ray(Ray3d::new(eye.translation(), eye.forward()), reach)?;
    let to_local = places.get(hit.terrain).ok()?.affine().inverse();
    Some((hit.terrain, to_local.transform_point3(hit.point)))
}

fn dig(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    motion: Res<State<Motion>>,
    eye: Single<&GlobalTransform, With<Eye>>,
    terrains: TerrainQuery,
    places: Query<&GlobalTransform, With<TerrainSurface>>,
    grounds: Query<&TerrainSurface>,
    mut commands: Commands,
    mut done: ResMut<Done>,
    mut rest: Local<f32>,
) {
    *rest -= time.delta_secs();
    let brush = match () {
        () if keys.pressed(KeyCode::KeyF) => Brush::Lower { mm: 400 },
        () if keys.pressed(KeyCode::KeyG) => Brush::Raise { mm: 400 },
        () => return,
    };
    let is_new = keys.any_just_pressed([KeyCode::KeyF, KeyCode::KeyG]);
    if *rest > 0.0 && !is_new {
        return;
    }
    let Some((entity, at)) = aimed(motion.get(), &eye, &terrains, &places) else {
        return;
    };
    let Ok(ground) = grounds.get(entity) else {
        return;
    };
    // A pit that is narrower than a few cells would not be visible.
    let radius = (2.0 * ground.surface().scale().spacing).max(1.2);
    let edit = TerrainEdit::stroke(brush, radius, [at.xz()]);
    commands.trigger(EditTerrain {
        entity,
        author: AUTHOR,
        edit,
    });
    done.0.push(Step::Stroke);
    *rest = PACE;
}

/// Builds a level place, as a child of the terrain.
fn build(
    keys: Res<ButtonInput<KeyCode>>,
    motion: Res<State<Motion>>,
    eye: Single<&GlobalTransform, With<Eye>>,
    terrains: TerrainQuery,
    places: Query<&GlobalTransform, With<TerrainSurface>>,
    mut commands: Commands,
    mut done: ResMut<Done>,
) {
    if !keys.just_pressed(KeyCode::KeyB) {
        return;
    }
    let Some((terrain, at)) = aimed(motion.get(), &eye, &terrains, &places) else {
        return;
    };
    let (turned, ..) = eye.rotation().to_euler(EulerRot::YXZ);
    let platform = TerrainPlatform {
        size: Vec2::new(8.0, 6.0),
        corner_radius: 1.0,
        bank: Bank {
            slope: 0.8,
            reach: 12.0,
        },
        pavement: Pavement {
            // Pebbles in the default layers.
            layer: Some(8),
            ..default()
        },
        ..default()
    };
    let place = Transform::from_translation(at).with_rotation(Quat::from_rotation_y(turned));
    let platform = commands.spawn((platform, place, ChildOf(terrain))).id();
    done.0.push(Step::Platform(platform));
}

fn undo(
    keys: Res<ButtonInput<KeyCode>>,
    terrain: Option<Single<Entity, With<TerrainEdits>>>,
    mut commands: Commands,
    mut done: ResMut<Done>,
) {
    let Some(entity) = terrain.filter(|_| keys.just_pressed(KeyCode::KeyZ)) else {
        return;
    };
    match done.0.pop() {
        Some(Step::Stroke) => commands.trigger(EditTerrain {
            entity: *entity,
            author: AUTHOR,
            edit: TerrainEdit::Undo,
        }),
        Some(Step::Platform(platform)) => commands.entity(platform).despawn(),
        None => {}
    }
}
