//! Fields of view and lines of sight on hexagons, against their definition, against each other, and
//! against their documentation.

use std::cell::Cell;

use glam::{I64Vec2, IVec2, ivec2};
use lanternfell_lightgrid::{FieldOfView, hexagonal};
use lanternfell_random::SplitMix64;
use proptest::prelude::*;

/// Opaque with the given probability in percent, everywhere in the plane.
fn scattered(seed: u64, percent: u32) -> impl Fn(IVec2) -> bool {
    move |IVec2 { x, y }| {
        let place = u64::from(x as u32) << 32 | u64::from(y as u32);
        let mut rng = SplitMix64::new(seed ^ place);
        rng.below(100) < percent
    }
}

/// The center of a hexagon, with x in half cells and y in rows.
fn middle(cell: IVec2) -> I64Vec2 {
    I64Vec2::new(2 * i64::from(cell.x) + i64::from(cell.y & 1), cell.y.into())
}

/// The squared length of a vector between such points, in half cells.
fn squared(way: I64Vec2) -> i64 {
    way.x * way.x + 3 * way.y * way.y
}

fn in_disc(from: IVec2, to: IVec2, radius: u32) -> bool {
    let radius = i64::from(radius);
    squared(middle(to) - middle(from)) <= 4 * (radius * radius + radius)
}

/// For each step of the line between two cells, the nearest cell, or the two equally near ones.
/// Found by testing all cells around.
fn nearest_along(from: IVec2, to: IVec2) -> Vec<Vec<IVec2>> {
    if from == to {
        return vec![vec![from]];
    }
    let steps = i64::from(hexagonal::distance(from, to));
    let (start, way) = (middle(from), middle(to) - middle(from));
    let around = |n: i64| {
        // In fractions of a half cell, so that all numbers are integers.
        let place = start * steps + way * n;
        let near = (place / (2 * steps)).as_ivec2();
        let row = (place.y / steps) as i32;
        let cells =
            (row - 2..=row + 2).flat_map(|y| (near.x - 3..=near.x + 3).map(move |x| ivec2(x, y)));
        let away = |cell: &IVec2| squared(middle(*cell) * steps - place);
        let least = cells.clone().map(|cell| away(&cell)).min().unwrap();
        cells.filter(|cell| away(cell) == least).collect()
    };
    (0..=steps).map(around).collect()
}

/// Whether the line between two cells is free, by its documented definition.
fn is_free(from: IVec2, to: IVec2, is_opaque: &impl Fn(IVec2) -> bool) -> bool {
    let way = middle(to) - middle(from);
    let cells = nearest_along(from, to);
    let mut walls = [false; 2];
    for nearest in &cells[1..cells.len().max(2) - 1] {
        match nearest[..] {
            [cell] if is_opaque(cell) => return false,
            [_] => {}
            [_, _] => {
                for cell in nearest.iter().filter(|&&cell| is_opaque(cell)) {
                    let is_left = way.perp_dot(middle(*cell) - middle(from)) > 0;
                    walls[usize::from(is_left)] = true;
                }
            }
            _ => panic!("more than two equally near cells"),
        }
    }
    walls != [true; 2]
}

fn cells_around(origin: IVec2, far: i32) -> impl Iterator<Item = IVec2> {
    (-far..=far).flat_map(move |y| (-far..=far).map(move |x| origin + ivec2(x, y)))
}

#[test]
fn view_matches_definition_of_lines() {
    for seed in 0..40 {
        let is_opaque = scattered(seed, 2 + seed as u32);
        for origin in [ivec2(0, 0), ivec2(3, 7), ivec2(-4, -3)] {
            let mut view = FieldOfView::new();
            view.compute_hexagonal(origin, 30, &is_opaque);
            for cell in cells_around(origin, 14).filter(|&cell| !is_opaque(cell)) {
                let wanted = is_free(origin, cell, &is_opaque);
                let what = format!("seed {seed}, {origin} {cell}");
                assert_eq!(view.contains(cell), wanted, "{what}");
                let free = hexagonal::line_of_sight(origin, cell, &is_opaque);
                assert_eq!(free, wanted, "{what}");
                let back = hexagonal::line_of_sight(cell, origin, &is_opaque);
                assert_eq!(back, wanted, "{what}");
            }
        }
    }
}

#[test]
fn visibility_is_symmetric() {
    for seed in 0..40 {
        let is_opaque = scattered(seed, 5 + seed as u32);
        let radius = 3 + seed as u32 % 9;
        let open: Vec<IVec2> = cells_around(ivec2(5, 5), 6)
            .filter(|&cell| !is_opaque(cell))
            .collect();
        let look = |&cell: &IVec2| {
            let mut view = FieldOfView::new();
            view.compute_hexagonal(cell, radius, &is_opaque);
            view
        };
        let views: Vec<FieldOfView> = open.iter().map(look).collect();
        for (from, here) in open.iter().zip(&views) {
            for (to, there) in open.iter().zip(&views) {
                assert_eq!(here.contains(*to), there.contains(*from), "{from} {to}");
            }
        }
    }
}

#[test]
fn open_plane_shows_disc() {
    let mut view = FieldOfView::new();
    for (radius, expected) in [(0, 1), (1, 7), (2, 19), (3, 43), (8, 253)] {
        for origin in [ivec2(-7, 1000), ivec2(4, -3)] {
            view.compute_hexagonal(origin, radius, |_| false);
            let disc = cells_around(origin, 2 * radius as i32 + 3)
                .filter(|&cell| in_disc(origin, cell, radius));
            assert_eq!(view.cells().collect::<Vec<_>>(), disc.collect::<Vec<_>>());
            assert_eq!(view.len(), expected, "radius {radius}");
            assert_eq!(view.origin(), origin);
        }
    }
}

#[test]
fn ring_of_walls_hides_everything_behind_it() {
    for origin in [ivec2(0, 0), ivec2(5, 3)] {
        for radius in 1..20 {
            let mut view = FieldOfView::new();
            let away = |cell| hexagonal::distance(origin, cell);
            view.compute_hexagonal(origin, 40, |cell| away(cell) >= radius);
            assert_eq!(view.len() as u32, 1 + 3 * radius * (radius + 1), "{radius}");
            assert!(view.cells().all(|cell| away(cell) <= radius));
        }
    }
}

#[test]
fn cells_are_rarely_tested_twice_and_inside_disc() {
    let asked = Cell::new(0);
    let origin = ivec2(3, -5);
    let mut view = FieldOfView::new();
    view.compute_hexagonal(origin, 50, |cell| {
        assert!(in_disc(origin, cell, 50) && cell != origin);
        asked.set(asked.get() + 1);
        false
    });
    assert!(asked.get() < view.len() * 21 / 20, "{}", asked.get());
}

#[test]
fn sight_passes_along_walls_but_not_between_them() {
    // Straight to the south, the line runs along the edge between (-1, 1) and (0, 1).
    let (from, to) = (ivec2(0, 0), ivec2(0, 4));
    let free = |walls: &[(i32, i32)]| {
        let is_opaque = |cell: IVec2| walls.contains(&cell.into());
        hexagonal::line_of_sight(from, to, is_opaque)
    };
    assert!(free(&[]) && free(&[(0, 1)]) && free(&[(-1, 1)]));
    assert!(free(&[(0, 1), (0, 3)]) && free(&[(-1, 1), (-1, 3)]));
    assert!(!free(&[(0, 1), (-1, 1)]) && !free(&[(0, 1), (-1, 3)]));
    assert!(!free(&[(0, 2)]));
}

#[test]
fn view_has_kind_of_last_computation() {
    let (mut view, mut hexagons, mut squares) =
        (FieldOfView::new(), FieldOfView::new(), FieldOfView::new());
    let is_opaque = scattered(7, 20);
    for radius in [5, 5, 9, 6] {
        hexagons.compute_hexagonal(ivec2(2, 3), radius, &is_opaque);
        squares.compute(ivec2(2, 3), radius, &is_opaque);
        for _ in 0..2 {
            view.compute_hexagonal(ivec2(2, 3), radius, &is_opaque);
            assert_eq!(view, hexagons);
            view.compute(ivec2(2, 3), radius, &is_opaque);
            assert!(view.cells().eq(squares.cells()));
        }
    }
}

#[test]
fn maximum_radius_is_cut_off_at_i32_limits() {
    let mut view = FieldOfView::new();
    for origin in [IVec2::MIN, IVec2::MAX, ivec2(i32::MIN, i32::MAX)] {
        view.compute_hexagonal(origin, u32::MAX, |_| false);
        assert!(view.contains(origin), "{origin}");
        assert!(view.contains(origin - origin.signum() * 1000), "{origin}");
        assert!(!view.contains(ivec2(!origin.x, origin.y)), "{origin}");
    }
    hexagonal::line(IVec2::MIN, IVec2::MAX)
        .take(1000)
        .for_each(drop);
    assert_eq!(hexagonal::line(IVec2::MAX, IVec2::MAX).count(), 1);
    assert!(!hexagonal::line_of_sight(IVec2::MIN, IVec2::MAX, |cell| {
        cell.y == i32::MIN + 3
    }));
}

#[test]
fn line_to_itself_is_one_cell() {
    for cell in [IVec2::ZERO, ivec2(3, -4), ivec2(-7, 5)] {
        assert!(hexagonal::line(cell, cell).eq([cell]), "{cell}");
        assert!(hexagonal::line_of_sight(cell, cell, |_| true), "{cell}");
    }
}

#[test]
fn worst_case_patterns_end_soon() {
    let patterns: [fn(IVec2) -> bool; 4] = [
        |cell| (cell.x ^ cell.y) & 1 == 1,
        |cell| cell.x & cell.y & 1 == 1,
        |cell| cell.x.rem_euclid(7) == 3 && cell.y.rem_euclid(7) == 3,
        |cell| (cell.x * 31 + cell.y * 17).rem_euclid(400) == 1,
    ];
    for (pattern, is_opaque) in patterns.into_iter().enumerate() {
        let asked = Cell::new(0_u64);
        let mut view = FieldOfView::new();
        view.compute_hexagonal(IVec2::ZERO, 1000, |cell| {
            asked.set(asked.get() + 1);
            is_opaque(cell)
        });
        assert!(
            asked.get() < 4_000_000,
            "pattern {pattern}: {}",
            asked.get()
        );
    }
}

proptest! {
    #[test]
    fn radius_only_limits_view(
        seed: u64, percent in 0_u32..60, radius in 0_u32..40, x in -99..99, y in -99..99,
    ) {
        let (is_opaque, origin) = (scattered(seed, percent), ivec2(x, y));
        let (mut near, mut far) = (FieldOfView::new(), FieldOfView::new());
        near.compute_hexagonal(origin, radius, &is_opaque);
        far.compute_hexagonal(origin, 2 * radius + 20, &is_opaque);
        let cut = far.cells().filter(|&cell| in_disc(origin, cell, radius));
        prop_assert_eq!(near.cells().collect::<Vec<_>>(), cut.collect::<Vec<_>>());
    }

    #[test]
    fn lines_have_nearest_cells_in_both_directions(
        x in -300..300, y in -300..300, dx in -60_i32..60, dy in -60_i32..60,
    ) {
        let (from, to) = (ivec2(x, y), ivec2(x + dx, y + dy));
        let cells: Vec<_> = hexagonal::line(from, to).collect();
        let wanted = nearest_along(from, to).into_iter();
        let first = |cells: Vec<IVec2>| cells.into_iter().min_by_key(|cell| (cell.y, cell.x));
        prop_assert_eq!(&cells, &wanted.filter_map(first).collect::<Vec<_>>());
        prop_assert_eq!((cells[0], cells[cells.len() - 1]), (from, to));
        let mut back: Vec<_> = hexagonal::line(to, from).collect();
        back.reverse();
        prop_assert_eq!(&back, &cells);
        for pair in cells.windows(2) {
            prop_assert_eq!(hexagonal::distance(pair[0], pair[1]), 1);
        }
    }
}
