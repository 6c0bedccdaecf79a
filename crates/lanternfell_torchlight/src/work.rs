//! The light of a map worked out within a frame's budget, and beyond it in the background.
//!
//! A worker has a grid of its own ([`LightWorker`]), so that the map's grid is whole at any time. Its
//! job is cut into pieces that are short beside a frame: a step of the automaton, or some sweeps. As
//! many are done at once as the budget has time for; with the rest it goes to a thread, and is asked
//! for in the following frames.

use std::{sync::Arc, time::Duration};

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

/// How long the first piece after a change of the land may take, in which what it hides of all lamps is found anew: longer
/// than any budget, so that it is done in the background.
const OTHER_LAND: Duration = Duration::from_millis(100);

/// Whether tasks have threads. In a browser, and without Bevy's feature `multi_threaded`, they would run where the
/// frames are made.
pub(crate) const THREADS: bool = {
    bevy::tasks::cfg::multi_threaded! {
        if { true } else { false }
    }
};

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
    /// So many, and not 0.
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
        // Not ready: the task stays where it is, and is asked again in the next run.
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
        let is_new = matches!(self, Self::None);
        if is_new {
            *self = Self::Here(Box::new(Job::new(shown)));
        }
        let Self::Here(job) = self else { return };
        // Both lands are alive at this point, so equal addresses mean the same land.
        let lit = job.worker.grid().relief().map(Arc::as_ptr);
        job.worker.follow(shown);
        let land = shown.relief().map(Arc::as_ptr);
        if is_new && land.is_some() || land != lit {
            job.piece = job.piece.max(OTHER_LAND);
        }
        (job.todo, job.of) = (todo, now);
    }

    /// Goes on for as long, and then in the background; the light is shown if all is done.
    pub(crate) fn go_on(&mut self, shown: &mut LightGrid, budget: Duration) -> Option<Done> {
        let Self::Here(job) = self else { return None };
        let pool = AsyncComputeTaskPool::try_get().filter(|_| THREADS);
        // With threads the budget may be too small for any piece; without them the light has to go on.
        job.go_on_for(budget, pool.is_none());
        if job.todo == Todo::Nothing {
            job.worker.finish();
            return Some(job.show(shown));
        }
        // The job moves to the task and comes back with it: the worker has one owner at any time.
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

    /// Does pieces of the work while there probably is time for another; at least one where nobody
    /// else does any.
    fn go_on_for(&mut self, budget: Duration, mut at_least_one: bool) {
        let began = Instant::now();
        while self.todo != Todo::Nothing && (at_least_one || began.elapsed() + self.piece < budget)
        {
            self.do_piece();
            at_least_one = false;
        }
    }

    /// Does pieces of the work until all is done, or there is something to be shown.
    async fn go_on_elsewhere(mut self: Box<Self>) -> Box<Self> {
        let began = Instant::now();
        loop {
            self.do_piece();
            // Each step is a light worth showing; light that is not settled yet is not.
            let steps = matches!(self.todo, Todo::Steps(_));
            if self.todo == Todo::Nothing || (steps && began.elapsed() > SHOWN_AFTER) {
                self.worker.finish();
                return self;
            }
            // Other tasks may wait for the thread.
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
        // The estimate rises at once and falls slowly, so that a frame's budget is rarely exceeded; a
        // piece that was held up by something else counts for a few pieces only.
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

#[cfg(test)]
mod tests {
    use bevy::math::{IVec2, Vec3};
    use lanternfell_lightgrid::{LightSettings, Relief, Source};

    use super::*;

    /// A grid with a lamp, and the light that it has in the end.
    fn lit(work: impl Fn(&mut LightGrid)) -> (LightGrid, Vec<Vec3>) {
        let mut grid = LightGrid::new(50, 40, LightSettings::default()).unwrap();
        let lamp = Source::new(IVec2::new(20, 20), Vec3::ONE);
        grid.set_sources(&[lamp]).unwrap();
        let mut done = grid.clone();
        work(&mut done);
        (grid, done.lights().collect())
    }

    #[test]
    fn without_threads_a_piece_is_done_each_time_however_little_time_there_is() {
        let (mut shown, stepped) = lit(|grid| grid.step(5));
        let mut job = Job::new(&mut shown);
        job.worker.follow(&mut shown);
        job.todo = Todo::Steps(5);
        job.go_on_for(Duration::ZERO, false);
        assert_eq!(job.todo, Todo::Steps(5), "somebody else does it");
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
    fn with_time_all_pieces_are_done_and_settled_light_is_at_rest() {
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
    fn other_land_is_expected_to_take_longer_than_a_frame_has() {
        let (mut shown, _) = lit(|_| ());
        let mut work = Work::None;
        let mut piece = |shown: &mut LightGrid| {
            work.begin(shown, Todo::Steps(1), Duration::ZERO);
            let Work::Here(job) = &mut work else {
                panic!("nobody has sent it away");
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
