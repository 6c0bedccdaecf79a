//! Problem: a sheep that stands on the hill, a ball that rolls down it, a player who walks over it.
//!
//! # Standing, without physics
//! [`SnapToGround`](crate::SnapToGround) moves whatever has it up or down to the ground, each frame, before
//! transforms are propagated. Move it along x and z as you like:
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
//!         // On its feet, and leaning as the ground does.
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
//! # app.add_systems(Startup, spawn).add_systems(Update, graze.before(TerrainSystems::Build));
//! # app.add_systems(Last, stands);
//! # app.world_mut().spawn(Terrain::default());
//! # assert!(app.run().is_success());
//! ```
//!
//! # Walking, with physics
//! With the feature `rapier` (or `avian`, for that engine) every terrain has a `Collider` that equals the drawn
//! surface: bodies roll and slide on it as they are, and a character wants no more than its controller. Give
//! `bevy_rapier3d`'s plugin to the app, and wait with the player until there is ground:
//!
#![cfg_attr(feature = "rapier", doc = "```")]
#![cfg_attr(not(feature = "rapier"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_rapier3d::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! #[derive(Component, Default)]
//! struct Player {
//!     /// Metres a second, along x and z; the keyboard sets it.
//!     wish: Vec2,
//!     /// Metres a second, upwards.
//!     climb: f32,
//! }
//!
//! /// Half as long as the capsule's middle part, and as wide as it is to each side.
//! const HALF: f32 = 0.55;
//! const RADIUS: f32 = 0.35;
//!
//! /// An observer of the app: `app.add_observer(arrive)`.
//! fn arrive(
//!     _: On<TerrainReady>,
//!     terrains: TerrainQuery,
//!     mut players: Query<(&mut Transform, &mut Player)>,
//!     mut commands: Commands,
//! ) {
//!     for (mut transform, mut player) in &mut players {
//!         // Other land has risen over the player, or has gone from under his feet.
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
//!                 // So that it does not hop downhill.
//!                 snap_to_ground: Some(CharacterLength::Absolute(0.4)),
//!                 autostep: None,
//!                 ..default()
//!             },
//!         ));
//!     }
//! }
//!
//! fn walk(
//!     time: Res<Time>,
//!     mut players: Query<(
//!         &mut Player,
//!         &mut KinematicCharacterController,
//!         Option<&KinematicCharacterControllerOutput>,
//!     )>,
//! ) {
//!     // After a pause of the program one great leap would go through the ground.
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
//! #     let ground = terrains.height(transform.translation).expect("it is on the land");
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
//! What rolls is a `RigidBody::Dynamic` with a `Collider::ball(0.5)`, and nothing more; it, too, wants to be
//! spawned after [`TerrainReady`](crate::TerrainReady), or it falls for ever.
//!
//! # Without end
//! Put a [`TerrainViewer`](crate::TerrainViewer) on each body that must not fall through an
//! [`EndlessTerrain`](crate::EndlessTerrain): around all of them there is ground, with its collider, before they
//! come there. Who is moved far at once (a teleport, a new game) stands still until
//! [`TerrainQuery::height`](crate::TerrainQuery::height) answers there.
//!
//! What physics wants beside the collider goes on the terrain's entity (`Friction`, `CollisionGroups`); on the
//! windows of an endless terrain an observer puts it:
//!
#![cfg_attr(feature = "rapier", doc = "```")]
#![cfg_attr(not(feature = "rapier"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_rapier3d::prelude::*;
//! use lanternfell_terrain::prelude::*;
//!
//! fn ice(add: On<Add, TerrainWindow>, mut commands: Commands) {
//!     commands.entity(add.entity).insert(Friction::coefficient(0.1));
//! }
//! # App::new().add_observer(ice);
//! ```
//!
//! # To know
//! - Heights of a [`SnapToGround`](crate::SnapToGround) are metres above the ground, of the entity's own origin.
//!   It costs one question of [`TerrainQuery::hit`](crate::TerrainQuery::hit) for each entity and frame; what
//!   stands still may lose the component once it stands.
//! - Beyond the border and over holes `SnapToGround` leaves things as high as they are; bodies fall.
//! - Up to 4096 x 4096 cells the collider is all of the map, 5 bytes a cell, whatever is drawn; on larger maps
//!   there is some around each body. [`TerrainCollider`](crate::TerrainCollider) says otherwise.
//! - Bodies do not trip over the borders of triangles: contacts there are held to the ground's own normals.
//! - Its triangles are those that are drawn in full detail, near the camera. Far away feet may seem to hang, by a
//!   pixel at most.
//! - The sea is no collider. [`TerrainQuery::water_depth`](crate::TerrainQuery::water_depth) says how deep one
//!   stands: `examples/island` lets nobody wade deeper than to the waist.
//!
//! # What goes wrong
//! - The player falls through at the start: he was there before the ground. Spawn him on
//!   [`TerrainReady`](crate::TerrainReady), or switch gravity off until
//!   [`TerrainQuery::height`](crate::TerrainQuery::height) answers.
//! - He falls through after the recipe has changed: he is under the new land now.
//!   [`TerrainReady`](crate::TerrainReady) comes then, too.
//! - Fast bodies go through: a heightfield has no inside. Give them `Ccd::enabled()`.
//! - A `Collider` of your own on the terrain's entity is replaced by the plugin's. Put it on a child.
//! - A terrain that is turned otherwise than about y, or scaled unevenly, is drawn and asked well enough, but up
//!   is no longer up.
//! - A character that runs in the fixed schedule reads a `Transform` that the camera shows in between: move the
//!   camera by interpolation, or walk in `Update` as above.
//!
//! # Where to read on
//! `examples/island/walk.rs` (jumping, wading, the mouse); [`asking`](super::asking);
//! [`scattering`](super::scattering) for what stands about; `examples/navigation` for creatures that find their
//! way.
