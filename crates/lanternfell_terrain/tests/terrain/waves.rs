//! Waves: queries match what is rendered.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use std::time::{Duration, Instant};

use bevy::{
    camera::ScalingMode, core_pipeline::tonemapping::Tonemapping, ecs::system::RunSystemOnce,
    prelude::*, time::TimeUpdateStrategy,
};
use image::RgbImage;
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::{canvas::*, terrain::*};

/// The width of the view in meters, and the image size in pixels.
const SHOWN: f32 = 1.6;
const PIXELS: u32 = 160;

/// The distance of the test plates from the surface. Rendered vertices may differ from queries by slightly less, so all
/// or none of the plates must be visible.
const OFF: f32 = 0.009;

/// Vertices of the water mesh around a position. In the terrain's local space they are half a meter apart.
fn vertices(place: &Transform, around: Vec2) -> Vec<Vec3> {
    let steps = (-1..=1).flat_map(|x| (-1..=1).map(move |z| Vec2::new(x as f32, z as f32)));
    steps
        .map(|step| around + 0.5 * step)
        .map(|at| place.transform_point(Vec3::new(at.x, 0.0, at.y)))
        .collect()
}

/// The heights of the surface as rendered for this eye.
fn heights(app: &mut App, points: &[Vec3], eye: Vec3) -> Vec<f32> {
    let points = points.to_vec();
    let ask = move |water: WaterQuery| -> Vec<f32> {
        let of = |hit: Option<WaterHit>| hit.expect("the point is on the sea").point.y;
        let drawn: Vec<f32> = points.iter().map(|at| of(water.drawn(*at, eye))).collect();
        let flatter = points.iter().zip(&drawn);
        let flatter = flatter.map(|(at, drawn)| (of(water.hit(*at)) - drawn).abs());
        let flatter = flatter.fold(0.0, f32::max);
        // Far from the eye some waves are not rendered.
        assert_eq!(flatter > 0.02, eye.y > 50.0, "{flatter} at {eye}");
        drawn
    };
    app.world_mut().run_system_once(ask).unwrap()
}

/// Moves small white plates above or below the surface.
fn move_plates(app: &mut App, plates: &[Entity], points: &[Vec3], heights: &[f32], above: f32) {
    for ((plate, point), height) in plates.iter().zip(points).zip(heights) {
        let mut place = app.world_mut().get_mut::<Transform>(*plate).unwrap();
        place.translation = point.with_y(height + above);
    }
}

fn spawn_plates(app: &mut App, count: usize) -> Vec<Entity> {
    let world = app.world_mut();
    let plate = Plane3d::new(Vec3::Y, Vec2::splat(0.02));
    let mesh = world.resource_mut::<Assets<Mesh>>().add(plate);
    let white = StandardMaterial {
        unlit: true,
        ..default()
    };
    let mut materials = world.resource_mut::<Assets<StandardMaterial>>();
    let white = materials.add(white);
    let plate = || (Mesh3d(mesh.clone()), MeshMaterial3d(white.clone()));
    (0..count).map(|_| world.spawn(plate()).id()).collect()
}

/// The number of points that are white in an image.
fn seen(picture: &RgbImage, view: &Transform, points: &[Vec3]) -> usize {
    let pixel = |point: &&Vec3| {
        let at = view.rotation.inverse() * (**point - view.translation);
        let at = Vec2::new(at.x, -at.y) / SHOWN + 0.5;
        let at = (at * PIXELS as f32).as_uvec2();
        picture
            .get_pixel(at.x, at.y)
            .0
            .iter()
            .all(|&part| part > 200)
    };
    points.iter().filter(pixel).count()
}

#[test]
fn vertices_match_queries_within_a_centimeter() {
    let moved = on_the_waves(sunken(SUNKEN_LEVEL, SUNKEN_LEVEL), 40.0);
    assert!(moved > 0.3, "the waves move by {moved}");
    let moved = on_the_waves(sunken(SUNKEN_LEVEL, SUNKEN_LEVEL), 90.0);
    assert!(moved > 0.3, "the waves move by {moved}");
}

#[test]
fn shallow_waves_are_calm_and_match_queries() {
    // About 0.8 m deep in the center.
    let moved = on_the_waves(sunken(1.2, 0.4), 40.0);
    assert!((0.02..0.3).contains(&moved), "the waves move by {moved}");
}

/// Compares queries with rendering from this height, at some vertices and times. Returns how far the water has moved.
fn on_the_waves(sea: (Terrain, Water), eye: f32) -> f32 {
    let mut app = app_that_draws(UVec2::splat(PIXELS), |app| {
        let step = Duration::from_millis(370);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        app.insert_resource(ClearColor(Color::BLACK));
    });
    let place = Transform::from_xyz(900.0, -17.0, 300.0).with_rotation(Quat::from_rotation_y(0.7));
    spawn_ready(&mut app, (sea, place));
    let middle = place.transform_point(Vec3::new(7.0, 0.0, -3.5));
    let points = vertices(&place, Vec2::new(7.0, -3.5));
    let view = Transform::from_translation(middle.with_y(eye)).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let camera = spawn_camera(&mut app, view);
    let lens = OrthographicProjection {
        scaling_mode: ScalingMode::Fixed {
            width: SHOWN,
            height: SHOWN,
        },
        ..OrthographicProjection::default_3d()
    };
    let lens = (Projection::from(lens), Tonemapping::None, Msaa::Off);
    app.world_mut().entity_mut(camera).insert(lens);
    let plates = spawn_plates(&mut app, points.len());

    let mut known = Vec::new();
    for moment in 0..4 {
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        app.update();
        let heights = heights(&mut app, &points, view.translation);
        move_plates(&mut app, &plates, &points, &heights, OFF);
        let start = Instant::now();
        // At first, shaders are still being compiled.
        while seen(&next_picture(&mut app), &view, &points) < points.len() {
            assert!(
                start.elapsed() < PATIENCE,
                "plates above the water are not visible"
            );
        }
        move_plates(&mut app, &plates, &points, &heights, -OFF);
        let mut below = points.len();
        while below > 0 {
            below = seen(&next_picture(&mut app), &view, &points);
            assert!(
                start.elapsed() < PATIENCE,
                "{below} plates are visible through water, at {moment}"
            );
        }
        known.push(heights[0]);
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        (0..5).for_each(|_| app.update());
    }
    let [low, high] = [f32::min, f32::max].map(|of| known.iter().copied().reduce(of).unwrap());
    high - low
}

#[test]
fn queries_return_waves_on_the_sea_only() {
    let mut app = app();
    let land = Terrain::new(hills(65, 65, 1)).with_scale(Scale {
        spacing: 4.0,
        relief: 40.0,
    });
    let entity = spawn_ready(&mut app, land);
    let level = ground(&app, entity).water_level();
    let summit = {
        let ground = ground(&app, entity);
        let cells = (0..65 * 65).map(|cell| (cell % 65, cell / 65));
        let highest = cells
            .max_by(|&(x, y), &(a, b)| ground.map().row(y)[x].total_cmp(&ground.map().row(b)[a]));
        let (x, y) = highest.unwrap();
        Vec3::new(x as f32 - 32.0, 0.0, y as f32 - 32.0) * 4.0
    };
    let ask = move |water: WaterQuery| {
        let far = water
            .hit(Vec3::new(-3000.0, 0.0, 50.0))
            .expect("the sea is wide");
        let none = [water.hit(summit), water.hit(Vec3::X * 21_000.0)];
        let under = [-5.0, 5.0].map(|y| water.is_under(Vec3::new(500.0, level + y, 0.0)));
        (far, none, under)
    };
    let (far, none, under) = app.world_mut().run_system_once(ask).unwrap();
    assert_eq!(none, [None, None]);
    assert_eq!(under, [true, false]);
    assert!(
        (far.point.y - level).abs() <= 1.0 && far.depth > 100.0,
        "{far:?}"
    );
    assert!((far.normal.length() - 1.0).abs() < 1e-4 && far.normal.y > 0.8);
    app.world_mut().entity_mut(entity).remove::<Water>();
    let ask = |water: WaterQuery| water.hit(Vec3::new(-3000.0, 0.0, 50.0));
    assert_eq!(app.world_mut().run_system_once(ask).unwrap(), None);
}

/// Without light, water seen from above only reflects the sky. Its own color is only visible from below.
#[test]
fn far_sides_of_waves_are_not_visible_from_above() {
    let mut app = app_that_draws(UVec2::new(160, 90), |app| {
        app.insert_resource(GlobalAmbientLight::NONE);
    });
    let (land, water) = sunken(SUNKEN_LEVEL, SUNKEN_LEVEL);
    let red = Color::srgb(1.0, 0.0, 0.0);
    let sea = Water {
        shallow: red,
        deep: red,
        waves: Waves {
            height: 3.0,
            ..water.waves
        },
        ..water
    };
    spawn_ready(&mut app, (land, sea));
    let reds = |app: &mut App, eye: Vec3| {
        let view = Transform::from_translation(eye).looking_to(Vec3::new(0.8, 0.0, 0.6), Vec3::Y);
        let camera = spawn_camera(app, view);
        app.world_mut().entity_mut(camera).insert(Msaa::Off);
        let start = Instant::now();
        let picture = loop {
            let picture = next_picture(app);
            if picture
                .pixels()
                .any(|pixel| pixel.0.iter().any(|part| *part > 60))
            {
                break picture;
            }
            assert!(start.elapsed() < PATIENCE, "nothing is rendered");
        };
        app.world_mut().despawn(camera);
        let is_red = |pixel: &&image::Rgb<u8>| pixel.0[0] > pixel.0[2].saturating_add(40);
        picture.pixels().filter(is_red).count()
    };
    for high in [3.0, 4.0, 6.0] {
        assert_eq!(
            reds(&mut app, Vec3::new(0.0, SUNKEN_LEVEL + high, 0.0)),
            0,
            "{high}"
        );
    }
    assert!(reds(&mut app, Vec3::new(0.0, SUNKEN_LEVEL - 6.0, 0.0)) > 1000);
}

/// The sea floor is assumed to fall away toward the border. This must not create water below a coast that is high
/// there.
#[test]
fn no_water_below_a_high_border() {
    let mut app = app();
    spawn_ready(&mut app, sunken(-20.0, 20.0));
    let asked = |app: &mut App, x: f32| {
        let places = (-10..=10).map(move |z| Vec3::new(x, 0.0, z as f32 * 6.39));
        let ask =
            move |water: WaterQuery| places.clone().filter(|&at| water.hit(at).is_some()).count();
        app.world_mut().run_system_once(ask).unwrap()
    };
    for x in [-63.9, -60.0, -50.0, -20.0] {
        assert_eq!(asked(&mut app, x), 0, "{x}");
    }
    for x in [20.0, 50.0, 63.9, -70.0] {
        assert_eq!(asked(&mut app, x), 21, "{x}");
    }
}
