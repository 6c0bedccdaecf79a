//! A camera that flies over the terrain at sixty frames per second: the level-of-detail selection and meshing of each
//! frame. Frames follow each other without a pause, since CPU time is measured.

use std::time::Duration;

use cpu_time::ThreadTime;
use glam::Vec3;

use crate::{
    ground::{Ground, SECONDS},
    jobs::Answer,
};

const FRAMES_PER_SECOND: u32 = 60;

/// The camera position in each frame of a flight.
pub fn eyes(ground: &Ground) -> Vec<Vec3> {
    let frames = (SECONDS * FRAMES_PER_SECOND as f32) as u32;
    let seconds = |frame: u32| frame as f32 / FRAMES_PER_SECOND as f32;
    (0..=frames)
        .map(|frame| ground.eye(seconds(frame)))
        .collect()
}

/// The cost of a flight.
#[derive(Default)]
pub struct Flight {
    chosen: Vec<Duration>,
    all: Vec<Duration>,
    bytes: usize,
    meshes: usize,
}

/// The result of a frame.
pub struct Frame {
    /// The time at which the selection was complete.
    pub chosen: Duration,
    /// The bytes of each new or changed mesh.
    pub made: Vec<usize>,
}

impl Flight {
    /// Runs the flight. The first frame, in which everything is new, is not counted.
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

    /// The mean time of the selection (`chosen`) or of the whole frame (`mean`), or the maximum time of a frame
    /// (`worst`).
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
