//! An endless terrain without loss of precision at any distance. `big_space` keeps the camera near the origin, and the
//! origin of the terrain follows it.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    math::I64Vec2,
    prelude::*,
};
use big_space::{plugin::BigSpaceMinimalPlugins, prelude::*};
use lanternfell_headless::OrHeadless;
use lanternfell_sky::prelude::*;
use lanternfell_terrain::{heightmap::filter::Curve, prelude::*};

/// The cell size of the big space in meters: a multiple of the terrain's spacing.
pub const CELL: f32 = 2048.0;
/// The distance between the cells of the terrain, and its height range, in meters.
pub const SCALE: Scale = Scale {
    spacing: 1.0,
    relief: 320.0,
};

fn main() -> AppExit {
    App::new()
        .add_plugins((
            DefaultPlugins.or_headless().disable::<TransformPlugin>(),
            BigSpaceMinimalPlugins,
            FreeCameraPlugin,
            TerrainPlugin,
            SkyPlugin,
            world,
        ))
        // Clouds are fixed to the origin of the world, and would jump when it moves.
        .insert_resource(Weather {
            cloud_cover: 0.0,
            ..Weather::CLEAR
        })
        .insert_resource(TimeOfDay {
            hour: 8.0,
            ..default()
        })
        .run()
}

/// The part without window and renderer, which a test uses.
pub fn world(app: &mut App) {
    app.add_systems(Startup, setup)
        .add_systems(Update, keep_land_near);
}

/// Broad hills, with crests on the higher ones. About half of the terrain is below the sea.
pub fn land() -> Recipe {
    let continents = FractalNoise {
        octaves: 8,
        scale: 2600.0,
        lacunarity: 2.0,
        gain: 0.46,
        ..default()
    };
    let crests = RidgedMultifractal {
        octaves: 7,
        scale: 900.0,
        ..default()
    };
    let rise = Filter::Curve(Curve(vec![(0.0, 0.0), (0.45, 0.3), (0.6, 0.5), (1.0, 1.0)]));
    Recipe {
        scale: Some(SCALE),
        sea_level: Some(0.3),
        ..Recipe::new(MapSize::default(), 11, continents)
            .with_filter(rise)
            .with_layer(crests, Blend::Multiply, 0.6)
    }
}

fn setup(mut commands: Commands) {
    commands.spawn_big_space(Grid::new(CELL, 100.0), |space| {
        space.spawn_spatial(EndlessTerrain {
            distance: 1800.0,
            ..EndlessTerrain::new(land())
        });
        space.spawn_spatial((
            Camera3d::default(),
            FreeCamera {
                walk_speed: 60.0,
                run_speed: 400.0,
                ..default()
            },
            FloatingOrigin,
            TerrainViewer,
            // It hides the border of the terrain.
            SkyFog { visibility: 1600.0 },
            Transform::from_xyz(-420.0, 230.0, 500.0)
                .looking_at(Vec3::new(0.0, 90.0, 0.0), Vec3::Y),
        ));
    });
}

/// Moves the terrain to the viewer's cell of the big space, and adds the move to its origin. So everything near the
/// viewer has small coordinates, and no terrain is regenerated.
fn keep_land_near(
    viewers: Query<&CellCoord, (With<TerrainViewer>, Without<EndlessTerrain>)>,
    mut lands: Query<(&mut EndlessTerrain, &mut CellCoord)>,
) {
    let Ok(viewer) = viewers.single() else { return };
    for (mut land, mut cell) in &mut lands {
        if (cell.x, cell.z) != (viewer.x, viewer.z) {
            let moved = I64Vec2::new(viewer.x - cell.x, viewer.z - cell.z);
            land.origin += moved * (CELL / SCALE.spacing) as i64;
            (cell.x, cell.z) = (viewer.x, viewer.z);
        }
    }
}
