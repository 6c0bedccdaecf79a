//! The order of the plugin's systems is fixed where it matters.

use bevy::{
    app::FixedPostUpdate,
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    log::LogPlugin,
    prelude::*,
};
use lanternfell_headless::HeadlessArgs;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

/// Orders the systems of a schedule that has not run yet. Returns an error if two systems conflict.
fn order_systems(app: &mut App, label: impl ScheduleLabel + Clone) -> Result<(), String> {
    app.edit_schedule(label.clone(), |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
    app.world_mut()
        .schedule_scope(label, |world, schedule| match schedule.initialize(world) {
            Ok(built) => {
                assert!(built.is_some(), "the schedule has run already");
                Ok(())
            }
            Err(error) => Err(error.to_string(schedule.graph(), world)),
        })
}

#[test]
fn has_no_ambiguous_systems() {
    for (name, mut app) in [
        ("light alone", new_app_with(TorchlightPlugin::default())),
        ("drawn too", new_app_with(drawing)),
    ] {
        assert_eq!(order_systems(&mut app, FixedPostUpdate), Ok(()), "{name}");
        assert_eq!(order_systems(&mut app, PostUpdate), Ok(()), "{name}");
    }
    let mut app = new_app_with(TorchlightPlugin::in_schedule(PostUpdate));
    assert_eq!(order_systems(&mut app, PostUpdate), Ok(()));
}

#[test]
fn has_no_ambiguities_with_bevys_systems() {
    let args = HeadlessArgs {
        headless: true,
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(args.plugins(DefaultPlugins).disable::<LogPlugin>())
        .add_plugins(TorchlightPlugin::in_schedule(PostUpdate));
    app.finish();
    app.cleanup();
    let wrong = order_systems(&mut app, PostUpdate)
        .err()
        .unwrap_or_default();
    let mut ours = wrong
        .lines()
        .filter(|line| line.contains("lanternfell_torchlight"));
    assert_eq!(ours.next(), None, "{wrong}");
}

/// Ensures that the tests above detect ambiguities.
#[test]
fn detects_ambiguities() {
    fn raise(mut levels: Query<&mut LightLevel>) {
        for mut level in &mut levels {
            level.luminance = 1.0;
        }
    }
    let mut app = new_app_with(TorchlightPlugin::default());
    app.add_systems(FixedPostUpdate, raise);
    assert!(order_systems(&mut app, FixedPostUpdate).is_err());
}
