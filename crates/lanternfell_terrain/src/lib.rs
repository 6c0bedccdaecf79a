//! `TerrainPlugin`: procedural islands for Bevy.
//!
//! Spawn one [`Terrain`] and the plugin does the rest, off the main thread: it makes the heightmap, draws it in
//! patches that are as fine as the cameras need, gives it a material of sand, grass, rock and snow, lays a sea
//! around it, and (with the feature `rapier` or `avian`) a collider that equals the drawn surface.
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
//! # How it goes
//!
//! ```text
//! Terrain ── changed ──> files, if any ──> background task ───────> patches, hidden ──> patches, shown
//!                        loaded            heightmap, its errors,   2 MiB each frame    old ones gone,
//!                                          collider, height image                       TerrainReady
//! ```
//!
//! - Changing the [`Terrain`], or a file that it is made of, makes it anew. The old ground stays until the new
//!   one is complete; a newer change replaces work under way.
//! - Removing or despawning it removes everything that it made.
//! - While it is being made the entity has [`Generating`]; then it has a [`TerrainSurface`], and [`TerrainReady`]
//!   is triggered on it. When its source can not be used [`TerrainFailed`] is triggered instead, and the old
//!   ground stays.
//! - [`TerrainQuery`] is a system parameter that answers how high the ground is somewhere, what a ray or a sphere
//!   meets, and whether one point is seen from another. With the feature `picking` a `Pointer<Click>` on a
//!   terrain has the exact point.
//!
//! | component | what it holds | a change |
//! |---|---|---|
//! | [`Terrain`] | the source and the scale | makes the ground anew |
//! | [`TerrainLayers`] | grass, sand, rock, snow: what they look like and where they lie | shows when it is worked out |
//! | [`Water`] | level, colors, waves and extent of the sea | shows at once |
//! | [`TerrainDetail`] | by how many pixels the land may be off, and its memory | is made in the background |
//! | [`TerrainMaterial`] | a material of your own for the land | shows at once |
//! | [`GroundLight`] | light on land and water, by an image | shows at once |
//! | [`TerrainCollider`] | which land bodies meet: all, that around them, or none | is made in the background |
//! | [`EndlessTerrain`] | in place of a terrain: what ground is made of around each [`TerrainViewer`] | makes the ground anew |
//!
//! The sea has [`Waves`]; where they stand, what they do there and how deep it is, [`WaterQuery`] answers, with what is
//! drawn.
//!
//! [`SnapToGround`], on any entity, keeps it on the ground without physics.
//!
//! How to do what most apps do, page by page, is told by the [`guide`]: materials and textures of your own,
//! trees, saving, clicks, walking.
//!
//! Add the plugin after Bevy's own plugins; before them it would draw nothing, and says so by a panic. Without a
//! renderer (`MinimalPlugins`) no mesh is made, but the map, the queries and the collider are all there.
//!
//! # Ground from anything
//! A [`Terrain`] is made of a recipe, a file or a map in hand; an [`EndlessTerrain`] of a recipe or of a folder
//! of tiles. With Bevy's feature `file_watcher` it follows its files while they are edited.
//!
//! | source | |
//! |---|---|
//! | [`Recipe`](heightmap::Recipe) | its images are files, found from the root of the assets |
//! | `assets.load("alps.tif")` | PNG, PGM, TIFF, OpenEXR, ESRI ASCII and RAW, with the sidecar, world file, `.prj` and `.aux.xml` beside them |
//! | `assets.load("volcano.terrain.ron")` | a recipe in a file; its images lie beside it |
//! | [`ElevationModel`](heightmap::ElevationModel), [`Heightmap`](heightmap::Heightmap) | a map in hand, also a shared one |
//!
//! ## From a file
//! ```no_run
//! # use bevy::prelude::*;
//! # use lanternfell_terrain::prelude::*;
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(Terrain::new(assets.load::<TerrainFile>("alps.tif")));
//! }
//!
//! /// What is where, in the file's own coordinate system.
//! fn tell(ready: On<TerrainReady>, grounds: Query<&TerrainSurface>) -> Result {
//!     let ground = grounds.get(ready.entity)?;
//!     let middle = ground.geo_position(Vec3::ZERO);
//!     info!("{} east, {} north: {} m", middle.easting, middle.northing, ground.datum());
//!     Ok(())
//! }
//! # let _ = App::new().add_systems(Startup, setup).add_observer(tell);
//! ```
//! Metres are real: a cell is as wide, and the land as high, as the file says, and y = 0 is the lowest ground,
//! [`TerrainSurface::datum`] metres above the sea. [`Terrain::scale`] says otherwise.
//!
//! ## From a heightmap of one's own
//! ```
//! # use lanternfell_terrain::prelude::*;
//! let size = MapSize::new(200, 100)?;
//! let heights = (0..size.cells()).map(|cell| (cell % 200) as f32 / 199.0).collect();
//! let ramp = Heightmap::from_heights(size, heights)?;
//! let scale = Scale { spacing: 2.0, relief: 30.0 }; // metres from cell to cell, and high
//! let terrain = Terrain::new(ramp).with_scale(scale);
//! # assert_eq!(terrain.validate(), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Without end
//! [`EndlessTerrain`] has ground around every [`TerrainViewer`], wherever they go.
//! ```no_run
//! # use bevy::prelude::*;
//! # use lanternfell_terrain::prelude::*;
//! fn setup(mut commands: Commands) {
//!     let noise = FractalNoise { octaves: 7, scale: 900.0, lacunarity: 2.0, gain: 0.5, ..default() };
//!     let scale = Scale { spacing: 1.0, relief: 160.0 };
//!     let recipe = Recipe { scale: Some(scale), ..Recipe::new(MapSize::default(), 7, noise) };
//!     commands.spawn(EndlessTerrain::new(recipe));
//!     commands.spawn((Camera3d::default(), TerrainViewer));
//! }
//! # let _ = App::new().add_systems(Startup, setup);
//! ```
//! So has a world in tiles, of up to 65,536 cells a side, which `lanternfell tile` writes into a folder: erosion
//! and all. With the feature `disk-cache` a `TerrainCache` beside it keeps what was made in a folder.
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
//! ## Saving
//! A recipe is its own save: [`TerrainSurface::recipe`] has it with the land's scale. A map becomes a file by
//! [`io::write`](lanternfell_io::write()). Both are read again as above, and [how](guide::saving) is a
//! page of the guide.
//!
//! ## Where creatures can walk
//! [`Surface::walkable`](surface::Surface::walkable) has the very triangles that are drawn nearby and
//! collided with, in a window of the land, and which of them are neither too steep nor too deep under water: what
//! a baker of navigation meshes takes. `examples/navigation` gives it to `bevy_rerecast`.
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{
//!     prelude::*,
//!     surface::{WalkableGround, WalkableLimits},
//! };
//!
//! /// 64 m by 64 m around a place, in the terrain's own frame.
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
//! Most systems run in [`Update`], in [`TerrainSystems`]: [`Generate`](TerrainSystems::Generate),
//! [`Build`](TerrainSystems::Build), [`Swap`](TerrainSystems::Swap), [`Present`](TerrainSystems::Present), in
//! this order. A system of yours that reads a fresh [`TerrainSurface`] in the same frame runs after
//! [`TerrainSystems::Build`].

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
mod land;
mod layers;
mod map;
mod paint;
#[cfg(feature = "picking")]
mod picking;
mod query;
mod reveal;
#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
mod serving;
mod snap;
mod systems;
mod upload;
mod viewers;
mod water;
mod window;

use bevy::{prelude::*, render::RenderApp};
use lanternfell_tasks::PausePlugin;

pub use collider::{MovingBodies, TerrainCollider, TerrainColliderWindow};
pub use cover::{GroundCover, KeepsCover};
#[cfg(feature = "disk-cache")]
pub use endless::TerrainCache;
pub use endless::{EndlessSource, EndlessTerrain, HoldWindow, HoldWindowPlugin, TerrainViewer};
pub use error::{TerrainError, TerrainFileError};
pub use file::{TerrainFile, TerrainFileLoader, TerrainTiles, TerrainTilesLoader};
pub use ground::{
    Generating, GeoPosition, Terrain, TerrainFailed, TerrainReady, TerrainSource, TerrainSurface,
};
pub use ground_light::GroundLight;
pub use land::{
    chunk::TerrainChunk,
    custom_material::{TerrainMaterial, TerrainMaterialPlugin},
    default_material::{LandExtension, LandMaterial},
    detail::{DrawnDetail, TerrainDetail},
    textures::LayerTextures,
};
pub use lanternfell_heightmap as heightmap;
pub use lanternfell_io as io;
pub use lanternfell_surface as surface;
pub use lanternfell_surface::inland_water::{InlandWater, WaterBody, WaterSample, Waters};
pub use lanternfell_textures::GroundKind;
pub use layers::{
    GroundLayer, LayerPictures, LayerQuality, LayerTexture, LayerZones, TerrainLayers,
};
pub use map::TerrainMap;
pub use paint::{PaintStroke, TerrainPaint};
pub use query::{CoverHit, GroundHit, TerrainHit, TerrainQuery};
pub use snap::SnapToGround;
pub use systems::TerrainSystems;
pub use water::{
    BodyMotion, Hull, Water, WaterExtension, WaterHit, WaterMaterial, WaterPush, WaterQuery, Waves,
};
pub use window::TerrainWindow;

/// What most apps need: the plugin, its components and events, and the recipes' parts.
pub mod prelude {
    pub use crate::{
        BodyMotion, CoverHit, DrawnDetail, EndlessSource, EndlessTerrain, Generating, GroundCover,
        GroundHit, GroundKind, GroundLayer, GroundLight, HoldWindow, Hull, InlandWater, KeepsCover,
        LandMaterial, LayerPictures, LayerQuality, LayerTexture, LayerZones, PaintStroke,
        SnapToGround, Terrain, TerrainChunk, TerrainCollider, TerrainDetail, TerrainError,
        TerrainFailed, TerrainFile, TerrainHit, TerrainLayers, TerrainMap, TerrainMaterial,
        TerrainMaterialPlugin, TerrainPaint, TerrainPlugin, TerrainQuery, TerrainReady,
        TerrainSource, TerrainSurface, TerrainSystems, TerrainTiles, TerrainViewer, TerrainWindow,
        Water, WaterHit, WaterPush, WaterQuery, Waves,
    };
    pub use lanternfell_heightmap::{
        Blend, ElevationModel, Faults, Filter, Fluid, FractalNoise, Generator, Heightmap, Hills,
        MapSize, Mask, Operation, Progress, Recipe, RidgedMultifractal, RiverDelta, Scale,
        SeededRng, Step, Worley,
    };
}

/// Makes every [`Terrain`] in the world.
#[derive(Debug, Default, Clone, Copy)]
pub struct TerrainPlugin;

impl Plugin for TerrainPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Terrain>()
            .register_type::<heightmap::Recipe>()
            .register_type::<InlandWater>()
            .register_type::<TerrainPaint>()
            .configure_sets(
                Update,
                (
                    TerrainSystems::Generate,
                    TerrainSystems::Build,
                    TerrainSystems::Swap,
                    TerrainSystems::Present,
                )
                    .chain(),
            )
            .add_plugins((file::plugin, ground::plugin))
            .add_plugins((layers::plugin, water::plugin, land::plugin))
            .add_plugins((cover::plugin, collider::plugin, snap::plugin))
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

    /// # Panics
    /// When a renderer was added after this plugin: the land would be invisible without a word. The
    /// materials can not be added now, since their own plugins would not be finished.
    fn finish(&self, app: &mut App) {
        let drawn = app.world().contains_resource::<Assets<LandMaterial>>();
        assert!(
            drawn || app.get_sub_app(RenderApp).is_none(),
            "TerrainPlugin was added before the renderer, so its land would be invisible: add it after DefaultPlugins"
        );
    }
}

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
