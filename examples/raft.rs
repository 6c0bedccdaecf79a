//! A raft and barrels that float on waves, with rapier. Press W and S to row, A and D to turn.
//!
//! Each floating body has a [`Buoyancy`]. In every physics step, `float` gets the water surface from [`WaterQuery`],
//! and [`Buoyancy::push`] computes the force and torque of the water on the body.

use bevy::{core_pipeline::prepass::DepthPrepass, prelude::*};
use bevy_rapier3d::prelude::*;
use lanternfell::prelude::*;

/// Width, height and length of the raft, in meters.
const RAFT: Vec3 = Vec3::new(2.4, 0.34, 3.4);
const BARREL: Vec3 = Vec3::new(0.6, 0.9, 0.6);

/// The force of rowing in newtons, and the torque of steering in newton meters.
const ROWING: f32 = 1400.0;
const STEERING: f32 = 900.0;

#[derive(Component)]
struct Raft;

fn main() -> AppExit {
    App::new()
        .add_plugins(DefaultPlugins.or_headless())
        .insert_resource(TimestepMode::Fixed {
            dt: 1.0 / 64.0,
            substeps: 1,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins((TerrainPlugin, SkyPlugin, OutdoorsPlugin))
        .insert_resource(TimeOfDay {
            hour: 8.0,
            ..default()
        })
        .add_systems(Startup, spawn_world)
        .add_observer(launch)
        .add_systems(
            FixedUpdate,
            (float, row).chain().before(PhysicsSet::SyncBackend),
        )
        .add_systems(Update, follow)
        .run()
}

fn spawn_world(mut commands: Commands) {
    let hills = Hills {
        island: true,
        ..default()
    };
    let sea = Water {
        waves: Waves {
            height: 1.0,
            ..default()
        },
        ..default()
    };
    commands.spawn((Terrain::new(Recipe::new(MapSize::default(), 7, hills)), sea));
    // With a depth prepass, the water shader refracts the sea bed.
    commands.spawn((Camera3d::default(), DepthPrepass, SkyFog::default()));
}

/// Spawns the raft, two barrels on it and four around it, slightly above the waves.
fn launch(
    _: On<TerrainReady>,
    water: WaterQuery,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut wood = |color| {
        materials.add(StandardMaterial {
            base_color: color,
            perceptual_roughness: 0.9,
            ..default()
        })
    };
    let (log_wood, barrel_wood) = (
        wood(Color::srgb(0.42, 0.29, 0.17)),
        wood(Color::srgb(0.5, 0.2, 0.12)),
    );
    let log = meshes.add(Cylinder::new(0.5 * RAFT.y, RAFT.z));
    let barrel = meshes.add(Cylinder::new(0.5 * BARREL.x, BARREL.y));
    let off_the_coast = Vec3::new(-170.0, 0.0, 170.0);
    let waves = water.height(off_the_coast).unwrap_or_default();
    let start = off_the_coast.with_y(waves + 0.5);
    let raft = floating(start, RAFT, 0.45);
    let logs = (0..7).map(|k| (k as f32 / 6.0 - 0.5) * (RAFT.x - RAFT.y));
    commands
        .spawn((Raft, raft, Visibility::default()))
        .with_children(|raft| {
            for x in logs {
                let lying = Transform::from_xyz(x, 0.0, 0.0)
                    .with_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
                raft.spawn((Mesh3d(log.clone()), MeshMaterial3d(log_wood.clone()), lying));
            }
        });
    let on_board = [Vec3::new(0.5, 1.0, -0.6), Vec3::new(-0.4, 1.0, 0.7)];
    let around =
        [[-4.0, 1.0], [3.6, -2.0], [-3.0, -4.0], [4.6, 3.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
    for place in on_board.into_iter().chain(around) {
        let look = (Mesh3d(barrel.clone()), MeshMaterial3d(barrel_wood.clone()));
        commands.spawn((floating(start + place, BARREL, 0.5), look));
    }
}

/// A dynamic body of the given size. `density` is relative to sea water.
fn floating(at: Vec3, size: Vec3, density: f32) -> impl Bundle {
    let half = 0.5 * size;
    (
        Buoyancy::cuboid(size, UVec3::new(4, 2, 4)),
        Transform::from_translation(at),
        RigidBody::Dynamic,
        Collider::cuboid(half.x, half.y, half.z),
        ColliderMassProperties::Density(1026.0 * density),
        ReadMassProperties::default(),
        Velocity::default(),
        ExternalForce::default(),
    )
}

fn float(
    water: WaterQuery,
    mut bodies: Query<(
        &Buoyancy,
        &Transform,
        &Velocity,
        &ReadMassProperties,
        &mut ExternalForce,
    )>,
) {
    for (hull, place, velocity, mass, mut force) in &mut bodies {
        let motion = BodyVelocity {
            center_of_mass: place.transform_point(mass.get().local_center_of_mass),
            linear: velocity.linear,
            angular: velocity.angular,
        };
        let push = hull.push(place, &motion, |at| water.hit(at));
        (force.force, force.torque) = (push.force, push.torque);
    }
}

/// Applies the forces of the oars.
fn row(
    keys: Res<ButtonInput<KeyCode>>,
    raft: Single<(&Transform, &mut ExternalForce), With<Raft>>,
) {
    let axis =
        |ahead, back| f32::from(i8::from(keys.pressed(ahead)) - i8::from(keys.pressed(back)));
    let (place, mut force) = raft.into_inner();
    force.force += place.forward() * (ROWING * axis(KeyCode::KeyW, KeyCode::KeyS));
    force.torque += place.up() * (STEERING * axis(KeyCode::KeyA, KeyCode::KeyD));
}

/// Keeps the camera behind the raft, without the raft's roll and pitch.
fn follow(
    raft: Single<&Transform, With<Raft>>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Raft>)>,
) {
    let ahead = raft.forward().with_y(0.0).normalize_or(Vec3::NEG_Z);
    let stand = raft.translation - ahead * 7.5 + Vec3::Y * 2.6;
    **camera =
        Transform::from_translation(stand).looking_at(raft.translation + ahead * 6.0, Vec3::Y);
}
