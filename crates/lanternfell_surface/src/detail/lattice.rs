//! The triangles and diamonds of repeated halving, in integer coordinates.
//!
//! Lengths are in squares of the map. The first square starts at the map's north-west corner and
//! covers the map; its side is `side` times a power of two. At even levels, the short sides of a
//! triangle run along rows and columns, and a diamond is a square. At odd levels, the long side
//! does, and a diamond stands on its corner. A diamond is identified by the middle of its long
//! side, which is unique within a level.

use std::f32::consts::SQRT_2;

use glam::IVec2;

use lanternfell_heightmap::MapSize;

/// A right triangle: the corner with the right angle, and the ends of the long side, clockwise seen
/// from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RightTriangle {
    pub(super) level: u32,
    pub(super) apex: IVec2,
    pub(super) left: IVec2,
    pub(super) right: IVec2,
}

impl RightTriangle {
    /// The middle of the long side, which identifies the triangle's diamond.
    pub(super) fn middle(self) -> IVec2 {
        (self.left + self.right) / 2
    }

    pub(super) fn corners(self) -> [IVec2; 3] {
        [self.apex, self.left, self.right]
    }

    /// Returns the two halves.
    pub(super) fn halves(self) -> [Self; 2] {
        let (level, apex) = (self.level + 1, self.middle());
        let half = |left, right| Self {
            level,
            apex,
            left,
            right,
        };
        [half(self.apex, self.left), half(self.right, self.apex)]
    }
}

/// The halving of a map of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lattice {
    /// The squares of the map along both axes.
    pub(super) squares: IVec2,
    /// The number of small triangles along a patch's short sides: a power of two, at least 2.
    pub(super) side: i32,
    /// The finest level, which is even. Its small triangles are one square large.
    pub(super) finest: u32,
    /// The grid of the diamonds of each level.
    grids: Vec<DiamondGrid>,
}

impl Lattice {
    pub(super) fn new(size: MapSize, side: u32) -> Self {
        let squares = IVec2::new(size.width() as i32 - 1, size.height() as i32 - 1);
        let longest = squares.max_element() as u32;
        let doublings = longest.div_ceil(side).next_power_of_two().ilog2();
        let mut lattice = Self {
            squares,
            side: side as i32,
            finest: 2 * doublings,
            grids: Vec::new(),
        };
        lattice.grids = (0..=lattice.finest)
            .map(|level| lattice.grid(level))
            .collect();
        lattice
    }

    fn grid(&self, level: u32) -> DiamondGrid {
        let side = self.square_side(level);
        let squares = (self.squares + side - 1) / side;
        if level.is_multiple_of(2) {
            DiamondGrid {
                shift: side.ilog2(),
                count: squares,
            }
        } else {
            DiamondGrid {
                shift: side.ilog2() - 1,
                count: 2 * squares + 1,
            }
        }
    }

    /// Returns the side of the squares of an even level. At an odd level, it is the side of the
    /// squares whose sides are the long sides of the triangles.
    pub(super) fn square_side(&self, level: u32) -> i32 {
        self.side << ((self.finest - level).div_ceil(2))
    }

    /// Returns the longest side of the small triangles in a patch of this level, in squares.
    pub(super) fn longest_side(&self, level: u32) -> f32 {
        let step = (self.square_side(level) / self.side) as f32;
        if level.is_multiple_of(2) {
            step * SQRT_2
        } else {
            step
        }
    }

    /// Returns the two triangles at the top, which cover the map.
    pub(super) fn roots(&self) -> [RightTriangle; 2] {
        let side = self.square_side(0);
        let (nw, se) = (IVec2::ZERO, IVec2::splat(side));
        let root = |apex, left, right| RightTriangle {
            level: 0,
            apex,
            left,
            right,
        };
        [
            root(IVec2::new(side, 0), nw, se),
            root(IVec2::new(0, side), se, nw),
        ]
    }

    /// Returns both triangles of a diamond, even if they are outside the map.
    pub(super) fn halves_of_diamond(&self, level: u32, middle: IVec2) -> [RightTriangle; 2] {
        let half = self.square_side(level) / 2;
        let (one, other) = if level.is_multiple_of(2) {
            // The long side connects the corners whose grid coordinates have an even sum.
            let number = middle >> self.diamonds(level).shift as i32;
            match (number.x + number.y) & 1 {
                0 => (IVec2::new(-half, -half), IVec2::new(half, -half)),
                _ => (IVec2::new(half, -half), IVec2::new(half, half)),
            }
        } else if middle.y & half == 0 {
            (IVec2::new(-half, 0), IVec2::new(0, -half))
        } else {
            (IVec2::new(0, -half), IVec2::new(half, 0))
        };
        let triangle = |apex, left, right| RightTriangle {
            level,
            apex: middle + apex,
            left: middle + left,
            right: middle + right,
        };
        [triangle(other, one, -one), triangle(-other, -one, one)]
    }

    /// Whether a part of the triangle is on the map, and not only on its border.
    pub(super) fn has_land(&self, triangle: RightTriangle) -> bool {
        let corners = triangle.corners();
        let (low, high) = bounds(corners);
        if self.is_on_map(corners) {
            return true;
        }
        let inside_of_side = |index: usize| {
            let (from, to) = (corners[index], corners[(index + 1) % 3]);
            let along = (to - from).as_i64vec2();
            // The corner of the map that is deepest inside this side. The inside is to the left of
            // it.
            let deepest = IVec2::new(
                if along.y < 0 { 0 } else { self.squares.x },
                if along.x > 0 { 0 } else { self.squares.y },
            );
            along.perp_dot((deepest - from).as_i64vec2()) < 0
        };
        low.cmplt(self.squares).all() && high.cmpgt(IVec2::ZERO).all() && (0..3).all(inside_of_side)
    }

    /// Whether all corners are on the map.
    pub(super) fn is_on_map(&self, corners: [IVec2; 3]) -> bool {
        let (low, high) = bounds(corners);
        low.cmpge(IVec2::ZERO).all() && high.cmple(self.squares).all()
    }

    /// Moves a lattice point outside the map onto its border.
    pub(super) fn onto_map(&self, point: IVec2) -> IVec2 {
        point.clamp(IVec2::ZERO, self.squares)
    }

    /// Returns the middle of the diamond at a place in the grid of a level, or `None` if there is
    /// no diamond.
    pub(super) fn middle_at(&self, level: u32, place: IVec2) -> Option<IVec2> {
        let corner = place << self.diamonds(level).shift as i32;
        if level.is_multiple_of(2) {
            return Some(corner + self.square_side(level) / 2);
        }
        ((place.x + place.y) % 2 == 1).then_some(corner)
    }

    /// Returns the grid of the diamonds of a level.
    pub(super) fn diamonds(&self, level: u32) -> DiamondGrid {
        self.grids[level as usize]
    }
}

/// Returns the bounding box of a triangle.
pub(super) fn bounds([a, b, c]: [IVec2; 3]) -> (IVec2, IVec2) {
    (a.min(b).min(c), a.max(b).max(c))
}

/// The diamonds of one level in a grid, row by row. At odd levels, every second place of the grid
/// is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DiamondGrid {
    /// The base-2 logarithm of the size of a grid place in squares.
    shift: u32,
    pub(super) count: IVec2,
}

/// A rectangle of places in a grid. Both ends are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) min: IVec2,
    pub(super) max: IVec2,
}

impl Area {
    /// Returns all places, row by row.
    pub(super) fn places(self) -> impl Iterator<Item = IVec2> {
        (self.min.y..=self.max.y)
            .flat_map(move |y| (self.min.x..=self.max.x).map(move |x| IVec2::new(x, y)))
    }
}

impl DiamondGrid {
    /// Returns the whole grid.
    pub(super) fn area(self) -> Area {
        Area {
            min: IVec2::ZERO,
            max: self.count - 1,
        }
    }

    /// Returns the part of an area in the grid.
    pub(super) fn clip(self, area: Area) -> Area {
        Area {
            min: area.min.max(IVec2::ZERO),
            max: area.max.min(self.count - 1),
        }
    }

    /// Returns the number of places.
    pub(super) fn len(self) -> usize {
        self.count.x as usize * self.count.y as usize
    }

    /// Returns the index of the diamond with this middle, or `None` outside the map.
    pub(super) fn index(self, middle: IVec2) -> Option<usize> {
        self.index_at(middle >> self.shift as i32)
    }

    /// Like [`index`](Self::index), with the column and row in the grid.
    pub(super) fn index_at(self, place: IVec2) -> Option<usize> {
        let known = place.cmpge(IVec2::ZERO).all() && place.cmplt(self.count).all();
        known.then(|| self.at(place))
    }

    pub(super) fn at(self, place: IVec2) -> usize {
        place.y as usize * self.count.x as usize + place.x as usize
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn lattice(width: u64, height: u64) -> Lattice {
        Lattice::new(MapSize::new(width, height).unwrap(), 4)
    }

    /// Returns all triangles of a level, by repeated halving.
    fn level(lattice: &Lattice, level: u32) -> Vec<RightTriangle> {
        let mut triangles = lattice.roots().to_vec();
        for _ in 0..level {
            triangles = triangles
                .into_iter()
                .flat_map(RightTriangle::halves)
                .collect();
        }
        triangles
    }

    #[test]
    fn first_square_covers_map() {
        for (width, height, finest) in [(2, 2, 0), (5, 3, 0), (6, 2, 2), (17, 9, 4), (18, 9, 6)] {
            let lattice = lattice(width, height);
            assert_eq!(lattice.finest, finest, "{width} x {height}");
            assert!(lattice.square_side(0) >= lattice.squares.max_element());
        }
    }

    #[test]
    fn each_diamond_has_two_triangles() {
        let lattice = lattice(33, 33);
        for number in 0..=lattice.finest {
            let mut diamonds: HashMap<IVec2, Vec<RightTriangle>> = HashMap::new();
            for triangle in level(&lattice, number) {
                diamonds
                    .entry(triangle.middle())
                    .or_default()
                    .push(triangle);
            }
            for (middle, halves) in diamonds {
                let both = lattice.halves_of_diamond(number, middle);
                let inside = both.iter().filter(|t| {
                    t.apex.cmpge(IVec2::ZERO).all() && t.apex.cmple(IVec2::splat(32)).all()
                });
                assert_eq!(inside.count(), halves.len(), "level {number}, {middle}");
                assert!(
                    halves.iter().all(|half| both.contains(half)),
                    "{halves:?}, {both:?}"
                );
                assert!(lattice.diamonds(number).index(middle).is_some());
            }
        }
    }

    #[test]
    fn diamonds_of_a_level_have_unique_places() {
        let lattice = lattice(40, 23);
        for number in 0..=lattice.finest {
            let mut places: HashMap<usize, IVec2> = HashMap::new();
            for triangle in level(&lattice, number) {
                if lattice.has_land(triangle) {
                    let place = lattice.diamonds(number).index(triangle.middle()).unwrap();
                    let known = *places.entry(place).or_insert(triangle.middle());
                    assert_eq!(known, triangle.middle(), "level {number}");
                    let at = lattice.diamonds(number).area().places().nth(place).unwrap();
                    assert_eq!(lattice.middle_at(number, at), Some(triangle.middle()));
                }
            }
        }
    }

    /// Compares with a test of many points in each triangle.
    #[test]
    fn has_land_if_an_inner_point_is_on_the_map() {
        for lattice in [lattice(23, 9), lattice(7, 30), lattice(17, 17)] {
            for number in 0..=lattice.finest {
                for triangle in level(&lattice, number) {
                    let point = |i: i32, j: i32| {
                        let (u, v) = (
                            triangle.left - triangle.apex,
                            triangle.right - triangle.apex,
                        );
                        (triangle.apex * 64 + u * i + v * j).as_vec2() / 64.0
                    };
                    let size = lattice.squares.as_vec2();
                    let on_map =
                        (1..64)
                            .flat_map(|i| (1..64 - i).map(move |j| (i, j)))
                            .any(|(i, j)| {
                                let point = point(i, j);
                                point.cmpgt(glam::Vec2::ZERO).all() && point.cmplt(size).all()
                            });
                    // The points may miss thin slivers.
                    assert!(lattice.has_land(triangle) >= on_map, "{triangle:?}");
                    let (low, high) = (
                        triangle.apex.min(triangle.left).min(triangle.right),
                        triangle.apex.max(triangle.left).max(triangle.right),
                    );
                    let whole = low.cmpge(IVec2::ZERO).all() && high.cmple(lattice.squares).all();
                    assert!(!whole || lattice.has_land(triangle), "{triangle:?}");
                    if low.cmpge(lattice.squares).any() {
                        assert!(!lattice.has_land(triangle), "{triangle:?}");
                    }
                }
            }
        }
    }
}
