//! Measures how long the main thread works per frame, from the first system to the last. Waiting
//! for the GPU is not included.
//!
//! ```text
//! gutterlight --attract --headless --frames 2000 --frame-times
//! ```

use std::{io::Write, time::Duration};

use bevy::{platform::time::Instant, prelude::*};

/// The number of frames to skip at the start, in which textures and pipelines are created.
const WARM_UP: usize = 60;

/// The measured times so far.
#[derive(Resource)]
struct FrameTimes {
    begun: Instant,
    started: Instant,
    /// The time from the start of the program to the end of the first frame.
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
    .add_systems(Last, (end, report.run_if(on_message::<AppExit>)).chain());
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

fn report(times: Res<FrameTimes>) {
    let mut worked = times.all.get(WARM_UP..).unwrap_or_default().to_vec();
    worked.sort_unstable();
    let at = |part: usize| {
        let place = (worked.len() * part / 100).min(worked.len().saturating_sub(1));
        let time = worked.get(place).copied().unwrap_or_default();
        format!("{:.2} ms", time.as_secs_f64() * 1e3)
    };
    let first = times.first.unwrap_or_default().as_secs_f64();
    // A closed pipe is not an error.
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
