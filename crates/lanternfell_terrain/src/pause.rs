//! Long work in slices, where it shares a thread with the frames.
//!
//! In a browser all tasks together have [`SLICE`] after each frame: who [pauses](pause) when that is spent goes
//! on after the next one. Natively others may have the thread for a moment.

/// Lets others go on, where that is due: between any two parts of long work in a task, of a fraction of a millisecond
/// each.
///
/// In a browser all tasks run between two frames. Who awaits this goes on at once as long as there is time, 4 ms after
/// each frame for all that await it, and else after the next frame.
///
/// ```
/// use bevy::tasks::{AsyncComputeTaskPool, TaskPool, block_on};
/// use lanternfell_terrain::pause;
///
/// let task = AsyncComputeTaskPool::get_or_init(TaskPool::default).spawn(async {
///     let mut sum = 0_u64;
///     for row in 0..100 {
///         pause().await;
///         sum += (0..1000).map(|cell| cell * row).sum::<u64>();
///     }
///     sum
/// });
/// assert_eq!(block_on(task), 2_472_525_000);
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub async fn pause() {
    bevy::tasks::futures_lite::future::yield_now().await;
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn plugin(_app: &mut bevy::prelude::App) {}

#[cfg(target_arch = "wasm32")]
pub use web::pause;
#[cfg(target_arch = "wasm32")]
pub(crate) use web::plugin;
#[cfg(all(target_arch = "wasm32", feature = "web-worker"))]
pub(crate) use web::{next_frame, without_frames};

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

    /// Goes on at once, or after the next frame if the slice after this one is spent: between any two parts of long
    /// work in a task, of a fraction of a millisecond each.
    pub async fn pause() {
        poll_fn(|context| {
            FRAMES.with_borrow_mut(|frames| match frames.have_time() {
                true => Poll::Ready(()),
                false => frames.wait(context),
            })
        })
        .await;
    }

    /// Goes on after the next frame.
    #[cfg(feature = "web-worker")]
    pub(crate) async fn next_frame() {
        let now = FRAMES.with_borrow(|frames| frames.count);
        poll_fn(|context| {
            FRAMES.with_borrow_mut(|frames| match frames.count == now {
                true => frames.wait(context),
                false => Poll::Ready(()),
            })
        })
        .await;
    }

    /// From now on nothing waits: in a worker there are no frames.
    #[cfg(feature = "web-worker")]
    pub(crate) fn without_frames() {
        FRAMES.with_borrow_mut(|frames| frames.are_none = true);
    }

    pub(crate) fn plugin(app: &mut App) {
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
