//! Problem: where on the land did the player click, how high is it there, is it under water, and does the archer
//! see the rider?
//!
//! # A click
//! With the feature `picking` of this crate a terrain answers Bevy's pointers: an observer on its entity has the
//! exact point.
//!
#![cfg_attr(feature = "picking", doc = "```no_run")]
#![cfg_attr(not(feature = "picking"), doc = "```ignore")]
//! use bevy::prelude::*;
//! // With Bevy's default features all of it is in `bevy::prelude`, and the plugins in `DefaultPlugins`.
//! use bevy_picking::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn main() -> AppExit {
//!     App::new()
//!         .add_plugins((DefaultPlugins, DefaultPickingPlugins, TerrainPlugin))
//!         .add_systems(Startup, setup)
//!         .run()
//! }
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn(Terrain::default()).observe(tell);
//!     commands.spawn((
//!         Camera3d::default(),
//!         Transform::from_xyz(0.0, 150.0, 150.0).looking_at(Vec3::ZERO, Vec3::Y),
//!     ));
//! }
//!
//! fn tell(click: On<Pointer<Click>>, terrains: TerrainQuery) {
//!     let Some(point) = click.hit.position else { return };
//!     let depth = terrains.water_depth(point).unwrap_or(0.0);
//!     info!("{:?} at {point}, {depth} m under water", click.button);
//! }
//! ```
//!
//! `Pointer<Move>`, `Pointer<Over>`, `Pointer<DragStart>` and all others come the same way. The point is that of
//! the ground, as the sea is nothing to pointers; what stands on the land and is picked itself hides it. An
//! observer on an [`EndlessTerrain`](crate::EndlessTerrain) has the clicks on all its windows, since pointers'
//! events go up to parents.
//!
//! # Everything else
//! [`TerrainQuery`](crate::TerrainQuery) is a system parameter. All its answers are in the world, in metres, and
//! lie on the very triangles that are drawn nearby.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn ask(terrains: TerrainQuery) {
//!     let at = Vec3::new(12.0, 0.0, -7.5); // its y means nothing here
//!
//!     // All about the ground above or below a point; each alone is `height`, `normal` and `water_depth`.
//!     let Some(hit) = terrains.hit(at) else { return };
//!     let slope = terrains.slope(at).unwrap_or_default();
//!     info!("{} m high, {slope} degrees steep, {} m under water", hit.point.y, hit.water_depth());
//!
//!     // What an arrow meets.
//!     let arrow = Ray3d::new(hit.point + 2.0 * Vec3::Y, Dir3::NEG_X);
//!     if let Some(met) = terrains.cast_ray(arrow, 300.0) {
//!         info!("in {} m, at {}", met.distance, met.point);
//!     }
//!
//!     // Where a ball of 50 cm comes to rest that falls from the sky.
//!     let fall = Ray3d::new(hit.point + 100.0 * Vec3::Y, Dir3::NEG_Y);
//!     let rest = terrains.cast_sphere(fall, 0.5, 200.0);
//! #   assert!((rest.unwrap().point.distance(fall.get_point(rest.unwrap().distance)) - 0.5).abs() < 1e-3);
//!
//!     // From eye to eye: feet would see along the ground.
//!     let eyes = |feet: Vec3| terrains.height(feet).map(|y| feet.with_y(y + 1.7));
//!     if let (Some(archer), Some(rider)) = (eyes(at), eyes(Vec3::new(-40.0, 0.0, 25.0))) {
//!         info!("sees: {}", terrains.line_of_sight(archer, rider));
//! #       let way = Ray3d::new(archer, Dir3::new(rider - archer).unwrap());
//! #       let met = terrains.cast_ray(way, archer.distance(rider));
//! #       assert_eq!(terrains.line_of_sight(archer, rider), met.is_none());
//!     }
//! #   assert_eq!(terrains.height(at), Some(hit.point.y));
//! #   assert!(slope < 90.0);
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin));
//! # app.add_systems(PostUpdate, (ask, |grounds: Query<&TerrainSurface>, mut exit: MessageWriter<AppExit>| {
//! #     if !grounds.is_empty() { exit.write(AppExit::Success); }
//! # }).chain());
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! Without Bevy's pointers a ray through the cursor is the camera's:
//!
//! ```
//! # use bevy::prelude::*;
//! # use lanternfell_terrain::prelude::*;
//! fn under_cursor(
//!     window: Single<&Window>,
//!     camera: Single<(&Camera, &GlobalTransform)>,
//!     terrains: TerrainQuery,
//! ) {
//!     let (camera, place) = *camera;
//!     let ray = window.cursor_position().map(|at| camera.viewport_to_world(place, at));
//!     let Some(Ok(ray)) = ray else { return };
//!     let hit = terrains.cast_ray(ray, 10_000.0);
//! #   let _: Option<TerrainHit> = hit;
//! }
//! # bevy::ecs::system::assert_is_system(under_cursor);
//! ```
//!
//! What covers the ground there, `terrains.cover(at)`, is on the page about [layers](super::layers).
//!
//! # Thousands of questions
//! [`TerrainQuery::hits`](crate::TerrainQuery::hits) answers a whole list, and looks once where each terrain stands.
//! Who knows the terrain asks its [`Surface`](crate::surface::Surface), in the terrain's own frame, which
//! has all of it for lists, too; and a [`TerrainSurface`](crate::TerrainSurface) can be cloned into a task, where it
//! stays what it was then.
//!
//! ```
//! use bevy::{prelude::*, tasks::{AsyncComputeTaskPool, Task}};
//! use lanternfell_terrain::prelude::*;
//!
//! /// How high the ground is along a way, in the terrain's own frame.
//! fn profile(ground: &TerrainSurface, way: Vec<Vec2>) -> Task<Vec<Option<f32>>> {
//!     let ground = ground.clone(); // the map is shared
//!     AsyncComputeTaskPool::get().spawn(async move {
//!         let mut heights = vec![None; way.len()];
//!         ground.surface().heights(&way, &mut heights);
//!         heights
//!     })
//! }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin));
//! # app.add_observer(|ready: On<TerrainReady>, grounds: Query<&TerrainSurface>, mut exit: MessageWriter<AppExit>| {
//! #     let way = vec![Vec2::ZERO, Vec2::new(3.5, -8.0), Vec2::new(1e6, 0.0)];
//! #     let heights = bevy::tasks::block_on(profile(grounds.get(ready.entity).unwrap(), way));
//! #     assert!(heights[0].is_some() && heights[1].is_some() && heights[2].is_none());
//! #     exit.write(AppExit::Success);
//! # });
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! # To know
//! - `None` is: no ground there. Beyond the border, in a hole, and before the terrain is
//!   [ready](crate::TerrainReady).
//! - `hit` has the normal as it is lit, smooth across triangles; `cast_ray` that of the triangle, which always
//!   points up. A ray from below meets the ground, too: `hit.normal.dot(*ray.direction) < 0.0` is one from above.
//! - A height costs a handful of look-ups in the map, a ray some microseconds, on maps of any size.
//! - A terrain may stand anywhere, be turned about y, and scaled evenly: answers are in the world all the same.
//!   They follow its `GlobalTransform`, which is that of the frame before until `TransformSystems::Propagate`.
//! - Systems that want the ground of this very frame run after [`TerrainSystems::Build`](crate::TerrainSystems).
//! - Eastings, northings and metres above the sea are [`geo_position`](crate::TerrainSurface::geo_position)'s, of
//!   a point in the terrain's frame.
//!
//! # What goes wrong
//! - Clicks do not come: the feature `picking` is off; Bevy's picking plugins are missing; the land's entity has
//!   `Pickable::IGNORE`, or is hidden; a node of the user interface fills the screen (give it
//!   `Pickable::IGNORE`).
//! - Clicks come to the terrain, never to a chunk: chunks are not picked, they come and go.
//! - Bevy's `MeshRayCast` and mesh picking miss the land, for its meshes are only on the GPU. Ask the terrain.
//! - The sea stops no ray. Where one goes under is where it meets the plane at
//!   [`Water::surface_y`](crate::Water::surface_y).
//! - Everybody sees everybody on level ground, though their feet are in a hollow: give the eyes' heights, not the
//!   feet's.
//!
//! # Where to read on
//! `examples/picking.rs` (a ring under the pointer, a click plants a tree);
//! [`Surface`](crate::surface::Surface), for the same without Bevy;
//! [`Surface::walkable`](crate::surface::Surface::walkable) and `examples/navigation` for ways.
