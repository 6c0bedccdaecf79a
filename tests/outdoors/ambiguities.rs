//! Tests that no systems of the plugins run in an ambiguous order.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
};

use lanternfell::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

/// Builds the schedules `Update` and `PostUpdate`. Returns their ambiguities as an error.
fn order_systems(app: &mut App) -> Result<(), String> {
    order_systems_of(app, Update)?;
    order_systems_of(app, PostUpdate)
}

fn order_systems_of(app: &mut App, label: impl ScheduleLabel + Clone) -> Result<(), String> {
    app.edit_schedule(label.clone(), |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
    app.world_mut().schedule_scope(label, |world, schedule| {
        let order = schedule.initialize(world).map(|_| ());
        order.map_err(|error| error.to_string(schedule.graph(), world))
    })
}

#[test]
fn terrain_has_no_ambiguous_systems() {
    for (name, mut app) in [("bare", app()), ("drawing", drawing_app())] {
        assert_eq!(order_systems(&mut app), Ok(()), "the {name} app");
    }
}

#[test]
fn outdoors_has_no_ambiguous_systems() {
    let mut app = app_with((TerrainPlugin, OutdoorsPlugin));
    app.init_resource::<SkyColors>()
        .init_resource::<CurrentWeather>()
        .init_resource::<Wind>();
    assert_eq!(order_systems(&mut app), Ok(()));
}

#[test]
fn terrain_torchlight_has_no_ambiguous_systems() {
    let mut app = app_with((
        TerrainPlugin,
        TorchlightPlugin::default(),
        TerrainTorchlightPlugin,
    ));
    assert_eq!(order_systems(&mut app), Ok(()));
}

#[test]
fn all_plugins_together_have_no_ambiguous_systems() {
    let plugins = (TerrainPlugins, TorchlightPlugin::default());
    assert_eq!(order_systems(&mut app_with(plugins)), Ok(()));
}

/// Checks that the tests above would find an ambiguity.
#[test]
fn ambiguity_is_found() {
    fn raise(mut water: Query<&mut Water>) {
        for mut water in &mut water {
            water.level = Some(1.0);
        }
    }
    let mut app = drawing_app();
    app.add_systems(PostUpdate, raise);
    assert!(order_systems(&mut app).is_err());
}
