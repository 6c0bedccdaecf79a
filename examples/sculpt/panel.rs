//! The panel: brushes, new roads and houses, history and files.

use core::mem;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use lanternfell::{
    prelude::*,
    terrain::edits::{Brush, EditId, Falloff, Operation},
};

use crate::{
    AUTHOR,
    brush::{TOOLS, Tool},
    files::{Export, FileAction, Status},
    things::Kind,
};

pub fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, show);
}

const FALLOFFS: [(Falloff, &str); 5] = [
    (Falloff::Smooth, "smooth"),
    (Falloff::Constant, "constant"),
    (Falloff::Linear, "linear"),
    (Falloff::Dome, "dome"),
    (Falloff::Tip, "tip"),
];

/// The most entries in the history.
const ENTRIES: usize = 12;

fn show(
    mut contexts: EguiContexts,
    mut commands: Commands,
    mut tool: ResMut<Tool>,
    mut terrain: Single<(Entity, &mut TerrainEdits)>,
    (mut status, export): (ResMut<Status>, Res<Export>),
    mut files: MessageWriter<FileAction>,
    view: Single<&GlobalTransform, With<Camera3d>>,
    terrains: TerrainQuery,
) -> Result {
    let context = contexts.ctx_mut()?;
    let tallest = context.content_rect().height() - 80.0;
    let window = egui::Window::new("Sculpt")
        .default_pos([12.0, 12.0])
        .default_height(tallest);
    window.resizable(false).show(context, |ui| {
        let scroll = egui::ScrollArea::vertical().max_height(tallest);
        scroll.auto_shrink([false, true]).show(ui, |ui| {
            let mut chosen = tool.clone();
            brushes(ui, &mut chosen);
            tool.set_if_neq(chosen);
            ui.separator();
            if let Some(kind) = new_thing(ui) {
                let middle = Ray3d::new(view.translation(), view.forward());
                match terrains.cast_ray(middle, 500.0) {
                    Some(hit) => kind.at(hit.point).spawn(&mut commands, terrain.0),
                    None => "look at the terrain first".clone_into(&mut status.0),
                }
            }
            ui.separator();
            if let Some((id, is_undone)) = history(ui, &terrain.1) {
                let edits = &mut terrain.1;
                match is_undone {
                    true => edits.redo_edit(AUTHOR, id),
                    false => edits.undo_edit(AUTHOR, id),
                }
                .map(drop)
                .unwrap_or_else(|error| warn!("{error}"));
            }
            ui.separator();
            for (name, file) in [
                ("save (O)", FileAction::Save),
                ("load (L)", FileAction::Load),
                ("export a GeoTIFF", FileAction::Export),
            ] {
                if ui.button(name).clicked() {
                    files.write(file);
                }
            }
            if let Some(fraction) = export.fraction() {
                ui.add(egui::ProgressBar::new(fraction));
            }
            ui.label(&status.0);
        });
    });
    Ok(())
}

fn brushes(ui: &mut egui::Ui, tool: &mut Tool) {
    ui.label(
        "left mouse button: use the brush or drag a handle\nright mouse button: look, W A S D: fly",
    );
    egui::Grid::new("tools").num_columns(2).show(ui, |ui| {
        for (index, (_, name, _)) in TOOLS.into_iter().enumerate() {
            let label = format!("{} {name}", (index + 1) % 10);
            ui.selectable_value(&mut tool.index, index, label);
            if index % 2 == 1 {
                ui.end_row();
            }
        }
    });
    let radius = egui::Slider::new(&mut tool.radius, Tool::RADII).logarithmic(true);
    ui.add(radius.suffix(" m").text("radius (wheel)"));
    ui.add(egui::Slider::new(&mut tool.strength, 0.05..=1.0).text("strength (Shift + wheel)"));
    let name = FALLOFFS
        .iter()
        .find(|(falloff, _)| *falloff == tool.falloff);
    egui::ComboBox::from_label("falloff")
        .selected_text(name.map_or("", |(_, name)| name))
        .show_ui(ui, |ui| {
            for (falloff, name) in FALLOFFS {
                ui.selectable_value(&mut tool.falloff, falloff, name);
            }
        });
}

/// Buttons for things in the middle of the view.
fn new_thing(ui: &mut egui::Ui) -> Option<Kind> {
    let mut chosen = None;
    ui.horizontal(|ui| {
        for (kind, name) in Kind::ALL {
            if ui.button(name).clicked() {
                chosen = Some(kind);
            }
        }
    });
    ui.label("While dragging a handle: wheel for width, height or size, Shift + wheel to turn.\nInsert: add a point next to a handle. Delete: remove it.");
    chosen
}

/// The last strokes. Returns the one to undo or redo.
fn history(ui: &mut egui::Ui, edits: &TerrainEdits) -> Option<(EditId, bool)> {
    let mut chosen = None;
    ui.label("history (undo: Z, redo: Y)");
    let strokes = edits
        .entries()
        .rev()
        .filter_map(|entry| match &entry.operation {
            Operation::Stroke(stroke) | Operation::Drag(stroke) => Some((entry.id, stroke)),
            Operation::Undo(_) | Operation::Redo(_) => None,
        });
    for (id, stroke) in strokes.take(ENTRIES) {
        let is_undone = !edits.is_active(id);
        let mut tools = TOOLS.iter();
        let is_like = |brush: &Brush| mem::discriminant(brush) == mem::discriminant(&stroke.brush);
        let name = tools.find(|(.., brush)| is_like(brush));
        let name = name.map_or("another brush", |(_, name, _)| name);
        let mut text = egui::RichText::new(format!("{} {name}", id.sequence));
        if is_undone {
            text = text.strikethrough().weak();
        }
        let hint = if is_undone { "redo" } else { "undo" };
        if ui.button(text).on_hover_text(hint).clicked() {
            chosen = Some((id, is_undone));
        }
    }
    chosen
}
