//! A cave mouth: a cliff with a hole in the terrain, and a cave behind it.

use core::f32::consts::PI;

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    mesh::VertexAttributeValues,
    prelude::*,
};
use lanternfell::{
    heightmap::{HoleMask, Scale},
    prelude::*,
};

/// Cells along each side of the map.
const CELLS: u64 = 513;
/// The cells are small because a hole consists of whole cells.
const SCALE: Scale = Scale {
    spacing: 0.25,
    relief: 24.0,
};
/// Height of the meadow and of the cave's floor above the sea, in meters.
const FLOOR: f32 = 3.0;
/// Half the width of the cave mouth, and its height, in meters.
const MOUTH: Vec2 = Vec2::new(4.0, 6.0);

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins(TerrainPlugins)
        .insert_resource(TimeOfDay {
            hour: 15.5,
            ..default()
        })
        .add_systems(Startup, (hill, cave, camera))
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
    let mut layers = TerrainLayers::temperate(&LayerZones {
        snow_line: 2.0,
        ..default()
    });
    // Strata suit a cliff better than granite.
    if let Some(rock) = layers.layer_mut("granite") {
        rock.texture = LayerTexture::Procedural(GroundKind::Sandstone);
        rock.tile = GroundKind::Sandstone.meters();
    }
    // Nothing grows on the way into the cave.
    let vegetation = Vegetation {
        exclusions: vec![Exclusion::Path {
            points: vec![[-6.0, 19.0], [-1.0, 0.0], [0.0, -12.0]],
            width: 13.0,
        }],
        ..default()
    };
    commands.spawn((Terrain::new(map).with_scale(SCALE), layers, vegetation));
    Ok(())
}

/// Returns the height of the terrain in meters, at `x` meters east and `y` meters south of the center.
///
/// The terrain is an island with a meadow and a hill that ends in a cliff.
fn height(at: Vec2) -> f32 {
    let shore = smooth((60.0 - at.length()) / 14.0);
    let cliff = smooth((-4.0 - at.y) / 6.0);
    let hill = 18.0 * (-at.distance_squared(Vec2::new(0.0, -22.0)) / 900.0).exp();
    let bumps = (0.35 * at.x).sin() * (0.27 * at.y).cos();
    shore * (FLOOR + cliff * (hill + bumps))
}

/// Smoothstep: clamps `part` to 0 to 1 and eases it in and out.
fn smooth(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Whether a position is inside the arch in the cliff.
fn is_mouth(at: Vec2) -> bool {
    let arch = 1.0 - (at.x / MOUTH.x).powi(2);
    (-9.0..-4.0).contains(&at.y) && arch > 0.0 && height(at) < FLOOR + MOUTH.y * arch.sqrt()
}

/// Spawns the cave: a tube in the hill. Its front is wider than the hole, so that its rim stays hidden.
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
        put(boulder(radius, x)?, at(x, 0.1, z));
    }
    // Stones along the arch. Each is placed where the cliff reaches its height.
    for number in 0..=16 {
        let turn = PI * number as f32 / 16.0;
        let (x, y) = (1.06 * MOUTH.x * turn.cos(), 1.04 * MOUTH.y * turn.sin());
        let z = (0..60).map(|step| -3.0 - 0.1 * step as f32);
        let z = z
            .into_iter()
            .find(|&z| height(Vec2::new(x, z)) >= FLOOR + y);
        let radius = 0.75 + 0.2 * (2.4 * number as f32).sin();
        put(
            boulder(radius, number as f32)?,
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

/// Returns a stone: a sphere with bumps and flat sides, which depend on `seed`.
fn boulder(radius: f32, seed: f32) -> Result<Mesh> {
    let turn = Quat::from_euler(EulerRot::XYZ, seed, 1.7 * seed, 0.4 * seed);
    let length = |out: Vec3| {
        let bumps = (4.0 * out + seed).map(f32::sin) + (9.0 * out.yzx() + seed).map(f32::sin) / 2.0;
        // Flat sides, 0.8 radii from the center.
        let sides = 0.8 / (turn * out).abs().max_element();
        sides.min(1.0 + 0.08 * bumps.element_sum())
    };
    let mut mesh = Sphere::new(radius).mesh().ico(3)?;
    if let Some(VertexAttributeValues::Float32x3(places)) =
        mesh.attribute_mut(Mesh::ATTRIBUTE_POSITION)
    {
        for place in places {
            let out = Vec3::from(*place).normalize();
            *place = (radius * length(out) * out).to_array();
        }
    }
    mesh.compute_smooth_normals();
    Ok(mesh)
}

fn camera(mut commands: Commands) {
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        SkyFog::default(),
        Transform::from_xyz(-6.0, 7.0, 19.0).looking_at(Vec3::new(0.0, 7.0, -10.0), Vec3::Y),
    ));
}
