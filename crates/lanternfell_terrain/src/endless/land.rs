//! What windows are made of: a plane that is computed, or tiles that are read.

use std::{fmt, sync::Arc};

use bevy::{prelude::*, tasks::BoxedFuture};
use lanternfell_heightmap::{
    GeoReference, Heightmap, MapFrame, MapSize, Plane, Progress, Scale, TileError, Window,
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
    window::TerrainWindow,
};

/// Where the heights of cells come from.
pub(super) enum Land {
    Plane {
        plane: Arc<Plane>,
        /// Where blocks that were made are kept.
        #[cfg(feature = "disk-cache")]
        cache: Option<Cache>,
    },
    Tiles {
        tiles: TerrainTiles,
        server: AssetServer,
    },
}

/// On a window's entity: what it is made of.
#[derive(Component, Clone)]
pub(super) struct WindowLand(pub(super) Arc<Land>);

impl PartialEq for WindowLand {
    /// Whether both are one and the same.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for WindowLand {
    /// Without its plan.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WindowLand").finish_non_exhaustive()
    }
}

/// What of a land a window is, for what follows from the same ground.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WindowPart {
    land: WindowLand,
    area: CellArea,
}

impl WindowPart {
    pub(super) fn new(window: &TerrainWindow, land: &WindowLand) -> Self {
        Self {
            land: land.clone(),
            area: window.area(),
        }
    }
}

impl WholeMap for WindowPart {
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

    /// What cells and heights of an area stand for, and where it lies: cell (0, 0) of a plane is at easting and
    /// northing 0, a world of tiles lies where its recipe says.
    pub(super) fn frame(&self, area: &CellArea) -> MapFrame {
        let window = || window_of(area, self.tiles()?.size());
        if let Some(frame) = window().and_then(|window| self.tiles()?.frame_of(window)) {
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

    /// As a height of the map.
    pub(super) fn water_level(&self) -> f32 {
        match self {
            Self::Plane { plane, .. } => plane.water_level(),
            Self::Tiles { tiles, .. } => tiles.layout().recipe().water_level(),
        }
    }

    /// All that there is of it, if it has an end.
    pub(super) fn bounds(&self) -> Option<CellArea> {
        Some(CellArea::of_map(self.tiles()?.size()))
    }

    /// Whether both are the same folder, as it was loaded once.
    pub(super) fn has_tiles_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tiles { tiles, .. }, Self::Tiles { tiles: others, .. }) => tiles.is(others),
            _ => false,
        }
    }

    /// The heights of an area, which lies within the bounds.
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

/// The heights of an area of a plane, by a worker if there is one.
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
    let window = window_of(area, layout.size()).ok_or(TileError::Outside)?;
    let mosaic = |error: lanternfell_io::tiles::MosaicError| {
        let path = "a folder of tiles".to_owned();
        let error = TerrainFileError::Read(error.to_string());
        Unmade::Failed(TerrainError::File { path, error })
    };
    let mut parts = TileMosaic::new(window).map_err(mosaic)?;
    let touching: Vec<_> = layout.grid().touching(window).collect();
    for (done, &tile) in touching.iter().enumerate() {
        pause().await;
        progress.step(done, touching.len())?;
        let read = tiles.read(server, tile).await;
        let heights = read.map_err(|(path, error)| TerrainError::File { path, error })?;
        parts.add(tile.window, &heights).map_err(mosaic)?;
    }
    progress.step(1, 1)?;
    parts.finish().map_err(mosaic)
}

fn window_of(area: &CellArea, world: MapSize) -> Option<Window> {
    let [x, y] = area.min.to_array().map(usize::try_from);
    Window::new(x.ok()?, y.ok()?, area.size()?, world)
}
