//! Tests of the plugin in apps without a window.

use std::time::Duration;

use bevy::{
    app::SubApp,
    asset::{AssetApp, AssetPlugin},
    camera::Exposure,
    ecs::schedule::{LogLevel, ScheduleBuildSettings},
    image::ImagePlugin,
    mesh::MeshPlugin,
    prelude::*,
    render::RenderApp,
    shader::Shader,
    time::TimeUpdateStrategy,
};

use crate::prelude::*;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, SkyPlugin));
    started(app)
}

/// Adds an empty render sub-app, so that no graphics driver is needed.
fn drawing_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        MeshPlugin,
        ImagePlugin::default(),
    ));
    app.insert_sub_app(RenderApp, SubApp::new());
    app.init_asset::<Shader>().add_plugins(SkyPlugin);
    started(app)
}

fn started(mut app: App) -> App {
    let step = Duration::from_millis(100);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    app.finish();
    app.cleanup();
    app.update();
    app
}

fn light(app: &mut App) -> DirectionalLight {
    let mut lights = app
        .world_mut()
        .query_filtered::<&DirectionalLight, With<CelestialLight>>();
    *lights.single(app.world()).unwrap()
}

#[test]
fn systems_have_no_ambiguities() {
    for mut app in [app(), drawing_app()] {
        app.edit_schedule(PostUpdate, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
        app.world_mut()
            .schedule_scope(PostUpdate, |world, schedule| {
                let order = schedule.initialize(world).map(|_| ());
                let order = order.map_err(|error| error.to_string(schedule.graph(), world));
                assert_eq!(order, Ok(()));
            });
    }
}

#[test]
fn light_and_colors_follow_time() {
    let mut app = app();
    let morning = (
        light(&mut app).illuminance,
        *app.world().resource::<SkyColors>(),
    );
    {
        let mut time = app.world_mut().resource_mut::<TimeOfDay>();
        time.is_running = true;
        time.pace = 1.0;
    }
    for _ in 0..130 {
        app.update();
    }
    let hour = app.world().resource::<TimeOfDay>().hour;
    assert!((22.0..23.0).contains(&hour), "{hour}");
    assert!(light(&mut app).illuminance < 0.5 * morning.0);
    assert_ne!(*app.world().resource::<SkyColors>(), morning.1);
}

#[test]
fn first_weather_is_immediate_and_later_changes_blend() {
    let mut app = app();
    let now = |app: &App| app.world().resource::<CurrentWeather>().get();
    assert_eq!(now(&app), Weather::FAIR);
    app.insert_resource(Weather::STORM);
    app.update();
    assert!((0.001..0.1).contains(&now(&app).rain), "{:?}", now(&app));
    for _ in 0..1000 {
        app.update();
    }
    assert_eq!(now(&app), Weather::STORM);
}

#[test]
fn only_cameras_with_sky_fog_get_its_color() {
    let mut app = app();
    let own = DistanceFog::default();
    let color = own.color;
    let without = app.world_mut().spawn(own).id();
    let with = app.world_mut().spawn(SkyFog::default()).id();
    app.update();
    let color_of = |entity| app.world().get::<DistanceFog>(entity).map(|fog| fog.color);
    assert_eq!(color_of(without), Some(color));
    let horizon = app.world().resource::<SkyColors>().horizon;
    assert_eq!(color_of(with), Some(horizon.into()));
}

#[test]
fn torch_burns_at_night_and_despawns_with_its_holder() {
    let mut app = app();
    let bearer = app.world_mut().spawn(HandTorch::default()).id();
    let flames = |app: &mut App| -> Vec<f32> {
        let mut flames = app.world_mut().query::<&PointLight>();
        flames
            .iter(app.world())
            .map(|light| light.intensity)
            .collect()
    };
    app.update();
    assert_eq!(flames(&mut app), [0.0]);
    app.world_mut().resource_mut::<TimeOfDay>().hour = 0.0;
    for _ in 0..20 {
        app.update();
    }
    assert!(flames(&mut app)[0] > 0.5 * HandTorch::default().lumens);
    app.world_mut().entity_mut(bearer).remove::<HandTorch>();
    app.update();
    assert!(flames(&mut app).is_empty());
    app.world_mut()
        .entity_mut(bearer)
        .insert(HandTorch::default());
    app.update();
    app.world_mut().despawn(bearer);
    app.update();
    assert!(flames(&mut app).is_empty());
}

#[test]
fn removed_torch_keeps_other_children() {
    let mut app = app();
    let bearer = app.world_mut().spawn(HandTorch::default()).id();
    let hat = app.world_mut().spawn(ChildOf(bearer)).id();
    app.update();
    app.world_mut().entity_mut(bearer).remove::<HandTorch>();
    app.update();
    assert!(app.world().get_entity(hat).is_ok());
    assert_eq!(app.world().get::<Children>(bearer).unwrap()[..], [hat]);
}

fn celestial_lights(app: &mut App) -> Vec<Entity> {
    let mut lights = app
        .world_mut()
        .query_filtered::<Entity, With<CelestialLight>>();
    lights.iter(app.world()).collect()
}

#[test]
fn light_is_switched_off_and_on() {
    let mut app = app();
    for is_on in [true, false, false, true] {
        app.world_mut().resource_mut::<SkySettings>().light = is_on;
        app.update();
        assert_eq!(celestial_lights(&mut app).len(), usize::from(is_on));
    }
    assert!(light(&mut app).illuminance > 100.0);
    // A light that the app has despawned does not come back with another setting.
    let spawned = celestial_lights(&mut app)[0];
    app.world_mut().despawn(spawned);
    app.world_mut().resource_mut::<SkySettings>().rain = false;
    app.update();
    assert!(celestial_lights(&mut app).is_empty());
}

#[test]
fn light_of_the_app_is_used_and_never_despawned() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, SkyPlugin))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(CelestialLight);
        });
    let mut app = started(app);
    let [own] = celestial_lights(&mut app)[..] else {
        panic!("{:?}", celestial_lights(&mut app));
    };
    assert!(light(&mut app).illuminance > 100.0);
    app.world_mut().resource_mut::<SkySettings>().light = false;
    app.update();
    assert_eq!(celestial_lights(&mut app), [own]);
}

#[test]
fn later_light_of_the_app_replaces_the_plugins() {
    let mut app = app();
    let plugins = celestial_lights(&mut app);
    let own = app.world_mut().spawn(CelestialLight).id();
    app.update();
    assert_eq!(celestial_lights(&mut app), [own]);
    app.world_mut().despawn(own);
    app.update();
    let back = celestial_lights(&mut app);
    assert!(back.len() == 1 && back != plugins);
}

#[test]
fn fog_follows_the_exposure_of_its_camera() {
    let mut app = app();
    let usual = Exposure::default();
    let brighter = Exposure {
        ev100: usual.ev100 - 1.0,
    };
    let cameras =
        [usual, brighter].map(|exposure| app.world_mut().spawn((SkyFog::default(), exposure)).id());
    app.update();
    let [usual, brighter] = cameras.map(|camera| {
        let fog = app.world().get::<DistanceFog>(camera).unwrap();
        fog.color.to_linear().to_vec3()
    });
    assert!((brighter - 2.0 * usual).abs().max_element() < 1e-5);
}

/// The shader has its own copy of the constant.
#[test]
fn shader_knows_the_default_exposure() {
    let shader = include_str!("shaders/exposure.wgsl");
    let line = format!("const DEFAULT_EV100: f32 = {};", Exposure::default().ev100);
    assert!(shader.contains(&line), "{line}");
}

#[test]
fn bad_values_and_despawned_entities_do_not_panic() {
    let mut app = drawing_app();
    app.insert_resource(TimeOfDay {
        hour: f32::NAN,
        latitude: f32::INFINITY,
        is_running: true,
        ..default()
    });
    app.insert_resource(Weather {
        cloud_cover: 7.0,
        wind: Vec2::NAN,
        ..default()
    });
    app.insert_resource(SkySettings {
        ground: f32::NAN,
        cloud_height: -1.0,
        ..default()
    });
    app.world_mut().spawn((
        SkyFog {
            visibility: f32::NAN,
        },
        HandTorch {
            lumens: f32::NAN,
            offset: Vec3::NAN,
            ..default()
        },
    ));
    for _ in 0..10 {
        app.update();
    }
    assert!(light(&mut app).illuminance.is_finite());
    let mut own = app
        .world_mut()
        .query_filtered::<Entity, Or<(With<CelestialLight>, With<crate::SkyDome>)>>();
    let own: Vec<Entity> = own.iter(app.world()).collect();
    assert_eq!(own.len(), 2);
    for entity in own {
        app.world_mut().despawn(entity);
    }
    app.update();
}
