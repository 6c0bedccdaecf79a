//! A map that is shared, and what its heights and cells stand for.

use std::{fmt, sync::Arc};

use bevy::{prelude::*, tasks::BoxedFuture};
use lanternfell_heightmap::{ElevationModel, Heightmap, HoleMask, MapFrame, MapSize, Progress};
use lanternfell_surface::inland_water::Waters;

use crate::error::Unmade;

/// The larger world that a [`TerrainMap`] is a part of. The map has only the heights of the finished ground: the
/// other steps of the recipe are made on demand.
pub(crate) trait WholeMap: fmt::Debug + Send + Sync {
    /// The heights of the recipe's step of that name on the cells of the map; `None` without such a step.
    fn step<'a>(
        &'a self,
        name: &'a str,
        progress: &'a Progress,
    ) -> BoxedFuture<'a, Result<Option<Heightmap>, Unmade>>;
}

/// A map that is shared, and what its heights and cells stand for.
///
/// Cloning it is cheap. Two are equal when they share their heights and their holes: those themselves
/// are not compared.
#[derive(Reflect, Clone)]
#[reflect(opaque, Clone, Debug, PartialEq)]
pub struct TerrainMap {
    heights: Arc<Heightmap>,
    frame: MapFrame,
    holes: Option<Arc<HoleMask>>,
    /// Rivers and lakes, whose beds are in its heights.
    waters: Option<Arc<Waters>>,
    /// The larger world that it is a part of.
    whole: Option<Arc<dyn WholeMap>>,
}

impl TerrainMap {
    /// These heights in this frame.
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

    /// The same map, known to be a part of a larger world.
    pub(crate) fn part_of(self, whole: impl WholeMap + 'static) -> Self {
        let whole: Option<Arc<dyn WholeMap>> = Some(Arc::new(whole));
        Self { whole, ..self }
    }

    /// The larger world that it is a part of.
    pub(crate) fn whole(&self) -> Option<&dyn WholeMap> {
        self.whole.as_deref()
    }

    /// The same map with holes in its ground: the squares of the mask are not drawn, met by nothing, and
    /// nobody stands on them. A mask of a map of another size is refused when the terrain is made, and by
    /// [`Terrain::validate`](crate::Terrain::validate).
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
    pub fn with_holes(self, holes: impl Into<Arc<HoleMask>>) -> Self {
        let holes = Some(holes.into());
        Self { holes, ..self }
    }

    /// The heights, in the map's own unit.
    pub fn heights(&self) -> &Heightmap {
        &self.heights
    }

    /// What heights and cells stand for.
    pub fn frame(&self) -> &MapFrame {
        &self.frame
    }

    /// The holes in its ground, if there may be any.
    pub fn holes(&self) -> Option<&HoleMask> {
        self.holes.as_deref()
    }

    /// Rivers and lakes, whose beds are in its heights.
    pub(crate) fn waters(&self) -> Option<&Waters> {
        self.waters.as_deref()
    }

    /// The same map with these rivers and lakes, whose beds are in its heights.
    pub(crate) fn with_waters(self, waters: impl Into<Arc<Waters>>) -> Self {
        let waters = Some(waters.into());
        Self { waters, ..self }
    }

    /// The same map, of which nobody knows where its rivers and lakes are.
    #[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
    pub(crate) fn without_waters(&self) -> Self {
        Self {
            waters: None,
            ..self.clone()
        }
    }

    /// The same map with other heights.
    pub(crate) fn with_heights(&self, heights: Heightmap) -> Self {
        Self {
            heights: Arc::new(heights),
            ..self.clone()
        }
    }

    /// The width and height in cells.
    pub fn size(&self) -> MapSize {
        self.heights.size()
    }

    /// A copy of it, for [`io::write`](lanternfell_io::write()) and to change; without its holes,
    /// which no file format of maps knows.
    pub fn to_model(&self) -> ElevationModel {
        ElevationModel {
            heights: self.heights().clone(),
            frame: self.frame,
        }
    }

    /// Whether both have the very same heights, in memory.
    #[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
    pub(crate) fn shares_heights_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.heights, &other.heights)
    }

    /// The same heights and holes in another frame.
    pub(crate) fn with_frame(&self, frame: MapFrame) -> Self {
        Self {
            frame,
            ..self.clone()
        }
    }

    /// The same map with the holes of another one of the same ground, which may have another size.
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
        // NaN is a usual number for "no height", and the same as itself here.
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
    /// Without its millions of heights.
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

/// Brings heights to 0 to 1, in place. The metres stay.
pub(crate) fn stretch(map: &mut ElevationModel) {
    if !is_stretched(map.heights.range()) {
        let unstoppable = Progress::default();
        map.normalize(&unstoppable).expect("nobody can stop it");
    }
}

/// Whether heights of that range need no stretching.
pub(crate) fn is_stretched((low, high): (f32, f32)) -> bool {
    low >= 0.0 && high <= 1.0
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
        let mask = Arc::new(HoleMask::none(map.size()));
        let open = map.clone().with_holes(mask.clone());
        assert_eq!(open, map.clone().with_holes(mask.clone()));
        assert_ne!(open, map);
        assert_ne!(open, map.clone().with_holes(mask.as_ref().clone()));
        assert_eq!(open.with_frame(*map.frame()), open);
    }

    #[test]
    fn holes_come_along_to_a_map_of_another_size() {
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
    fn what_is_printed_of_a_map_is_short() {
        let map = TerrainMap::from(Heightmap::flat(MapSize::default()));
        assert!(format!("{map:?}").len() < 1000);
    }
}
