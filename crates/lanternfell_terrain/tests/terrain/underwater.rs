//! Underwater fog is only present while a frame is rendered.
//!
//! Needs a Vulkan driver; a software driver is sufficient.

use std::time::{Duration, Instant};

use bevy::{camera::visibility::RenderLayers, prelude::*, time::TimeUpdateStrategy};
use image::{Rgb, RgbImage, imageops};
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::{canvas::*, terrain::sunken};

const SIZE: UVec2 = UVec2::new(64, 36);

/// The fog that the app's own systems see in a frame, and the fog used for rendering.
#[derive(Resource, Default)]
struct Fogs {
    met: Option<Color>,
    drawn: Option<Color>,
}

fn color(fog: Option<&DistanceFog>) -> Option<Color> {
    fog.map(|fog| fog.color)
}

fn app_with(fog: Option<DistanceFog>) -> (App, Entity) {
    app_over(fog, sunken(6.0, 6.0))
}

fn app_over(fog: Option<DistanceFog>, sea: impl Bundle) -> (App, Entity) {
    let mut app = app_that_draws(SIZE, |app| {
        app.init_resource::<Fogs>()
            .add_systems(
                Update,
                |camera: Single<Option<&DistanceFog>, With<Camera3d>>, mut fogs: ResMut<Fogs>| {
                    fogs.met = color(*camera);
                },
            )
            .add_systems(
                Last,
                |camera: Single<Option<&DistanceFog>, With<Camera3d>>, mut fogs: ResMut<Fogs>| {
                    fogs.drawn = color(*camera);
                },
            );
    });
    let camera = spawn_camera(&mut app, Transform::default());
    if let Some(fog) = fog {
        app.world_mut().entity_mut(camera).insert(fog);
    }
    let light = DirectionalLight::default();
    let above = Transform::default().looking_to(Vec3::new(0.3, -1.0, 0.2), Vec3::X);
    app.world_mut().spawn((light, above));
    app.world_mut().spawn(sea);
    (app, camera)
}

/// The mean color of a screenshot from there, once two have the same, which means that everything is rendered.
fn look(app: &mut App, camera: Entity, place: Transform) -> Rgb<u8> {
    *app.world_mut().get_mut::<Transform>(camera).unwrap() = place;
    let start = Instant::now();
    let mut before: Option<Rgb<u8>> = None;
    loop {
        let picture = next_picture(app);
        let mean = imageops::resize(&picture, 1, 1, imageops::FilterType::Triangle);
        let mean = *mean.get_pixel(0, 0);
        let is_black = picture.pixels().all(|pixel| pixel.0 == [0; 3]);
        let is_like = |before: Rgb<u8>| (0..3).all(|at| before[at].abs_diff(mean[at]) < 3);
        if !is_black && before.is_some_and(is_like) {
            return mean;
        }
        before = Some(mean);
        assert!(start.elapsed() < PATIENCE, "nothing is rendered");
    }
}

fn wait_for_ground(app: &mut App) {
    let start = Instant::now();
    let mut grounds = app.world_mut().query::<&TerrainSurface>();
    while grounds.iter(app.world()).next().is_none() {
        app.update();
        assert!(start.elapsed() < PATIENCE, "the terrain was not generated");
    }
}

fn at(height: f32) -> Transform {
    let eye = Vec3::new(0.0, height, 0.0);
    Transform::from_translation(eye).looking_to(Vec3::new(0.0, -0.2, -1.0), Vec3::Y)
}

fn fogs(app: &App) -> [Option<Color>; 2] {
    let fogs = app.world().resource::<Fogs>();
    [fogs.met, fogs.drawn]
}

#[test]
fn camera_under_water_keeps_its_own_fog() {
    let own = DistanceFog {
        color: Color::srgb(0.9, 0.2, 0.2),
        ..default()
    };
    let red = Some(own.color);
    let (mut app, camera) = app_with(Some(own));
    wait_for_ground(&mut app);
    look(&mut app, camera, at(43.0));
    assert_eq!(fogs(&app), [red, red]);
    let Rgb([r, g, b]) = look(&mut app, camera, at(37.0));
    let [met, drawn] = fogs(&app);
    assert_eq!(met, red);
    assert_ne!(drawn, red);
    let [fog_r, fog_g, _] = drawn.unwrap().to_linear().to_vec3().to_array();
    assert!(fog_g > 2.0 * fog_r, "{drawn:?}");
    assert!(g > r && b > r && g > 30, "{r}, {g}, {b}");
    look(&mut app, camera, at(43.0));
    assert_eq!(fogs(&app), [red, red]);
}

#[test]
fn camera_without_fog_has_none_above_water() {
    let (mut app, camera) = app_with(None);
    wait_for_ground(&mut app);
    look(&mut app, camera, at(37.0));
    let [met, drawn] = fogs(&app);
    assert!(met.is_none() && drawn.is_some());
    look(&mut app, camera, at(43.0));
    assert_eq!(fogs(&app), [None, None]);
    // Clear water has no fog.
    let world = app.world_mut();
    world
        .query::<&mut Water>()
        .single_mut(world)
        .unwrap()
        .visibility = f32::INFINITY;
    look(&mut app, camera, at(37.0));
    assert_eq!(fogs(&app), [None, None]);
}

#[test]
fn camera_that_does_not_render_the_sea_gets_no_fog() {
    let (mut app, camera) = app_with(None);
    app.insert_resource(EveryFrame);
    wait_for_ground(&mut app);
    *app.world_mut().get_mut::<Transform>(camera).unwrap() = at(37.0);
    let elsewhere = RenderLayers::layer(3);
    app.world_mut().entity_mut(camera).insert(elsewhere);
    app.update();
    assert_eq!(fogs(&app), [None, None]);
    app.world_mut().entity_mut(camera).remove::<RenderLayers>();
    app.update();
    assert!(fogs(&app)[1].is_some());
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
    app.update();
    assert_eq!(fogs(&app), [None, None]);
    // A camera may be despawned while it is under water.
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = true;
    app.update();
    app.world_mut().despawn(camera);
    app.update();
}

/// The mean difference of two screenshots of the sea floor some moments apart, from 0 to 255.
fn moved_on_the_bed(quality: LayerQuality) -> f32 {
    let layers = TerrainLayers {
        quality,
        ..default()
    };
    let (land, water) = sunken(2.0, 2.0);
    let still = Water {
        waves: Waves::CALM,
        ..water
    };
    let (mut app, camera) = app_over(None, (land, still, layers));
    let step = Duration::from_millis(350);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    wait_for_ground(&mut app);
    // Half a meter above the floor, looking down.
    let eye = Vec3::new(0.0, 38.5, 0.0);
    let place = Transform::from_translation(eye).looking_to(Vec3::NEG_Y, Vec3::Z);
    *app.world_mut().get_mut::<Transform>(camera).unwrap() = place;
    let before = rest(&mut app);
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    mean_difference(&before, &rest(&mut app))
}

/// A screenshot, once 20 in a row are equal and show more than fog.
fn rest(app: &mut App) -> RgbImage {
    app.world_mut().resource_mut::<Canvas>().pictures.clear();
    let start = Instant::now();
    loop {
        take_picture(app);
        app.update();
        let pictures = &app.world().resource::<Canvas>().pictures;
        if let Some((last, before)) = pictures.split_last()
            && before.len() > 20
            && before.iter().rev().take(20).all(|one| one == last)
            && has_texture(last)
        {
            return last.clone();
        }
        assert!(start.elapsed() < PATIENCE, "the image keeps changing");
    }
}

fn has_texture(picture: &RgbImage) -> bool {
    let greens = picture.pixels().map(|pixel| pixel.0[1]);
    greens.clone().max().unwrap_or(0) - greens.min().unwrap_or(0) > 20
}

#[test]
fn caustics_move_except_at_low_quality() {
    let moved = moved_on_the_bed(LayerQuality::Medium);
    assert!(moved > 3.0, "{moved}");
    assert_eq!(moved_on_the_bed(LayerQuality::Low), 0.0);
}
