//! Keeps input for the panel away from the camera: typed keys, drags and scrolling.

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

/// Clears the input that the panel uses, before the systems in `Update` read it.
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
    // While the camera is turned, the hidden cursor may be above the panel.
    let turning = cursors
        .iter()
        .any(|cursor| cursor.grab_mode != CursorGrabMode::None);
    if panel.wants_any_pointer_input() && !turning {
        buttons.reset_all();
        motion.delta = Vec2::ZERO;
        scroll.delta = Vec2::ZERO;
    }
}
