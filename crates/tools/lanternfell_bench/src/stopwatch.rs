//! Taking times, and what to make of them.
//!
//! Other programs disturb a measurement, and they only ever make it longer. So everything is
//! measured in several rounds, a while apart; of each round the mean over as many calls as
//! fit into the goal is kept, and of all rounds the smallest, the median and the spread are
//! shown.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Takes the time of calls until there are enough of them.
///
/// ```text
/// let mut grid = ...;                    // not in the time
/// while watch.goes_on() {
///     grid.darken();                     // nor this
///     watch.time(|| grid.settle(1e-3));  // but this
/// }
/// ```
pub struct Stopwatch {
    goal: Duration,
    started: Instant,
    spent: Duration,
    calls: u32,
    warm: bool,
}

/// What is not in the time may take so many times as long as the goal.
const PATIENCE: u32 = 10;

impl Stopwatch {
    /// Goes on until `goal` was spent in calls.
    pub fn new(goal: Duration) -> Self {
        Self {
            goal,
            started: Instant::now(),
            spent: Duration::ZERO,
            calls: 0,
            warm: false,
        }
    }

    /// Whether another call is wanted: at least one is. Those of the first `goal` are thrown
    /// away, for they warm caches up, take memory and wake threads and cores, of which a virtual
    /// one is slow for a while after it was idle; but not where one takes many times the goal.
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

    /// Takes the time of one call.
    pub fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        self.time_many(1, work)
    }

    /// Takes the time of one call that does the same thing `count` times: for what is over
    /// sooner than a clock can be read.
    pub fn time_many<T>(&mut self, count: u32, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = black_box(work());
        self.spent += start.elapsed();
        self.calls += count;
        result
    }

    /// Nanoseconds per call; none before the first.
    pub fn mean(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.spent.as_nanos() as f64 / f64::from(self.calls))
    }
}

/// Nanoseconds per call, one for each round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds a round. What is no time is left out.
    pub fn push(&mut self, nanoseconds: f64) {
        if nanoseconds.is_finite() && nanoseconds >= 0.0 {
            self.0.push(nanoseconds);
        }
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.0.len()
    }

    /// The shortest, in nanoseconds.
    pub fn min(&self) -> Option<f64> {
        self.0.iter().copied().min_by(f64::total_cmp)
    }

    /// The middle one, in nanoseconds; between the middle two of an even number.
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The distance between the quartiles as a part of the median; none for a single round.
    pub fn spread(&self) -> Option<f64> {
        let (lower, upper) = (self.quantile(0.25)?, self.quantile(0.75)?);
        let median = self.median().filter(|&median| median > 0.0)?;
        (self.rounds() > 1).then(|| (upper - lower) / median)
    }

    /// The time that this part of the rounds is not longer than, in a straight line between
    /// the two nearest.
    fn quantile(&self, part: f64) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let place = part * sorted.len().checked_sub(1)? as f64;
        let (lower, upper) = (sorted[place as usize], sorted[place.ceil() as usize]);
        Some(lower + (upper - lower) * place.fract())
    }
}

/// A time with three digits and its unit, as in `48.1 us`.
pub fn show_time(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    // What would be rounded up to 1000 belongs to the next unit.
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
    fn min_and_median() {
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
    fn the_spread_lies_between_the_quartiles() {
        assert_eq!(samples(&[]).spread(), None);
        assert_eq!(samples(&[3.0]).spread(), None);
        assert_eq!(samples(&[4.0, 4.0]).spread(), Some(0.0));
        // Quartiles 2 and 4; an outlier does not count.
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
    fn the_first_calls_warm_up() {
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
    fn a_long_call_is_made_once() {
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
    fn long_preparations_end_it_too() {
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
