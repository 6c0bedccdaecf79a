//! Tests of the sky above the sea and seen from under water.
//!
//! They need a Vulkan driver; a software driver is enough.

use std::time::Instant;

use bevy::{
    camera::{Exposure, Hdr},
    prelude::*,
};
use image::{Rgb, RgbImage, imageops};
use lanternfell::prelude::*;

use lanternfell_terrain_test_support::{canvas::*, terrain::sunken};

/// An app with a clear sky at noon, a sea without waves, and a camera.
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

/// Renders from `eye` until the mean color fulfills `is_meant`.
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

/// A camera at `height` that looks up by `up` per unit ahead.
fn eye(height: f32, up: f32) -> Transform {
    let eye = Vec3::new(0.0, height, 0.0);
    Transform::from_translation(eye).looking_to(Vec3::new(0.0, up, -1.0), Vec3::Y)
}

fn is_sky([r, g, b]: [f32; 3]) -> bool {
    b > 1.3 * r && b > 1.1 * g && b > 90.0
}

/// Whether a color is the water's own and not that of the sky.
fn is_water([r, g, b]: [f32; 3]) -> bool {
    g > 0.95 * b && g > 1.3 * r && g > 40.0
}

/// The mean color of a row of pixels.
fn row(picture: &RgbImage, y: u32) -> [i32; 3] {
    let row = imageops::crop_imm(picture, 0, y, picture.width(), 1).to_image();
    let mean = imageops::resize(&row, 1, 1, imageops::FilterType::Triangle);
    mean.get_pixel(0, 0).0.map(i32::from)
}

fn difference(a: [i32; 3], b: [i32; 3]) -> i32 {
    (0..3)
        .map(|k| (a[k] - b[k]).abs())
        .max()
        .unwrap_or_default()
}

/// Waits until sea and sky have nearly the same color at the horizon. Returns this color.
fn color_where_sea_meets_sky(camera: impl Bundle) -> [i32; 3] {
    let (mut app, camera) = app((SkyFog { visibility: 300.0 }, camera));
    *app.world_mut().get_mut::<Transform>(camera).unwrap() = eye(50.0, 0.0);
    let start = Instant::now();
    let mut seen = None;
    loop {
        take_picture(&mut app);
        app.update();
        if let Some(picture) = app.world_mut().resource_mut::<Canvas>().pictures.pop() {
            let (sky, far, near) = (row(&picture, 16), row(&picture, 20), row(&picture, 35));
            // Otherwise the sea is not drawn yet.
            let has_sea = sky[2] > 40 && difference(sky, near) > 12;
            if has_sea && difference(sky, far) < 14 {
                return sky;
            }
            seen = Some((sky, far, near));
        }
        assert!(
            start.elapsed() < PATIENCE,
            "sky, far and near sea: {seen:?}"
        );
    }
}

/// Without HDR, sea and sky apply tone mapping themselves. Both follow the exposure of the camera.
#[test]
fn sea_meets_the_sky_without_a_line() {
    let usual = color_where_sea_meets_sky(());
    let hdr = color_where_sea_meets_sky(Hdr);
    assert!(difference(usual, hdr) < 6, "{usual:?}, with HDR {hdr:?}");
    let darker = Exposure {
        ev100: Exposure::default().ev100 + 1.5,
    };
    let darker = color_where_sea_meets_sky(darker);
    assert!(darker[2] < usual[2] - 40, "{usual:?}, then {darker:?}");
}

#[test]
fn sky_is_blue_with_any_fog() {
    let high = eye(60.0, 3.0);
    look_until(&mut app(()), high, "no fog", is_sky);
    look_until(
        &mut app(DistanceFog::default()),
        high,
        "DistanceFog",
        is_sky,
    );
    look_until(&mut app(SkyFog::default()), high, "SkyFog", is_sky);
}

#[test]
fn underwater_surface_shows_sky_inside_critical_angle() {
    let mut app = app(SkyFog::default());
    // 20 degrees above the horizon: outside of Snell's window, whose radius is 49 degrees from the vertical.
    look_until(&mut app, eye(36.0, 0.36), "the mirror", is_water);
    look_until(&mut app, eye(36.0, 9.0), "the window", is_sky);
    look_until(&mut app, eye(36.0, -0.36), "the deep", is_water);
    look_until(&mut app, eye(60.0, 3.0), "above", is_sky);
}

/// The streaks are the difference of two images with and without rain at the same time.
#[test]
fn rain_ends_at_the_sea() {
    check_rain(());
    check_rain(Hdr);
}

fn check_rain(camera: impl Bundle) {
    let mut app = app((SkyFog::default(), camera));
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
        assert!(start.elapsed() < PATIENCE, "no rain is visible: {seen:?}");
        seen = [(); 3].map(|()| streaks(50.0));
    }
    // Textures and levels of detail may still change between two images.
    while streaks(30.0) > 0.0 {
        assert!(start.elapsed() < PATIENCE, "rain is visible under water");
    }
    assert!(streaks(50.0) > 0.05);
}
