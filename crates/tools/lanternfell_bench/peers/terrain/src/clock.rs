//! Measures times.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Work that takes this many times the goal is called once, without warming up.
const LONG: u32 = 10;

/// Nanoseconds per call, and the last result. The first calls warm up, for as long as the measured calls. Dropping the
/// other results is not measured.
pub fn per_call<T>(goal: Duration, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut once = || {
        let start = Instant::now();
        let result = black_box(work());
        (start.elapsed(), result)
    };
    let mut call_for_goal = || {
        let (mut spent, mut result) = once();
        let mut calls = 1_u32;
        while spent < goal {
            drop(result);
            let (time, last) = once();
            (spent, calls, result) = (spent + time, calls + 1, last);
        }
        (spent, calls, result)
    };
    let (mut spent, mut calls, mut result) = call_for_goal();
    if spent < LONG * goal {
        drop(result);
        (spent, calls, result) = call_for_goal();
    }
    (spent.as_nanos() as f64 / f64::from(calls), result)
}
