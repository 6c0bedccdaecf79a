//! Positions on hexagons and diamonds, and how they are rendered.
//!
//! Needs a Vulkan driver; a software driver is enough.

use bevy::prelude::*;
use lanternfell_torchlight::{lightgrid::hexagonal, prelude::*};

use crate::{common::*, drawn::*};

fn hexagons() -> TorchlightMap {
    let settings = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..default()
    };
    let grid = LightGrid::new(9, 7, settings).unwrap();
    TorchlightMap::new(grid).with_cell_size(22.0)
}

fn diamonds() -> TorchlightMap {
    TorchlightMap::new(grid(6, 7))
        .with_cell_size(32.0)
        .with_layout(LightLayout::Diamonds { height: 0.5 })
}

fn here(map: &TorchlightMap, cell: Vec2) -> Vec2 {
    map.position_of(&GlobalTransform::IDENTITY, cell).truncate()
}

/// A position in cell (4, 3), off its center.
const PLACE: Vec2 = Vec2::new(4.2, 2.9);
const CELL: IVec2 = IVec2::new(4, 3);

#[test]
fn positions_belong_to_the_nearest_cell() {
    for light_map in [hexagons(), diamonds()] {
        let place = here(&light_map, PLACE).extend(5.0);
        let mut app = app();
        let map_entity = app.world_mut().spawn((light_map, LightFlow::SETTLED)).id();
        app.world_mut().spawn((lamp(), LightCell::new(2, 2)));
        let at = Transform::from_translation(place);
        let reader = app.world_mut().spawn((LightLevel::default(), at)).id();
        updates(&mut app, 2);
        let light = map(&app, map_entity).grid().light(CELL);
        assert_eq!(level(&app, reader).light, light);
        assert!(light.x > 0.0);
        let blocker = app.world_mut().spawn((LightBlocker::default(), at)).id();
        updates(&mut app, 2);
        assert_eq!(map(&app, map_entity).grid().cell(CELL), Cell::WALL);
        app.world_mut().entity_mut(blocker).despawn();
        // A lamp is brightest in its own cell.
        app.world_mut().spawn((lamp().with_strength(9.0), at));
        updates(&mut app, 2);
        let grid = map(&app, map_entity).grid();
        let brightest =
            cells(grid).max_by(|a, b| grid.luminance(*a).total_cmp(&grid.luminance(*b)));
        assert_eq!(brightest, Some(CELL));
    }
}

#[test]
fn cells_are_drawn_at_their_positions() {
    for light_map in [hexagons(), diamonds()] {
        let (half, frame) = (light_map.extent() / 2.0, light_map.clone());
        let mut scene = Scene::of(light_map);
        scene.display(CELLWISE);
        scene.lamp(LightSource::new(Color::srgb(1.0, 0.7, 0.4)), 1.0, 1.0);
        scene.lamp(LightSource::new(Color::srgb(0.2, 0.4, 0.9)), 4.0, 5.0);
        map_mut(&mut scene.app, scene.map)
            .set_cell(IVec2::new(3, 3), Cell::WALL)
            .unwrap();
        let picture = scene.picture();
        for cell in cells(map(&scene.app, scene.map).grid()) {
            for aside in [
                (0.0, 0.0),
                (0.35, 0.0),
                (-0.35, 0.0),
                (0.0, 0.25),
                (0.1, -0.25),
            ] {
                let place = here(&frame, cell.as_vec2() + Vec2::from(aside));
                let (drawn, expected) = (picture.world(place), scene.shown(cell));
                assert!(
                    far_apart(drawn, expected) <= 3,
                    "{cell} {aside:?}: {drawn:?} {expected:?}"
                );
            }
        }
        // Corners of the quad, and the end of a row that is not shifted.
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        for corner in corners {
            let inside = half * 0.97 * Vec2::from(corner);
            assert_eq!(picture.world(inside), [255; 3], "{corner:?}");
        }
        let first = here(&frame, Vec2::new(0.0, 1.0));
        let row_end = Vec2::new(2.0 - half.x, first.y);
        assert_eq!(picture.world(row_end), [255; 3]);
    }
}

/// Matches the filter of the shader.
#[test]
fn hexagons_blend_without_leaks() {
    let light_map = hexagons();
    let frame = light_map.clone();
    let mut scene = Scene::of(light_map);
    scene.lamp(lamp(), 2.0, 3.0);
    let walls = |cell: IVec2| cell.x == 5;
    map_mut(&mut scene.app, scene.map)
        .fill(|cell| if walls(cell) { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    let picture = scene.picture();
    let grid = map(&scene.app, scene.map).grid();
    for cell in [IVec2::new(2, 2), IVec2::new(3, 3), IVec2::new(2, 4)] {
        // The weight of a neighbor is 1/16.
        let around = hexagonal::steps(cell).map(|step| grid.light(cell + step));
        let sum = grid.light(cell) + around.iter().sum::<Vec3>() / 16.0;
        let expected = on_screen(sum / (1.0 + 6.0 / 16.0));
        let drawn = picture.world(here(&frame, cell.as_vec2()));
        assert!(
            far_apart(drawn, expected) <= 3,
            "{cell}: {drawn:?} {expected:?}"
        );
    }
    let at = |x: f32, y: f32| picture.world(here(&frame, Vec2::new(x, y)))[0];
    assert!(at(4.0, 3.0) > 60 && at(5.0, 3.0) > 40);
    assert_eq!([at(5.7, 3.0), at(6.0, 3.0), at(6.0, 2.0)], [0; 3]);
    // There is no visible step between hexagons.
    let along = (0..40).map(|step| at(2.0 + 0.06 * step as f32, 3.0));
    let along: Vec<u8> = along.collect();
    let largest = along.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max();
    assert!(largest < Some(16), "{along:?}");
}
