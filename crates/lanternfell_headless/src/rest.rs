//! Skips rendering while the screenshot waits.
//!
//! A software driver renders on the same cores that prepare the scene. For a screenshot of an island, nine tenths of
//! the time went into frames that are never used. Therefore, after a slow frame, the cameras are inactive for a while,
//! during which the app continues:
//!
//! ```text
//! waiting    drawn ====== - - - - - - - - - - - - drawn ====== - - - - - - - complete: all are drawn
//! clock             1/60                                1/60                   1/60  1/60  1/60
//! ```
//!
//! The clock counts rendered frames only. Some frames are rendered while waiting, because an app may wait for something
//! that depends on the clock or on rendering. After the first frame of the countdown, all frames are rendered.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::{
    prelude::*,
    render::view::screenshot::{Captured, Screenshot},
    time::TimeUpdateStrategy,
};

use crate::systems::ScreenshotSystems;

/// Frames that take at most this long do not cause a rest.
const QUICK: Duration = Duration::from_millis(100);

/// A rest takes this many times as long as the frame before it.
const RELATION: u32 = 2;

/// A rest is not longer than this, because the first frame may have compiled all pipelines.
const LONGEST: Duration = Duration::from_secs(8);

/// Sleep per frame without rendering, so that the app's own systems use little of a core.
const PAUSE: Duration = Duration::from_millis(4);

#[derive(Resource, Default)]
pub(crate) struct Rest {
    /// The start of the last rendered frame, or `None` if the last frame was not rendered.
    begin: Option<Instant>,
    until: Option<Instant>,
    /// Whether the screenshot had nothing to wait for in some frame.
    complete: bool,
    /// Whether this frame is not rendered although the clock advances.
    pub(crate) is_skipped: bool,
    /// The cameras that are inactive in this frame.
    cameras: Vec<Entity>,
    /// The app's own clock, while it is stopped.
    clock: Option<TimeUpdateStrategy>,
    /// The current time in tests. `None` is the real time.
    now: Option<Instant>,
}

pub(crate) fn plugin(app: &mut App) {
    let complete = complete.in_set(ScreenshotSystems);
    app.init_resource::<Rest>()
        .add_systems(First, wake)
        .add_systems(Last, (complete, doze.after(ScreenshotSystems)).chain());
}

impl Rest {
    /// Whether the last frame was not rendered. Call it in [`ScreenshotSystems`].
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

/// Activates the cameras in every frame, so that the app's own systems never see them inactive.
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

/// Deactivates the cameras before the renderer extracts them.
fn doze(
    mut rest: ResMut<Rest>,
    mut clock: ResMut<TimeUpdateStrategy>,
    mut cameras: Query<(Entity, &mut Camera)>,
    // Screenshots that the app takes itself.
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

/// Deactivates all cameras for this frame.
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

    /// While this exists, the screenshot waits.
    #[derive(Resource)]
    struct Waits;

    /// While this exists, frames are slow.
    #[derive(Resource)]
    struct Slow;

    const SHORT: Duration = Duration::from_millis(10);
    const LONG: Duration = Duration::from_millis(400);
    const TICK: Duration = Duration::from_millis(10);

    /// An app that waits, with an active and an inactive camera. The test sets the duration of its frames. The real
    /// time depends on the load of the machine.
    fn app() -> (App, [Entity; 2]) {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
            .insert_resource(Waits)
            .add_plugins(plugin)
            .configure_sets(
                Last,
                ScreenshotSystems.run_if(not(resource_exists::<Waits>)),
            )
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

    /// Renders a slow frame, which is followed by a rest.
    fn draw_slowly(app: &mut App) {
        app.insert_resource(Slow);
        app.update();
        app.world_mut().remove_resource::<Slow>();
    }

    /// Whether each camera is active in the next frame.
    fn draw(app: &mut App, cameras: [Entity; 2]) -> [bool; 2] {
        app.update();
        cameras.map(|camera| app.world().get::<Camera>(camera).unwrap().is_active)
    }

    fn elapsed(app: &App) -> Duration {
        app.world().resource::<Time>().elapsed()
    }

    #[test]
    fn slow_frame_pauses_cameras_and_clock() {
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
        // The countdown continues, even if the app waits again.
        app.insert_resource(Waits);
        draw_slowly(&mut app);
        assert_eq!(draw(&mut app, cameras), [true, false]);
    }

    #[test]
    fn rest_ends() {
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
    fn fast_frames_are_all_rendered() {
        let (mut app, cameras) = app();
        for frame in 0..3 {
            assert_eq!(draw(&mut app, cameras), [true, false], "{frame}");
        }
    }

    #[test]
    fn skipped_frames_advance_the_clock() {
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
    fn keeps_changes_of_the_app() {
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
