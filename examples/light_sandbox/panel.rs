//! The panel: all settings that have keys, and the cost of the light.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use lanternfell::prelude::*;

use crate::{
    board::Rules,
    brush::{Begun, Brush, is_control},
    cost::Cost,
    drawing::{Drawing, Hue, Material, Walls},
    files,
    presets::Preset,
    torch::Torch,
};

/// On narrower screens, such as a phone's, the panel starts collapsed. In logical pixels.
const NARROW: f32 = 600.0;

/// Whether the panel is shown. P toggles it.
#[derive(Resource)]
pub struct PanelShown(pub bool);

/// The path to save to and load from, and the result.
#[derive(Resource)]
pub struct FileField {
    path: String,
    message: String,
}

impl Default for FileField {
    fn default() -> Self {
        Self {
            path: "drawing.ron".into(),
            message: String::new(),
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<FileField>()
        .add_systems(EguiPrimaryContextPass, show_panel)
        .add_systems(Update, (save_and_load_by_key, take_chosen));
}

fn show_panel(
    mut contexts: EguiContexts,
    shown: Res<PanelShown>,
    cost: Res<Cost>,
    mut rules: ResMut<Rules>,
    mut walls: ResMut<Walls>,
    mut brush: ResMut<Brush>,
    mut torch: ResMut<Torch>,
    mut begun: ResMut<Begun>,
    mut drawing: ResMut<Drawing>,
    mut file: ResMut<FileField>,
) -> Result {
    if !shown.0 {
        return Ok(());
    }
    // Edit copies, so that only a real change triggers change detection.
    let (mut new_rules, mut new_walls) = (*rules, *walls);
    let (mut new_brush, mut new_torch) = (brush.clone(), torch.clone());
    let mut new_begun = *begun;
    let context = contexts.ctx_mut()?;
    let screen = context.content_rect();
    let tallest = screen.height() - 60.0;
    egui::Window::new("Light")
        .default_pos([12.0, 12.0])
        .default_width(230.0)
        .default_open(screen.width() > NARROW)
        .max_height(tallest)
        .vscroll(true)
        .show(context, |ui| {
            ui.spacing_mut().slider_width = 110.0;
            costs(ui, &cost);
            ui.separator();
            light(ui, &mut new_rules, &mut new_walls);
            ui.separator();
            view(ui, &mut new_rules);
            ui.separator();
            tools(ui, &mut new_brush, &mut new_torch);
            ui.separator();
            if begin(ui, &mut new_begun) {
                *drawing = new_begun.preset.draw(new_begun.seed);
            }
            save_and_load(ui, &mut file, &mut drawing);
        });
    rules.set_if_neq(new_rules);
    walls.set_if_neq(new_walls);
    brush.set_if_neq(new_brush);
    torch.set_if_neq(new_torch);
    begun.set_if_neq(new_begun);
    Ok(())
}

fn light(ui: &mut egui::Ui, rules: &mut Rules, walls: &mut Walls) {
    let mut radius = rules.radius();
    let slider = egui::Slider::new(&mut radius, 2.0..=80.0).logarithmic(true);
    if ui.add(slider.text("radius (wheel)")).changed() {
        rules.set_radius(radius);
    }
    let share = |value| egui::Slider::new(value, 0.0..=1.0);
    ui.add(share(&mut rules.settings.direct).text("direct (D)"));
    ui.checkbox(&mut rules.fine, "soft shadows (F)");
    ui.add(share(&mut walls.albedo).text("wall albedo (K)"));
    ui.horizontal(|ui| {
        for (name, neighborhood) in ["4", "8", "round"].into_iter().zip(Neighborhood::SQUARE) {
            ui.selectable_value(&mut rules.settings.neighborhood, neighborhood, name);
        }
        ui.label("neighbors (N)");
    });
    let mut settled = matches!(rules.flow, LightFlow::Settled { .. });
    ui.horizontal(|ui| {
        ui.selectable_value(&mut settled, false, "flowing");
        ui.selectable_value(&mut settled, true, "settled");
        ui.label("(T)");
    });
    if settled != matches!(rules.flow, LightFlow::Settled { .. }) {
        rules.flow = if settled {
            LightFlow::SETTLED
        } else {
            LightFlow::default()
        };
    }
    if let LightFlow::Automaton { steps_per_second } = &mut rules.flow {
        let slider = egui::Slider::new(steps_per_second, 5.0..=2000.0).logarithmic(true);
        ui.add(slider.text("steps per second"));
    }
}

fn view(ui: &mut egui::Ui, rules: &mut Rules) {
    let display = &mut rules.display;
    ui.horizontal(|ui| {
        ui.selectable_value(&mut display.style, LightStyle::Smooth, "smooth");
        ui.selectable_value(&mut display.style, LightStyle::Cells, "cells");
        ui.selectable_value(&mut display.style, LightStyle::Banded(6), "bands");
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut display.heat, "heat (H)");
        ui.checkbox(&mut rules.debug.values, "values (V)");
        ui.checkbox(&mut rules.debug.tiles, "tiles (O)");
    });
    ui.add(
        egui::Slider::new(&mut display.exposure, 0.25..=8.0)
            .logarithmic(true)
            .text("exposure"),
    );
    ui.add(egui::Slider::new(&mut display.gamma, 0.5..=2.5).text("gamma"));
}

fn tools(ui: &mut egui::Ui, brush: &mut Brush, torch: &mut Torch) {
    ui.label("left: carve, right: build");
    ui.horizontal_wrapped(|ui| {
        for (name, material) in [
            ("wall", Material::Wall),
            ("black (B)", Material::Black),
            ("mirror (M)", Material::Mirror),
            ("smoke (S)", Material::Smoke),
            ("glass (G)", Material::Glass(brush.glass)),
        ] {
            let same = std::mem::discriminant(&brush.builds) == std::mem::discriminant(&material);
            if ui.selectable_label(same, name).clicked() {
                brush.builds = material;
            }
        }
    });
    ui.horizontal(|ui| {
        for &hue in Hue::of_glass() {
            if swatch(ui, hue, brush.glass == hue).clicked() {
                brush.glass = hue;
                if matches!(brush.builds, Material::Glass(_)) {
                    brush.builds = Material::Glass(hue);
                }
            }
        }
        ui.label("glass (C)");
    });
    let mut reach = brush.side / 2;
    ui.add(egui::Slider::new(&mut reach, 0..=4).text("brush"));
    brush.side = 2 * reach + 1;
    ui.label("1 to 7: place a lamp, X: remove it");
    ui.horizontal(|ui| {
        ui.checkbox(&mut torch.burning, "torch (Space)");
        ui.checkbox(&mut torch.flickers, "flicker");
    });
    ui.add(
        egui::Slider::new(&mut torch.strength, 0.1..=16.0)
            .logarithmic(true)
            .text("strength"),
    );
}

fn swatch(ui: &mut egui::Ui, hue: Hue, chosen: bool) -> egui::Response {
    let [r, g, b, _] = hue.color().to_srgba().to_u8_array();
    let text = if chosen { "●" } else { "  " };
    let text = egui::RichText::new(text).color(egui::Color32::BLACK);
    ui.add(egui::Button::new(text).fill(egui::Color32::from_rgb(r, g, b)))
}

/// The buttons for presets. Returns whether to draw the preset.
fn begin(ui: &mut egui::Ui, begun: &mut Begun) -> bool {
    let mut chosen = false;
    ui.horizontal_wrapped(|ui| {
        for preset in Preset::ALL {
            if ui.button(preset.name()).clicked() {
                begun.preset = preset;
                chosen = true;
            }
        }
        if ui.button("another (R)").clicked() {
            begun.seed = begun.seed.wrapping_add(1);
            chosen = true;
        }
    });
    chosen
}

fn save_and_load(ui: &mut egui::Ui, file: &mut FileField, drawing: &mut ResMut<Drawing>) {
    ui.horizontal(|ui| {
        ui.add(egui::TextEdit::singleline(&mut file.path).desired_width(110.0))
            .on_hover_text("extension: .ron or .png");
        if ui.button("save").clicked() {
            file.save(drawing);
        }
        if ui.button("load").clicked() {
            file.load(drawing);
        }
    });
    if !file.message.is_empty() {
        ui.small(&file.message);
    }
}

impl FileField {
    fn save(&mut self, drawing: &Drawing) {
        let path = PathBuf::from(&self.path);
        self.message = match files::save(drawing, &path) {
            Ok(()) => format!("saved {}", path.display()),
            Err(error) => format!("cannot save: {error}"),
        };
    }

    fn load(&mut self, drawing: &mut ResMut<Drawing>) {
        if !lanternfell::headless::web_page::ask_for_file(".ron,.png", files::LONGEST) {
            let loaded = files::load(&PathBuf::from(&self.path));
            self.show(&self.path.clone(), loaded, drawing);
        }
    }

    fn show(&mut self, name: &str, loaded: Result<Drawing, String>, drawing: &mut ResMut<Drawing>) {
        self.message = match loaded {
            Ok(loaded) => {
                **drawing = loaded;
                format!("loaded {name}")
            }
            Err(error) => format!("cannot load: {error}"),
        };
    }
}

/// Loads the file that the user chose in a browser, once the browser has read it.
fn take_chosen(mut file: ResMut<FileField>, mut drawing: ResMut<Drawing>) {
    if let Some(chosen) = lanternfell::headless::web_page::chosen_file() {
        let name = chosen
            .as_ref()
            .map_or(String::new(), |chosen| chosen.name.clone());
        let loaded = chosen.and_then(|chosen| files::take(&chosen.name, &chosen.bytes));
        file.show(&name, loaded, &mut drawing);
    }
}

/// Ctrl+S saves, and Ctrl+L loads.
fn save_and_load_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    mut file: ResMut<FileField>,
    mut drawing: ResMut<Drawing>,
) {
    if !is_control(&keys) {
        return;
    }
    if keys.just_pressed(KeyCode::KeyS) {
        file.save(&drawing);
    } else if keys.just_pressed(KeyCode::KeyL) {
        file.load(&mut drawing);
    }
}

fn costs(ui: &mut egui::Ui, cost: &Cost) {
    let step = cost
        .step
        .map_or("at rest".into(), |step| format!("{step:.1} us per step"));
    ui.monospace(format!("frame {:6.2} ms", cost.frame));
    ui.monospace(format!("light {:6.3} ms, {step}", cost.flow));
    ui.monospace(format!(
        "tiles {} of {}, change {:.0e}",
        cost.awake, cost.tiles, cost.residual
    ));
}
