//! The light in finer cells, as it is seen.
//!
//! Needs a Vulkan driver; a software one is enough.

use std::time::Duration;

use bevy::prelude::*;
use lanternfell::{
    lightgrid::{Disc, FineLamp, FineLight},
    prelude::*,
};

use crate::{common::*, drawn::*};

const FINER: u32 = 2;

/// A scene with a pillar, two lamps, and a figure.
struct Detailed {
    scene: Scene,
    lamp: Entity,
    figure: Entity,
}

impl Detailed {
    fn new() -> Self {
        let mut light_map = LightMap::new(grid(20, 12)).with_cell_size(10.0);
        light_map.set_cell(IVec2::new(10, 6), Cell::WALL).unwrap();
        light_map
            .set_cell(IVec2::new(4, 8), Cell::glass(Vec3::new(0.9, 0.2, 0.2)))
            .unwrap();
        let mut scene = Scene::of(light_map);
        let lamp = scene.lamp(
            LightSource::new(Color::linear_rgb(0.9, 0.7, 0.4)).with_radius(0.5),
            6.3,
            5.8,
        );
        scene.lamp(
            LightSource::new(Color::linear_rgb(0.1, 0.2, 0.5)),
            16.0,
            3.0,
        );
        let figure = (ShadowCaster { radius: 0.6 }, LightCell::new(15, 6));
        let figure = scene.app.world_mut().spawn(figure).id();
        scene
            .app
            .world_mut()
            .entity_mut(scene.map)
            .insert(LightDetail {
                finer: FINER,
                direct: 0.75,
            });
        Self {
            scene,
            lamp,
            figure,
        }
    }

    fn put<B: Bundle>(&mut self, on: Entity, what: B) {
        self.scene.app.world_mut().entity_mut(on).insert(what);
    }

    /// When what is in the background has come.
    fn picture(&mut self) -> Picture {
        for _ in 0..40 {
            self.scene.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
        self.scene.picture()
    }

    /// What the library says of the same map, as the shader lays it through fine cells, in the middle of one.
    fn expected(&self) -> impl Fn(UVec2) -> [u8; 3] {
        let world = self.scene.app.world();
        let grid = map(&self.scene.app, self.scene.map).grid();
        let mut fine = FineLight::new(grid, FINER, 0.75).unwrap();
        fine.take_light(grid, UVec2::ZERO, grid.size());
        let radius = |at: Vec2| {
            let mine = world
                .get::<LightCell>(self.lamp)
                .is_some_and(|lamp| lamp.0 == at);
            if mine {
                0.5
            } else {
                LightSource::default().radius
            }
        };
        let lamps = grid.sources().iter().map(|&source| FineLamp {
            source,
            radius: radius(source.at),
        });
        fine.set_lamps(&lamps.collect::<Vec<_>>()).unwrap();
        let at = world.get::<LightCell>(self.figure);
        let radius = world
            .get::<ShadowCaster>(self.figure)
            .map(|caster| caster.radius);
        let discs: Vec<_> = at
            .zip(radius)
            .map(|(at, radius)| Disc { at: at.0, radius })
            .into_iter()
            .collect();
        fine.set_discs(&discs).unwrap();
        while fine.work() {}
        let size = fine.size();
        let mut all = Vec::new();
        fine.paint(UVec2::ZERO, size, |light, open| all.push((light, open)));
        move |cell| {
            let own = all[(cell.y * size.x + cell.x) as usize];
            let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
            for (y, down) in [(-1, 0.125), (0, 0.75), (1, 0.125)] {
                for (x, across) in [(-1, 0.125), (0, 0.75), (1, 0.125)] {
                    let at = (cell.as_ivec2() + IVec2::new(x, y))
                        .clamp(IVec2::ZERO, size.as_ivec2() - 1);
                    let (light, open) = all[(at.y * size.x as i32 + at.x) as usize];
                    if open == own.1 {
                        sum += light * across * down;
                        weights += across * down;
                    }
                }
            }
            on_screen(sum / weights)
        }
    }

    /// Fails unless the screen shows what the library says.
    fn check(&mut self, what: &str) {
        let picture = self.picture();
        let expected = self.expected();
        for y in 0..12 * FINER {
            for x in 0..20 * FINER {
                let place =
                    (Vec2::new(x as f32, y as f32) + 0.5) / FINER as f32 - Vec2::new(10.0, 6.0);
                let drawn = picture.world(place * Vec2::new(10.0, -10.0));
                let expected = expected(UVec2::new(x, y));
                // A code of the texture is up to three of the screen where light is near 1.
                let apart = far_apart(drawn, expected);
                assert!(apart <= 4, "{what}, at {x}, {y}: {drawn:?} {expected:?}");
            }
        }
    }
}

#[test]
fn the_screen_shows_fine_cells_and_what_changes_in_them() {
    let mut detailed = Detailed::new();
    detailed.check("at first");
    let lamp = detailed.lamp;
    detailed.put(lamp, LightCell(Vec2::new(7.1, 4.4)));
    detailed.check("a lamp has moved");
    let figure = detailed.figure;
    detailed.put(figure, LightCell::new(9, 4));
    detailed.check("a figure has moved");
    detailed.put(figure, ShadowCaster { radius: 1.2 });
    detailed.check("it has grown");
    let of = detailed.scene.map;
    for x in 3..9 {
        map_mut(&mut detailed.scene.app, of)
            .set_cell(IVec2::new(x, 3), Cell::WALL)
            .unwrap();
    }
    detailed.check("a wall stands");
    detailed.put(of, LightTiming::WithinBudget);
    detailed.put(lamp, LightCell(Vec2::new(5.0, 9.0)));
    detailed.check("within a budget");
    detailed
        .scene
        .app
        .world_mut()
        .entity_mut(figure)
        .remove::<ShadowCaster>();
    detailed.check("the figure casts no shadow any more");
    detailed.put(of, LightMap::new(grid(20, 12)).with_cell_size(10.0));
    detailed.check("another map of the same size");
}

#[test]
fn rules_know_nothing_of_it_and_without_it_all_is_as_before() {
    let mut detailed = Detailed::new();
    let of = detailed.scene.map;
    let with = detailed.picture();
    let light = bits(&detailed.scene.app, of);
    detailed
        .scene
        .app
        .world_mut()
        .entity_mut(of)
        .remove::<LightDetail>();
    let without = detailed.picture();
    assert!(!has::<DetailTexture>(&detailed.scene.app, of));
    assert_eq!(bits(&detailed.scene.app, of), light);
    // Behind the pillar light flows, but none comes straight.
    let behind = Vec2::new(2.0, -0.5) * 10.0;
    assert!(with.world(behind)[0] + 20 < without.world(behind)[0]);
    let mut plain = Detailed::new();
    let plain_map = plain.scene.map;
    plain
        .scene
        .app
        .world_mut()
        .entity_mut(plain_map)
        .remove::<LightDetail>();
    assert_eq!(
        bits(&plain.scene.app, plain_map),
        bits(&plain.scene.app, plain_map)
    );
    assert_eq!(plain.picture().difference(&without), None);
}

#[test]
fn a_map_of_another_size_and_hexagons_are_drawn_all_the_same() {
    let mut detailed = Detailed::new();
    let of = detailed.scene.map;
    let lit = |detailed: &mut Detailed| {
        let picture = detailed.picture();
        picture.world(Vec2::new(-30.0, 0.0))[0] > 40
    };
    assert!(lit(&mut detailed));
    detailed.put(of, LightMap::new(grid(14, 12)).with_cell_size(10.0));
    assert!(lit(&mut detailed));
    let hexagonal = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..default()
    };
    let hexagons = LightMap::new(LightGrid::new(14, 12, hexagonal).unwrap()).with_cell_size(10.0);
    detailed.put(of, hexagons);
    assert!(lit(&mut detailed));
    assert!(!has::<DetailTexture>(&detailed.scene.app, of));
    for (finer, direct) in [(0, f32::NAN), (u32::MAX, -1.0), (8, 7.0)] {
        detailed.put(of, LightMap::new(grid(20, 12)).with_cell_size(10.0));
        detailed.put(of, LightDetail { finer, direct });
        assert!(lit(&mut detailed), "{finer} {direct}");
        assert!(has::<DetailTexture>(&detailed.scene.app, of));
    }
}
