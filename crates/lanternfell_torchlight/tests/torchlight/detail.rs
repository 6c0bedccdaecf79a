//! The light at the resolution of `SoftShadows`, as rendered.
//!
//! Needs a Vulkan driver; a software driver is enough.

use std::time::Duration;

use bevy::prelude::*;
use lanternfell_torchlight::{
    lightgrid::{Disc, HighResLamp, HighResLight},
    prelude::*,
};

use crate::{common::*, drawn::*};

const FINER: u32 = 2;

/// A scene with a pillar, two lamps and a figure.
struct Detailed {
    scene: Scene,
    lamp: Entity,
    figure: Entity,
}

impl Detailed {
    fn new() -> Self {
        let mut light_map = TorchlightMap::new(grid(20, 12)).with_cell_size(10.0);
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
            .insert(SoftShadows {
                subdivisions: FINER,
                direct: 0.75,
                ..default()
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

    /// The image after the background work has arrived.
    fn picture(&mut self) -> Picture {
        for _ in 0..40 {
            self.scene.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
        self.scene.picture()
    }

    /// The light that the library computes for the same map, filtered as in the shader, at the center of a texel.
    fn expected(&self) -> impl Fn(UVec2) -> [u8; 3] {
        let world = self.scene.app.world();
        let grid = map(&self.scene.app, self.scene.map).grid();
        let mut fine = HighResLight::new(grid, FINER, 0.75).unwrap();
        fine.copy_light_from(grid, UVec2::ZERO, grid.size());
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
        let lamps = grid.sources().iter().map(|&source| HighResLamp {
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

    /// Checks that the screen shows the light of the library.
    fn check(&mut self, what: &str) {
        let picture = self.picture();
        let expected = self.expected();
        for y in 0..12 * FINER {
            for x in 0..20 * FINER {
                let place =
                    (Vec2::new(x as f32, y as f32) + 0.5) / FINER as f32 - Vec2::new(10.0, 6.0);
                let drawn = picture.world(place * Vec2::new(10.0, -10.0));
                let expected = expected(UVec2::new(x, y));
                // One code of the texture is up to three codes of the screen where light is near 1.
                let apart = far_apart(drawn, expected);
                assert!(apart <= 4, "{what}, at {x}, {y}: {drawn:?} {expected:?}");
            }
        }
    }
}

#[test]
fn screen_matches_high_resolution_light() {
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
    detailed.check("a wall was built");
    detailed.put(of, LightTiming::WithinBudget);
    detailed.put(lamp, LightCell(Vec2::new(5.0, 9.0)));
    detailed.check("within a budget");
    detailed
        .scene
        .app
        .world_mut()
        .entity_mut(figure)
        .remove::<ShadowCaster>();
    detailed.check("the figure casts no shadow anymore");
    detailed.put(of, TorchlightMap::new(grid(20, 12)).with_cell_size(10.0));
    detailed.check("another map of the same size");
}

#[test]
fn soft_shadows_do_not_affect_rules() {
    let mut detailed = Detailed::new();
    let of = detailed.scene.map;
    let with = detailed.picture();
    let light = bits(&detailed.scene.app, of);
    detailed
        .scene
        .app
        .world_mut()
        .entity_mut(of)
        .remove::<SoftShadows>();
    let without = detailed.picture();
    assert!(!has::<DetailTexture>(&detailed.scene.app, of));
    assert_eq!(bits(&detailed.scene.app, of), light);
    // Light flows behind the pillar, but no straight light gets there.
    let behind = Vec2::new(2.0, -0.5) * 10.0;
    assert!(with.world(behind)[0] + 20 < without.world(behind)[0]);
    let mut plain = Detailed::new();
    let plain_map = plain.scene.map;
    plain
        .scene
        .app
        .world_mut()
        .entity_mut(plain_map)
        .remove::<SoftShadows>();
    assert_eq!(plain.picture().difference(&without), None);
    assert_eq!(bits(&plain.scene.app, plain_map), light);
}

/// The red light next to the lamp, and the fraction of it behind the pillar.
fn left_behind_the_pillar(detailed: &mut Detailed) -> f32 {
    let picture = detailed.picture();
    let lit = picture.world(Vec2::new(-10.0, -6.0))[0];
    assert!(lit > 40, "{lit}");
    f32::from(picture.world(Vec2::new(20.0, -5.0))[0]) / f32::from(lit)
}

#[test]
fn other_sizes_and_hexagons_are_drawn() {
    let mut detailed = Detailed::new();
    let of = detailed.scene.map;
    let put_map = |detailed: &mut Detailed, grid: LightGrid| {
        let mut light_map = TorchlightMap::new(grid).with_cell_size(10.0);
        light_map.set_cell(IVec2::new(10, 6), Cell::WALL).unwrap();
        detailed.put(of, light_map);
    };
    let with = left_behind_the_pillar(&mut detailed);
    put_map(&mut detailed, grid(20, 14));
    left_behind_the_pillar(&mut detailed);
    put_map(&mut detailed, grid(20, 12));
    let again = left_behind_the_pillar(&mut detailed);
    detailed
        .scene
        .app
        .world_mut()
        .entity_mut(of)
        .remove::<SoftShadows>();
    let without = left_behind_the_pillar(&mut detailed);
    let close = |left: f32| (left - with).abs() < 0.1;
    assert!(
        with < 0.7 * without && close(again),
        "{with} {again} {without}"
    );
    for (subdivisions, direct) in [(0, 0.75), (u32::MAX, f32::NAN)] {
        let detail = SoftShadows {
            subdivisions,
            direct,
            ..default()
        };
        detailed.put(of, detail);
        let left = left_behind_the_pillar(&mut detailed);
        assert!(close(left), "{subdivisions} {direct}: {left}, not {with}");
        assert!(has::<DetailTexture>(&detailed.scene.app, of));
    }
    let hexagonal = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..default()
    };
    put_map(&mut detailed, LightGrid::new(20, 12, hexagonal).unwrap());
    left_behind_the_pillar(&mut detailed);
    assert!(!has::<DetailTexture>(&detailed.scene.app, of));
}

#[test]
fn without_budget_the_whole_map_is_shown_eventually() {
    let pillar = IVec2::new(80, 20);
    let light_map = || {
        let mut light_map = TorchlightMap::new(grid(100, 40)).with_cell_size(2.0);
        light_map.set_cell(pillar, Cell::WALL).unwrap();
        light_map
    };
    let mut scene = Scene::of(light_map());
    let world = scene.app.world_mut();
    world.insert_resource(LightBudget(Duration::ZERO));
    let within = (SoftShadows::default(), LightTiming::WithinBudget);
    world.entity_mut(scene.map).insert(within);
    for n in 0..12 {
        let place = LightCell::new(3 * n as i32, 3 * n as i32);
        world.spawn((LightSource::default(), Flicker::torch(n), place));
    }
    scene.lamp(LightSource::new(Color::WHITE), 76.0, 20.0);
    // The light behind the pillar, once `is_right` accepts it, or after 300 frames.
    let behind = |scene: &mut Scene, is_right: &mut dyn FnMut(u8) -> bool| {
        let mut light = 0;
        for _ in 0..30 {
            for _ in 0..10 {
                scene.app.update();
                std::thread::sleep(Duration::from_millis(1));
            }
            light = scene.picture().world(Vec2::new(84.0 - 49.5, -0.5) * 2.0)[0];
            if is_right(light) {
                break;
            }
        }
        light
    };
    // At first nothing is lit. The light has arrived when it stays the same for a while.
    let mut last = (0, 0);
    let shaded = behind(&mut scene, &mut |light| {
        last = (light, if light == last.0 { last.1 + 1 } else { 0 });
        light > 0 && last.1 >= 6
    });
    let set = |scene: &mut Scene, cell: Cell| {
        map_mut(&mut scene.app, scene.map)
            .set_cell(pillar, cell)
            .unwrap();
    };
    // Changes far in the east become visible while lights flicker in the west.
    set(&mut scene, Cell::OPEN);
    let open = behind(&mut scene, &mut |light| light > shaded + 30);
    assert!(open > shaded + 30, "{shaded} {open}");
    set(&mut scene, Cell::WALL);
    let again = behind(&mut scene, &mut |light| light < shaded + 4);
    assert!(again < shaded + 4, "{shaded} {again}");
    scene
        .app
        .world_mut()
        .entity_mut(scene.map)
        .remove::<SoftShadows>();
    let coarse = behind(&mut scene, &mut |light| light > shaded + 10);
    assert!(
        coarse > shaded + 10,
        "the shadow must have come from `SoftShadows`: {shaded} {coarse}"
    );
}
