//! Measures the time from spawning a terrain until it is complete: meshes, layers, collider and queries.
//!
//! The measurement is an ignored test that prints a table. It needs a Vulkan driver; a software driver is enough:
//!
//! ```sh
//! cargo test --release --workspace --test outdoors -- --ignored --nocapture --exact ready_times::ready_times
//! ```
//!
//! - `generated`: the time of the recipe alone.
//! - `first`: the time until `TerrainReady` at 60 frames per second, and the CPU time of all threads, minus that of the
//!   same number of frames without a terrain. This includes the textures of the layers.
//! - `second`: the same next to a small terrain that is shown already and has the same textures.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use cpu_time::ProcessTime;
use lanternfell::{heightmap::Progress, prelude::*, terrain::LayerTextures};

use lanternfell_terrain_test_support::{
    canvas::{EveryFrame, app_that_draws, spawn_camera},
    terrain::has,
};

const ROUNDS: usize = 5;
const FRAME: Duration = Duration::from_micros(16_667);
/// See `frames.rs`.
const SCREEN: UVec2 = UVec2::new(48, 27);
const DETAIL: f32 = 0.025;

fn recipe(side: u64) -> Recipe {
    let hills = Hills {
        island: true,
        ..default()
    };
    Recipe::new(MapSize::new(side, side).unwrap(), 7, hills)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Updates the app until `done`. Returns the wall time, the CPU time and the number of frames.
fn frames(app: &mut App, done: impl Fn(&App, u32) -> bool) -> (Duration, Duration, u32) {
    let (start, cpu, mut count) = (Instant::now(), ProcessTime::now(), 0);
    loop {
        let frame = Instant::now();
        app.update();
        count += 1;
        if done(app, count) {
            return (start.elapsed(), cpu.elapsed(), count);
        }
        thread::sleep(FRAME.saturating_sub(frame.elapsed()));
    }
}

fn spawn(app: &mut App, side: u64) -> Entity {
    let detail = TerrainDetail {
        pixel_error: DETAIL,
        ..default()
    };
    let terrain = (Terrain::new(recipe(side)), detail);
    app.world_mut().spawn(terrain).id()
}

fn is_ready(app: &App, terrain: Entity) -> bool {
    has::<TerrainSurface>(app, terrain) && !has::<TerrainProgress>(app, terrain)
}

/// Wall time and CPU time until a terrain is ready.
fn until_ready(app: &mut App, side: u64) -> (Duration, Duration) {
    frames(app, |_, count| count == 30);
    let (_, idle, count) = frames(app, |_, count| count == 60);
    let idle = idle / count;
    let terrain = spawn(app, side);
    let (wall, cpu, count) = frames(app, |app, _| is_ready(app, terrain));
    app.world_mut().despawn(terrain);
    (wall, cpu.saturating_sub(idle * count))
}

#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn ready_times() {
    let mut app = app_that_draws(SCREEN, |app| {
        app.insert_resource(EveryFrame);
    });
    // Into the sky, so that a software driver keeps up. Patches are chosen by distance.
    let over = Transform::from_xyz(-120.0, 70.0, 160.0).looking_to(Vec3::Y, Vec3::X);
    spawn_camera(&mut app, over);
    let light = Transform::default().looking_to(Vec3::new(1.0, -2.0, 0.5), Vec3::Y);
    app.world_mut().spawn((DirectionalLight::default(), light));
    println!("| cells | generated | first | CPU | second | CPU |");
    for side in [256, 1024, 4096] {
        let generated = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            recipe(side).generate(&Progress::default()).unwrap();
            start.elapsed()
        });
        let mut times = vec![median(generated.collect())];
        for is_first in [true, false] {
            let other = spawn(&mut app, 64);
            frames(&mut app, |app, _| {
                is_ready(app, other) && app.world().resource::<LayerTextures>().are_ready()
            });
            if is_first {
                app.world_mut().despawn(other);
            }
            let rounds = (0..ROUNDS).map(|_| until_ready(&mut app, side));
            let (wall, cpu) = rounds.unzip();
            times.extend([median(wall), median(cpu)]);
            if !is_first {
                app.world_mut().despawn(other);
            }
        }
        let times: Vec<String> = times.iter().map(|time| format!("{time:.0} ms")).collect();
        println!("| {side} x {side} | {} |", times.join(" | "));
    }
}
