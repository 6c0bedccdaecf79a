//! Problem: trees where trees would grow, rocks where it is steep, grass in the meadows; the same ones whenever
//! the same land is there, and others as soon as the land is another.
//!
//! Cut the world into squares and let each have one place, by random numbers of its own. What does not fit the
//! ground there is left out. [`TerrainReady`](crate::TerrainReady) says when there is new ground.
//!
//! ```
//! use std::f64::consts::TAU;
//!
//! use bevy::{
//!     math::{DVec2, I64Vec2},
//!     prelude::*,
//! };
//! use lanternfell_terrain::{heightmap::SeededRng, prelude::*, surface::Surface};
//!
//! const TREES: Layer = Layer { name: b"trees   ", square: 6.0 };
//!
//! /// All trees of one land.
//! #[derive(Component)]
//! struct Forest;
//!
//! #[derive(Resource)]
//! struct TreeLooks {
//!     mesh: Handle<Mesh>,
//!     material: Handle<StandardMaterial>,
//! }
//!
//! /// An observer of the app: `app.add_observer(plant)`.
//! fn plant(
//!     ready: On<TerrainReady>,
//!     lands: Query<(&TerrainSurface, &Water, Option<&TerrainWindow>)>,
//!     forests: Query<(Entity, &ChildOf), With<Forest>>,
//!     looks: Res<TreeLooks>,
//!     mut commands: Commands,
//! ) {
//!     // An endless terrain has no ground of its own: its windows have.
//!     let Ok((ground, water, window)) = lands.get(ready.entity) else { return };
//!     for (forest, land) in &forests {
//!         if land.parent() == ready.entity {
//!             commands.entity(forest).despawn();
//!         }
//!     }
//!     let sea = water.surface_y(ground);
//!     let trees = places(ground, window, (7, &TREES), |surface, at| {
//!         // Where the default layers are green.
//!         let slope = surface.slope(Vec2::new(at.x, at.z));
//!         let is_level = slope.is_some_and(|slope| slope < 34.0);
//!         let snow = sea + 0.8 * (surface.scale().relief - sea);
//!         is_level && at.y > sea + 1.6 && at.y < snow
//!     });
//!     let forest = (Forest, Transform::default(), Visibility::default(), ChildOf(ready.entity));
//!     let forest = commands.spawn(forest).id();
//!     let (mesh, material) = (looks.mesh.clone(), looks.material.clone());
//!     commands.spawn_batch(trees.into_iter().map(move |place| {
//!         (Mesh3d(mesh.clone()), MeshMaterial3d(material.clone()), place, ChildOf(forest))
//!     }));
//! }
//!
#![doc = include_str!("places.rs")]
//! # fn app() -> App {
//! #     let mut app = App::new();
//! #     app.add_plugins((
//! #         MinimalPlugins,
//! #         TransformPlugin,
//! #         bevy::asset::AssetPlugin::default(),
//! #         bevy::mesh::MeshPlugin,
//! #         TerrainPlugin,
//! #     ));
//! #     app.init_asset::<StandardMaterial>().add_observer(plant);
//! #     app.insert_resource(TreeLooks { mesh: Handle::default(), material: Handle::default() });
//! #     app.finish();
//! #     app.cleanup();
//! #     app
//! # }
//! # fn until_ready(app: &mut App) {
//! #     loop {
//! #         app.update();
//! #         let world = app.world_mut();
//! #         let mut busy = world.query_filtered::<(), With<Generating>>();
//! #         let mut shown = world.query::<&TerrainSurface>();
//! #         let mut forests = world.query_filtered::<(), With<Forest>>();
//! #         let counts = [shown.iter(world).count(), forests.iter(world).count()];
//! #         if counts == [1, 1] && busy.iter(world).count() == 0 {
//! #             break;
//! #         }
//! #         std::thread::sleep(std::time::Duration::from_millis(1));
//! #     }
//! #     app.update();
//! # }
//! # /// Where the trees stand in the world, from west to east.
//! # fn trees(app: &mut App) -> Vec<Vec3> {
//! #     let world = app.world_mut();
//! #     let mut trees = world.query_filtered::<&GlobalTransform, With<MeshMaterial3d<StandardMaterial>>>();
//! #     let mut trees: Vec<Vec3> = trees.iter(world).map(|tree| tree.translation()).collect();
//! #     trees.sort_by(|a, b| a.x.total_cmp(&b.x));
//! #     trees
//! # }
//! # fn hills(seed: u64) -> Recipe {
//! #     Recipe::new(MapSize::new(150, 120).unwrap(), seed, Hills { island: true, ..default() })
//! # }
//! # fn main() {
//! #     let planted = |seed| {
//! #         let mut app = app();
//! #         app.world_mut().spawn(Terrain::new(hills(seed)));
//! #         until_ready(&mut app);
//! #         app
//! #     };
//! #     let mut first = planted(3);
//! #     let before = trees(&mut first);
//! #     assert!(before.len() > 20, "{}", before.len());
//! #     assert_eq!(before, trees(&mut planted(3)));
//! #     let world = first.world_mut();
//! #     let ground = world.query::<&TerrainSurface>().single(world).unwrap().clone();
//! #     for tree in &before {
//! #         let height = ground.surface().height(Vec2::new(tree.x, tree.z));
//! #         assert_eq!(height, Some(tree.y));
//! #     }
//! #     world.query::<&mut Terrain>().single_mut(world).unwrap().source = hills(4).into();
//! #     until_ready(&mut first);
//! #     let after = trees(&mut first);
//! #     assert_ne!(before, after);
//! #     assert_eq!(after, trees(&mut planted(4)));
//! #     // Without end, from two places: what both see is the same.
//! #     let seen = |at: Vec3| {
//! #         let mut app = app();
//! #         let noise = FractalNoise { octaves: 4, scale: 60.0, ..default() };
//! #         let endless = EndlessTerrain::new(Recipe::new(MapSize::default(), 5, noise));
//! #         app.world_mut().spawn(EndlessTerrain { distance: 100.0, ..endless });
//! #         let viewer = app.world_mut().spawn((TerrainViewer, Transform::IDENTITY)).id();
//! #         until_ready(&mut app);
//! #         app.world_mut().get_mut::<Transform>(viewer).unwrap().translation = at;
//! #         app.update();
//! #         until_ready(&mut app);
//! #         let mut trees = trees(&mut app);
//! #         trees.retain(|tree| tree.xz().abs_diff_eq(Vec2::new(150.0, 0.0), 50.0));
//! #         trees
//! #     };
//! #     let (here, there) = (seen(Vec3::new(130.0, 0.0, 0.0)), seen(Vec3::new(220.0, 0.0, 10.0)));
//! #     assert!(here.len() > 5, "{}", here.len());
//! #     assert_eq!(here.len(), there.len());
//! #     assert!(here.iter().zip(&there).all(|(a, b)| a.distance(*b) < 1e-3));
//! # }
//! ```
//!
//! Rocks are another `Layer` with another rule, slopes above 30 degrees, say, and squares of 15 m.
//!
//! # Without end
//! The same observer plants an [`EndlessTerrain`](crate::EndlessTerrain). Around viewers it consists of
//! [windows](crate::TerrainWindow), each an ordinary terrain, on which [`TerrainReady`](crate::TerrainReady) is
//! triggered when it is complete and still hidden. The forest is the window's child: it appears with it, and goes
//! with it. Squares are counted over the whole world, by
//! [`TerrainWindow::north_west`](crate::TerrainWindow::north_west), so the next window has the same trees where
//! both lie, and nobody sees the exchange.
//!
//! # Large land: in the background
//! A square costs about a quarter of a microsecond, and each tree that is spawned more. From some ten thousand
//! squares on that is seen as a hitch. A [`TerrainSurface`](crate::TerrainSurface) is cheap to clone and can be
//! asked anywhere, so a task finds the places, and each frame spawns a part:
//!
//! ```
//! # use std::f64::consts::TAU;
//! # use bevy::math::{DVec2, I64Vec2};
//! # use lanternfell_terrain::{heightmap::SeededRng, surface::Surface};
//! use bevy::{
//!     prelude::*,
//!     tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
//! };
//! use lanternfell_terrain::prelude::*;
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/places.rs"));
//!
//! const TREES: Layer = Layer { name: b"trees   ", square: 6.0 };
//! const TREES_A_FRAME: usize = 500;
//!
//! #[derive(Component)]
//! struct Tree;
//!
//! /// All trees of one land, as its child: when the land goes, so does the work on them.
//! #[derive(Component)]
//! struct Forest {
//!     finding: Option<Task<Vec<Transform>>>,
//!     seedlings: Vec<Transform>,
//! }
//!
//! fn find(
//!     ready: On<TerrainReady>,
//!     lands: Query<(&TerrainSurface, &Water, Option<&TerrainWindow>)>,
//!     forests: Query<(Entity, &ChildOf), With<Forest>>,
//!     mut commands: Commands,
//! ) {
//!     let Ok((ground, water, window)) = lands.get(ready.entity) else { return };
//!     // On other ground they would hang in the air.
//!     for (forest, land) in &forests {
//!         if land.parent() == ready.entity {
//!             commands.entity(forest).despawn();
//!         }
//!     }
//!     let (ground, window, sea) = (ground.clone(), window.copied(), water.surface_y(ground));
//!     let task = AsyncComputeTaskPool::get().spawn(async move {
//!         places(&ground, window.as_ref(), (7, &TREES), |_, at| at.y > sea + 2.0)
//!     });
//!     let forest = Forest { finding: Some(task), seedlings: Vec::new() };
//!     commands.spawn((forest, Transform::default(), Visibility::default(), ChildOf(ready.entity)));
//!     // Of an endless terrain the window before stays, with its trees, until these are there.
//!     if window.is_some() {
//!         commands.entity(ready.entity).insert(HoldWindow);
//!     }
//! }
//!
//! fn plant(mut commands: Commands, mut forests: Query<(Entity, &mut Forest, &ChildOf)>) {
//!     for (entity, mut forest, land) in &mut forests {
//!         if let Some(found) = forest.finding.as_mut().and_then(check_ready) {
//!             (forest.finding, forest.seedlings) = (None, found);
//!         }
//!         if forest.seedlings.is_empty() {
//!             if forest.finding.is_none() {
//!                 commands.entity(land.parent()).try_remove::<HoldWindow>();
//!             }
//!             continue;
//!         }
//!         let left = forest.seedlings.len().saturating_sub(TREES_A_FRAME);
//!         let now = forest.seedlings.split_off(left);
//!         // With their mesh and material, as above.
//!         commands.spawn_batch(now.into_iter().map(move |place| (Tree, place, ChildOf(entity))));
//!     }
//! }
//!
//! fn forest_plugin(app: &mut App) {
//!     // After the plugin's own systems no land goes away any more in this frame.
//!     app.add_observer(find).add_systems(Update, plant.after(TerrainSystems::Present));
//! }
//! # fn main() {
//! #     let mut app = App::new();
//! #     app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin, forest_plugin));
//! #     app.add_systems(Last, |trees: Query<(), With<Tree>>, forests: Query<&Forest>, mut exit: MessageWriter<AppExit>| {
//! #         if forests.iter().any(|forest| forest.finding.is_none() && forest.seedlings.is_empty()) {
//! #             assert!(trees.iter().count() > TREES_A_FRAME);
//! #             exit.write(AppExit::Success);
//! #         }
//! #     });
//! #     app.world_mut().spawn(Terrain::default());
//! #     assert!(app.run().is_success());
//! # }
//! ```
//!
//! So trees come some frames after their land. Not so those of an endless terrain: while a window has
//! [`HoldWindow`](crate::HoldWindow) it stays hidden, and the one before it stays with all that is on it. They change
//! places in one frame, and no tree is ever gone that both have. Take it off in any case, also if nothing was found:
//! else the ground ends where the window before does.
//!
//! # Grass
//! Thousands of tufts are too many for entities of their own. Make one mesh of all in a tile of 32 m or so, and
//! let a [`VisibilityRange`](bevy::camera::visibility::VisibilityRange) leave it out where tufts would be smaller
//! than pixels:
//!
//! ```
//! # use bevy::{asset::RenderAssetUsages, prelude::*};
//! use bevy::{camera::visibility::VisibilityRange, mesh::{Indices, PrimitiveTopology}};
//!
//! /// Two crossed quads for each tuft; places are in the frame of the tile. Its material is `double_sided`, with no
//! /// `cull_mode` and `AlphaMode::Mask(0.5)`.
//! fn tufts(places: &[Transform]) -> Mesh {
//!     let (mut positions, mut normals, mut uvs, mut indices) = (vec![], vec![], vec![], vec![]);
//!     for place in places {
//!         for across in [Vec3::X, Vec3::Z] {
//!             let first = positions.len() as u32;
//!             for (side, up) in [(-0.3, 0.0), (0.3, 0.0), (0.3, 0.5), (-0.3, 0.5)] {
//!                 positions.push(place.transform_point(side * across + up * Vec3::Y));
//!                 // Lit as the ground is, so that it does not stand out from it.
//!                 normals.push(Vec3::Y);
//!                 uvs.push(Vec2::new(side / 0.6 + 0.5, 1.0 - up / 0.5));
//!             }
//!             indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
//!         }
//!     }
//!     Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
//!         .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
//!         .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
//!         .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
//!         .with_inserted_indices(Indices::U32(indices))
//! }
//!
//! /// Beside the tile's mesh: whole up to 50 m, and gone at 60 m.
//! fn near() -> VisibilityRange {
//!     VisibilityRange { start_margin: 0.0..0.0, end_margin: 50.0..60.0, use_aabb: true }
//! }
//! # let mesh = tufts(&[Transform::from_xyz(1.0, 2.0, 3.0), Transform::from_xyz(4.0, 2.0, 3.0)]);
//! # assert_eq!((mesh.count_vertices(), mesh.indices().unwrap().len()), (16, 24));
//! # assert_eq!(near().end_margin.end, 60.0);
//! ```
//!
//! # To know
//! - Places are metres in the land's own frame, and y is exact on the triangles that are drawn nearby. Far away
//!   the land is drawn more coarsely, off by no more than [`TerrainDetail::pixel_error`](crate::TerrainDetail):
//!   nobody sees it.
//! - Squares of a terrain are counted from its middle. A recipe of another size has its trees elsewhere.
//! - What is asked there: [`Surface`](crate::surface::Surface) has `slope` in degrees, `normal`,
//!   `curvature` (hollows are moist), and [`analysis`](crate::heightmap::analysis),
//!   [`hydrology`](crate::heightmap::hydrology) and [`climate`](crate::heightmap::climate) make whole maps of
//!   what grows where: measure one in the task, and ask it by column and row.
//! - Trees that share one handle of a mesh and one of a material are drawn at once (WebGL2: about 23 in one
//!   draw). Each is an entity, though, and 100,000 of them cost milliseconds a frame in culling alone: merge them
//!   by tiles, as grass, and keep entities for those near the player.
//! - A tree's foot on a slope: sink it by 20 cm, or [`SnapToGround`](crate::SnapToGround) with `height: -0.2`,
//!   which follows the ground each frame.
//!
//! # What goes wrong
//! - The trees of another run differ: a random generator that all squares share gives what depends on the order,
//!   and `rand`'s standard generator changes with its releases. [`SeededRng`](crate::heightmap::SeededRng) does
//!   neither.
//! - Trees in the sea: the level is [`Water::surface_y`](crate::Water::surface_y), not 0. It may be changed after
//!   the land is ready; then plant again (`Changed<Water>`).
//! - Trees that are children of the window but placed by world positions stand twice as far out as they should:
//!   use the window's frame.
//! - Trees are as small as ants: children of a terrain are scaled with it.
//!
//! # Where to read on
//! `examples/picking.rs`, where a click plants one; Bowers and others, *Parallel Poisson Disk Sampling with
//! Spectrum Analysis on Surfaces*, 2010, for places that keep a distance from each other.
