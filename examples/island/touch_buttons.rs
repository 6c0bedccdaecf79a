//! On-screen buttons for touch screens. Each sends the key event of the key it replaces.

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput, NativeKey},
    },
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

use crate::{Motion, touch::Fingers};

pub fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(|fingers: Res<Fingers>| fingers.known),
    );
}

type Buttons = &'static [(&'static str, KeyCode)];

const FLYING: Buttons = &[
    ("up", KeyCode::KeyE),
    ("down", KeyCode::KeyQ),
    ("walk", KeyCode::Tab),
    ("all", KeyCode::Home),
    ("panel", KeyCode::KeyP),
];
const WALKING: Buttons = &[
    ("jump", KeyCode::Space),
    ("dig", KeyCode::KeyF),
    ("build", KeyCode::KeyB),
    ("undo", KeyCode::KeyZ),
    ("fly", KeyCode::Tab),
    ("panel", KeyCode::KeyP),
];

fn show(
    mut contexts: EguiContexts,
    motion: Res<State<Motion>>,
    window: Single<Entity, With<PrimaryWindow>>,
    mut keys: MessageWriter<KeyboardInput>,
    mut held: Local<Vec<KeyCode>>,
) -> Result {
    let buttons = match motion.get() {
        Motion::Fly => FLYING,
        Motion::Walk => WALKING,
    };
    let pressed = row_of(contexts.ctx_mut()?, buttons);
    let mut turn = |key, state| {
        keys.write(KeyboardInput {
            key_code: key,
            logical_key: Key::Unidentified(NativeKey::Unidentified),
            state,
            text: None,
            repeat: false,
            window: *window,
        });
    };
    for key in held.iter().filter(|key| !pressed.contains(key)) {
        turn(*key, ButtonState::Released);
    }
    for key in pressed.iter().filter(|key| !held.contains(key)) {
        turn(*key, ButtonState::Pressed);
    }
    *held = pressed;
    Ok(())
}

/// Shows the buttons, and returns the keys of those that are pressed.
fn row_of(context: &egui::Context, buttons: Buttons) -> Vec<KeyCode> {
    let area = egui::Area::new("touch buttons".into())
        .anchor(egui::Align2::RIGHT_BOTTOM, [-12.0, -44.0])
        .order(egui::Order::Foreground);
    let row = area.show(context, |ui| {
        ui.horizontal(|ui| {
            let pressed = buttons.iter().filter(|(name, _)| {
                let face = egui::Button::new(egui::RichText::new(*name).size(15.0));
                let face = face
                    .corner_radius(10.0)
                    .fill(egui::Color32::from_black_alpha(150));
                ui.add_sized([56.0, 48.0], face).is_pointer_button_down_on()
            });
            pressed.map(|(_, key)| *key).collect()
        })
        .inner
    });
    row.inner
}
