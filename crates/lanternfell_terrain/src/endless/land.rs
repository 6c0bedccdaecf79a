//! The sources of regions: a plane that is generated, or tiles that are read.

use std::{fmt, sync::Arc};

#[cfg(not(target_arch = "wasm32"))]
use bevy::tasks::block_on;
use bevy::{prelude::*, tasks::BoxedFuture};
use lanternfell_heightmap::{
    GeoReference, Heightmap, MapFrame, MapRegion, MapSize, Plane, Progress, Scale, TileError,
};
use lanternfell_io::tiles::{TileLayout, TileMosaic};
use lanternfell_tasks::pause;

#[cfg(feature = "disk-cache")]
use super::cache::Cache;
use super::plane_work::PlaneWork;

use crate::{
    background,
    cells::CellArea,
    error::{TerrainError, TerrainFileError, Unmade},
    file::TerrainTiles,
    ground::recipe_of_step,
    map::WholeMap,
    region::TerrainRegion,
};

/// The source of heights.
pub(super) enum Land {
    Plane {
        plane: Arc<Plane>,
        /// The disk cache for generated blocks.
        #[cfg(feature = "disk-cache")]
        cache: Option<Cache>,
    },
    Tiles {
        tiles: TerrainTiles,
        server: AssetServer,
    },
}

/// The source of a region. On the region's entity.
#[derive(Component, Clone)]
pub(super) struct RegionLand(pub(super) Arc<Land>);

impl PartialEq for RegionLand {
    /// Compares by identity.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for RegionLand {
    /// Prints the name only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RegionLand").finish_non_exhaustive()
    }
}

/// A region as a part of its source, which can generate other steps of the recipe for the same area.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RegionPart {
    land: RegionLand,
    area: CellArea,
}

impl RegionPart {
    pub(super) fn new(region: &TerrainRegion, land: &RegionLand) -> Self {
        Self {
            land: land.clone(),
            area: region.area(),
        }
    }
}

impl WholeMap for RegionPart {
    fn step<'a>(
        &'a self,
        name: &'a str,
        progress: &'a Progress,
    ) -> BoxedFuture<'a, Result<Option<Heightmap>, Unmade>> {
        Box::pin(async move {
            let Land::Plane { plane, .. } = &*self.land.0 else {
                return Ok(None);
            };
            let Some(of_step) = recipe_of_step(plane.recipe(), name) else {
                return Ok(None);
            };
            let plane = of_step.plane()?.into();
            of_plane(plane, &self.area, progress).await.map(Some)
        })
    }
}

impl Land {
    pub(super) fn scale(&self) -> Scale {
        match self {
            Self::Plane { plane, .. } => plane.scale(),
            Self::Tiles { tiles, .. } => tiles.layout().recipe().scale(),
        }
    }

    /// The frame of an area's map: its scale and its place. Cell (0, 0) of a plane is at easting and northing 0. A
    /// world of tiles has the place given by its recipe.
    pub(super) fn frame(&self, area: &CellArea) -> MapFrame {
        let region = || region_of(area, self.tiles()?.size());
        if let Some(frame) = region().and_then(|region| self.tiles()?.frame_of(region)) {
            return frame;
        }
        let frame = MapFrame::of_scale(self.scale(), true);
        let [cell, _] = frame.place.cell;
        let corner = [area.min.x as f64 - 0.5, -(area.max.y as f64) - 0.5];
        MapFrame {
            place: GeoReference::at(corner.map(|cells| cells * cell), cell),
            ..frame
        }
    }

    fn tiles(&self) -> Option<&TileLayout> {
        match self {
            Self::Plane { .. } => None,
            Self::Tiles { tiles, .. } => Some(tiles.layout()),
        }
    }

    /// The water level as a height of the map.
    pub(super) fn water_level(&self) -> f32 {
        match self {
            Self::Plane { plane, .. } => plane.water_level(),
            Self::Tiles { tiles, .. } => tiles.layout().recipe().water_level(),
        }
    }

    /// All cells of the source, or `None` if it is endless.
    pub(super) fn bounds(&self) -> Option<CellArea> {
        Some(CellArea::of_map(self.tiles()?.size()))
    }

    /// Whether both are the same folder of tiles, loaded at the same time.
    pub(super) fn has_tiles_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tiles { tiles, .. }, Self::Tiles { tiles: others, .. }) => tiles.is(others),
            _ => false,
        }
    }

    /// Returns the heights of an area, which must be inside the bounds.
    pub(super) async fn heights(
        &self,
        area: &CellArea,
        progress: &Progress,
    ) -> Result<Heightmap, Unmade> {
        match self {
            #[cfg(feature = "disk-cache")]
            Self::Plane {
                plane,
                cache: Some(cache),
            } => Ok(cache.heights(plane, area, progress)?),
            Self::Plane { plane, .. } => of_plane(plane.clone(), area, progress).await,
            Self::Tiles { tiles, server } => of_tiles(tiles, server, area, progress).await,
        }
    }
}

impl Land {
    /// Returns the heights of an area at once. `None` if they cannot be generated or read.
    pub(super) fn heights_now(&self, area: &CellArea) -> Option<Heightmap> {
        let progress = Progress::default();
        match self {
            Self::Plane { plane, .. } => {
                let origin = (area.min.x, area.min.y);
                plane.part(origin, area.size()?, &progress).ok()
            }
            #[cfg(not(target_arch = "wasm32"))]
            Self::Tiles { tiles, server } => {
                block_on(of_tiles(tiles, server, area, &progress)).ok()
            }
            // Blocking on a file would deadlock, because the browser finishes reading on this thread.
            #[cfg(target_arch = "wasm32")]
            Self::Tiles { .. } => None,
        }
    }
}

/// The heights of an area of a plane, generated by a worker if there is one.
async fn of_plane(
    plane: Arc<Plane>,
    area: &CellArea,
    progress: &Progress,
) -> Result<Heightmap, Unmade> {
    let work = PlaneWork {
        plane,
        origin: (area.min.x, area.min.y),
        size: area.size().ok_or(TileError::Outside)?,
    };
    background::make(work, progress).await
}

async fn of_tiles(
    tiles: &TerrainTiles,
    server: &AssetServer,
    area: &CellArea,
    progress: &Progress,
) -> Result<Heightmap, Unmade> {
    let layout = tiles.layout();
    let region = region_of(area, layout.size()).ok_or(TileError::Outside)?;
    let mosaic = |error: lanternfell_io::tiles::MosaicError| {
        let path = "a folder of tiles".to_owned();
        let error = TerrainFileError::Read(error.to_string());
        Unmade::Failed(TerrainError::File { path, error })
    };
    let mut parts = TileMosaic::new(region).map_err(mosaic)?;
    let touching: Vec<_> = layout.grid().touching(region).collect();
    for (done, &tile) in touching.iter().enumerate() {
        pause().await;
        progress.step(done, touching.len())?;
        let read = tiles.read(server, tile).await;
        let heights = read.map_err(|(path, error)| TerrainError::File { path, error })?;
        parts.add(tile.region, &heights).map_err(mosaic)?;
    }
    progress.step(1, 1)?;
    parts.finish().map_err(mosaic)
}

fn region_of(area: &CellArea, world: MapSize) -> Option<MapRegion> {
    let [x, y] = area.min.to_array().map(usize::try_from);
    MapRegion::new(x.ok()?, y.ok()?, area.size()?, world)
}
