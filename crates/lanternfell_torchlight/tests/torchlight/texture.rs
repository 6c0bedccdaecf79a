//! The image of the light, in an app with a renderer.

use bevy::{prelude::*, render::render_resource::TextureFormat};
use lanternfell_torchlight::prelude::*;

use crate::common::*;

fn image(app: &App, map: Entity) -> (AssetId<Image>, UVec2) {
    let texture = &app.world().get::<LightTexture>(map).expect("a texture").0;
    let image = app
        .world()
        .resource::<Assets<Image>>()
        .get(texture)
        .unwrap();
    assert_eq!(
        image.texture_descriptor.format,
        TextureFormat::Rgba8UnormSrgb
    );
    (texture.id(), image.size())
}

#[test]
fn every_map_has_a_texture_of_its_size() {
    let mut app = drawing_app();
    let maps = [(7, 5), (20, 1)].map(|(w, h)| app.world_mut().spawn(settled(w, h)).id());
    updates(&mut app, 2);
    let images = maps.map(|map| image(&app, map));
    assert_eq!(
        images.map(|image| image.1),
        [UVec2::new(7, 5), UVec2::new(20, 1)]
    );
    assert_ne!(images[0].0, images[1].0);
}

#[test]
fn texture_is_kept_until_the_size_changes() {
    let mut app = drawing_app();
    let map = app.world_mut().spawn(settled(7, 5)).id();
    app.world_mut().spawn((lamp(), LightCell::new(3, 2)));
    app.update();
    let (first, _) = image(&app, map);
    map_mut(&mut app, map).fill(|_| Cell::WALL).unwrap();
    updates(&mut app, 2);
    app.world_mut()
        .entity_mut(map)
        .insert(TorchlightMap::new(grid(7, 5)));
    updates(&mut app, 2);
    assert_eq!(image(&app, map), (first, UVec2::new(7, 5)));
    app.world_mut()
        .entity_mut(map)
        .insert(TorchlightMap::new(grid(8, 5)));
    updates(&mut app, 2);
    let (second, size) = image(&app, map);
    assert_eq!(size, UVec2::new(8, 5));
    assert_ne!(first, second);
    assert_eq!(
        app.world()
            .resource::<Assets<Image>>()
            .get(first)
            .map(Image::size),
        None
    );
}

#[test]
fn map_larger_than_a_texture_works_without_one() {
    let mut app = drawing_app();
    let map = app.world_mut().spawn(settled(7, 5)).id();
    app.update();
    assert!(has::<LightTexture>(&app, map));
    app.world_mut()
        .entity_mut(map)
        .insert(TorchlightMap::new(grid(10_000, 2)));
    let reader = app
        .world_mut()
        .spawn((LightLevel::default(), LightCell::new(9_000, 1)))
        .id();
    app.world_mut().spawn((lamp(), LightCell::new(9_000, 1)));
    updates(&mut app, 2);
    assert!(!has::<LightTexture>(&app, map));
    assert_eq!(level(&app, reader).band, LightBand::Blazing);
}

#[test]
fn no_texture_without_a_renderer() {
    let mut app = app();
    let map = app.world_mut().spawn(settled(7, 5)).id();
    updates(&mut app, 2);
    assert!(!has::<LightTexture>(&app, map));
}
