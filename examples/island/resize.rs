//! The same land in more or fewer cells.
//!
//! Generators and filters know lengths in cells: a hill of 40 is twice as wide on half a map. So
//! lengths change with the cells, and the land keeps its shape. Erosion is left as it is: it goes by
//! metres, or works its way up from coarser maps by itself.

use lanternfell::{
    heightmap::{
        Parameters,
        parameter::{Bounds, Parameter, Value},
    },
    prelude::*,
};

/// The sizes that the panel offers, in cells along the longer side.
pub const SIZES: [u64; 5] = [128, 256, 512, 1024, 2048];

/// Cells along the longer side.
pub fn longer_side(size: MapSize) -> u64 {
    size.width().max(size.height()) as u64
}

/// Makes the recipe's map so many cells long. Metres across stay, if the recipe tells any.
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

/// Makes a generator fit a map of so many times as many cells along each side.
pub fn resize_generator(generator: &mut Generator, factor: f64) {
    lengthen(generator, factor);
    // Passes blur by the root of their number.
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

/// Multiplies every length that is told in cells, as far as it may go.
fn lengthen(owner: &mut impl Parameters, factor: f64) {
    let lengths = owner.parameters().iter();
    for parameter in lengths.filter(|parameter| parameter.unit == Some("cells")) {
        let longer = match owner.get(parameter.name) {
            Some(Value::Number(length)) => Value::Number(within(parameter, length * factor)),
            // What was more than nothing stays so.
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
    fn twice_the_cells_are_twice_the_lengths_on_the_same_metres() {
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
    fn a_map_that_is_not_square_keeps_its_shape() {
        let size = MapSize::new(300, 100).unwrap();
        let mut recipe = Recipe::new(size, 1, FractalNoise::default());
        resize(&mut recipe, 600);
        assert_eq!((recipe.size.width(), recipe.size.height()), (600, 200));
    }
}
