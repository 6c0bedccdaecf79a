//! The source of a terrain: a recipe, a file, or a map in memory.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_heightmap::{ElevationModel, Heightmap, Recipe};

use crate::{file::TerrainFile, map::TerrainMap};

/// The source of a terrain: a recipe, a file, or a map in memory.
///
/// A [`Recipe`], a `Handle<TerrainFile>`, an [`ElevationModel`], a [`Heightmap`] and a
/// [`TerrainMap`] convert to it with `into()`.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub enum TerrainSource {
    /// A recipe. Its images are loaded by the `AssetServer`, with paths relative to the root of the
    /// assets.
    ///
    /// Reflection treats it as one opaque value, which scenes save and load.
    /// [`Recipe::to_ron`] writes it as readable text.
    Recipe(Recipe),
    /// A file of the `AssetServer`: a map in any format, or a recipe. Scenes save its path.
    File(Handle<TerrainFile>),
    /// A map in memory, optionally with [holes](TerrainMap::with_holes).
    ///
    /// Scenes cannot save it. Write [`TerrainSurface::elevation_model`](crate::TerrainSurface::elevation_model) to a file instead.
    Map(TerrainMap),
}

impl Default for TerrainSource {
    fn default() -> Self {
        Self::Recipe(Recipe::default())
    }
}

impl From<Recipe> for TerrainSource {
    fn from(recipe: Recipe) -> Self {
        Self::Recipe(recipe)
    }
}

impl From<Handle<TerrainFile>> for TerrainSource {
    fn from(file: Handle<TerrainFile>) -> Self {
        Self::File(file)
    }
}

impl From<TerrainMap> for TerrainSource {
    fn from(map: TerrainMap) -> Self {
        Self::Map(map)
    }
}

impl From<ElevationModel> for TerrainSource {
    fn from(model: ElevationModel) -> Self {
        TerrainMap::from(model).into()
    }
}

impl From<Heightmap> for TerrainSource {
    fn from(heights: Heightmap) -> Self {
        TerrainMap::from(heights).into()
    }
}

impl From<Arc<Heightmap>> for TerrainSource {
    fn from(heights: Arc<Heightmap>) -> Self {
        TerrainMap::from(heights).into()
    }
}
