//! Widgets for the terrain: the generator and shape of an island, all steps of a recipe, or the relief of a file.

use bevy_egui::egui::{self, RichText};
use lanternfell::{
    heightmap::{Operation, Step},
    prelude::*,
};

use super::parameters::{add_slider, parameters, slider};
use crate::{
    design::Design,
    ground::{FileLand, Ground, Land},
};

/// Shows the widgets. `standing` is the terrain that is shown, if any.
pub fn land(ui: &mut egui::Ui, ground: &mut Ground, standing: Option<&TerrainSurface>) {
    match &mut ground.land {
        Land::Island(design) => {
            parameters(ui, &mut design.generator);
            ui.separator();
            island(ui, design);
        }
        Land::Recipe(recipe) => {
            for step in &mut recipe.steps {
                show_step(ui, step);
            }
            ui.separator();
            let mut scale = recipe.scale();
            if relief(ui, &mut scale.relief) {
                recipe.scale = Some(scale);
            }
        }
        Land::File(file) => {
            let own = standing.map(|ground| ground.surface().scale());
            if let Some(mut scale) = file.scale.or(own)
                && relief(ui, &mut scale.relief)
            {
                file.scale = Some(scale);
            }
        }
    }
    sea(ui, ground, standing);
    ui.checkbox(&mut ground.rivers, "rivers and lakes");
    if let Some(standing) = standing {
        ui.label(RichText::new(measures(standing)).weak());
    }
}

fn island(ui: &mut egui::Ui, design: &mut Design) {
    ui.checkbox(&mut design.island, "lower the border below the sea");
    slider(ui, "flattening", &mut design.flatten, 1.0..=5.0);
    slider(ui, "roughness", &mut design.roughness, 0.0..=1.0);
    slider(ui, "relief (m)", &mut design.relief, 10.0..=300.0);
}

/// A slider for the relief. Returns whether it was changed.
fn relief(ui: &mut egui::Ui, meters: &mut f32) -> bool {
    let slider = egui::Slider::new(meters, 10.0..=10_000.0).logarithmic(true);
    add_slider(ui, "relief (m)", slider.max_decimals(0)).changed()
}

fn sea(ui: &mut egui::Ui, ground: &mut Ground, standing: Option<&TerrainSurface>) {
    ui.checkbox(&mut ground.sea, "sea");
    if !ground.sea {
        return;
    }
    match &mut ground.land {
        Land::Island(design) => slider(ui, "sea level", &mut design.sea_level, 0.0..=0.8),
        Land::Recipe(recipe) => {
            let mut level = recipe.water_level();
            slider(ui, "sea level", &mut level, 0.0..=0.8);
            if level != recipe.water_level() {
                recipe.sea_level = Some(level);
            }
        }
        Land::File(FileLand { sea_level, .. }) => {
            let own = standing.map(|ground| ground.water_level() / ground.surface().scale().relief);
            if let Some(before) = sea_level.or(own) {
                let mut level = before;
                slider(ui, "sea level", &mut level, 0.0..=0.8);
                if level != before {
                    *sea_level = Some(level);
                }
            }
        }
    }
}

/// A step of a recipe under its name, collapsed because there may be many.
fn show_step(ui: &mut egui::Ui, step: &mut Step) {
    let about = about(&step.operation);
    let header = egui::CollapsingHeader::new(&step.name).show(ui, |ui| match &mut step.operation {
        Operation::Generate { by, .. } => {
            ui.label(RichText::new(by.name()).weak());
            parameters(ui, by);
        }
        Operation::Flat { height } => slider(ui, "height", height, 0.0..=1.0),
        Operation::Image { name } => {
            ui.label(name.as_str());
        }
        Operation::Blend { how, weight, .. } => {
            ui.label(RichText::new(how.name()).weak());
            slider(ui, "weight", weight, 0.0..=1.0);
            parameters(ui, how);
        }
        Operation::Filter { by, .. } => {
            for (index, filter) in by.iter_mut().enumerate() {
                // Two filters may have parameters with the same name.
                ui.push_id(index, |ui| {
                    ui.label(RichText::new(filter.name()).weak());
                    parameters(ui, filter);
                });
            }
        }
        Operation::Select { by, .. } => {
            ui.label(RichText::new(by.name()).weak());
            parameters(ui, by);
        }
    });
    header.header_response.on_hover_text(about);
}

/// The operation and its inputs.
fn about(operation: &Operation) -> String {
    let (name, inputs) = (operation.name(), operation.inputs());
    if inputs.is_empty() {
        name.to_owned()
    } else {
        format!("{name} of {}", inputs.join(", "))
    }
}

/// The size of the terrain that is shown.
fn measures(ground: &TerrainSurface) -> String {
    let (surface, size) = (ground.surface(), ground.map().size());
    let [east, south] = (2.0 * surface.half_extent()).to_array();
    format!(
        "{} x {} cells, {}, {:.0} m high",
        size.width(),
        size.height(),
        area(east, south),
        surface.scale().relief
    )
}

fn area(east: f32, south: f32) -> String {
    if east.max(south) < 2000.0 {
        format!("{east:.0} x {south:.0} m")
    } else {
        format!("{:.1} x {:.1} km", east / 1000.0, south / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_in_meters_or_kilometers() {
        assert_eq!(area(640.4, 320.0), "640 x 320 m");
        assert_eq!(area(33_240.0, 800.0), "33.2 x 0.8 km");
    }

    #[test]
    fn step_lists_its_inputs() {
        let about = |name: &str| {
            let recipe = Recipe::preset("volcano").unwrap();
            about(&recipe.step(name).unwrap().operation)
        };
        assert_eq!(about("cone"), "Generate");
        assert_eq!(about("land"), "Blend of cone, rough");
    }
}
