//! Problem: the ground in layers of one's own, with one's own pictures; a path that somebody has trodden; and what a
//! foot stands on.
//!
//! [`TerrainLayers`](crate::TerrainLayers) says what there is and where it lies by itself. Without a word about it
//! every terrain has the fourteen of [`TerrainLayers::temperate`](crate::TerrainLayers::temperate).
//!
//! # Layers of one's own
//! The two that want a place most share it. The first lies where none does. A band without an end goes on for ever,
//! and its `fade` is how wide its border is.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::{heightmap::Band, prelude::*, surface::layers::LayerRule};
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     let grass = GroundLayer::made(GroundKind::Grass, LayerRule::default());
//!     let sand = GroundLayer::made(
//!         GroundKind::Sand,
//!         LayerRule {
//!             height: Band { to: Some(3.0), fade: 1.0, ..default() }, // metres above the sea
//!             weight: 4.0,
//!             ..default()
//!         },
//!     );
//!     let rock = GroundLayer {
//!         name: "slate".into(),
//!         // Pictures of any size; also of heights, roughness and occlusion.
//!         texture: LayerTexture::Pictures(LayerPictures {
//!             normal: Some(assets.load("ground/slate_normal.png")),
//!             roughness: 0.7,
//!             ..LayerPictures::of(assets.load("ground/slate_color.png"))
//!         }),
//!         tint: Color::WHITE,
//!         tile: 6.0, // metres
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
//! Only other pictures for some of the fourteen are a line:
//! [`TerrainLayers::with_pictures`](crate::TerrainLayers::with_pictures).
//!
//! A layer with a picture that is not there is gray, and the log says why. One that is being loaded is gray until it
//! comes.
//!
//! A rule's `mask` is the name of a step of the terrain's recipe: where flood plains, a moraine or the ground of a
//! village were made, a layer can lie. Such a step is made again with what it is made of.
//!
//! # Painted by hand
//! Over the rules lies what [`TerrainPaint`](crate::TerrainPaint) has: a path here, and a yard that the player widens
//! where he stands. Strokes that are only added cost what they cover, and the textures' way to the renderer.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn setup(mut commands: Commands) {
//!     let path = PaintStroke {
//!         points: vec![Vec2::new(-60.0, 10.0), Vec2::ZERO, Vec2::new(45.0, -30.0)],
//!         ..PaintStroke::new("pebbles", 2.5)
//!     };
//!     commands.spawn((Terrain::default(), TerrainPaint::new([path])));
//! }
//!
//! #[derive(Component)]
//! struct Digger;
//!
//! fn tread(
//!     diggers: Query<&GlobalTransform, (With<Digger>, Changed<GlobalTransform>)>,
//!     terrains: TerrainQuery,
//!     mut paints: Query<(&mut TerrainPaint, &GlobalTransform)>,
//! ) {
//!     for digger in &diggers {
//!         let Some(hit) = terrains.hit(digger.translation()) else { continue };
//!         let Ok((mut paint, ground)) = paints.get_mut(hit.terrain) else { continue };
//!         let point = ground.affine().inverse().transform_point3(hit.point).xz();
//!         let dab = PaintStroke { points: vec![point], ..PaintStroke::new("mud", 1.5) };
//!         paint.strokes.push(dab);
//!     }
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin));
//! # app.add_systems(Startup, setup);
//! # app.add_systems(Update, tread);
//! # let digger = app.world_mut().spawn((Digger, Transform::from_xyz(3.0, 0.0, 4.0))).id();
//! # let start = std::time::Instant::now();
//! # loop {
//! #     app.update();
//! #     app.world_mut().get_mut::<Transform>(digger).unwrap().set_changed();
//! #     let world = app.world_mut();
//! #     let paint = world.query::<&TerrainPaint>().single(world).unwrap();
//! #     if let Some(dab) = paint.strokes.get(1) {
//! #         assert_eq!(dab.points, [Vec2::new(3.0, 4.0)]);
//! #         break;
//! #     }
//! #     assert!(start.elapsed().as_secs() < 120);
//! # }
//! ```
//!
//! # What a foot stands on
//! In an app that draws, so that a step in sand sounds of sand:
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn step(feet: Vec3, terrains: &TerrainQuery) -> Option<f32> {
//!     let cover = terrains.cover(feet)?;
//!     // How soft it is, of both that share the place.
//!     let softness = |layer: &GroundLayer| match layer.name.as_str() {
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
//! # What goes wrong
//! - *The ground has plain colors for a second or two at the start.* The textures are being made, and sent at most
//!   2 MiB a frame; [`LayerTextures::are_ready`](crate::LayerTextures::are_ready) says when it is done.
//! - *All of it is gray.* Its pictures are not there: the log says which.
//! - *A path is wider or more ragged than it was painted.* The control map has a texel for each cell of the ground, at
//!   most 2048 along a side (256 in a browser, where it is made between frames, as textures of 256 texels are), and none
//!   is finer.
//! - *A layer is nowhere.* The log names, once, layers that no place is as their rules ask, and those whose mask is not
//!   there.
//! - *Nothing changes any more.* What can not be, a seventeenth layer say, is told by a warning, and the layers before
//!   stay.
//! - *It is slow on a weak device.* [`LayerQuality::Low`](crate::LayerQuality::Low).
//!
//! # Read on
//! [`geometry::layers`](crate::surface::layers) for all that rules can ask; [`textures`](super::textures) for a
//! material of one's own instead.
