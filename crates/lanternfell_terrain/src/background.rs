//! Heavy work that nobody waits for: natively on Bevy's threads, in a browser in a Web Worker.
//!
//! Problem: in a browser there is one thread for everything, and tasks of Bevy's pools run on it between two of
//! its frames, each until it waits for something. A map that takes seconds stops the page for seconds.
//!
//! Idea: what computes and needs nothing of the app ([`Work`]) is done by another instance of the app's own
//! module, which a worker has; what is left is done in slices ([`pause`](lanternfell_tasks::pause)).
//!
//! ```text
//!   natively   task ── make ────────────────────────────────────────> made
//!
//!   browser    task ── order as bytes ─┐         ┌── answer as bytes ──> made      slices between frames
//!              worker                  └── make ─┘                                 beside the frames
//! ```
//!
//! Both make the same bits: what runs is the same code.

#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) mod serve;
#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) mod wire;
#[cfg(all(target_arch = "wasm32", feature = "web-worker"))]
mod worker;

use lanternfell_heightmap::Progress;

use crate::error::Unmade;

/// Something to be computed that needs nothing of the app.
pub(crate) trait Work {
    type Made;

    fn make(&self, progress: &Progress) -> Result<Self::Made, Unmade>;
}

/// Has it made. In a background task.
#[cfg(not(all(target_arch = "wasm32", feature = "web-worker")))]
pub(crate) async fn make<W: Work>(work: W, progress: &Progress) -> Result<W::Made, Unmade> {
    work.make(progress)
}

/// Has it made by a worker; what can have none, at once.
#[cfg(all(target_arch = "wasm32", feature = "web-worker"))]
pub(crate) async fn make<W: wire::Order>(work: W, progress: &Progress) -> Result<W::Made, Unmade> {
    match worker::make(&work, progress).await {
        Some(answer) => answer,
        None => work.make(progress),
    }
}
