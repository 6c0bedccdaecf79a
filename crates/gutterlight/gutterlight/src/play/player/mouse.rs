//! Mouse and touch input: pointing at cells, and clicking to go or throw there.

use bevy::{ecs::system::SystemParam, input::touch::Touches, prelude::*, window::CursorMoved};

use crate::play::{
    game::{Game, GameSystems, Wish},
    hud::{
        journal::Journal,
        style::{PANEL, TOP},
    },
    input::hands::Touched,
    place,
    player::{
        aim::{Aim, meant},
        cursor::Cursor,
        pilot::is_player,
        travel::Errand,
    },
    screen::is_play,
    words,
};

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (point, click.run_if(is_player))
            .chain()
            .run_if(is_play)
            .in_set(GameSystems::Ask),
    );
}

/// The position of the mouse or finger.
#[derive(SystemParam)]
pub struct Pointer<'w, 's> {
    touches: Option<Res<'w, Touches>>,
    /// Buttons of the UI are not part of the keep.
    buttons: Query<'w, 's, &'static Interaction, With<Touched>>,
    window: Option<Single<'w, 's, &'static Window>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    scale: Res<'w, UiScale>,
    game: Res<'w, Game>,
}

impl Pointer<'_, '_> {
    /// The cell at the position, if the player knows it.
    fn cell(&self) -> Option<IVec2> {
        let at = self.place()?;
        self.game.view().memory(at).map(|_| at)
    }

    /// The cell at the position, known or not. `None` over the bar, the panel or a button.
    fn place(&self) -> Option<IVec2> {
        let (camera, lens) = *self.camera;
        let window = self.window.as_ref()?;
        if self.buttons.iter().any(|on| *on != Interaction::None) {
            return None;
        }
        let finger = self
            .touches
            .as_ref()
            .and_then(|all| all.first_pressed_position());
        let place = finger.or_else(|| window.cursor_position())?;
        let keep = TOP * self.scale.0..window.height() - PANEL * self.scale.0;
        if !keep.contains(&place.y) {
            return None;
        }
        let place = camera.viewport_to_world_2d(lens, place).ok()?;
        Some(place::cell_at(place, self.game.view().size()))
    }

    /// Whether a touch started in this frame.
    fn is_touched(&self) -> bool {
        let touches = self.touches.as_ref();
        touches.is_some_and(|touches| touches.any_just_pressed())
    }
}

/// Moves the cursor with the mouse. While the mouse has the cursor, the cell also changes when the
/// camera moves.
fn point(pointer: Pointer, mut moves: MessageReader<CursorMoved>, mut cursor: ResMut<Cursor>) {
    let moved = moves.read().count() > 0 || pointer.is_touched();
    let stays = cursor.by_mouse && cursor.at.is_some();
    if !moved && !stays {
        return;
    }
    let at = pointer.cell();
    // Keyboard aiming keeps its target while the mouse is over nothing.
    if cursor.at != at && (at.is_some() || !cursor.is_aimed()) {
        cursor.at = at;
        cursor.by_mouse = true;
    }
}

fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Pointer,
    mut cursor: ResMut<Cursor>,
    mut errand: ResMut<Errand>,
    mut journal: ResMut<Journal>,
    mut wishes: MessageWriter<Wish>,
) {
    let clicked = buttons.just_pressed(MouseButton::Left) || pointer.is_touched();
    if let Some(place) = clicked.then(|| pointer.place()).flatten() {
        let view = pointer.game.view();
        let Some(at) = view.memory(place).map(|_| place) else {
            journal.refuse(words::UNKNOWN);
            return;
        };
        match cursor.aim {
            Some(Aim::Throw(missile)) => {
                let throw = cursor.throw(view, missile, at);
                wishes.write_batch(throw.map(Wish));
            }
            _ => {
                cursor.aim = None;
                *errand = Errand::To(meant(view, at));
            }
        }
    } else if buttons.just_pressed(MouseButton::Right) {
        cursor.aim = None;
        *errand = Errand::None;
    }
}
