//! Advances the light of every map.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};

use crate::{
    flow::LightFlow,
    map::TorchlightMap,
    pause::LastTime,
    timing::{LightBudget, LightTiming, Spent},
    work::{Done, Todo, Work},
};

/// Advances all maps by the time that has passed in the plugin's schedule.
pub(crate) fn advance(
    time: Res<Time>,
    budget: Res<LightBudget>,
    mut spent: ResMut<Spent>,
    mut last: ResMut<LastTime>,
    mut maps: Query<(&LightFlow, &LightTiming, &mut TorchlightMap)>,
) {
    last.0 = time.elapsed();
    for (flow, timing, mut map) in &mut maps {
        let map = map.bypass_change_detection();
        flow.wait(&mut map.due, time.delta_secs_f64());
        match timing {
            LightTiming::InStep => advance_in_step(*flow, map),
            LightTiming::WithinBudget => {
                let began = Instant::now();
                advance_within(*flow, map, time.elapsed(), spent.left_for_flow(*budget));
                spent.spend(began.elapsed());
            }
        }
    }
}

/// Computes everything that is due at once.
fn advance_in_step(flow: LightFlow, map: &mut TorchlightMap) {
    // Discard background work: the map's own grid continues from the light that it shows.
    map.work = Work::None;
    map.age = Duration::ZERO;
    match flow.take(&mut map.due) {
        Todo::Nothing => {}
        Todo::Steps(steps) => {
            let began = Instant::now();
            map.grid.step(steps);
            map.step_time = Some(began.elapsed() / steps);
        }
        Todo::Settle(tolerance) => {
            map.grid.settle_within(tolerance, LightFlow::MAX_SWEEPS);
        }
    }
}

/// Computes as much as `budget` allows, and the rest in a background task.
fn advance_within(flow: LightFlow, map: &mut TorchlightMap, now: Duration, budget: Duration) {
    let taken_up = map.work.take_up(&mut map.grid);
    note(map, taken_up);
    if map.work.is_free() {
        let todo = flow.take(&mut map.due);
        map.work.begin(&mut map.grid, todo, now);
    }
    let done = map.work.go_on(&mut map.grid, budget);
    note(map, done);
    map.age = now.saturating_sub(map.shown_of);
}

/// Records that the map shows newer light.
fn note(map: &mut TorchlightMap, done: Option<Done>) {
    let Some(done) = done else { return };
    map.shown_of = done.of;
    map.due += f64::from(done.left);
    map.step_time = done.step_time.or(map.step_time);
}
