//! How to choose the layers of a terrain, use your own textures, move the snow line, paint paths by hand, and find out
//! which layer is under a character's feet.
//!
//! [`TerrainLayers`](crate::TerrainLayers) defines the layers and the rules where each appears. By default, a terrain
//! has the fourteen layers of [`TerrainLayers::temperate`](crate::TerrainLayers::temperate): "grass", "meadow",
//! "dry grass", "forest floor", "mud", "moss", "sand", "wet sand", "pebbles", "granite", "basalt", "sandstone", "scree"
//! and "snow".
//!
//! # Change the default layers
//! [`LayerZones`](crate::LayerZones) sets the heights and slopes at which the default layers change, for example the
//! snow line. [`TerrainLayers::with_images`](crate::TerrainLayers::with_images) replaces the textures of some
//! layers. [`TerrainLayers::layer_mut`](crate::TerrainLayers::layer_mut) changes anything else of a layer.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     // Snow in the upper 40 % of the heights between the sea and the highest possible point.
//!     let zones = LayerZones { snow_line: 0.6, ..default() };
//!     // Grass uses `assets/ground/grass_color.png` and `assets/ground/grass_normal.png`.
//!     let mut layers =
//!         TerrainLayers::temperate(&zones).with_images(&assets, "ground", "png", &["grass"]);
//!     if let Some(grass) = layers.layer_mut("grass") {
//!         grass.tile = 3.0; // the width of the texture in meters
//!     }
//!     commands.spawn((Terrain::default(), layers));
//! }
//! # bevy::ecs::system::assert_is_system(setup);
//! ```
//!
//! - Images need Bevy's feature for their format. Bevy's default features include `png`, but not `jpeg`.
//! - For other file names, or height, roughness and occlusion maps, set
//!   [`TerrainLayer::texture`](crate::TerrainLayer::texture) to [`LayerImages`](crate::LayerImages), as in the
//!   [next section](#define-layers).
//! - To change the layers later, write to the component `TerrainLayers` of the terrain. The new layers appear after a
//!   background task, and the terrain is not regenerated.
//!
//! The snow line is a fraction. This function computes it for an elevation, on a terrain that is ready:
//!
//! ```
//! # use lanternfell_terrain::prelude::*;
//! /// Returns the `LayerZones::snow_line` at an elevation in meters above the map's zero, which is usually sea level.
//! fn snow_line(ground: &TerrainSurface, elevation: f32) -> f32 {
//!     let (y, sea) = (elevation - ground.datum() as f32, ground.water_level());
//!     (y - sea) / (ground.surface().scale().relief - sea)
//! }
//! # let _ = snow_line;
//! ```
//!
//! # Define layers
//! At each point, the two layers with the highest weights are blended. The first layer of the list is used where no
//! other rule applies. A [`Band`](crate::heightmap::Band) without `from` or `to` is unlimited on that side, and `fade`
//! is the distance beyond its limits over which the weight falls to 0.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{heightmap::Band, prelude::*, surface::layers::LayerRule};
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     let grass = TerrainLayer::procedural(GroundKind::Grass, LayerRule::default());
//!     let sand = TerrainLayer::procedural(
//!         GroundKind::Sand,
//!         LayerRule {
//!             height: Band { to: Some(3.0), fade: 1.0, ..default() }, // meters above the sea
//!             weight: 4.0,
//!             ..default()
//!         },
//!     );
//!     let rock = TerrainLayer {
//!         name: "slate".into(),
//!         // Textures of any size. Height, roughness and occlusion maps are optional.
//!         texture: LayerTexture::Images(LayerImages {
//!             normal: Some(assets.load("ground/slate_normal.png")),
//!             roughness: 0.7,
//!             ..LayerImages::of(assets.load("ground/slate_color.png"))
//!         }),
//!         tint: Color::WHITE,
//!         tile: 6.0, // meters
//!         rule: LayerRule {
//!             slope: Band { from: Some(35.0), fade: 8.0, ..default() }, // degrees
//!             weight: 8.0,
//!             ..default()
//!         },
//!     };
//!     let layers = TerrainLayers::new(vec![grass, sand, rock]);
//!     assert!(layers.validate().is_ok());
//!     commands.spawn((Terrain::default(), layers));
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, AssetPlugin::default(), ImagePlugin::default(), TransformPlugin, TerrainPlugin));
//! # app.add_systems(Startup, setup);
//! # app.finish();
//! # app.cleanup();
//! # app.update();
//! # let world = app.world_mut();
//! # let layers = world.query::<&TerrainLayers>().single(world).unwrap();
//! # assert_eq!(layers.index("slate"), Some(2));
//! ```
//!
//! While a texture is loading, its layer is gray. If the texture fails to load, the layer stays gray and the log
//! contains the error.
//!
//! A rule's `mask` is the name of a step of the terrain's recipe, whose values from 0 to 1 multiply the weight. Use it
//! to place a layer where the recipe created a flood plain, a moraine or the site of a village. The plugin generates
//! that step again to get its map.
//!
//! # Paint layers by hand
//! A [`TerrainPath`](crate::TerrainPath) paints a path along a line, and [`EditTerrain`](crate::EditTerrain) paints with a
//! brush, for example a yard that the player widens. Each author can undo their strokes. Only the
//! painted area is updated, except by the first path or stroke of a terrain that was spawned without
//! [`TerrainEdits`](crate::TerrainEdits).
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{
//!     EditTerrain, TerrainEdit, TerrainPath,
//!     edits::{Brush, Earthwork, Pavement},
//!     prelude::*,
//! };
//!
//! fn setup(mut commands: Commands) {
//!     let layers = TerrainLayers::default();
//!     let line = [Vec3::new(-60.0, 0.0, 10.0), Vec3::ZERO, Vec3::new(45.0, 0.0, -30.0)];
//!     let path = TerrainPath {
//!         // Only paint: the terrain keeps its heights.
//!         earthwork: Earthwork::None,
//!         pavement: Pavement { layer: layers.index("pebbles"), margin: 1.5, ..default() },
//!         ..TerrainPath::new(3.0, line)
//!     };
//!     commands.spawn((Terrain::default(), layers, children![path]));
//! }
//!
//! #[derive(Component)]
//! struct Digger;
//!
//! fn tread(
//!     diggers: Query<&GlobalTransform, (With<Digger>, Changed<GlobalTransform>)>,
//!     terrains: TerrainQuery,
//!     places: Query<(&GlobalTransform, &TerrainLayers)>,
//!     mut commands: Commands,
//! ) {
//!     for digger in &diggers {
//!         let Some(hit) = terrains.hit(digger.translation()) else { continue };
//!         let Ok((place, layers)) = places.get(hit.terrain) else { continue };
//!         let Some(layer) = layers.index("mud") else { continue };
//!         let point = place.affine().inverse().transform_point3(hit.point).xz();
//!         commands.entity(hit.terrain).trigger(|entity| EditTerrain {
//!             entity,
//!             author: 1,
//!             edit: TerrainEdit::stroke(Brush::Paint { layer }, 1.5, [point]),
//!         });
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin));
//! # app.add_systems(Startup, setup);
//! # app.add_systems(Update, tread);
//! # let digger = app.world_mut().spawn((Digger, Transform::from_xyz(3.0, 0.0, 4.0))).id();
//! # let start = std::time::Instant::now();
//! # loop {
//! #     assert!(start.elapsed().as_secs() < 120);
//! #     app.update();
//! #     app.world_mut().get_mut::<Transform>(digger).unwrap().set_changed();
//! #     let world = app.world_mut();
//! #     let mut edited = world.query::<(&TerrainEdits, &TerrainSurface, &TerrainLayers)>();
//! #     let Ok((edits, ground, layers)) = edited.single(world) else { continue };
//! #     if let Some(entry) = edits.entries().next() {
//! #         let mud = Brush::Paint { layer: layers.index("mud").unwrap() };
//! #         let stroke = ground.local_stroke(mud, 1.5, [Vec2::new(3.0, 4.0)]).unwrap();
//! #         assert_eq!(entry.operation, lanternfell_terrain::edits::Operation::Stroke(stroke));
//! #         break;
//! #     }
//! # }
//! ```
//!
//! The index of a layer is its position in [`TerrainLayers`](crate::TerrainLayers), so add new layers at the end.
//!
//! # Query the layer at a point
//! [`TerrainQuery::cover`](crate::TerrainQuery::cover) returns the layers at a point, for example to choose the sound
//! of a footstep. It needs a renderer, or a [`NeedsTerrainCover`](crate::NeedsTerrainCover) on the terrain:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn step(feet: Vec3, terrains: &TerrainQuery) -> Option<f32> {
//!     let cover = terrains.cover(feet)?;
//!     // The softness of the two layers, weighted by their shares.
//!     let softness = |layer: &TerrainLayer| match layer.name.as_str() {
//!         "sand" | "mud" | "snow" | "moss" => 1.0,
//!         "granite" | "basalt" | "scree" => 0.0,
//!         _ => 0.5,
//!     };
//!     let share = cover.share;
//!     Some(softness(cover.layer) * share + softness(cover.other) * (1.0 - share))
//! }
//! # fn ask(terrains: TerrainQuery) { step(Vec3::ZERO, &terrains); }
//! # bevy::ecs::system::assert_is_system(ask);
//! ```
//!
//! # Common mistakes
//! - *The terrain has plain colors for a second or two at the start.* The textures are still being generated and
//!   uploaded, at most 2 MiB per frame. [`LayerTextures::are_ready`](crate::LayerTextures::are_ready) returns whether
//!   they are complete.
//! - *The terrain is gray.* Its textures could not be loaded. The log lists them.
//! - *A path is wider or more ragged than painted.* The control map has one texel per cell of the terrain, and at most
//!   2048 texels on a side. In a browser the limits are 256 texels for the control map and for the textures, because
//!   both are generated between two frames. Details smaller than a texel are lost.
//! - *A layer does not appear.* The log names, once, the layers whose rules match no point of the terrain, and those
//!   whose mask is missing.
//! - *Changes no longer have an effect.* The layers are invalid, for example because there are more than 16. The log
//!   contains a warning, and the previous layers stay.
//! - *Rendering is slow on a weak GPU.* Use [`LayerQuality::Low`](crate::LayerQuality::Low).
//!
//! # See also
//! [`surface::layers`](crate::surface::layers) for everything that rules can use; [`textures`](super::textures) for
//! textures in your own material.
