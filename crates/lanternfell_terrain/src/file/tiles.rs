//! Tile folders, as written by the command `lanternfell tile`, for worlds that are larger than memory.

use std::{path::Path, sync::Arc};

use bevy::{
    asset::{
        AssetLoader, AssetPath, LoadContext,
        io::{AssetReaderError, Reader},
    },
    prelude::*,
};
use lanternfell_heightmap::Heightmap;
use lanternfell_io::tiles::{GridTile, TileLayout, TileManifest};

use super::loader::Beginning;
use crate::error::TerrainFileError;

/// The `tiles.ron` of a tile folder, which describes the tiles next to it. Tiles are loaded when they are needed.
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(EndlessTerrain::new(assets.load::<TerrainTiles>("world/tiles.ron")));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Asset, Reflect, Debug, Clone)]
#[reflect(opaque, Clone, Debug)]
pub struct TerrainTiles {
    layout: Arc<TileLayout>,
    folder: AssetPath<'static>,
}

impl TerrainTiles {
    /// The size of the world and of its tiles.
    pub fn layout(&self) -> &TileLayout {
        &self.layout
    }

    /// Whether both share the same layout in memory.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.layout, &other.layout)
    }

    /// Loads a tile. An error contains the path of the tile's file.
    pub(crate) async fn read(
        &self,
        server: &AssetServer,
        tile: GridTile,
    ) -> Result<Heightmap, (String, TerrainFileError)> {
        let name = self.layout.file_name(tile.position);
        let path = self.folder.path().join(name);
        let named = |error| (path.display().to_string(), error);
        let bytes = self
            .bytes(server, &path, self.layout.max_file_size(tile))
            .await;
        let heights = bytes.and_then(|bytes| Ok(self.layout.read(tile, &bytes)?));
        heights.map_err(named)
    }

    async fn bytes(
        &self,
        server: &AssetServer,
        path: &Path,
        most: u64,
    ) -> Result<Vec<u8>, TerrainFileError> {
        let source = server.get_source(self.folder.source());
        let source = source.map_err(TerrainFileError::read)?;
        let opened = source.reader().read(path).await;
        let mut reader = opened.map_err(|error| match error {
            AssetReaderError::NotFound(_) => TerrainFileError::Missing,
            error => TerrainFileError::read(error),
        })?;
        Beginning::all_of(reader.as_mut(), most).await
    }
}

/// Loads [`TerrainTiles`] assets.
#[derive(TypePath, Debug, Default, Clone, Copy)]
pub struct TerrainTilesLoader;

impl AssetLoader for TerrainTilesLoader {
    type Asset = TerrainTiles;
    type Settings = ();
    type Error = TerrainFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<TerrainTiles, TerrainFileError> {
        let bytes = Beginning::all_of(reader, TileManifest::MAX_BYTES as u64).await?;
        let text = str::from_utf8(&bytes).map_err(|_| TerrainFileError::NotText)?;
        let layout = TileManifest::from_ron(text)?.into_layout();
        let path = context.path();
        let folder = path.path().parent().unwrap_or(Path::new("")).to_owned();
        let folder = AssetPath::from(folder).with_source(path.source().clone_owned());
        Ok(TerrainTiles {
            layout: layout.into(),
            folder,
        })
    }
}
