//! The sky over the sea, and seen from below it.
//!
//! Needs a Vulkan driver; a software one is enough.

use std::time::Instant;

use bevy::prelude::*;
use image::{Rgb, imageops};
use lanternfell::prelude::*;

use lanternfell_terrain_test_support::{canvas::*, terrain::sunken};

/// A clear noon over a sea without waves, and a camera in it.
fn app(camera: impl Bundle) -> (App, Entity) {
    let mut app = app_that_draws(UVec2::new(64, 36), |app| {
        app.add_plugins((SkyPlugin, OutdoorsPlugin))
            .insert_resource(ClearColor(Color::BLACK))
            .insert_resource(Weather::CLEAR)
            .insert_resource(TimeOfDay {
                hour: 12.0,
                ..default()
            });
    });
    let (land, water) = sunken(6.0, 6.0);
    let waves = Waves::CALM;
    app.world_mut().spawn((land, Water { waves, ..water }));
    let entity = spawn_camera(&mut app, Transform::default());
    app.world_mut().entity_mut(entity).insert(camera);
    (app, entity)
}

/// Looks from there until the mean color is as it should be.
fn look_until(
    (app, camera): &mut (App, Entity),
    eye: Transform,
    words: &str,
    is_meant: fn([f32; 3]) -> bool,
) {
    *app.world_mut().get_mut::<Transform>(*camera).unwrap() = eye;
    let start = Instant::now();
    let mut seen = None;
    loop {
        take_picture(app);
        app.update();
        if let Some(picture) = app.world_mut().resource_mut::<Canvas>().pictures.pop() {
            let mean = imageops::resize(&picture, 1, 1, imageops::FilterType::Triangle);
            let Rgb(mean) = *mean.get_pixel(0, 0);
            let mean = mean.map(f32::from);
            if is_meant(mean) {
                return;
            }
            seen = Some(mean);
        }
        assert!(start.elapsed() < PATIENCE, "{words}: {seen:?}");
    }
}

/// From so high, up by so much.
fn eye(height: f32, up: f32) -> Transform {
    let eye = Vec3::new(0.0, height, 0.0);
    Transform::from_translation(eye).looking_to(Vec3::new(0.0, up, -1.0), Vec3::Y)
}

fn is_sky([r, g, b]: [f32; 3]) -> bool {
    b > 1.3 * r && b > 1.1 * g && b > 90.0
}

/// Of the water's own color, not of the sky's.
fn is_water([r, g, b]: [f32; 3]) -> bool {
    g > 0.95 * b && g > 1.3 * r && g > 40.0
}

#[test]
fn it_is_blue_whether_the_camera_has_a_fog_or_none() {
    let high = eye(60.0, 3.0);
    look_until(&mut app(()), high, "no fog", is_sky);
    look_until(&mut app(DistanceFog::default()), high, "its own", is_sky);
    look_until(&mut app(SkyFog::default()), high, "the sky's", is_sky);
}

#[test]
fn from_below_there_is_a_window_to_it_and_a_mirror_around() {
    let mut app = app(SkyFog::default());
    // 20 degrees above the horizon: beyond the window's 49 from the vertical.
    look_until(&mut app, eye(36.0, 0.36), "the mirror", is_water);
    look_until(&mut app, eye(36.0, 9.0), "the window", is_sky);
    look_until(&mut app, eye(36.0, -0.36), "the deep", is_water);
    look_until(&mut app, eye(60.0, 3.0), "above", is_sky);
}

/// What falls: nothing but rain, and all else stands still.
#[test]
fn rain_ends_at_the_sea() {
    let mut app = app(SkyFog::default());
    let (app, camera) = (&mut app.0, app.1);
    app.insert_resource(Weather::STORM);
    let mut streaks = |height: f32| {
        *app.world_mut().get_mut::<Transform>(camera).unwrap() = eye(height, 0.0);
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        for _ in 0..3 {
            app.update();
        }
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        let [with, without] = [true, false].map(|rain| {
            app.world_mut().resource_mut::<SkySettings>().rain = rain;
            next_picture(app)
        });
        mean_difference(&with, &without)
    };
    let start = Instant::now();
    let mut seen = [0.0; 3];
    while seen.iter().any(|seen| *seen < 0.05) {
        assert!(start.elapsed() < PATIENCE, "no rain is seen: {seen:?}");
        seen = [(); 3].map(|()| streaks(50.0));
    }
    assert_eq!(streaks(30.0), 0.0);
    assert!(streaks(50.0) > 0.05);
}
