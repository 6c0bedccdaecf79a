//! The light of a map worked out within a frame's budget, and beyond it in the background.
//!
//! A worker has a grid of its own ([`LightWorker`]), so that the map's grid is whole at any time. Its
//! job is cut into pieces that are short beside a frame: a step of the automaton, or some sweeps. As
//! many are done at once as the budget has time for; with the rest it goes to a thread, and is asked
//! for in the following frames.

use std::time::Duration;

use bevy::{
    platform::time::Instant,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready, futures_lite::future::yield_now},
};
use lanternfell_lightgrid::{LightGrid, LightWorker};

/// After so much work in the background steps are shown, though not all are done.
const SHOWN_AFTER: Duration = Duration::from_millis(16);

/// Sweeps in a piece.
const SWEEPS: u32 = 32;

/// How long a cell's step in one color takes at most, until one has been measured.
const FIRST_GUESS: Duration = Duration::from_nanos(4);

/// Where threads are. A browser's tasks would run where the frames are made.
const THREADS: bool = cfg!(not(target_arch = "wasm32"));

/// Who works out a map's light.
#[derive(Debug, Default)]
pub(crate) enum Work {
    /// Nobody yet.
    #[default]
    None,
    Here(Box<Job>),
    Away(Task<Box<Job>>),
}

impl Clone for Work {
    /// A clone of a map has a worker of its own, when it is needed.
    fn clone(&self) -> Self {
        Self::None
    }
}

/// What is to be done with the light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Todo {
    Nothing,
    Steps(u32),
    /// Until it comes to rest, but for this tolerance.
    Settle(f32),
}

/// A worker and what it has to do.
#[derive(Debug)]
pub(crate) struct Job {
    worker: LightWorker,
    todo: Todo,
    /// When that was, of which its light will be.
    of: Duration,
    /// How long a piece is likely to take.
    piece: Duration,
    /// How long the last step took.
    step_time: Option<Duration>,
}

/// What comes of a run of the plugin's schedule.
pub(crate) struct Done {
    /// The light that is shown from now on is of this time.
    pub(crate) of: Duration,
    /// Steps that were to be done and were not.
    pub(crate) left: u32,
    /// How long a step takes, when any has been done.
    pub(crate) step_time: Option<Duration>,
}

impl Work {
    /// Takes up what has been worked out since the last run, if anything has.
    pub(crate) fn take_up(&mut self, shown: &mut LightGrid) -> Option<Done> {
        let Self::Away(task) = self else { return None };
        let mut job = check_ready(task)?;
        let done = job.show(shown);
        *self = Self::Here(job);
        Some(done)
    }

    /// Whether it can be given something to do.
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Self::None => true,
            Self::Here(job) => job.todo == Todo::Nothing,
            Self::Away(_) => false,
        }
    }

    /// Gives it something to do with the grid as it is now.
    pub(crate) fn begin(&mut self, shown: &mut LightGrid, todo: Todo, now: Duration) {
        if matches!(self, Self::None) {
            *self = Self::Here(Box::new(Job::new(shown)));
        }
        let Self::Here(job) = self else { return };
        job.worker.follow(shown);
        job.of = now;
        job.todo = match todo {
            Todo::Steps(0) => Todo::Nothing,
            todo => todo,
        };
    }

    /// Goes on for as long, and then in the background; the light is shown if all is done.
    pub(crate) fn go_on(&mut self, shown: &mut LightGrid, budget: Duration) -> Option<Done> {
        let Self::Here(job) = self else { return None };
        job.go_on_for(budget);
        if job.todo == Todo::Nothing {
            job.worker.finish();
            return Some(job.show(shown));
        }
        if let Some(pool) = AsyncComputeTaskPool::try_get().filter(|_| THREADS)
            && let Self::Here(job) = std::mem::take(self)
        {
            *self = Self::Away(pool.spawn(job.go_on_elsewhere()));
        }
        None
    }
}

impl Job {
    fn new(shown: &mut LightGrid) -> Self {
        let colors = if shown.is_gray() { 1 } else { 3 };
        Self {
            worker: LightWorker::new(shown),
            todo: Todo::Nothing,
            of: Duration::ZERO,
            piece: FIRST_GUESS * (shown.width() * shown.height() * colors),
            step_time: None,
        }
    }

    /// Does pieces of the work while there probably is time for another; where there are no threads
    /// at least one.
    fn go_on_for(&mut self, budget: Duration) {
        let began = Instant::now();
        let mut first = !THREADS;
        while self.todo != Todo::Nothing && (first || began.elapsed() + self.piece < budget) {
            self.do_piece();
            first = false;
        }
    }

    /// Does pieces of the work until all is done, or there is something to be shown.
    async fn go_on_elsewhere(mut self: Box<Self>) -> Box<Self> {
        let began = Instant::now();
        loop {
            self.do_piece();
            let steps = matches!(self.todo, Todo::Steps(_));
            if self.todo == Todo::Nothing || (steps && began.elapsed() > SHOWN_AFTER) {
                self.worker.finish();
                return self;
            }
            // Whoever else waits for the thread.
            yield_now().await;
        }
    }

    fn do_piece(&mut self) {
        let began = Instant::now();
        self.todo = match self.todo {
            Todo::Nothing => Todo::Nothing,
            Todo::Steps(steps) => {
                self.worker.step(1);
                self.step_time = Some(began.elapsed());
                if steps > 1 {
                    Todo::Steps(steps - 1)
                } else {
                    Todo::Nothing
                }
            }
            Todo::Settle(tolerance) => {
                let settled = self.worker.settle_within(tolerance, SWEEPS);
                if settled.at_rest {
                    Todo::Nothing
                } else {
                    self.todo
                }
            }
        };
        // One that was held up is soon forgotten.
        self.piece = began.elapsed().max(self.piece / 2);
    }

    /// Shows its light, and drops what it has not come to.
    fn show(&mut self, shown: &mut LightGrid) -> Done {
        self.worker.hand_over(shown);
        let left = match std::mem::replace(&mut self.todo, Todo::Nothing) {
            Todo::Steps(left) => left,
            Todo::Nothing | Todo::Settle(_) => 0,
        };
        Done {
            of: self.of,
            left,
            step_time: self.step_time,
        }
    }
}
