//! Problem: the land that the player has today is to be there tomorrow; and the land that a designer edits is to
//! be seen while the app runs.
//!
//! A recipe is its own save: a page of text, from which the same land is made, to the last bit, on every machine.
//! [`TerrainSurface::recipe`](crate::TerrainSurface::recipe) has it with the scale that the land stands at.
//!
//! ```
//! use std::{fs, path::PathBuf};
//!
//! use bevy::{asset::AssetPlugin, prelude::*};
//! use lanternfell_terrain::prelude::*;
//!
//! /// Where the app's files are: of `AssetPlugin::default()` the folder `assets`.
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
//! #         let mut grounds = world.query_filtered::<&TerrainSurface, Without<Generating>>();
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
//! # // The file is edited, and read again.
//! # let mut other = after.recipe().unwrap().clone();
//! # other.seed = 8;
//! # std::fs::write(folder.path().join("land.terrain.ron"), other.to_ron())?;
//! # tomorrow.world().resource::<AssetServer>().reload("land.terrain.ron");
//! # while ground(&mut tomorrow).recipe() != Some(&other) {}
//! # assert_ne!(ground(&mut tomorrow).map(), before.map());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a save has to hold
//! | the land is of | saved is |
//! |---|---|
//! | a recipe, or a file with one | `ground.recipe()`, of which [`to_ron`](crate::heightmap::Recipe::to_ron) is the text |
//! | a file with a map | its path: the map does not change |
//! | a map in hand, also one that the app has changed | the map itself, as below |
//! | an [`EndlessTerrain`](crate::EndlessTerrain) | its source (a recipe, or the path of the tiles), its `distance` and its `origin`; its windows are made again |
//!
//! [`TerrainLayers`](crate::TerrainLayers), [`Water`](crate::Water) and [`TerrainDetail`](crate::TerrainDetail)
//! are components of their own, all of them reflected; the height of the sea that a recipe has is in the recipe.
//! What stands on the land is found again by its seed ([`scattering`](super::scattering)), so only what players
//! changed is left to be saved.
//!
//! # A map
//! Heights become a file in any [format](crate::io::Format); with a sidecar, or in a GeoTIFF or ESRI
//! ASCII grid, the metres and the place on earth go along:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{
//!     io::{self, Format, WriteOptions},
//!     prelude::*,
//! };
//!
//! /// What goes into a file `land.asc`. Of a large map this takes a while: run it in a task, on a clone of the ground.
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
//! #     let highest = again.frame.elevation.metres(again.heights.range().1);
//! #     assert!((highest - relief).abs() < 0.01, "{highest} m of {relief}");
//! #     exit.write(AppExit::Success);
//! # });
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! # A terrain in a scene
//! [`Terrain`](crate::Terrain) is reflected, so a `DynamicWorld` (Bevy's feature `bevy_world_serialization`)
//! saves and loads it with all else: a recipe as a value, a file by its path. By hand it is this:
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
//!     Ok(Terrain::from_reflect(read.as_partial_reflect()).ok_or("it is no terrain")?)
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
//! So it is for terrains of recipes. Of a terrain of a file the path is saved, by the processors that a
//! `DynamicWorld` brings along: `HandleSerializeProcessor` and `HandleDeserializeProcessor`.
//!
//! # Files that are edited
//! With Bevy's feature `file_watcher` a terrain follows its file, the images of its recipe and the sidecars of
//! its maps: a moment after the file is written, the ground is made anew in the background. Without the feature,
//! or in a browser, `assets.reload("land.terrain.ron")` does it by hand. A file that is written again with the
//! same recipe starts nothing.
//!
//! A file that is wrong leaves the ground as it is, and says so once:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn complain(failed: On<TerrainFailed>) {
//!     // Names the file, what is wrong in it, and what is allowed.
//!     warn!("{}", failed.error);
//! }
//! # App::new().add_observer(complain);
//! ```
//!
//! # To know
//! - [`TerrainSurface::recipe`](crate::TerrainSurface::recipe) is what the ground that stands was made of;
//!   `Terrain::recipe` what was asked for, of which nothing may be made yet, and none where the source is a file.
//! - Recipes of all earlier versions are read; what is written is the newest
//!   ([`Recipe::VERSION`](crate::heightmap::Recipe::VERSION)).
//! - An image of a recipe is looked for beside the recipe's file; of a recipe in no file from the root of the
//!   assets. Who saves a recipe to another folder takes its [images](crate::heightmap::Recipe::images) along.
//! - `.png` and `.tif` are also pictures, so say the type: `assets.load::<TerrainFile>("alps.png")`.
//! - Ground of slow endless recipes is kept on disk by [`TerrainCache`](crate::EndlessTerrain) (feature
//!   `disk-cache`). It is no save: it may be deleted at any time.
//!
//! # What goes wrong
//! - Nothing loads: `TerrainPlugin` stands before `AssetPlugin` (which `DefaultPlugins` has). The error says so.
//! - A scene with a terrain does not load: it is read without `TerrainPlugin`, which registers the types.
//! - A map in hand is saved as nothing by scenes. Write it to a file, and name that.
//! - Holes of a map go into no file of heights; those of a recipe are a step of it, and saved with it.
//! - A program that is killed while it writes leaves half a file: write beside it, then rename. In a browser
//!   there are no files; keep the text in its local storage.
//!
//! # Where to read on
//! [`Recipe`](crate::heightmap::Recipe) for the format, [`TerrainFile`](crate::TerrainFile) for what files are
//! read and their settings, [`Terrain`](crate::Terrain) for what becomes of their heights.
