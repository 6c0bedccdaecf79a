//! Computes the light of a map within the budget of a frame, and the rest in a background task.
//!
//! The worker has its own grid ([`LightWorker`]), so the map's grid is complete at all times. A job is divided into
//! pieces that are short compared with a frame: one step of the automaton, or some sweeps of the solver. Each run does
//! as many pieces as the budget allows, then moves the job to a background task. The following runs poll the task.

use std::{sync::Arc, time::Duration};

use bevy::{
    platform::time::Instant,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready, futures_lite::future::yield_now},
};
use lanternfell_lightgrid::{LightGrid, LightWorker};

/// A background task that has run this long returns, so that its steps are shown, even if more steps are due.
const SHOWN_AFTER: Duration = Duration::from_millis(16);

/// Sweeps of the solver per piece.
const SWEEPS: u32 = 32;

/// Estimated maximum time of a step per cell and color, until one has been measured.
const FIRST_GUESS: Duration = Duration::from_nanos(4);

/// Estimated time of the first piece after the relief changed, which computes again what the relief hides from all
/// lamps. It is longer than any budget, so the piece runs in the background.
const OTHER_LAND: Duration = Duration::from_millis(100);

/// Whether tasks run on other threads. In a browser, and without Bevy's feature `multi_threaded`, they would run on the
/// main thread.
pub(crate) const THREADS: bool = {
    bevy::tasks::cfg::multi_threaded! {
        if { true } else { false }
    }
};

/// Where the light of a map is computed.
#[derive(Debug, Default)]
pub(crate) enum Work {
    /// There is no worker yet.
    #[default]
    None,
    Here(Box<Job>),
    Away(Task<Box<Job>>),
}

impl Clone for Work {
    /// A clone of a map gets its own worker when it needs one.
    fn clone(&self) -> Self {
        Self::None
    }
}

/// What to do with the light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Todo {
    Nothing,
    /// A number of steps, at least 1.
    Steps(u32),
    /// Settle to within this tolerance.
    Settle(f32),
}

/// A worker and its task.
#[derive(Debug)]
pub(crate) struct Job {
    worker: LightWorker,
    todo: Todo,
    /// The time to which its light will correspond.
    of: Duration,
    /// The estimated duration of the next piece.
    piece: Duration,
    /// The duration of the last step.
    step_time: Option<Duration>,
}

/// The result of a run of the plugin's schedule.
pub(crate) struct Done {
    /// The time to which the light now corresponds.
    pub(crate) of: Duration,
    /// Steps that were requested but not done.
    pub(crate) left: u32,
    /// The duration of a step, if one was done.
    pub(crate) step_time: Option<Duration>,
}

impl Work {
    /// Takes the result of the background task, if it is ready.
    pub(crate) fn take_up(&mut self, shown: &mut LightGrid) -> Option<Done> {
        let Self::Away(task) = self else { return None };
        // If it is not ready, the task stays where it is, and the next run polls it again.
        let mut job = check_ready(task)?;
        let done = job.show(shown);
        *self = Self::Here(job);
        Some(done)
    }

    /// Whether it can accept a new task.
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Self::None => true,
            Self::Here(job) => job.todo == Todo::Nothing,
            Self::Away(_) => false,
        }
    }

    /// Starts a task on the current state of the grid.
    pub(crate) fn begin(&mut self, shown: &mut LightGrid, todo: Todo, now: Duration) {
        let is_new = matches!(self, Self::None);
        if is_new {
            *self = Self::Here(Box::new(Job::new(shown)));
        }
        let Self::Here(job) = self else { return };
        // Both reliefs are alive at this point, so equal addresses mean the same relief.
        let lit = job.worker.grid().relief().map(Arc::as_ptr);
        job.worker.follow(shown);
        let land = shown.relief().map(Arc::as_ptr);
        if is_new && land.is_some() || land != lit {
            job.piece = job.piece.max(OTHER_LAND);
        }
        (job.todo, job.of) = (todo, now);
    }

    /// Works for at most `budget`, and then in the background. If everything is done, the map shows the light.
    pub(crate) fn go_on(&mut self, shown: &mut LightGrid, budget: Duration) -> Option<Done> {
        let Self::Here(job) = self else { return None };
        let pool = AsyncComputeTaskPool::try_get().filter(|_| THREADS);
        // With threads, the budget may be too short for any piece. Without threads, at least one piece must be done.
        job.go_on_for(budget, pool.is_none());
        if job.todo == Todo::Nothing {
            job.worker.finish();
            return Some(job.show(shown));
        }
        // The job moves into the task and comes back with it, so the worker always has one owner.
        if let Some(pool) = pool
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

    /// Does pieces while the next one is likely to finish within the budget. `at_least_one` does one in any case.
    fn go_on_for(&mut self, budget: Duration, mut at_least_one: bool) {
        let began = Instant::now();
        while self.todo != Todo::Nothing && (at_least_one || began.elapsed() + self.piece < budget)
        {
            self.do_piece();
            at_least_one = false;
        }
    }

    /// Does pieces until everything is done, or until there are enough steps to show.
    async fn go_on_elsewhere(mut self: Box<Self>) -> Box<Self> {
        let began = Instant::now();
        loop {
            self.do_piece();
            // Light after each step can be shown. Light that is not settled yet cannot.
            let steps = matches!(self.todo, Todo::Steps(_));
            if self.todo == Todo::Nothing || (steps && began.elapsed() > SHOWN_AFTER) {
                self.worker.finish();
                return self;
            }
            // Other tasks may be waiting for the thread.
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
        // The estimate rises at once and falls slowly, so that the budget is rarely exceeded. A piece that was delayed
        // by something else only affects a few pieces.
        self.piece = began.elapsed().max(self.piece / 2);
    }

    /// Shows the light, and drops the steps that were not done.
    fn show(&mut self, shown: &mut LightGrid) -> Done {
        self.worker.publish(shown);
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

#[cfg(test)]
mod tests {
    use bevy::math::{IVec2, Vec3};
    use lanternfell_lightgrid::{LightSettings, Relief, Source};

    use super::*;

    /// A grid with a lamp, and the light after `work`.
    fn lit(work: impl Fn(&mut LightGrid)) -> (LightGrid, Vec<Vec3>) {
        let mut grid = LightGrid::new(50, 40, LightSettings::default()).unwrap();
        let lamp = Source::new(IVec2::new(20, 20), Vec3::ONE);
        grid.set_sources(&[lamp]).unwrap();
        let mut done = grid.clone();
        work(&mut done);
        (grid, done.lights().collect())
    }

    #[test]
    fn without_threads_each_run_does_one_piece() {
        let (mut shown, stepped) = lit(|grid| grid.step(5));
        let mut job = Job::new(&mut shown);
        job.worker.follow(&mut shown);
        job.todo = Todo::Steps(5);
        job.go_on_for(Duration::ZERO, false);
        assert_eq!(job.todo, Todo::Steps(5), "a thread does it");
        for left in (1..5).rev() {
            job.go_on_for(Duration::ZERO, true);
            assert_eq!(job.todo, Todo::Steps(left));
        }
        job.go_on_for(Duration::ZERO, true);
        assert_eq!(job.todo, Todo::Nothing);
        job.worker.finish();
        assert_eq!(shown.lights().fold(Vec3::ZERO, Vec3::max), Vec3::ZERO);
        job.show(&mut shown);
        assert!(shown.lights().eq(stepped));
    }

    #[test]
    fn with_enough_time_light_settles() {
        let (mut shown, settled) = lit(|grid| {
            grid.settle(1e-4);
        });
        let mut job = Job::new(&mut shown);
        job.worker.follow(&mut shown);
        job.todo = Todo::Settle(1e-4);
        job.go_on_for(Duration::from_secs(3600), false);
        assert_eq!(job.todo, Todo::Nothing);
        job.worker.finish();
        job.show(&mut shown);
        let off = shown
            .lights()
            .zip(settled)
            .map(|(a, b)| (a - b).abs().max_element());
        assert!(off.fold(0.0, f32::max) < 1e-3);
    }

    #[test]
    fn new_relief_is_computed_in_background() {
        let (mut shown, _) = lit(|_| ());
        let mut work = Work::None;
        let mut piece = |shown: &mut LightGrid| {
            work.begin(shown, Todo::Steps(1), Duration::ZERO);
            let Work::Here(job) = &mut work else {
                panic!("the job was moved to the background");
            };
            (job.piece, job.todo) = (job.piece.min(OTHER_LAND), Todo::Nothing);
            std::mem::take(&mut job.piece)
        };
        assert!(piece(&mut shown) < OTHER_LAND);
        let land = Arc::new(Relief::new(50, 40, |cell| cell.x as f32).unwrap());
        shown.set_relief(Some(land)).unwrap();
        assert_eq!(piece(&mut shown), OTHER_LAND);
        assert_eq!(piece(&mut shown), Duration::ZERO);
        shown.set_relief(None).unwrap();
        assert_eq!(piece(&mut shown), OTHER_LAND);
    }
}
