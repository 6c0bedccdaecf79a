//! Orthographic cameras, for which the distance of a plant does not change its size on the screen.
//!
//! Reported: from far away all plants were gone, although they were large on the screen.

use bevy::{camera::ScalingMode, prelude::*};
use image::{Rgb, RgbImage};

use crate::vegetation::{app_with_plants, forest, land, wait_until_grown};
use lanternfell_terrain::Water;
use lanternfell_terrain_test_support::{canvas::*, terrain::*};
use lanternfell_vegetation::Vegetation;

/// A camera that shows `height` meters around the origin, from a distance in a direction.
fn look_from(app: &mut App, camera: Entity, direction: Vec3, distance: f32, height: f32) {
    let place = Transform::from_translation(direction.normalize() * distance);
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::FixedVertical {
            viewport_height: height,
        },
        far: 10_000.0,
        ..OrthographicProjection::default_3d()
    };
    app.world_mut().entity_mut(camera).insert((
        place.looking_at(Vec3::ZERO, Vec3::X),
        Projection::Orthographic(projection),
    ));
}

/// Takes pictures until they no longer change and are not empty.
fn settled_picture(app: &mut App) -> RgbImage {
    let mut last = next_picture(app);
    for _ in 0..100 {
        let picture = next_picture(app);
        let is_empty = picture
            .pixels()
            .all(|pixel| pixel == picture.get_pixel(0, 0));
        if picture == last && !is_empty {
            return picture;
        }
        last = picture;
    }
    panic!("the picture changes all the time, or is empty");
}

fn grown_picture(app: &mut App, terrain: Entity) -> RgbImage {
    for _ in 0..4 {
        app.update();
    }
    wait_until_grown(app, terrain);
    settled_picture(app)
}

#[test]
fn plants_do_not_depend_on_the_distance_of_the_camera() {
    let mut app = app_with_plants();
    app.world_mut().spawn((
        DirectionalLight::default(),
        Transform::from_xyz(1.0, 3.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let camera = spawn_eye(&mut app, Vec3::new(0.0, 90.0, 1.0));
    let terrain = spawn_ready(&mut app, (land(1), forest(3)));
    // Waves would change the pictures.
    app.world_mut().entity_mut(terrain).remove::<Water>();
    app.world_mut()
        .resource_mut::<lanternfell_vegetation::Wind>()
        .speed = 0.0;
    for direction in [Vec3::new(0.0, 1.0, 0.001), Vec3::new(0.3, 0.5, 1.0)] {
        let picture = |app: &mut App, distance| {
            look_from(app, camera, direction, distance, 60.0);
            grown_picture(app, terrain)
        };
        let grown = [200.0, 5000.0].map(|distance| picture(&mut app, distance));
        let plants = app.world_mut().entity_mut(terrain).take::<Vegetation>();
        let bare = [200.0, 5000.0].map(|distance| {
            look_from(&mut app, camera, direction, distance, 60.0);
            settled_picture(&mut app)
        });
        let covered = mean_difference(&grown[1], &bare[1]);
        assert!(covered > 8.0, "{direction}: {covered}");
        // The terrain has fewer details from afar, so only pixels with plants are compared.
        let [near, far] = [0, 1].map(|index| plants_only(&grown[index], &bare[index]));
        let pixels = || near.iter().zip(&far);
        let of_any = pixels().filter(|(near, far)| near.is_some() || far.is_some());
        let of_one = pixels().filter(|(near, far)| near.is_some() != far.is_some());
        let (count, lost) = (of_any.count(), of_one.count());
        assert!(20 * lost < count, "{direction}: {lost} of {count} pixels");
        let differences = pixels().filter_map(|(near, far)| Some(apart((*near)?, (*far)?)));
        let difference = differences.sum::<f32>() / count as f32;
        assert!(difference < 2.0, "{direction}: {difference}");
        app.world_mut().entity_mut(terrain).insert(plants.unwrap());
    }
}

/// Returns the pixels that differ clearly from those without plants.
fn plants_only(grown: &RgbImage, bare: &RgbImage) -> Vec<Option<Rgb<u8>>> {
    let pixels = grown.pixels().zip(bare.pixels());
    pixels
        .map(|(grown, bare)| (apart(*grown, *bare) > 12.0).then_some(*grown))
        .collect()
}

/// Returns the mean difference of the channels of two pixels.
fn apart(a: Rgb<u8>, b: Rgb<u8>) -> f32 {
    let channels = a.0.into_iter().zip(b.0);
    channels.map(|(a, b)| f32::from(a.abs_diff(b))).sum::<f32>() / 3.0
}
