//! Long work in Bevy tasks that does not stop the frames of a web page.
//!
//! Problem: in a browser all of Bevy's tasks run on the page's only thread, between two frames. A task that computes for
//! a second stops the page for a second.
//!
//! Idea: work awaits [`pause`] between short parts. All tasks together have 4 ms after each frame; a task that awaits
//! `pause` when these are over continues after the next frame. On other platforms `pause` yields to other tasks of the
//! pool.
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
//! It is a crate of its own because `lanternfell_terrain`, `lanternfell_vegetation` and `lanternfell` share the 4 ms, and
//! none of them is about tasks.

use bevy::prelude::{App, Plugin};

/// Counts frames for [`pause`]. Without it, tasks in a browser never continue once the first 4 ms are over.
///
/// Unique: other plugins add it with `if !app.is_plugin_added::<PausePlugin>()`.
#[derive(Debug, Default, Clone, Copy)]
pub struct PausePlugin;

impl Plugin for PausePlugin {
    fn build(&self, _app: &mut App) {
        #[cfg(target_arch = "wasm32")]
        web::build(_app);
    }
}

/// Lets frames and other tasks go on, if that is due. Await it between parts of work that each take a fraction of a
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

    /// What all tasks together have after each frame.
    const SLICE: Duration = Duration::from_millis(4);

    #[derive(Default)]
    struct Frames {
        /// When the slice after this frame ends, once it has begun.
        end: Option<Instant>,
        waiting: Vec<Waker>,
        count: u64,
        /// Whether there are none.
        are_none: bool,
    }

    thread_local! {
        static FRAMES: RefCell<Frames> = RefCell::default();
    }

    impl Frames {
        /// Whether the slice is not spent. It begins when it is asked for first.
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

    /// Lets frames and other tasks go on, if that is due. Await it between parts of work that each take a fraction of
    /// a millisecond.
    pub async fn pause() {
        poll_fn(|context| {
            FRAMES.with_borrow_mut(|frames| match frames.have_time() {
                true => Poll::Ready(()),
                false => frames.wait(context),
            })
        })
        .await;
    }

    /// Continues after the next frame. Only in a browser.
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

    /// From now on nothing waits, for a Web Worker, which has no frames. Only in a browser.
    pub fn without_frames() {
        FRAMES.with_borrow_mut(|frames| frames.are_none = true);
    }

    pub(super) fn build(app: &mut App) {
        app.add_systems(First, open_slice);
    }

    /// Wakes who waits for a frame: they go on when all of it is done.
    fn open_slice() {
        let waiting = FRAMES.with_borrow_mut(|frames| {
            frames.end = None;
            frames.count += 1;
            std::mem::take(&mut frames.waiting)
        });
        waiting.into_iter().for_each(Waker::wake);
    }
}
