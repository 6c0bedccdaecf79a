//! Which cameras render the light, and what is drawn outside of a map.
//!
//! Needs a Vulkan driver; a software driver is enough.

use bevy::{camera::visibility::RenderLayers, prelude::*};
use lanternfell_torchlight::prelude::*;

use crate::{common::*, drawn::*};

const WHITE: [u8; 3] = [255; 3];

#[test]
fn camera_without_the_render_layer_shows_no_light() {
    let mut scene = Scene::of(TorchlightMap::new(grid(20, 12)).with_cell_size(10.0));
    let dark = scene.picture().world(Vec2::ZERO);
    assert_eq!(dark, [0; 3]);
    let map = scene.map;
    let put_on = |scene: &mut Scene, layers: RenderLayers| {
        scene.app.world_mut().entity_mut(map).insert(layers);
        scene.picture().world(Vec2::ZERO)
    };
    assert_eq!(put_on(&mut scene, RenderLayers::layer(1)), WHITE);
    assert_eq!(put_on(&mut scene, RenderLayers::from_layers(&[0, 1])), dark);
    // New quads have the render layers at once.
    scene.display(LightDisplay {
        shown: false,
        ..default()
    });
    assert_eq!(put_on(&mut scene, RenderLayers::layer(1)), WHITE);
    scene.display(LightDisplay::default());
    assert_eq!(scene.picture().world(Vec2::ZERO), WHITE);
    scene
        .app
        .world_mut()
        .entity_mut(map)
        .remove::<RenderLayers>();
    assert_eq!(scene.picture().world(Vec2::ZERO), dark);
}

/// A map with the same light everywhere, and another light outside.
fn lit_map(light_map: TorchlightMap, display: LightDisplay) -> Scene {
    let mut scene = Scene::of(light_map);
    let size = map(&scene.app, scene.map).grid().size().as_ivec2();
    for x in 0..size.x {
        for y in 0..size.y {
            scene.lamp(
                LightSource::new(Color::linear_rgb(0.5, 0.5, 0.5)),
                x as f32,
                y as f32,
            );
        }
    }
    scene.display(display);
    scene
}

#[test]
fn light_outside_blends_smoothly() {
    let squares = TorchlightMap::new(grid(8, 8)).with_cell_size(10.0);
    let hexagonal = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..default()
    };
    let hexagons =
        TorchlightMap::new(LightGrid::new(8, 8, hexagonal).unwrap()).with_cell_size(10.0);
    let diamonds = TorchlightMap::new(grid(6, 6))
        .with_cell_size(10.0)
        .with_layout(LightLayout::Diamonds { height: 0.5 });
    let blue = Vec3::new(0.0, 0.0, 0.8);
    for light_map in [squares, hexagons, diamonds] {
        let half = light_map.extent() / 2.0;
        let place = light_map.extent();
        let display = LightDisplay {
            beyond: Some(Color::linear_rgb(blue.x, blue.y, blue.z)),
            edge: 2.0,
            ..default()
        };
        let mut scene = lit_map(light_map, display);
        let picture = scene.picture();
        // The map's own light reaches its border, and nothing inside changes.
        scene.display(LightDisplay::default());
        let before = scene.picture();
        for x in -7..=7 {
            let at = Vec2::new(x as f32 / 8.0 * half.x, 0.0);
            let apart = far_apart(picture.world(at), before.world(at));
            assert!(apart <= 1, "{place:?}, {at}: {apart}");
        }
        // West of the middle row, pixel by pixel.
        let row: Vec<[u8; 3]> = (0..50)
            .map(|step| picture.world(Vec2::new(-half.x - step as f32, 0.5)))
            .collect();
        let far = on_screen(blue);
        assert!(far_apart(row[40], far) <= 2, "{place:?}: {:?}", row[40]);
        assert!(far_apart(row[0], row[1]) < 24, "{place:?}: {row:?}");
        let steps = row.windows(2).map(|pair| far_apart(pair[0], pair[1]));
        assert!(steps.max() < Some(40), "{place:?}: {row:?}");
        assert!(row[10][0] > 20 && row[10][0] < 180, "{place:?}: {row:?}");
        // The light outside extends to the corners of the sheet.
        for corner in [Vec2::new(-115.0, 75.0), Vec2::new(115.0, -75.0)] {
            assert!(far_apart(picture.world(corner), far) <= 2, "{place:?}");
        }
    }
}

#[test]
fn clamps_invalid_light_outside() {
    for edge in [f32::NAN, -3.0, 0.0, f32::INFINITY] {
        let display = LightDisplay {
            beyond: Some(Color::linear_rgb(f32::NAN, 9.0, 0.0)),
            edge,
            ..default()
        };
        let light_map = TorchlightMap::new(grid(8, 8)).with_cell_size(10.0);
        let mut scene = lit_map(light_map, display);
        let [red, green, _] = scene.picture().world(Vec2::new(-110.0, 0.0));
        // With an infinite edge, the transition never ends.
        let far = edge != f32::INFINITY;
        assert_eq!((red == 0, green == 255), (far, far), "{edge}");
    }
}
