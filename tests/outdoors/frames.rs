//! Measures how much main-thread time terrain and plants take per frame, in an app with a renderer.
//!
//! The measurements are ignored tests that print times with their targets. They need a Vulkan driver; a software driver
//! is enough:
//!
//! ```sh
//! cargo test --workspace --test outdoors -- --ignored --nocapture --exact frames::frame_times
//! cargo test --workspace --test outdoors -- --ignored --nocapture --exact frames::plant_frame_times
//! ```
//!
//! The app runs at 60 frames per second. All systems run on the main thread, and the plugin's tasks on other threads.
//!
//! - `own`: CPU time of `Update` on the main thread, minus that of the same app without terrain. `Update` contains all
//!   of the plugin's systems except four that only look at a few numbers.
//! - `after`: CPU time of `PostUpdate`, in which Bevy processes the changes.
//! - `frame`: CPU time of the whole frame on the main thread, including the renderer.
//!
//! The camera looks into the sky, so that a software driver keeps up. Chunks are selected by distance, so they are
//! built and uploaded as usual.

use std::{
    cell::Cell,
    fmt::{self, Display},
    thread,
    time::{Duration, Instant},
};

use bevy::{
    app::MainScheduleOrder,
    ecs::{
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::RunSystemOnce,
    },
    prelude::*,
};
use cpu_time::ThreadTime;
use lanternfell::{heightmap::Scale, prelude::*, vegetation::DrawnVegetation};

use lanternfell_terrain_test_support::canvas::{EveryFrame, app_that_draws, spawn_camera};

/// 1/40 of 1920x1080 per side, so that a software driver keeps up. [`DETAIL`] selects chunks as for the full size.
const SCREEN: UVec2 = UVec2::new(48, 27);
const DETAIL: f32 = 0.025;
const FRAME: Duration = Duration::from_micros(16_667);
const FRAMES_A_SECOND: f32 = 60.0;
/// In meters per second.
const SPEED: f32 = 50.0;
const FLIGHT: usize = 600;
const CHANGES: u64 = 8;
const IDLE: usize = 120;
/// Timeout for new terrain on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// Schedules before and after `Update` and `PostUpdate`.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
enum Mark {
    UpdateBegins,
    UpdateEnds,
    PostUpdateBegins,
    PostUpdateEnds,
}

/// CPU time of the main thread in one frame.
#[derive(Resource, Debug, Default, Clone, Copy)]
struct Frame {
    own: Duration,
    after: Duration,
    all: Duration,
}

thread_local! {
    static BEGUN: Cell<Option<ThreadTime>> = const { Cell::new(None) };
}

fn begin() {
    BEGUN.set(Some(ThreadTime::now()));
}

/// This thread's CPU time since [`begin`].
fn since() -> Duration {
    BEGUN.get().map_or(Duration::ZERO, |begun| begun.elapsed())
}

/// Adds the measurement to the app.
fn measure(app: &mut App) {
    app.insert_resource(EveryFrame)
        .init_resource::<Frame>()
        .add_systems(Mark::UpdateBegins, begin)
        .add_systems(Mark::UpdateEnds, |mut frame: ResMut<Frame>| {
            frame.own = since();
        })
        .add_systems(Mark::PostUpdateBegins, begin)
        .add_systems(Mark::PostUpdateEnds, |mut frame: ResMut<Frame>| {
            frame.after = since();
        });
    let mut order = app.world_mut().resource_mut::<MainScheduleOrder>();
    order.insert_before(Update, Mark::UpdateBegins);
    order.insert_after(Update, Mark::UpdateEnds);
    order.insert_before(PostUpdate, Mark::PostUpdateBegins);
    order.insert_after(PostUpdate, Mark::PostUpdateEnds);
    let on_this_thread = |schedule: &mut Schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    };
    app.edit_schedule(Update, on_this_thread)
        .edit_schedule(PostUpdate, on_this_thread)
        .edit_schedule(Mark::UpdateBegins, on_this_thread)
        .edit_schedule(Mark::UpdateEnds, on_this_thread)
        .edit_schedule(Mark::PostUpdateBegins, on_this_thread)
        .edit_schedule(Mark::PostUpdateEnds, on_this_thread);
}

/// The times of several frames.
#[derive(Default)]
struct Frames(Vec<Frame>);

impl Frames {
    /// Runs and measures one frame at 60 frames per second.
    fn next(&mut self, app: &mut App) {
        let (start, clock) = (Instant::now(), ThreadTime::now());
        app.update();
        let all = clock.elapsed();
        let frame = *app.world().resource::<Frame>();
        self.0.push(Frame { all, ..frame });
        thread::sleep(FRAME.saturating_sub(start.elapsed()));
    }

    fn many(app: &mut App, count: usize) -> Self {
        let mut frames = Self::default();
        (0..count).for_each(|_| frames.next(app));
        frames
    }

    /// Runs frames until no terrain is generated or refined.
    fn until_settled(&mut self, app: &mut App) {
        // Generation starts in the first frame, and transforms reach the chunks one frame later.
        (0..3).for_each(|_| self.next(app));
        let start = Instant::now();
        while !is_settled(app) {
            self.next(app);
            let world = app.world_mut();
            let mut drawn = world.query::<(&DrawnDetail, Has<TerrainProgress>)>();
            let states: Vec<_> = drawn.iter(world).collect();
            assert!(
                start.elapsed() < PATIENCE,
                "after {} frames: {states:?}",
                self.0.len()
            );
        }
    }

    fn of(&self, which: impl Fn(&Frame) -> Duration) -> Times {
        let mut times: Vec<Duration> = self.0.iter().map(which).collect();
        times.sort();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
        Times([at(50), at(99), times[times.len() - 1]])
    }

    /// Prints the times. `idle` is the time without terrain, which is subtracted from `own`.
    #[expect(clippy::print_stdout, reason = "prints a measurement")]
    fn print(&self, what: &str, idle: Duration) {
        let own = self.of(|frame| frame.own.saturating_sub(idle));
        let (after, all) = (self.of(|frame| frame.after), self.of(|frame| frame.all));
        let count = self.0.len();
        println!("{what:<44} {count:>6} | {own} | {after} | {all}");
    }
}

#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn print_heading() {
    println!("main thread, ms: median, 99th percentile, maximum");
    println!(
        "{:<44} {:>6} | {:^23} | {:^23} | {:^23}",
        "", "frames", "own", "after", "frame"
    );
}

/// Median, 99th percentile and maximum.
struct Times([Duration; 3]);

impl Display for Times {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [half, most, longest] = self.0.map(|time| time.as_secs_f64() * 1e3);
        write!(formatter, "{half:7.2} {most:7.2} {longest:7.2}")
    }
}

fn is_settled(app: &mut App) -> bool {
    let world = app.world_mut();
    let is_busy = world
        .query::<&TerrainProgress>()
        .iter(world)
        .next()
        .is_some();
    let mut drawn = world.query::<&DrawnDetail>();
    !is_busy && drawn.iter(world).all(|drawn| !drawn.refining)
}

/// The terrain of the benchmarks: seven octaves of noise, the longest with a wavelength of 900 m, 160 m high.
fn land(side: u64, seed: u64) -> Terrain {
    let noise = FractalNoise {
        octaves: 7,
        scale: 900.0,
        lacunarity: 2.0,
        gain: 0.5,
        ..default()
    };
    let recipe = Recipe::new(MapSize::new(side, side).unwrap(), seed, noise);
    Terrain::new(recipe).with_scale(Scale {
        spacing: 1.0,
        relief: 160.0,
    })
}

#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn frame_times() {
    let mut app = app_that_draws(SCREEN, measure);
    let place = |x: f32| Transform::from_xyz(x, 150.0, 200.0).looking_to(Vec3::Y, Vec3::X);
    let camera = spawn_camera(&mut app, place(-300.0));
    let light = Transform::default().looking_to(Vec3::new(1.0, -2.0, 0.5), Vec3::Y);
    app.world_mut().spawn((DirectionalLight::default(), light));
    Frames::many(&mut app, 60);

    print_heading();
    let nothing = Frames::many(&mut app, IDLE);
    let Times([idle, ..]) = nothing.of(|frame| frame.own);
    nothing.print("no terrain", idle);

    let detail = TerrainDetail {
        pixel_error: DETAIL,
        ..default()
    };
    let terrain = (land(1024, 1), detail);
    let terrain = app.world_mut().spawn(terrain).remove::<Water>().id();
    Frames::default().until_settled(&mut app);
    Frames::many(&mut app, IDLE).print("1024 x 1024, at rest", idle);
    let mut regenerated = Frames::default();
    for seed in 2..2 + CHANGES {
        *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = land(1024, seed);
        regenerated.until_settled(&mut app);
    }
    regenerated.print("1024 x 1024, regenerated (99 %: own < 2)", idle);

    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = land(16_384, 1);
    let mut coming = Frames::default();
    coming.until_settled(&mut app);
    coming.print("1024 x 1024 replaced by 16384 x 16384", idle);
    Frames::many(&mut app, IDLE).print("16384 x 16384, at rest", idle);
    let mut flight = Frames::default();
    for step in 0..FLIGHT {
        let x = -300.0 + SPEED / FRAMES_A_SECOND * step as f32;
        *app.world_mut().get_mut::<Transform>(camera).unwrap() = place(x);
        flight.next(&mut app);
    }
    flight.print("16384 x 16384, at 50 m/s (99 %: own < 1)", idle);
    let drawn = app.world().get::<DrawnDetail>(terrain).unwrap();
    let (patches, pixels) = (drawn.patches, drawn.pixel_error / DETAIL);
    println!("{patches} chunks, screen-space error at most {pixels:.1} pixels at 1920 x 1080");
}

/// The default plants on a terrain of 2 km, with the spacing reduced to get 100,000 trees and stones. Measures a camera
/// at eye level that stands and then runs.
#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "prints a measurement")]
fn plant_frame_times() {
    const RUN: f32 = 8.0;
    let mut app = app_that_draws(SCREEN, |app| {
        app.add_plugins(VegetationPlugin);
        measure(app);
    });
    let place = |x: f32| Transform::from_xyz(x, 0.0, 200.0).looking_to(Vec3::Y, Vec3::X);
    let camera = spawn_camera(&mut app, place(-300.0));
    let light = Transform::default().looking_to(Vec3::new(1.0, -2.0, 0.5), Vec3::Y);
    app.world_mut().spawn((DirectionalLight::default(), light));
    let terrain = app.world_mut().spawn(land(2048, 1)).id();
    Frames::many(&mut app, 60);
    Frames::default().until_settled(&mut app);
    let on_ground = |app: &mut App, x: f32| {
        let at = Vec3::new(x, 0.0, 200.0);
        let height = app
            .world_mut()
            .run_system_once(move |terrains: TerrainQuery| terrains.height(at));
        place(x)
            .translation
            .with_y(height.unwrap().unwrap_or_default() + 1.7)
    };
    print_heading();
    let nothing = Frames::many(&mut app, IDLE);
    let Times([idle, ..]) = nothing.of(|frame| frame.own);
    nothing.print("terrain without plants", idle);
    let mut dense = Vegetation::default();
    for Plant { rule, .. } in &mut dense.plants {
        rule.spacing *= 0.6;
        rule.crown *= 0.6;
    }
    app.world_mut().entity_mut(terrain).insert(dense);
    let drawn = |app: &App| {
        let drawn: Option<&DrawnVegetation> = app.world().get(terrain);
        drawn.cloned().unwrap_or_default()
    };
    let mut growing = Frames::default();
    while !drawn(&app).is_complete {
        growing.next(&mut app);
    }
    growing.print("with plants, growing", idle);
    Frames::many(&mut app, IDLE).print("with plants, at rest (99 %: own < 0.5)", idle);
    let mut run = Frames::default();
    for step in 0..FLIGHT {
        let at = on_ground(&mut app, -300.0 + RUN / FRAMES_A_SECOND * step as f32);
        app.world_mut()
            .get_mut::<Transform>(camera)
            .unwrap()
            .translation = at;
        run.next(&mut app);
    }
    run.print("at 8 m/s (99 %: own < 0.5)", idle);
    println!("{:?}", drawn(&app));
}
