//! What a GPU takes that is software: Mesa's, whose threads are part of this process.
//!
//! Its rasterizing threads have names. The one that takes the commands has none, and so that of the thread which made the GPU's
//! device: that goes by another name for as long. On Linux only, where processes can look at their threads.

use std::{fs, time::Duration};

/// Mesa's rasterizers.
const RASTERIZER: &str = "llvmpipe";

/// What has no name of its own and was begun while the GPU's device was made.
const DRIVER: &str = "gpu-driver";

/// The main thread's name, which those that it begins have from it.
const NAME: &str = "/proc/self/comm";

/// Makes the GPU's device, among others. Threads with names of their own are not counted.
pub fn known_while<T>(make: impl FnOnce() -> T) -> T {
    let name = fs::read_to_string(NAME).unwrap_or_default();
    // Where there are no such names, no such thread is found either.
    let _ = fs::write(NAME, DRIVER);
    let made = make();
    let _ = fs::write(NAME, name.trim_end());
    made
}

/// How long its threads have been at work until now; no time with a GPU that is none of software.
pub fn time() -> Duration {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let times: Vec<_> = threads
        .flatten()
        .filter_map(|thread| named_time(&thread))
        .collect();
    if !times.iter().any(|(name, _)| name.starts_with(RASTERIZER)) {
        return Duration::ZERO;
    }
    times.iter().map(|(_, time)| *time).sum()
}

/// A thread's name and time, if it may be one of these.
fn named_time(thread: &fs::DirEntry) -> Option<(String, Duration)> {
    let read = |file| fs::read_to_string(thread.path().join(file)).ok();
    let name = read("comm")?;
    let counts = name.starts_with(RASTERIZER) || name.trim_end() == DRIVER;
    // The first number: nanoseconds on a processor.
    let time = read("schedstat")?.split(' ').next()?.parse().ok()?;
    counts.then_some((name, Duration::from_nanos(time)))
}
