//! While the picture waits, its cameras rest.
//!
//! A software driver draws on the same cores that compute what the picture waits for: nine tenths of the time of an
//! island's picture went into frames, most of which nobody sees. So after a frame that took long, the next ones are not drawn
//! for a while, in which the app goes on:
//!
//! ```text
//! waiting    drawn ====== - - - - - - - - - - - - drawn ====== - - - - - - - complete: all are drawn
//! clock             1/60                                1/60                   1/60  1/60  1/60
//! ```
//!
//! The clock counts the frames that are drawn, as it would without. Some are drawn while it waits, since an app may
//! wait for what only the clock or drawing brings about. Once the first frame of the countdown is drawn, all are.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::{
    prelude::*,
    render::view::screenshot::{Captured, Screenshot},
    time::TimeUpdateStrategy,
};

use crate::systems::PictureSystems;

/// Where frames take no longer than this, all of them are drawn.
const QUICK: Duration = Duration::from_millis(100);

/// Rest takes so many times as long as the frame before it,
const RELATION: u32 = 2;

/// but no longer than this: the first frame may have compiled all pipelines.
const LONGEST: Duration = Duration::from_secs(8);

/// Between two frames that are not drawn: the app's own work in them is to take little of a core.
const PAUSE: Duration = Duration::from_millis(4);

#[derive(Resource, Default)]
pub(crate) struct Rest {
    /// When the last frame that was drawn began; none if the last one was not, or there is none.
    begin: Option<Instant>,
    until: Option<Instant>,
    /// Whether the picture has waited for nothing in some frame.
    complete: bool,
    /// Whether this frame is not to be drawn, though the clock goes on.
    pub(crate) is_skipped: bool,
    /// That are closed in this frame.
    cameras: Vec<Entity>,
    /// The app's own clock, while it stands.
    clock: Option<TimeUpdateStrategy>,
    /// The time, in tests that set it themselves; `None`: the real one.
    now: Option<Instant>,
}

pub(crate) fn plugin(app: &mut App) {
    let complete = complete.in_set(PictureSystems);
    app.init_resource::<Rest>()
        .add_systems(First, wake)
        .add_systems(Last, (complete, doze.after(PictureSystems)).chain());
}

impl Rest {
    /// Whether the last frame was not drawn. In [`PictureSystems`].
    pub(crate) fn is_taken(&self) -> bool {
        self.clock.is_some()
    }

    fn now(&self) -> Instant {
        self.now.unwrap_or_else(Instant::now)
    }
}

fn complete(mut rest: ResMut<Rest>) {
    rest.complete = true;
}

/// For the app's own systems the cameras never rest: what it makes for them goes on.
fn wake(mut rest: ResMut<Rest>, mut cameras: Query<&mut Camera>) {
    let now = rest.now();
    if let Some(begin) = rest.begin.take() {
        let took = now.duration_since(begin);
        rest.until = (took > QUICK).then(|| now + (took * RELATION).min(LONGEST));
    }
    rest.begin = Some(now);
    for camera in rest.cameras.drain(..) {
        if let Ok(mut camera) = cameras.get_mut(camera) {
            camera.bypass_change_detection().is_active = true;
        }
    }
}

/// Before the renderer looks which cameras there are.
fn doze(
    mut rest: ResMut<Rest>,
    mut clock: ResMut<TimeUpdateStrategy>,
    mut cameras: Query<(Entity, &mut Camera)>,
    // That the app takes by itself.
    screenshots: Query<(), (With<Screenshot>, Without<Captured>)>,
) {
    let is_asked_for = !screenshots.is_empty();
    let is_over = rest.until.is_none_or(|until| rest.now() >= until);
    if rest.complete || is_over || is_asked_for {
        if let Some(own) = rest.clock.take() {
            *clock = own;
        }
        if rest.is_skipped && !is_asked_for {
            close(&mut rest, &mut cameras);
        }
        return;
    }
    if rest.clock.is_none() {
        let standing = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
        rest.clock = Some(std::mem::replace(&mut *clock, standing));
    }
    close(&mut rest, &mut cameras);
    thread::sleep(PAUSE);
}

/// In this frame they do not draw.
fn close(rest: &mut Rest, cameras: &mut Query<(Entity, &mut Camera)>) {
    rest.begin = None;
    for (entity, mut camera) in cameras {
        if camera.is_active {
            camera.bypass_change_detection().is_active = false;
            rest.cameras.push(entity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture waits while it is there.
    #[derive(Resource)]
    struct Waits;

    /// Frames take long while it is there.
    #[derive(Resource)]
    struct Slow;

    const SHORT: Duration = Duration::from_millis(10);
    const LONG: Duration = Duration::from_millis(400);
    const TICK: Duration = Duration::from_millis(10);

    /// An app that waits, with a camera that draws and one that does not. Its frames take the time that the test
    /// sets, not the real time, which depends on how busy the machine is.
    fn app() -> (App, [Entity; 2]) {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
            .insert_resource(Waits)
            .add_plugins(plugin)
            .configure_sets(Last, PictureSystems.run_if(not(resource_exists::<Waits>)))
            .add_systems(
                PreUpdate,
                |mut rest: ResMut<Rest>, slow: Option<Res<Slow>>| {
                    let took = if slow.is_some() { LONG } else { SHORT };
                    rest.now = Some(rest.now() + took);
                },
            );
        let cameras = [true, false].map(|is_active| {
            let camera = Camera {
                is_active,
                ..default()
            };
            app.world_mut().spawn(camera).id()
        });
        (app, cameras)
    }

    /// One that took long, of which the next ones rest.
    fn draw_slowly(app: &mut App) {
        app.insert_resource(Slow);
        app.update();
        app.world_mut().remove_resource::<Slow>();
    }

    /// Whether each camera draws in the next frame.
    fn draw(app: &mut App, cameras: [Entity; 2]) -> [bool; 2] {
        app.update();
        cameras.map(|camera| app.world().get::<Camera>(camera).unwrap().is_active)
    }

    fn elapsed(app: &App) -> Duration {
        app.world().resource::<Time>().elapsed()
    }

    #[test]
    fn after_a_long_frame_cameras_and_clock_rest_until_nothing_is_waited_for() {
        let (mut app, cameras) = app();
        draw_slowly(&mut app);
        assert_eq!(draw(&mut app, cameras), [false, false]);
        let before = elapsed(&app);
        assert_eq!(draw(&mut app, cameras), [false, false]);
        assert_eq!(elapsed(&app), before);
        app.world_mut().remove_resource::<Waits>();
        assert_eq!(draw(&mut app, cameras), [true, false]);
        assert_eq!(draw(&mut app, cameras), [true, false]);
        assert_eq!(elapsed(&app) - before, TICK);
        // What has begun ends, whatever is waited for then.
        app.insert_resource(Waits);
        draw_slowly(&mut app);
        assert_eq!(draw(&mut app, cameras), [true, false]);
    }

    #[test]
    fn a_rest_ends() {
        let (mut app, cameras) = app();
        draw_slowly(&mut app);
        let now = |app: &App| app.world().resource::<Rest>().now();
        let begin = now(&app);
        while !draw(&mut app, cameras)[0] {
            assert!(now(&app) - begin < 10 * LONG);
        }
        assert!(now(&app) - begin > LONG);
    }

    #[test]
    fn short_frames_are_all_drawn() {
        let (mut app, cameras) = app();
        for frame in 0..3 {
            assert_eq!(draw(&mut app, cameras), [true, false], "{frame}");
        }
    }

    #[test]
    fn what_is_skipped_is_not_drawn_and_the_clock_goes_on() {
        let (mut app, cameras) = app();
        app.update();
        app.world_mut().resource_mut::<Rest>().is_skipped = true;
        let before = elapsed(&app);
        assert_eq!(draw(&mut app, cameras), [false, false]);
        assert_eq!(draw(&mut app, cameras), [false, false]);
        assert_eq!(elapsed(&app) - before, 2 * TICK);
        app.world_mut().resource_mut::<Rest>().is_skipped = false;
        assert_eq!(draw(&mut app, cameras), [true, false]);
    }

    #[test]
    fn what_an_app_does_with_its_cameras_and_its_clock_stays() {
        let (mut app, cameras) = app();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(3 * TICK));
        draw_slowly(&mut app);
        assert_eq!(draw(&mut app, cameras), [false, false]);
        app.world_mut().despawn(cameras[0]);
        app.world_mut().remove_resource::<Waits>();
        app.update();
        let before = elapsed(&app);
        app.update();
        assert_eq!(elapsed(&app) - before, 3 * TICK);
    }
}
