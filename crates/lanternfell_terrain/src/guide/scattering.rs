//! How to place trees where they would grow, rocks on steep slopes, and grass in meadows. The same terrain and seed
//! always give the same objects.
//!
//! The crate `lanternfell_vegetation` does all of this for you, also with your own models. This guide is for rules and
//! objects that it does not cover.
//!
//! Divide the world into squares. Each square gets one candidate position from its own random numbers, and your rule
//! rejects the positions that do not fit the terrain there. Do this in an observer of
//! [`TerrainReady`](crate::TerrainReady), which is triggered for every new terrain.
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
//! /// The parent of all trees of one terrain.
//! #[derive(Component)]
//! struct Forest;
//!
//! #[derive(Resource)]
//! struct TreeLooks {
//!     mesh: Handle<Mesh>,
//!     material: Handle<StandardMaterial>,
//! }
//!
//! /// Add this with `app.add_observer(plant)`.
//! fn plant(
//!     ready: On<TerrainReady>,
//!     lands: Query<(&TerrainSurface, &Water, Option<&TerrainRegion>)>,
//!     forests: Query<(Entity, &ChildOf), With<Forest>>,
//!     looks: Res<TreeLooks>,
//!     mut commands: Commands,
//! ) {
//!     // The entity of an endless terrain has no surface, but its regions do.
//!     let Ok((ground, water, region)) = lands.get(ready.entity) else { return };
//!     for (forest, land) in &forests {
//!         if land.parent() == ready.entity {
//!             commands.entity(forest).despawn();
//!         }
//!     }
//!     let sea = water.surface_y(ground);
//!     let trees = places(ground, region, (7, &TREES), |surface, at| {
//!         // Where the default layers have grass.
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
#![doc = include_str!("positions.rs")]
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
//! #         let mut busy = world.query_filtered::<(), With<TerrainProgress>>();
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
//! # /// The positions of the trees in world space, from west to east.
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
//! #     // Endless terrain, seen from two places: the trees that both see are the same.
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
//! For rocks, use another `Layer` and another rule, for example slopes above 30 degrees and squares of 15 m.
//!
//! # Endless terrain
//! The same observer works for an [`EndlessTerrain`](crate::EndlessTerrain). Around the viewers it consists of
//! [regions](crate::TerrainRegion), each of which is an ordinary terrain. [`TerrainReady`](crate::TerrainReady) is
//! triggered on a region when it is complete but still hidden. The forest is a child of the region, so it is shown and
//! despawned with it.
//!
//! Squares are numbered from a fixed point of the world, using
//! [`TerrainRegion::north_west`](crate::TerrainRegion::north_west). Where two regions overlap, they therefore have the
//! same trees, and nothing visible changes when one replaces the other.
//!
//! # Large terrains: work in the background
//! A square takes about a quarter of a microsecond, and spawning a tree takes longer. Above some ten thousand squares
//! you will see a hitch. A [`TerrainSurface`](crate::TerrainSurface) is cheap to clone and can be used on any thread.
//! So find the positions in a task, and spawn a part of the trees in each frame:
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
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/positions.rs"));
//!
//! const TREES: Layer = Layer { name: b"trees   ", square: 6.0 };
//! const TREES_A_FRAME: usize = 500;
//!
//! #[derive(Component)]
//! struct Tree;
//!
//! /// The parent of all trees of one terrain, and a child of it: despawning the terrain cancels the task.
//! #[derive(Component)]
//! struct Forest {
//!     finding: Option<Task<Vec<Transform>>>,
//!     seedlings: Vec<Transform>,
//! }
//!
//! fn find(
//!     ready: On<TerrainReady>,
//!     lands: Query<(&TerrainSurface, &Water, Option<&TerrainRegion>)>,
//!     forests: Query<(Entity, &ChildOf), With<Forest>>,
//!     mut commands: Commands,
//! ) {
//!     let Ok((ground, water, region)) = lands.get(ready.entity) else { return };
//!     // The old trees do not fit the new terrain.
//!     for (forest, land) in &forests {
//!         if land.parent() == ready.entity {
//!             commands.entity(forest).despawn();
//!         }
//!     }
//!     let (ground, region, sea) = (ground.clone(), region.copied(), water.surface_y(ground));
//!     let task = AsyncComputeTaskPool::get().spawn(async move {
//!         places(&ground, region.as_ref(), (7, &TREES), |_, at| at.y > sea + 2.0)
//!     });
//!     let forest = Forest { finding: Some(task), seedlings: Vec::new() };
//!     commands.spawn((forest, Transform::default(), Visibility::default(), ChildOf(ready.entity)));
//!     // Keep the previous region of an endless terrain, with its trees, until the new trees are spawned.
//!     if region.is_some() {
//!         commands.entity(ready.entity).insert(HoldRegion);
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
//!                 commands.entity(land.parent()).try_remove::<HoldRegion>();
//!             }
//!             continue;
//!         }
//!         let left = forest.seedlings.len().saturating_sub(TREES_A_FRAME);
//!         let now = forest.seedlings.split_off(left);
//!         // Add the mesh and the material as above.
//!         commands.spawn_batch(now.into_iter().map(move |place| (Tree, place, ChildOf(entity))));
//!     }
//! }
//!
//! fn forest_plugin(app: &mut App) {
//!     app.add_observer(find).add_systems(Update, plant);
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
//! With this code, the trees of an ordinary terrain appear a few frames after it. The trees of an endless terrain
//! appear together with it: a region with a [`HoldRegion`](crate::HoldRegion) stays hidden, and the previous region and
//! its trees stay visible. Then the new region replaces the previous one in a single frame, so a tree that is on both
//! never disappears.
//!
//! Always remove `HoldRegion`, even if there are no positions. Otherwise the terrain ends at the border of the previous
//! region.
//!
//! # Grass
//! Thousands of tufts are too many for separate entities. Build one mesh for all tufts in a tile of about 32 m, and use
//! a [`VisibilityRange`](bevy::camera::visibility::VisibilityRange) to hide the tile where tufts would be smaller than
//! a pixel:
//!
//! ```
//! # use bevy::{asset::RenderAssetUsages, prelude::*};
//! use bevy::{camera::visibility::VisibilityRange, mesh::{Indices, PrimitiveTopology}};
//!
//! /// Two crossed quads per tuft, in the tile's local space. Use a material with `double_sided: true`,
//! /// `cull_mode: None` and `AlphaMode::Mask(0.5)`.
//! fn tufts(places: &[Transform]) -> Mesh {
//!     let (mut positions, mut normals, mut uvs, mut indices) = (vec![], vec![], vec![], vec![]);
//!     for place in places {
//!         for across in [Vec3::X, Vec3::Z] {
//!             let first = positions.len() as u32;
//!             for (side, up) in [(-0.3, 0.0), (0.3, 0.0), (0.3, 0.5), (-0.3, 0.5)] {
//!                 positions.push(place.transform_point(side * across + up * Vec3::Y));
//!                 // The normal points up, so that the tuft is lit like the terrain below it.
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
//! /// Insert this next to the tile's mesh: opaque up to 50 m, hidden from 60 m on.
//! fn near() -> VisibilityRange {
//!     VisibilityRange { start_margin: 0.0..0.0, end_margin: 50.0..60.0, use_aabb: true }
//! }
//! # let mesh = tufts(&[Transform::from_xyz(1.0, 2.0, 3.0), Transform::from_xyz(4.0, 2.0, 3.0)]);
//! # assert_eq!((mesh.count_vertices(), mesh.indices().unwrap().len()), (16, 24));
//! # assert_eq!(near().end_margin.end, 60.0);
//! ```
//!
//! # Notes
//! - Positions are in meters in the terrain's local space. y is exact for the triangles that are rendered at full
//!   detail. Far away, the rendered surface differs by at most [`TerrainDetail::pixel_error`](crate::TerrainDetail),
//!   which is not visible.
//! - Squares are numbered from the center of a terrain. If you change the size of a recipe, its trees move.
//! - For rules, [`Surface`](crate::surface::Surface) has `slope` in degrees, `normal` and `curvature` (hollows are
//!   moist). [`analysis`](crate::heightmap::analysis), [`hydrology`](crate::heightmap::hydrology) and
//!   [`climate`](crate::heightmap::climate) compute whole maps: compute one in the task, and look up its columns and
//!   rows.
//! - Trees with the same mesh and material handles are drawn in one batch (on WebGL2, about 23 per draw). But each is
//!   an entity, and culling 100,000 of them takes milliseconds per frame. Merge distant trees into tiles, like the
//!   grass, and use entities only near the player.
//! - To keep the foot of a tree below the surface on a slope, lower it by 20 cm, or use
//!   [`SnapToGround`](crate::SnapToGround) with `height: -0.2`, which updates the height each frame.
//!
//! # Common mistakes
//! - *Every run has different trees.* With one random number generator for all squares, the result depends on their
//!   order. The standard generator of `rand` also changes between releases. [`SeededRng`](crate::heightmap::SeededRng)
//!   has neither problem.
//! - *Trees grow in the sea.* The water level is [`Water::surface_y`](crate::Water::surface_y), not 0. If it can change
//!   after the terrain is ready, place the trees again (`Changed<Water>`).
//! - *Trees are twice as far from the origin as they should be.* They are children of a region but have world
//!   positions. Use positions in the region's local space.
//! - *Trees are tiny or huge.* They are children of the terrain, so they are scaled by its `Transform`.
//!
//! # See also
//! `examples/picking.rs`, where a click plants a tree; Bowers et al., *Parallel Poisson Disk Sampling with Spectrum
//! Analysis on Surfaces*, 2010, for positions with a minimum distance from each other.
