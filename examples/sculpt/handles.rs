//! Handles, drawn as orange balls: one per point of a path, and one for each house and crater.

use bevy::{
    ecs::system::SystemParam, input::mouse::AccumulatedMouseScroll, light::NotShadowCaster,
    prelude::*, window::PrimaryWindow,
};
use lanternfell::{
    prelude::*,
    terrain::{TerrainPath, TerrainPlatform, TerrainStamp},
};

use crate::{Pointed, has_keys, is_over_terrain, things};

pub fn plugin(app: &mut App) {
    app.init_resource::<Near>()
        .init_resource::<things::Asphalt>()
        .add_observer(things::build_house)
        .add_observer(things::pave)
        .add_systems(
            Update,
            (
                find_near,
                (drag, turn).run_if(is_over_terrain),
                change_points.run_if(has_keys),
                update_balls,
            )
                .chain(),
        );
}

/// A handle.
#[derive(Component, Clone, Copy, PartialEq)]
pub struct Ball {
    thing: Entity,
    /// The point of a path. 0 for other things.
    point: usize,
}

/// The handle near the pointer.
#[derive(Resource, Default)]
pub struct Near {
    ball: Option<Ball>,
    /// Whether it is held with the left mouse button.
    is_held: bool,
    /// From the terrain under the pointer to the thing, when it was pressed.
    offset: Vec3,
}

/// What the brush has to know.
#[derive(SystemParam)]
pub struct Handles<'w> {
    near: Res<'w, Near>,
}

impl Handles<'_> {
    /// Whether the pointer is near a ball, so that a press holds it.
    pub fn are_near(&self) -> bool {
        self.near.ball.is_some()
    }

    pub fn are_held(&self) -> bool {
        self.near.is_held
    }
}

/// The radius of a ball in meters.
const RADIUS: f32 = 0.7;

/// The distance of the pointer in pixels at which a ball can be held.
const REACH: f32 = 16.0;

/// Finds the ball that is nearest to the pointer on the screen.
fn find_near(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Query<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<Camera3d>>,
    balls: Query<(&Ball, &GlobalTransform)>,
    mut near: ResMut<Near>,
) {
    if near.is_held && buttons.pressed(MouseButton::Left) {
        return;
    }
    near.is_held = false;
    let (camera, view) = *camera;
    let pointer = window.iter().find_map(Window::cursor_position);
    let distance = |place: &GlobalTransform| {
        let on_screen = camera.world_to_viewport(view, place.translation()).ok()?;
        Some(on_screen.distance(pointer?))
    };
    let reached = balls.iter().filter_map(|(ball, place)| {
        let distance = distance(place).filter(|&distance| distance < REACH)?;
        Some((ball, distance))
    });
    let nearest = reached.min_by(|(_, a), (_, b)| a.total_cmp(b));
    near.ball = nearest.map(|(ball, _)| *ball);
}

/// Moves the thing of the ball that is held to the terrain under the pointer.
pub fn drag(
    buttons: Res<ButtonInput<MouseButton>>,
    pointed: Res<Pointed>,
    mut near: ResMut<Near>,
    mut paths: Query<&mut TerrainPath>,
    mut places: Query<&mut Transform, Or<(With<TerrainPlatform>, With<TerrainStamp>)>>,
) {
    let (Some(ball), Some(at)) = (near.ball, pointed.0) else {
        return;
    };
    let mut path = paths.get_mut(ball.thing).ok();
    let mut place = places.get_mut(ball.thing).ok();
    let point = path
        .as_mut()
        .and_then(|path| path.bypass_change_detection().points.get(ball.point));
    let before = match (point, &place) {
        (Some(point), _) => Vec3::from(point.at),
        (None, Some(place)) => place.translation,
        (None, None) => return,
    };
    if buttons.just_pressed(MouseButton::Left) {
        near.is_held = true;
        near.offset = (before - at).with_y(0.0);
    }
    if !near.is_held || !pointed.is_changed() {
        return;
    }
    // The height stays: the ground below a house follows it.
    let at = (at + near.offset).with_y(before.y);
    if let Some(path) = &mut path
        && let Some(point) = path.points.get_mut(ball.point)
    {
        point.at = at.into();
    } else if let Some(place) = &mut place {
        place.translation = at;
    }
}

/// While a ball is held, the wheel changes the width of a path, the height of a house, and the size of a crater. With
/// Shift, it turns houses and craters.
fn turn(
    keys: Res<ButtonInput<KeyCode>>,
    scroll: Res<AccumulatedMouseScroll>,
    near: Res<Near>,
    mut paths: Query<&mut TerrainPath>,
    mut places: Query<(&mut Transform, Option<&mut TerrainStamp>), Without<TerrainPath>>,
) {
    let turned = scroll.delta.x + scroll.delta.y;
    let Some(ball) = near.ball.filter(|_| turned != 0.0 && near.is_held) else {
        return;
    };
    let step = turned.signum();
    if let Ok(mut path) = paths.get_mut(ball.thing)
        && let Some(point) = path.points.get_mut(ball.point)
    {
        point.width = (point.width + 0.5 * step).clamp(0.5, 40.0);
    } else if let Ok((mut place, stamp)) = places.get_mut(ball.thing) {
        match stamp {
            _ if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) => {
                place.rotate_y(0.1 * step);
            }
            Some(mut stamp) => {
                stamp.size = (stamp.size * 1.1_f32.powf(step)).min(Vec2::splat(150.0));
            }
            None => place.translation.y += 0.5 * step,
        }
    }
}

/// Insert adds a point to a path next to the ball near the pointer. Delete removes that point, or the whole thing.
fn change_points(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mut near: ResMut<Near>,
    mut paths: Query<&mut TerrainPath>,
) {
    let (more, less) = (
        keys.just_pressed(KeyCode::Insert),
        keys.just_pressed(KeyCode::Delete),
    );
    let Some(ball) = near.ball.filter(|_| more || less) else {
        return;
    };
    match paths.get_mut(ball.thing) {
        Ok(mut path) if more => {
            let Some(&point) = path.points.get(ball.point) else {
                return;
            };
            let neighbor = match path.points.get(ball.point + 1) {
                Some(next) => Vec3::from(next.at),
                None => Vec3::from(point.at) + Vec3::X * 20.0,
            };
            let mut new = point;
            new.at = Vec3::from(point.at).midpoint(neighbor).into();
            path.points.insert(ball.point + 1, new);
        }
        Ok(mut path) if path.points.len() > 2 => {
            path.points.remove(ball.point);
        }
        _ if less => commands.entity(ball.thing).despawn(),
        _ => {}
    }
    *near = Near::default();
}

type Thing<'a> = (
    Entity,
    &'a Transform,
    Option<&'a TerrainPath>,
    Has<TerrainStamp>,
);

type IsThing = Or<(With<TerrainPath>, With<TerrainPlatform>, With<TerrainStamp>)>;

/// Spawns, moves and despawns the balls.
fn update_balls(
    mut commands: Commands,
    things: Query<Thing<'_>, (IsThing, With<ChildOf>)>,
    mut balls: Query<(Entity, &Ball, &mut Transform), Without<ChildOf>>,
    mut assets: (ResMut<Assets<Mesh>>, ResMut<Assets<StandardMaterial>>),
    near: Res<Near>,
    terrains: TerrainQuery,
    mut shape: Local<Option<(Mesh3d, MeshMaterial3d<StandardMaterial>)>>,
) {
    let mut wanted: Vec<(Ball, Vec3)> = Vec::new();
    for (thing, place, path, is_stamp) in &things {
        let points = match path {
            Some(path) => path
                .points
                .iter()
                .map(|point| Vec3::from(point.at))
                .collect(),
            None => vec![Vec3::ZERO],
        };
        for (point, at) in points.into_iter().enumerate() {
            let mut at = place.transform_point(at);
            // Above the roof of a house.
            let above = if path.is_some() || is_stamp { 1.0 } else { 8.0 };
            at.y = terrains.height(at).unwrap_or(at.y) + above;
            wanted.push((Ball { thing, point }, at));
        }
    }
    for (entity, ball, mut place) in &mut balls {
        match wanted.iter().position(|(wanted, _)| wanted == ball) {
            Some(index) => {
                let (_, at) = wanted.swap_remove(index);
                let size = if near.ball == Some(*ball) { 1.6 } else { 1.0 };
                place.set_if_neq(Transform::from_translation(at).with_scale(Vec3::splat(size)));
            }
            None => commands.entity(entity).despawn(),
        }
    }
    for (ball, at) in wanted {
        let (mesh, material) = shape.get_or_insert_with(|| {
            let orange = StandardMaterial {
                base_color: Color::srgb(1.0, 0.5, 0.1),
                unlit: true,
                ..default()
            };
            let sphere = assets.0.add(Sphere::new(RADIUS));
            (Mesh3d(sphere), MeshMaterial3d(assets.1.add(orange)))
        });
        commands.spawn((
            ball,
            mesh.clone(),
            material.clone(),
            Transform::from_translation(at),
            NotShadowCaster,
            bevy_picking::Pickable::IGNORE,
        ));
    }
}
