//! A camera that flies over the land, sixty frames a second: what each frame chooses and makes. Frames follow each
//! other without a pause, since it is the processor's time that is told.

use std::time::Duration;

use cpu_time::ThreadTime;
use glam::Vec3;

use crate::{
    ground::{Ground, SECONDS},
    jobs::Answer,
};

const FRAMES_PER_SECOND: u32 = 60;

/// Where the camera is in each frame of a flight.
pub fn eyes(ground: &Ground) -> Vec<Vec3> {
    let frames = (SECONDS * FRAMES_PER_SECOND as f32) as u32;
    let seconds = |frame: u32| frame as f32 / FRAMES_PER_SECOND as f32;
    (0..=frames)
        .map(|frame| ground.eye(seconds(frame)))
        .collect()
}

/// What a flight has cost.
#[derive(Default)]
pub struct Flight {
    chosen: Vec<Duration>,
    all: Vec<Duration>,
    bytes: usize,
    meshes: usize,
}

/// What a frame has made.
pub struct Frame {
    /// When it was chosen what to make.
    pub chosen: Duration,
    /// The bytes of each mesh that is new or changed.
    pub made: Vec<usize>,
}

impl Flight {
    /// Flies; the first frame, in which all is new, is not counted.
    pub fn new(ground: &Ground, mut frame: impl FnMut(Vec3, ThreadTime) -> Frame) -> Self {
        let mut flight = Self::default();
        for (number, eye) in eyes(ground).into_iter().enumerate() {
            let clock = ThreadTime::now();
            let Frame { chosen, made } = frame(eye, clock);
            let all = clock.elapsed();
            if number == 0 {
                continue;
            }
            flight.chosen.push(chosen);
            flight.all.push(all);
            flight.bytes += made.iter().sum::<usize>();
            flight.meshes += made.len();
        }
        flight
    }

    /// The mean of what `chosen` takes in a frame, or of all of it (`mean`), or its `worst` frame.
    pub fn answer(&self, number: usize, what: &str) -> Answer {
        let mean = |frames: &[Duration]| {
            let sum: Duration = frames.iter().sum();
            sum.as_nanos() as f64 / frames.len().max(1) as f64
        };
        let nanoseconds = match what {
            "chosen" => mean(&self.chosen),
            "mean" => mean(&self.all),
            _ => {
                let worst = self.all.iter().max();
                worst.map_or(0.0, |worst| worst.as_nanos() as f64)
            }
        };
        let [bytes, meshes] =
            [self.bytes, self.meshes].map(|number| number as f64 / f64::from(SECONDS));
        Answer::made(number, nanoseconds, bytes, meshes)
    }
}
