//! How to place objects on the terrain, roll balls over it and let a character walk on it.
//!
//! # Stand and walk on the terrain without physics
//! [`SnapToGround`](crate::SnapToGround) moves an entity up or down to the terrain each frame, before transforms are
//! propagated. Your code moves it along x and z. On a camera, `SnapToGround { height: 1.7, lean: false }` gives the
//! view of a walking person.
//!
//! ```
//! use bevy::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! #[derive(Component)]
//! struct Sheep;
//!
//! fn spawn(mut commands: Commands) {
//!     commands.spawn((
//!         Sheep,
//!         Transform::from_xyz(-20.0, 0.0, 5.0),
//!         // The origin is at its feet. It leans with the slope.
//!         SnapToGround { height: 0.0, lean: true },
//!     ));
//! }
//!
//! fn graze(time: Res<Time>, mut sheep: Query<&mut Transform, With<Sheep>>) {
//!     for mut transform in &mut sheep {
//!         transform.translation.x += 0.5 * time.delta_secs();
//!     }
//! }
//! # fn stands(sheep: Query<&Transform, With<Sheep>>, terrains: TerrainQuery, mut exit: MessageWriter<AppExit>) {
//! #     let Ok(sheep) = sheep.single() else { return };
//! #     if let Some(height) = terrains.height(sheep.translation) {
//! #         assert!((sheep.translation.y - height).abs() < 1e-3);
//! #         exit.write(AppExit::Success);
//! #     }
//! # }
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugin));
//! # app.add_systems(Startup, spawn).add_systems(Update, graze);
//! # app.add_systems(Last, stands);
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! # Walk with a physics engine
//! With the feature `rapier` (or `avian`), every terrain has a `Collider` that matches the rendered surface. Bodies
//! roll and slide on it, and a character only needs a character controller.
//!
//! This example uses `bevy_rapier3d` 0.36. Add it to your dependencies, and add
//! `RapierPhysicsPlugin::<NoUserData>::default()` to the app. The example spawns the player when the terrain is ready.
//! For `avian3d` 0.7, use the same steps with its `MoveAndSlide` or another character controller.
//!
#![cfg_attr(feature = "rapier", doc = "```")]
#![cfg_attr(not(feature = "rapier"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_rapier3d::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! #[derive(Component, Default)]
//! struct Player {
//!     /// Velocity along x and z in meters per second, set by your input system.
//!     wish: Vec2,
//!     /// Upward velocity in meters per second.
//!     climb: f32,
//! }
//!
//! /// Half the length of the capsule's cylinder, and the capsule's radius, in meters.
//! const HALF: f32 = 0.55;
//! const RADIUS: f32 = 0.35;
//!
//! /// Spawns the player, or moves it onto a new terrain. Add this with `app.add_observer(arrive)`.
//! fn arrive(
//!     _: On<TerrainReady>,
//!     terrains: TerrainQuery,
//!     mut players: Query<(&mut Transform, &mut Player)>,
//!     mut commands: Commands,
//! ) {
//!     for (mut transform, mut player) in &mut players {
//!         // A new terrain has replaced the old one. It may be above or below the player.
//!         if let Some(ground) = terrains.height(transform.translation) {
//!             transform.translation.y = ground + HALF + RADIUS + 0.1;
//!             player.climb = 0.0;
//!         }
//!     }
//!     let start = terrains.height(Vec3::ZERO).unwrap_or(0.0);
//!     if players.is_empty() {
//!         commands.spawn((
//!             Player::default(),
//!             Transform::from_xyz(0.0, start + HALF + RADIUS + 0.1, 0.0),
//!             Collider::capsule_y(HALF, RADIUS),
//!             RigidBody::KinematicPositionBased,
//!             KinematicCharacterController {
//!                 offset: CharacterLength::Absolute(0.03),
//!                 max_slope_climb_angle: 50_f32.to_radians(),
//!                 min_slope_slide_angle: 55_f32.to_radians(),
//!                 // Prevents hopping when walking downhill.
//!                 snap_to_ground: Some(CharacterLength::Absolute(0.4)),
//!                 autostep: None,
//!                 ..default()
//!             },
//!         ));
//!     }
//! }
//!
//! /// Add this with `app.add_systems(Update, walk)`.
//! fn walk(
//!     time: Res<Time>,
//!     mut players: Query<(
//!         &mut Player,
//!         &mut KinematicCharacterController,
//!         Option<&KinematicCharacterControllerOutput>,
//!     )>,
//! ) {
//!     // After a pause of the program, one large step would pass through the terrain.
//!     let seconds = time.delta_secs().min(0.05);
//!     for (mut player, mut controller, output) in &mut players {
//!         let is_grounded = output.is_some_and(|output| output.grounded);
//!         player.climb = if is_grounded { 0.0 } else { player.climb } - 9.81 * seconds;
//!         let Vec2 { x, y: z } = player.wish;
//!         controller.translation = Some(Vec3::new(x, player.climb, z) * seconds);
//!     }
//! }
//! # #[derive(Resource, Default)]
//! # struct Steps(u32);
//! # fn check(
//! #     players: Query<(&Transform, &KinematicCharacterControllerOutput), With<Player>>,
//! #     mut wishes: Query<&mut Player>,
//! #     terrains: TerrainQuery,
//! #     mut steps: ResMut<Steps>,
//! #     mut exit: MessageWriter<AppExit>,
//! # ) {
//! #     for mut player in &mut wishes {
//! #         player.wish = Vec2::new(2.0, 1.0);
//! #     }
//! #     let Ok((transform, output)) = players.single() else { return };
//! #     let ground = terrains.height(transform.translation).expect("the player is on the terrain");
//! #     let clearance = transform.translation.y - HALF - RADIUS - ground;
//! #     assert!(clearance > -0.05, "{clearance} m");
//! #     steps.0 += 1;
//! #     if steps.0 == 300 {
//! #         assert!(output.grounded && clearance < 0.5, "{clearance} m");
//! #         assert!(transform.translation.xz().length() > 5.0, "{transform:?}");
//! #         exit.write(AppExit::Success);
//! #     }
//! # }
//! # fn main() {
//! #     let mut app = App::new();
//! #     app.add_plugins((
//! #         MinimalPlugins,
//! #         TransformPlugin,
//! #         bevy::asset::AssetPlugin::default(),
//! #         bevy::mesh::MeshPlugin,
//! #         RapierPhysicsPlugin::<NoUserData>::default(),
//! #         TerrainPlugin,
//! #     ));
//! #     let frame = std::time::Duration::from_secs(1) / 60;
//! #     app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(frame));
//! #     app.init_resource::<Steps>().add_observer(arrive);
//! #     app.add_systems(Update, walk).add_systems(Last, check);
//! #     app.world_mut().spawn(Terrain::default());
//! #     assert!(app.run().is_success());
//! # }
//! ```
//!
//! For a rolling ball, spawn a `RigidBody::Dynamic` with a `Collider::ball(0.5)`. Spawn it after
//! [`TerrainReady`](crate::TerrainReady) too, or it falls forever.
//!
//! # Endless terrain
//! Insert a [`TerrainViewer`](crate::TerrainViewer) on each body that must not fall through an
//! [`EndlessTerrain`](crate::EndlessTerrain). The terrain around each viewer, collider included, is then ready before
//! the viewer arrives. When you move a body far at once (a teleport, a new game), keep it in place until
//! [`TerrainQuery::height`](crate::TerrainQuery::height) returns a height there.
//!
//! Insert other physics components, such as `Friction` and `CollisionGroups`, on the terrain's entity. An endless
//! terrain consists of [regions](crate::TerrainRegion) around the viewers, so insert them on each region in an
//! observer:
//!
#![cfg_attr(feature = "rapier", doc = "```")]
#![cfg_attr(not(feature = "rapier"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_rapier3d::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn ice(add: On<Add, TerrainRegion>, mut commands: Commands) {
//!     commands.entity(add.entity).insert(Friction::coefficient(0.1));
//! }
//! # App::new().add_observer(ice);
//! ```
//!
//! # Notes
//! - [`SnapToGround::height`](crate::SnapToGround::height) is the height of the entity's origin above the terrain, in
//!   meters. The component costs one [`TerrainQuery::hit`](crate::TerrainQuery::hit) per entity and frame. Remove it
//!   from objects that no longer move.
//! - `SnapToGround` ignores water: entities stand on the bed of seas, rivers and lakes. Outside of the terrain and over
//!   holes, it does not change the height. Physics bodies fall there.
//! - On maps of up to 4096 x 4096 cells, the collider covers the whole map and takes 5 bytes per cell. It does not
//!   depend on what is rendered. On larger maps there are small colliders around the bodies. See
//!   [`TerrainCollider`](crate::TerrainCollider) to change this.
//! - A new collider takes part in rapier's step of the same frame, if rapier runs in `PostUpdate` (its default). If the
//!   physics engine runs in a fixed schedule, as avian does, it takes part in the next step.
//! - Bodies that sleep on the terrain wake when the terrain below them changes, moves or is removed, with both engines.
//! - While the scale of a terrain is 0, it has no collider.
//! - Bodies do not trip over triangle edges, because contact normals there are limited to those of the surface.
//! - The collider has the triangles that are rendered at full detail, near the camera. Far away, feet may seem to
//!   float, by at most a pixel.
//! - Water has no collider. To limit how deep a character can wade, use the depth from
//!   [`WaterQuery::hit`](crate::WaterQuery::hit), or [`TerrainQuery::water_depth`](crate::TerrainQuery::water_depth) if
//!   there is only a sea. In `examples/island`, the player swims.
//!
//! # Common mistakes
//! - *The player falls through the terrain at the start.* The player was spawned before the terrain was ready. Spawn it
//!   on [`TerrainReady`](crate::TerrainReady), or turn gravity off until
//!   [`TerrainQuery::height`](crate::TerrainQuery::height) returns a height.
//! - *The player falls after the recipe was changed.* The new terrain is above the player. Move the player up on
//!   [`TerrainReady`](crate::TerrainReady), which is triggered for every new terrain.
//! - *Fast bodies pass through the terrain.* A heightfield has no inside. Give fast bodies `Ccd::enabled()`.
//! - *A shape cast of the physics engine stops too early or too late.* On heightfields, the shape casts of
//!   `bevy_rapier3d` 0.36 (`cast_shape` of its context) are off by up to 0.47 m. For probes of your own, such as the
//!   ground below the feet or a camera behind the player, cast a sphere against the terrain with
//!   [`TerrainQuery::cast_sphere`](crate::TerrainQuery::cast_sphere), which is exact. Ray casts of the engine, and
//!   contacts of bodies, are not affected.
//! - *A `Collider` on the terrain's entity disappears.* The plugin replaces it with its own. Put your collider on a
//!   child.
//! - *Bodies slide sideways on level terrain.* The terrain is rotated about x or z. Rotate it only about the y axis,
//!   and scale it uniformly. Rendering and queries support other transforms, but gravity points along the world's y
//!   axis.
//! - *A character in the fixed schedule jitters.* The camera shows its `Transform` between two fixed steps. Interpolate
//!   it for the camera, or move the character in `Update` as above.
//!
//! # See also
//! `examples/island/walk.rs` (jumping, swimming, mouse look); [`queries`](super::queries);
//! [`scattering`](super::scattering) for trees and rocks; `examples/navigation` for characters that find paths.
