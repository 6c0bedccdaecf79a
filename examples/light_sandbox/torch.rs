//! The torch, which follows the cursor.

use bevy::{input::touch::Touches, prelude::*, window::PrimaryWindow};
use lanternfell::prelude::*;

use crate::{
    board::{ABOVE_LIGHT, cell_at, place},
    drawing::Drawing,
    tiles::TILE,
};

/// The state of the torch.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Torch {
    /// Position in cells. Integers are centers of cells.
    pub at: Vec2,
    pub burning: bool,
    pub strength: f32,
    pub flickers: bool,
}

impl Torch {
    pub fn new(at: Vec2) -> Self {
        Self {
            at,
            burning: true,
            strength: 4.0,
            flickers: true,
        }
    }

    /// The cell that contains the torch.
    pub fn cell(&self) -> IVec2 {
        self.at.round().as_ivec2()
    }
}

/// Seconds after the start at which the torch goes out, if any. For screenshots of fading light.
#[derive(Resource)]
pub struct OutAfter(pub Option<f32>);

/// Marks the entity with the light source.
#[derive(Component)]
struct Flame;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, light).add_systems(
        Update,
        (
            follow_cursor,
            go_out,
            burn.run_if(resource_changed::<Torch>),
        )
            .chain(),
    );
}

fn light(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let dot = |radius: f32| Mesh2d(meshes.add(Circle::new(radius * TILE as f32)));
    let [halo, flame, heart] = [0.34, 0.24, 0.13].map(dot);
    let mut color = |color: Color| MeshMaterial2d(materials.add(color));
    commands.spawn((
        Flame,
        LightSource::default(),
        Flicker::torch(1),
        halo,
        color(Color::srgba(1.0, 0.45, 0.1, 0.5)),
        Transform::default(),
        children![
            (
                flame,
                color(Color::srgb(1.0, 0.68, 0.25)),
                Transform::from_xyz(0.0, 0.0, 0.1)
            ),
            (
                heart,
                color(Color::srgb(1.0, 0.95, 0.75)),
                Transform::from_xyz(0.0, 0.0, 0.2)
            ),
        ],
    ));
}

/// Moves the torch to the finger or the cursor.
pub fn follow_cursor(
    windows: Query<&Window, With<PrimaryWindow>>,
    touches: Res<Touches>,
    camera: Single<(&Camera, &GlobalTransform)>,
    drawing: Res<Drawing>,
    mut torch: ResMut<Torch>,
) {
    let finger = touches.first_pressed_position();
    let cursor = finger.or_else(|| windows.iter().find_map(Window::cursor_position));
    let (camera, view) = *camera;
    let Some(cursor) = cursor.and_then(|at| camera.viewport_to_world_2d(view, at).ok()) else {
        return;
    };
    let cell = cell_at(drawing.size(), cursor);
    let end = drawing.size().as_vec2() - 0.5;
    let at = cell.clamp(Vec2::splat(-0.49), end - 0.01);
    if torch.at != at {
        torch.at = at;
    }
}

fn go_out(time: Res<Time>, mut after: ResMut<OutAfter>, mut torch: ResMut<Torch>) {
    if after
        .0
        .is_some_and(|seconds| time.elapsed_secs() >= seconds)
    {
        after.0 = None;
        torch.burning = false;
    }
}

fn burn(
    torch: Res<Torch>,
    drawing: Res<Drawing>,
    mut flame: Single<
        (
            Entity,
            &mut LightSource,
            &mut Transform,
            &mut Visibility,
            Has<Flicker>,
        ),
        With<Flame>,
    >,
    mut commands: Commands,
) {
    let (entity, source, transform, visibility, flickers) = &mut *flame;
    source.strength = if torch.burning { torch.strength } else { 0.0 };
    source.color = Color::srgb(1.0, 0.72, 0.42);
    transform.translation = place(drawing.size(), torch.at).extend(ABOVE_LIGHT + 1.0);
    **visibility = if torch.burning {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    if *flickers && !torch.flickers {
        commands.entity(*entity).remove::<Flicker>();
    } else if !*flickers && torch.flickers {
        commands.entity(*entity).insert(Flicker::torch(1));
    }
}
