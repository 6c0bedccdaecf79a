//! Walking: a character controller with gravity and jumps. In deep water the player swims.

use bevy::{
    camera_controller::free_camera::FreeCamera,
    input::mouse::AccumulatedMouseMotion,
    prelude::*,
    window::{CursorGrabMode, CursorOptions},
};
use bevy_rapier3d::prelude::*;
use lanternfell::prelude::*;

use crate::{
    Eye, Motion,
    swim::{self, Strokes},
    touch::Fingers,
};

/// The body is a capsule, 1.8 m high. `LENGTH` is the length between its half-spheres. In meters.
const RADIUS: f32 = 0.35;
const LENGTH: f32 = 1.1;
/// Height of the eyes above the center of the body.
const EYE_HEIGHT: f32 = 0.75;
/// Depth of the feet below the center of the body.
const FEET: f32 = LENGTH / 2.0 + RADIUS;
/// Speed in meters per second. Both are faster than in reality, as is usual in games.
const WALK_SPEED: f32 = 5.0;
const RUN_SPEED: f32 = 11.0;
/// Initial speed of a jump in meters per second. With the gravity below, a jump is 1.3 m high.
const JUMP_SPEED: f32 = 7.0;
const GRAVITY: f32 = 19.0;
/// Radians per pixel of mouse movement.
const LOOK_SPEED: f32 = 0.0028;

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Motion::Walk), arrive)
        .add_systems(OnExit(Motion::Walk), leave)
        .add_systems(Update, change_motion)
        .add_systems(Update, (look, walk).chain().run_if(in_state(Motion::Walk)))
        .add_systems(
            PostUpdate,
            follow_body
                .after(PhysicsSet::Writeback)
                .before(TransformSystems::Propagate)
                .run_if(in_state(Motion::Walk)),
        );
}

/// The player's body while walking.
#[derive(Component, Default)]
pub struct Walker {
    yaw: f32,
    pitch: f32,
    /// Upward speed in meters per second.
    climb: f32,
    swims: bool,
    /// Whether the mouse turns the view without a pressed button.
    grabbed: bool,
}

fn change_motion(
    keys: Res<ButtonInput<KeyCode>>,
    motion: Res<State<Motion>>,
    eye: Single<&Transform, With<Eye>>,
    terrains: TerrainQuery,
    mut next: ResMut<NextState<Motion>>,
) {
    if !keys.just_pressed(KeyCode::Tab) {
        return;
    }
    match motion.get() {
        Motion::Walk => next.set(Motion::Fly),
        // Without dry land there is nowhere to walk.
        Motion::Fly if nearest_land(&terrains, eye.translation).is_some() => {
            next.set(Motion::Walk);
        }
        Motion::Fly => {}
    }
}

/// Spawns the body below the camera, or on the nearest dry land.
fn arrive(mut commands: Commands, eye: Single<&Transform, With<Eye>>, terrains: TerrainQuery) {
    let (yaw, pitch, _) = eye.rotation.to_euler(EulerRot::YXZ);
    let ground = nearest_land(&terrains, eye.translation).unwrap_or(eye.translation);
    commands.spawn((
        Walker {
            yaw,
            pitch,
            ..default()
        },
        GrassPresser::default(),
        Transform::from_translation(ground + Vec3::Y * (FEET + 0.1)),
        Collider::capsule_y(LENGTH / 2.0, RADIUS),
        RigidBody::KinematicPositionBased,
        KinematicCharacterController {
            offset: CharacterLength::Absolute(0.03),
            max_slope_climb_angle: 50_f32.to_radians(),
            min_slope_slide_angle: 55_f32.to_radians(),
            snap_to_ground: Some(CharacterLength::Absolute(0.4)),
            autostep: None,
            ..default()
        },
    ));
}

fn leave(
    mut commands: Commands,
    walkers: Query<Entity, With<Walker>>,
    mut cursors: Query<&mut CursorOptions>,
) {
    for walker in &walkers {
        commands.entity(walker).despawn();
    }
    for mut cursor in &mut cursors {
        release(&mut cursor);
    }
}

/// Finds dry land: at `from`, or else the first on the line through the center of the map to its other side.
pub fn nearest_land(terrains: &TerrainQuery, from: Vec3) -> Option<Vec3> {
    const STEPS: u16 = 800;
    (0..=STEPS).find_map(|step| {
        let part = 2.0 * f32::from(step) / f32::from(STEPS);
        let hit = terrains.hit(from * (1.0 - part))?;
        (hit.water_depth() <= 0.0).then_some(hit.point)
    })
}

/// Turns the view by mouse and touch, with the keys and buttons of the free camera.
fn look(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    motion: Res<AccumulatedMouseMotion>,
    fingers: Res<Fingers>,
    config: Single<&FreeCamera>,
    mut walker: Single<&mut Walker>,
    mut cursors: Query<&mut CursorOptions>,
) {
    if keys.just_pressed(config.keyboard_key_toggle_cursor_grab) {
        walker.grabbed = !walker.grabbed;
    }
    let looking = walker.grabbed || buttons.pressed(config.mouse_key_cursor_grab);
    for mut cursor in &mut cursors {
        if looking && cursor.visible {
            (cursor.grab_mode, cursor.visible) = (CursorGrabMode::Locked, false);
        } else if !looking && !cursor.visible {
            release(&mut cursor);
        }
    }
    let mut turn = fingers.turn();
    if looking {
        turn -= motion.delta * LOOK_SPEED;
    }
    walker.yaw += turn.x;
    walker.pitch = (walker.pitch + turn.y).clamp(-1.5, 1.5);
}

fn release(cursor: &mut CursorOptions) {
    (cursor.grab_mode, cursor.visible) = (CursorGrabMode::None, true);
}

/// Moves the body by input, gravity and water.
fn walk(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    fingers: Res<Fingers>,
    terrains: TerrainQuery,
    water: WaterQuery,
    body: Single<(
        &mut Walker,
        &mut Transform,
        &mut KinematicCharacterController,
        Option<&KinematicCharacterControllerOutput>,
    )>,
) {
    let (mut walker, mut transform, mut controller, output) = body.into_inner();
    // After a long frame, a large step could pass through the terrain.
    let seconds = time.delta_secs().min(0.05);
    let fingers = Vec3::new(fingers.stride().x, 0.0, -fingers.stride().y);
    let strokes = Strokes {
        ahead: (direction(&keys) + fingers).clamp_length_max(1.0),
        yaw: walker.yaw,
        pitch: walker.pitch,
        upwards: keys.pressed(KeyCode::Space),
        hurries: keys.pressed(KeyCode::ShiftLeft),
    };
    let at = transform.translation;
    let sea = water.hit(at);
    walker.swims = swim::swims(sea.as_ref(), at.y - FEET, walker.swims);
    let velocity = match sea.filter(|_| walker.swims) {
        Some(sea) => {
            let eyes = at.y + EYE_HEIGHT - sea.point.y;
            swim::velocity(strokes, eyes, sea.velocity.y, walker.climb, seconds)
        }
        None => {
            let grounded = output.is_some_and(|output| output.grounded);
            on_foot(strokes, grounded, walker.climb, seconds)
        }
    };
    walker.climb = velocity.y;
    let stride = stay_on_the_map(&terrains, at, velocity.with_y(0.0) * seconds);
    controller.translation = Some(stride + Vec3::Y * velocity.y * seconds);
    rescue(&terrains, &mut transform, &mut walker);
}

/// The velocity of a body that walks, jumps or falls. `rose` is its previous vertical speed.
fn on_foot(strokes: Strokes, grounded: bool, rose: f32, seconds: f32) -> Vec3 {
    let jump = if strokes.upwards { JUMP_SPEED } else { 0.0 };
    let rises = if grounded { jump } else { rose };
    let speed = if strokes.hurries {
        RUN_SPEED
    } else {
        WALK_SPEED
    };
    let stride = Quat::from_rotation_y(strokes.yaw) * strokes.ahead * speed;
    stride.with_y(rises - GRAVITY * seconds)
}

/// Direction of the pressed keys, with a length of 1 or 0. -z is ahead.
fn direction(keys: &ButtonInput<KeyCode>) -> Vec3 {
    let axis = |ahead: [KeyCode; 2], back: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(ahead)) - i8::from(keys.any_pressed(back)))
    };
    let east = axis(
        [KeyCode::KeyD, KeyCode::ArrowRight],
        [KeyCode::KeyA, KeyCode::ArrowLeft],
    );
    let south = axis(
        [KeyCode::KeyS, KeyCode::ArrowDown],
        [KeyCode::KeyW, KeyCode::ArrowUp],
    );
    Vec3::new(east, 0.0, south).normalize_or_zero()
}

/// The part of a step that does not leave the map.
fn stay_on_the_map(terrains: &TerrainQuery, from: Vec3, stride: Vec3) -> Vec3 {
    let along_x = Vec3::new(stride.x, 0.0, 0.0);
    let along_z = Vec3::new(0.0, 0.0, stride.z);
    [stride, along_x, along_z]
        .into_iter()
        .find(|part| terrains.hit(from + *part).is_some())
        .unwrap_or(Vec3::ZERO)
}

/// Moves the body to dry land if a new terrain is above it, or if there is no terrain below it.
fn rescue(terrains: &TerrainQuery, transform: &mut Transform, walker: &mut Walker) {
    let here = terrains.hit(transform.translation);
    if here.is_some_and(|hit| transform.translation.y >= hit.point.y) {
        return;
    }
    walker.climb = 0.0;
    if let Some(land) = nearest_land(terrains, transform.translation) {
        transform.translation = land + Vec3::Y * (FEET + 0.1);
    }
}

/// Moves the camera to the eyes of the body.
fn follow_body(
    body: Single<(&Transform, &Walker), Without<Eye>>,
    mut eye: Single<&mut Transform, With<Eye>>,
) {
    let (transform, walker) = *body;
    eye.translation = transform.translation + Vec3::Y * EYE_HEIGHT;
    eye.rotation = Quat::from_euler(EulerRot::YXZ, walker.yaw, walker.pitch, 0.0);
}
