//! How long the main thread works for a frame: from its first system to its last, without the
//! waiting for the graphics card.
//!
//! ```text
//! gutterlight --attract --headless --frames 2000 --frame-times
//! ```

use std::{io::Write, time::Duration};

use bevy::{platform::time::Instant, prelude::*};

/// Frames at the beginning that are not counted: textures and pipelines are made in them.
const WARM_UP: usize = 60;

/// The work of each frame so far.
#[derive(Resource)]
struct FrameTimes {
    begun: Instant,
    started: Instant,
    /// From the start of the program to the end of the first frame.
    first: Option<Duration>,
    all: Vec<Duration>,
}

pub fn plugin(app: &mut App) {
    let now = Instant::now();
    app.insert_resource(FrameTimes {
        begun: now,
        started: now,
        first: None,
        all: Vec::new(),
    })
    .add_systems(First, begin)
    .add_systems(Last, (end, tell.run_if(on_message::<AppExit>)).chain());
}

fn begin(mut times: ResMut<FrameTimes>) {
    times.begun = Instant::now();
}

fn end(mut times: ResMut<FrameTimes>) {
    let worked = times.begun.elapsed();
    times.all.push(worked);
    let started = times.started.elapsed();
    times.first.get_or_insert(started);
}

fn tell(times: Res<FrameTimes>) {
    let mut worked = times.all.get(WARM_UP..).unwrap_or_default().to_vec();
    worked.sort_unstable();
    let at = |part: usize| {
        let place = (worked.len() * part / 100).min(worked.len().saturating_sub(1));
        let time = worked.get(place).copied().unwrap_or_default();
        format!("{:.2} ms", time.as_secs_f64() * 1e3)
    };
    let first = times.first.unwrap_or_default().as_secs_f64();
    // Nobody may be listening any more.
    let _ = writeln!(
        std::io::stdout(),
        "{} frames after the first {WARM_UP}: median {}, 95 % below {}, 99 % below {}, longest {}; \
         first frame after {first:.2} s",
        worked.len(),
        at(50),
        at(95),
        at(99),
        at(100),
    );
}
