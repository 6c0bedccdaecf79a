//! Asset types for terrain files: heightmaps in all formats, recipes, and tile folders.
//!
//! ```text
//! alps.tif                    the map, and the files next to it (.json, .tfw, .prj, .aux.xml)
//! volcano.terrain.ron ──┬──   the recipe
//!                       ├──>  rough.png   images next to it: also assets, so the terrain is
//!                       └──>  coast.png   regenerated when one changes
//! world/tiles.ron       ───>  its tiles, loaded when needed
//! ```
//!
//! All files are loaded by the `AssetServer`, so this also works in a browser. They are decoded in its tasks, off the
//! main thread on platforms with threads.

mod image;
mod loader;
mod tiles;

use bevy::prelude::*;
use lanternfell_heightmap::Recipe;

pub(crate) use image::image_path;
pub use loader::TerrainFileLoader;
pub use tiles::{TerrainTiles, TerrainTilesLoader};

use crate::map::TerrainMap;

/// Registers the asset types and loaders, if there is an `AssetServer`.
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

/// A loaded terrain file: a heightmap or a recipe.
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
/// Set what a file does not specify in the loader's settings, here or in a `.meta` file: how to fill cells without a
/// height, an undeclared no-data value, which band, channel or part to read, whether the numbers are meters
/// ([`ElevationSource`](crate::io::ElevationSource) lists the default), and the size of RAW files without a sidecar.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// use lanternfell_terrain::io::{Fill, ReadOptions};
///
/// # fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
/// // The second of several bands, with its gaps filled.
/// let fill = |options: &mut ReadOptions| {
///     options.fill = Some(Fill::Interpolate);
///     options.band = Some(2);
/// };
/// let alps: Handle<TerrainFile> = assets.load_builder().with_settings(fill).load("alps.tif");
/// # commands.spawn(Terrain::new(alps));
/// # }
/// ```
#[derive(Asset, Reflect, Debug, Clone)]
#[reflect(opaque, Clone, Debug)]
pub enum TerrainFile {
    /// A map with its metadata. Heights outside of 0 to 1 are normalized; the frame keeps the size in meters.
    Map(TerrainMap),
    /// A valid recipe and its [images](Recipe::images).
    Recipe {
        /// The recipe.
        recipe: Recipe,
        /// The files of the recipe's images, in the order of [`Recipe::images`].
        #[dependency]
        images: Vec<Handle<TerrainFile>>,
    },
}
