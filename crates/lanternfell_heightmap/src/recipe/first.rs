//! Recipes of version 1: a list of layers, each laid on the ones below, and filters at the end.
//!
//! ```text
//! layer 0 ─ generator ─ filters ─┐
//! layer 1 ─ generator ─ filters ─┴ blend ─ … ─ normalize ─ filters ─ map
//! ```
//!
//! A recipe with one layer left its map as the generator made it; with several, the blend was
//! stretched to 0 to 1 before the recipe's own filters. Here they become steps that make the
//! same map: a layer's place in the list becomes its salt.

use serde::Deserialize;

use super::Operation;
use crate::{Blend, Filter, Generator, MapSize};

pub(super) const VERSION: u64 = 1;

/// The step of what was done to the blended map.
const SHAPED: &str = "shaped";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    #[expect(
        dead_code,
        reason = "it has been looked at, but has to be known as a field"
    )]
    version: u32,
    size: MapSize,
    #[serde(default)]
    seed: u64,
    layers: Vec<Layer>,
    #[serde(default)]
    filters: Vec<Filter>,
    #[serde(default)]
    sea_level: Option<f32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Layer {
    generator: Generator,
    #[serde(default)]
    blend: Blend,
    #[serde(default = "full_weight")]
    weight: f64,
    #[serde(default)]
    filters: Vec<Filter>,
}

fn full_weight() -> f64 {
    1.0
}

impl Recipe {
    pub(super) fn migrate(self) -> super::Recipe {
        let lowest_is_flattened = self.layers.first().is_some_and(Layer::is_flattened);
        let mut filters = self.filters;
        if self.layers.len() > 1 {
            filters.insert(0, Filter::Normalize);
        }
        let mut recipe = super::Recipe {
            seed: self.seed,
            sea_level: self.sea_level,
            steps: Vec::new(),
            ..super::Recipe::new(self.size, 0, Generator::default())
        };
        for (salt, layer) in (0..).zip(self.layers) {
            recipe = layer.put_on(recipe, salt);
        }
        if !recipe.steps.is_empty() && !filters.is_empty() {
            let of = recipe.result_name().to_owned();
            recipe = recipe.with_step(SHAPED, Operation::filter(of, filters));
        }
        if lowest_is_flattened {
            recipe.keep_the_sea_of_version_1();
        }
        recipe
    }
}

impl Layer {
    fn is_flattened(&self) -> bool {
        let flattens = |filter: &Filter| matches!(filter, Filter::Gamma(_));
        self.filters.iter().any(flattens)
    }

    /// The same recipe with this layer on top.
    fn put_on(self, mut recipe: super::Recipe, salt: u64) -> super::Recipe {
        let ground = recipe.steps.last().map(|step| step.name.clone());
        let mut layer = recipe.free_name(self.generator.name());
        let generate = Operation::Generate {
            by: self.generator,
            salt: Some(salt),
        };
        recipe = recipe.with_step(layer.clone(), generate);
        if !self.filters.is_empty() {
            let filter = Operation::filter(layer, self.filters);
            layer = recipe.free_name("filtered");
            recipe = recipe.with_step(layer.clone(), filter);
        }
        let Some(ground) = ground else {
            return recipe;
        };
        let name = recipe.free_name("blend");
        let blend = Operation::Blend {
            ground,
            layer,
            how: self.blend,
            weight: self.weight,
            mask: None,
        };
        recipe.with_step(name, blend)
    }
}

impl super::Recipe {
    /// The sea fell with the recipe's own flattening, and not with that of a layer.
    fn keep_the_sea_of_version_1(&mut self) {
        let flattened = self.trunk().into_iter().find(|step| step.name == SHAPED);
        let powers: Vec<f64> = flattened.map_or(vec![], |s| s.operation.powers().collect());
        if let (None, Some(generator)) = (self.sea_level, self.ground_generator())
            && !matches!(generator, Generator::Hills(_))
        {
            let level = f64::from(generator.sea_level());
            self.sea_level = Some(powers.into_iter().fold(level, libm::pow) as f32);
        }
    }
}
