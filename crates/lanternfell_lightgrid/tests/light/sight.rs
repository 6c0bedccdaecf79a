//! Fields of view and lines of sight against the published algorithm, against each other, and
//! against their documentation.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use glam::{IVec2, ivec2};
use lanternfell_lightgrid::{FieldOfView, line, line_of_sight};
use lanternfell_random::SplitMix64;
use proptest::prelude::*;

/// More than the diagonal of any map here.
const FAR: u32 = 90;

/// A map with walls. Everything outside of it is opaque.
struct Map {
    width: i32,
    height: i32,
    walls: Vec<bool>,
}

impl Map {
    fn new(width: i32, height: i32, mut is_wall: impl FnMut(IVec2) -> bool) -> Self {
        let walls = every_cell(width, height).map(&mut is_wall).collect();
        Self {
            width,
            height,
            walls,
        }
    }

    fn from_rows(rows: &[&str]) -> Self {
        let is_wall = |cell: IVec2| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'#';
        Self::new(rows[0].len() as i32, rows.len() as i32, is_wall)
    }

    fn is_inside(&self, cell: IVec2) -> bool {
        (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y)
    }

    fn is_opaque(&self, cell: IVec2) -> bool {
        !self.is_inside(cell) || self.walls[(cell.y * self.width + cell.x) as usize]
    }

    fn cells(&self) -> impl Iterator<Item = IVec2> + use<> {
        every_cell(self.width, self.height)
    }

    fn open_cells(&self) -> Vec<IVec2> {
        self.cells().filter(|&cell| !self.is_opaque(cell)).collect()
    }

    fn view(&self, origin: IVec2, radius: u32) -> FieldOfView {
        let mut view = FieldOfView::new();
        view.compute(origin, radius, |cell| self.is_opaque(cell));
        view
    }

    /// The visible cells on the map.
    fn seen(&self, origin: IVec2) -> BTreeSet<(i32, i32)> {
        let view = self.view(origin, FAR);
        view.cells()
            .filter(|&cell| self.is_inside(cell))
            .map(Into::into)
            .collect()
    }

    /// The visible cells according to the crate that implements the published algorithm.
    fn published(&self, (x, y): (i32, i32)) -> BTreeSet<(i32, i32)> {
        let narrow = |(x, y): (isize, isize)| ivec2(x as i32, y as i32);
        let mut seen = BTreeSet::new();
        symmetric_shadowcasting::compute_fov(
            (x as isize, y as isize),
            &mut |cell| self.is_opaque(narrow(cell)),
            &mut |cell| {
                if self.is_inside(narrow(cell)) {
                    seen.insert(narrow(cell).into());
                }
            },
        );
        seen
    }

    /// The rows of the map, with blanks for cells that are not visible.
    fn picture(&self, view: &FieldOfView) -> Vec<String> {
        let sign = |cell| match (view.contains(cell), self.is_opaque(cell)) {
            _ if cell == view.origin() => '@',
            (true, true) => '#',
            (true, false) => '.',
            (false, _) => ' ',
        };
        let row = |y| (0..self.width).map(|x| sign(ivec2(x, y))).collect();
        (0..self.height).map(row).collect()
    }
}

fn every_cell(width: i32, height: i32) -> impl Iterator<Item = IVec2> {
    (0..height).flat_map(move |y| (0..width).map(move |x| ivec2(x, y)))
}

/// Scattered walls with a density up to 60 %, lattices with gaps, or mazes with narrow corridors.
fn random_map(rng: &mut SplitMix64, largest: u32) -> Map {
    let (width, height) = (1 + rng.below(largest) as i32, 1 + rng.below(largest) as i32);
    let kind = rng.below(5);
    let percent = rng.below(61);
    Map::new(width, height, |IVec2 { x, y }| {
        let wall = rng.below(100) < percent;
        match kind {
            0 => (x % 2 == 1 && y % 2 == 1) || ((x % 2 == 1 || y % 2 == 1) && wall),
            1 => (x % 5 == 0 || y % 5 == 0) && !wall,
            _ => wall,
        }
    })
}

/// Opaque with the given probability in percent, everywhere in the plane.
fn scattered(seed: u64, percent: u32) -> impl Fn(IVec2) -> bool {
    move |IVec2 { x, y }| {
        let place = u64::from(x as u32) << 32 | u64::from(y as u32);
        let mut rng = SplitMix64::new(seed ^ place);
        rng.below(100) < percent
    }
}

fn in_disc(offset: IVec2, radius: u32) -> bool {
    let (offset, radius) = (offset.as_i64vec2(), i64::from(radius));
    offset.length_squared() <= radius * radius + radius
}

#[test]
fn view_matches_published_algorithm() {
    let mut rng = SplitMix64::new(1);
    for case in 0..4000 {
        let map = random_map(&mut rng, 28);
        let origin = ivec2(
            rng.below(map.width as u32) as i32,
            rng.below(map.height as u32) as i32,
        );
        assert_eq!(
            map.seen(origin),
            map.published(origin.into()),
            "case {case}, {origin}"
        );
    }
    // Rows of more than one word.
    for case in 0..40 {
        let map = random_map(&mut rng, 180);
        let origin = ivec2(map.width, map.height) / 2;
        let mut view = FieldOfView::new();
        view.compute(origin, 300, |cell| map.is_opaque(cell));
        let seen = view
            .cells()
            .filter(|&cell| map.is_inside(cell))
            .map(Into::into)
            .collect();
        assert_eq!(map.published(origin.into()), seen, "case {case}");
    }
}

#[test]
fn visibility_is_symmetric() {
    let mut rng = SplitMix64::new(2);
    for _ in 0..60 {
        let map = random_map(&mut rng, 18);
        let radius = 1 + rng.below(20);
        let open = map.open_cells();
        let views: Vec<_> = open.iter().map(|&cell| map.view(cell, radius)).collect();
        for (from, here) in open.iter().zip(&views) {
            for (to, there) in open.iter().zip(&views) {
                assert_eq!(here.contains(*to), there.contains(*from), "{from} {to}");
            }
        }
    }
}

#[test]
fn line_of_sight_matches_view() {
    let mut rng = SplitMix64::new(3);
    for _ in 0..150 {
        let map = random_map(&mut rng, 20);
        let open = map.open_cells();
        for &from in &open {
            let view = map.view(from, FAR);
            for &to in &open {
                let free = line_of_sight(from, to, |cell| map.is_opaque(cell));
                let back = line_of_sight(to, from, |cell| map.is_opaque(cell));
                assert_eq!(
                    free,
                    view.contains(to),
                    "{from} {to} {:#?}",
                    map.picture(&view)
                );
                assert_eq!(free, back, "{from} {to}");
            }
        }
    }
}

#[test]
fn rotating_or_mirroring_map_transforms_view() {
    let turns = |IVec2 { x, y }: IVec2| [ivec2(x, y), ivec2(-y, x), ivec2(-x, -y), ivec2(y, -x)];
    let mut turned = FieldOfView::new();
    for seed in 0..40 {
        let is_opaque = scattered(seed, 5 + seed as u32);
        let mut view = FieldOfView::new();
        view.compute(IVec2::ZERO, 24, &is_opaque);
        for mirror in [ivec2(1, 1), ivec2(-1, 1)] {
            for turn in 0..4 {
                let back = |cell: IVec2| turns(cell)[(4 - turn) % 4] * mirror;
                turned.compute(IVec2::ZERO, 24, |cell| is_opaque(back(cell)));
                assert_eq!(
                    turned.len(),
                    view.len(),
                    "seed {seed}, turned {turn} times, mirrored by {mirror}"
                );
                assert!(
                    turned.cells().all(|cell| view.contains(back(cell))),
                    "seed {seed}, turned {turn} times, mirrored by {mirror}"
                );
            }
        }
    }
}

#[test]
fn open_plane_shows_disc() {
    let mut view = FieldOfView::new();
    assert!(view.is_empty() && view.cells().next().is_none());
    assert!(!view.contains(IVec2::ZERO));
    for (radius, expected) in [(0, 1), (1, 9), (2, 21), (3, 37), (8, 225), (200, 126309)] {
        let origin = ivec2(-7, 1000);
        view.compute(origin, radius, |_| false);
        let side = 2 * radius as i32 + 9;
        let disc = every_cell(side, side)
            .map(|cell| cell - IVec2::splat(side / 2))
            .filter(|&offset| in_disc(offset, radius))
            .map(|offset| origin + offset);
        assert_eq!(
            view.cells().collect::<Vec<_>>(),
            disc.collect::<Vec<_>>(),
            "radius {radius}"
        );
        assert_eq!(view.len(), expected, "radius {radius}");
        assert!(!view.is_empty(), "radius {radius}");
        assert_eq!(view.origin(), origin, "radius {radius}");
    }
}

#[test]
fn cells_are_tested_once_and_inside_disc() {
    let asked = Cell::new(0);
    let origin = ivec2(3, -5);
    let mut view = FieldOfView::new();
    view.compute(origin, 50, |cell| {
        assert!(in_disc(cell - origin, 50) && cell != origin);
        asked.set(asked.get() + 1);
        false
    });
    assert!(
        asked.get() < view.len() * 21 / 20,
        "{} of {}",
        asked.get(),
        view.len()
    );
}

proptest! {
    #[test]
    fn radius_only_limits_view(
        seed: u64, percent in 0_u32..60, radius in 0_u32..40, x in -99..99, y in -99..99,
    ) {
        let (is_opaque, origin) = (scattered(seed, percent), ivec2(x, y));
        let (mut near, mut far) = (FieldOfView::new(), FieldOfView::new());
        near.compute(origin, radius, &is_opaque);
        far.compute(origin, 2 * radius + 20, &is_opaque);
        let cut: Vec<_> = far.cells().filter(|&cell| in_disc(cell - origin, radius)).collect();
        prop_assert_eq!(near.len(), cut.len());
        prop_assert_eq!(near.cells().collect::<Vec<_>>(), cut);
    }

    #[test]
    fn reused_view_equals_new_view(
        seed: u64, looks in prop::collection::vec((-50..50, -50..50, 0_u32..80, 0_u32..60), 1..6),
    ) {
        let mut old = FieldOfView::new();
        for (x, y, radius, percent) in looks {
            let mut new = FieldOfView::new();
            old.compute(ivec2(x, y), radius, scattered(seed, percent));
            new.compute(ivec2(x, y), radius, scattered(seed, percent));
            prop_assert_eq!(&old, &new);
            prop_assert!(old.cells().all(|cell| new.contains(cell)));
            prop_assert_eq!(old.cells().count(), new.len());
        }
    }

    #[test]
    fn view_is_cut_off_at_i32_limits(
        seed: u64, percent in 0_u32..50, x in 0_i32..30, y in 0_i32..30, radius in 0_u32..40,
    ) {
        let is_opaque = scattered(seed, percent);
        let (mut end, mut middle) = (FieldOfView::new(), FieldOfView::new());
        middle.compute(IVec2::ZERO, radius, &is_opaque);
        for (corner, inwards) in [
            (IVec2::MAX, ivec2(-x, -y)),
            (IVec2::MIN, ivec2(x, y)),
            (ivec2(i32::MAX, i32::MIN), ivec2(-x, y)),
            (ivec2(i32::MIN, i32::MAX), ivec2(x, -y)),
        ] {
            let origin = corner + inwards;
            let place = |offset: IVec2| {
                let (x, y) = (origin.x.checked_add(offset.x), origin.y.checked_add(offset.y));
                Some(ivec2(x?, y?))
            };
            end.compute(origin, radius, |cell| is_opaque(cell - origin));
            let cut: Vec<_> = middle.cells().filter_map(place).collect();
            prop_assert!(cut.iter().all(|&cell| end.contains(cell)));
            prop_assert_eq!(end.cells().collect::<Vec<_>>(), cut);
            // There is nothing beyond the limits of i32.
            prop_assert!(!end.contains(ivec2(!corner.x, origin.y)));
        }
    }

    #[test]
    fn lines_have_nearest_cells_in_both_directions(
        x in -300..300, y in -300..300, dx in -90_i32..90, dy in -90_i32..90,
    ) {
        let (from, to) = (ivec2(x, y), ivec2(x + dx, y + dy));
        let cells: Vec<_> = line(from, to).collect();
        let steps = dx.abs().max(dy.abs());
        prop_assert_eq!(cells.len() as i32, steps + 1);
        prop_assert_eq!((cells[0], cells[cells.len() - 1]), (from, to));
        let mut back: Vec<_> = line(to, from).collect();
        back.reverse();
        prop_assert_eq!(&back, &cells);
        for (step, &cell) in (0..).zip(&cells) {
            // At most half a cell from the line; if exactly half, to the north or west of it.
            let twice = 2 * ((cell - from) * steps - ivec2(dx, dy) * step);
            prop_assert!(twice.max_element() < steps.max(1) && twice.min_element() >= -steps);
        }
        for pair in cells.windows(2) {
            prop_assert_eq!((pair[1] - pair[0]).abs().max_element(), 1);
        }
    }
}

#[test]
fn room_shows_all_walls() {
    let mut rng = SplitMix64::new(4);
    for _ in 0..200 {
        let (width, height) = (3 + rng.below(40) as i32, 3 + rng.below(40) as i32);
        let inner = (ivec2(1, 1), ivec2(width - 2, height - 2));
        let map = Map::new(width, height, |cell| cell.clamp(inner.0, inner.1) != cell);
        let open = map.open_cells();
        let origin = open[rng.below(open.len() as u32) as usize];
        assert_eq!(
            map.seen(origin).len() as i32,
            width * height,
            "{width} {height} {origin}"
        );
    }
}

#[test]
fn pillars_cast_shadows() {
    let map = Map::new(11, 11, |cell| cell == ivec2(6, 4) || cell == ivec2(3, 6));
    let picture = [
        "   .....   ",
        "  ......   ",
        " ......    ",
        ".......  ..",
        "......#....",
        ".....@.....",
        ".. #.......",
        "   ........",
        " ......... ",
        "  .......  ",
        "   .....   ",
    ];
    assert_eq!(map.picture(&map.view(ivec2(5, 5), 5)), picture);
}

#[test]
fn sight_passes_along_walls_but_not_between_them() {
    let free = |rows: &[&str]| {
        let map = Map::from_rows(rows);
        let (from, to) = (IVec2::ZERO, ivec2(map.width - 1, map.height - 1));
        let free = line_of_sight(from, to, |cell| map.is_opaque(cell));
        assert_eq!(map.view(from, FAR).contains(to), free);
        free
    };
    // One wall along the line, or two on the same side.
    assert!(free(&["...", ".#."]) && free(&[".#.", "..."]));
    assert!(free(&[".#...", "...#.", "....."]));
    assert!(free(&[".....", ".#...", "...#."]));
    // Walls on both sides, on the same step or on different ones.
    assert!(!free(&[".#.", ".#."]));
    assert!(!free(&[".#...", ".....", "...#."]));
    assert!(!free(&[".....", ".#.#.", "....."]));
    // Walls on the line. A diagonal passes between corners, like a king in chess.
    assert!(!free(&["...", ".#.", "..."]));
    assert!(free(&[".#", "#."]) && free(&[".#.", "#.#", ".#."]));
}

#[test]
fn opaque_origin_does_not_block_view() {
    let mut view = FieldOfView::new();
    view.compute(IVec2::ZERO, 5, |cell| {
        cell == IVec2::ZERO || cell == ivec2(2, 0)
    });
    assert!(view.contains(IVec2::ZERO) && view.contains(ivec2(2, 0)));
    assert!(!view.contains(ivec2(4, 0)));
    view.compute(IVec2::ZERO, 5, |_| true);
    assert_eq!(view.len(), 9);
}

#[test]
fn maximum_radius_works() {
    let (mut view, mut largest) = (FieldOfView::new(), FieldOfView::new());
    let is_opaque = |cell: IVec2| cell.x.abs() > 2000 || cell.y.abs() > 3;
    view.compute(IVec2::ZERO, u32::MAX, is_opaque);
    largest.compute(IVec2::ZERO, FieldOfView::MAX_RADIUS, is_opaque);
    assert_eq!(view, largest);
    assert_eq!(view.len(), 4003 * 9);
    let mut corner = FieldOfView::new();
    for origin in [IVec2::MIN, IVec2::MAX] {
        corner.compute(origin, u32::MAX, |_| false);
        assert!(
            corner.contains(origin) && corner.contains(origin - origin.signum() * 1000),
            "{origin}"
        );
    }
}

#[test]
fn worst_case_patterns_end_soon() {
    let radius = 1000;
    let patterns: [fn(IVec2) -> bool; 6] = [
        |cell| (cell.x ^ cell.y) & 1 == 1,
        |cell| cell.x & cell.y & 1 == 1,
        |cell| cell.x.rem_euclid(7) == 3 && cell.y.rem_euclid(7) == 3,
        |cell| cell.x & 1 == 1 && cell.y.rem_euclid(50) == 49,
        |cell| cell.length_squared() % 97 == 1,
        |cell| (cell.x * 31 + cell.y * 17).rem_euclid(400) == 1,
    ];
    for (pattern, is_opaque) in patterns.into_iter().enumerate() {
        let asked = Cell::new(0_u64);
        let mut view = FieldOfView::new();
        view.compute(IVec2::ZERO, radius, |cell| {
            asked.set(asked.get() + 1);
            is_opaque(cell)
        });
        let square = u64::from(2 * radius + 1).pow(2);
        assert!(asked.get() < square, "pattern {pattern}: {}", asked.get());
    }
}

#[test]
fn panic_in_callback_leaves_no_trace() {
    let (mut view, is_opaque) = (FieldOfView::new(), scattered(5, 20));
    for bearable in 1..300 {
        let asked = Cell::new(0);
        let look = AssertUnwindSafe(|| {
            view.compute(IVec2::ZERO, 30, |cell| {
                asked.set(asked.get() + 1);
                if asked.get() > bearable {
                    resume_unwind(Box::new("without a message"));
                }
                is_opaque(cell)
            });
        });
        assert!(catch_unwind(look).is_err(), "{bearable} cells");
        view.compute(ivec2(1, 2), 30, |_| true);
        assert_eq!(view.len(), 9, "{bearable} cells");
    }
}

#[test]
fn lines_span_all_of_i32() {
    let (from, to) = (ivec2(i32::MIN, i32::MAX), ivec2(i32::MAX, i32::MIN));
    assert!(
        line(from, to)
            .take(1000)
            .zip(0..)
            .all(|(cell, step)| cell == from + ivec2(step, -step))
    );
    assert_eq!(
        line(IVec2::MAX, IVec2::MAX).collect::<Vec<_>>(),
        [IVec2::MAX]
    );
    assert_eq!(
        line(IVec2::MAX, IVec2::MAX - 2).last(),
        Some(IVec2::MAX - 2)
    );
    assert!(line_of_sight(IVec2::MIN, IVec2::MIN + ivec2(9, 4), |_| {
        false
    }));
    assert!(!line_of_sight(from, to, |cell| cell.y == i32::MAX - 3));
    assert!(line_of_sight(from, from, |_| true));
    assert!(line_of_sight(IVec2::ZERO, ivec2(5, 2), |cell| cell
        == IVec2::ZERO
        || cell == ivec2(5, 2)));
}
