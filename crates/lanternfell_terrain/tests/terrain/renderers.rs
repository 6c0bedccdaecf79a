//! A terrain looks the same with all of Bevy's rendering methods: forward, with prepasses, deferred, on a split screen.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use std::time::Instant;

use bevy::{
    camera::Viewport,
    core_pipeline::prepass::{DeferredPrepass, DepthPrepass, MotionVectorPrepass, NormalPrepass},
    pbr::DefaultOpaqueRendererMethod,
    prelude::*,
};
use image::RgbImage;

use crate::reveal::half_and_half;
use lanternfell_terrain_test_support::canvas::*;

const SIZE: UVec2 = UVec2::new(64, 36);

/// Looks down on terrain in the west and water in the east, lit from the side, with shadows.
fn picture(change: impl FnOnce(&mut App), cameras: impl FnOnce(&mut App, Transform)) -> RgbImage {
    let mut app = app_that_draws(SIZE, change);
    let above = Transform::from_xyz(0.0, 60.0, 0.0).looking_at(Vec3::ZERO, Vec3::NEG_Z);
    cameras(&mut app, above);
    // Caustics on the sea floor move, too.
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let light = DirectionalLight {
        shadow_maps_enabled: true,
        ..default()
    };
    let aside = Transform::default().looking_to(Vec3::new(0.6, -1.0, 0.3), Vec3::Y);
    app.world_mut().spawn((light, aside));
    let wet = lanternfell_terrain::prelude::Water {
        level: Some(0.5),
        ripples: 0.0,
        waves: lanternfell_terrain::prelude::Waves::CALM,
        ..default()
    };
    app.world_mut().spawn((half_and_half(), wet));
    let start = Instant::now();
    loop {
        take_picture(&mut app);
        app.update();
        let pictures = &app.world().resource::<Canvas>().pictures;
        let is_complete = |picture: &&RgbImage| {
            let [land, sea] = land_and_sea(picture);
            land > 0.2 && sea > 0.2
        };
        let complete: Vec<&RgbImage> = pictures.iter().filter(is_complete).collect();
        // Shadows and background-compiled pipelines appear later, so wait until nothing changes.
        if let Some((last, before)) = complete.split_last()
            && before.len() > 8
            && before
                .iter()
                .rev()
                .take(8)
                .all(|one| mean_difference(one, last) < 0.1)
        {
            return (*last).clone();
        }
        assert!(
            start.elapsed() < PATIENCE,
            "terrain and sea are not visible"
        );
    }
}

#[test]
fn prepasses_and_deferred_rendering_match_forward() {
    let forward = picture(
        |_| {},
        |app, above| {
            let camera = spawn_camera(app, above);
            app.world_mut().entity_mut(camera).insert(Msaa::Off);
        },
    );
    let with_prepasses = picture(
        |_| {},
        |app, above| {
            let camera = spawn_camera(app, above);
            let passes = (DepthPrepass, NormalPrepass, MotionVectorPrepass);
            app.world_mut()
                .entity_mut(camera)
                .insert((Msaa::Off, passes));
        },
    );
    let deferred = picture(
        |app| {
            app.insert_resource(DefaultOpaqueRendererMethod::deferred());
        },
        |app, above| {
            let camera = spawn_camera(app, above);
            let passes = (DepthPrepass, DeferredPrepass);
            app.world_mut()
                .entity_mut(camera)
                .insert((Msaa::Off, passes));
        },
    );
    for (name, picture) in [("prepasses", &with_prepasses), ("deferred", &deferred)] {
        let off = mean_difference(&forward, picture);
        assert!(off < 2.0, "{name} differs by {off} of 255");
    }
    // The G-buffer rounds its values. If both images were equal, deferred rendering would not have been used.
    assert_ne!(forward.as_raw(), deferred.as_raw());
}

#[test]
fn split_screen_shows_the_terrain_in_both_halves() {
    let one = picture(
        |_| {},
        |app, above| {
            spawn_camera(app, above);
        },
    );
    let two = picture(
        |_| {},
        |app, above| {
            for (number, x) in [0, SIZE.x / 2].into_iter().enumerate() {
                let camera = spawn_camera(app, above);
                let viewport = Viewport {
                    physical_position: UVec2::new(x, 0),
                    physical_size: SIZE / UVec2::new(2, 1),
                    ..default()
                };
                let camera_of_half = Camera {
                    order: number as isize,
                    viewport: Some(viewport),
                    ..default()
                };
                app.world_mut().entity_mut(camera).insert(camera_of_half);
            }
        },
    );
    let half = |left: u32| {
        let picture = image::imageops::crop_imm(&two, left, 0, SIZE.x / 2, SIZE.y);
        land_and_sea(&picture.to_image())
    };
    let (west, east) = (half(0), half(SIZE.x / 2));
    let alike = |(a, b): (f32, f32)| (a - b).abs() < 0.03;
    assert!(west.into_iter().zip(east).all(alike), "{west:?}, {east:?}");
    let whole = land_and_sea(&one);
    for (seen, expected) in west.into_iter().zip(whole) {
        assert!((seen - expected).abs() < 0.1, "{west:?}, {whole:?}");
    }
}
