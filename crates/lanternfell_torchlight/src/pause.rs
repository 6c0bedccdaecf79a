//! Light that goes on while the game's clock stands.

use std::time::Duration;

use bevy::{
    app::{RunFixedMainLoop, RunFixedMainLoopSystems},
    ecs::schedule::ScheduleLabel,
    prelude::*,
};

/// Where the plugin's work is done in a pause.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct InPause;

/// What the clock of the plugin's schedule said when light went on last.
#[derive(Resource, Debug, Default)]
pub(crate) struct LastTime(pub(crate) Duration);

/// Runs [`InPause`] once a frame while the game's clock stands.
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

/// On a clock by which real time passes but it is never later, so that flames stand still.
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
