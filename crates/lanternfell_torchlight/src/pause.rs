//! Light that continues while the game's clock is paused.

use std::time::Duration;

use bevy::{
    app::{RunFixedMainLoop, RunFixedMainLoopSystems},
    ecs::schedule::ScheduleLabel,
    prelude::*,
};

/// The schedule in which the plugin's systems run in a pause.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct InPause;

/// The elapsed time of the plugin's schedule in the last run.
#[derive(Resource, Debug, Default)]
pub(crate) struct LastTime(pub(crate) Duration);

/// Runs [`InPause`] once per frame while the game's clock is paused.
pub(crate) fn plugin(app: &mut App) {
    let after_the_game = RunFixedMainLoopSystems::AfterFixedMainLoop;
    app.add_systems(
        RunFixedMainLoop,
        go_on.run_if(stands).in_set(after_the_game),
    );
}

fn stands(time: Res<Time<Virtual>>) -> bool {
    time.effective_speed() == 0.0
}

/// Runs [`InPause`] with a clock whose delta is the real time that passed. Its elapsed time stays
/// at that of the game, so that flames do not move.
fn go_on(world: &mut World) {
    let passed = world.resource::<Time<Real>>().delta();
    let now = world.resource::<LastTime>().0;
    let mut clock = Time::<()>::default();
    clock.advance_to(now.saturating_sub(passed));
    clock.advance_by(passed);
    let game = std::mem::replace(&mut *world.resource_mut::<Time>(), clock);
    world.run_schedule(InPause);
    *world.resource_mut::<Time>() = game;
}
