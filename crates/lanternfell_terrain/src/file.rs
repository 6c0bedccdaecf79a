//! Files that ground is made of, as assets: maps in every format, recipes, and folders of tiles.
//!
//! ```text
//! alps.tif                    the map, and what stands beside it (.json, .tfw, .prj, .aux.xml)
//! volcano.terrain.ron ──┬──   the recipe
//!                       ├──>  rough.png   images, beside it: assets of the same kind, so that one
//!                       └──>  coast.png   that changes makes the ground anew
//! world/tiles.ron       ───>  its tiles, when they are needed
//! ```
//!
//! All goes through the `AssetServer`, so that it works in a browser too, and is read and decoded on
//! its tasks, never on the main thread where there is another.

mod image;
mod loader;
mod tiles;

use bevy::prelude::*;
use lanternfell_heightmap::Recipe;

pub(crate) use image::image_path;
pub use loader::TerrainFileLoader;
pub use tiles::{TerrainTiles, TerrainTilesLoader};

use crate::map::TerrainMap;

/// Files are read where there is an `AssetServer`.
pub(crate) fn plugin(app: &mut App) {
    if app.world().contains_resource::<AssetServer>() {
        app.init_asset::<TerrainFile>()
            .register_asset_reflect::<TerrainFile>()
            .init_asset_loader::<TerrainFileLoader>()
            .init_asset::<TerrainTiles>()
            .register_asset_reflect::<TerrainTiles>()
            .init_asset_loader::<TerrainTilesLoader>();
    }
}

/// What a file is that ground is made of.
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(Terrain::new(assets.load::<TerrainFile>("alps.tif")));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
///
/// What a file does not tell can be said as the loader's settings, here or in a `.meta` file: what
/// cells without a height become, and the size of RAW without a sidecar.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// use lanternfell_terrain::io::{Fill, ReadOptions};
///
/// # fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
/// let fill = |options: &mut ReadOptions| options.fill = Some(Fill::Interpolate);
/// let alps: Handle<TerrainFile> = assets.load_builder().with_settings(fill).load("alps.tif");
/// # commands.spawn(Terrain::new(alps));
/// # }
/// ```
#[derive(Asset, Reflect, Debug, Clone)]
#[reflect(opaque, Clone, Debug)]
pub enum TerrainFile {
    /// A map with what is known about it. Heights beyond 0 to 1 are stretched to that, and its
    /// frame with them: the metres stay.
    Map(TerrainMap),
    /// A recipe, valid, and the files of its [images](Recipe::images), in their order.
    Recipe {
        /// The recipe.
        recipe: Recipe,
        /// Its images, as many as it names.
        #[dependency]
        images: Vec<Handle<TerrainFile>>,
    },
}
