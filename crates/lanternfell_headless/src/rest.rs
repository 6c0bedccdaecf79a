//! While the picture waits, its cameras rest.
//!
//! A software driver draws on the same cores that compute what the picture waits for. At a second a frame nearly all
//! of a minute's wait went into frames that nobody sees. So after a frame that took long, the next ones are not drawn
//! for a while, in which the app goes on:
//!
//! ```text
//! waiting    drawn ====== - - - - - - - - - - - - drawn ====== - - - - - - - complete: all are drawn
//! clock             1/60                                1/60                   1/60  1/60  1/60
//! ```
//!
//! The clock counts the frames that are drawn, as it would without: a picture is of the same time on a fast machine
//! and on a slow one. Some are drawn while it waits, since an app may wait for what only drawing brings about.

use std::{
    thread,
    time::{Duration, Instant},
};

use bevy::{prelude::*, time::TimeUpdateStrategy};

use crate::{FRAME, picture::PictureSystems};

/// Where frames take no longer than this, all of them are drawn.
const QUICK: Duration = Duration::from_millis(100);

/// Rest takes so many times as long as the frame before it.
const RELATION: u32 = 2;

/// Between two frames that are not drawn: the app's own work in them is to take little of a core.
const PAUSE: Duration = Duration::from_millis(4);

#[derive(Resource)]
pub(crate) struct Rest {
    /// When this frame began.
    begin: Instant,
    until: Instant,
    /// Whether this frame is, or before [`choose`] the last one was.
    drawn: bool,
    /// Whether nothing is waited for in this frame.
    complete: bool,
    closed: Vec<Entity>,
}

impl Rest {
    /// Whether the frame before this one was drawn. In [`PictureSystems`].
    pub(crate) fn drew(&self) -> bool {
        self.drawn
    }

    fn doze(&mut self, cameras: &mut Query<(Entity, &mut Camera)>) {
        for (entity, mut camera) in cameras {
            if camera.is_active {
                camera.bypass_change_detection().is_active = false;
                self.closed.push(entity);
            }
        }
        thread::sleep(PAUSE);
    }
}

pub(crate) fn plugin(app: &mut App) {
    let now = Instant::now();
    app.insert_resource(Rest {
        begin: now,
        until: now,
        drawn: true,
        complete: false,
        closed: Vec::new(),
    })
    .add_systems(First, wake)
    .add_systems(
        Last,
        (
            (|mut rest: ResMut<Rest>| rest.complete = true).in_set(PictureSystems),
            choose.after(PictureSystems),
        )
            .chain(),
    );
}

/// For the app itself its cameras never rest: what it makes for them goes on.
fn wake(mut rest: ResMut<Rest>, mut cameras: Query<&mut Camera>) {
    let now = Instant::now();
    let took = now.duration_since(rest.begin);
    if rest.drawn && took > QUICK {
        rest.until = now + took * RELATION;
    }
    (rest.begin, rest.complete) = (now, false);
    for camera in rest.closed.drain(..) {
        if let Ok(mut camera) = cameras.get_mut(camera) {
            camera.bypass_change_detection().is_active = true;
        }
    }
}

/// Before the renderer looks which cameras there are.
fn choose(
    mut rest: ResMut<Rest>,
    mut clock: ResMut<TimeUpdateStrategy>,
    mut cameras: Query<(Entity, &mut Camera)>,
) {
    rest.drawn = rest.complete || Instant::now() >= rest.until;
    let passes = if rest.drawn { FRAME } else { Duration::ZERO };
    *clock = TimeUpdateStrategy::ManualDuration(passes);
    if !rest.drawn {
        rest.doze(&mut cameras);
    }
}
