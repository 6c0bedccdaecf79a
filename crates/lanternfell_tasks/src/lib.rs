//! Long-running Bevy tasks that do not block the frames of a web page.
//!
//! In a browser, all Bevy tasks run on the page's only thread, between two frames. A task that computes for a second
//! freezes the page for a second.
//!
//! Await [`pause`] between short parts of the work, and add [`PausePlugin`] to the app. All tasks share 4 ms per frame.
//! Once these are used up, a task that awaits `pause` continues after the next frame. On other platforms, `pause` only
//! yields to other tasks of the pool.
//!
//! ```
//! use bevy::tasks::{AsyncComputeTaskPool, TaskPool, block_on};
//! use lanternfell_tasks::pause;
//!
//! let task = AsyncComputeTaskPool::get_or_init(TaskPool::default).spawn(async {
//!     let mut sum = 0_u64;
//!     for row in 0..100 {
//!         pause().await;
//!         sum += (0..1000).map(|cell| cell * row).sum::<u64>();
//!     }
//!     sum
//! });
//! assert_eq!(block_on(task), 2_472_525_000);
//! ```
//!
//! This is a separate crate because `lanternfell_terrain`, `lanternfell_vegetation` and `lanternfell` share the 4 ms.

use bevy::prelude::{App, Plugin};

/// Counts frames for [`pause`]. Without it, tasks in a browser stop forever once the first 4 ms are used up.
///
/// The plugin is unique: adding it twice panics. To add it from another plugin, check
/// `app.is_plugin_added::<PausePlugin>()` first. `TerrainPlugin` of `lanternfell_terrain` adds it in this way, so add
/// `TerrainPlugin` after it, or leave it out.
#[derive(Debug, Default, Clone, Copy)]
pub struct PausePlugin;

impl Plugin for PausePlugin {
    fn build(&self, _app: &mut App) {
        #[cfg(target_arch = "wasm32")]
        web::build(_app);
    }
}

/// Yields to frames and other tasks if necessary. Await it between parts of work that each take a fraction of a
/// millisecond.
#[cfg(not(target_arch = "wasm32"))]
pub async fn pause() {
    bevy::tasks::futures_lite::future::yield_now().await;
}

#[cfg(target_arch = "wasm32")]
pub use web::{next_frame, pause, without_frames};

#[cfg(target_arch = "wasm32")]
mod web {
    use std::{
        cell::RefCell,
        future::poll_fn,
        task::{Context, Poll, Waker},
        time::Duration,
    };

    use bevy::{platform::time::Instant, prelude::*};

    /// The time that all tasks share per frame.
    const SLICE: Duration = Duration::from_millis(4);

    #[derive(Default)]
    struct Frames {
        /// The end of the time slice of this frame, once it has started.
        end: Option<Instant>,
        waiting: Vec<Waker>,
        count: u64,
        /// Whether there are no frames, as in a Web Worker.
        are_none: bool,
    }

    thread_local! {
        static FRAMES: RefCell<Frames> = RefCell::default();
    }

    impl Frames {
        /// Whether the time slice of this frame is not used up. The first call after a frame starts the slice.
        fn have_time(&mut self) -> bool {
            if self.are_none {
                return true;
            }
            let now = Instant::now();
            now < *self.end.get_or_insert_with(|| now + SLICE)
        }

        fn wait(&mut self, context: &Context<'_>) -> Poll<()> {
            self.waiting.push(context.waker().clone());
            Poll::Pending
        }
    }

    /// Yields to frames and other tasks if necessary. Await it between parts of work that each take a fraction of a
    /// millisecond.
    pub async fn pause() {
        poll_fn(|context| {
            FRAMES.with_borrow_mut(|frames| match frames.have_time() {
                true => Poll::Ready(()),
                false => frames.wait(context),
            })
        })
        .await;
    }

    /// Continues after the next frame. Available only in a browser.
    pub async fn next_frame() {
        let now = FRAMES.with_borrow(|frames| frames.count);
        poll_fn(|context| {
            FRAMES.with_borrow_mut(|frames| match frames.count == now {
                true => frames.wait(context),
                false => Poll::Ready(()),
            })
        })
        .await;
    }

    /// Disables all waiting, for a Web Worker, which has no frames. Available only in a browser.
    pub fn without_frames() {
        FRAMES.with_borrow_mut(|frames| frames.are_none = true);
    }

    pub(super) fn build(app: &mut App) {
        app.add_systems(First, open_slice);
    }

    /// Starts the next time slice, and wakes the waiting tasks. They continue after all systems of this frame.
    fn open_slice() {
        let waiting = FRAMES.with_borrow_mut(|frames| {
            frames.end = None;
            frames.count += 1;
            std::mem::take(&mut frames.waiting)
        });
        waiting.into_iter().for_each(Waker::wake);
    }
}
