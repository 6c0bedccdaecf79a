//! A real place as ground: the Jacksboro fault in Tennessee, from an elevation model with its place on the earth.
//! A pole stands on the highest ground, and the log says where that is.
//!
//! Elevation: U.S. Geological Survey, public domain, as Matplotlib's sample data has it; 3 seconds of
//! arc from cell to cell, made into a GeoTIFF.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use lanternfell::prelude::*;

const HAZE: Color = Color::srgb(0.70, 0.77, 0.84);

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins(TerrainPlugin)
        .insert_resource(ClearColor(HAZE))
        .add_systems(Startup, setup)
        .add_observer(mark_highest)
        .run()
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    let file: Handle<TerrainFile> = assets.load("elevation/jacksboro.tif");
    // Metres are the file's own: 33 km of land, 840 m high.
    let layers = TerrainLayers::temperate(&LayerZones {
        rock_slope: 26.0,
        snow_line: 2.0,
        sand_height: 0.0,
        patches: 900.0,
        ..default()
    });
    let dry = Water {
        shown: false,
        ..default()
    };
    commands.spawn((Terrain::new(file), layers, dry));
    commands.spawn((
        DirectionalLight {
            illuminance: 11_000.0,
            ..default()
        },
        Transform::from_xyz(-2.0, 1.0, -0.6).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        // The far side is 50 km away.
        Projection::from(PerspectiveProjection {
            near: 10.0,
            far: 60_000.0,
            ..default()
        }),
        FreeCamera {
            walk_speed: 800.0,
            run_speed: 4000.0,
            ..default()
        },
        DistanceFog {
            color: HAZE,
            falloff: FogFalloff::from_visibility_squared(70_000.0),
            ..default()
        },
        Transform::from_xyz(13_500.0, 4600.0, 16_000.0)
            .looking_at(Vec3::new(1000.0, -1200.0, 0.0), Vec3::Y),
    ));
}

/// What is where is told in the file's own coordinate system: here degrees east and north.
fn mark_highest(
    ready: On<TerrainReady>,
    grounds: Query<&TerrainSurface>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let ground = grounds.get(ready.entity)?;
    let (surface, map) = (ground.surface(), ground.map());
    let cells = (0..map.height()).flat_map(|row| (0..map.width()).map(move |column| (column, row)));
    let by_height = |a: &Vec3, b: &Vec3| a.y.total_cmp(&b.y);
    let vertices = cells.map(|(column, row)| surface.vertex(column, row));
    let highest = vertices.max_by(by_height).ok_or("a map has cells")?;
    let place = ground.geo_position(highest);
    info!(
        "highest: {:.0} m at {:.4} north, {:.4} east",
        place.elevation, place.northing, place.easting
    );
    commands.spawn((
        Mesh3d(meshes.add(Cylinder::new(40.0, 900.0))),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgb(0.9, 0.16, 0.1),
            unlit: true,
            ..default()
        })),
        Transform::from_translation(highest + 450.0 * Vec3::Y),
    ));
    Ok(())
}
