//! Progress and cancellation of long work.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use crate::Canceled;

/// A handle to a running operation, to read its progress or cancel it from any thread.
///
/// Clones share one state. The operation checks it about once per row: a canceled call returns [`Canceled`] within
/// milliseconds.
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
    /// The fraction of the whole operation at which this handle's work starts.
    start: f32,
    length: f32,
}

#[derive(Default)]
struct Shared {
    canceled: AtomicBool,
    /// Millionths of the whole. It is an integer so that `fetch_max` can keep it from decreasing.
    done: AtomicU32,
    listener: Option<Listener>,
}

/// A function that is called with the fraction that is done.
type Listener = Box<dyn Fn(f32) + Send + Sync>;

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("canceled", &self.canceled)
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

/// The number of steps in which progress is counted.
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
    /// Creates a handle that calls `listener` with the fraction done, from 0 to 1, each time it increases. Use it if no
    /// other code can poll [`fraction`](Self::fraction) during the work.
    ///
    /// The working threads call the listener up to once per row, on any thread, so it should be fast.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use lanternfell_heightmap::Progress;
    ///
    /// let reported = Arc::new(Mutex::new(Vec::new()));
    /// let fractions = reported.clone();
    /// let progress = Progress::with_listener(move |done| fractions.lock().unwrap().push(done));
    /// progress.part(0, 2).step(1, 1).unwrap();
    /// progress.step(1, 4).unwrap(); // less than before
    /// progress.step(1, 1).unwrap();
    /// assert_eq!(*reported.lock().unwrap(), [0.5, 1.0]);
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

    /// Cancels the work. This cannot be undone.
    pub fn cancel(&self) {
        self.shared.canceled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called on this handle or a clone.
    #[inline]
    pub fn is_canceled(&self) -> bool {
        self.shared.canceled.load(Ordering::Relaxed)
    }

    /// The fraction of the whole work that is done, from 0 to 1. Never decreases.
    pub fn fraction(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / WHOLE
    }

    /// Returns an error if the work was canceled.
    #[inline]
    pub fn check(&self) -> Result<(), Canceled> {
        if self.is_canceled() {
            return Err(Canceled);
        }
        Ok(())
    }

    /// Reports that `done` of `total` steps of this handle's work are done.
    ///
    /// # Errors
    /// If the work was canceled. Nothing is reported then.
    pub fn step(&self, done: usize, total: usize) -> Result<(), Canceled> {
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

    /// A handle for the part of this handle's work between the fractions `from` and `to`.
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
    fn parts_sum_up_and_progress_never_decreases() {
        let whole = Progress::default();
        let second = whole.part(1, 4).part(1, 2);
        second.step(1, 2).unwrap();
        assert!((whole.fraction() - 0.4375).abs() < 1e-5);
        whole.part(0, 4).step(1, 1).unwrap();
        assert!((whole.fraction() - 0.4375).abs() < 1e-5);
    }

    #[test]
    fn cancel_reaches_every_clone() {
        let whole = Progress::default();
        let part = whole.part(0, 2);
        whole.clone().cancel();
        assert_eq!(part.step(1, 1), Err(Canceled));
        assert_eq!(whole.fraction(), 0.0);
    }
}
