//! The order of the plugin's systems is fixed wherever it matters.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
};

use lanternfell::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

/// Orders the systems of `Update`; what is wrong with them, if anything.
fn order_systems(app: &mut App) -> Result<(), String> {
    order_systems_of(app, Update)
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
fn no_two_systems_that_touch_the_same_data_run_in_any_order() {
    for (name, mut app) in [("bare", app()), ("drawing", drawing_app())] {
        assert_eq!(order_systems(&mut app), Ok(()), "the {name} app");
    }
}

#[test]
fn where_sky_sea_and_plants_meet_they_do_not_either() {
    let mut app = app_with((TerrainPlugin, OutdoorsPlugin));
    app.init_resource::<SkyColors>()
        .init_resource::<CurrentWeather>()
        .init_resource::<Wind>();
    assert_eq!(order_systems(&mut app), Ok(()));
}

#[test]
fn where_light_and_land_meet_they_do_not_either() {
    let mut app = app_with((
        TerrainPlugin,
        TorchlightPlugin::default(),
        LightOverLandPlugin,
    ));
    for schedule in [Update.intern(), PostUpdate.intern()] {
        assert_eq!(order_systems_of(&mut app, schedule), Ok(()), "{schedule:?}");
    }
}

/// Else the test above would prove nothing.
#[test]
fn an_ambiguity_would_be_found() {
    fn raise(mut water: Query<&mut Water>) {
        for mut water in &mut water {
            water.level = Some(1.0);
        }
    }
    let mut app = drawing_app();
    app.add_systems(Update, raise);
    assert!(order_systems(&mut app).is_err());
}
