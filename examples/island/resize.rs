//! Changes the number of cells of a recipe, and keeps the shape of its terrain.
//!
//! Generators and filters measure lengths in cells, so on a map with half as many cells per side, a hill with a radius
//! of 40 cells would be twice as wide. [`resize`] scales all these lengths. Erosion filters keep their parameters, because
//! they measure in meters, or work from coarse to fine maps themselves.

use lanternfell::{
    heightmap::{
        Filter, Generator, Operation, Parameters,
        parameter::{Bounds, Parameter, Value},
    },
    prelude::*,
};

/// The sizes that the panel offers, in cells along the longer side.
pub const SIZES: [u64; 5] = [128, 256, 512, 1024, 2048];

/// Number of cells along the longer side.
pub fn longer_side(size: MapSize) -> u64 {
    size.width().max(size.height()) as u64
}

/// Resizes the recipe's map to `cells` along its longer side. The extent in meters is kept if the recipe has a scale.
pub fn resize(recipe: &mut Recipe, cells: u64) {
    let before = longer_side(recipe.size);
    let side = |cells_before: usize| {
        let side = cells_before as u64 * cells / before;
        side.max(MapSize::MIN_SIDE.into())
    };
    let (width, height) = (side(recipe.size.width()), side(recipe.size.height()));
    let Ok(size) = MapSize::new(width, height) else {
        return;
    };
    recipe.size = size;
    if let Some(scale) = &mut recipe.scale {
        scale.spacing *= (before - 1) as f32 / (cells - 1) as f32;
    }
    let factor = cells as f64 / before as f64;
    for step in &mut recipe.steps {
        match &mut step.operation {
            Operation::Generate { by, .. } => resize_generator(by, factor),
            Operation::Filter { by, .. } => {
                let others = by.iter_mut().filter(|filter| !erodes(filter));
                others.for_each(|filter| lengthen(filter, factor));
            }
            Operation::Flat { .. }
            | Operation::Image { .. }
            | Operation::Blend { .. }
            | Operation::Select { .. } => {}
        }
    }
}

/// Adapts a generator to a map with `factor` times as many cells per side.
pub fn resize_generator(generator: &mut Generator, factor: f64) {
    lengthen(generator, factor);
    // The blur radius grows with the square root of the number of passes.
    if let Generator::Fluid(fluid) = generator {
        fluid.passes = (f64::from(fluid.passes) * factor * factor).max(1.0) as u32;
    }
}

fn erodes(filter: &Filter) -> bool {
    matches!(
        filter,
        Filter::HydraulicErosion(_)
            | Filter::ThermalErosion(_)
            | Filter::StreamPowerErosion(_)
            | Filter::GlacialErosion(_)
            | Filter::WindErosion(_)
    )
}

/// Multiplies every parameter with the unit "cells", within its bounds.
fn lengthen(owner: &mut impl Parameters, factor: f64) {
    let lengths = owner.parameters().iter();
    for parameter in lengths.filter(|parameter| parameter.unit == Some("cells")) {
        let longer = match owner.get(parameter.name) {
            Some(Value::Number(length)) => Value::Number(within(parameter, length * factor)),
            // Keep a positive whole length at 1 or more.
            Some(Value::Whole(length)) if length > 0 => {
                let longer = (f64::from(length) * factor).round().max(1.0);
                Value::Whole(within(parameter, longer) as u32)
            }
            _ => continue,
        };
        owner.put(parameter.name, &longer);
    }
}

fn within(parameter: &Parameter, length: f64) -> f64 {
    let ends = parameter.bounds.and_then(Bounds::ends);
    ends.map_or(length, |(least, most)| length.clamp(least, most))
}

#[cfg(test)]
mod tests {
    use lanternfell::heightmap::Preset;

    use super::*;

    #[test]
    fn every_preset_is_valid_at_every_size() {
        for preset in Preset::ALL {
            for cells in SIZES {
                let mut recipe = preset.recipe();
                resize(&mut recipe, cells);
                assert_eq!(longer_side(recipe.size), cells, "{}", preset.name);
                assert_eq!(recipe.validate(), Ok(()), "{} of {cells}", preset.name);
            }
        }
    }

    #[test]
    fn doubled_cells_double_lengths_and_keep_meters() {
        let volcano = Preset::find("volcano").unwrap().recipe();
        let mut large = volcano.clone();
        resize(&mut large, 2 * 768);
        let across = |recipe: &Recipe| recipe.scale().spacing * (recipe.size.width() - 1) as f32;
        assert!((across(&large) - across(&volcano)).abs() < 0.5);
        assert_eq!(large.scale().relief, volcano.scale().relief);
        let radius = |recipe: &Recipe| match recipe.ground_generator() {
            Some(Generator::Hills(hills)) => hills.radius_max,
            other => panic!("{other:?}"),
        };
        assert_eq!(radius(&large), 2.0 * radius(&volcano));
        resize(&mut large, 768);
        assert_eq!(radius(&large), radius(&volcano));
    }

    #[test]
    fn rectangular_map_keeps_aspect_ratio() {
        let size = MapSize::new(300, 100).unwrap();
        let mut recipe = Recipe::new(size, 1, FractalNoise::default());
        resize(&mut recipe, 600);
        assert_eq!((recipe.size.width(), recipe.size.height()), (600, 200));
    }
}
