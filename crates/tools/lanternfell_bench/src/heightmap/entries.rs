//! Entries that generate or change a map with each thread pool, and the budget of two threads.

use lanternfell_heightmap::{Generator, Heightmap};

use super::{size::generate, workers::Workers};
use crate::{
    bench::Bench,
    race::{EntryId, Race},
    report::Budget,
    stopwatch::Stopwatch,
};

/// The budget of two threads, relative to one.
const SECOND_THREAD: f64 = 1.0 / 1.6;
/// The minimum time of one thread for that budget, in nanoseconds.
const WORTH_SHARING: f64 = 10e6;

/// A map that is generated in each call.
pub(super) fn made<'a>(
    mut make: impl FnMut() -> Vec<f32> + 'a,
) -> impl FnMut(&mut Stopwatch) -> Vec<f32> + 'a {
    move |watch| {
        let mut last = Vec::new();
        while watch.goes_on() {
            last = watch.time(&mut make);
        }
        last
    }
}

/// A map that is changed in each call. Copying it is not measured.
pub(super) fn changed<'a, M: Clone>(
    start: &'a M,
    mut change: impl FnMut(&mut M) + 'a,
    heights: impl Fn(M) -> Vec<f32> + 'a,
) -> impl FnMut(&mut Stopwatch) -> Vec<f32> + 'a {
    move |watch| {
        let mut last = start.clone();
        while watch.goes_on() {
            last.clone_from(start);
            watch.time(|| change(&mut last));
        }
        heights(last.clone())
    }
}

/// Adds our generator with each thread pool.
pub(super) fn add_ours<'a>(
    race: &mut Race<'a>,
    pools: &'a [Workers],
    generator: &Generator,
    side: usize,
) -> Vec<EntryId> {
    let add = |workers: &'a Workers| {
        let generator = generator.clone();
        let make = move || workers.run(|| generate(&generator, side).into_heights());
        race.our_map(format!("ours, {}", workers.name()), made(make))
    };
    pools.iter().map(add).collect()
}

/// Adds our change of the map with each thread pool.
pub(super) fn add_changes<'a>(
    race: &mut Race<'a>,
    pools: &'a [Workers],
    map: &'a Heightmap,
    change: impl Fn(&mut Heightmap) + Copy + Send + Sync + 'a,
) -> Vec<EntryId> {
    let add = |workers: &'a Workers| {
        let change = move |map: &mut Heightmap| workers.run(|| change(map));
        let who = format!("ours, {}", workers.name());
        race.our_map(who, changed(map, change, Heightmap::into_heights))
    };
    pools.iter().map(add).collect()
}

/// Adds the budget of two threads, if one thread takes long enough.
pub(super) fn second_thread(bench: &mut Bench<'_>, what: &str, race: &Race<'_>, ours: &[EntryId]) {
    let [one, two, ..] = *ours else {
        return;
    };
    let (one, two) = (race.times(one), race.times(two));
    if one.is_some_and(|(_, median)| median >= WORTH_SHARING) {
        let what = format!("{what}: two threads relative to one");
        let budget = Budget::share(what, SECOND_THREAD, two, one);
        bench.report.budget(budget);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn changes_start_from_the_same_map() {
        let start = vec![1.0_f32; 4];
        let mut run = changed(&start, |map| map[0] += 1.0, |map| map);
        let mut watch = Stopwatch::new(Duration::from_millis(1));
        assert_eq!(run(&mut watch), [2.0, 1.0, 1.0, 1.0]);
        assert!(watch.mean().is_some());
    }
}
