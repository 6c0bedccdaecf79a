//! Loads the source of an endless terrain.

use bevy::{asset::LoadState, ecs::system::SystemParam, prelude::*};

use super::{
    land::{Land, RegionLand},
    {EndlessSource, EndlessTerrain},
};
use crate::{
    cells::Margins,
    error::{TerrainError, TerrainFileError},
    file::TerrainTiles,
};

/// The cache of an endless terrain.
#[cfg(feature = "disk-cache")]
pub(super) type CacheOf<'a> = Option<&'a super::cache::TerrainCache>;
/// Without the feature `disk-cache` there are no caches.
#[cfg(not(feature = "disk-cache"))]
pub(super) type CacheOf<'a> = ();

/// Access to folders of tiles. Empty in apps without an `AssetServer`.
#[derive(SystemParam)]
pub(super) struct Sources<'w> {
    server: Option<Res<'w, AssetServer>>,
    tiles: Option<Res<'w, Assets<TerrainTiles>>>,
}

impl Sources<'_> {
    /// Returns the source of the regions and its margins, or `None` while the source is loading.
    pub(super) fn land(
        &self,
        whole: &EndlessTerrain,
        cache: CacheOf<'_>,
    ) -> Result<Option<(RegionLand, Margins)>, TerrainError> {
        let land = match &whole.source {
            EndlessSource::Recipe(recipe) => {
                let plane = recipe.plane()?;
                #[cfg(feature = "disk-cache")]
                let cache = cache.and_then(super::cache::Cache::new);
                #[cfg(not(feature = "disk-cache"))]
                let () = cache;
                Land::Plane {
                    plane: plane.into(),
                    #[cfg(feature = "disk-cache")]
                    cache,
                }
            }
            EndlessSource::Tiles(tiles) => {
                let Some(land) = self.tiles(tiles)? else {
                    return Ok(None);
                };
                land
            }
        };
        land.scale().validate()?;
        let margins = Margins::new(whole.distance, land.scale().spacing, land.bounds())?;
        Ok(Some((RegionLand(land.into()), margins)))
    }

    fn tiles(&self, handle: &Handle<TerrainTiles>) -> Result<Option<Land>, TerrainError> {
        let (Some(server), Some(all)) = (&self.server, &self.tiles) else {
            return Err(TerrainError::NoAssetServer);
        };
        if let Some(tiles) = all.get(handle) {
            return Ok(Some(Land::Tiles {
                tiles: tiles.clone(),
                server: (*server).clone(),
            }));
        }
        let error = match server.get_load_state(handle) {
            Some(LoadState::Failed(error)) => error.as_ref().into(),
            // No loader will ever load a handle that has no path.
            None if handle.is_uuid() => TerrainFileError::Missing,
            _ => return Ok(None),
        };
        let path = handle.path();
        let path = path.map_or(
            "a folder of tiles without a path".to_owned(),
            ToString::to_string,
        );
        Err(TerrainError::File { path, error })
    }

    /// Returns the folder of tiles of an endless terrain, if it is loaded.
    pub(super) fn seen(&self, whole: &EndlessTerrain) -> Option<TerrainTiles> {
        let EndlessSource::Tiles(handle) = &whole.source else {
            return None;
        };
        self.tiles.as_ref()?.get(handle).cloned()
    }

    /// Whether the folder of tiles has been loaded again since `seen`.
    pub(super) fn have_changed(&self, asked: &EndlessTerrain, seen: Option<&TerrainTiles>) -> bool {
        let now = self.seen(asked);
        now.is_some_and(|now| seen.is_none_or(|seen| !seen.is(&now)))
    }
}
