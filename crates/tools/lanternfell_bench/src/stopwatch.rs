//! Measures times and summarizes them.
//!
//! Disturbances by other programs only make a measurement longer. So everything is measured in
//! several rounds with some time between them. Each round contributes the mean over as many calls
//! as fit into the goal. The minimum, the median and the spread over all rounds are printed.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Measures the time of calls until there are enough of them.
///
/// ```text
/// let mut grid = ...;                    // not measured
/// while watch.goes_on() {
///     grid.darken();                     // not measured
///     watch.time(|| grid.settle(1e-3));  // measured
/// }
/// ```
pub struct Stopwatch {
    goal: Duration,
    started: Instant,
    spent: Duration,
    calls: u32,
    warm: bool,
}

/// The maximum ratio of the total time, including code that is not measured, to the goal.
const PATIENCE: u32 = 10;

impl Stopwatch {
    /// Creates a stopwatch that measures until calls have taken `goal` in total.
    pub fn new(goal: Duration) -> Self {
        Self {
            goal,
            started: Instant::now(),
            spent: Duration::ZERO,
            calls: 0,
            warm: false,
        }
    }

    /// Whether to make another call. There is at least one. Calls during the first `goal` are
    /// discarded: they warm up caches, allocate memory and wake threads and cores, and virtual
    /// cores are slow for a while after idling. If a call takes many times the goal, nothing is
    /// discarded.
    pub fn goes_on(&mut self) -> bool {
        let patience = self.goal * PATIENCE;
        let enough = self.spent >= self.goal || self.started.elapsed() >= patience;
        if self.calls == 0 || !enough {
            return true;
        }
        if self.warm || self.spent >= patience {
            return false;
        }
        *self = Self {
            warm: true,
            ..Self::new(self.goal)
        };
        true
    }

    /// Measures one call.
    pub fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        self.time_many(1, work)
    }

    /// Measures a call that repeats the work `count` times, for work that is shorter than the
    /// resolution of the clock.
    pub fn time_many<T>(&mut self, count: u32, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = black_box(work());
        self.spent += start.elapsed();
        self.calls += count;
        result
    }

    /// The mean time per call in nanoseconds. `None` before the first call.
    pub fn mean(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.spent.as_nanos() as f64 / f64::from(self.calls))
    }
}

/// Nanoseconds per call, one value per round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds a round. Values that are not valid times are ignored.
    pub fn push(&mut self, nanoseconds: f64) {
        if nanoseconds.is_finite() && nanoseconds >= 0.0 {
            self.0.push(nanoseconds);
        }
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.0.len()
    }

    /// The minimum, in nanoseconds.
    pub fn min(&self) -> Option<f64> {
        self.0.iter().copied().min_by(f64::total_cmp)
    }

    /// The median, in nanoseconds. For an even number, the mean of the middle two.
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The distance between the quartiles, relative to the median. `None` for a single round.
    pub fn spread(&self) -> Option<f64> {
        let (lower, upper) = (self.quantile(0.25)?, self.quantile(0.75)?);
        let median = self.median().filter(|&median| median > 0.0)?;
        (self.rounds() > 1).then(|| (upper - lower) / median)
    }

    /// The quantile, linearly interpolated between the two nearest rounds.
    fn quantile(&self, part: f64) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let place = part * sorted.len().checked_sub(1)? as f64;
        let (lower, upper) = (sorted[place as usize], sorted[place.ceil() as usize]);
        Some(lower + (upper - lower) * place.fract())
    }
}

/// A time with three digits and its unit, for example `48.1 us`.
pub fn show_time(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    // Values that would be rounded up to 1000 use the next unit.
    let unit = units
        .into_iter()
        .find(|(unit, _)| nanoseconds >= 0.9995 * unit);
    let (unit, name) = unit.unwrap_or((1.0, "ns"));
    let value = nanoseconds / unit;
    let decimals = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(times: &[f64]) -> Samples {
        let mut samples = Samples::default();
        for &time in times {
            samples.push(time);
        }
        samples
    }

    #[test]
    fn computes_min_and_median() {
        assert_eq!(samples(&[]).min(), None);
        assert_eq!(samples(&[]).median(), None);
        assert_eq!(samples(&[3.0]).median(), Some(3.0));
        assert_eq!(samples(&[9.0, 1.0, 4.0]).median(), Some(4.0));
        assert_eq!(samples(&[9.0, 1.0, 4.0, 2.0]).median(), Some(3.0));
        assert_eq!(samples(&[9.0, 1.0, 4.0, 2.0]).min(), Some(1.0));
        assert_eq!(
            samples(&[f64::NAN, 2.0, f64::INFINITY, -1.0]).median(),
            Some(2.0)
        );
    }

    #[test]
    fn spread_is_interquartile_range() {
        assert_eq!(samples(&[]).spread(), None);
        assert_eq!(samples(&[3.0]).spread(), None);
        assert_eq!(samples(&[4.0, 4.0]).spread(), Some(0.0));
        // The quartiles are 2 and 4. The outlier does not count.
        assert_eq!(samples(&[4.0, 1.0, 2.0, 900.0, 2.5]).spread(), Some(0.8));
        assert_eq!(samples(&[1.0, 3.0]).spread(), Some(0.5));
    }

    #[test]
    fn times_have_three_digits() {
        let shown = [
            0.0, 4.321, 12.34, 123.4, 999.6, 1234.0, 48_123.0, 2.5e6, 999.7e6, 7.0e10,
        ];
        assert_eq!(
            shown.map(show_time),
            [
                "0.00 ns", "4.32 ns", "12.3 ns", "123 ns", "1.00 us", "1.23 us", "48.1 us",
                "2.50 ms", "1.00 s", "70.0 s"
            ]
        );
    }

    #[test]
    fn discards_warm_up_calls() {
        let mut watch = Stopwatch::new(Duration::from_millis(20));
        let mut calls = 0;
        while watch.goes_on() {
            watch.time(|| std::thread::sleep(Duration::from_millis(2)));
            calls += 1;
        }
        assert!((1..=10).contains(&watch.calls), "{}", watch.calls);
        assert!((1..=10).contains(&(calls - watch.calls)), "{calls}");
        assert!(watch.mean().is_some_and(|mean| mean >= 2e6));
    }

    #[test]
    fn long_calls_run_once() {
        let mut watch = Stopwatch::new(Duration::from_millis(1));
        let mut calls = 0;
        while watch.goes_on() {
            watch.time_many(10, || std::thread::sleep(Duration::from_millis(15)));
            calls += 1;
        }
        assert_eq!(calls, 1);
        assert!(watch.mean().is_some_and(|mean| mean >= 1.5e6));
    }

    #[test]
    fn long_preparations_end_the_measurement() {
        let mut watch = Stopwatch::new(Duration::from_millis(1));
        let mut calls = 0;
        while watch.goes_on() {
            std::thread::sleep(Duration::from_millis(15));
            watch.time(|| ());
            calls += 1;
        }
        assert_eq!(calls, 2);
    }
}
