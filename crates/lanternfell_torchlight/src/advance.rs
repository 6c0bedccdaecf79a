//! Advances the light of every map.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};

use crate::{
    flow::LightFlow,
    map::{MapData, TorchlightMap},
    pause::LastTime,
    status::TorchlightStatus,
    timing::{LightBudget, LightTiming, Spent},
    work::{Done, Todo, Work},
};

/// Advances all maps by the time that has passed in the plugin's schedule.
pub(crate) fn advance(
    time: Res<Time>,
    budget: Res<LightBudget>,
    mut spent: ResMut<Spent>,
    mut last: ResMut<LastTime>,
    mut maps: Query<(
        &LightFlow,
        &LightTiming,
        &mut TorchlightMap,
        &mut TorchlightStatus,
    )>,
) {
    last.0 = time.elapsed();
    for (flow, timing, mut map, mut status) in &mut maps {
        let map = &mut map.bypass_change_detection().data;
        flow.wait(&mut map.due, time.delta_secs_f64());
        let now = match timing {
            LightTiming::InStep => advance_in_step(*flow, map, *status),
            LightTiming::WithinBudget => {
                let began = Instant::now();
                let budget = spent.left_for_flow(*budget);
                let now = advance_within(*flow, map, *status, time.elapsed(), budget);
                spent.spend(began.elapsed());
                now
            }
        };
        status.set_if_neq(now);
    }
}

/// Computes everything that is due at once.
fn advance_in_step(
    flow: LightFlow,
    map: &mut MapData,
    mut status: TorchlightStatus,
) -> TorchlightStatus {
    // Discard background work: the map's own grid continues from the light that it shows.
    map.work = Work::None;
    status.age = Duration::ZERO;
    match flow.take(&mut map.due) {
        Todo::Nothing => {}
        Todo::Steps(steps) => {
            let began = Instant::now();
            map.grid.step(steps);
            status.step_time = Some(began.elapsed() / steps);
        }
        Todo::Settle(tolerance) => {
            map.grid.settle_within(tolerance, LightFlow::MAX_SWEEPS);
        }
    }
    status
}

/// Computes as much as `budget` allows, and the rest in a background task.
fn advance_within(
    flow: LightFlow,
    map: &mut MapData,
    mut status: TorchlightStatus,
    now: Duration,
    budget: Duration,
) -> TorchlightStatus {
    let taken_up = map.work.take_up(&mut map.grid);
    note(map, &mut status, taken_up);
    if map.work.is_free() {
        let todo = flow.take(&mut map.due);
        map.work.begin(&mut map.grid, todo, now);
    }
    let done = map.work.go_on(&mut map.grid, budget);
    note(map, &mut status, done);
    status.age = now.saturating_sub(map.shown_of);
    status
}

/// Records that the map shows newer light.
fn note(map: &mut MapData, status: &mut TorchlightStatus, done: Option<Done>) {
    let Some(done) = done else { return };
    map.shown_of = done.of;
    map.due += f64::from(done.left);
    status.step_time = done.step_time.or(status.step_time);
}
