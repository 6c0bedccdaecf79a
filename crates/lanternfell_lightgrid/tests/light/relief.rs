//! Light with a relief: hills cast shadows, and slopes that face the lamp are brighter.

use std::sync::Arc;

use crate::common::{
    SceneRng, places,
    report::{Case, assert_same_light},
    scenes::{any_change, any_grid_of},
    unlit_copy,
};
use glam::{DVec2, Vec2Swizzles as _};
use lanternfell_lightgrid::{
    Falloff, IVec2, LightError, LightGrid, LightSettings, LightWorker, Neighborhood, Relief,
    Source, Vec2, Vec3,
};

/// Only straight light, with this radius.
fn straight(radius: f32) -> LightSettings {
    LightSettings {
        falloff: Falloff::Radius(radius),
        direct: 1.0,
        ..LightSettings::default()
    }
}

const SIDE: u32 = 61;

/// A gray grid of open cells with this relief and these lamps.
fn lit(relief: Relief, lamps: &[Source]) -> LightGrid {
    let size = relief.size();
    let mut grid = LightGrid::gray(size.x, size.y, straight(40.0)).unwrap();
    grid.set_relief(Some(Arc::new(relief))).unwrap();
    grid.set_sources(lamps).unwrap();
    grid.step(1);
    grid
}

fn land(ground: impl FnMut(IVec2) -> f32) -> Relief {
    Relief::new(SIDE, SIDE, ground).unwrap()
}

/// The center of the grid.
const MIDDLE: IVec2 = IVec2::splat(SIDE as i32 / 2);

fn torch() -> Source {
    Source::new(MIDDLE, Vec3::ONE).with_height(1.5)
}

/// Smooth hills with this distance and height, in cells.
fn hills(apart: f32, height: f32) -> impl Fn(IVec2) -> f32 {
    move |cell| {
        let [x, y] = (cell.as_vec2() / apart * core::f32::consts::TAU).to_array();
        0.5 * height * (x.sin() * (0.7 * y).cos() + 0.5 * (0.4 * x + 1.3 * y).sin())
    }
}

/// The light of each cell relative to that on flat terrain.
fn shares(relief: &Relief, lamp: Source) -> Vec<f32> {
    let over_land = lit(relief.clone(), &[lamp]);
    let flat = lit(land(|_| 0.0), &[lamp]);
    places(&flat)
        .map(|cell| {
            let whole = flat.luminance(cell);
            if whole == 0.0 {
                0.0
            } else {
                over_land.luminance(cell) / whole
            }
        })
        .collect()
}

/// The same in double precision, cell by cell along the line from the lamp. Only includes shadows.
fn seen_one_by_one(relief: &Relief, lamp: Source, target_height: f64) -> impl Fn(IVec2) -> f64 {
    let at = lamp.at.as_dvec2();
    let height = f64::from(relief.ground_at(lamp.at) + lamp.height);
    move |cell| {
        let off = cell.as_dvec2() - at;
        let steep = off.x.abs() < off.y.abs();
        let turned = |at: DVec2| if steep { at.yx() } else { at };
        let (off, from) = (turned(off), turned(at));
        let home = turned(at.round());
        let way = off.x.signum();
        let mut shadow = f64::NEG_INFINITY;
        let mut column = home.x + way;
        while (column - from.x).abs() < off.x.abs() - 0.5 {
            let away = (column - from.x).abs();
            let aside = from.y + off.y * away / off.x.abs();
            let top = |row: f64| {
                let here = turned(DVec2::new(column, row)).as_ivec2();
                f64::from(relief.top(here))
            };
            let part = aside - aside.floor();
            let between = top(aside.floor()) * (1.0 - part) + top(aside.floor() + 1.0) * part;
            shadow = f64::max(shadow, (between - height) / away);
            column += way;
        }
        let shadow = height + shadow * off.x.abs();
        ((f64::from(relief.ground(cell)) + target_height - shadow) / target_height).clamp(0.0, 1.0)
    }
}

#[test]
fn flat_relief_does_not_change_light() {
    for height in [0.0, -7.25, 1000.0] {
        let grid = lit(land(|_| height), &[torch()]);
        let mut plain = grid.clone();
        plain.set_relief(None).unwrap();
        plain.step(1);
        assert_same_light(&grid, &plain, height);
    }
}

#[test]
fn shadows_match_line_by_line_computation() {
    let (mut cells, mut sum, mut far) = (0, 0.0, 0);
    for (n, (apart, height)) in [(13.0, 3.0), (20.0, 6.0), (31.0, 12.0), (8.0, 1.0)]
        .into_iter()
        .enumerate()
    {
        let ground = hills(apart, height);
        let relief = land(&ground).with_slope_shading(0.0).unwrap();
        for (dx, dy) in [(0.0, 0.0), (0.3, -0.2), (-0.45, 0.5), (6.0, -4.5)] {
            let lamp = Source {
                at: MIDDLE.as_vec2() + Vec2::new(dx, dy),
                ..torch()
            };
            let _case = Case::new(format!("{n}, {dx}, {dy}"));
            let slow = seen_one_by_one(&relief, lamp, 0.5);
            let fast = shares(&relief, lamp);
            for (cell, fast) in places(&lit(relief.clone(), &[])).zip(fast) {
                let off = cell.as_vec2() - lamp.at;
                if off.length() > 38.0 || off.abs().max_element() < 0.6 {
                    continue;
                }
                let difference = (slow(cell) - f64::from(fast)).abs();
                cells += 1;
                sum += difference;
                far += usize::from(difference > 0.25);
            }
        }
    }
    assert!(cells > 40_000, "{cells}");
    assert!(
        sum / f64::from(cells) < 0.01,
        "{} in the mean",
        sum / f64::from(cells)
    );
    assert!(far * 100 < cells as usize, "{far} of {cells} are far off");
}

/// Along the axes, and along diagonals.
#[test]
fn ridge_casts_shadow_of_expected_length() {
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)] {
        let _case = Case::new(format!("{dx}, {dy}"));
        let way = IVec2::new(dx, dy);
        let along = |cell: IVec2| (cell - MIDDLE).dot(way) / way.length_squared();
        // The ridge is four cells away and two cells high. With the lamp at three cells, the shadow
        // ends after twelve.
        let relief = land(|cell| if along(cell) == 4 { 2.0 } else { 0.0 });
        let relief = relief
            .with_target_height(0.01)
            .unwrap()
            .with_slope_shading(0.0)
            .unwrap();
        let shares = shares(&relief, torch().with_height(3.0));
        let share = |steps: i32| {
            let cell = MIDDLE + steps * way;
            shares[(cell.y * SIDE as i32 + cell.x) as usize]
        };
        for steps in 1..=4 {
            assert_eq!(share(steps), 1.0, "in front of the ridge, {steps}");
        }
        for steps in 5..12 {
            assert_eq!(share(steps), 0.0, "in the shadow, {steps}");
        }
        for steps in 13..20 {
            assert_eq!(share(steps), 1.0, "behind the shadow, {steps}");
        }
        assert_eq!(share(-9), 1.0, "on the other side");
    }
}

#[test]
fn slopes_facing_the_torch_are_brighter() {
    // A valley or a ridge along x.
    let bent = |by: f32| land(move |cell| by * ((cell.x - MIDDLE.x) as f32).powi(2));
    let on_the_side = Source {
        at: torch().at - Vec2::new(15.0, 0.0),
        ..torch()
    };
    let [valley, back] = [0.02, -0.02].map(|by| shares(&bent(by), on_the_side));
    let at = |shares: &[f32], x: i32| shares[(MIDDLE.y * SIDE as i32 + MIDDLE.x + x) as usize];
    // The opposite side faces the torch, and is not hidden.
    assert!(at(&valley, 12) > 1.1, "{}", at(&valley, 12));
    // Terrain that slopes away from the torch is darker, and behind the ridge it is black.
    assert!(at(&back, -17) < 0.9, "{}", at(&back, -17));
    assert_eq!(at(&back, 20), 0.0);
}

#[test]
fn obstacles_cast_shadows_and_are_lit() {
    let rock = MIDDLE + IVec2::new(5, 0);
    let relief = land(|_| 0.0)
        .with_obstacles(|cell| if cell == rock { 1.5 } else { 0.0 })
        .unwrap();
    let shares = shares(&relief, torch());
    let share = |x: i32| shares[((MIDDLE.y) * SIDE as i32 + MIDDLE.x + x) as usize];
    assert_eq!(
        [share(4), share(5), share(6), share(20)],
        [1.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(share(-6), 1.0);
}

#[test]
fn light_is_the_same_in_all_four_directions() {
    let ground = hills(17.0, 5.0);
    let grid = lit(land(&ground), &[torch()]);
    let turned = |cell: IVec2| MIDDLE + (cell - MIDDLE).perp();
    let other = lit(land(|cell| ground(turned(cell))), &[torch()]);
    for cell in places(&grid) {
        // A cell on the border of two sides may belong to either.
        let (a, b) = (grid.luminance(turned(cell)), other.luminance(cell));
        assert!((a - b).abs() < 1e-5, "{cell}: {a} {b}");
    }
}

#[test]
fn light_stays_within_its_bounds() {
    let mut rng = SceneRng::on_squares(5);
    for case in 0..40 {
        let _case = Case::new(case);
        let settings = straight(3.0 + 20.0 * rng.unit());
        let mut grid = any_grid_of(&mut rng, 40, 30, settings);
        let steep = 10_f32.powf(3.0 * rng.unit());
        let heights: Vec<f32> = (0..1200).map(|_| steep * rng.unit()).collect();
        let relief = Relief::new(40, 30, |cell| heights[(cell.y * 40 + cell.x) as usize]).unwrap();
        grid.set_relief(Some(Arc::new(relief))).unwrap();
        grid.step(1);
        let ambient = (0..=255).map(|region| grid.ambient(region).max_element());
        let sources = grid
            .sources()
            .iter()
            .map(|source| source.light.max_element());
        let most = ambient.chain(sources).fold(0.0, f32::max);
        for cell in places(&grid) {
            let light = grid.light(cell);
            assert!(
                light.min_element() >= 0.0 && light.max_element() <= most * 1.0001,
                "{light}"
            );
        }
    }
}

/// After any changes the light equals that of a new grid, also with a worker, and after saving and
/// loading.
#[test]
fn light_after_changes_equals_new_grid() {
    let mut rng = SceneRng::on_squares(6);
    for case in 0..30 {
        let _case = Case::new(case);
        let mut grid = any_grid_of(&mut rng, 30, 30, straight(9.0));
        let mut worker = LightWorker::new(&mut grid);
        for _ in 0..6 {
            match rng.below(3) {
                0 => {
                    let ground = hills(5.0 + 20.0 * rng.unit(), 8.0 * rng.unit());
                    let relief = Relief::new(30, 30, ground).unwrap();
                    grid.set_relief(Some(Arc::new(relief))).unwrap();
                }
                1 => grid.set_relief(None).unwrap(),
                _ => any_change(&mut rng, &mut grid),
            }
            let height = 4.0 * rng.unit();
            let sources: Vec<Source> = grid
                .sources()
                .iter()
                .map(|source| source.with_height(height))
                .collect();
            grid.set_sources(&sources).unwrap();
            let settings = LightSettings {
                direct: 1.0,
                ..*grid.settings()
            };
            grid.set_settings(settings).unwrap();
            worker.follow(&mut grid);
            worker.settle(1e-4);
            worker.finish();
            grid.settle(1e-4);
            let mut expected = unlit_copy(&grid);
            expected.settle(1e-4);
            let text = ron::to_string(&grid).unwrap();
            let saved: LightGrid = ron::from_str(&text).unwrap();
            for cell in places(&grid) {
                let straight = |of: &LightGrid| of.light(cell);
                let near = |other: Vec3| (straight(&grid) - other).abs().max_element() < 1e-5;
                assert!(near(straight(&expected)), "{cell}");
                assert!(near(straight(worker.grid())), "{cell} of a worker");
                assert!(near(straight(&saved)), "{cell} of a file");
            }
        }
    }
}

#[test]
fn rejects_invalid_reliefs() {
    let mut grid = LightGrid::new(SIDE, SIDE, straight(9.0)).unwrap();
    let other = Relief::new(SIDE, 3, |_| 0.0).unwrap();
    let error = grid.set_relief(Some(Arc::new(other))).unwrap_err();
    assert_eq!(
        error,
        LightError::ReliefSize {
            width: SIDE,
            height: 3
        }
    );

    let names = |result: Result<Relief, LightError>| result.unwrap_err().to_string();
    assert!(names(Relief::new(2, 2, |_| f32::NAN)).starts_with("relief.ground is NaN"));
    assert!(names(Relief::new(0, 2, |_| 0.0)).contains("0 x 2"));
    assert!(names(land(|_| 0.0).with_obstacles(|_| -1.0)).starts_with("relief.obstacle is -1"));
    assert!(names(land(|_| 0.0).with_target_height(0.0)).starts_with("relief.target_height is 0"));
    assert!(names(land(|_| 0.0).with_slope_shading(2.0)).starts_with("relief.slope_shading is 2"));
    let high = torch().with_height(f32::INFINITY);
    assert!(grid.set_sources(&[high]).is_err());

    let hexagons = LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        ..straight(9.0)
    };
    grid.set_relief(Some(Arc::new(land(|_| 0.0)))).unwrap();
    assert_eq!(
        grid.set_settings(hexagons),
        Err(LightError::HexagonalRelief)
    );
    grid.set_relief(None).unwrap();
    grid.set_settings(hexagons).unwrap();
    let refused = grid.set_relief(Some(Arc::new(land(|_| 0.0))));
    assert_eq!(refused, Err(LightError::HexagonalRelief));

    let text = ron::to_string(&land(|_| 0.0)).unwrap();
    assert!(ron::from_str::<Relief>(&text.replace("width:61", "width:60")).is_err());
}
