//! The panel: terrain, sea, time of day, weather, plants and quality.

mod chooser;
mod land;
mod parameters;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use lanternfell::prelude::*;

use self::{chooser::chooser, land::land};
use crate::{
    folder::Folder,
    ground::{Ground, Trouble},
    plants::Plants,
    quality::{Level, Quality},
    resize::SIZES,
    save::LastSaved,
};

/// On narrower screens, such as a phone's, the panel starts collapsed. In logical pixels.
const NARROW: f32 = 600.0;

/// Whether the panel is shown. P toggles it.
#[derive(Resource)]
pub struct PanelShown(pub bool);

pub fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, show_panel)
        .add_systems(Update, (toggle_panel, roll_on_key));
}

/// The resources that change how the scene is drawn.
#[derive(SystemParam)]
struct Drawn<'w> {
    weather: ResMut<'w, Weather>,
    plants: ResMut<'w, Plants>,
    quality: ResMut<'w, Quality>,
}

fn toggle_panel(keys: Res<ButtonInput<KeyCode>>, mut shown: ResMut<PanelShown>) {
    if keys.just_pressed(KeyCode::KeyP) {
        shown.0 = !shown.0;
    }
}

fn roll_on_key(
    keys: Res<ButtonInput<KeyCode>>,
    mut ground: ResMut<Ground>,
    mut trouble: ResMut<Trouble>,
) {
    if keys.just_pressed(KeyCode::KeyR)
        && let Some(seed) = ground.seed_mut()
    {
        *seed = next_seed(*seed);
        trouble.0 = None;
    }
}

/// The next seed, of at most six digits. A linear congruential generator of full period (Hull and Dobell 1962) visits
/// every such seed before one repeats.
fn next_seed(seed: u64) -> u64 {
    (seed % 1_000_000 * 123_421 + 765_433) % 1_000_000
}

/// Width of the panel in logical pixels.
const WIDTH: f32 = 268.0;

fn show_panel(
    mut contexts: EguiContexts,
    shown: Res<PanelShown>,
    mut ground: ResMut<Ground>,
    mut folder: ResMut<Folder>,
    mut day: ResMut<TimeOfDay>,
    mut drawn: Drawn,
    mut trouble: ResMut<Trouble>,
    mut saved: ResMut<LastSaved>,
    assets: Res<AssetServer>,
    terrains: Query<(Option<&TerrainSurface>, Option<&TerrainProgress>), With<Terrain>>,
    mut search: Local<String>,
) -> Result {
    if !shown.0 {
        return Ok(());
    }
    // Edit copies, so that only a real change regenerates the terrain.
    let mut edited = ground.clone();
    let mut hour = *day;
    let (mut plants, mut quality) = (*drawn.plants, *drawn.quality);
    let mut weather = *drawn.weather;
    let (standing, generating) = terrains.iter().next().unwrap_or_default();
    let context = contexts.ctx_mut()?;
    leave_tab_to_the_game(context);
    let screen = context.content_rect();
    let is_wide = screen.width() > NARROW;
    // The rest is for the title, the margins and the line of keys.
    let tallest = screen.height() - 110.0;
    let mut chosen = None;
    // Wide and narrow screens have separate window states, because the page's size is known only after some frames.
    let window = egui::Window::new("Terrain")
        .id(egui::Id::new(("ground", is_wide)))
        .default_pos([12.0, 12.0])
        .default_width(WIDTH)
        .default_open(is_wide)
        .resizable(false);
    window.show(context, |ui| {
        // The height follows the content, up to the available height.
        let scroll = egui::ScrollArea::vertical().max_height(tallest);
        scroll.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().slider_width = 130.0;
            chosen = chooser(ui, &edited.choice, &mut search, &mut folder);
            status(ui, &trouble, generating);
            seed_and_cells(ui, &mut edited);
            ui.separator();
            land(ui, &mut edited, standing);
            ui.separator();
            time_of_day(ui, &mut hour);
            choose_weather(ui, &mut weather);
            ui.checkbox(&mut plants.shown, "plants and stones");
            how_much(ui, &mut quality);
            save(ui, &edited, &folder, &mut saved);
        });
    });
    if let Some(choice) = chosen {
        edited.choose(choice, &assets);
        trouble.0 = None;
    }
    if ground.set_if_neq(edited) {
        trouble.0 = None;
    }
    day.set_if_neq(hour);
    drawn.weather.set_if_neq(weather);
    drawn.plants.set_if_neq(plants);
    drawn.quality.set_if_neq(quality);
    Ok(())
}

/// Tab switches between flying and walking. Prevents it from also moving the keyboard focus to the panel. Once a field
/// of the panel has the focus, Tab moves to the next field as usual.
fn leave_tab_to_the_game(context: &egui::Context) {
    context.memory_mut(|memory| {
        if memory.focused().is_none() {
            memory.move_focus(egui::FocusDirection::None);
        }
    });
}

/// Shows the error and the progress at the top, where they are visible in a small window.
fn status(ui: &mut egui::Ui, trouble: &Trouble, generating: Option<&TerrainProgress>) {
    if let Some(trouble) = &trouble.0 {
        ui.colored_label(egui::Color32::from_rgb(255, 150, 110), trouble);
    }
    let done = generating.map_or(1.0, TerrainProgress::fraction);
    let bar = egui::ProgressBar::new(done).desired_height(6.0);
    // An invisible bar keeps its space, so that nothing jumps.
    ui.add_visible(generating.is_some(), bar);
}

fn seed_and_cells(ui: &mut egui::Ui, ground: &mut Ground) {
    if let Some(seed) = ground.seed_mut() {
        ui.horizontal(|ui| {
            ui.add(egui::DragValue::new(seed).speed(1.0));
            if ui.button("🎲 another").clicked() {
                *seed = next_seed(*seed);
            }
            ui.label("seed");
        });
    }
    if let Some(before) = ground.cells() {
        let mut cells = before;
        egui::ComboBox::from_label("cells per side")
            .selected_text(cells.to_string())
            .show_ui(ui, |ui| {
                for size in SIZES {
                    ui.selectable_value(&mut cells, size, size.to_string());
                }
            });
        if cells != before {
            ground.resize(cells);
        }
    }
}

fn time_of_day(ui: &mut egui::Ui, day: &mut TimeOfDay) {
    let clock = egui::Slider::new(&mut day.hour, 0.0..=24.0).custom_formatter(|hour, _| {
        let minutes = (hour * 60.0).round() as u32;
        format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
    });
    ui.add(clock.text("time of day"));
    ui.checkbox(&mut day.is_running, "time passes");
}

fn choose_weather(ui: &mut egui::Ui, weather: &mut Weather) {
    let mut presets = Weather::PRESETS.into_iter();
    let chosen = presets.find_map(|(name, preset)| (preset == *weather).then_some(name));
    egui::ComboBox::from_label("weather")
        .selected_text(chosen.unwrap_or("custom"))
        .show_ui(ui, |ui| {
            for (name, preset) in Weather::PRESETS {
                ui.selectable_value(weather, preset, name);
            }
        });
}

/// The quality level.
fn how_much(ui: &mut egui::Ui, quality: &mut Quality) {
    let name = match quality.chosen {
        Some(level) => level.name().to_owned(),
        None => format!("auto: {}", quality.level().name()),
    };
    egui::ComboBox::from_label("quality")
        .selected_text(name)
        .show_ui(ui, |ui| {
            let choices = std::iter::once(None).chain(Level::ALL.map(Some));
            for choice in choices {
                let name = choice.map_or("auto", Level::name);
                if ui
                    .selectable_label(quality.chosen == choice, name)
                    .clicked()
                {
                    quality.choose(choice);
                }
            }
        });
}

/// A button that saves the recipe, and the result of the last save.
fn save(ui: &mut egui::Ui, ground: &Ground, folder: &Folder, saved: &mut LastSaved) {
    if ground.recipe().is_some() {
        ui.separator();
        let place = folder.path().map(|path| format!("in {}", path.display()));
        let button = ui.button("💾 save recipe");
        let button = button.on_hover_text(place.unwrap_or("as a download".to_owned()));
        if button.clicked() {
            saved.save(ground, folder.path());
        }
    }
    if !saved.0.is_empty() {
        ui.label(&saved.0);
    }
}
