//! What terrain takes of the main thread, frame by frame, in an app with a renderer.
//!
//! A measurement, which no test can be: it prints times, and what they should be. With a Vulkan driver, a software
//! one is enough:
//!
//! ```sh
//! cargo test --workspace --test terrain -- --ignored --nocapture --exact frames::what_frames_take
//! cargo test --workspace --test terrain -- --ignored --nocapture --exact frames::what_plants_take
//! ```
//!
//! Frames follow each other at sixty a second. `own` is the main thread's processor time of the whole schedule `Update` beyond that of the same app without
//! terrain: all of the plugin's systems but four that look at a few numbers each. All systems run on the main thread
//! here, the plugin's tasks do not. `after` is `PostUpdate`, where Bevy follows what has changed; `frame` all of a
//! frame, the renderer's part too. So that a software driver keeps up, the camera looks into the sky: land is
//! chosen by where it is, and made and handed over as ever.

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
use lanternfell::{prelude::*, vegetation::DrawnVegetation};

use lanternfell_terrain_test_support::canvas::{EveryFrame, app_that_draws, spawn_camera};

/// A fortieth of 1920 x 1080: a software driver draws it in time. What is drawn is chosen for the whole.
const SCREEN: UVec2 = UVec2::new(48, 27);
const DETAIL: f32 = 0.025;
const FRAME: Duration = Duration::from_micros(16_667);
const FRAMES_A_SECOND: f32 = 60.0;
/// Metres a second.
const SPEED: f32 = 50.0;
const FLIGHT: usize = 600;
const CHANGES: u64 = 8;
const IDLE: usize = 120;
/// For new ground, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// Between two schedules of the main world.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
enum Mark {
    UpdateBegins,
    UpdateEnds,
    PostUpdateBegins,
    PostUpdateEnds,
}

/// The main thread's time in one frame.
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

/// This thread's time since then.
fn since() -> Duration {
    BEGUN.get().map_or(Duration::ZERO, |begun| begun.elapsed())
}

/// Has the time of the schedules taken.
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

/// Frames of one kind.
#[derive(Default)]
struct Frames(Vec<Frame>);

impl Frames {
    /// One more, sixty a second.
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

    /// Until there is no work on terrain.
    fn until_settled(&mut self, app: &mut App) {
        // Before the first nothing has begun yet; transforms reach the patches one later.
        (0..3).for_each(|_| self.next(app));
        let start = Instant::now();
        while !is_settled(app) {
            self.next(app);
            let world = app.world_mut();
            let mut drawn = world.query::<(&DrawnDetail, Has<Generating>)>();
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

    /// With the time of an app without terrain taken off.
    #[expect(clippy::print_stdout, reason = "it is a measurement")]
    fn print(&self, what: &str, idle: Duration) {
        let own = self.of(|frame| frame.own.saturating_sub(idle));
        let (after, all) = (self.of(|frame| frame.after), self.of(|frame| frame.all));
        let count = self.0.len();
        println!("{what:<44} {count:>6} | {own} | {after} | {all}");
    }
}

#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn print_heading() {
    println!("main thread, ms: of a half of the frames, of 99 %, the longest");
    println!(
        "{:<44} {:>6} | {:^23} | {:^23} | {:^23}",
        "", "frames", "own", "after", "frame"
    );
}

/// Half of the frames take less than the first, all but one in a hundred less than the second.
struct Times([Duration; 3]);

impl Display for Times {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [half, most, longest] = self.0.map(|time| time.as_secs_f64() * 1e3);
        write!(formatter, "{half:7.2} {most:7.2} {longest:7.2}")
    }
}

fn is_settled(app: &mut App) -> bool {
    let world = app.world_mut();
    let is_busy = world.query::<&Generating>().iter(world).next().is_some();
    let mut drawn = world.query::<&DrawnDetail>();
    !is_busy && drawn.iter(world).all(|drawn| !drawn.refining)
}

/// As the benchmark's land: seven octaves, the longest of 900 m, 160 m high.
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
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn what_frames_take() {
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
    let dry = Water {
        shown: false,
        ..default()
    };
    let terrain = (land(1024, 1), detail, dry);
    let terrain = app.world_mut().spawn(terrain).id();
    Frames::default().until_settled(&mut app);
    Frames::many(&mut app, IDLE).print("1024 x 1024, at rest", idle);
    let mut anew = Frames::default();
    for seed in 2..2 + CHANGES {
        *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = land(1024, seed);
        anew.until_settled(&mut app);
    }
    anew.print("1024 x 1024, made anew (99 %: own < 2)", idle);

    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = land(16_384, 1);
    let mut coming = Frames::default();
    coming.until_settled(&mut app);
    coming.print("16384 x 16384, in the place of 1024 x 1024", idle);
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
    println!("{patches} patches, off by {pixels:.1} pixels of 1920 x 1080 at most");
}

/// The plants that come along, so dense that a hundred thousand trees and stones stand on land of 2 km, at eye level:
/// standing, and running through it.
#[test]
#[ignore = "a measurement, which prints times"]
#[expect(clippy::print_stdout, reason = "it is a measurement")]
fn what_plants_take() {
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
    nothing.print("land alone", idle);
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
