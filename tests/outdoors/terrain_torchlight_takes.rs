//! Measures the cost of torchlight on a terrain.
//!
//! The measurement is an ignored test that prints times. It needs a Vulkan driver; a software driver is enough:
//!
//! ```sh
//! cargo test --workspace --test outdoors -- --ignored --nocapture torchlight_times
//! ```

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use cpu_time::ThreadTime;
use lanternfell::{heightmap::Scale, prelude::*};

use lanternfell_terrain_test_support::{canvas::EveryFrame, terrain::*};

use crate::terrain_torchlight::*;

const LAMPS: i32 = 16;
const RADIUS: f32 = 40.0;

/// Spawns a map with `cells` per side over a square kilometer of hills.
fn spawn_map(app: &mut App, cells: u32, terrain: Entity) -> Entity {
    let grid = LightGrid::new(cells, cells, straight(RADIUS)).unwrap();
    let map = TorchlightMap::new(grid)
        .with_plane(LightPlane::Xz)
        .with_cell_size(1024.0 / cells as f32);
    let map = (map, LightFlow::SETTLED, TerrainTorchlight(terrain));
    app.world_mut().spawn(map).id()
}

fn hilly() -> impl Bundle {
    let size = MapSize::new(1025, 1025).unwrap();
    let hills = Hills {
        radius_max: 90.0,
        ..default()
    };
    let scale = Scale {
        spacing: 1.0,
        relief: 60.0,
    };
    let land = Terrain::new(Recipe::new(size, 3, hills)).with_scale(scale);
    (land, TerrainCollider::default())
}

/// Positions of the lamps as fractions of the map.
fn lamps() -> impl Iterator<Item = Vec2> {
    (0..LAMPS).map(|k| Vec2::new((k % 4) as f32 + 0.6, (k / 4) as f32 + 0.7) / 4.2)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Measures the time until relief and light are ready, and the longest main-thread time of a frame until then.
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn measure_until_lit(app: &mut App, cells: u32, terrain: Entity) {
    let map = spawn_map(app, cells, terrain);
    let began = Instant::now();
    let (mut relief_came, mut longest) = (None, Duration::ZERO);
    let is_lit = |app: &App| {
        let status = app.world().get::<TorchlightStatus>(map).unwrap();
        status.age() == Duration::ZERO
    };
    let mut frames = 0;
    while relief_came.is_none() || frames < 20 || !is_lit(app) {
        let main = ThreadTime::now();
        app.update();
        longest = longest.max(main.elapsed());
        if relief(app, map).is_some() {
            relief_came.get_or_insert_with(|| began.elapsed());
            frames += 1;
        }
        thread::sleep(Duration::from_millis(1));
    }
    println!(
        "{cells} x {cells} cells: relief ready after {:.1} ms, longest frame {:.1} ms (main thread)",
        relief_came.unwrap_or_default().as_secs_f64() * 1e3,
        longest.as_secs_f64() * 1e3
    );
    app.world_mut().entity_mut(map).despawn();
}

/// Measures only the grid: computing the light of all lamps with and without a relief.
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn horizons(app: &mut App, cells: u32, terrain: Entity) {
    let map = spawn_map(app, cells, terrain);
    wait_for_relief(app, map);
    let grid = app
        .world()
        .get::<TorchlightMap>(map)
        .unwrap()
        .grid()
        .clone();
    app.world_mut().entity_mut(map).despawn();
    let sources: Vec<_> = lamps()
        .map(|at| lanternfell::lightgrid::Source::at(at * cells as f32, Vec3::ONE))
        .collect();
    let lit = |land: bool| {
        let once = |_| {
            let mut grid = grid.clone();
            if !land {
                grid.set_relief(None).unwrap();
            }
            grid.set_sources(&sources).unwrap();
            let began = Instant::now();
            grid.step(1);
            began.elapsed()
        };
        median((0..15).map(once).collect())
    };
    let [with, without] = [true, false].map(lit);
    println!(
        "{cells} x {cells} cells, {LAMPS} lamps of radius {RADIUS}: {with:.2} ms with relief, {without:.2} ms without"
    );
}

/// Measures frames with and without light on the terrain, alternating.
fn frames(app: &mut App, map: Entity) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..8 {
        let shown = turn % 2 == 0;
        app.world_mut().get_mut::<LightDisplay>(map).unwrap().shown = shown;
        for frame in 0..14 {
            let began = Instant::now();
            app.update();
            if frame >= 4 {
                times[usize::from(shown)].push(began.elapsed());
            }
        }
    }
    times.map(median)
}

#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn torchlight_times() {
    let mut app = lit_app();
    let terrain = spawn_dry(&mut app, hilly());
    wait_until_ready(&mut app);
    for cells in [256, 1024] {
        measure_until_lit(&mut app, cells, terrain);
        horizons(&mut app, cells, terrain);
    }
    let (mut app, [_, map]) = drawn_app(UVec2::new(480, 270));
    app.insert_resource(EveryFrame);
    spawn_torch(&mut app, Vec3::new(-12.0, 1.5, 0.0));
    for _ in 0..60 {
        app.update();
    }
    let [without, with] = frames(&mut app, map);
    println!(
        "frame of 480 x 270 full of terrain: {with:.1} ms with light, {without:.1} ms without"
    );
}
