//! Thread pools of a fixed size.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A thread pool.
pub(super) struct Workers {
    threads: usize,
    pool: ThreadPool,
}

impl Workers {
    /// One thread, two threads, and all threads, as far as the machine has them.
    pub(super) fn all() -> Vec<Self> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut numbers = vec![1, 2.min(cores), cores];
        numbers.dedup();
        numbers.into_iter().map(Self::of).collect()
    }

    /// One thread.
    pub(super) fn alone() -> Self {
        Self::of(1)
    }

    fn of(threads: usize) -> Self {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads can be spawned");
        Self { threads, pool }
    }

    /// For example `2 threads`.
    pub(super) fn name(&self) -> String {
        match self.threads {
            1 => "1 thread".into(),
            threads => format!("{threads} threads"),
        }
    }

    /// Runs the work in the pool.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_have_no_duplicates() {
        let pools = Workers::all();
        assert_eq!(pools[0].name(), "1 thread");
        assert!(
            pools
                .windows(2)
                .all(|pair| pair[0].threads < pair[1].threads)
        );
        for workers in pools {
            assert_eq!(workers.run(rayon::current_num_threads), workers.threads);
        }
    }
}
