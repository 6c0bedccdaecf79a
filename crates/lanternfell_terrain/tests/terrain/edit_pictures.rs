//! An edited terrain looks like one that is generated with the same edits, although only parts of its textures and meshes
//! were written.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use image::RgbImage;
use lanternfell_terrain::{
    LayerTextures,
    edits::{Brush, Falloff, Stroke},
    prelude::*,
};

use lanternfell_terrain_test_support::{
    canvas::{app_that_draws, mean_difference, next_picture, spawn_camera},
    terrain::*,
};

/// An app with a lit terrain that waits for everything to be drawn, and the terrain's entity.
fn shown(edits: TerrainEdits) -> (App, Entity) {
    let mut app = app_that_draws(UVec2::new(320, 180), |app| {
        // Nothing moves.
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    });
    let eye =
        Transform::from_xyz(-40.0, 60.0, 110.0).looking_at(Vec3::new(0.0, 5.0, 20.0), Vec3::Y);
    spawn_camera(&mut app, eye);
    let sun = Transform::default().looking_to(Vec3::new(0.5, -0.8, -0.3), Vec3::Y);
    app.world_mut().spawn((DirectionalLight::default(), sun));
    let scale = Scale {
        spacing: 1.0,
        relief: 25.0,
    };
    let water = Water {
        level: Some(0.1),
        ripples: 0.0,
        waves: Waves::CALM,
        ..default()
    };
    let terrain = Terrain::new(hills(257, 257, 2)).with_scale(scale);
    let entity = spawn_ready(&mut app, (terrain, water, edits));
    update_until(&mut app, |app| {
        app.world().resource::<LayerTextures>().are_ready()
    });
    wait_until_settled(&mut app);
    (app, entity)
}

/// A picture of the terrain, once shaders have been compiled and nothing changes any more.
fn picture(app: &mut App) -> RgbImage {
    let mut before = next_picture(app);
    loop {
        let now = next_picture(app);
        let is_blank = now.pixels().all(|pixel| pixel == now.get_pixel(0, 0));
        if !is_blank && now == before {
            return now;
        }
        before = now;
    }
}

fn largest_difference(a: &RgbImage, b: &RgbImage) -> u8 {
    let pairs = a.as_raw().iter().zip(b.as_raw());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

#[test]
fn edited_terrain_looks_like_a_fresh_one() {
    let along = |brush, radius: i64, [x0, z0]: [i64; 2], [x1, z1]: [i64; 2]| {
        let points = [[256 * x0, 256 * z0], [256 * x1, 256 * z1]];
        let stroke = Stroke::along(brush, 256 * radius as u32, points);
        Stroke {
            falloff: Falloff::Constant,
            ..stroke
        }
    };
    // Steep walls of other layers, an inlet of the sea, and a hole.
    let strokes = [
        along(
            Brush::Flatten { mm: Some(14_000) },
            7,
            [120, 150],
            [150, 170],
        ),
        along(Brush::Flatten { mm: Some(500) }, 6, [90, 128], [120, 215]),
        along(Brush::Hole, 4, [160, 190], [160, 190]),
    ];
    let (mut app, entity) = shown(TerrainEdits::default());
    let before = picture(&mut app);
    for stroke in strokes.clone() {
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(entity).unwrap();
        edits.stroke(1, stroke).unwrap();
        wait_until_ready(&mut app);
    }
    wait_until_settled(&mut app);
    let after = picture(&mut app);
    assert!(mean_difference(&before, &after) > 1.0);

    let mut edits = TerrainEdits::default();
    for stroke in strokes {
        edits.stroke(1, stroke).unwrap();
    }
    let fresh = picture(&mut shown(edits).0);
    let difference = (
        mean_difference(&after, &fresh),
        largest_difference(&after, &fresh),
    );
    assert!(difference.0 < 0.01 && difference.1 <= 2, "{difference:?}");

    // Undo shows the old ground again.
    for _ in 0..3 {
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(entity).unwrap();
        edits.undo(1).unwrap();
        wait_until_ready(&mut app);
    }
    wait_until_settled(&mut app);
    let undone = picture(&mut app);
    assert_eq!(mean_difference(&before, &undone), 0.0);
}
