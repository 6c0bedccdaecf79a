//! A shared heightmap with its frame, holes and waters.

use std::{fmt, sync::Arc};

use bevy::{prelude::*, tasks::BoxedFuture};
use lanternfell_heightmap::{ElevationModel, Heightmap, HoleMask, MapFrame, MapSize, Progress};
use lanternfell_surface::inland_water::Waters;

use crate::error::Unmade;

/// The larger world that a [`TerrainMap`] is a part of. The map only contains the finished heights. The other steps of
/// the recipe are generated on demand.
pub(crate) trait WholeMap: fmt::Debug + Send + Sync {
    /// Returns the map of the recipe's step with this name, on the cells of the map, or `None` if there is no such
    /// step.
    fn step<'a>(
        &'a self,
        name: &'a str,
        progress: &'a Progress,
    ) -> BoxedFuture<'a, Result<Option<Heightmap>, Unmade>>;
}

/// A heightmap in memory with its frame (elevations and georeference) and optional holes.
///
/// It is cheap to clone, because the heights are shared. Two maps are equal if they share the same heights and holes in
/// memory; the values are not compared.
#[derive(Reflect, Clone)]
#[reflect(opaque, Clone, Debug, PartialEq)]
pub struct TerrainMap {
    heights: Arc<Heightmap>,
    frame: MapFrame,
    holes: Option<Arc<HoleMask>>,
    /// The rivers and lakes, whose beds are carved into the heights.
    waters: Option<Arc<Waters>>,
    /// The larger world that the map is a part of.
    whole: Option<Arc<dyn WholeMap>>,
}

impl TerrainMap {
    /// Creates a map without holes.
    pub fn new(heights: impl Into<Arc<Heightmap>>, frame: MapFrame) -> Self {
        let heights = heights.into();
        Self {
            heights,
            frame,
            holes: None,
            waters: None,
            whole: None,
        }
    }

    /// Makes the map a part of a larger world.
    pub(crate) fn part_of(self, whole: impl WholeMap + 'static) -> Self {
        let whole: Option<Arc<dyn WholeMap>> = Some(Arc::new(whole));
        Self { whole, ..self }
    }

    /// The larger world that the map is a part of.
    pub(crate) fn whole(&self) -> Option<&dyn WholeMap> {
        self.whole.as_deref()
    }

    /// Adds holes. The squares of the mask are not rendered, have no collider, and are ignored by queries.
    ///
    /// If the mask has another size than the map, generation fails, and [`Terrain::validate`](crate::Terrain::validate)
    /// returns an error.
    ///
    /// ```
    /// use bevy::math::Vec2;
    /// use lanternfell_terrain::{heightmap::HoleMask, prelude::*};
    ///
    /// let heights = Heightmap::flat(MapSize::default());
    /// let mut holes = HoleMask::none(heights.size());
    /// holes.set_disc(Vec2::new(40.0, 60.0), 5.0, true);
    /// let terrain = Terrain::new(TerrainMap::from(heights).with_holes(holes));
    /// assert_eq!(terrain.validate(), Ok(()));
    /// ```
    #[must_use]
    pub fn with_holes(self, holes: impl Into<Arc<HoleMask>>) -> Self {
        let holes = Some(holes.into());
        Self { holes, ..self }
    }

    /// The heights, in the map's own unit.
    pub fn heights(&self) -> &Heightmap {
        &self.heights
    }

    /// The heights, to share them.
    pub(crate) fn shared_heights(&self) -> &Arc<Heightmap> {
        &self.heights
    }

    /// The frame: how heights and cells map to elevations and positions.
    pub fn frame(&self) -> &MapFrame {
        &self.frame
    }

    /// The holes, or `None` if there is no mask.
    pub fn holes(&self) -> Option<&HoleMask> {
        self.holes.as_deref()
    }

    /// The rivers and lakes, whose beds are carved into the heights.
    pub(crate) fn waters(&self) -> Option<&Waters> {
        self.waters.as_deref()
    }

    /// Sets the rivers and lakes, whose beds are carved into the heights already.
    pub(crate) fn with_waters(self, waters: impl Into<Arc<Waters>>) -> Self {
        let waters = Some(waters.into());
        Self { waters, ..self }
    }

    /// Whether both maps share their rivers and lakes in memory, or have none.
    pub(crate) fn shares_waters_with(&self, other: &Self) -> bool {
        let waters = |map: &Self| map.waters.as_ref().map(Arc::as_ptr);
        waters(self) == waters(other)
    }

    /// Returns the map with the rivers and lakes of another map.
    pub(crate) fn with_waters_of(self, other: &Self) -> Self {
        let waters = other.waters.clone();
        Self { waters, ..self }
    }

    /// Returns the map without its rivers and lakes. Their beds stay in the heights.
    #[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
    pub(crate) fn without_waters(&self) -> Self {
        Self {
            waters: None,
            ..self.clone()
        }
    }

    /// Whether nobody else uses the heights.
    pub(crate) fn is_unshared(&self) -> bool {
        Arc::strong_count(&self.heights) == 1
    }

    /// The heights, without keeping the map.
    pub(crate) fn into_shared_heights(self) -> Arc<Heightmap> {
        self.heights
    }

    /// Returns the map with other heights.
    pub(crate) fn with_heights(&self, heights: impl Into<Arc<Heightmap>>) -> Self {
        Self {
            heights: heights.into(),
            ..self.clone()
        }
    }

    /// The width and height in cells.
    pub fn size(&self) -> MapSize {
        self.heights.size()
    }

    /// Returns a copy of the map that can be changed, or written with [`io::write`](lanternfell_io::write()). It has no
    /// holes, because heightmap formats do not support them.
    pub fn to_model(&self) -> ElevationModel {
        ElevationModel {
            heights: self.heights().clone(),
            frame: self.frame,
        }
    }

    /// Whether both maps share their heights in memory.
    #[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
    pub(crate) fn shares_heights_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.heights, &other.heights)
    }

    /// Returns the map with another frame.
    pub(crate) fn with_frame(&self, frame: MapFrame) -> Self {
        Self {
            frame,
            ..self.clone()
        }
    }

    /// Returns the map with the holes of another map of the same area. They are resampled if the sizes differ.
    pub(crate) fn with_holes_of(self, other: &Self) -> Self {
        let size = self.size();
        let holes = other.holes.as_ref().map(|holes| {
            if holes.size() == size {
                holes.clone()
            } else {
                Arc::new(holes.resampled(size))
            }
        });
        Self { holes, ..self }
    }
}

impl PartialEq for TerrainMap {
    fn eq(&self, other: &Self) -> bool {
        // NaN is a common value for "no height", so it counts as equal to itself here.
        let number = |frame: &MapFrame| frame.no_data.map(f64::to_bits);
        let rest = |frame: &MapFrame| MapFrame {
            no_data: None,
            ..*frame
        };
        let holes = |map: &Self| map.holes.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.heights, &other.heights)
            && holes(self) == holes(other)
            && number(&self.frame) == number(&other.frame)
            && rest(&self.frame) == rest(&other.frame)
    }
}

impl fmt::Debug for TerrainMap {
    /// Omits the heights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerrainMap")
            .field("size", &self.size())
            .field("frame", &self.frame)
            .field("holes", &self.holes().map(HoleMask::count))
            .finish_non_exhaustive()
    }
}

impl From<ElevationModel> for TerrainMap {
    fn from(ElevationModel { heights, frame }: ElevationModel) -> Self {
        Self::new(heights, frame)
    }
}

impl From<Heightmap> for TerrainMap {
    /// Assumes a spacing of 1 m, without a georeference. Heights from 0 to 1 get a relief of 16% of the longer side.
    /// Other heights are in meters.
    fn from(heights: Heightmap) -> Self {
        Arc::new(heights).into()
    }
}

impl From<Arc<Heightmap>> for TerrainMap {
    /// See the conversion from [`Heightmap`].
    fn from(heights: Arc<Heightmap>) -> Self {
        let frame = MapFrame::of_size(heights.size());
        Self::new(heights, frame)
    }
}

/// Normalizes heights to 0 to 1 in place, and keeps the size in meters.
pub(crate) fn stretch(map: &mut ElevationModel) {
    if !is_stretched(map.heights.range()) {
        let unstoppable = Progress::default();
        map.normalize(&unstoppable).expect("never canceled");
    }
}

/// Whether heights in this range need no normalization.
pub(crate) fn is_stretched((low, high): (f32, f32)) -> bool {
    low >= 0.0 && high <= 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_equal_if_they_share_heights() {
        let heights = Arc::new(Heightmap::flat(MapSize::default()));
        let map = TerrainMap::from(heights.clone());
        assert_eq!(map, TerrainMap::from(heights.clone()));
        assert_ne!(map, TerrainMap::from(heights.as_ref().clone()));
        let with_no_data = |no_data| {
            map.with_frame(MapFrame {
                no_data,
                ..*map.frame()
            })
        };
        assert_eq!(with_no_data(Some(f64::NAN)), with_no_data(Some(f64::NAN)));
        assert_ne!(with_no_data(Some(f64::NAN)), with_no_data(None));
        let placed = map.with_frame(MapFrame {
            place_is_explicit: true,
            ..*map.frame()
        });
        assert_ne!(map, placed);
        let mask = Arc::new(HoleMask::none(map.size()));
        let open = map.clone().with_holes(mask.clone());
        assert_eq!(open, map.clone().with_holes(mask.clone()));
        assert_ne!(open, map);
        assert_ne!(open, map.clone().with_holes(mask.as_ref().clone()));
        assert_eq!(open.with_frame(*map.frame()), open);
    }

    #[test]
    fn holes_are_resampled_to_another_size() {
        let map = |width, height| {
            let size = MapSize::new(width, height).unwrap();
            TerrainMap::from(Heightmap::flat(size))
        };
        let mask = HoleMask::from_fn(map(11, 6).size(), |column, _| column < 4);
        let open = map(11, 6).with_holes(mask);
        let same = map(11, 6).with_holes_of(&open);
        assert!(Arc::ptr_eq(
            same.holes.as_ref().unwrap(),
            open.holes.as_ref().unwrap()
        ));
        let finer = map(21, 6).with_holes_of(&open);
        let expected = HoleMask::from_fn(finer.size(), |column, _| column < 8);
        assert_eq!(finer.holes(), Some(&expected));
        assert_eq!(map(21, 6).with_holes_of(&map(11, 6)).holes(), None);
    }

    #[test]
    fn debug_output_is_short() {
        let map = TerrainMap::from(Heightmap::flat(MapSize::default()));
        assert!(format!("{map:?}").len() < 1000);
    }
}
