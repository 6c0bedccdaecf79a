//! Expensive work in the background: on Bevy's task pools, or in a browser in a Web Worker.
//!
//! Problem: a browser app has a single thread. Tasks of Bevy's pools run on it between frames, each until it awaits
//! something. A map that takes seconds to generate blocks the page for seconds.
//!
//! Idea: computations that need nothing from the app ([`Work`]) run in a worker, in another instance of the app's own
//! Wasm module. Everything else runs in slices ([`pause`](lanternfell_tasks::pause)).
//!
//! ```text
//!   natively   task ── make ───────────────────────────────────────> result
//!
//!   browser    task ── order as bytes ─┐         ┌── answer as bytes ──> result     slices between frames
//!              worker                  └── make ─┘                                  in parallel with frames
//! ```
//!
//! Both give the same bits, because they run the same code.

#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) mod serve;
#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) mod wire;
#[cfg(all(target_arch = "wasm32", feature = "web-worker"))]
mod worker;

use lanternfell_heightmap::Progress;

use crate::error::Unmade;

/// A computation that needs nothing from the app.
pub(crate) trait Work {
    type Made;

    fn make(&self, progress: &Progress) -> Result<Self::Made, Unmade>;
}

/// Runs the work. Called in a background task.
#[cfg(not(all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) async fn make<W: Work>(work: W, progress: &Progress) -> Result<W::Made, Unmade> {
    work.make(progress)
}

/// Runs the work in a worker, or on the main thread if no worker is available.
#[cfg(all(target_arch = "wasm32", feature = "web-worker"))]
pub(crate) async fn make<W: wire::Order>(work: W, progress: &Progress) -> Result<W::Made, Unmade> {
    match worker::make(&work, progress).await {
        Some(answer) => answer,
        None => work.make(progress),
    }
}
