//! Objects under water appear at the position given by Snell's law, for cameras with a depth prepass.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use std::time::Instant;

use bevy::{
    core_pipeline::{prepass::DepthPrepass, tonemapping::Tonemapping},
    pbr::ScreenSpaceTransmission,
    prelude::*,
};
use image::RgbImage;
use lanternfell_terrain::{WaterMaterial, prelude::*};

use lanternfell_terrain_test_support::{
    canvas::{EveryFrame, PATIENCE, app_that_draws, next_picture, spawn_camera},
    terrain::*,
};

const SIZE: UVec2 = UVec2::new(160, 90);

/// The height of the sea surface, and its depth, in meters.
const LEVEL: f32 = 40.0;
const DEPTH: f32 = 4.0;

/// The height of the eye above the sea, and the horizontal distance of the object, in meters.
const HIGH: f32 = 5.0;
const FAR: f32 = 9.0;

const INDEX: f32 = 1.333;

/// Clear water over a flat floor, without any light.
fn clear(waves: Waves) -> (Terrain, Water) {
    let (land, water) = sunken(DEPTH, DEPTH);
    let clear = Water {
        attenuation_distance: 1e6,
        reflection: 0.0,
        waves,
        ..water
    };
    (land, clear)
}

fn app() -> App {
    app_that_draws(SIZE, |app| {
        app.insert_resource(GlobalAmbientLight::NONE);
    })
}

/// A camera above the center of the sea that looks at this point.
fn spawn_eye(app: &mut App, target: Vec3, bundle: impl Bundle) -> Entity {
    let eye = Transform::from_xyz(0.0, LEVEL + HIGH, 0.0).looking_at(target, Vec3::Y);
    let camera = spawn_camera(app, eye);
    app.world_mut()
        .entity_mut(camera)
        .insert((Tonemapping::None, bundle));
    camera
}

/// A red emissive box with this size and center.
fn spawn_red(app: &mut App, size: Vec3, middle: Vec3) {
    let world = app.world_mut();
    let mesh = world
        .resource_mut::<Assets<Mesh>>()
        .add(Cuboid::from_size(size));
    let red = StandardMaterial {
        base_color: Color::srgb(1.0, 0.0, 0.0),
        unlit: true,
        ..default()
    };
    let red = world.resource_mut::<Assets<StandardMaterial>>().add(red);
    world.spawn((
        Mesh3d(mesh),
        MeshMaterial3d(red),
        Transform::from_translation(middle),
    ));
}

fn is_red(picture: &RgbImage, x: u32, y: u32) -> bool {
    let [r, g, b] = picture.get_pixel(x, y).0;
    r > 150 && g < 80 && b < 80
}

/// The mean row of all red pixels.
fn red_row(picture: &RgbImage) -> Option<f32> {
    let rows = picture.enumerate_pixels().map(|(x, y, _)| (x, y));
    let rows: Vec<u32> = rows
        .filter(|&(x, y)| is_red(picture, x, y))
        .map(|(_, y)| y)
        .collect();
    let sum: u32 = rows.iter().sum();
    (!rows.is_empty()).then(|| sum as f32 / rows.len() as f32 + 0.5)
}

/// Waits for the first image that meets a condition.
fn wait(app: &mut App, words: &str, is_meant: impl Fn(&RgbImage) -> bool) -> RgbImage {
    let start = Instant::now();
    loop {
        let picture = next_picture(app);
        if is_meant(&picture) {
            return picture;
        }
        assert!(start.elapsed() < PATIENCE, "{words}");
    }
}

/// The horizontal distance from the eye at which light from `along` and `depth` enters the air: the root of Snell's
/// law.
fn enters_at(along: f32, depth: f32) -> f32 {
    let (mut near, mut far) = (0.0, along);
    for _ in 0..60 {
        let x = 0.5 * (near + far);
        let in_air = x / x.hypot(HIGH);
        let rest = along - x;
        let in_water = rest / rest.hypot(depth);
        if in_air < INDEX * in_water {
            near = x;
        } else {
            far = x;
        }
    }
    near
}

/// The image row of a point, given by its horizontal distance and its depth below the eye, if the eye looks at
/// `target`.
fn row(target: Vec2, point: Vec2) -> f32 {
    let angle = |to: Vec2| to.y.atan2(to.x);
    let tangent = (angle(point) - angle(target)).tan();
    let half = 0.5 * SIZE.y as f32;
    half + tangent / (std::f32::consts::PI / 8.0).tan() * half
}

#[test]
fn objects_on_the_floor_follow_snells_law() {
    let mut app = app();
    spawn_ready(&mut app, clear(Waves::CALM));
    let thin = 0.04;
    let under = DEPTH - thin;
    let middle = Vec3::new(0.0, LEVEL - under, -FAR);
    spawn_red(&mut app, Vec3::new(3.0, thin, 1.0), middle);
    let target = Vec2::new(FAR, HIGH + DEPTH);
    let straight = row(target, Vec2::new(FAR, HIGH + under));
    let bent = row(target, Vec2::new(enters_at(FAR, under), HIGH));
    assert!(straight - bent > 6.0, "{straight}, {bent}");
    let on_bed = Vec3::new(0.0, LEVEL - DEPTH, -FAR);
    let is_at = |row: f32| {
        move |picture: &RgbImage| red_row(picture).is_some_and(|at| (at - row).abs() < 0.7)
    };
    let camera = spawn_eye(&mut app, on_bed, ());
    wait(&mut app, "straight on, without depth", is_at(straight));
    app.world_mut().entity_mut(camera).insert(DepthPrepass);
    wait(&mut app, "bent", is_at(bent));
    app.world_mut().entity_mut(camera).insert(Msaa::Off);
    wait(&mut app, "bent, one sample a pixel", is_at(bent));
    app.world_mut().entity_mut(camera).remove::<DepthPrepass>();
    wait(&mut app, "straight on again", is_at(straight));
}

#[test]
fn objects_in_front_of_the_water_are_not_refracted() {
    let mut app = app();
    let waves = Waves {
        height: 1.0,
        whitecaps: 0.0,
        ..default()
    };
    spawn_ready(&mut app, clear(waves));
    // A post in the air, which covers a part of the sea.
    spawn_red(
        &mut app,
        Vec3::new(0.3, 1.2, 0.3),
        Vec3::new(0.0, LEVEL + 3.6, -4.0),
    );
    let camera = spawn_eye(&mut app, Vec3::new(0.0, LEVEL, -FAR), Msaa::Off);
    let reds = |picture: &RgbImage| {
        let places = picture.enumerate_pixels().map(|(x, y, _)| (x, y));
        let reds: Vec<_> = places.filter(|&(x, y)| is_red(picture, x, y)).collect();
        reds
    };
    let alone = wait(&mut app, "the post", |picture| reds(picture).len() > 50);
    app.world_mut().entity_mut(camera).insert(DepthPrepass);
    wait(&mut app, "the post again", |picture| {
        reds(picture).len() > 50
    });
    for _ in 0..12 {
        let picture = next_picture(&mut app);
        assert_eq!(reds(&picture), reds(&alone));
    }
    assert!(refracts(&mut app));
}

#[test]
fn absorption_depends_on_the_water_above_an_object() {
    let mut app = app();
    let (land, water) = clear(Waves::CALM);
    let murky = Water {
        attenuation_distance: 1.0,
        ..water
    };
    spawn_ready(&mut app, (land, murky));
    let slab = Vec3::new(40.0, 0.05, 40.0);
    spawn_red(&mut app, slab, Vec3::new(0.0, LEVEL - 0.3, -FAR));
    let camera = spawn_eye(&mut app, Vec3::new(0.0, LEVEL, -FAR), DepthPrepass);
    let red = |picture: &RgbImage| picture.get_pixel(SIZE.x / 2, SIZE.y / 2).0[0];
    // About a third of the light is absorbed, on a linear scale.
    wait(&mut app, "some of the water", |picture| {
        (180..250).contains(&red(picture))
    });
    app.world_mut().entity_mut(camera).remove::<DepthPrepass>();
    // As through 4 m of water, of which at most 1/50 remains.
    wait(&mut app, "all of the water", |picture| red(picture) < 60);
}

/// Whether the only sea reads the scene behind it.
fn refracts(app: &mut App) -> bool {
    let mut seas = app.world_mut().query::<&MeshMaterial3d<WaterMaterial>>();
    let sea = seas.single(app.world()).unwrap().0.clone();
    let materials = app.world().resource::<Assets<WaterMaterial>>();
    let mode = materials.get(&sea).unwrap().base.alpha_mode;
    assert!(matches!(mode, AlphaMode::Opaque | AlphaMode::Blend));
    mode == AlphaMode::Opaque
}

#[test]
fn refraction_needs_the_setting_and_suitable_cameras() {
    let mut app = app();
    app.insert_resource(EveryFrame);
    let sea = spawn_ready(&mut app, clear(Waves::CALM));
    let first = spawn_eye(&mut app, Vec3::new(0.0, LEVEL, -FAR), ());
    let now = |app: &mut App| {
        app.update();
        refracts(app)
    };
    assert!(!now(&mut app));
    app.world_mut().entity_mut(first).insert(DepthPrepass);
    assert!(now(&mut app));
    // Other changes of the water do not disable refraction.
    app.world_mut().get_mut::<Water>(sea).unwrap().ripples = 0.5;
    assert!(now(&mut app));
    app.world_mut().get_mut::<Water>(sea).unwrap().refraction = false;
    assert!(!now(&mut app));
    app.world_mut().get_mut::<Water>(sea).unwrap().refraction = true;
    assert!(now(&mut app));
    let none = ScreenSpaceTransmission {
        steps: 0,
        ..default()
    };
    let second = spawn_eye(&mut app, Vec3::new(0.0, LEVEL, -FAR), none);
    assert!(!now(&mut app));
    app.world_mut().get_mut::<Camera>(second).unwrap().is_active = false;
    assert!(now(&mut app));
}
