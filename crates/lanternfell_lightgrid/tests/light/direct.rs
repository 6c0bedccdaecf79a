//! Light in straight lines: as bright as flowing light, but with crisp shadows.

use crate::common::{
    SceneRng, apart, draw, lamp, lights, places,
    report::{Case, assert_same_light},
    scenes::{any_change, any_grid_of, any_settings},
    unlit_copy,
};
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3, hexagonal,
};

/// A radius of 12 cells with this share of straight light.
fn sharing(direct: f32) -> LightSettings {
    LightSettings {
        direct,
        ..LightSettings::default()
    }
}

/// A room with lamps and only straight light.
fn lit(picture: &[&str], lamps: &[Source]) -> LightGrid {
    let (width, height) = (picture[0].len() as u32, picture.len() as u32);
    let mut grid = LightGrid::new(width, height, sharing(1.0)).unwrap();
    draw(&mut grid, Cell::WALL, picture);
    grid.set_sources(lamps).unwrap();
    grid.step(1);
    grid
}

const PILLAR: [&str; 9] = [
    "#####################",
    "#...................#",
    "#...................#",
    "#...................#",
    "#.......#...........#",
    "#...................#",
    "#...................#",
    "#...................#",
    "#####################",
];

/// Gray open ground with a lamp in the center: flowing light and straight light.
fn flowing_and_straight(
    neighborhood: Neighborhood,
    radius: f32,
    off: Vec2,
) -> (i32, [LightGrid; 2]) {
    let half = (2.0 * radius) as i32 + 8;
    let lit = |direct| {
        let settings = LightSettings {
            neighborhood,
            falloff: Falloff::Radius(radius),
            direct,
        };
        let side = 2 * half as u32 + 1;
        let mut grid = LightGrid::gray(side, side, settings).unwrap();
        let at = Vec2::splat(half as f32) + off;
        grid.set_sources(&[Source::at(at, Vec3::ONE)]).unwrap();
        grid.settle(1e-6);
        grid
    };
    (half, [lit(0.0), lit(1.0)])
}

/// The range of the difference between straight and flowing light, relative to the strength of the
/// lamp, for each neighborhood.
const BRIGHTER: [(f32, f32); 4] = [
    (-0.002, 0.065),
    (-0.03, 0.002),
    (-0.002, 0.032),
    (-0.002, 0.023),
];

/// The vector from the center to a cell in the plane, and whether it is along an axis.
fn way(neighborhood: Neighborhood, half: i32, cell: IVec2) -> (Vec2, bool) {
    let (middle, steps) = (IVec2::splat(half), cell - IVec2::splat(half));
    let way = neighborhood.to_plane(cell.as_vec2()) - neighborhood.to_plane(middle.as_vec2());
    let is_on_axis = if neighborhood == Neighborhood::Hexagonal {
        let away = hexagonal::distance(cell, middle) as f32;
        (way.length() - away).abs() < 1e-3
    } else {
        steps.x == 0 || steps.y == 0
    };
    (way, is_on_axis)
}

#[test]
fn straight_light_nearly_equals_flowing_light_on_open_ground() {
    for (neighborhood, (least, most)) in Neighborhood::ALL.into_iter().zip(BRIGHTER) {
        for radius in [1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 24.0, 48.0] {
            let (half, [flowing, straight]) =
                flowing_and_straight(neighborhood, radius, Vec2::ZERO);
            for cell in places(&flowing) {
                let (away, is_on_axis) = way(neighborhood, half, cell);
                if away.length() > 1.5 * radius + 2.0 {
                    continue;
                }
                let brighter = straight.light(cell).x - flowing.light(cell).x;
                let (least, most) = if is_on_axis {
                    (-0.002, 0.002)
                } else {
                    (least, most)
                };
                assert!(
                    (least..=most).contains(&brighter),
                    "{neighborhood:?}, radius {radius}, {away}: {brighter}"
                );
            }
        }
    }
}

/// Diagonally next to the lamp: with four neighbors, flowing light takes two steps to get there.
#[test]
fn straight_light_is_brighter_diagonally_next_to_lamp() {
    let (half, [flowing, straight]) = flowing_and_straight(Neighborhood::Four, 6.0, Vec2::ZERO);
    let diagonal = IVec2::splat(half + 1);
    let light = [&flowing, &straight].map(|grid| grid.light(diagonal).x);
    assert!(
        (light[0] - 0.259).abs() < 1e-3 && (light[1] - 0.312).abs() < 1e-3,
        "{light:?}"
    );
}

#[test]
fn share_mixes_both_kinds_of_light() {
    for neighborhood in Neighborhood::ALL {
        let (_, [flowing, straight]) = flowing_and_straight(neighborhood, 6.0, Vec2::ZERO);
        let mut mixed = flowing.clone();
        let settings = LightSettings {
            direct: 0.5,
            ..*flowing.settings()
        };
        mixed.set_settings(settings).unwrap();
        mixed.settle(1e-6);
        let both = lights(&flowing).into_iter().zip(lights(&straight));
        let wanted: Vec<Vec3> = both.map(|(a, b)| 0.5 * (a + b)).collect();
        assert!(apart(&lights(&mixed), &wanted) < 1e-5);
    }
}

/// With the lamp between cells, which share it.
#[test]
fn straight_light_nearly_equals_flowing_light_between_cells() {
    for neighborhood in Neighborhood::ALL {
        for radius in [2.0, 6.0, 12.0] {
            for off in [Vec2::new(0.5, 0.0), Vec2::splat(0.5), Vec2::new(0.3, 0.1)] {
                let (half, grids) = flowing_and_straight(neighborhood, radius, off);
                let (mut least, mut most) = (f32::MAX, f32::MIN);
                for cell in places(&grids[0]) {
                    let (away, _) = way(neighborhood, half, cell);
                    if away.length() <= 1.5 * radius + 2.0 {
                        let [flowing, straight] = grids.each_ref().map(|grid| grid.light(cell).x);
                        (least, most) =
                            (least.min(straight - flowing), most.max(straight - flowing));
                    }
                }
                let (lowest, highest) = match neighborhood {
                    Neighborhood::Hexagonal => (-0.002, 0.023),
                    _ => (-0.035, 0.065),
                };
                assert!(
                    least > lowest && most < highest,
                    "{neighborhood:?}, {radius}, {off}: {least}, {most}"
                );
            }
        }
    }
}

#[test]
fn zero_share_disables_straight_light() {
    let mut rng = SceneRng::new(1);
    for n in 0..10 {
        let settings = any_settings(&mut rng);
        let mut grid = any_grid_of(&mut rng, 40, 30, settings);
        let mut other = grid.clone();
        for _ in 0..4 {
            other
                .set_settings(LightSettings {
                    direct: 0.7,
                    ..settings
                })
                .unwrap();
            grid.step(5);
            other.step(5);
            other.set_settings(settings).unwrap();
            grid.step(1);
            other.step(1);
            assert_same_light(&grid, &other, format_args!("grid {n}"));
        }
    }
}

#[test]
fn share_is_linear_mix() {
    let mut rng = SceneRng::new(2);
    let settings = LightSettings {
        falloff: Falloff::Radius(9.0),
        ..sharing(0.0)
    };
    let mut grid = any_grid_of(&mut rng, 40, 30, settings);
    grid.set_sources(&[lamp(10, 10), Source::at(Vec2::new(30.4, 11.2), Vec3::X)])
        .unwrap();
    let mut light = |direct| {
        grid.set_settings(LightSettings { direct, ..settings })
            .unwrap();
        grid.settle(1e-3);
        lights(&grid)
    };
    let (flowing, straight, mixed) = (light(0.0), light(1.0), light(0.25));
    let wanted = flowing.iter().zip(&straight).map(|(a, b)| a.lerp(*b, 0.25));
    assert!(apart(&mixed, &wanted.collect::<Vec<_>>()) < 2e-3);
}

#[test]
fn pillar_casts_sharp_shadow() {
    let grid = lit(&PILLAR, &[lamp(4, 4)]);
    assert_eq!(grid.light(IVec2::new(12, 4)), Vec3::ZERO);
    assert_eq!(grid.light(IVec2::new(18, 4)), Vec3::ZERO);
    assert!(grid.light(IVec2::new(12, 7)).x > 0.02);
    assert!(grid.light(IVec2::new(7, 4)).x > 0.02);
    // Flowing light reaches the cells behind it.
    let mut soft = grid.clone();
    soft.set_settings(sharing(0.0)).unwrap();
    soft.settle(1e-3);
    assert!(soft.light(IVec2::new(12, 4)).x > 0.01);
}

#[test]
fn walls_are_lit_and_cells_behind_them_dark() {
    let rooms = [
        "############",
        "#....#.....#",
        "#....#.....#",
        "#....#.....#",
        "############",
    ];
    let grid = lit(&rooms, &[lamp(2, 2)]);
    for cell in places(&grid) {
        assert_eq!(
            grid.light(cell).x > 0.0,
            cell.x <= 5,
            "{cell}\n{}",
            grid.dump()
        );
    }
}

#[test]
fn light_reaches_exactly_the_view_of_its_lamp() {
    let mut rng = SceneRng::new(3);
    for n in 0..20 {
        let settings = LightSettings {
            falloff: Falloff::Radius(30.0),
            ..sharing(1.0)
        };
        let mut grid = LightGrid::gray(24, 24, settings).unwrap();
        grid.fill(|_| {
            if rng.chance(0.2) {
                Cell::WALL
            } else {
                Cell::OPEN
            }
        })
        .unwrap();
        let at = rng.place(&grid);
        grid.set_cell(at, Cell::OPEN).unwrap();
        grid.set_sources(&[Source::new(at, Vec3::ONE)]).unwrap();
        grid.step(1);
        let mut view = lanternfell_lightgrid::FieldOfView::new();
        grid.field_of_view(&mut view, at, 100);
        for cell in places(&grid) {
            assert_eq!(
                grid.light(cell).x > 0.0,
                view.contains(cell),
                "grid {n}: {cell}"
            );
        }
    }
}

#[test]
fn glass_tints_and_smoke_dims() {
    let mut grid = lit(&PILLAR, &[lamp(4, 4)]);
    let (glass, behind) = (IVec2::new(8, 4), IVec2::new(12, 4));
    grid.set_cell(glass, Cell::OPEN).unwrap();
    grid.step(1);
    let open = grid.light(behind);
    let color = Vec3::new(1.0, 0.5, 0.0);
    grid.set_cell(glass, Cell::glass(color)).unwrap();
    grid.step(1);
    assert!((grid.light(behind) - open * color).abs().max_element() < 1e-6);
    // The glass itself, and the cells in front of it, are fully lit.
    assert!(grid.light(glass).z > 0.0);
    grid.set_cell(IVec2::new(9, 4), Cell::smoke(0.5)).unwrap();
    grid.step(1);
    assert!(
        (grid.light(behind) - 0.5 * open * color)
            .abs()
            .max_element()
            < 1e-6
    );
}

#[test]
fn light_after_changes_equals_new_grid() {
    let mut rng = SceneRng::new(4);
    for n in 0..40 {
        let settings = LightSettings {
            direct: 1.0,
            ..any_settings(&mut rng)
        };
        let (width, height) = (1 + rng.below(60), 1 + rng.below(40));
        let mut grid = any_grid_of(&mut rng, width, height, settings);
        for round in 0..12 {
            grid.step(rng.below(2));
            let mut other = unlit_copy(&grid);
            other.step(0);
            // Flowing light does not matter, because it is not shown.
            assert_same_light(&grid, &other, format_args!("grid {n}, round {round}"));
            let settings = *grid.settings();
            any_change(&mut rng, &mut grid);
            let changed = LightSettings {
                direct: 1.0,
                ..*grid.settings()
            };
            grid.set_settings(if rng.chance(0.7) { settings } else { changed })
                .unwrap();
        }
    }
}

#[test]
fn removed_lamp_removes_its_light() {
    let bright = Source::new(IVec2::new(3, 2), Vec3::splat(8.0));
    let mut grid = lit(&PILLAR, &[bright, lamp(15, 5)]);
    let dim = lit(&PILLAR, &[lamp(15, 5)]);
    grid.set_sources(&[lamp(15, 5)]).unwrap();
    grid.step(1);
    assert_same_light(&grid, &dim, "the remaining lamp");
    grid.set_sources(&[]).unwrap();
    grid.step(1);
    assert_eq!(apart(&lights(&grid), &[Vec3::ZERO; 189]), 0.0);
}

#[test]
fn sum_is_not_above_brightest_lamp() {
    let mut rng = SceneRng::new(5);
    for n in 0..10 {
        let _case = Case::new(format_args!("grid {n}"));
        let settings = LightSettings {
            direct: 1.0,
            ..any_settings(&mut rng)
        };
        let mut grid = LightGrid::new(30, 20, settings).unwrap();
        let lamps: Vec<Source> = (0..60)
            .map(|_| {
                let at = Vec2::new(30.0, 20.0) * Vec2::new(rng.unit(), rng.unit());
                Source::at(at, rng.color() * 3.0)
            })
            .collect();
        let brightest = lamps
            .iter()
            .map(|lamp| lamp.light.max_element())
            .fold(0.0, f32::max);
        let mut before = vec![Vec3::ZERO; 600];
        let strongest = lamps
            .iter()
            .max_by(|a, b| a.light.max_element().total_cmp(&b.light.max_element()));
        let mut lit = vec![*strongest.unwrap()];
        for lamp in lamps {
            lit.push(lamp);
            grid.set_sources(&lit).unwrap();
            grid.step(1);
            let after = lights(&grid);
            for (before, after) in before.iter().zip(&after) {
                assert!(after.max_element() <= brightest);
                // Adding a lamp darkens nothing, except for rounding.
                assert!(after.cmpge(*before - 1e-5).all());
            }
            before = after;
        }
    }
}

#[test]
fn brightest_lamp_counts_anywhere() {
    let settings = LightSettings {
        falloff: Falloff::Radius(3.0),
        ..sharing(1.0)
    };
    let pair = [lamp(4, 4), lamp(6, 5)];
    let far = Source::new(IVec2::new(90, 4), Vec3::splat(5.0));
    let mut grid = LightGrid::new(100, 9, settings).unwrap();
    for sources in [&pair[..], &[pair[0], pair[1], far], &pair[..]] {
        grid.set_sources(sources).unwrap();
        grid.step(1);
        let mut other = unlit_copy(&grid);
        other.step(1);
        assert_same_light(&grid, &other, format_args!("{} lamps", sources.len()));
    }
}

#[test]
fn greater_of_two_darknesses_counts() {
    let at = IVec2::new(4, 4);
    let dark = |strength: f32| Source::new(at, Vec3::splat(-strength));
    for direct in [0.0, 1.0] {
        let mut grid = LightGrid::new(9, 9, sharing(direct)).unwrap();
        grid.set_ambient(0, Vec3::splat(0.5)).unwrap();
        grid.set_sources(&[dark(0.25), dark(0.125)]).unwrap();
        grid.step(9);
        assert_eq!(grid.light(at), Vec3::splat(0.25), "direct {direct}");
    }
}

#[test]
fn faint_lights_add_up() {
    let alone = lit(&PILLAR, &[lamp(4, 2)]).light(IVec2::new(16, 4)).x;
    let other = lit(&PILLAR, &[lamp(4, 6)]).light(IVec2::new(16, 4)).x;
    let both = lit(&PILLAR, &[lamp(4, 2), lamp(4, 6)])
        .light(IVec2::new(16, 4))
        .x;
    assert!(alone > 0.0 && (both - (alone + other - alone * other)).abs() < 1e-6);
}

#[test]
fn moving_lamp_changes_light_smoothly() {
    for way in [Vec2::X, Vec2::ONE, Vec2::new(0.3, 1.0)] {
        let mut before: Option<Vec<Vec3>> = None;
        for step in 0..=64 {
            let at = Vec2::new(3.3, 3.1) + way * (step as f32 / 32.0);
            let light = lights(&lit(&PILLAR, &[Source::at(at, Vec3::ONE)]));
            if let Some(before) = before {
                // The light of a lamp falls by about a half in the first cell.
                assert!(
                    apart(&before, &light) < 0.04,
                    "{at}: {}",
                    apart(&before, &light)
                );
            }
            before = Some(light);
        }
    }
}

#[test]
fn lamp_between_wall_and_floor_lights_floor() {
    let room = ["#######", "#.....#", "#.....#", "#######"];
    let on_floor = lit(&room, &[lamp(3, 1)]);
    let sunk = lit(&room, &[Source::at(Vec2::new(3.0, 0.75), Vec3::ONE)]);
    let cell = IVec2::new(5, 2);
    let ratio = sunk.light(cell).x / on_floor.light(cell).x;
    assert!((0.8..=1.0).contains(&ratio), "{ratio}");
    let walled_in = lit(&room, &[lamp(3, 0)]);
    assert_eq!(walled_in.light(IVec2::new(3, 1)), Vec3::ZERO);
}

#[test]
fn drain_changes_reports_all_changes() {
    let mut rng = SceneRng::new(6);
    for n in 0..30 {
        let settings = LightSettings {
            direct: 0.5,
            ..any_settings(&mut rng)
        };
        let mut grid = any_grid_of(&mut rng, 50, 40, settings);
        grid.set_tile_size(8);
        grid.step(2);
        grid.drain_changes(|_, _, _| ());
        for round in 0..8 {
            let before = lights(&grid);
            any_change(&mut rng, &mut grid);
            let direct = rng.one_of(&[0.0, 0.5, 0.5, 1.0]);
            grid.set_settings(LightSettings { direct, ..settings })
                .unwrap();
            grid.step(rng.below(9));
            let mut changed = vec![false; before.len()];
            grid.drain_changes(|_, first, size| {
                for y in first.y..first.y + size.y {
                    changed[(y * 50 + first.x) as usize..][..size.x as usize].fill(true);
                }
            });
            let pairs = before.iter().zip(lights(&grid));
            for ((before, after), changed) in pairs.zip(changed) {
                assert!(*before == after || changed, "grid {n}, round {round}");
            }
        }
    }
}

#[test]
fn changes_apply_from_next_step() {
    let mut grid = lit(&PILLAR, &[lamp(4, 4)]);
    let before = grid.clone();
    grid.set_cell(IVec2::new(6, 3), Cell::WALL).unwrap();
    assert_same_light(&grid, &before, "a cell");
    grid.set_sources(&[lamp(5, 5)]).unwrap();
    assert_same_light(&grid, &before, "a lamp");
    grid.fill(|_| Cell::OPEN).unwrap();
    assert_same_light(&grid, &before, "all cells");
    grid.set_settings(LightSettings {
        falloff: Falloff::Radius(5.0),
        ..sharing(1.0)
    })
    .unwrap();
    assert_same_light(&grid, &before, "settings");
}

#[test]
fn gray_grid_has_gray_light() {
    let mut grid = LightGrid::gray(9, 9, sharing(0.5)).unwrap();
    grid.set_sources(&[Source::new(IVec2::splat(4), Vec3::new(1.0, 0.5, 0.0))])
        .unwrap();
    grid.set_cell(IVec2::new(6, 4), Cell::glass(Vec3::X))
        .unwrap();
    grid.settle(1e-3);
    for light in lights(&grid) {
        assert!(light.x == light.y && light.y == light.z, "{light}");
    }
}

#[test]
fn darkness_and_ambient_light_equal_flowing_light() {
    for direct in [0.0, 0.5, 1.0] {
        let mut grid = LightGrid::new(9, 9, sharing(direct)).unwrap();
        grid.set_ambient(0, Vec3::splat(0.5)).unwrap();
        grid.settle(1e-3);
        for light in lights(&grid) {
            assert_eq!(light, Vec3::splat(0.5), "ambient, {direct}");
        }
        grid.set_ambient(0, Vec3::ZERO).unwrap();
        let hole = Source::new(IVec2::new(5, 4), -Vec3::ONE);
        grid.set_sources(&[lamp(3, 4), hole]).unwrap();
        grid.settle(1e-3);
        assert_eq!(
            grid.light(hole.cell()),
            Vec3::ZERO,
            "the darkness stays black, direct {direct}"
        );
        grid.darken();
        assert_eq!(
            apart(&lights(&grid), &[Vec3::ZERO; 81]),
            0.0,
            "darkened, {direct}"
        );
    }
}
