//! Procedural islands, endless terrain and elevation models for Bevy.
//!
//! Add [`TerrainPlugin`] and spawn a [`Terrain`]. In a background task the plugin generates the heightmap. It then adds
//! meshes whose level of detail follows the cameras, layers of sand, grass, rock and snow, a sea, and (with the feature
//! `rapier` or `avian`) a collider that matches the rendered surface.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, TerrainPlugin))
//!         .add_systems(Startup, |mut commands: Commands| {
//!             let hills = Hills { island: true, ..default() };
//!             commands.spawn(Terrain::new(Recipe::new(MapSize::default(), 7, hills)));
//!         })
//!         .run();
//! }
//! ```
//!
//! # How it works
//!
//! ```text
//! Terrain ── changed ──> files, if any ──> background task ─────────> hidden patches ───> visible patches
//!                        loaded            heightmap, its errors,     2 MiB per frame     old ones despawned,
//!                                          collider, height texture                       TerrainReady
//! ```
//!
//! - When a [`Terrain`] or one of its files changes, the plugin regenerates the terrain. The old terrain stays until
//!   the new one is complete. A newer change cancels work in progress.
//! - When a [`Terrain`] is removed or despawned, the plugin removes everything it created for it.
//! - While the terrain is being generated, its entity has a [`TerrainProgress`]. When it is complete, the entity has a
//!   [`TerrainSurface`], and [`TerrainReady`] is triggered on it. If the source cannot be used, [`TerrainFailed`] is
//!   triggered instead, and the old terrain stays.
//!
//! Add `TerrainPlugin` after `DefaultPlugins`. Otherwise terrain is invisible, and an error is logged. Without a
//! renderer (`MinimalPlugins`), no meshes are built, but the map, the queries and the collider work.
//!
//! # Components
//!
//! | component | sets | a change takes effect |
//! |---|---|---|
//! | [`Terrain`] | the source and the scale | after the terrain is regenerated in the background |
//! | [`TerrainLayers`] | the textures of grass, sand, rock and snow, and the rules where each appears | after a background task |
//! | [`Water`] | level, colors, [`Waves`] and extent of the sea; remove it for none | immediately |
//! | [`TerrainDetail`] | the maximum screen-space error in pixels, and the mesh memory budget | after a background task |
//! | [`TerrainMaterial`] | your own material for the terrain | immediately |
//! | [`TerrainLight`] | light on terrain and water from a texture | immediately |
//! | [`TerrainCollider`] | which part has a collider: all, or the surroundings of bodies; remove it for none | after a background task |
//! | [`EndlessTerrain`] | instead of a `Terrain`: the source of the terrain around each [`TerrainViewer`] | after the terrain is regenerated in the background |
//! | [`TerrainEdits`] | strokes that dig, build, paint and make holes, with undo | after a background task |
//! | [`TerrainPath`], [`TerrainPlatform`], [`TerrainStamp`] | on children: roads, building sites, craters | as `TerrainEdits` |
//! | [`PathMesh`] | next to a `TerrainPath`: a mesh of the road's surface | when the terrain has followed |
//! | [`SnapToGround`] | on any entity: keeps it on the terrain without physics | immediately |
//!
//! # Queries
//!
//! [`TerrainQuery`] is a system parameter. It returns the height and normal at a point, casts rays and spheres, and
//! tests lines of sight. With the feature `picking`, a `Pointer<Click>` on a terrain has the exact point.
//! [`WaterQuery`] returns height, motion and depth of the water, waves included, as they are rendered.
//!
//! The [`guide`] has complete programs for common tasks: layers and textures, your own materials, placing objects,
//! saving, clicks, and walking. `lanternfell_vegetation` adds plants, and `lanternfell_sky` a sky with weather.
//!
//! # Terrain sources
//!
//! A [`Terrain`] is made from a recipe, a file or a map in memory. An [`EndlessTerrain`] is made from a recipe or a
//! folder of tiles. With Bevy's feature `file_watcher`, the terrain is regenerated when one of its files changes.
//!
//! A recipe is a list of named steps (generators, blends, filters, erosion) with a size in cells and a seed. The same
//! recipe always generates the same map. `Recipe::new` creates one with a single generator.
//!
//! | source | notes |
//! |---|---|
//! | [`Recipe`](heightmap::Recipe) | its images are files, with paths relative to the root of the assets |
//! | `assets.load::<TerrainFile>("alps.tif")` | PNG, PGM, TIFF, OpenEXR, RAW, XYZ, SRTM and ESRI grids, with the sidecar, header, world file, `.prj` and `.aux.xml` next to them |
//! | `assets.load::<TerrainFile>("volcano.terrain.ron")` | a recipe in a file; the paths of its images are relative to that file |
//! | [`ElevationModel`](heightmap::ElevationModel), [`Heightmap`](heightmap::Heightmap) | a map in memory, which may be shared |
//!
//! ## Load a file
//! ```no_run
//! # use bevy::prelude::*;
//! # use lanternfell_terrain::prelude::*;
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(Terrain::new(assets.load::<TerrainFile>("alps.tif")));
//! }
//!
//! /// Logs the center of the terrain in the file's coordinate system.
//! fn log_center(ready: On<TerrainReady>, grounds: Query<&TerrainSurface>) -> Result {
//!     let ground = grounds.get(ready.entity)?;
//!     let height = ground.surface().height(Vec2::ZERO).unwrap_or_default();
//!     let middle = ground.geo_position(Vec3::Y * height);
//!     info!("{} east, {} north: {} m", middle.easting, middle.northing, middle.elevation);
//!     Ok(())
//! }
//! # let _ = App::new().add_systems(Startup, setup).add_observer(log_center);
//! ```
//! The terrain has the file's cell size and relief in meters. For a file in meters, y = 0 is the lowest point,
//! [`TerrainSurface::datum`] meters above sea level. Set [`Terrain::scale`] to override the scale.
//!
//! - An elevation model is often tens of kilometers wide. Raise the camera's far plane (default: 1000 m), place the
//!   camera above the terrain, and scale [`LayerZones::patches`] up.
//! - A map without terrain below 0 m has its sea just above its lowest point. Remove [`Water`] if there should be none.
//! - `examples/own_heightmap.rs` is a complete program. The guide to [queries](guide::queries) shows how to get the
//!   elevation above sea level at any point.
//!
//! ## Use your own heightmap
//! ```
//! # use lanternfell_terrain::prelude::*;
//! let size = MapSize::new(200, 100)?;
//! let heights = (0..size.cells()).map(|cell| (cell % 200) as f32 / 199.0).collect();
//! let ramp = Heightmap::from_heights(size, heights)?;
//! let scale = Scale { spacing: 2.0, relief: 30.0 }; // meters
//! let terrain = Terrain::new(ramp).with_scale(scale);
//! # assert_eq!(terrain.validate(), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Endless terrain
//! [`EndlessTerrain`] generates terrain around every [`TerrainViewer`]. Its recipe may only contain
//! [`FractalNoise`](heightmap::FractalNoise), [`RidgedMultifractal`](heightmap::RidgedMultifractal) and
//! [`Worley`](heightmap::Worley) noise, blends, and filters that read a small neighborhood.
//! ```no_run
//! # use bevy::prelude::*;
//! # use lanternfell_terrain::prelude::*;
//! fn setup(mut commands: Commands) {
//!     // The wavelength of the first octave is 900 cells.
//!     let noise = FractalNoise { octaves: 7, scale: 900.0, lacunarity: 2.0, gain: 0.5, ..default() };
//!     let scale = Scale { spacing: 1.0, relief: 160.0 };
//!     let recipe = Recipe { scale: Some(scale), ..Recipe::new(MapSize::default(), 7, noise) };
//!     commands.spawn(EndlessTerrain::new(recipe));
//!     commands.spawn((Camera3d::default(), TerrainViewer, Transform::from_xyz(0.0, 180.0, 0.0)));
//! }
//! # let _ = App::new().add_systems(Startup, setup);
//! ```
//! With the feature `disk-cache`, a `TerrainCache` on the same entity caches the generated heights in a folder.
//!
//! An endless terrain can also read a folder of tiles, which the command `lanternfell tile` writes. Such a world has up
//! to 65,536 cells on a side, and its recipe can contain erosion:
//! ```no_run
//! # use bevy::prelude::*;
//! # use lanternfell_terrain::prelude::*;
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     let alps = assets.load::<TerrainTiles>("alps/tiles.ron");
//!     commands.spawn(EndlessTerrain::new(alps));
//! }
//! # let _ = App::new().add_systems(Startup, setup);
//! ```
//!
//! ## Dig and build
//! [`TerrainEdits`] changes a terrain at run time: strokes raise, lower, flatten, smooth or paint it or
//! make holes in it, and can be undone. Code without a log can trigger [`EditTerrain`].
//!
//! [`TerrainPath`] (roads, river beds, dams), [`TerrainPlatform`] (a level place for a building) and [`TerrainStamp`]
//! are children of a terrain. They stay movable, and the terrain below them is restored when you remove them.
//!
//! ## Saving
//! [`TerrainSurface::recipe`] returns the recipe with the terrain's scale; save it as text.
//! [`io::write`](lanternfell_io::write()) writes a map to a file. Load either of them as shown above. See the guide to
//! [saving](guide::saving).
//!
//! ## Navigation meshes
//! [`Surface::walkable`](surface::Surface::walkable) returns the full-detail triangles of a rectangle of the terrain,
//! and which of them are neither too steep nor too deep under water. This is the input that navigation mesh generators
//! need. `examples/navigation` passes it to `bevy_rerecast`.
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{
//!     prelude::*,
//!     surface::{WalkableGround, WalkableLimits},
//! };
//!
//! /// The walkable triangles of 64 m by 64 m around a point, in the terrain's local space.
//! fn walkable(ground: &TerrainSurface, water: &Water, at: Vec2) -> WalkableGround {
//!     let limits = WalkableLimits {
//!         max_slope: 40.0,
//!         water_level: Some(water.surface_y(ground)),
//!         max_water_depth: 0.5,
//!     };
//!     ground.surface().walkable(at - 32.0, at + 32.0, &limits)
//! }
//! ```
//!
//! # System sets
//!
//! The plugin's systems run in [`PostUpdate`], in the sets of [`TerrainSystems`]:
//! [`Generate`](TerrainSystems::Generate), [`Build`](TerrainSystems::Build), [`Swap`](TerrainSystems::Swap) and
//! [`Present`](TerrainSystems::Present), in this order. They run before transforms are propagated, and before changed
//! assets are sent to the renderer. Therefore:
//!
//! - Changes that you make in [`Update`] are applied in the same frame, or start their background task in it.
//! - Observers of [`TerrainReady`] can already read the new [`TerrainSurface`]. Systems in [`Update`] see it in the
//!   next frame.
//! - A new collider takes part in rapier's step of the same frame, if rapier runs in [`PostUpdate`] (its default). In a
//!   fixed schedule, as with avian, it takes part in the next step.

mod background;
mod cells;
mod collider;
mod cover;
mod endless;
mod error;
mod file;
mod ground;
mod ground_light;
pub mod guide;
mod installed;
mod land;
mod layers;
mod map;
mod path_mesh;
#[cfg(feature = "picking")]
mod picking;
mod placement;
mod query;
mod region;
mod render_layers;
mod reveal;
#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
mod serving;
mod snap;
mod systems;
mod upload;
mod viewers;
mod water;

use bevy::{prelude::*, render::RenderApp};
use lanternfell_tasks::PausePlugin;

pub use collider::{MovingBodies, TerrainCollider, TerrainColliderRegion};
pub use cover::{NeedsTerrainCover, TerrainCover};
#[cfg(feature = "disk-cache")]
pub use endless::TerrainCache;
pub use endless::{EndlessSource, EndlessTerrain, HoldRegion, HoldRegionPlugin, TerrainViewer};
pub use error::{TerrainError, TerrainFileError};
pub use file::{TerrainFile, TerrainFileLoader, TerrainTiles, TerrainTilesLoader};
pub use ground::{
    EditTerrain, GeoPosition, StampSource, Terrain, TerrainEdit, TerrainEdits, TerrainFailed,
    TerrainPath, TerrainPlatform, TerrainProgress, TerrainReady, TerrainSource, TerrainStamp,
    TerrainSurface,
};
pub use ground_light::TerrainLight;
pub use land::{
    chunk::TerrainChunk,
    custom_material::{TerrainMaterial, TerrainMaterialPlugin},
    default_material::{DefaultTerrainExtension, DefaultTerrainMaterial},
    detail::{DrawnDetail, TerrainDetail},
    textures::LayerTextures,
};
pub use lanternfell_edits as edits;
pub use lanternfell_heightmap as heightmap;
pub use lanternfell_io as io;
pub use lanternfell_surface as surface;
pub use lanternfell_surface::inland_water::{InlandWater, WaterBody, WaterSample, Waters};
pub use lanternfell_textures::GroundKind;
pub use layers::{
    LayerImages, LayerQuality, LayerTexture, LayerZones, TerrainLayer, TerrainLayers,
};
pub use map::TerrainMap;
pub use path_mesh::PathMesh;
pub use query::{CoverHit, TerrainHit, TerrainQuery, TerrainSample};
pub use region::TerrainRegion;
pub use render_layers::TerrainRenderLayersPlugin;
pub use snap::SnapToGround;
pub use systems::TerrainSystems;
pub use water::{
    BodyVelocity, Buoyancy, BuoyancyForce, Water, WaterExtension, WaterHit, WaterMaterial,
    WaterQuery, Waves,
};

/// The plugin, its components and events, and the types that recipes are made of.
pub mod prelude {
    pub use crate::{
        BodyVelocity, Buoyancy, BuoyancyForce, CoverHit, DefaultTerrainMaterial, DrawnDetail,
        EndlessSource, EndlessTerrain, GroundKind, HoldRegion, InlandWater, LayerImages,
        LayerQuality, LayerTexture, LayerZones, NeedsTerrainCover, SnapToGround, Terrain,
        TerrainChunk, TerrainCollider, TerrainCover, TerrainDetail, TerrainEdits, TerrainError,
        TerrainFailed, TerrainFile, TerrainHit, TerrainLayer, TerrainLayers, TerrainLight,
        TerrainMap, TerrainMaterial, TerrainMaterialPlugin, TerrainPlugin, TerrainProgress,
        TerrainQuery, TerrainReady, TerrainRegion, TerrainSample, TerrainSource, TerrainSurface,
        TerrainSystems, TerrainTiles, TerrainViewer, Water, WaterHit, WaterQuery, Waves,
    };
    pub use lanternfell_heightmap::{
        Blend, ElevationModel, Faults, Filter, Fluid, FractalNoise, Generator, Heightmap, Hills,
        MapSize, Mask, Operation, Progress, Recipe, RidgedMultifractal, RiverDelta, Scale,
        SeededRng, Step, Worley,
    };
}

/// Generates and renders every [`Terrain`] and [`EndlessTerrain`].
///
/// Add it after `DefaultPlugins`.
#[derive(Debug, Default, Clone, Copy)]
pub struct TerrainPlugin;

impl Plugin for TerrainPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Terrain>()
            .register_type::<heightmap::Recipe>()
            .register_type::<InlandWater>()
            .register_type::<TerrainEdits>()
            .add_plugins((systems::plugin, file::plugin, ground::plugin))
            .add_plugins((installed::plugin, placement::plugin))
            .add_plugins((layers::plugin, water::plugin, land::plugin))
            .add_plugins((cover::plugin, collider::plugin, snap::plugin))
            .add_plugins(path_mesh::plugin)
            .add_plugins(endless::plugin);
        if !app.is_plugin_added::<PausePlugin>() {
            app.add_plugins(PausePlugin);
        }
        #[cfg(feature = "picking")]
        app.add_plugins(picking::plugin);
        if app.get_sub_app(RenderApp).is_some() {
            app.add_plugins((land::rendering, water::rendering))
                .add_plugins((reveal::plugin, upload::plugin));
        }
    }

    /// Logs an error if a renderer was added after this plugin. It is too late to register the materials then, because
    /// their own plugins would not be finished.
    fn finish(&self, app: &mut App) {
        let drawn = app
            .world()
            .contains_resource::<Assets<DefaultTerrainMaterial>>();
        if !drawn && app.get_sub_app(RenderApp).is_some() {
            error!(
                "TerrainPlugin was added before the renderer, so terrain is invisible: add it after DefaultPlugins"
            );
        }
    }
}

/// Compiles the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
