//! Widgets for parameters of generators, filters, blends and selections.

use std::ops::RangeInclusive;

use bevy_egui::egui;
use lanternfell::heightmap::{
    Parameters,
    parameter::{Kind, Parameter, Slider, Value},
};

/// Shows a widget for each parameter, with its declared label, range and help.
pub fn parameters(ui: &mut egui::Ui, owner: &mut impl Parameters) {
    for parameter in owner.parameters() {
        let Some(mut value) = owner.get(parameter.name) else {
            continue;
        };
        let label = parameter.name.replace('_', " ");
        if parameter_widget(ui, parameter, &label, &mut value) {
            owner.put(parameter.name, &value);
        }
    }
}

/// Shows a widget, and returns whether the value was changed.
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
        // Lists can only be edited in recipe files.
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

/// The initial value of an optional parameter that is turned on: its default, or the middle of the slider.
fn something(parameter: &Parameter) -> Value {
    let Slider { least, most, .. } = parameter.slider().unwrap_or(UNIT_SLIDER);
    let middle = 0.5 * (least + most);
    match (parameter.default(), parameter.kind.innermost()) {
        (Value::None, Kind::Whole) => Value::Whole(middle as u32),
        (Value::None, _) => Value::Number(middle),
        (default, _) => default,
    }
}

/// For a number without fixed bounds.
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

pub fn slider<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    text: &str,
    value: &mut N,
    range: RangeInclusive<N>,
) {
    add_slider(ui, text, egui::Slider::new(value, range));
}

/// Adds a slider that keeps a value outside of its range, such as a length on a large map.
pub fn add_slider(ui: &mut egui::Ui, text: &str, slider: egui::Slider) -> egui::Response {
    ui.add(slider.text(text).clamping(egui::SliderClamping::Edits))
}
