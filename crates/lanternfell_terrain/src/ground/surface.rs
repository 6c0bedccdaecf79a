//! The finished ground of a terrain: its map and scale.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_heightmap::{
    Cancelled, ElevationModel, Heightmap, HoleMask, MapFrame, Progress, Recipe, RecipeError, Scale,
};
use lanternfell_surface::{HeightPyramid, Surface, inland_water::Waters};

use super::input::GroundInput;
use crate::{
    error::{TerrainError, Unmade},
    map::TerrainMap,
};

/// On a terrain's entity once its ground is complete: the map and its scale.
///
/// Cloning it is cheap: the map is shared.
#[derive(Component, Debug, Clone)]
pub struct TerrainSurface {
    map: TerrainMap,
    scale: Scale,
    origin: GroundInput,
    /// What makes rays fast.
    pyramid: Arc<HeightPyramid>,
}

impl TerrainSurface {
    /// The ground that this map is at that scale; it was made of `origin`, and the pyramid is the map's.
    pub(crate) fn new(
        origin: GroundInput,
        map: TerrainMap,
        scale: Scale,
        pyramid: HeightPyramid,
    ) -> Self {
        let pyramid = Arc::new(pyramid);
        Self {
            map,
            scale,
            origin,
            pyramid,
        }
    }

    /// The map, if ground of that input has the very same heights.
    pub(crate) fn map_for(&self, input: &GroundInput) -> Option<TerrainMap> {
        let same = self.origin.shares_heights_with(input);
        same.then(|| self.map.clone())
    }

    /// The heightmap, from 0 to 1.
    pub fn map(&self) -> &Heightmap {
        self.map.heights()
    }

    /// The holes in the ground, if there may be any: squares that are not drawn, met by nothing and stood on by
    /// nobody.
    pub fn holes(&self) -> Option<&HoleMask> {
        self.map.holes()
    }

    /// Its rivers and lakes, if it [was to have some](crate::Terrain::inland_water).
    pub fn waters(&self) -> Option<&Waters> {
        self.map.waters()
    }

    /// The recipe that the map was made from, at the scale of the terrain; `None` of a map that was
    /// read or given. [`Recipe::to_ron`] of it makes the same land again.
    pub fn recipe(&self) -> Option<&Recipe> {
        self.origin.recipe()
    }

    /// The map of that step of the recipe that the ground is made of, if it has one; of a window of endless land the
    /// same part of it. It lies over the land, and may have another size. In a background task: what the step is made
    /// of is made again.
    ///
    /// # Errors
    /// When the step can not be made alone, or `progress` was cancelled.
    pub async fn step(
        &self,
        name: &str,
        progress: &Progress,
    ) -> Result<Option<Heightmap>, TerrainError> {
        self.origin
            .step(name, progress)
            .await
            .map_err(|unmade| match unmade {
                Unmade::Cancelled => RecipeError::Cancelled(Cancelled).into(),
                Unmade::Failed(error) => error,
            })
    }

    /// What the heights of the map and its cells stand for in the world.
    pub fn frame(&self) -> &MapFrame {
        self.map.frame()
    }

    /// A copy of the map and of what is known about it, to be written to a file by
    /// [`io::write`](lanternfell_io::write()). Take it in a background task where the map
    /// is large.
    ///
    /// ```
    /// use lanternfell_terrain::{
    ///     TerrainSurface,
    ///     io::{self, Format, WriteOptions},
    /// };
    ///
    /// fn as_grid(ground: &TerrainSurface) -> Result<Vec<u8>, io::ExportError> {
    ///     let (mut file, options) = (Vec::new(), WriteOptions::default());
    ///     let model = ground.elevation_model();
    ///     io::write(&model, Format::Ascii, &options, &mut file, &Default::default())?;
    ///     Ok(file)
    /// }
    /// ```
    pub fn elevation_model(&self) -> ElevationModel {
        self.map.to_model()
    }

    /// The surface in metres, in the terrain's own frame, with its holes: all that can be asked of it, rays too.
    pub fn surface(&self) -> Surface<'_> {
        let surface = Surface::new(self.map(), self.scale)
            .with_pyramid(&self.pyramid)
            .expect("the pyramid is of this map");
        match self.holes() {
            None => surface,
            Some(holes) => surface
                .with_holes(holes)
                .expect("holes are checked before ground is made"),
        }
    }

    /// The y of the sea's surface in metres, in the terrain's own frame, as the recipe has
    /// it; [`Water::level`](crate::Water::level) may say otherwise.
    ///
    /// Of a map that was read or given it is where [that says](lanternfell_heightmap::Scenery), or that of 0 m, if the
    /// map tells metres and has ground below that, and else slightly above its lowest ground.
    pub fn water_level(&self) -> f32 {
        self.origin.sea_share(self.frame()) * self.scale.relief
    }
}
