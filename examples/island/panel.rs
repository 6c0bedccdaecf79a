//! The panel: algorithm, parameters, seed, size, sea, flattening and the time of day.

use std::ops::RangeInclusive;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use lanternfell::{
    heightmap::{LineDistribution, Profile, Variant},
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

fn parameters(ui: &mut egui::Ui, generator: &mut Generator) {
    match generator {
        Generator::Hills(hills) => hills_parameters(ui, hills),
        Generator::Faults(faults) => faults_parameters(ui, faults),
        Generator::Fluid(fluid) => fluid_parameters(ui, fluid),
        Generator::FractalNoise(islands) => islands_parameters(ui, islands),
    }
}

fn hills_parameters(ui: &mut egui::Ui, hills: &mut Hills) {
    slider_log(ui, "count", &mut hills.count, 1..=5000);
    slider(ui, "radius min", &mut hills.radius_min, 0.5..=200.0);
    slider(ui, "radius max", &mut hills.radius_max, 1.0..=500.0);
    hills.radius_min = hills.radius_min.min(hills.radius_max);
    ui.checkbox(&mut hills.island, "hills stay inside");
}

fn faults_parameters(ui: &mut egui::Ui, faults: &mut Faults) {
    slider_log(ui, "lines", &mut faults.lines, 1..=5000);
    let profiles = [
        (Profile::Step, "step"),
        (Profile::Linear, "linear"),
        (Profile::Cosine, "cosine"),
    ];
    choice(ui, "profile", &mut faults.profile, &profiles);
    if faults.profile != Profile::Step {
        slider(ui, "width", &mut faults.width, 1.0..=400.0);
    }
    slider(ui, "last lift", &mut faults.displacement_last, 0.0..=1.0);
    let distributions = [
        (LineDistribution::TwoPoints, "two points"),
        (LineDistribution::AngleDistance, "angle, distance"),
    ];
    choice(ui, "lines by", &mut faults.distribution, &distributions);
}

fn fluid_parameters(ui: &mut egui::Ui, fluid: &mut Fluid) {
    slider_log(ui, "passes", &mut fluid.passes, 0..=1_000_000);
    slider(ui, "wave speed c", &mut fluid.c, 1.0..=200.0);
    slider(ui, "node spacing d", &mut fluid.d, 5.0..=50.0);
    slider(ui, "time step t", &mut fluid.t, 0.001..=0.1);
    slider(ui, "viscosity mu", &mut fluid.mu, 0.0..=400.0);
    slider(ui, "amplitude", &mut fluid.amplitude, 1.0..=1000.0);
}

fn islands_parameters(ui: &mut egui::Ui, islands: &mut FractalNoise) {
    slider(ui, "octaves", &mut islands.octaves, 1..=10);
    slider_log(ui, "scale", &mut islands.scale, 8.0..=2000.0);
    slider(ui, "lacunarity", &mut islands.lacunarity, 1.5..=4.0);
    slider(ui, "gain", &mut islands.gain, 0.1..=0.9);
    let variants = [
        (Variant::Fbm, "fbm"),
        (Variant::Ridged, "ridged"),
        (Variant::Billowed, "billowed"),
    ];
    choice(ui, "variant", &mut islands.variant, &variants);
    slider(ui, "warp", &mut islands.warp, 0.0..=200.0);
    ui.checkbox(&mut islands.quantized, "quantized");
}

fn slider<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    text: &str,
    value: &mut N,
    range: RangeInclusive<N>,
) {
    add_slider(ui, text, egui::Slider::new(value, range));
}

fn slider_log<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    text: &str,
    value: &mut N,
    range: RangeInclusive<N>,
) {
    add_slider(ui, text, egui::Slider::new(value, range).logarithmic(true));
}

/// Leaves alone a value beyond the slider's ends, as a large map's lengths may be.
fn add_slider(ui: &mut egui::Ui, text: &str, slider: egui::Slider) {
    ui.add(slider.text(text).clamping(egui::SliderClamping::Edits));
}

fn choice<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    label: &str,
    value: &mut T,
    choices: &[(T, &str)],
) {
    let chosen = choices.iter().find(|(choice, _)| choice == value);
    egui::ComboBox::from_label(label)
        .selected_text(chosen.map_or("", |(_, name)| name))
        .show_ui(ui, |ui| {
            for (choice, name) in choices {
                ui.selectable_value(value, *choice, *name);
            }
        });
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
