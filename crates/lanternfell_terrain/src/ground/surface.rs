//! The finished surface of a terrain.

use std::sync::Arc;

use bevy::prelude::*;
use lanternfell_heightmap::{
    Canceled, ElevationModel, Heightmap, HoleMask, MapFrame, Progress, Recipe, RecipeError, Scale,
};
use lanternfell_surface::{HeightPyramid, Surface, inland_water::Waters};

use super::input::GroundInput;
use crate::{
    error::{TerrainError, Unmade},
    map::TerrainMap,
};

/// The finished surface of a terrain: its heightmap, scale and georeference.
///
/// The plugin inserts it on the terrain's entity when the terrain is complete. It is cheap to clone, because the map is
/// shared.
#[derive(Component, Debug, Clone)]
pub struct TerrainSurface {
    map: TerrainMap,
    /// The map without edits.
    base: TerrainMap,
    scale: Scale,
    origin: GroundInput,
    /// Speeds up ray casts.
    pyramid: Arc<HeightPyramid>,
}

impl TerrainSurface {
    /// `origin` is the input that the map was generated from, and `pyramid` belongs to the map.
    pub(crate) fn new(
        origin: GroundInput,
        map: TerrainMap,
        scale: Scale,
        pyramid: HeightPyramid,
    ) -> Self {
        let pyramid = Arc::new(pyramid);
        Self {
            base: map.clone(),
            map,
            scale,
            origin,
            pyramid,
        }
    }

    /// Sets the map without edits.
    pub(crate) fn with_base(self, base: TerrainMap) -> Self {
        Self { base, ..self }
    }

    /// Returns the map without edits if the input has identical heights and holes.
    pub(crate) fn map_for(&self, input: &GroundInput) -> Option<TerrainMap> {
        let same = self.origin.shares_heights_with(input);
        same.then(|| self.base.clone())
    }

    /// The heightmap, with heights from 0 to 1. [Edited](crate::TerrainEdits) heights can be outside of this range.
    pub fn map(&self) -> &Heightmap {
        self.map.heights()
    }

    /// The heights of the lowest and the highest point in meters, in the terrain's local space.
    pub fn height_range(&self) -> (f32, f32) {
        let (low, high) = self.pyramid.range();
        (low * self.scale.relief, high * self.scale.relief)
    }

    /// The holes of the terrain, or `None` if it has no hole mask. They are not rendered, have no collider, and are
    /// ignored by queries.
    pub fn holes(&self) -> Option<&HoleMask> {
        self.map.holes()
    }

    /// The rivers and lakes of the terrain, if it was spawned with
    /// [`Terrain::inland_water`](crate::Terrain::inland_water).
    pub fn waters(&self) -> Option<&Waters> {
        self.map.waters()
    }

    /// The recipe of the terrain, with the terrain's scale. `None` if the source is a map.
    ///
    /// Save it with [`Recipe::to_ron`] to generate the same terrain again. It does not contain
    /// [`TerrainEdits`](crate::TerrainEdits).
    pub fn recipe(&self) -> Option<&Recipe> {
        self.origin.recipe()
    }

    /// Generates the map of a step of the terrain's recipe, for example to use it as a mask. Returns `None` if there is
    /// no such step.
    ///
    /// The map covers the terrain, but may have another size. For a region of an endless terrain, it covers the region.
    ///
    /// Call this in a background task: the step and all its inputs are generated again.
    ///
    /// # Errors
    /// If the step cannot be generated on its own, or `progress` was canceled.
    pub async fn step(
        &self,
        name: &str,
        progress: &Progress,
    ) -> Result<Option<Heightmap>, TerrainError> {
        self.origin
            .step(name, progress)
            .await
            .map_err(|unmade| match unmade {
                Unmade::Canceled => RecipeError::Canceled(Canceled).into(),
                Unmade::Failed(error) => error,
            })
    }

    /// The frame of the map: how its heights and cells map to elevations and positions.
    pub fn frame(&self) -> &MapFrame {
        self.map.frame()
    }

    /// Returns a copy of the map with its metadata, to write it to a file with [`io::write`](lanternfell_io::write()).
    /// For large maps, call this in a background task.
    ///
    /// The copy contains [`TerrainEdits`](crate::TerrainEdits). If they leave the range from 0 to 1, formats for
    /// integers need [`WriteOptions::stretch`](lanternfell_io::WriteOptions::stretch).
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

    /// The surface in meters, in the terrain's local space, with its holes. It has all queries, including ray casts.
    pub fn surface(&self) -> Surface<'_> {
        let surface = Surface::new(self.map(), self.scale)
            .with_pyramid(&self.pyramid)
            .expect("the pyramid belongs to this map");
        match self.holes() {
            None => surface,
            Some(holes) => surface
                .with_holes(holes)
                .expect("the size of the holes is checked before generation"),
        }
    }

    /// The y of the sea level in meters, in the terrain's local space. [`Water::level`](crate::Water::level) overrides
    /// it.
    ///
    /// A recipe defines its sea level. The sea level of a map is, in this order: the level in its
    /// [`Scenery`](lanternfell_heightmap::Scenery); 0 m, if the map has elevations in meters and terrain below 0 m;
    /// slightly above its lowest point.
    pub fn water_level(&self) -> f32 {
        self.origin.sea_share(self.frame()) * self.scale.relief
    }
}
