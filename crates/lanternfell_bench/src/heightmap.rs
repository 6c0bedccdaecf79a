//! Heightmaps: the generators, what is done to maps, and how both grow with the map.
//!
//! Whoever has the same generator is given the same draws where that is possible, and makes
//! a map from 0 to 1; so the map beside ours is either the same or, where a library draws
//! for itself, alike in mean, deviation and grain. Ours is measured on one thread and on
//! more; all others know one only.

mod crew;
mod direct;
mod erosion;
mod faults;
mod filters;
mod fluid;
mod growth;
mod hills;
mod islands;
mod memory;
mod noises;

use lanternfell_heightmap::{GenerateError, Generator, Heightmap, MapSize, Progress};

use crate::{
    Bench,
    race::{EntryId, Plan, Race},
    report::Budget,
    stopwatch::Stopwatch,
};

use crew::Crew;

pub(crate) use self::{
    erosion::run as erosion, faults::run as faults, filters::run as filters, fluid::run as fluid,
    growth::run as growth, hills::run as hills, islands::run as islands, memory::Peak,
};

/// The seed of every map.
const SEED: u64 = 7;

/// The side for which the project's design sets budgets.
const BUDGET_SIDE: usize = 1024;

/// Two threads must take at most this part of the time of one...
const SECOND_THREAD: f64 = 1.0 / 1.6;
/// ... where one takes at least so long, in nanoseconds.
const WORTH_SHARING: f64 = 10e6;

/// The sides of the maps that are made.
fn sides(plan: &Plan) -> &'static [usize] {
    if plan.quick {
        &[128]
    } else {
        &[512, BUDGET_SIDE, 4096]
    }
}

/// The side whose times the budgets are judged by.
fn budget_side(plan: &Plan) -> usize {
    if plan.quick { 128 } else { BUDGET_SIDE }
}

/// As in `1024 x 1024`.
fn square(side: usize) -> String {
    format!("{side} x {side}")
}

fn size(side: usize) -> MapSize {
    MapSize::new(side as u64, side as u64).expect("the benchmark's sides are all allowed")
}

/// The map of a generator with parameters that are known to be sound.
fn generate(generator: &Generator, side: usize) -> Heightmap {
    fine(generator.generate(size(side), SEED, &Progress::default()))
}

/// What nobody cancels and no parameter forbids.
fn fine<T>(result: Result<T, GenerateError>) -> T {
    result.expect("the benchmark's parameters are in their ranges")
}

/// A map that is made anew each time.
fn made<'a>(
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

/// A map that is changed; copying it is not in the time.
fn changed<'a, M: Clone>(
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

/// Adds our generator, by each crew.
fn add_ours<'a>(
    race: &mut Race<'a>,
    crews: &'a [Crew],
    generator: &Generator,
    side: usize,
) -> Vec<EntryId> {
    let add = |crew: &'a Crew| {
        let generator = generator.clone();
        let make = move || crew.run(|| generate(&generator, side).into_heights());
        race.our_map(format!("ours, {}", crew.name()), made(make))
    };
    crews.iter().map(add).collect()
}

/// Adds our way to change the map, by each crew.
fn add_changes<'a>(
    race: &mut Race<'a>,
    crews: &'a [Crew],
    map: &'a Heightmap,
    change: impl Fn(&mut Heightmap) + Copy + Send + Sync + 'a,
) -> Vec<EntryId> {
    let add = |crew: &'a Crew| {
        let change = move |map: &mut Heightmap| crew.run(|| change(map));
        let who = format!("ours, {}", crew.name());
        race.our_map(who, changed(map, change, Heightmap::into_heights))
    };
    crews.iter().map(add).collect()
}

/// Two threads against one, where that is long enough to be worth it.
fn second_thread(bench: &mut Bench<'_>, what: &str, race: &Race<'_>, ours: &[EntryId]) {
    let [one, two, ..] = *ours else {
        return;
    };
    let (one, two) = (race.times(one), race.times(two));
    if one.is_some_and(|(_, median)| median >= WORTH_SHARING) {
        let what = format!("{what}: two threads by one");
        let budget = Budget::share(what, SECOND_THREAD, two, one);
        bench.report.budget(budget);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn changes_begin_with_the_same_map_each_time() {
        let start = vec![1.0_f32; 4];
        let mut run = changed(&start, |map| map[0] += 1.0, |map| map);
        let mut watch = Stopwatch::new(Duration::from_millis(1));
        assert_eq!(run(&mut watch), [2.0, 1.0, 1.0, 1.0]);
        assert!(watch.mean().is_some());
    }
}
