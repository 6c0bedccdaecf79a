//! Where a terrain's ground comes from: a recipe, a file, or a map in hand.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_heightmap::{ElevationModel, Heightmap, Recipe};

use crate::{file::TerrainFile, map::TerrainMap};

/// Where a terrain's ground comes from.
///
/// All of it turns into one by `into()`: a [`Recipe`], a `Handle<TerrainFile>`, an
/// [`ElevationModel`] or a bare [`Heightmap`].
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Default, Clone, PartialEq)]
pub enum TerrainSource {
    /// A recipe. To reflection it is one value, which scenes save and load whole;
    /// [`Recipe::to_ron`] writes it as text for people. Its images are files of the
    /// `AssetServer`, found from the root of the assets.
    Recipe(Recipe),
    /// A file of the `AssetServer`: a map in any format, or a recipe. Scenes save its path.
    File(Handle<TerrainFile>),
    /// A map in hand, also with [holes](TerrainMap::with_holes). Scenes can not save it;
    /// [`TerrainSurface::elevation_model`] goes into a file.
    ///
    /// [`TerrainSurface::elevation_model`]: crate::TerrainSurface::elevation_model
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
