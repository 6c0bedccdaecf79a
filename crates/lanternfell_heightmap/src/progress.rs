//! How far a long piece of work is, and a way to stop it.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use crate::Cancelled;

/// A handle on a piece of work: read its progress, or cancel it, from any thread.
///
/// Clones share one state. The work looks at it once per row or so: a cancelled call
/// returns [`Cancelled`] within milliseconds and leaves nothing behind.
///
/// ```
/// use lanternfell_heightmap::{Generator, Hills, MapSize, Progress};
///
/// let progress = Progress::default();
/// progress.cancel();
/// let size = MapSize::new(64, 64)?;
/// assert!(Generator::from(Hills::default()).generate(size, 1, &progress).is_err());
/// # Ok::<(), lanternfell_heightmap::SizeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Progress {
    shared: Arc<Shared>,
    /// The part of the whole that this handle's work fills.
    start: f32,
    length: f32,
}

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    /// Millionths of the whole; an integer, so that `fetch_max` keeps it from falling.
    done: AtomicU32,
    listener: Option<Listener>,
}

/// Who is told how much is done.
type Listener = Box<dyn Fn(f32) + Send + Sync>;

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("cancelled", &self.cancelled)
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

/// The steps in which progress is counted.
const WHOLE: f32 = 1_000_000.0;

impl Default for Progress {
    fn default() -> Self {
        Self {
            shared: Arc::default(),
            start: 0.0,
            length: 1.0,
        }
    }
}

impl Progress {
    /// One that tells `listener` how much is done each time that it is more, from 0 to 1: for work of which nobody
    /// can read the progress while it goes on. It is called by the work itself, on any thread and up to once per row,
    /// so it should be quick.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use lanternfell_heightmap::Progress;
    ///
    /// let heard = Arc::new(Mutex::new(Vec::new()));
    /// let told = heard.clone();
    /// let progress = Progress::with_listener(move |done| told.lock().unwrap().push(done));
    /// progress.part(0, 2).step(1, 1).unwrap();
    /// progress.step(1, 4).unwrap(); // less than before
    /// progress.step(1, 1).unwrap();
    /// assert_eq!(*heard.lock().unwrap(), [0.5, 1.0]);
    /// ```
    pub fn with_listener(listener: impl Fn(f32) + Send + Sync + 'static) -> Self {
        let shared = Shared {
            listener: Some(Box::new(listener)),
            ..Shared::default()
        };
        Self {
            shared: Arc::new(shared),
            ..Self::default()
        }
    }

    /// Asks the work to stop. It can not be taken back.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called on this handle or a clone.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// How much of the whole work is done, from 0 to 1. Never falls.
    pub fn fraction(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / WHOLE
    }

    /// `Err` once the work was cancelled.
    #[inline]
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            return Err(Cancelled);
        }
        Ok(())
    }

    /// Reports that `done` of `total` steps of this handle's work are done; `Err`, and nothing
    /// reported, once the work was cancelled.
    pub fn step(&self, done: usize, total: usize) -> Result<(), Cancelled> {
        self.check()?;
        let part = done as f32 / total.max(1) as f32;
        let whole = (self.start + self.length * part.min(1.0)) * WHOLE;
        let whole = whole as u32;
        let before = self.shared.done.fetch_max(whole, Ordering::Relaxed);
        if let Some(listener) = &self.shared.listener
            && before < whole
        {
            listener(whole as f32 / WHOLE);
        }
        Ok(())
    }

    /// A handle for step `index` of `total` equal steps of this handle's work.
    pub fn part(&self, index: usize, total: usize) -> Self {
        self.span(
            index as f32 / total.max(1) as f32,
            (index + 1) as f32 / total.max(1) as f32,
        )
    }

    /// A handle for the work between the fractions `from` and `to` of this handle's.
    pub fn span(&self, from: f32, to: f32) -> Self {
        Self {
            shared: self.shared.clone(),
            start: self.start + self.length * from,
            length: self.length * (to - from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_whole_and_never_fall() {
        let whole = Progress::default();
        let second = whole.part(1, 4).part(1, 2);
        second.step(1, 2).unwrap();
        assert!((whole.fraction() - 0.4375).abs() < 1e-5);
        whole.part(0, 4).step(1, 1).unwrap();
        assert!((whole.fraction() - 0.4375).abs() < 1e-5);
    }

    #[test]
    fn every_clone_is_cancelled_at_once() {
        let whole = Progress::default();
        let part = whole.part(0, 2);
        whole.clone().cancel();
        assert_eq!(part.step(1, 1), Err(Cancelled));
        assert_eq!(whole.fraction(), 0.0);
    }
}
