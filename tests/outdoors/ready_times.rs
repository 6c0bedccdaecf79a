//! Measures the time from spawning a terrain until it can be seen: meshes, layers, collider and queries.
//!
//! The measurement is an ignored test that prints a table. It needs no driver, because nothing is rendered:
//!
//! ```sh
//! cargo test --workspace --test outdoors -- --ignored --nocapture ready_times
//! ```
//!
//! `generated` is the time of the recipe alone. `ready` is the time until `TerrainReady`, and `CPU` the time of all
//! threads until then, minus that of the same number of frames without a terrain. `without collider` is the same for a
//! terrain without `TerrainCollider`. All values are medians.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use cpu_time::ProcessTime;
use lanternfell::{heightmap::Progress, prelude::*};
use lanternfell_terrain_test_support::terrain::*;

const ROUNDS: usize = 7;
const FRAME: Duration = Duration::from_millis(16);

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

/// Wall time and CPU time of frames until `done`, and their number.
fn frames(app: &mut App, done: impl Fn(&App, u32) -> bool) -> (Duration, Duration, u32) {
    let (start, cpu) = (Instant::now(), ProcessTime::now());
    for number in 1.. {
        let frame = Instant::now();
        app.update();
        if done(app, number) {
            return (start.elapsed(), cpu.elapsed(), number);
        }
        thread::sleep(FRAME.saturating_sub(frame.elapsed()));
    }
    unreachable!()
}

/// Wall time and CPU time from spawning to `TerrainReady`.
fn until_ready(side: u64, has_collider: bool) -> (Duration, Duration) {
    let mut app = drawing_app();
    let over = Transform::from_xyz(-120.0, 70.0, 160.0).looking_at(Vec3::Y * 5.0, Vec3::Y);
    app.world_mut().spawn((Camera3d::default(), over));
    let idle = frames(&mut app, |_, number| number == 30).1 / 30;
    // The plugin's own level of detail, not that of the tests.
    let detail = TerrainDetail {
        memory: 64 << 20,
        ..default()
    };
    let terrain = Terrain::new(recipe(side));
    let mut terrain = app.world_mut().spawn((terrain, detail));
    if !has_collider {
        terrain.remove::<TerrainCollider>();
    }
    let (wall, cpu, count) = frames(&mut app, |app, _| !answers(app).ready.is_empty());
    (wall, cpu.saturating_sub(idle * count))
}

#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn ready_times() {
    println!("| cells | generated | ready | CPU | CPU without collider |");
    for side in [256, 1024, 4096] {
        let generated = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            recipe(side).generate(&Progress::default()).unwrap();
            start.elapsed()
        });
        let generated = median(generated.collect());
        let [whole, bare] = [true, false].map(|has_collider| {
            let rounds = (0..ROUNDS).map(|_| until_ready(side, has_collider));
            let (wall, cpu) = rounds.unzip();
            [median(wall), median(cpu)]
        });
        let ([ready, cpu], [_, bare]) = (whole, bare);
        println!(
            "| {side} x {side} | {generated:.1} ms | {ready:.0} ms | {cpu:.0} ms | {bare:.0} ms |"
        );
    }
}
