//! The camera: it follows the thief, but not every step, and whole pixels stay whole.

use bevy::prelude::*;

use crate::{
    scene::figures::{Figure, Moved, Stride},
    game::{Game, GameSystems},
    place,
};

/// Cells that should fit into the window, at least; as many more as there is room for.
const CELLS: Vec2 = Vec2::new(28.0, 16.0);

/// How far the thief may go from the middle before the camera follows, as a part of what it
/// shows.
const DEAD_ZONE: Vec2 = Vec2::new(0.14, 0.12);

/// Cells around the floor that may be shown: who stands at its edge is not at the screen's.
const MARGIN: f32 = 6.0;

/// What the panel at the bottom hides, in logical pixels.
pub const PANEL: f32 = 76.0;

/// How fast the camera comes after, a second.
const FOLLOWS: f32 = 7.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, follow.after(Moved).in_set(GameSystems::Show));
}

/// Where the camera looks, before it is brought to whole pixels.
#[derive(Component, Default)]
struct Gaze(Option<Vec2>);

fn spawn(mut commands: Commands) {
    commands.spawn((Camera2d, IsDefaultUiCamera, Gaze::default()));
}

fn follow(
    time: Res<Time>,
    game: Res<Game>,
    strides: Query<(&Figure, &Stride)>,
    camera: Single<(&Camera, &mut Gaze, &mut Transform, &mut Projection)>,
) {
    let (camera, mut gaze, mut transform, mut projection) = camera.into_inner();
    let Some(window) = camera.logical_viewport_size() else {
        return;
    };
    let Some((_, thief)) = strides.iter().find(|(figure, _)| **figure == Figure::Thief) else {
        return;
    };
    let scale = (window / (CELLS * place::CELL))
        .min_element()
        .round()
        .max(1.0);
    if let Projection::Orthographic(lens) = &mut *projection
        && lens.scale != 1.0 / scale
    {
        lens.scale = 1.0 / scale;
    }
    let size = game.view().size();
    let thief = place::of(thief.shown, size);
    let shown = (window - Vec2::new(0.0, PANEL)) / scale;
    let slack = shown * DEAD_ZONE;
    let looks = gaze.0.unwrap_or(thief);
    let goal = looks.clamp(thief - slack, thief + slack);
    // What is far away is another floor.
    let near = looks.distance(goal) < shown.x;
    let part = if near {
        1.0 - (-FOLLOWS * time.delta_secs()).exp()
    } else {
        1.0
    };
    let looks = within(looks.lerp(goal, part), shown, size);
    gaze.0 = Some(looks);
    let pixel = |units: f32| (units * scale).round() / scale;
    transform.translation.x = pixel(looks.x);
    transform.translation.y = pixel(looks.y - PANEL / 2.0 / scale);
}

/// Shows little of what is beyond the floor's edge.
fn within(looks: Vec2, shown: Vec2, size: IVec2) -> Vec2 {
    let spare = ((size.as_vec2() + 2.0 * MARGIN) * place::CELL - shown) / 2.0;
    let spare = spare.max(Vec2::ZERO);
    looks.clamp(-spare, spare)
}
