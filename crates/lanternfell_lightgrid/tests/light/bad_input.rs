//! Invalid or extreme input causes an error with a description and changes nothing. It never causes
//! a panic or NaN.

use crate::common::{
    SceneRng, lamp, lights,
    report::{Case, assert_same_light},
    scenes::any_grid,
};
use lanternfell_lightgrid::{
    Cell, Falloff, FieldOfView, IVec2, LightBand, LightBands, LightError, LightGrid, LightSettings,
    Neighborhood, Source, Vec2, Vec3,
};
use proptest::{num::f32::ANY, prelude::*};

/// Numbers outside of all ranges.
const ABSURD: [f32; 6] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    -1e-30,
    64.001,
    f32::MAX,
];

/// A grid that contains all kinds of things.
fn some_grid() -> LightGrid {
    let mut grid = LightGrid::new(40, 20, LightSettings::default()).unwrap();
    grid.set_cell(IVec2::new(3, 3), Cell::glass(Vec3::X))
        .unwrap();
    grid.set_region(IVec2::new(9, 9), 2).unwrap();
    grid.set_ambient(2, Vec3::Y).unwrap();
    grid.set_sources(&[lamp(5, 5), Source::new(IVec2::ONE, -Vec3::ONE)])
        .unwrap();
    grid.step(7);
    grid
}

/// Fails unless the call returns this error, and neither the grid nor its future light changes.
fn assert_refused<T>(what: impl FnOnce(&mut LightGrid) -> Result<T, LightError>, text: &str) {
    let (mut grid, mut before) = (some_grid(), some_grid());
    let error = what(&mut grid).err().unwrap();
    assert!(error.to_string().starts_with(text), "{error}, not {text}");
    assert_eq!(grid.cells(), before.cells());
    assert_eq!(grid.sources(), before.sources());
    assert_eq!(grid.settings(), before.settings());
    for grid in [&mut grid, &mut before] {
        assert_eq!(grid.ambient(2), Vec3::Y);
        assert_eq!(grid.region(IVec2::new(9, 9)), 2);
        grid.step(5);
    }
    assert_same_light(&grid, &before, text);
}

#[test]
fn rejects_empty_and_too_large_grids() {
    let most = LightGrid::MAX_SIDE;
    for (width, height) in [
        (0, 0),
        (0, 5),
        (5, 0),
        (most + 1, 1),
        (1, most + 1),
        (most, most),
        (LightGrid::MAX_CELLS / most + 1, most),
        (u32::MAX, u32::MAX),
        (1 << 16, 1 << 16),
    ] {
        let _case = Case::new(format_args!("{width}x{height}"));
        for make in [LightGrid::new, LightGrid::gray] {
            let error = make(width, height, LightSettings::default()).unwrap_err();
            assert_eq!(error, LightError::Size { width, height });
            let text = error.to_string();
            for part in [width, height, most, LightGrid::MAX_CELLS] {
                assert!(text.contains(&part.to_string()), "{text}");
            }
        }
    }
}

#[test]
fn smallest_and_longest_grids_work() {
    for (width, height) in [
        (1, 1),
        (1, 2),
        (2, 1),
        (LightGrid::MAX_SIDE, 1),
        (1, LightGrid::MAX_SIDE),
    ] {
        let _case = Case::new(format_args!("{width}x{height}"));
        let mut grid = LightGrid::gray(width, height, LightSettings::default()).unwrap();
        grid.set_sources(&[lamp(0, 0)]).unwrap();
        grid.step(3);
        assert!(grid.settle(1e-3).at_rest);
        assert_eq!(grid.light(IVec2::ZERO), Vec3::ONE);
        assert_eq!(grid.dump().to_string().lines().count(), height as usize);
    }
}

#[test]
fn rejects_settings_out_of_range() {
    let default = LightSettings::default();
    let wrong = [
        (
            LightSettings {
                direct: 1.01,
                ..default
            },
            "direct is 1.01, but must be from 0 to 1",
        ),
        (
            LightSettings {
                direct: f32::NAN,
                ..default
            },
            "direct is NaN, but must be from 0 to 1",
        ),
        (
            LightSettings {
                falloff: Falloff::Radius(0.5),
                ..default
            },
            "radius is 0.5, but must be from 1 to 1000",
        ),
        (
            LightSettings {
                falloff: Falloff::Radius(1001.0),
                ..default
            },
            "radius is 1001, but must be from 1 to 1000",
        ),
        (
            LightSettings {
                falloff: Falloff::Decay(-0.1),
                ..default
            },
            "decay is -0.1, but must be from 0 to 1",
        ),
    ];
    for (settings, text) in wrong {
        assert_refused(|grid| grid.set_settings(settings), text);
        assert_refused(|_| LightGrid::new(3, 3, settings), text);
        assert_refused(|_| LightGrid::gray(3, 3, settings), text);
    }
    for absurd in ABSURD {
        for settings in [
            LightSettings {
                direct: absurd,
                ..default
            },
            LightSettings {
                falloff: Falloff::Decay(absurd),
                ..default
            },
        ] {
            assert_refused(|grid| grid.set_settings(settings), "d");
        }
        // These methods clamp their values.
        for falloff in [Falloff::Radius(absurd), Falloff::Decay(absurd)] {
            for neighborhood in Neighborhood::ALL {
                falloff.decay(neighborhood);
                falloff.radius(neighborhood);
            }
        }
    }
}

#[test]
fn rejects_cells_out_of_range() {
    let at = IVec2::new(4, 4);
    for absurd in ABSURD {
        for (cell, name) in [
            (Cell::new(absurd, 0.5), "transparency"),
            (Cell::new(0.5, absurd), "albedo"),
            (Cell::glass(Vec3::new(1.0, 0.0, absurd)), "transparency"),
            (Cell::wall(Vec3::new(0.0, absurd, 0.0)), "albedo"),
        ] {
            let text = format!("{name} is {absurd}, but must be from 0 to 1");
            assert_refused(|grid| grid.set_cell(at, cell), &text);
            assert_refused(
                |grid| grid.fill(|place| if place == at { cell } else { Cell::WALL }),
                &text,
            );
            assert_refused(
                |grid| {
                    let mut cells = vec![Cell::WALL; 800];
                    cells[799] = cell;
                    grid.set_cells(cells)
                },
                &text,
            );
        }
    }
    assert_refused(
        |grid| grid.set_cell(at, Cell::smoke(-0.5)),
        "transparency is 1.5",
    );
}

#[test]
fn rejects_cells_outside_grid() {
    let outside = [
        IVec2::new(40, 0),
        IVec2::new(0, 20),
        IVec2::new(-1, 0),
        IVec2::new(0, -1),
        IVec2::MIN,
        IVec2::MAX,
        IVec2::new(i32::MIN, i32::MAX),
    ];
    for cell in outside {
        let text = format!(
            "cell ({}, {}) is outside of the grid of 40 x 20",
            cell.x, cell.y
        );
        assert_refused(|grid| grid.set_cell(cell, Cell::WALL), &text);
        assert_refused(|grid| grid.set_region(cell, 1), &text);
    }
}

#[test]
fn rejects_wrong_number_of_cells() {
    for count in [0, 799, 801] {
        let text = format!("{count} cells were given for a grid of 800 cells");
        assert_refused(|grid| grid.set_cells(vec![Cell::WALL; count]), &text);
    }
}

#[test]
fn rejects_sources_out_of_range() {
    for absurd in ABSURD {
        let light = Vec3::new(0.0, absurd, 0.0);
        if absurd != -1e-30 {
            let text = format!("source.light is {absurd}, but must be from -64 to 64");
            let wrong = Source::new(IVec2::ZERO, light);
            assert_refused(|grid| grid.set_sources(&[lamp(1, 1), wrong]), &text);
        }
        if !absurd.is_finite() {
            let text = format!("source.at is {absurd}, but must be from ");
            let wrong = Source::at(Vec2::new(0.0, absurd), Vec3::ONE);
            assert_refused(|grid| grid.set_sources(&[wrong, lamp(1, 1)]), &text);
        }
    }
    let text = "source.light is -64.1, but must be from -64 to 64";
    let wrong = Source::new(IVec2::ZERO, Vec3::splat(-64.1));
    assert_refused(|grid| grid.set_sources(&[wrong]), text);
}

#[test]
fn rejects_ambient_light_out_of_range() {
    for absurd in ABSURD {
        let text = format!("ambient is {absurd}, but must be from 0 to 64");
        for region in [0, 2, 255] {
            let light = Vec3::new(0.5, 0.5, absurd);
            assert_refused(|grid| grid.set_ambient(region, light), &text);
        }
    }
}

#[test]
fn accepts_sources_in_walls_and_outside_grid() {
    let far = [
        f32::MIN,
        -1e9,
        -3.0,
        -0.5,
        19.7,
        20.0,
        1e9,
        2_147_483_600.0,
        f32::MAX,
    ];
    for direct in [0.0, 0.5] {
        let _case = Case::new(format_args!("direct {direct}"));
        let settings = LightSettings {
            direct,
            ..LightSettings::default()
        };
        let mut grid = LightGrid::new(20, 20, settings).unwrap();
        grid.fill(|cell| if cell.x == 7 { Cell::WALL } else { Cell::OPEN })
            .unwrap();
        let mut sources = vec![lamp(7, 5), Source::at(Vec2::new(7.3, 9.9), Vec3::ONE)];
        for x in far {
            sources.extend(far.map(|y| Source::at(Vec2::new(x, y), Vec3::ONE)));
        }
        grid.set_sources(&sources).unwrap();
        grid.step(5);
        assert!(grid.settle(1e-3).at_rest);
        // A lamp in a wall lights the wall.
        assert!(grid.light(IVec2::new(7, 5)).x > 0.4);
        assert!(lights(&grid).iter().all(|light| light.is_finite()));
        grid.glow(IVec2::new(6, 5));
    }
}

#[test]
fn accepts_any_tolerance() {
    for tolerance in ABSURD
        .into_iter()
        .chain([0.0, -0.0, -1.0, 1e-30, 1.0, 1e30])
    {
        let _case = Case::new(format_args!("tolerance {tolerance}"));
        let mut grid = some_grid();
        let settled = grid.settle(tolerance);
        assert!(settled.sweeps <= LightGrid::MAX_SWEEPS);
        assert!(lights(&grid).iter().all(|light| light.is_finite()));
        // A later call with a better tolerance works.
        assert!(grid.settle(1e-3).at_rest);
        let mut wanted = some_grid();
        wanted.settle(1e-3);
        assert!(crate::common::apart(&lights(&grid), &lights(&wanted)) <= 2e-3);
    }
}

#[test]
fn u32_max_steps_end_at_rest() {
    let mut grid = some_grid();
    grid.step(u32::MAX);
    assert_eq!(grid.residual(), 0.0);
}

#[test]
fn accepts_any_view_radius_and_line() {
    let grid = some_grid();
    let mut view = FieldOfView::new();
    for from in [IVec2::new(5, 5), IVec2::new(-1, -1), IVec2::MIN, IVec2::MAX] {
        for radius in [0, 1, u32::MAX] {
            grid.field_of_view(&mut view, from, radius);
        }
    }
    assert!(!grid.line_of_sight(IVec2::new(5, 5), IVec2::MAX));
    assert!(!grid.line_of_sight(IVec2::MIN, IVec2::MAX));
}

/// Numbers of all kinds, half of them from 0 to 1.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        ANY,
        0.0f32..=1.0,
        Just(0.0),
        Just(1.0),
        Just(-0.0),
        Just(1e-45),
        Just(-64.0)
    ]
}

fn any_vector() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(any_number()).prop_map(Vec3::from)
}

fn any_setting() -> impl Strategy<Value = LightSettings> {
    let falloff = prop_oneof![
        any_number().prop_map(Falloff::Decay),
        (1.0f32..40.0).prop_map(Falloff::Radius),
        ANY.prop_map(Falloff::Radius),
    ];
    let neighborhood = prop::sample::select(&Neighborhood::ALL[..]);
    (neighborhood, falloff, any_number()).prop_map(|(neighborhood, falloff, direct)| {
        LightSettings {
            neighborhood,
            falloff,
            direct,
        }
    })
}

fn any_lamp() -> impl Strategy<Value = Source> {
    let at = prop_oneof![-2.0f32..12.0, ANY];
    (at.clone(), at, any_vector()).prop_map(|(x, y, light)| Source::at(Vec2::new(x, y), light))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn light_is_in_range_for_any_input(
        settings in prop::collection::vec(any_setting(), 1..3),
        cells in prop::collection::vec((any_vector(), any_vector()), 40),
        sources in prop::collection::vec(any_lamp(), 0..4),
        ambient in any_vector(), tolerance in ANY, gray in any::<bool>(),
    ) {
        let make = if gray { LightGrid::gray } else { LightGrid::new };
        let mut grid = make(10, 8, LightSettings::default()).unwrap();
        for settings in settings {
            // Some of these are rejected.
            let _ = grid.set_settings(settings);
            for (n, (transparency, albedo)) in cells.iter().enumerate() {
                let at = IVec2::new(n as i32 % 10, 2 * (n as i32 / 10));
                let _ = grid.set_cell(at, Cell { transparency: *transparency, albedo: *albedo });
            }
            for source in &sources {
                let mut sources = grid.sources().to_vec();
                sources.push(*source);
                let _ = grid.set_sources(&sources);
            }
            let _ = grid.set_ambient(0, ambient);
            grid.step(3);
            // Limits the number of sweeps, to keep the test fast.
            grid.settle(if tolerance < 1e-2 { 1e-2 } else { tolerance });
            grid.step(3);
            for light in lights(&grid) {
                let most = Source::MAX_LIGHT;
                prop_assert!(light.cmpge(Vec3::ZERO).all() && light.cmple(Vec3::splat(most)).all());
            }
        }
    }

    #[test]
    fn queries_accept_any_input(
        seed in any::<u64>(), x in any::<i32>(), y in any::<i32>(),
        from in prop::array::uniform3(ANY), hysteresis in ANY, luminance in ANY, size in any::<u32>(),
    ) {
        let mut rng = SceneRng::new(seed);
        let mut grid = any_grid(&mut rng);
        grid.set_tile_size(size);
        grid.step(4);
        let bands = LightBands { from, hysteresis };
        let _ = bands.validate();
        bands.band(luminance, Some(LightBand::Lit));
        for cell in [IVec2::new(x, y), rng.place(&grid), IVec2::new(x, 0), IVec2::new(-1, y)] {
            grid.band(cell, &bands, None);
            grid.gradient(cell);
            grid.glow(cell);
            grid.darkest_neighbor(cell);
            let luminance = grid.luminance(cell);
            prop_assert!((0.0..=1.01 * Source::MAX_LIGHT).contains(&luminance));
        }
    }
}

#[test]
fn tiny_transparency_does_not_cause_nan() {
    for transparency in [1e-45, 1e-40, 1e-38, 1e-20, 1e-7] {
        let mut grid = LightGrid::new(16, 16, LightSettings::default()).unwrap();
        grid.fill(|_| Cell::new(transparency, 1.0)).unwrap();
        let lamp = Source::new(IVec2::splat(8), Vec3::splat(64.0));
        grid.set_sources(&[lamp]).unwrap();
        grid.step(5);
        grid.settle(1e-3);
        for cell in (0..256).map(|i| IVec2::new(i % 16, i / 16)) {
            let light = grid.light(cell);
            assert!(
                light.cmpge(Vec3::ZERO).all() && light.cmple(lamp.light).all(),
                "{light}"
            );
        }
    }
}
