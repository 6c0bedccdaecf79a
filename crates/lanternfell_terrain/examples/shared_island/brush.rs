//! The brush. Each drag of the mouse is a stroke, which is visible at once, and sent to the server when it ends.

use bevy::{input::mouse::AccumulatedMouseScroll, prelude::*};
use bevy_replicon::prelude::ClientState;
use lanternfell_terrain::{
    edits::{Brush, EditId, Stroke, StrokeError},
    prelude::*,
};

use crate::session::{News, SharedIsland};

pub fn plugin(app: &mut App) {
    app.init_resource::<Pointed>()
        .init_resource::<Radius>()
        .add_systems(
            Update,
            (turn_wheel, dig.pipe(report), undo.pipe(report))
                .chain()
                .run_if(in_state(ClientState::Connected))
                .run_if(resource_exists::<SharedIsland>),
        );
}

/// The point of the terrain under the pointer. The terrain is at the origin, so this is also a point in its local
/// space.
#[derive(Resource, Default)]
pub struct Pointed(pub Option<Vec3>);

/// The radius of the brush in meters.
#[derive(Resource)]
pub struct Radius(pub f32);

impl Default for Radius {
    fn default() -> Self {
        Self(4.0)
    }
}

/// Up to a radius that the server refuses.
fn turn_wheel(scroll: Res<AccumulatedMouseScroll>, mut radius: ResMut<Radius>) {
    if scroll.delta.y != 0.0 {
        radius.0 = (radius.0 + scroll.delta.y.signum()).clamp(1.0, 40.0);
    }
}

/// A point of a stroke. Shift raises the terrain.
fn stroke(
    surface: &TerrainSurface,
    keys: &ButtonInput<KeyCode>,
    radius: f32,
    at: Vec3,
) -> Result<Stroke, StrokeError> {
    let brush = match keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        true => Brush::Raise { mm: 300 },
        false => Brush::Lower { mm: 300 },
    };
    surface.local_stroke(brush, radius, [at.xz()])
}

/// Makes a stroke longer while the left mouse button is pressed.
fn dig(
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    (pointed, radius): (Res<Pointed>, Res<Radius>),
    surface: Single<&TerrainSurface>,
    mut island: ResMut<SharedIsland>,
    mut drag: Local<Option<EditId>>,
) -> Result {
    if !buttons.pressed(MouseButton::Left)
        && let Some(id) = drag.take()
    {
        island.client.end_drag(id)?;
    }
    let Some(at) = pointed.0 else {
        return Ok(());
    };
    if buttons.just_pressed(MouseButton::Left) {
        let stroke = stroke(&surface, &keys, radius.0, at)?;
        *drag = Some(island.client.start_drag(stroke)?.id);
    } else if let Some(id) = *drag
        && pointed.is_changed()
    {
        let stroke = stroke(&surface, &keys, radius.0, at)?;
        island.client.extend_drag(id, &stroke.points)?;
    }
    Ok(())
}

fn undo(keys: Res<ButtonInput<KeyCode>>, mut island: ResMut<SharedIsland>) -> Result {
    if keys.just_pressed(KeyCode::KeyZ) {
        island.client.undo()?;
    }
    Ok(())
}

/// Shows why an edit was not made.
fn report(result: In<Result>, mut news: ResMut<News>) {
    if let Err(error) = result.0 {
        news.report(error);
    }
}
