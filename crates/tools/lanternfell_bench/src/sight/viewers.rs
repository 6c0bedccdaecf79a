//! Field-of-view implementations behind a common trait.
//!
//! Each is used as its users would use it: data that can be reused between views is reused, and the
//! result can be queried for any cell.

use std::collections::HashSet;

use bracket_algorithm_traits::prelude::{Algorithm2D, BaseMap};
use bracket_geometry::prelude::Point;
use bracket_pathfinding::prelude::FieldOfViewAlg;
use doryen_fov::{FovAlgorithm, FovRecursiveShadowCasting, FovRestrictive, MapData};
use lanternfell_lightgrid::{Cell, FieldOfView, IVec2, LightGrid, LightSettings};

use crate::map::{self, Map};

/// A field-of-view implementation with a radius and a map.
pub trait Viewer {
    /// Computes the view from a place.
    fn look(&mut self, from: IVec2);

    /// The cells of the last view, which was from this place, without duplicates.
    fn seen(&self, from: IVec2) -> Vec<IVec2>;
}

/// A name and its implementation.
pub type Named<'a> = (&'static str, Box<dyn Viewer + 'a>);

/// A grid with the walls of the map.
pub fn grid_of(map: &Map) -> LightGrid {
    let side = map.side() as u32;
    let grid = LightGrid::gray(side, side, LightSettings::default());
    let mut grid = grid.expect("the map size is valid");
    let cell = |at| {
        if map.is_opaque(at) {
            Cell::WALL
        } else {
            Cell::OPEN
        }
    };
    grid.fill(cell).expect("the cells are valid");
    grid
}

/// The implementations of Lanternfell: on the bytes of the map, and on a light grid.
pub fn ours<'a>(map: &'a Map, grid: &'a LightGrid, radius: u32) -> Vec<Named<'a>> {
    let view = FieldOfView::new();
    let on_grid = OnGrid {
        grid,
        radius,
        view: view.clone(),
    };
    vec![
        ("ours", Box::new(Ours { map, radius, view })),
        ("ours, on a LightGrid", Box::new(on_grid)),
    ]
}

/// The peers that are Rust crates.
pub fn others(map: &Map, radius: u32) -> Vec<Named<'_>> {
    let bracket = |algorithm| Bracket {
        map,
        radius,
        algorithm,
        seen: HashSet::new(),
    };
    let symmetric = bracket(FieldOfViewAlg::SymmetricShadowcasting);
    let recursive = bracket(FieldOfViewAlg::RecursiveShadowcasting);
    vec![
        (
            "symmetric-shadowcasting",
            Box::new(SymmetricCrate::new(map, radius)),
        ),
        ("bracket-pathfinding: symmetric", Box::new(symmetric)),
        ("bracket-pathfinding: recursive", Box::new(recursive)),
        (
            "doryen-fov: recursive",
            doryen(map, radius, FovRecursiveShadowCasting::new(), true),
        ),
        (
            "doryen-fov: recursive, square cleared",
            doryen(map, radius, FovRecursiveShadowCasting::new(), false),
        ),
        (
            "doryen-fov: restrictive",
            doryen(map, radius, FovRestrictive::new(), true),
        ),
        (
            "doryen-fov: restrictive, square cleared",
            doryen(map, radius, FovRestrictive::new(), false),
        ),
    ]
}

struct Ours<'a> {
    map: &'a Map,
    radius: u32,
    view: FieldOfView,
}

impl Viewer for Ours<'_> {
    fn look(&mut self, from: IVec2) {
        self.view
            .compute(from, self.radius, |cell| self.map.is_opaque(cell));
    }

    fn seen(&self, _: IVec2) -> Vec<IVec2> {
        self.view.cells().collect()
    }
}

struct OnGrid<'a> {
    grid: &'a LightGrid,
    radius: u32,
    view: FieldOfView,
}

impl Viewer for OnGrid<'_> {
    fn look(&mut self, from: IVec2) {
        self.grid.field_of_view(&mut self.view, from, self.radius);
    }

    fn seen(&self, _: IVec2) -> Vec<IVec2> {
        self.view.cells().collect()
    }
}

/// The crate `symmetric-shadowcasting` has no radius, so cells beyond a disc are reported as walls.
/// The disc is two cells larger than ours, so that its rim does not hide any of our cells. Visible
/// cells are stored in a square around the viewer.
struct SymmetricCrate<'a> {
    map: &'a Map,
    radius: i32,
    square: Vec<bool>,
}

impl<'a> SymmetricCrate<'a> {
    fn new(map: &'a Map, radius: u32) -> Self {
        let side = 2 * (radius as usize + RADIUS_CUTOFF as usize) + 1;
        Self {
            map,
            radius: radius as i32,
            square: vec![false; side * side],
        }
    }
}

/// How much larger than the radius the square is: two cells for the disc, and one for the walls
/// around it.
const RADIUS_CUTOFF: i32 = 2 + 1;

impl Viewer for SymmetricCrate<'_> {
    fn look(&mut self, from: IVec2) {
        self.square.fill(false);
        let (reach, disc) = (self.radius + RADIUS_CUTOFF, self.radius + RADIUS_CUTOFF - 1);
        let side = 2 * reach + 1;
        let cell = |(x, y): (isize, isize)| IVec2::new(x as i32, y as i32);
        let mut blocks = |at: (isize, isize)| {
            let far = (cell(at) - from).length_squared() > disc * disc;
            far || self.map.is_opaque(cell(at))
        };
        let mut mark = |at: (isize, isize)| {
            let place = cell(at) - from + reach;
            self.square[(place.y * side + place.x) as usize] = true;
        };
        let from = (from.x as isize, from.y as isize);
        symmetric_shadowcasting::compute_fov(from, &mut blocks, &mut mark);
    }

    fn seen(&self, from: IVec2) -> Vec<IVec2> {
        let reach = self.radius + RADIUS_CUTOFF;
        let side = 2 * reach + 1;
        let marked = self
            .square
            .iter()
            .enumerate()
            .filter(|&(_, &marked)| marked);
        let cell = |index: i32| from + IVec2::new(index % side, index / side) - reach;
        marked.map(|(index, _)| cell(index as i32)).collect()
    }
}

/// `bracket-pathfinding` creates a new set for each view.
struct Bracket<'a> {
    map: &'a Map,
    radius: u32,
    algorithm: FieldOfViewAlg,
    seen: HashSet<Point>,
}

/// An adapter for the map.
struct BracketMap<'a>(&'a Map);

impl BaseMap for BracketMap<'_> {
    fn is_opaque(&self, index: usize) -> bool {
        self.0.bytes()[index] != map::FLOOR
    }
}

impl Algorithm2D for BracketMap<'_> {
    fn dimensions(&self) -> Point {
        Point::new(self.0.side(), self.0.side())
    }
}

impl Viewer for Bracket<'_> {
    fn look(&mut self, from: IVec2) {
        let (from, radius) = (Point::new(from.x, from.y), self.radius as i32);
        self.seen = self
            .algorithm
            .field_of_view_set(from, radius, &BracketMap(self.map));
    }

    fn seen(&self, _: IVec2) -> Vec<IVec2> {
        self.seen
            .iter()
            .map(|point| IVec2::new(point.x, point.y))
            .collect()
    }
}

/// `doryen-fov` marks the cells of a map that must be cleared before each view. Its own function
/// clears the whole map. Since a view is limited to its square, clearing that is enough.
struct Doryen<A> {
    data: MapData,
    radius: u32,
    algorithm: A,
    clears_all: bool,
    last: IVec2,
}

fn doryen<'a, A>(map: &Map, radius: u32, algorithm: A, clears_all: bool) -> Box<dyn Viewer + 'a>
where
    A: FovAlgorithm + 'a,
{
    let mut data = MapData::new(map.side(), map.side());
    for (transparent, &byte) in data.transparent.iter_mut().zip(map.bytes()) {
        *transparent = byte == map::FLOOR;
    }
    Box::new(Doryen {
        data,
        radius,
        algorithm,
        clears_all,
        last: IVec2::ZERO,
    })
}

impl<A> Doryen<A> {
    fn clear_square(&mut self) {
        let (width, height) = (self.data.width, self.data.height);
        let reach = self.radius as i32;
        let before = |at: i32| (at - reach).max(0) as usize;
        let end = |at: i32, size: usize| ((at + reach) as usize + 1).min(size);
        let columns = before(self.last.x)..end(self.last.x, width);
        for y in before(self.last.y)..end(self.last.y, height) {
            self.data.fov[y * width..][columns.clone()].fill(false);
        }
    }
}

impl<A: FovAlgorithm> Viewer for Doryen<A> {
    fn look(&mut self, from: IVec2) {
        if self.clears_all {
            self.data.clear_fov();
        } else {
            self.clear_square();
        }
        self.last = from;
        let (x, y) = (from.x as usize, from.y as usize);
        self.algorithm
            .compute_fov(&mut self.data, x, y, self.radius as usize, true);
    }

    fn seen(&self, _: IVec2) -> Vec<IVec2> {
        let width = self.data.width;
        let seen = self.data.fov.iter().enumerate().filter(|&(_, &seen)| seen);
        seen.map(|(index, _)| IVec2::new((index % width) as i32, (index / width) as i32))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Kind;

    #[test]
    fn clearing_the_square_is_enough() {
        let map = Map::new(Kind::Rooms, 64);
        for radius in [1, 8, 40] {
            let mut all = doryen(&map, radius, FovRestrictive::new(), true);
            let mut square = doryen(&map, radius, FovRestrictive::new(), false);
            for place in map.places(30, 6) {
                all.look(place);
                square.look(place);
                assert_eq!(
                    all.seen(place),
                    square.seen(place),
                    "radius {radius}, from {place}"
                );
            }
        }
    }
}
