//! Tests that only apply to hexagonal grids. Tests for all neighborhoods are in the other modules.

use crate::common::{
    SceneRng, apart, brightest, lamp, lights, oracle::hexagon_middle, places, report::Case,
    scenes::any_grid_of,
};
use glam::DVec2;
use lanternfell_lightgrid::{
    Cell, Falloff, FieldOfView, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3,
    hexagonal,
};

/// Steps set light below this to zero.
const DARK: f32 = crate::common::oracle::DARK as f32;

fn settings(falloff: Falloff) -> LightSettings {
    LightSettings {
        neighborhood: Neighborhood::Hexagonal,
        falloff,
        direct: 0.0,
    }
}

/// A cell in any direction from (0, 0).
fn any_cell(rng: &mut SceneRng) -> IVec2 {
    let number = |rng: &mut SceneRng| rng.below(41) as i32 - 20;
    IVec2::new(number(rng), number(rng))
}

#[test]
fn steps_are_clockwise_from_north_east() {
    for cell in [(0, 0), (3, 1), (-2, -1), (-5, -4)].map(IVec2::from) {
        for (n, step) in hexagonal::steps(cell).into_iter().enumerate() {
            let way = hexagon_middle(cell + step) - hexagon_middle(cell);
            // y goes south, so angles increase clockwise.
            let wanted = DVec2::from_angle((n as f64 - 1.0) * core::f64::consts::FRAC_PI_3);
            assert!(way.distance(wanted) < 1e-9, "{cell}, step {n}: {way}");
        }
    }
}

#[test]
fn distance_is_least_number_of_steps() {
    let from = IVec2::new(7, 5);
    let mut reached = std::collections::BTreeMap::from([((from.y, from.x), 0)]);
    let mut cells = std::collections::VecDeque::from([(from, 0)]);
    while let Some((cell, steps)) = cells.pop_front() {
        for step in hexagonal::steps(cell) {
            let next = cell + step;
            if steps < 12 && !reached.contains_key(&(next.y, next.x)) {
                reached.insert((next.y, next.x), steps + 1);
                cells.push_back((next, steps + 1));
            }
        }
    }
    assert_eq!(reached.len(), 1 + 3 * 12 * 13);
    for (&(y, x), &steps) in &reached {
        assert_eq!(hexagonal::distance(from, IVec2::new(x, y)), steps);
    }
    assert_eq!(hexagonal::distance(IVec2::MIN, IVec2::MAX), u32::MAX);
}

#[test]
fn plane_conversions_are_inverse() {
    let mut rng = SceneRng::new(1);
    for _ in 0..2000 {
        let at = Vec2::new(rng.unit(), rng.unit()) * 40.0 - 20.0;
        let back = hexagonal::from_plane(hexagonal::to_plane(at));
        assert!(back.distance(at) < 1e-4, "{at}, {back}");
        let cell = any_cell(&mut rng);
        let place = hexagonal::to_plane(cell.as_vec2()).as_dvec2();
        assert!(place.distance(hexagon_middle(cell)) < 1e-5, "{cell}");
    }
}

#[test]
fn cell_at_is_nearest_cell() {
    let mut rng = SceneRng::new(2);
    for _ in 0..5000 {
        let at = Vec2::new(rng.unit(), rng.unit()) * 20.0 - 10.0;
        let place = hexagonal::to_plane(at).as_dvec2();
        let cell = hexagonal::cell_at(at);
        let away = hexagon_middle(cell).distance(place);
        for step in hexagonal::steps(cell) {
            let other = hexagon_middle(cell + step).distance(place);
            assert!(away <= other + 1e-5, "{at}: {cell}, {step}");
        }
    }
    for (at, cell) in [
        (Vec2::splat(f32::MAX), IVec2::MAX),
        (Vec2::splat(f32::MIN), IVec2::MIN),
        (Vec2::new(3.0, 5.0), IVec2::new(3, 5)),
    ] {
        assert_eq!(Neighborhood::Hexagonal.cell_at(at), cell);
    }
}

/// A cell rotated by sixths of a turn around a cell in an even row, optionally mirrored first.
fn turned(cell: IVec2, middle: IVec2, sixths: usize, mirrored: bool) -> IVec2 {
    // In axial coordinates, rotations and mirroring are integer sums.
    let row = cell.y - middle.y;
    let mut way = IVec2::new(cell.x - middle.x - (row >> 1), row);
    if mirrored {
        way = IVec2::new(way.y, way.x);
    }
    for _ in 0..sixths {
        way = IVec2::new(-way.y, way.x + way.y);
    }
    middle + IVec2::new(way.x + (way.y >> 1), way.y)
}

#[test]
fn rotating_or_mirroring_a_scene_transforms_its_light() {
    let mut rng = SceneRng::new(3);
    let middle = IVec2::new(14, 14);
    let within = |cell, cells| hexagonal::distance(cell, middle) <= cells;
    for n in 0..20 {
        let falloff = Falloff::Decay(rng.one_of(&[0.004, 0.05, 0.3]));
        let mut grid = any_grid_of(&mut rng, 29, 29, settings(falloff));
        let cells = grid.cells().to_vec();
        let cell = |at: IVec2| cells[(at.y * 29 + at.x) as usize];
        grid.fill(|at| {
            if within(at, 11) {
                cell(at)
            } else {
                Cell::BLACK_WALL
            }
        })
        .unwrap();
        let mut lamps = Vec::new();
        while lamps.len() < 4 {
            let at = rng.place(&grid);
            if within(at, 10) {
                lamps.push(Source::new(at, 2.0 * rng.color() - 0.2));
            }
        }
        grid.set_sources(&lamps).unwrap();
        for region in 0..=255 {
            grid.set_ambient(region, Vec3::ZERO).unwrap();
        }
        for image in 1..12 {
            let of = |cell| turned(cell, middle, image % 6, image >= 6);
            let mut other = grid.clone();
            other.fill(|_| Cell::BLACK_WALL).unwrap();
            for at in places(&grid).filter(|&cell| within(cell, 11)) {
                other.set_cell(of(at), grid.cell(at)).unwrap();
            }
            let images = lamps
                .iter()
                .map(|lamp| Source::new(of(lamp.cell()), lamp.light));
            other.set_sources(&images.collect::<Vec<_>>()).unwrap();
            let mut grid = grid.clone();
            for settles in [false, false, true] {
                for grid in [&mut grid, &mut other] {
                    if settles {
                        grid.settle(1e-3);
                    } else {
                        grid.step(9);
                    }
                }
                let inside = places(&grid).filter(|&cell| within(cell, 12));
                let (a, b): (Vec<Vec3>, Vec<Vec3>) = inside
                    .map(|cell| (grid.light(cell), other.light(of(cell))))
                    .unzip();
                let most = brightest(&a).max_element();
                let allowed = if settles { 2.1e-3 } else { 2.0 * DARK } + 1e-6 * most;
                let apart = apart(&a, &b);
                assert!(
                    apart <= allowed,
                    "grid {n}, image {image}, {settles}: {apart}"
                );
            }
        }
    }
}

/// The largest relative difference of the light from that along an axis at the same distance, for
/// cells from 4 to 12 cells away from a lamp.
fn unevenness(neighborhood: Neighborhood) -> f32 {
    let settings = LightSettings {
        neighborhood,
        ..settings(Falloff::Decay(0.05))
    };
    let mut grid = LightGrid::gray(81, 81, settings).unwrap();
    let middle = IVec2::splat(40);
    // As strong as allowed, so that the tolerance is a small part of the light.
    grid.set_sources(&[Source::new(middle, Vec3::splat(Source::MAX_LIGHT))])
        .unwrap();
    grid.settle(1e-6);
    // The light is approximately an exponential function divided by the square root of the
    // distance. The rest is interpolated with a cubic polynomial.
    let log = |light: f32, away: f32| libm::log(f64::from(light) * f64::from(away).sqrt());
    let along = |n: usize| log(grid.light(middle + IVec2::new(n as i32, 0)).x, n as f32);
    let place = |cell: IVec2| neighborhood.to_plane(cell.as_vec2());
    let mut most = 0.0_f32;
    for cell in places(&grid) {
        let away = place(cell).distance(place(middle));
        if (4.0..=12.0).contains(&away) {
            let (near, part) = (away as usize, away.fract());
            let t = f64::from(part);
            let weights = [
                -t * (t - 1.0) * (t - 2.0) / 6.0,
                (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0,
                -(t + 1.0) * t * (t - 2.0) / 2.0,
                (t + 1.0) * t * (t - 1.0) / 6.0,
            ];
            let axis = weights
                .iter()
                .zip(near - 1..)
                .map(|(weight, n)| weight * along(n));
            let off = log(grid.light(cell).x, away) - axis.sum::<f64>();
            most = most.max(off.abs() as f32);
        }
    }
    most
}

#[test]
fn light_is_nearly_round() {
    let uneven = Neighborhood::ALL.map(unevenness);
    for (found, wanted) in uneven.into_iter().zip([0.0639, 0.0432, 0.0009, 0.0015]) {
        assert!((found - wanted).abs() < 0.0002, "{uneven:?}");
    }
}

#[test]
fn neighbors_of_lamp_have_expected_light() {
    for y in [20, 21] {
        let mut grid = LightGrid::gray(41, 41, settings(Falloff::Radius(6.0))).unwrap();
        let middle = IVec2::new(20, y);
        grid.set_sources(&[lamp(20, y)]).unwrap();
        grid.settle(1e-6);
        let mut found: Vec<(u32, f32)> = places(&grid)
            .map(|cell| (hexagonal::distance(cell, middle), grid.light(cell).x))
            .filter(|(away, _)| (1..=2).contains(away))
            .collect();
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let kinds = [&found[..6], &found[6..12], &found[12..]];
        for kind in kinds {
            assert_eq!(kind.len(), 6);
            assert!(kind[5].1 - kind[0].1 < 1e-5, "{kind:?}");
        }
        assert!(kinds[2][0].1 > kinds[1][5].1 * 1.01);
    }
}

#[test]
fn gradient_of_linear_light_is_exact() {
    let slope = DVec2::new(0.02, -0.03);
    let mut grid = LightGrid::gray(9, 9, settings(Falloff::Decay(1.0))).unwrap();
    let lamps = places(&grid).map(|cell| {
        let light = 0.5 + slope.dot(hexagon_middle(cell) - hexagon_middle(IVec2::splat(4)));
        Source::new(cell, Vec3::splat(light as f32))
    });
    grid.set_sources(&lamps.collect::<Vec<_>>()).unwrap();
    grid.step(1);
    // Without walls, with one wall, and with one blocked axis, in even and odd rows.
    for cell in [IVec2::new(4, 4), IVec2::new(3, 5)] {
        for walls in [&[][..], &[0], &[1, 4], &[0, 5, 3]] {
            let mut grid = grid.clone();
            for &wall in walls {
                grid.set_cell(cell + hexagonal::steps(cell)[wall], Cell::WALL)
                    .unwrap();
            }
            let found = grid.gradient(cell).as_dvec2();
            assert!(found.distance(slope) < 1e-6, "{cell}, {walls:?}: {found}");
        }
        for wall in [0, 2, 3, 5] {
            let wall = cell + hexagonal::steps(cell)[wall];
            grid.set_cell(wall, Cell::WALL).unwrap();
        }
        let along = grid.gradient(cell).as_dvec2();
        let wanted = DVec2::new(slope.x, 0.0);
        assert!(along.distance(wanted) < 1e-6, "in a corridor: {along}");
        grid.fill(|_| Cell::OPEN).unwrap();
    }
}

#[test]
fn darkest_neighbor_of_equal_cells_is_first() {
    let mut grid = LightGrid::new(5, 5, settings(Falloff::Radius(4.0))).unwrap();
    let cell = IVec2::new(2, 2);
    for step in hexagonal::steps(cell) {
        assert_eq!(grid.darkest_neighbor(cell), Some(cell + step));
        grid.set_cell(cell + step, Cell::WALL).unwrap();
    }
    assert_eq!(grid.darkest_neighbor(cell), None);
}

#[test]
fn glow_has_plane_direction_and_source() {
    let mut grid = LightGrid::new(21, 21, settings(Falloff::Radius(10.0))).unwrap();
    grid.set_sources(&[lamp(10, 10)]).unwrap();
    grid.settle(1e-5);
    for (n, step) in hexagonal::steps(IVec2::splat(10)).into_iter().enumerate() {
        let glow = grid.glow(IVec2::splat(10) + step).unwrap();
        assert_eq!((glow.source, glow.brightest), (Some(0), IVec2::splat(10)));
        let angle = (n as f32 + 2.0) * core::f32::consts::FRAC_PI_3;
        let apart = glow.direction.distance(Vec2::from_angle(angle));
        assert!(apart < 1e-5, "{n}: {}", glow.direction);
    }
}

#[test]
fn grid_uses_hexagonal_lines_for_sight_and_straight_light() {
    let mut rng = SceneRng::new(6);
    for n in 0..20 {
        let settings = LightSettings {
            direct: 1.0,
            ..settings(Falloff::Radius(30.0))
        };
        let mut grid = LightGrid::gray(24, 24, settings).unwrap();
        let cell = |_| {
            if rng.chance(0.2) {
                Cell::WALL
            } else {
                Cell::OPEN
            }
        };
        grid.fill(cell).unwrap();
        let at = rng.place(&grid);
        grid.set_cell(at, Cell::OPEN).unwrap();
        grid.set_sources(&[Source::new(at, Vec3::ONE)]).unwrap();
        grid.step(1);
        let (mut view, mut wanted) = (FieldOfView::new(), FieldOfView::new());
        grid.field_of_view(&mut view, at, 100);
        wanted.compute_hexagonal(at, 100, |cell| grid.is_opaque(cell));
        assert_eq!(view, wanted, "grid {n}");
        for cell in places(&grid) {
            let is_lit = grid.light(cell).x > 0.0;
            assert_eq!(is_lit, view.contains(cell), "grid {n}: {cell}");
            if !grid.is_opaque(cell) {
                let is_free = grid.line_of_sight(at, cell);
                assert_eq!(is_free, view.contains(cell), "grid {n}: {cell}");
            }
        }
    }
}

#[test]
fn glass_tints_straight_light() {
    let settings = LightSettings {
        direct: 1.0,
        ..settings(Falloff::Radius(12.0))
    };
    let mut grid = LightGrid::new(15, 15, settings).unwrap();
    let (from, to, color) = (IVec2::new(3, 2), IVec2::new(7, 9), Vec3::new(1.0, 0.5, 0.0));
    grid.set_sources(&[Source::new(from, Vec3::ONE)]).unwrap();
    grid.step(1);
    let open = grid.light(to);
    for cell in places(&grid).filter(|&cell| cell != from && cell != to) {
        grid.set_cell(cell, Cell::glass(color)).unwrap();
        grid.step(1);
        let is_between = hexagonal::line(from, to).any(|on_it| on_it == cell);
        let wanted = if is_between { open * color } else { open };
        assert!(
            (grid.light(to) - wanted).abs().max_element() < 1e-6,
            "{cell}"
        );
        grid.set_cell(cell, Cell::OPEN).unwrap();
    }
}

#[test]
fn dump_indents_odd_rows() {
    let mut grid = LightGrid::new(7, 5, settings(Falloff::Radius(3.0))).unwrap();
    grid.fill(|cell| if cell.x == 5 { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    grid.set_sources(&[lamp(2, 2)]).unwrap();
    grid.settle(1e-4);
    let dump = grid.dump().to_string();
    let wanted = [
        "- - = - - #  ",
        " - = = - : %  ",
        "- = @ = - #  ",
        " - = = - : %  ",
        "- - = - - #  ",
    ];
    assert_eq!(dump.lines().collect::<Vec<_>>(), wanted, "\n{dump}");
}

#[test]
fn hexagonal_grid_can_be_saved() {
    let mut rng = SceneRng::new(4);
    let mut grid = any_grid_of(&mut rng, 30, 20, settings(Falloff::Radius(6.0)));
    grid.step(9);
    let text = ron::to_string(&grid).unwrap();
    assert!(text.contains("neighborhood:Hexagonal"), "{text}");
    let mut loaded: LightGrid = ron::from_str(&text).unwrap();
    for grid in [&mut grid, &mut loaded] {
        grid.step(9);
        grid.settle(1e-3);
    }
    crate::common::report::assert_same_light(&grid, &loaded, "loaded");
}

#[test]
fn neighborhood_can_change_to_hexagons_and_back() {
    let mut rng = SceneRng::new(5);
    for n in 0..10 {
        let _case = Case::new(format_args!("grid {n}"));
        let direct = rng.one_of(&[0.0, 0.5]);
        let rule = |neighborhood| LightSettings {
            neighborhood,
            falloff: Falloff::Radius(8.0),
            direct,
        };
        let all = [Neighborhood::Isotropic, Neighborhood::Hexagonal];
        let mut grid = any_grid_of(&mut rng, 40, 30, rule(all[0]));
        let fresh = all.map(|neighborhood| {
            let mut fresh = grid.clone();
            fresh.set_settings(rule(neighborhood)).unwrap();
            fresh.settle(1e-4);
            lights(&fresh)
        });
        for (n, neighborhood) in [0, 1, 0, 1].map(|n| (n, all[n])) {
            grid.set_settings(rule(neighborhood)).unwrap();
            assert!(grid.settle(1e-4).at_rest);
            assert!(apart(&lights(&grid), &fresh[n]) < 4e-4);
        }
    }
}
