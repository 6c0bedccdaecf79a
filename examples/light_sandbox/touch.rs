//! Touch: a finger carries the torch, and does what a row of buttons selects. The buttons appear after the first touch.

use bevy::{input::touch::Touches, prelude::*};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui, input::egui_wants_any_pointer_input};

use crate::{
    brush::Brush,
    drawing::{Drawing, Hue},
    panel::PanelShown,
    torch::Torch,
};

/// What a finger does, in addition to carrying the torch.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Finger {
    /// The screen was not touched yet.
    #[default]
    Unknown,
    Carve,
    Build,
    Light,
    Lamp,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Finger>()
        .add_systems(
            Update,
            (learn, hang_lamp.run_if(not(egui_wants_any_pointer_input))),
        )
        .add_systems(EguiPrimaryContextPass, show_choice);
}

fn learn(touches: Res<Touches>, mut finger: ResMut<Finger>) {
    if *finger == Finger::Unknown && touches.any_just_pressed() {
        *finger = Finger::Carve;
    }
}

fn hang_lamp(
    touches: Res<Touches>,
    finger: Res<Finger>,
    torch: Res<Torch>,
    mut drawing: ResMut<Drawing>,
) {
    if *finger == Finger::Lamp && touches.any_just_released() {
        drawing.hang_lamp(torch.cell(), Hue::Amber);
    }
}

fn show_choice(
    mut contexts: EguiContexts,
    mut finger: ResMut<Finger>,
    mut panel: ResMut<PanelShown>,
    brush: Res<Brush>,
) -> Result {
    if *finger == Finger::Unknown {
        return Ok(());
    }
    let builds = format!("build {}", brush.builds.name());
    let area = egui::Area::new("finger".into())
        .anchor(egui::Align2::CENTER_BOTTOM, [0.0, -10.0])
        .order(egui::Order::Foreground);
    area.show(contexts.ctx_mut()?, |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().button_padding = egui::vec2(9.0, 11.0);
                for (does, name) in [
                    (Finger::Carve, "carve"),
                    (Finger::Build, &builds),
                    (Finger::Lamp, "lamp"),
                    (Finger::Light, "light"),
                ] {
                    if ui.selectable_label(*finger == does, name).clicked() {
                        *finger = does;
                    }
                }
                if ui.button("panel").clicked() {
                    panel.0 = !panel.0;
                }
            });
        });
    });
    Ok(())
}
