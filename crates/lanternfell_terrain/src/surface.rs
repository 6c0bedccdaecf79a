//! The finished ground of a terrain: its map and scale.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_heightmap::{Heightmap, Recipe, Scale, surface::Surface};

/// On a terrain's entity once its ground is complete: the map and its scale.
///
/// Cloning it is cheap: the map is shared.
#[derive(Component, Debug, Clone)]
pub struct TerrainSurface {
    map: Arc<Heightmap>,
    scale: Scale,
    recipe: Recipe,
}

impl TerrainSurface {
    pub(crate) fn new(map: Arc<Heightmap>, scale: Scale, recipe: Recipe) -> Self {
        Self { map, scale, recipe }
    }

    /// Whether this recipe would give the very same map.
    pub(crate) fn made_by(&self, recipe: &Recipe) -> bool {
        let sea_level = self.recipe.sea_level;
        self.recipe
            == Recipe {
                sea_level,
                ..recipe.clone()
            }
    }

    pub(crate) fn shared_map(&self) -> Arc<Heightmap> {
        self.map.clone()
    }

    /// The heightmap, from 0 to 1.
    pub fn map(&self) -> &Heightmap {
        &self.map
    }

    /// The recipe that the map was made from.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The surface in metres, in the terrain's own frame.
    pub fn surface(&self) -> Surface<'_> {
        Surface::new(&self.map, self.scale)
    }

    /// The y of the sea's surface in metres, in the terrain's own frame, as the recipe has
    /// it; [`Water::level`](crate::Water::level) may say otherwise.
    pub fn water_level(&self) -> f32 {
        self.recipe.water_level() * self.scale.relief
    }
}
