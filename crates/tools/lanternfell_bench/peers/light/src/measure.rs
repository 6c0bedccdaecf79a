//! Renders many frames and measures their times.

use core::fmt;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use cpu_time::ProcessTime;

use crate::{
    args::Args,
    ours,
    screen::{FrameTimes, Screen},
    software_gpu,
};

/// The warm-up: at least this many frames, in which flowing light settles, and at least this time. If frames are slow,
/// it ends after the longest time.
const WARM_UP: u32 = 240;
const WARM_UP_TIME: Duration = Duration::from_secs(1);
const LONGEST_WARM_UP: Duration = Duration::from_secs(10);

/// The maximum measuring time.
const LONGEST: Duration = Duration::from_secs(20);

/// The frame times. All fields except [`frames`](Self::frames) are milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    pub frames: usize,
    /// Wall-clock time from one frame to the next.
    pub whole: Spread,
    /// Its parts: the main schedule, extract and render, and the wait for the GPU.
    pub main: Spread,
    pub render: Spread,
    pub gpu: Spread,
    /// Mean CPU time per frame of all threads, and without those of a software GPU.
    pub processor: f64,
    pub without_gpu: f64,
    /// The age of our light, in game time.
    pub age: Spread,
}

/// The median and the 95th percentile.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub high: f64,
}

/// Renders frames and measures them.
pub fn measure(screen: &mut Screen, args: &Args) -> Result<Report> {
    warm_up(screen)?;
    let mut frames = Vec::new();
    let mut ages = Vec::new();
    let (process, gpu) = (ProcessTime::now(), software_gpu::time());
    let start = Instant::now();
    while frames.len() < args.frames as usize && start.elapsed() < LONGEST {
        frames.push(screen.frame()?);
        ages.extend(ours::age(screen.world()).map(|age| f64::from(age) * 1000.0));
    }
    let per_frame = |time: Duration| milliseconds(time) / frames.len() as f64;
    let processor = per_frame(process.elapsed());
    let software = per_frame(software_gpu::time().saturating_sub(gpu));
    let spread = |part: fn(FrameTimes) -> Duration| {
        let times = frames.iter().map(|frame| milliseconds(part(*frame)));
        Spread::new(times.collect())
    };
    Ok(Report {
        frames: frames.len(),
        whole: spread(FrameTimes::whole),
        main: spread(|frame| frame.main),
        render: spread(|frame| frame.render),
        gpu: spread(|frame| frame.gpu),
        processor,
        without_gpu: processor - software,
        age: Spread::new(ages),
    })
}

fn warm_up(screen: &mut Screen) -> Result {
    let start = Instant::now();
    for frame in 0.. {
        let time = start.elapsed();
        if time > LONGEST_WARM_UP || frame >= WARM_UP && time > WARM_UP_TIME {
            break;
        }
        screen.frame()?;
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

impl Spread {
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let place = part * values.len().saturating_sub(1) as f64;
            values
                .get(place.round() as usize)
                .copied()
                .unwrap_or_default()
        };
        Self {
            median: at(0.5),
            high: at(0.95),
        }
    }
}

/// Machine-readable: `name=value`, and for distributions `name=median/high`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spreads = [
            ("frame_ms", self.whole),
            ("main_ms", self.main),
            ("render_ms", self.render),
            ("gpu_ms", self.gpu),
            ("age_ms", self.age),
        ];
        write!(f, "frames={}", self.frames)?;
        for (name, spread) in spreads {
            write!(f, " {name}={:.3}/{:.3}", spread.median, spread.high)?;
        }
        write!(
            f,
            " cpu_ms={:.3} cpu_without_gpu_ms={:.3}",
            self.processor, self.without_gpu
        )
    }
}

impl Report {
    /// Parses the line. Missing values are 0.
    pub fn read(line: &str) -> Self {
        let value = |name: &str| {
            let mut words = line
                .split_whitespace()
                .filter_map(|word| word.split_once('='));
            words
                .find(|(key, _)| *key == name)
                .map_or("", |(_, value)| value)
        };
        let number = |text: &str| text.parse().unwrap_or_default();
        let spread = |name| {
            let (median, high) = value(name).split_once('/').unwrap_or_default();
            Spread {
                median: number(median),
                high: number(high),
            }
        };
        Self {
            frames: value("frames").parse().unwrap_or_default(),
            whole: spread("frame_ms"),
            main: spread("main_ms"),
            render: spread("render_ms"),
            gpu: spread("gpu_ms"),
            processor: number(value("cpu_ms")),
            without_gpu: number(value("cpu_without_gpu_ms")),
            age: spread("age_ms"),
        }
    }
}
