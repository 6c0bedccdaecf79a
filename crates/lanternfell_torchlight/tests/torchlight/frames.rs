//! Measures the time of light on the main thread per frame.
//!
//! This prints times and checks nothing.
//!
//! ```sh
//! cargo test --workspace --test torchlight -- --ignored --nocapture measure_frame_times
//! ```
//!
//! Frames run at 60 per second on the real clock, as in a game. A late frame has to be made up for by the next ones.
//! `light` is the CPU time of the main thread in the plugin's schedule per frame, including several ticks. All systems
//! run on the main thread here. `frame` is the wall-clock time of the whole frame. `age` is the age of the light.

use std::{
    cell::Cell as Slot,
    fmt, thread,
    time::{Duration, Instant},
};

use bevy::{
    app::{FixedMain, RunFixedMainLoop, RunFixedMainLoopSystems},
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
};
use cpu_time::ThreadTime;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

const FRAME: Duration = Duration::from_micros(16_667);
const FRAMES: usize = 240;

thread_local! {
    static BEGUN: Slot<Option<ThreadTime>> = const { Slot::new(None) };
    static TAKEN: Slot<Duration> = const { Slot::new(Duration::ZERO) };
}

/// A lamp that moves in a circle.
#[derive(Component)]
struct Round {
    middle: Vec2,
    speed: f32,
}

fn go_round(time: Res<Time<Real>>, mut lamps: Query<(&Round, &mut LightCell)>) {
    for (round, mut at) in &mut lamps {
        let angle = round.speed * time.elapsed_secs();
        at.0 = round.middle + 6.0 * Vec2::from_angle(angle);
    }
}

fn new_app() -> App {
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::Automatic)
        .add_systems(Update, go_round)
        .add_systems(
            RunFixedMainLoop,
            (
                (|| BEGUN.set(Some(ThreadTime::now())))
                    .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
                (|| TAKEN.set(BEGUN.get().map_or(Duration::ZERO, |begun| begun.elapsed())))
                    .in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            ),
        );
    for schedule in [
        RunFixedMainLoop.intern(),
        FixedMain.intern(),
        FixedPostUpdate.intern(),
    ] {
        app.edit_schedule(schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
    app
}

/// A grid of rooms with doors, or without walls.
fn grid_of(side: u32, radius: f32, rooms: bool) -> LightGrid {
    let settings = LightSettings {
        falloff: Falloff::Radius(radius),
        ..default()
    };
    let mut grid = LightGrid::new(side, side, settings).unwrap();
    let wall = |at: IVec2| (at.x % 16 == 0 && at.y % 16 != 8) || (at.y % 16 == 0 && at.x % 16 != 8);
    grid.fill(|at| {
        if rooms && wall(at) {
            Cell::WALL
        } else {
            Cell::OPEN
        }
    })
    .unwrap();
    grid
}

/// Sorted, the shortest first.
struct Times(Vec<Duration>);

impl fmt::Display for Times {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |share: usize| self.0[(self.0.len() * share / 100).min(self.0.len() - 1)];
        let [half, most, longest] = [at(50), at(99), at(100)].map(|time| time.as_secs_f64() * 1e3);
        write!(formatter, "{half:7.2} {most:7.2} {longest:7.2}")
    }
}

#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn measure(what: &str, timing: LightTiming, grid: LightGrid, flow: LightFlow, lamps: u32) {
    let mut app = new_app();
    let side = grid.width();
    let map = app.world_mut().spawn((TorchlightMap::new(grid), flow)).id();
    app.world_mut().flush();
    app.world_mut().entity_mut(map).insert(timing);
    let rows = (lamps as f32).sqrt().ceil() as u32;
    for n in 0..lamps {
        let middle = UVec2::new(n % rows, n / rows) * side / rows + side / rows / 2;
        let round = Round {
            middle: middle.as_vec2(),
            speed: 0.7 + 0.01 * n as f32,
        };
        app.world_mut().spawn((lamp(), LightCell::default(), round));
    }
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for frame in 0..FRAMES + 30 {
        let start = Instant::now();
        app.update();
        let all = start.elapsed();
        if frame >= 30 {
            let age = status(&app, map).age();
            for (times, time) in times.iter_mut().zip([TAKEN.get(), all, age]) {
                times.push(time);
            }
        }
        thread::sleep(FRAME.saturating_sub(start.elapsed()));
    }
    let [light, frame, age] = times.map(|mut times| {
        times.sort();
        Times(times)
    });
    println!("{what:<38} {timing:?}\t| {light} | {frame} | {age}");
}

#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn measure_frame_times() {
    println!("ms: median, 99th percentile, maximum");
    println!(
        "{:<38} timing\t| {:^23} | {:^23} | {:^23}",
        "", "light", "frame", "age"
    );
    for timing in [LightTiming::InStep, LightTiming::WithinBudget] {
        let flowing = LightFlow::default();
        let settled = LightFlow::SETTLED;
        let loads = [
            (
                "1 lamp, rooms, 64 x 64, flowing",
                64,
                12.0,
                true,
                flowing,
                1,
            ),
            (
                "1 lamp, rooms, 1024 x 1024, flowing",
                1024,
                12.0,
                true,
                flowing,
                1,
            ),
            (
                "64 lamps, 256 x 256, settled, radius 30",
                256,
                30.0,
                false,
                settled,
                64,
            ),
            (
                "64 lamps, rooms, 256 x 256, settled",
                256,
                30.0,
                true,
                settled,
                64,
            ),
            (
                "256 lamps, 1024 x 1024, flowing",
                1024,
                30.0,
                false,
                flowing,
                256,
            ),
            (
                "64 lamps, 1024 x 1024, settled",
                1024,
                30.0,
                false,
                settled,
                64,
            ),
            (
                "10,000 lamps, 256 x 256, settled",
                256,
                6.0,
                false,
                settled,
                10_000,
            ),
        ];
        for (what, side, radius, rooms, flow, lamps) in loads {
            measure(what, timing, grid_of(side, radius, rooms), flow, lamps);
        }
    }
}
