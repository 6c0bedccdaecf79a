//! How to handle clicks on the terrain, query heights, elevations above sea level and water depths, and test lines of
//! sight.
//!
//! # Clicks
//! With the feature `picking` of this crate, the terrain works with `bevy_picking`. An observer on its entity gets the
//! exact point:
//!
#![cfg_attr(feature = "picking", doc = "```no_run")]
#![cfg_attr(not(feature = "picking"), doc = "```ignore")]
//! use bevy::prelude::*;
//! // With Bevy's default features, these items are in `bevy::prelude` and the plugins in `DefaultPlugins`.
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
//!     commands.spawn(Terrain::default()).observe(log_click);
//!     commands.spawn((
//!         Camera3d::default(),
//!         Transform::from_xyz(0.0, 150.0, 150.0).looking_at(Vec3::ZERO, Vec3::Y),
//!     ));
//! }
//!
//! fn log_click(click: On<Pointer<Click>>, terrains: TerrainQuery) {
//!     let Some(point) = click.hit.position else { return };
//!     let depth = terrains.water_depth(point).unwrap_or(0.0);
//!     info!("{:?} at {point}, {depth} m under water", click.button);
//! }
//! ```
//!
//! `Pointer<Move>`, `Pointer<Over>`, `Pointer<DragStart>` and the other pointer events work in the same way. The point
//! is on the terrain, even under water, because pointers ignore the sea. Pickable objects in front of the terrain block
//! it.
//!
//! Pointer events bubble up to parents, so an observer on an [`EndlessTerrain`](crate::EndlessTerrain) gets the clicks
//! on all of its regions.
//!
//! # Heights, rays and lines of sight
//! [`TerrainQuery`](crate::TerrainQuery) is a system parameter. All its results are in world space, in meters, and
//! match the triangles that are rendered at full detail exactly.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn ask(terrains: TerrainQuery) {
//!     let at = Vec3::new(12.0, 0.0, -7.5); // y is ignored
//!
//!     // The terrain above or below a point. `height`, `normal` and `water_depth` return single values.
//!     let Some(hit) = terrains.hit(at) else { return };
//!     let slope = terrains.slope(at).unwrap_or_default();
//!     info!("{} m high, {slope} degrees steep, {} m under water", hit.point.y, hit.water_depth());
//!
//!     // Where an arrow hits the terrain.
//!     let arrow = Ray3d::new(hit.point + 2.0 * Vec3::Y, Dir3::NEG_X);
//!     if let Some(met) = terrains.cast_ray(arrow, 300.0) {
//!         info!("in {} m, at {}", met.distance, met.point);
//!     }
//!
//!     // Where a falling ball with a radius of 50 cm touches the terrain.
//!     let fall = Ray3d::new(hit.point + 100.0 * Vec3::Y, Dir3::NEG_Y);
//!     let rest = terrains.cast_sphere(fall, 0.5, 200.0);
//! #   assert!((rest.unwrap().point.distance(fall.get_point(rest.unwrap().distance)) - 0.5).abs() < 1e-3);
//!
//!     // From eye to eye: at the height of the feet, the smallest bump blocks the view.
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
//! Without `bevy_picking`, get the ray through the cursor from the camera:
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
//! To query the layers at a point, use `terrains.cover(at)`. See the guide to [layers](super::layers).
//!
//! # Elevation above sea level
//! For a map in meters, y = 0 is its lowest point, not the sea level. To get the elevation of a point, convert it to
//! the terrain's local space, and pass it to [`geo_position`](crate::TerrainSurface::geo_position):
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! /// Logs the position and the elevation of the terrain below the camera.
//! fn log_elevation(
//!     camera: Single<&GlobalTransform, With<Camera3d>>,
//!     terrains: TerrainQuery,
//!     surfaces: Query<(&TerrainSurface, &GlobalTransform)>,
//! ) {
//!     // For the elevation of the camera itself, use its translation instead of `hit.point`.
//!     let Some(hit) = terrains.hit(camera.translation()) else { return };
//!     let Ok((surface, transform)) = surfaces.get(hit.terrain) else { return };
//!     let local = transform.affine().inverse().transform_point3(hit.point);
//!     let place = surface.geo_position(local);
//!     info!("{:.1} m at {} east, {} north", place.elevation, place.easting, place.northing);
//! }
//! # bevy::ecs::system::assert_is_system(log_elevation);
//! ```
//!
//! The elevation of a terrain that was made from a recipe is its y in local space, and its sea is above 0. To get the
//! height above that sea, subtract [`TerrainSurface::water_level`](crate::TerrainSurface::water_level).
//!
//! # Many queries
//! [`TerrainQuery::hits`](crate::TerrainQuery::hits) answers a list of points, and reads each terrain's transform only
//! once.
//!
//! If you know which terrain you need, use its [`Surface`](crate::surface::Surface), which works in the terrain's local
//! space and has methods for lists too. You can clone a [`TerrainSurface`](crate::TerrainSurface) and move it into a
//! task. The clone does not change when the terrain does.
//!
//! ```
//! use bevy::{prelude::*, tasks::{AsyncComputeTaskPool, Task}};
//! use lanternfell_terrain::prelude::*;
//!
//! /// Samples the heights along a path, in the terrain's local space.
//! fn profile(ground: &TerrainSurface, way: Vec<Vec2>) -> Task<Vec<Option<f32>>> {
//!     let ground = ground.clone(); // cheap: the map is shared
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
//! # Notes
//! - `None` means that there is no terrain at the point: it is outside, in a hole, or the terrain is not
//!   [ready](crate::TerrainReady) yet.
//! - `hit` returns the smooth normal that is used for lighting. `cast_ray` returns the normal of the triangle, which
//!   always points up. A ray can also hit the terrain from below: it came from above if
//!   `hit.normal.dot(*ray.direction) < 0.0`.
//! - A height query takes a few lookups in the map. A ray takes a few microseconds, independent of the size of the map.
//! - A terrain may be translated, rotated about y, and scaled uniformly. The results are in world space in any case.
//!   They use its `GlobalTransform`, which is that of the previous frame until `TransformSystems::Propagate` has run.
//! - A terrain becomes ready in `PostUpdate`. Observers of [`TerrainReady`](crate::TerrainReady) can query it at once,
//!   and systems in `Update` in the next frame.
//! - [`local_position`](crate::TerrainSurface::local_position) converts an easting, northing and elevation to the
//!   terrain's local space, for example to place an object at known coordinates.
//!
//! # Common mistakes
//! - *Clicks do not arrive.* The feature `picking` is off, or Bevy's picking plugins are missing, or the terrain's
//!   entity has `Pickable::IGNORE` or is hidden, or a UI node covers the screen (give it `Pickable::IGNORE`).
//! - *Clicks do not arrive at a chunk.* Only the terrain's entity gets pointer events, because chunks are spawned and
//!   despawned as the camera moves.
//! - *Bevy's `MeshRayCast` and mesh picking miss the terrain.* Its meshes are only on the GPU. Use `TerrainQuery`.
//! - *Rays pass through the sea.* Intersect the ray with the plane at [`Water::surface_y`](crate::Water::surface_y) to
//!   find where it enters the water.
//! - *Small bumps block the view between two characters.* Pass the positions of their eyes to `line_of_sight`, not
//!   those of their feet.
//!
//! # See also
//! `examples/picking.rs` (a ring under the pointer, a click plants a tree); [`Surface`](crate::surface::Surface) for
//! the same queries without Bevy; [`Surface::walkable`](crate::surface::Surface::walkable) and `examples/navigation`
//! for paths.
