//! The component that asks for a terrain, and the events that answer it.

use bevy::prelude::*;
use lanternfell_heightmap::{Recipe, RecipeError, Scale};
use thiserror::Error;

use crate::{colors::TerrainColors, detail::TerrainDetail, water::Water};

/// A terrain to be made at this entity.
///
/// The land lies centered on the entity's [`Transform`], x to the east, z to the south, and
/// height 0 of the map at y = 0. Chunks, water and collider follow the transform. Turn it
/// about the y axis only, and scale it evenly: up stays up.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(Transform, Visibility, TerrainColors, TerrainDetail, Water)]
pub struct Terrain {
    /// What the heightmap is made of. To reflection it is one value, which scenes save and load
    /// whole; [`Recipe::to_ron`] writes it as text for people.
    pub recipe: Recipe,
    /// Metres from one cell to the next; 1 by default.
    pub spacing: f32,
    /// Metres from the lowest to the highest point of the map.
    pub relief: f32,
}

impl Terrain {
    /// The terrain of this recipe, at its scale: if it says none, one metre from cell to cell,
    /// and as high as a map of its size looks good with (16 % of its longer side).
    pub fn new(recipe: Recipe) -> Self {
        let Scale { spacing, relief } = recipe.scale();
        Self {
            recipe,
            spacing,
            relief,
        }
    }

    /// The most cells that a terrain may have: 4096 by 4096, whose meshes take about a
    /// gigabyte at all levels of detail.
    pub const MAX_CELLS: usize = 4096 * 4096;
    /// The most metres that spacing and relief may be: beyond, `f32` gets too coarse.
    pub const MAX_SCALE: f32 = Scale::MAX;

    /// Checks the recipe, the scale and the size.
    pub fn validate(&self) -> Result<(), TerrainError> {
        for (name, value) in [("spacing", self.spacing), ("relief", self.relief)] {
            // Written so that NaN fails too.
            if !(value > 0.0 && value <= Self::MAX_SCALE) {
                return Err(TerrainError::Scale { name, value });
            }
        }
        let cells = self.recipe.size.cells();
        if cells > Self::MAX_CELLS {
            return Err(TerrainError::Size { cells });
        }
        Ok(self.recipe.validate()?)
    }
}

impl Default for Terrain {
    fn default() -> Self {
        Self::new(Recipe::default())
    }
}

/// Queues `work` on a terrain's entity. It is not done when by then somebody else's command
/// has taken away the entity or its [`Terrain`].
pub(crate) fn with_terrain(
    commands: &mut Commands,
    terrain: Entity,
    work: impl FnOnce(EntityWorldMut) + Send + 'static,
) {
    commands.queue(move |world: &mut World| {
        if let Ok(entity) = world.get_entity_mut(terrain)
            && entity.contains::<Terrain>()
        {
            work(entity);
        }
    });
}

/// Why a terrain was not made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TerrainError {
    /// The recipe can not be used.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The scale is no scale.
    #[error(
        "terrain: {name} is {value}, but must be above 0 and at most {max} metres",
        max = Terrain::MAX_SCALE
    )]
    Scale {
        /// `spacing` or `relief`.
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// The map has too many cells to be drawn as one terrain.
    #[error("terrain: the recipe's size has {cells} cells, but must have at most {max}", max = Terrain::MAX_CELLS)]
    Size {
        /// How many it has.
        cells: usize,
    },
}

/// Triggered on a [`Terrain`]'s entity when its new ground is complete: shown, and with its
/// [`TerrainSurface`](crate::TerrainSurface) and collider in place.
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerrainReady {
    /// The entity of the [`Terrain`].
    pub entity: Entity,
}

/// Triggered on a [`Terrain`]'s entity when it can not be made. The old ground stays.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
pub struct TerrainFailed {
    /// The entity of the [`Terrain`].
    pub entity: Entity,
    /// What is wrong, and what is allowed.
    pub error: TerrainError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_that_is_none_is_refused_by_name() {
        for (spacing, relief) in [
            (0.0, 1.0),
            (1.0, -2.0),
            (f32::NAN, 1.0),
            (1.0, f32::INFINITY),
        ] {
            let terrain = Terrain {
                spacing,
                relief,
                ..default()
            };
            let error = terrain.validate().unwrap_err().to_string();
            assert!(
                error.contains("spacing") != error.contains("relief"),
                "{error}"
            );
        }
        assert_eq!(Terrain::default().validate(), Ok(()));
    }

    #[test]
    fn a_map_that_no_memory_holds_is_refused() {
        let mut terrain = Terrain::default();
        terrain.recipe.size = lanternfell_heightmap::MapSize::new(16_384, 16_384).unwrap();
        let error = terrain.validate().unwrap_err().to_string();
        assert!(error.contains("at most 16777216"), "{error}");
    }
}
