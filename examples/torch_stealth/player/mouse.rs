//! The mouse: it points at cells; a click goes there, or throws there.

use bevy::{prelude::*, window::CursorMoved};

use crate::{
    game::{Game, GameSystems, Wish},
    place,
    player::{
        cursor::{Aim, Cursor},
        pilot::is_player,
        travel::Errand,
    },
    scene::camera::PANEL,
    screen::is_play,
};

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            point.run_if(on_message::<CursorMoved>),
            click.run_if(is_player),
        )
            .chain()
            .run_if(is_play)
            .in_set(GameSystems::Ask),
    );
}

/// The cell under the mouse, if it is known and not under the panel.
fn point(
    window: Option<Single<&Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    scale: Res<UiScale>,
    game: Res<Game>,
    mut cursor: ResMut<Cursor>,
) {
    let (camera, lens) = *camera;
    let over = |window: Single<&Window>| {
        let place = window.cursor_position()?;
        let map = place.y < window.height() - PANEL * scale.0;
        map.then(|| camera.viewport_to_world_2d(lens, place).ok())?
    };
    let size = game.view().size();
    let at = window
        .and_then(over)
        .map(|place| place::cell_at(place, size));
    let at = at.filter(|at| game.view().memory(*at).is_some());
    // Keys keep what they point at while the mouse is over nothing.
    if cursor.at != at && (at.is_some() || !cursor.is_aimed()) {
        cursor.at = at;
    }
}

fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    game: Res<Game>,
    mut cursor: ResMut<Cursor>,
    mut errand: ResMut<Errand>,
    mut wishes: MessageWriter<Wish>,
) {
    if buttons.just_pressed(MouseButton::Left)
        && let Some(at) = cursor.at
    {
        match cursor.aim {
            Some(Aim::Throw(missile)) => {
                wishes.write_batch(cursor.throw(game.view(), missile, at).map(Wish));
            }
            _ => {
                cursor.aim = None;
                *errand = Errand::To(at);
            }
        }
    } else if buttons.just_pressed(MouseButton::Right) {
        cursor.aim = None;
        *errand = Errand::None;
    }
}
