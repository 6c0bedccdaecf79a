//! Measures the CPU time of a software GPU: that of Mesa, whose threads are part of this process.
//!
//! Its rasterizer threads have names. The thread that executes commands inherits the name of the thread that creates
//! the GPU device, so that thread is renamed during the creation. Works on Linux only, where a process can read the
//! times of its threads.

use std::{fs, time::Duration};

/// The rasterizer threads of Mesa.
const RASTERIZER: &str = "llvmpipe";

/// The name of threads that were created during the creation of the GPU device and did not set their own name.
const DRIVER: &str = "gpu-driver";

/// The name of the main thread, which the threads it creates inherit.
const NAME: &str = "/proc/self/comm";

/// Creates the GPU device, among others. Threads that set their own name are not counted.
pub fn known_while<T>(make: impl FnOnce() -> T) -> T {
    let name = fs::read_to_string(NAME).unwrap_or_default();
    // On systems without thread names, no such thread is found either.
    let _ = fs::write(NAME, DRIVER);
    let made = make();
    let _ = fs::write(NAME, name.trim_end());
    made
}

/// The CPU time of the threads of a software GPU so far. Zero with a hardware GPU.
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

/// The name and CPU time of a thread, if it belongs to a software GPU.
fn named_time(thread: &fs::DirEntry) -> Option<(String, Duration)> {
    let read = |file| fs::read_to_string(thread.path().join(file)).ok();
    let name = read("comm")?;
    let counts = name.starts_with(RASTERIZER) || name.trim_end() == DRIVER;
    // The first value is the CPU time in nanoseconds.
    let time = read("schedstat")?.split(' ').next()?.parse().ok()?;
    counts.then_some((name, Duration::from_nanos(time)))
}
