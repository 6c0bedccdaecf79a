//! A terrain from a GeoTIFF: the Jacksboro fault in Tennessee.
//!
//! A pole marks the highest point, and its coordinates are logged.
//!
//! The elevation model is by the U.S. Geological Survey (public domain), from the sample data of Matplotlib. Its
//! resolution is 3 arc seconds. It was converted to GeoTIFF.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    light::CascadeShadowConfigBuilder,
    prelude::*,
};
use lanternfell::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins(TerrainPlugins)
        // A low sun shows the relief.
        .insert_resource(TimeOfDay {
            hour: 16.2,
            latitude: 36.5,
            ..default()
        })
        .insert_resource(Weather::CLEAR)
        .add_systems(Startup, setup)
        .add_observer(mark_highest)
        .run()
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    let file: Handle<TerrainFile> = assets.load("elevation/jacksboro.tif");
    // The file defines the scale: 33 km wide and 840 m high.
    let layers = TerrainLayers::temperate(&LayerZones {
        rock_slope: 31.0,
        snow_line: 2.0,
        sand_height: 0.0,
        patches: 900.0,
        ..default()
    });
    // Inland, so there is no sea.
    commands
        .spawn((Terrain::new(file), layers))
        .remove::<Water>();
    let shadows = CascadeShadowConfigBuilder {
        first_cascade_far_bound: 4000.0,
        maximum_distance: 30_000.0,
        ..default()
    };
    commands.spawn((CelestialLight, shadows.build()));
    commands.spawn((
        Camera3d::default(),
        // The far corner of the terrain is 50 km away.
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
        SkyFog {
            visibility: 120_000.0,
        },
        Transform::from_xyz(13_500.0, 4600.0, 16_000.0)
            .looking_at(Vec3::new(1000.0, -1200.0, 0.0), Vec3::Y),
    ));
}

/// Marks the highest point. `geo_position` returns coordinates in the file's coordinate system, here degrees.
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
    let highest = vertices.max_by(by_height).ok_or("the map has no cells")?;
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
