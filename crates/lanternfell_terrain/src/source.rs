//! Where a terrain's ground comes from: a recipe, a file, or a map in hand.

use std::{fmt, sync::Arc};

use bevy::prelude::*;
use lanternfell_heightmap::{ElevationModel, Heightmap, MapFrame, MapSize, Recipe};

use crate::file::TerrainFile;

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
    /// A map in hand. Scenes can not save it; [`TerrainSurface::elevation_model`] goes into a file.
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

/// A map that is shared, and what its heights and cells stand for.
///
/// Cloning it is cheap. Two are equal when they share their heights: those themselves are not
/// compared.
#[derive(Reflect, Clone)]
#[reflect(opaque, Clone, Debug, PartialEq)]
pub struct TerrainMap {
    heights: Arc<Heightmap>,
    frame: MapFrame,
}

impl TerrainMap {
    /// These heights in this frame.
    pub fn new(heights: impl Into<Arc<Heightmap>>, frame: MapFrame) -> Self {
        let heights = heights.into();
        Self { heights, frame }
    }

    /// The heights, in the map's own unit.
    pub fn heights(&self) -> &Heightmap {
        &self.heights
    }

    /// What heights and cells stand for.
    pub fn frame(&self) -> &MapFrame {
        &self.frame
    }

    /// The width and height in cells.
    pub fn size(&self) -> MapSize {
        self.heights.size()
    }

    /// A copy of all of it, for [`io::write`](lanternfell_heightmap::io::write()) and to change.
    pub fn to_model(&self) -> ElevationModel {
        ElevationModel {
            heights: self.heights().clone(),
            frame: self.frame,
        }
    }

    /// The same heights in another frame.
    pub(crate) fn with_frame(&self, frame: MapFrame) -> Self {
        Self {
            heights: self.heights.clone(),
            frame,
        }
    }
}

impl PartialEq for TerrainMap {
    fn eq(&self, other: &Self) -> bool {
        // NaN is a usual number for "no height", and the same as itself here.
        let number = |frame: &MapFrame| frame.no_data.map(f64::to_bits);
        let rest = |frame: &MapFrame| MapFrame {
            no_data: None,
            ..*frame
        };
        Arc::ptr_eq(&self.heights, &other.heights)
            && number(&self.frame) == number(&other.frame)
            && rest(&self.frame) == rest(&other.frame)
    }
}

impl fmt::Debug for TerrainMap {
    /// Without its millions of heights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerrainMap")
            .field("size", &self.size())
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

impl From<ElevationModel> for TerrainMap {
    fn from(ElevationModel { heights, frame }: ElevationModel) -> Self {
        Self::new(heights, frame)
    }
}

impl From<Heightmap> for TerrainMap {
    /// Heights of which nothing is known: one metre from cell to cell, at the origin of no
    /// coordinate system. From 0 to 1 they are parts of a relief of 16 % of the longer side, and
    /// beyond they are metres.
    fn from(heights: Heightmap) -> Self {
        Arc::new(heights).into()
    }
}

impl From<Arc<Heightmap>> for TerrainMap {
    /// As a [`Heightmap`] of which nothing is known.
    fn from(heights: Arc<Heightmap>) -> Self {
        let frame = MapFrame::of_size(heights.size());
        Self::new(heights, frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_equal_when_they_share_their_heights() {
        let heights = Arc::new(Heightmap::flat(MapSize::default()));
        let map = TerrainMap::from(heights.clone());
        assert_eq!(map, TerrainMap::from(heights.clone()));
        assert_ne!(map, TerrainMap::from(heights.as_ref().clone()));
        let told = |no_data| {
            map.with_frame(MapFrame {
                no_data,
                ..*map.frame()
            })
        };
        assert_eq!(told(Some(f64::NAN)), told(Some(f64::NAN)));
        assert_ne!(told(Some(f64::NAN)), told(None));
        let placed = map.with_frame(MapFrame {
            place_is_said: true,
            ..*map.frame()
        });
        assert_ne!(map, placed);
    }

    #[test]
    fn what_is_printed_of_a_map_is_short() {
        let map = TerrainMap::from(Heightmap::flat(MapSize::default()));
        assert!(format!("{map:?}").len() < 1000);
    }
}
