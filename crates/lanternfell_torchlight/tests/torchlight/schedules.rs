//! The schedule of the plugin.

use std::time::Duration;

use bevy::{
    app::{FixedPostUpdate, FixedUpdate},
    ecs::schedule::ScheduleLabel,
    prelude::*,
    time::TimeUpdateStrategy,
};
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// How often the plugin ran in this number of updates.
fn runs_in(schedule: impl ScheduleLabel + Clone, updates: usize) -> u32 {
    #[derive(Resource, Default)]
    struct Runs(u32);
    let mut app = app_with(TorchlightPlugin::in_schedule(schedule.clone()));
    app.init_resource::<Runs>();
    let after = (|mut runs: ResMut<Runs>| runs.0 += 1).after(TorchlightSystems::Publish);
    app.add_systems(schedule, after);
    // Two ticks each.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(TICK * 2));
    app.world_mut().spawn(settled(3, 3));
    app.world_mut().spawn((lamp(), LightCell::new(1, 1)));
    let reader = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(1, 1)))
        .id();
    for _ in 0..updates {
        app.update();
    }
    assert_eq!(level(&app, reader).band, LightBand::Blazing);
    app.world().resource::<Runs>().0
}

#[test]
fn runs_in_the_given_schedule() {
    assert_eq!(runs_in(Update, 5), 5);
    assert_eq!(runs_in(PostUpdate, 5), 5);
    assert_eq!(runs_in(FixedUpdate, 5), 10);
    assert_eq!(runs_in(FixedPostUpdate, 5), 10);
}

#[test]
fn light_does_not_flow_between_ticks() {
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_nanos(1)));
    let map = app.world_mut().spawn(settled(3, 3)).id();
    app.world_mut().spawn((lamp(), LightCell::new(1, 1)));
    updates(&mut app, 5);
    assert_eq!(sum(&app, map), 0.0);
}
