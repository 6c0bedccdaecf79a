//! What happens in the panel stays in the panel: a key typed or a mouse dragged there never
//! moves the camera.

use bevy::{
    input::{
        InputSystems,
        mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll},
    },
    prelude::*,
    window::{CursorGrabMode, CursorOptions},
};
use bevy_egui::{EguiPreUpdateSet, input::EguiWantsInput};

pub fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        shield
            .after(InputSystems)
            .after(EguiPreUpdateSet::BeginPass),
    );
}

/// Takes away what the panel has used, before any system of the game sees it.
fn shield(
    panel: Res<EguiWantsInput>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut motion: ResMut<AccumulatedMouseMotion>,
    mut scroll: ResMut<AccumulatedMouseScroll>,
    cursors: Query<&CursorOptions>,
) {
    if panel.wants_any_keyboard_input() {
        keys.reset_all();
    }
    // A hidden cursor that turns the camera may still cross the panel, unseen.
    let turning = cursors
        .iter()
        .any(|cursor| cursor.grab_mode != CursorGrabMode::None);
    if panel.wants_any_pointer_input() && !turning {
        buttons.reset_all();
        motion.delta = Vec2::ZERO;
        scroll.delta = Vec2::ZERO;
    }
}
