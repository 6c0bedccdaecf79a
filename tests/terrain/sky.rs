//! The sky over the sea, and seen from below it.
//!
//! Needs a Vulkan driver; a software one is enough.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use image::{Rgb, RgbImage, imageops};
use lanternfell::prelude::*;

use crate::{canvas::*, waves::sunken};

const PATIENCE: Duration = Duration::from_secs(240);

/// The mean color that is seen from there, once it is something and stays.
fn look(camera: impl Bundle, eye: Transform, ready: impl Fn(&mut World) -> bool) -> [f32; 3] {
    let mut app = app_that_draws(UVec2::new(64, 36), |app| {
        app.add_plugins((SkyPlugin, OutdoorsPlugin))
            .insert_resource(ClearColor(Color::BLACK))
            .insert_resource(Weather::CLEAR)
            .insert_resource(TimeOfDay {
                hour: 12.0,
                ..default()
            });
    });
    app.world_mut().spawn(sunken(6.0, 6.0));
    let entity = spawn_camera(&mut app, eye);
    app.world_mut().entity_mut(entity).insert(camera);
    let start = Instant::now();
    loop {
        if ready(app.world_mut()) {
            take_picture(&mut app);
        }
        app.update();
        let pictures = &mut app.world_mut().resource_mut::<Canvas>().pictures;
        if let Some(picture) = pictures.pop_if(|picture| !is_black(picture)) {
            let mean = imageops::resize(&picture, 1, 1, imageops::FilterType::Triangle);
            let Rgb(mean) = *mean.get_pixel(0, 0);
            return mean.map(f32::from);
        }
        assert!(start.elapsed() < PATIENCE, "nothing is seen");
    }
}

fn is_black(picture: &RgbImage) -> bool {
    picture.pixels().any(|pixel| pixel.0 == [0; 3])
}

fn up(height: f32) -> Transform {
    let eye = Vec3::new(0.0, height, 0.0);
    Transform::from_translation(eye).looking_to(Vec3::Y, Vec3::NEG_Z)
}

fn is_there(world: &mut World) -> bool {
    let mut grounds = world.query::<&TerrainSurface>();
    grounds.iter(world).next().is_some()
}

#[test]
fn it_is_blue_whether_the_camera_has_a_fog_or_none() {
    for (name, [r, g, b]) in [
        ("none", look((), up(60.0), |_| true)),
        ("its own", look(DistanceFog::default(), up(60.0), |_| true)),
        ("the sky's", look(SkyFog::default(), up(60.0), |_| true)),
    ] {
        assert!(b > 1.3 * r && b > g && b > 90.0, "{name}: {r}, {g}, {b}");
    }
}

#[test]
fn from_below_there_is_a_window_to_it_and_a_mirror_around() {
    let fog = SkyFog::default;
    let window = look(fog(), up(36.0), is_there);
    let [r, g, b] = window;
    assert!(b > 1.15 * g && g > r, "{window:?}");
    let flat = up(36.0).looking_to(Vec3::new(0.0, 0.35, -1.0), Vec3::Y);
    let mirror = look(fog(), flat, is_there);
    let [r, g, b] = mirror;
    assert!(g > 0.95 * b && g > 1.3 * r, "{mirror:?}");
}
