//! The panel: algorithm, parameters, seed, size, sea, flattening and the time of day.

use std::ops::RangeInclusive;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use lanternfell::{
    heightmap::{
        Parameters as _,
        parameter::{Kind, Parameter, Slider, Value},
    },
    prelude::*,
};

use crate::{
    design::{Design, SIZES, Trouble},
    sky::TimeOfDay,
    snapshot::LastPicture,
};

/// Whether the panel is open; P opens and closes it.
#[derive(Resource)]
pub struct PanelShown(pub bool);

pub fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, show_panel)
        .add_systems(Update, (toggle_panel, roll_on_key));
}

fn toggle_panel(keys: Res<ButtonInput<KeyCode>>, mut shown: ResMut<PanelShown>) {
    if keys.just_pressed(KeyCode::KeyP) {
        shown.0 = !shown.0;
    }
}

fn roll_on_key(keys: Res<ButtonInput<KeyCode>>, mut design: ResMut<Design>) {
    if keys.just_pressed(KeyCode::KeyR) {
        design.seed = next_seed(design.seed);
    }
}

/// Another coastline: six digits that can be remembered, and all of them before any comes
/// again (a linear congruence of full period: Hull and Dobell 1962).
fn next_seed(seed: u64) -> u64 {
    (seed % 1_000_000 * 123_421 + 765_433) % 1_000_000
}

fn show_panel(
    mut contexts: EguiContexts,
    shown: Res<PanelShown>,
    mut design: ResMut<Design>,
    mut day: ResMut<TimeOfDay>,
    trouble: Res<Trouble>,
    picture: Res<LastPicture>,
    generating: Query<&Generating>,
) -> Result {
    if !shown.0 {
        return Ok(());
    }
    // Edited as copies, so that only a real change makes the island anew.
    let mut edited = design.clone();
    let mut hour = *day;
    let context = contexts.ctx_mut()?;
    leave_tab_to_the_game(context);
    let tallest = context.content_rect().height() - 60.0;
    egui::Window::new("Island")
        .default_pos([12.0, 12.0])
        .default_width(270.0)
        .max_height(tallest)
        .vscroll(true)
        .show(context, |ui| {
            ui.spacing_mut().slider_width = 130.0;
            algorithm(ui, &mut edited);
            ui.separator();
            parameters(ui, &mut edited.generator);
            ui.separator();
            shape(ui, &mut edited);
            ui.separator();
            time_of_day(ui, &mut hour);
            status(ui, &trouble, &picture, generating.iter().next());
        });
    design.set_if_neq(edited);
    day.set_if_neq(hour);
    Ok(())
}

/// Tab changes from flying to walking. It must not also put the focus, and with it all
/// keys, into the panel; within the panel it goes from field to field as usual.
fn leave_tab_to_the_game(context: &egui::Context) {
    context.memory_mut(|memory| {
        if memory.focused().is_none() {
            memory.move_focus(egui::FocusDirection::None);
        }
    });
}

fn algorithm(ui: &mut egui::Ui, design: &mut Design) {
    egui::ComboBox::from_label("algorithm")
        .selected_text(design.generator.name())
        .show_ui(ui, |ui| {
            for name in Generator::NAMES {
                let chosen = design.generator.name() == name;
                if ui.selectable_label(chosen, name).clicked() && !chosen {
                    let (seed, cells) = (design.seed, design.cells);
                    *design = Design::of(name);
                    design.seed = seed;
                    design.resize(cells);
                }
            }
        });
    ui.horizontal(|ui| {
        ui.add(egui::DragValue::new(&mut design.seed).speed(1.0));
        if ui.button("🎲 new island").clicked() {
            design.seed = next_seed(design.seed);
        }
        ui.label("seed");
    });
    let mut cells = design.cells;
    egui::ComboBox::from_label("cells a side")
        .selected_text(cells.to_string())
        .show_ui(ui, |ui| {
            for size in SIZES {
                ui.selectable_value(&mut cells, size, size.to_string());
            }
        });
    design.resize(cells);
}

/// A widget for each of the generator's parameters, as it describes them itself.
fn parameters(ui: &mut egui::Ui, generator: &mut Generator) {
    for parameter in generator.parameters() {
        let Some(mut value) = generator.get(parameter.name) else {
            continue;
        };
        let label = parameter.name.replace('_', " ");
        if parameter_widget(ui, parameter, &label, &mut value) {
            generator.put(parameter.name, &value);
        }
    }
}

/// Returns whether the value was changed.
fn parameter_widget(
    ui: &mut egui::Ui,
    parameter: &Parameter,
    label: &str,
    value: &mut Value,
) -> bool {
    let before = value.clone();
    let about = parameter.about();
    let widget = match value {
        Value::Whole(number) => parameter_slider(ui, parameter, label, number),
        Value::Number(number) => parameter_slider(ui, parameter, label, number),
        Value::Switch(on) => ui.checkbox(on, label),
        Value::Choice(name) => {
            let box_ = egui::ComboBox::from_label(label).selected_text(*name);
            let shown = box_.show_ui(ui, |ui| {
                for choice in parameter.kind.innermost().choices() {
                    let item = ui.selectable_value(name, choice.name, choice.name);
                    item.on_hover_text(choice.about());
                }
            });
            shown.response
        }
        // Lists are for files.
        Value::List(_) => return false,
        Value::None => {
            let mut on = false;
            let check = ui.checkbox(&mut on, label);
            if on {
                *value = something(parameter);
            }
            check
        }
    };
    let widget = widget.on_hover_text(about);
    let can_be_none = matches!(parameter.kind, Kind::Optional(_)) && before != Value::None;
    if can_be_none && widget.secondary_clicked() {
        *value = Value::None;
    }
    *value != before
}

/// What a parameter that had no value begins with: its default, or the slider's middle.
fn something(parameter: &Parameter) -> Value {
    let Slider { least, most, .. } = parameter.slider().unwrap_or(UNIT_SLIDER);
    let middle = 0.5 * (least + most);
    match (parameter.default(), parameter.kind.innermost()) {
        (Value::None, Kind::Whole) => Value::Whole(middle as u32),
        (Value::None, _) => Value::Number(middle),
        (default, _) => default,
    }
}

/// For a number that is bounded by others only.
const UNIT_SLIDER: Slider = Slider {
    least: 0.0,
    most: 1.0,
    logarithmic: false,
};

fn parameter_slider<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    parameter: &Parameter,
    label: &str,
    value: &mut N,
) -> egui::Response {
    let Slider {
        least,
        most,
        logarithmic,
    } = parameter.slider().unwrap_or(UNIT_SLIDER);
    let range = N::from_f64(least)..=N::from_f64(most);
    let slider = egui::Slider::new(value, range).logarithmic(logarithmic);
    add_slider(ui, label, slider)
}

fn slider<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    text: &str,
    value: &mut N,
    range: RangeInclusive<N>,
) {
    add_slider(ui, text, egui::Slider::new(value, range));
}

/// Leaves alone a value beyond the slider's ends, as a large map's lengths may be.
fn add_slider(ui: &mut egui::Ui, text: &str, slider: egui::Slider) -> egui::Response {
    ui.add(slider.text(text).clamping(egui::SliderClamping::Edits))
}

fn shape(ui: &mut egui::Ui, design: &mut Design) {
    ui.checkbox(&mut design.island, "sink the border under the sea");
    slider(ui, "sea level", &mut design.sea_level, 0.0..=0.8);
    slider(ui, "flattening", &mut design.flatten, 1.0..=5.0);
    slider(ui, "roughness", &mut design.roughness, 0.0..=1.0);
    slider(ui, "relief, m", &mut design.relief, 10.0..=300.0);
}

fn time_of_day(ui: &mut egui::Ui, day: &mut TimeOfDay) {
    let clock = egui::Slider::new(&mut day.hour, 0.0..=24.0).custom_formatter(|hour, _| {
        let minutes = (hour * 60.0).round() as u32;
        format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
    });
    ui.add(clock.text("time of day"));
    ui.checkbox(&mut day.passes, "time passes");
}

fn status(
    ui: &mut egui::Ui,
    trouble: &Trouble,
    picture: &LastPicture,
    generating: Option<&Generating>,
) {
    if let Some(trouble) = &trouble.0 {
        ui.colored_label(egui::Color32::from_rgb(255, 150, 110), trouble);
    }
    if let Some(generating) = generating {
        ui.add(egui::ProgressBar::new(generating.fraction()).desired_height(8.0));
    }
    if !picture.0.is_empty() {
        ui.label(&picture.0);
    }
}
