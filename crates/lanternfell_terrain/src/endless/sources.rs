//! From what an endless terrain is to be made of to what windows are made of.

use bevy::{asset::LoadState, ecs::system::SystemParam, prelude::*};

use super::{
    land::{Land, WindowLand},
    {EndlessSource, EndlessTerrain},
};
use crate::{
    cells::Margins,
    error::{TerrainError, TerrainFileError},
    file::TerrainTiles,
};

/// The cache beside an endless terrain.
#[cfg(feature = "disk-cache")]
pub(super) type CacheOf<'a> = Option<&'a super::cache::TerrainCache>;
/// There are no caches.
#[cfg(not(feature = "disk-cache"))]
pub(super) type CacheOf<'a> = ();

/// The folders of tiles, where there is an `AssetServer`.
#[derive(SystemParam)]
pub(super) struct Sources<'w> {
    server: Option<Res<'w, AssetServer>>,
    tiles: Option<Res<'w, Assets<TerrainTiles>>>,
}

impl Sources<'_> {
    /// What windows are made of, and how much of it there is; `None` while it is being loaded.
    pub(super) fn land(
        &self,
        whole: &EndlessTerrain,
        cache: CacheOf<'_>,
    ) -> Result<Option<(WindowLand, Margins)>, TerrainError> {
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
        Ok(Some((WindowLand(land.into()), margins)))
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
            // Nobody will ever load it.
            None if handle.is_uuid() => TerrainFileError::Missing,
            _ => return Ok(None),
        };
        let path = handle.path();
        let path = path.map_or("a folder without a path".to_owned(), ToString::to_string);
        Err(TerrainError::File { path, error })
    }

    /// The folder of tiles that is asked for, if it is there.
    pub(super) fn seen(&self, whole: &EndlessTerrain) -> Option<TerrainTiles> {
        let EndlessSource::Tiles(handle) = &whole.source else {
            return None;
        };
        self.tiles.as_ref()?.get(handle).cloned()
    }

    /// Whether the folder that was asked for has been loaded since it was seen.
    pub(super) fn have_changed(&self, asked: &EndlessTerrain, seen: Option<&TerrainTiles>) -> bool {
        let now = self.seen(asked);
        now.is_some_and(|now| seen.is_none_or(|seen| !seen.is(&now)))
    }
}
