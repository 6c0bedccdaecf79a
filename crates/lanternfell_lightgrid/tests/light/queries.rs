//! Queries of game code.

use crate::common::{SceneRng, draw, lamp, places, report::Case, scenes::any_grid};
use glam::UVec2;
use lanternfell_lightgrid::{
    Cell, Falloff, FieldOfView, IVec2, LUMINANCE, LightBand, LightBands, LightError, LightGrid,
    LightSettings, Neighborhood, Source, Vec2, Vec3, hexagonal,
};
use proptest::prelude::*;

/// Flowing light with this radius.
fn reaching(radius: f32) -> LightSettings {
    LightSettings {
        falloff: Falloff::Radius(radius),
        ..LightSettings::default()
    }
}

/// A room with lamps, settled.
fn lit(radius: f32, picture: &[&str], lamps: &[Source]) -> LightGrid {
    let (width, height) = (picture[0].len() as u32, picture.len() as u32);
    let mut grid = LightGrid::new(width, height, reaching(radius)).unwrap();
    draw(&mut grid, Cell::WALL, picture);
    grid.set_sources(lamps).unwrap();
    grid.settle(1e-5);
    grid
}

/// A room whose southern passage leads around a corner to a chamber in the east.
const CORNER: [&str; 8] = [
    "############",
    "#....#.....#",
    "#....#.....#",
    "#....#.....#",
    "#....#.....#",
    "#..........#",
    "#....#.....#",
    "############",
];

#[test]
fn gradient_points_to_light() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let settings = LightSettings {
            neighborhood,
            ..reaching(10.0)
        };
        let mut grid = LightGrid::new(21, 21, settings).unwrap();
        grid.set_sources(&[lamp(10, 10)]).unwrap();
        grid.settle(1e-5);
        for cell in places(&grid) {
            let place = |cell: IVec2| neighborhood.to_plane(cell.as_vec2());
            let towards = place(IVec2::splat(10)) - place(cell);
            let gradient = grid.gradient(cell);
            // It is less accurate near the edges, where light gathers.
            let is_inside = (IVec2::splat(10) - cell).abs().max_element() < 9;
            if towards.length() > 1.5 && is_inside {
                assert!(
                    gradient.normalize().dot(towards.normalize()) > 0.9,
                    "{cell}"
                );
            }
        }
        assert!(grid.gradient(IVec2::splat(10)).length() < 1e-4);
        // The increase of luminance per cell.
        let grows = 0.5 * (grid.luminance(IVec2::new(6, 10)) - grid.luminance(IVec2::new(4, 10)));
        let gradient = grid.gradient(IVec2::new(5, 10));
        if neighborhood == Neighborhood::Hexagonal {
            // The other two axes contribute too.
            assert!(
                (gradient.x / grows - 1.0).abs() < 0.1,
                "{gradient}, {grows}"
            );
        } else {
            assert_eq!(gradient.x, grows);
        }
    }
}

#[test]
fn gradient_ignores_walls() {
    let grid = lit(8.0, &["######", "#....#", "######"], &[lamp(1, 1)]);
    let (here, after) = (
        grid.luminance(IVec2::new(1, 1)),
        grid.luminance(IVec2::new(2, 1)),
    );
    assert_eq!(
        grid.gradient(IVec2::new(1, 1)),
        Vec2::new(after - here, 0.0)
    );
    let (before, here) = (
        grid.luminance(IVec2::new(3, 1)),
        grid.luminance(IVec2::new(4, 1)),
    );
    assert_eq!(
        grid.gradient(IVec2::new(4, 1)),
        Vec2::new(here - before, 0.0)
    );
    let alone = lit(8.0, &["###", "#.#", "###"], &[lamp(1, 1)]);
    assert_eq!(alone.gradient(IVec2::ONE), Vec2::ZERO);
}

#[test]
fn darkest_neighbor_is_darkest_reachable() {
    let mut rng = SceneRng::new(1);
    for n in 0..40 {
        let mut grid = any_grid(&mut rng);
        grid.step(20);
        for cell in places(&grid) {
            let _case = Case::new(format_args!("grid {n}, cell {cell}"));
            let open = |cell: IVec2| !grid.is_opaque(cell);
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
            let is_hexagonal = grid.settings().neighborhood == Neighborhood::Hexagonal;
            let can_step = |step: &IVec2| {
                if is_hexagonal {
                    return hexagonal::distance(cell, cell + step) == 1 && open(cell + step);
                }
                let sides = [IVec2::new(step.x, 0), IVec2::new(0, step.y)];
                let is_free = sides.into_iter().any(|side| open(cell + side));
                *step != IVec2::ZERO && open(cell + step) && (step.x * step.y == 0 || is_free)
            };
            let steps: Vec<IVec2> = around.filter(can_step).collect();
            let light = steps.iter().map(|step| grid.luminance(cell + step));
            let least = light.fold(f32::INFINITY, f32::min);
            match grid.darkest_neighbor(cell) {
                None => assert!(steps.is_empty()),
                Some(next) => {
                    assert!(steps.contains(&(next - cell)));
                    assert_eq!(grid.luminance(next), least);
                }
            }
        }
    }
}

#[test]
fn darkest_neighbor_of_equal_cells_is_first() {
    let mut grid = LightGrid::new(3, 3, reaching(4.0)).unwrap();
    let north = IVec2::new(1, 0);
    assert_eq!(grid.darkest_neighbor(IVec2::ONE), Some(north));
    grid.set_cell(north, Cell::WALL).unwrap();
    assert_eq!(grid.darkest_neighbor(IVec2::ONE), Some(IVec2::new(2, 1)));
    for cell in [(2, 1), (1, 2), (0, 1)] {
        grid.set_cell(cell.into(), Cell::WALL).unwrap();
    }
    // The corners are open, but the steps lead between two opaque cells.
    assert_eq!(grid.darkest_neighbor(IVec2::ONE), None);
    grid.set_cell(IVec2::new(1, 2), Cell::OPEN).unwrap();
    assert_eq!(grid.darkest_neighbor(IVec2::ONE), Some(IVec2::new(1, 2)));
}

#[test]
fn glow_leads_around_corner() {
    let grid = lit(30.0, &CORNER, &[lamp(2, 2)]);
    let glow = grid.glow(IVec2::new(8, 2)).unwrap();
    assert_eq!(glow.source, Some(0));
    assert_eq!(glow.brightest, IVec2::new(2, 2));
    assert!(
        glow.direction.y > 0.0 && glow.direction.x <= 0.0,
        "{}",
        glow.direction
    );
    assert!((glow.direction.length() - 1.0).abs() < 1e-6);
    let at_it = grid.glow(IVec2::new(2, 2)).unwrap();
    assert_eq!((at_it.source, at_it.direction), (Some(0), Vec2::ZERO));
}

#[test]
fn glow_has_index_of_source() {
    let row = [".".repeat(30)];
    let lamps = [lamp(25, 0), Source::new(IVec2::new(3, 0), Vec3::X)];
    let grid = lit(8.0, &[row[0].as_str()], &lamps);
    assert_eq!(grid.glow(IVec2::new(20, 0)).unwrap().source, Some(0));
    assert_eq!(grid.glow(IVec2::new(1, 0)).unwrap().source, Some(1));
    assert_eq!(grid.glow(IVec2::new(6, 0)).unwrap().direction, Vec2::NEG_X);
}

/// The neighbor in a direction.
fn step_towards(grid: &LightGrid, cell: IVec2, direction: Vec2) -> IVec2 {
    let neighborhood = grid.settings().neighborhood;
    if neighborhood != Neighborhood::Hexagonal {
        return cell + direction.round().as_ivec2();
    }
    let place = |cell: IVec2| neighborhood.to_plane(cell.as_vec2());
    let next = |step: IVec2| cell + step;
    let neighbors = hexagonal::steps(cell).map(next).into_iter();
    let there = |next: &IVec2| (place(*next) - place(cell)).distance(direction) < 1e-3;
    neighbors.clone().find(there).unwrap()
}

#[test]
fn walking_towards_glow_ends_at_brightest_cell() {
    let mut rng = SceneRng::new(2);
    for n in 0..30 {
        let mut grid = any_grid(&mut rng);
        grid.step(15);
        for start in places(&grid) {
            let _case = Case::new(format_args!("grid {n}, from {start}"));
            let Some(wanted) = grid.glow(start) else {
                continue;
            };
            let mut cell = start;
            while let Some(glow) = grid.glow(cell) {
                if glow.direction == Vec2::ZERO {
                    break;
                }
                let next = step_towards(&grid, cell, glow.direction);
                assert!(grid.luminance(next) > grid.luminance(cell));
                cell = next;
            }
            assert_eq!(cell, wanted.brightest);
        }
    }
}

#[test]
fn no_glow_in_the_dark() {
    let mut grid = lit(4.0, &CORNER, &[]);
    assert_eq!(grid.glow(IVec2::new(2, 2)), None);
    // Sources that give no light, or take light away.
    grid.set_sources(&[Source::new(IVec2::new(2, 2), -Vec3::ONE)])
        .unwrap();
    grid.step(1);
    assert_eq!(grid.glow(IVec2::new(2, 2)), None);
    assert_eq!(grid.glow(IVec2::MAX), None);
    assert_eq!(grid.glow(IVec2::MIN), None);
}

#[test]
fn glow_of_removed_torch_has_no_source() {
    let mut grid = LightGrid::new(21, 21, reaching(9.0)).unwrap();
    grid.set_sources(&[lamp(10, 10)]).unwrap();
    grid.settle(1e-4);
    grid.set_sources(&[]).unwrap();
    grid.step(2);
    let glow = grid.glow(IVec2::new(7, 10)).unwrap();
    assert_eq!((glow.brightest, glow.source), (IVec2::new(10, 10), None));
}

#[test]
fn luminance_is_weighted_sum_of_colors() {
    let light = Vec3::new(0.9, 0.3, 0.1);
    let grid = lit(6.0, &["...."], &[Source::new(IVec2::ZERO, light)]);
    assert_eq!(grid.luminance(IVec2::ZERO), light.dot(LUMINANCE));
    assert!((LUMINANCE.element_sum() - 1.0).abs() < 1e-6);
}

#[test]
fn bands_have_thresholds_and_hysteresis() {
    use LightBand::{Blazing, Dim, Hidden, Lit};
    let bands = LightBands {
        from: [0.1, 0.2, 0.6],
        hysteresis: 0.1,
    };
    for (light, band) in [
        (0.0, Hidden),
        (0.099, Hidden),
        (0.1, Dim),
        (0.2, Lit),
        (7.0, Blazing),
    ] {
        assert_eq!(bands.band(light, None), band, "{light}");
    }
    // Up only with ten percent more, down only with ten percent less.
    for (light, before, band) in [
        (0.21, Dim, Dim),
        (0.219, Dim, Dim),
        (0.221, Dim, Lit),
        (0.19, Lit, Lit),
        (0.181, Lit, Lit),
        (0.179, Lit, Dim),
        (0.0, Blazing, Hidden),
        (1.0, Hidden, Blazing),
        (0.55, Blazing, Blazing),
        (0.55, Lit, Lit),
        (0.105, Hidden, Hidden),
        (0.095, Dim, Dim),
    ] {
        assert_eq!(
            bands.band(light, Some(before)),
            band,
            "{light} after {before:?}"
        );
    }
    assert!(LightBand::ALL.is_sorted());
    assert_eq!(LightBand::default(), Hidden);
}

#[test]
fn rejects_bands_that_do_not_ascend() {
    assert_eq!(LightBands::default().validate(), Ok(()));
    let wrong = [
        (
            [0.2, 0.1, 0.6],
            0.1,
            "bands.from is 0.1, but must be from 0.2",
        ),
        (
            [-0.1, 0.1, 0.6],
            0.1,
            "bands.from is -0.1, but must be from 0",
        ),
        ([0.1, f32::NAN, 0.6], 0.1, "bands.from is NaN"),
        ([0.1, 0.2, f32::INFINITY], 0.1, "bands.from is inf"),
        ([0.1, 0.2, 0.6], 1.0, "bands.hysteresis is 1,"),
        (
            [0.1, 0.2, 0.6],
            -0.1,
            "bands.hysteresis is -0.1, but must be from 0",
        ),
    ];
    for (from, hysteresis, text) in wrong {
        let error = LightBands { from, hysteresis }.validate().unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    }
}

proptest! {
    #[test]
    fn bands_are_monotonic_and_stable(
        light in 0.0f32..2.0, more in 0.0f32..2.0, before in 0usize..5,
        from in prop::array::uniform3(0.0f32..1.0), hysteresis in 0.0f32..0.99,
    ) {
        let mut from = from;
        from.sort_by(f32::total_cmp);
        let bands = LightBands { from, hysteresis };
        let before = LightBand::ALL.get(before).copied();
        let band = bands.band(light, before);
        prop_assert!(bands.band(light + more, before) >= band);
        prop_assert_eq!(bands.band(light, Some(band)), band);
    }
}

#[test]
fn band_of_cell_is_band_of_luminance() {
    let grid = lit(8.0, &CORNER, &[lamp(2, 2)]);
    let bands = LightBands::default();
    for cell in places(&grid) {
        assert_eq!(
            grid.band(cell, &bands, None),
            bands.band(grid.luminance(cell), None),
            "{cell}"
        );
    }
    assert_eq!(
        grid.band(IVec2::new(2, 2), &bands, None),
        LightBand::Blazing
    );
    assert_eq!(
        grid.band(IVec2::new(-1, 2), &bands, None),
        LightBand::Hidden
    );
}

#[test]
fn is_seen_requires_sight_and_light() {
    let grid = lit(5.0, &CORNER, &[lamp(8, 2)]);
    let bands = LightBands::default();
    let mut view = FieldOfView::new();
    let seen = |view: &FieldOfView, cell| grid.is_seen(view, cell, &bands, LightBand::Dim);
    grid.field_of_view(&mut view, IVec2::new(9, 4), 20);
    assert!(seen(&view, IVec2::new(8, 3)));
    // In sight but dark, and lit but out of sight.
    let dark = IVec2::new(1, 5);
    grid.field_of_view(&mut view, IVec2::new(9, 5), 20);
    assert!(view.contains(dark) && !seen(&view, dark));
    grid.field_of_view(&mut view, IVec2::new(2, 2), 20);
    assert!(!seen(&view, IVec2::new(8, 2)));
    assert!(!grid.line_of_sight(IVec2::new(2, 2), IVec2::new(8, 2)));
    assert!(grid.line_of_sight(IVec2::new(9, 5), dark));
    // The band `Hidden` includes all cells in sight.
    assert!(!grid.is_seen(&view, IVec2::new(8, 2), &bands, LightBand::Hidden));
}

#[test]
fn dump_shows_walls_and_shades() {
    let picture = [
        "################",
        "#..........#...#",
        "#..............#",
        "#..........#...#",
        "################",
    ];
    let grid = lit(4.0, &picture, &[lamp(3, 2)]);
    let wanted = [
        "#########%%%%%%%",
        "#=+++=-:.  %   %",
        "#++@+=-:.      %",
        "#=+++=-:.  %   %",
        "#########%%%%%%%",
    ];
    let dump = grid.dump().to_string();
    assert_eq!(dump.lines().collect::<Vec<_>>(), wanted, "\n{dump}");
}

#[test]
fn dump_has_one_character_per_doubling() {
    let mut grid = LightGrid::new(9, 1, LightSettings::default()).unwrap();
    grid.fill(|_| Cell::BLACK_WALL).unwrap();
    let signs = "%#######@";
    for (n, sign) in signs.chars().enumerate().skip(1) {
        let light = if n == 8 {
            64.0
        } else {
            1.0 / (1 << (7 - n)) as f32
        };
        let at = IVec2::new(n as i32, 0);
        let mut sources = grid.sources().to_vec();
        sources.push(Source::new(at, Vec3::splat(light)));
        grid.set_sources(&sources).unwrap();
        if sign == '@' {
            grid.set_cell(at, Cell::smoke(0.999)).unwrap();
        }
    }
    grid.step(1);
    assert_eq!(grid.dump().to_string(), format!("{signs}\n"));
    let mut open = LightGrid::gray(9, 1, LightSettings::default()).unwrap();
    let thin = Cell::smoke(0.999);
    open.fill(|_| thin).unwrap();
    open.set_sources(grid.sources()).unwrap();
    open.step(1);
    assert_eq!(open.dump().to_string(), " .:-=+*@@\n");
}

#[test]
fn cells_outside_grid_are_dark_and_opaque() {
    let grid = lit(6.0, &CORNER, &[lamp(1, 1)]);
    let ends = [i32::MIN, -1, 8, 12, i32::MAX];
    let cells = ends
        .into_iter()
        .flat_map(|x| ends.map(|y| IVec2::new(x, y)));
    let outside = cells.filter(|&cell| !grid.contains(cell));
    for cell in outside {
        let _case = Case::new(cell);
        assert_eq!(grid.light(cell), Vec3::ZERO);
        assert_eq!(grid.luminance(cell), 0.0);
        assert_eq!(grid.cell(cell), Cell::BLACK_WALL);
        assert!(grid.is_opaque(cell));
        assert_eq!(grid.region(cell), 0);
        assert_eq!(
            grid.band(cell, &LightBands::default(), None),
            LightBand::Hidden
        );
        grid.gradient(cell);
        grid.darkest_neighbor(cell);
        grid.glow(cell);
        let mut view = FieldOfView::new();
        grid.field_of_view(&mut view, cell, 3);
        assert!(!grid.is_seen(&view, IVec2::ONE, &LightBands::default(), LightBand::Dim));
    }
    assert_eq!(
        grid.clone().set_region(IVec2::new(12, 0), 1),
        Err(LightError::Outside {
            cell: IVec2::new(12, 0),
            width: 12,
            height: 8
        })
    );
}

#[test]
fn sizes_and_cells_are_returned() {
    let mut grid = LightGrid::new(7, 3, LightSettings::default()).unwrap();
    assert_eq!(
        (grid.width(), grid.height(), grid.size()),
        (7, 3, UVec2::new(7, 3))
    );
    assert!(
        !grid.is_gray()
            && LightGrid::gray(1, 1, LightSettings::default())
                .unwrap()
                .is_gray()
    );
    assert!(grid.cells().iter().all(|&cell| cell == Cell::OPEN));
    grid.fill(|cell| Cell::new(cell.x as f32 / 8.0, cell.y as f32 / 8.0))
        .unwrap();
    assert_eq!(grid.cell(IVec2::new(5, 2)), Cell::new(0.625, 0.25));
    assert_eq!(grid.cells()[2 * 7 + 5], Cell::new(0.625, 0.25));
    grid.set_region(IVec2::new(5, 2), 9).unwrap();
    assert_eq!(
        (grid.region(IVec2::new(5, 2)), grid.region(IVec2::new(4, 2))),
        (9, 0)
    );
    grid.set_ambient(9, Vec3::X).unwrap();
    assert_eq!(
        (grid.ambient(9), grid.ambient(8), grid.ambient(10)),
        (Vec3::X, Vec3::ZERO, Vec3::ZERO)
    );
}

#[test]
fn source_is_in_nearest_cell() {
    for (at, cell) in [
        (Vec2::new(2.0, 3.0), IVec2::new(2, 3)),
        (Vec2::new(2.4, 2.6), IVec2::new(2, 3)),
        (Vec2::new(-0.4, -0.6), IVec2::new(0, -1)),
        (Vec2::splat(f32::MAX), IVec2::MAX),
        (Vec2::splat(f32::MIN), IVec2::MIN),
    ] {
        assert_eq!(Source::at(at, Vec3::ONE).cell(), cell);
    }
    assert_eq!(
        Source::new(IVec2::new(4, 5), Vec3::ONE).cell(),
        IVec2::new(4, 5)
    );
}

#[test]
fn lights_equal_light_of_each_cell() {
    let mut rng = SceneRng::new(21);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        grid.step(10);
        let one_by_one: Vec<Vec3> = places(&grid).map(|cell| grid.light(cell)).collect();
        assert_eq!(grid.lights().collect::<Vec<_>>(), one_by_one, "grid {n}");
        let mut read = vec![Vec3::ONE; 3];
        let whole = grid.read_lights(UVec2::ZERO, grid.size(), &mut read);
        assert_eq!((whole, &read), (Ok(()), &one_by_one));
        let first = rng.place(&grid);
        let last = rng.place(&grid).max(first);
        let size = (last - first + 1).as_uvec2();
        grid.read_lights(first.as_uvec2(), size, &mut read).unwrap();
        let rows = (first.y..=last.y).flat_map(|y| (first.x..=last.x).map(move |x| (x, y)));
        let wanted: Vec<Vec3> = rows.map(|cell| grid.light(cell.into())).collect();
        assert_eq!(read, wanted, "grid {n}, {first} to {last}");
    }
}

#[test]
fn read_lights_rejects_rectangle_outside_grid() {
    let grid = LightGrid::new(9, 7, LightSettings::default()).unwrap();
    let mut read = vec![Vec3::ONE; 3];
    for (first, size) in [
        (UVec2::new(8, 0), UVec2::new(2, 1)),
        (UVec2::new(0, 7), UVec2::ONE),
        (UVec2::ZERO, UVec2::MAX),
        (UVec2::MAX, UVec2::ONE),
        (UVec2::new(12, 3), UVec2::new(0, 2)),
    ] {
        let error = grid.read_lights(first, size, &mut read).unwrap_err();
        assert!(matches!(error, LightError::Outside { .. }), "{error}");
    }
    assert_eq!(read, [Vec3::ONE; 3]);
    grid.read_lights(UVec2::new(4, 4), UVec2::new(0, 2), &mut read)
        .unwrap();
    assert!(read.is_empty());
}
