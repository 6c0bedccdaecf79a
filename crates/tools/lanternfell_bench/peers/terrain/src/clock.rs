//! Measures times.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Work that takes this many times the goal is called once, without warming up.
const LONG: u32 = 10;

/// Nanoseconds per call, and the last result. Dropping the other results is not measured.
pub fn per_call<T>(goal: Duration, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut last = None;
    let nanoseconds = mean(goal, || {
        drop(last.take());
        let start = Instant::now();
        let result = black_box(work());
        let time = start.elapsed();
        last = Some(result);
        time
    });
    (nanoseconds, last.expect("the work is called at least once"))
}

/// The mean of the times that `work` returns, in nanoseconds. The first calls warm up, for as long as the measured
/// calls.
pub fn mean(goal: Duration, mut work: impl FnMut() -> Duration) -> f64 {
    let mut call_for_goal = || {
        let (mut spent, mut calls) = (work(), 1_u32);
        while spent < goal {
            spent += work();
            calls += 1;
        }
        (spent, calls)
    };
    let (mut spent, mut calls) = call_for_goal();
    if spent < LONG * goal {
        (spent, calls) = call_for_goal();
    }
    spent.as_nanos() as f64 / f64::from(calls)
}
