//! Flies through `examples/endless` without a window, across the cell borders of its `big_space`.

use bevy::{
    asset::AssetPlugin,
    image::ImagePlugin,
    math::{DVec3, I64Vec2, I64Vec3},
    mesh::MeshPlugin,
    prelude::*,
};
use big_space::{plugin::BigSpaceMinimalPlugins, prelude::*};
use lanternfell_terrain::{TerrainChunk, heightmap::Plane, prelude::*};

use lanternfell_terrain_test_support::{drawn::positions, terrain::*};

#[path = "../../examples/endless.rs"]
#[expect(dead_code, reason = "its main opens a window")]
mod endless;

use endless::{CELL, SCALE, world};

/// Like the example's terrain, but faster to generate: the flight needs about fifty regions.
fn broad_land() -> Recipe {
    let hills = FractalNoise {
        octaves: 3,
        scale: 900.0,
        ..default()
    };
    Recipe {
        scale: Some(SCALE),
        ..Recipe::new(MapSize::default(), 11, hills)
    }
}

fn big_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        MeshPlugin,
        ImagePlugin::default(),
        BigSpaceMinimalPlugins,
        TerrainPlugin,
        world,
    ));
    started(app)
}

/// The cell of the camera, its position in the cell, and its rendered position.
fn camera(app: &mut App) -> (I64Vec3, Vec3, Vec3) {
    let world = app.world_mut();
    let mut cameras =
        world.query_filtered::<(&CellCoord, &Transform, &GlobalTransform), With<Camera3d>>();
    let (cell, place, drawn) = cameras.single(world).unwrap();
    let cell = I64Vec3::new(cell.x, cell.y, cell.z);
    (cell, place.translation, drawn.translation())
}

/// The position relative to the origin of the world.
fn absolute((cell, place, _): (I64Vec3, Vec3, Vec3)) -> DVec3 {
    cell.as_dvec3() * f64::from(CELL) + place.as_dvec3()
}

fn fly(app: &mut App, step: Vec3) {
    let world = app.world_mut();
    let mut cameras = world.query_filtered::<&mut Transform, With<Camera3d>>();
    cameras.single_mut(world).unwrap().translation += step;
    app.update();
}

/// The distance of the farthest chunk from the renderer's origin.
fn farthest_chunk(app: &mut App) -> f32 {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<&GlobalTransform, With<TerrainChunk>>();
    let far = chunks.iter(world).map(|at| at.translation().length());
    far.fold(0.0, f32::max)
}

/// The expected surface: the point of the cell nearest to a world position.
struct Truth(Plane);

impl Truth {
    fn at(&self, place: DVec3) -> DVec3 {
        let spacing = f64::from(SCALE.spacing);
        let cell = (place / spacing).round().as_i64vec3();
        let size = MapSize::new(2, 2).unwrap();
        let part = self.0.part((cell.x, cell.z), size, &Progress::default());
        let height = part.unwrap().get(0, 0) * SCALE.relief;
        (cell.as_dvec3() * spacing).with_y(height.into())
    }
}

/// The error of a query below the camera in the current frame.
fn off_below(app: &mut App, truth: &Truth) -> f32 {
    let here = camera(app);
    let point = truth.at(absolute(here));
    let at = here.2 + (point - absolute(here)).as_vec3();
    let found = ask(app, move |terrains| terrains.height(at));
    let found = found.unwrap_or_else(|| panic!("no terrain below {at} in cell {}", here.0));
    (f64::from(found) - point.y).abs() as f32
}

/// The largest error of some rendered vertices near the camera.
fn off_drawn(app: &mut App, truth: &Truth) -> f32 {
    let here = camera(app);
    let shown = shown_chunks(app);
    let world = app.world();
    let meshes = world.resource::<Assets<Mesh>>();
    let vertices = shown.into_iter().flat_map(|chunk| {
        let at = world.get::<GlobalTransform>(chunk).unwrap().translation();
        let mesh = meshes.get(&world.get::<Mesh3d>(chunk).unwrap().0).unwrap();
        let vertices: Vec<Vec3> = positions(mesh).into_iter().map(|v| at + v).collect();
        vertices
    });
    let is_near = |vertex: &Vec3| vertex.xz().distance(here.2.xz()) < 150.0;
    let off = vertices.filter(is_near).step_by(211).map(|vertex| {
        let place = absolute(here) + (vertex - here.2).as_dvec3();
        let point = truth.at(place);
        (place - point).as_vec3().abs().max_element()
    });
    off.fold(0.0, f32::max)
}

/// Back and forth over corners and sides of cells, also 143 km away from the world's origin.
#[test]
fn terrain_stays_in_place_across_cell_borders() {
    let legs = [
        Vec3::new(-31.0, 0.0, -53.0),
        Vec3::new(-59.0, 0.0, 7.0),
        Vec3::new(61.0, 0.0, 60.0),
    ];
    let truth = Truth(broad_land().plane().unwrap());
    for start in [CellCoord::default(), CellCoord::new(50, 0, -49)] {
        let mut app = big_app();
        app.update();
        let world = app.world_mut();
        let mut cameras = world.query_filtered::<&mut CellCoord, With<Camera3d>>();
        *cameras.single_mut(world).unwrap() = start;
        let mut lands = world.query::<&mut EndlessTerrain>();
        *lands.single_mut(world).unwrap() = EndlessTerrain {
            distance: 900.0,
            ..EndlessTerrain::new(broad_land())
        };
        settle(&mut app);
        let (mut cells, mut looked_at) = (Vec::new(), 0);
        for (number, step) in legs.iter().flat_map(|&leg| [leg; 48]).enumerate() {
            fly(&mut app, step);
            let here = camera(&mut app);
            let off = off_below(&mut app, &truth);
            assert!(off < 1e-3, "{off} m off in cell {}", here.0);
            // Also in the first frame in a new cell.
            if cells.last() != Some(&here.0) || number % 10 == 0 {
                let off = off_drawn(&mut app, &truth);
                assert!(off < 1e-3, "drawn {off} m off in cell {}", here.0);
                looked_at += 1;
            }
            cells.push(here.0);
            assert_near(&mut app, here);
            // The camera does not fly a kilometer while a region is generated.
            if number % 6 == 0 {
                settle(&mut app);
            }
        }
        cells.dedup();
        assert!(cells.len() > 5 && looked_at > 18, "{cells:?}");
        let is_beyond = |cell: &I64Vec3| cell.x < start.x && cell.z < start.z;
        assert!(cells.iter().any(is_beyond), "{cells:?}");
    }
}

fn settle(app: &mut App) {
    app.update();
    wait_until_ready(app);
    app.update();
}

/// Checks that all rendered coordinates are small, and that the terrain's origin matches its cell.
#[track_caller]
fn assert_near(app: &mut App, here: (I64Vec3, Vec3, Vec3)) {
    let camera = here.2.abs().max_element();
    assert!(
        camera < 0.5 * CELL + 200.0,
        "the camera is drawn at {}",
        here.2
    );
    let far = farthest_chunk(app);
    assert!(far < 3.0 * CELL, "a chunk is drawn at {far} m");
    let world = app.world_mut();
    let mut lands = world.query::<(&EndlessTerrain, &CellCoord)>();
    let (land, cell) = lands.single(world).unwrap();
    let first = I64Vec2::new(cell.x, cell.z) * (CELL / SCALE.spacing) as i64;
    assert_eq!(land.origin, first);
}
