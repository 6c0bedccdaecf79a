//! The mouth of a cave: a hill with a hole in its cliff, and behind the hole what is to be seen there.

use core::f32::consts::PI;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use lanternfell::{heightmap::HoleMask, prelude::*};

/// Cells along each side of the map.
const CELLS: u64 = 513;
/// Small cells: a hole is made of whole squares.
const SCALE: Scale = Scale {
    spacing: 0.25,
    relief: 24.0,
};
/// Metres above the sea: the meadow before the cave, and the cave's floor.
const FLOOR: f32 = 3.0;
/// Half as wide as the mouth, and as high, in metres.
const MOUTH: Vec2 = Vec2::new(4.0, 6.0);

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins(TerrainPlugin)
        .insert_resource(ClearColor(Color::srgb(0.66, 0.78, 0.88)))
        .add_systems(Startup, (hill, cave, light_and_camera))
        .run()
}

fn hill(mut commands: Commands) -> Result {
    let size = MapSize::new(CELLS, CELLS)?;
    let place = |column: usize, row: usize| {
        let middle = (CELLS - 1) as f32 / 2.0;
        (Vec2::new(column as f32, row as f32) - middle) * SCALE.spacing
    };
    let map = Heightmap::from_fn(size, |column, row| {
        height(place(column, row)) / SCALE.relief
    })?;
    let holes = HoleMask::from_fn(size, |column, row| {
        is_mouth(place(column, row) + SCALE.spacing / 2.0)
    });
    let map = TerrainMap::from(map).with_holes(holes);
    commands.spawn(Terrain::new(map).with_scale(SCALE));
    Ok(())
}

/// How high the ground is, in metres, x metres to the east and y to the south: an island with a
/// meadow, and a hill that rises from it as a cliff.
fn height(at: Vec2) -> f32 {
    let shore = smooth((60.0 - at.length()) / 14.0);
    let cliff = smooth((-4.0 - at.y) / 6.0);
    let hill = 18.0 * (-at.distance_squared(Vec2::new(0.0, -22.0)) / 900.0).exp();
    let bumps = (0.35 * at.x).sin() * (0.27 * at.y).cos();
    shore * (FLOOR + cliff * (hill + bumps))
}

/// From 0 to 1, without a bend.
fn smooth(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// An arch in the cliff.
fn is_mouth(at: Vec2) -> bool {
    let arch = 1.0 - (at.x / MOUTH.x).powi(2);
    (-9.0..-4.0).contains(&at.y) && arch > 0.0 && height(at) < FLOOR + MOUTH.y * arch.sqrt()
}

/// What is behind the hole: a tube in the hill, wide enough at its front that nobody sees past it.
fn cave(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let rock = materials.add(StandardMaterial {
        base_color: Color::srgb(0.36, 0.32, 0.28),
        perceptual_roughness: 1.0,
        ..default()
    });
    let mut put = |mesh: Mesh, place: Transform| {
        commands.spawn((
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(rock.clone()),
            place,
        ));
    };
    let at = |x, y, z| Transform::from_xyz(x, FLOOR + y, z);
    let vault = Extrusion::new(Annulus::new(5.0, 8.0), 21.0);
    put(vault.into(), at(0.0, 0.5, -18.5));
    put(Cuboid::new(16.0, 1.0, 26.0).into(), at(0.0, -0.53, -16.5));
    put(Cuboid::new(12.0, 12.0, 1.0).into(), at(0.0, 2.0, -29.0));
    for (x, z, size) in [(-3.4, -11.0, 1.0), (3.2, -15.0, 1.4), (-2.6, -21.0, 1.8)] {
        let (radius, height) = (0.5 * size, 2.0 * size);
        put(Cone { radius, height }.into(), at(x, height / 2.0, z));
    }
    for (x, z, radius) in [(-4.6, -3.4, 0.9), (-5.9, -2.2, 0.5), (4.9, -3.0, 1.2)] {
        put(Sphere::new(radius).into(), at(x, 0.1, z));
    }
    // Stones along the arch, where the cliff is as high as they lie.
    for number in 0..=16 {
        let turn = PI * number as f32 / 16.0;
        let (x, y) = (1.06 * MOUTH.x * turn.cos(), 1.04 * MOUTH.y * turn.sin());
        let z = (0..60).map(|step| -3.0 - 0.1 * step as f32);
        let z = z
            .into_iter()
            .find(|&z| height(Vec2::new(x, z)) >= FLOOR + y);
        let radius = 0.75 + 0.2 * (2.4 * number as f32).sin();
        put(
            Sphere::new(radius).mesh().ico(2)?,
            at(x, y, z.unwrap_or(-9.0)).with_scale(Vec3::new(1.0, 0.9, 1.3)),
        );
    }
    let torch = PointLight {
        color: Color::srgb(1.0, 0.6, 0.25),
        intensity: 2_000_000.0,
        range: 40.0,
        ..default()
    };
    commands.spawn((torch, at(1.5, 3.0, -19.0)));
    Ok(())
}

fn light_and_camera(mut commands: Commands) {
    commands.spawn((
        DirectionalLight {
            shadow_maps_enabled: true,
            ..default()
        },
        Transform::from_xyz(-2.0, 3.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        Transform::from_xyz(-6.0, 7.0, 19.0).looking_at(Vec3::new(0.0, 7.0, -10.0), Vec3::Y),
    ));
}
