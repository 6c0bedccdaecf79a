//! How to save and load terrain, and how to see changes of its files while the app runs.
//!
//! A recipe is a list of steps that generates the same terrain, bit for bit, on every machine. So to save a terrain
//! that was made from a recipe, save the recipe as text.
//! [`TerrainSurface::recipe`](crate::TerrainSurface::recipe) returns it with the current scale of the terrain.
//!
//! ```
//! use std::{fs, path::PathBuf};
//!
//! use bevy::{asset::AssetPlugin, prelude::*};
//! use lanternfell_terrain::prelude::*;
//!
//! /// The asset folder of the app: `assets` for `AssetPlugin::default()`.
//! #[derive(Resource)]
//! struct Folder(PathBuf);
//!
//! fn save(folder: Res<Folder>, grounds: Query<&TerrainSurface>) -> Result {
//!     for ground in &grounds {
//!         if let Some(recipe) = ground.recipe() {
//!             fs::write(folder.0.join("land.terrain.ron"), recipe.to_ron())?;
//!         }
//!     }
//!     Ok(())
//! }
//!
//! fn load(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(Terrain::new(assets.load::<TerrainFile>("land.terrain.ron")));
//! }
//! # use bevy::ecs::system::RunSystemOnce;
//! # fn app(folder: &std::path::Path) -> App {
//! #     let mut app = App::new();
//! #     let file_path = folder.display().to_string();
//! #     app.add_plugins((MinimalPlugins, AssetPlugin { file_path, ..default() }, TerrainPlugin));
//! #     app.insert_resource(Folder(folder.to_owned()));
//! #     app.add_observer(|failed: On<TerrainFailed>| panic!("{}", failed.error));
//! #     app.finish();
//! #     app.cleanup();
//! #     app
//! # }
//! # fn ground(app: &mut App) -> TerrainSurface {
//! #     app.update();
//! #     loop {
//! #         let world = app.world_mut();
//! #         let mut grounds = world.query_filtered::<&TerrainSurface, Without<TerrainProgress>>();
//! #         if let Ok(ground) = grounds.single(world) {
//! #             return ground.clone();
//! #         }
//! #         std::thread::sleep(std::time::Duration::from_millis(1));
//! #         app.update();
//! #     }
//! # }
//! # let folder = tempfile::tempdir()?;
//! # let mut today = app(folder.path());
//! # let scale = Scale { spacing: 2.0, relief: 30.0 };
//! # let hills = Recipe::new(MapSize::new(100, 90)?, 7, Hills { island: true, ..default() });
//! # today.world_mut().spawn(Terrain::new(hills).with_scale(scale));
//! # let before = ground(&mut today);
//! # today.world_mut().run_system_once::<_, Result, _>(save).unwrap().unwrap();
//! # let mut tomorrow = app(folder.path());
//! # tomorrow.world_mut().run_system_once(load).unwrap();
//! # let after = ground(&mut tomorrow);
//! # assert_eq!((after.map(), after.surface().scale()), (before.map(), scale));
//! # assert_eq!(after.recipe(), before.recipe());
//! # // Edit the file and reload it.
//! # let mut other = after.recipe().unwrap().clone();
//! # other.seed = 8;
//! # std::fs::write(folder.path().join("land.terrain.ron"), other.to_ron())?;
//! # tomorrow.world().resource::<AssetServer>().reload("land.terrain.ron");
//! # while ground(&mut tomorrow).recipe() != Some(&other) {}
//! # assert_ne!(ground(&mut tomorrow).map(), before.map());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To load a recipe from somewhere else than the asset folder, such as the user's folder of saved games, parse its
//! text:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn load(path: &str) -> Result<Terrain> {
//!     let text = std::fs::read_to_string(path)?;
//!     Ok(Terrain::new(Recipe::from_ron(&text)?))
//! }
//! # let file = tempfile::NamedTempFile::new()?;
//! # std::fs::write(file.path(), Recipe::default().to_ron())?;
//! # assert_eq!(load(file.path().to_str().unwrap())?.recipe().map(|recipe| recipe.seed), Some(0));
//! # Ok::<(), BevyError>(())
//! ```
//!
//! # What to save
//! | source of the terrain | save |
//! |---|---|
//! | a recipe, or a file with one | `ground.recipe()`, converted to text by [`to_ron`](crate::heightmap::Recipe::to_ron) |
//! | a file with a map | its path; the map does not change |
//! | a map in memory, which the app may have changed | the map, see [below](#save-a-map) |
//! | an [`EndlessTerrain`](crate::EndlessTerrain) | its source (a recipe, or the path of the tiles), its `distance` and its `origin`; its regions are generated again |
//! | edits and modifiers of any of them | [`TerrainEdits`](crate::TerrainEdits) as bytes, and the child entities with [`TerrainPath`](crate::TerrainPath), [`TerrainPlatform`](crate::TerrainPlatform) or [`TerrainStamp`](crate::TerrainStamp) |
//!
//! The recipe contains the size, the scale, the seed and the sea level. It does not contain
//! [`Terrain::inland_water`](crate::Terrain::inland_water) (rivers and lakes), nor the components of the terrain, such
//! as [`TerrainLayers`](crate::TerrainLayers), [`TerrainEdits`](crate::TerrainEdits), [`Water`](crate::Water) and
//! [`TerrainDetail`](crate::TerrainDetail). Set them again when you load, or save them with [a
//! scene](#save-a-terrain-in-a-scene): all of them are reflected. With the feature `serialize`, those without asset
//! handles also implement serde's traits, so your own format can contain them.
//!
//! [Scattered](super::scattering) objects are generated again from their seed, so you only have to save what players
//! changed.
//!
//! # Save a map
//! You can write a heightmap to a file of any [format](crate::io::Format). GeoTIFF files, ESRI ASCII grids, XYZ files
//! and files with a sidecar also contain the size in meters and the georeference:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{
//!     io::{self, Format, WriteOptions},
//!     prelude::*,
//! };
//!
//! /// Returns the contents of a file `land.asc`. For a large map, run this in a task, on a clone of the surface.
//! fn grid(ground: &TerrainSurface) -> Result<Vec<u8>, io::ExportError> {
//!     let (model, options) = (ground.elevation_model(), WriteOptions::default());
//!     let mut file = Vec::new();
//!     io::write(&model, Format::Ascii, &options, &mut file, &Progress::default())?;
//!     Ok(file)
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TerrainPlugin));
//! # app.add_observer(|ready: On<TerrainReady>, grounds: Query<&TerrainSurface>, mut exit: MessageWriter<AppExit>| {
//! #     let ground = grounds.get(ready.entity).unwrap();
//! #     let again = io::read(&grid(ground).unwrap(), Format::Ascii, &default()).unwrap();
//! #     let relief = f64::from(ground.surface().scale().relief);
//! #     let highest = again.frame.elevation.meters(again.heights.range().1);
//! #     assert!((highest - relief).abs() < 0.01, "{highest} m of {relief}");
//! #     exit.write(AppExit::Success);
//! # });
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! # Save a terrain in a scene
//! [`Terrain`](crate::Terrain) is reflected, so a `DynamicWorld` (Bevy's feature `bevy_world_serialization`) saves and
//! loads it: a recipe as a value, a file as a path. Extract the entity of the terrain, and its children with modifiers.
//! Its other children, such as chunks and colliders, are created again. To serialize it yourself:
//!
//! ```
//! use bevy::{
//!     ecs::reflect::AppTypeRegistry,
//!     prelude::*,
//!     reflect::serde::{ReflectDeserializer, ReflectSerializer},
//! };
//! use lanternfell_terrain::prelude::*;
//! use serde::de::DeserializeSeed;
//!
//! fn to_text(terrain: &Terrain, registry: &AppTypeRegistry) -> Result<String> {
//!     Ok(ron::to_string(&ReflectSerializer::new(terrain, &registry.read()))?)
//! }
//!
//! fn from_text(text: &str, registry: &AppTypeRegistry) -> Result<Terrain> {
//!     let registry = registry.read();
//!     let mut text = ron::Deserializer::from_str(text)?;
//!     let read = ReflectDeserializer::new(&registry).deserialize(&mut text)?;
//!     Ok(Terrain::from_reflect(read.as_partial_reflect()).ok_or("the text is not a terrain")?)
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TerrainPlugin));
//! # let registry = app.world().resource::<AppTypeRegistry>();
//! # let hills = Recipe::new(MapSize::new(300, 200)?, 7, Hills { island: true, ..default() });
//! # let terrain = Terrain::new(hills).with_scale(Scale { spacing: 2.0, relief: 30.0 });
//! # assert_eq!(from_text(&to_text(&terrain, registry)?, registry)?, terrain);
//! # Ok::<(), BevyError>(())
//! ```
//!
//! This works for terrains made from recipes. To save the path of a file, you also need the handle processors that a
//! `DynamicWorld` uses: `HandleSerializeProcessor` and `HandleDeserializeProcessor`.
//!
//! # Reload files that change
//! With Bevy's feature `file_watcher`, a terrain is regenerated in the background when its file, an image of its
//! recipe, or a sidecar of its maps is written. Without the feature, or in a browser, call
//! `assets.reload("land.terrain.ron")`. Writing the same recipe again has no effect.
//!
//! If a file is invalid, the terrain does not change, and [`TerrainFailed`](crate::TerrainFailed) is triggered once:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn complain(failed: On<TerrainFailed>) {
//!     // The error contains the file, the invalid value, and what is allowed.
//!     warn!("{}", failed.error);
//! }
//! # App::new().add_observer(complain);
//! ```
//!
//! # Notes
//! - [`TerrainSurface::recipe`](crate::TerrainSurface::recipe) returns the recipe of the terrain that is shown.
//!   `Terrain::recipe` returns the requested recipe, which may still be in progress, and `None` if the source is a
//!   file.
//! - The path of a recipe's image is relative to the recipe's file. If the recipe is not in a file, the path is
//!   relative to the root of the assets. If you save a recipe to another folder, copy its
//!   [images](crate::heightmap::Recipe::images) too.
//! - Files with the extensions `.png` and `.tif` can also be loaded as images, so specify the type:
//!   `assets.load::<TerrainFile>("alps.png")`.
//! - `TerrainCache` (feature `disk-cache`) caches the heights of an [`EndlessTerrain`](crate::EndlessTerrain) with a
//!   slow recipe on disk. It is not a save: the cache may be deleted at any time.
//!
//! # Common mistakes
//! - *No file loads.* `TerrainPlugin` was added before `AssetPlugin`, which is part of `DefaultPlugins`.
//!   [`TerrainFailed`](crate::TerrainFailed) then contains this error.
//! - *A scene with a terrain does not load.* The app that loads it has no `TerrainPlugin`, which registers the types.
//! - *A map in memory is missing from a scene.* Scenes cannot save it. Write it to a file, and use that file as the
//!   source.
//! - *Holes are lost.* File formats for heightmaps have no holes. The holes of a recipe are one of its steps, and are
//!   saved with it.
//! - *A file is damaged.* The program was killed while it wrote the file. Write to another file first, then rename it.
//!   In a browser there are no files: use its local storage.
//!
//! # See also
//! [`Recipe`](crate::heightmap::Recipe) for the format, [`TerrainFile`](crate::TerrainFile) for the file types and
//! their settings, [`Terrain`](crate::Terrain) for how heights are converted.
