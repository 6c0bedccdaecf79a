//! The outlines of holes in each diamond of a map.
//!
//! Problem: a hole is made of squares, but triangles are larger than squares at all levels except
//! the finest. A triangle with both ground and hole in it can be rendered or left out, and either
//! is wrong.
//!
//! Idea: the triangle is rendered, so that ground is never missing. This counts as an error of its
//! longest side. So it is halved like any other triangle, until the error is small enough or the
//! finest level is reached. There, each triangle is either ground or hole.
//!
//! ```text
//!   a hole      coarse       finer        the finest
//!   . . . .     ┌─────┐      ┌─────┐      ┌─┬─┬─┬─┐
//!   . # # .     │╲    │      │╲ ╱╲ │      ├─┼─┴─┼─┤
//!   . # # .     │  ╲  │      │ ╳  ╲│      ├─┤   ├─┤
//!   . . . .     └─────┘      └─────┘      └─┴───┴─┘
//! ```
//!
//! Each diamond stores which of its halves have ground and which have holes, and the largest
//! outline error, in squares, of it and everything that it is halved into. The finest triangles are
//! looked up in the mask, row by row. Other triangles combine the values of their halves. At the
//! map's border, vertices are moved onto the map, so a triangle may be rendered outside its own
//! area. There, its whole bounding box counts.
//!
//! Cost: a bit count for each row of each finest patch. Memory: 8 bytes per diamond, about one byte
//! per 190 cells.

use std::{
    mem::size_of,
    ops::{BitOr, Range},
};

use glam::IVec2;

use lanternfell_heightmap::HoleMask;

use super::{
    lattice::{Lattice, RightTriangle, bounds},
    squares::squares_in,
};

/// Whether a part of the map contains ground and holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cover {
    ground: bool,
    hole: bool,
}

impl BitOr for Cover {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            ground: self.ground | other.ground,
            hole: self.hole | other.hole,
        }
    }
}

impl Cover {
    /// Returns the cover of these squares, which are all on the map.
    fn of(holes: &HoleMask, columns: Range<usize>, rows: Range<usize>) -> Self {
        let squares = columns.len() * rows.len();
        let found = holes.count_in(columns, rows);
        Self {
            ground: found < squares,
            hole: found > 0,
        }
    }

    /// Returns the cover of the part of a box that is on the map.
    fn of_box(holes: &HoleMask, lattice: &Lattice, (low, high): (IVec2, IVec2)) -> Self {
        let (low, high) = (lattice.onto_map(low), lattice.onto_map(high));
        let range = |low: i32, high: i32| low as usize..high as usize;
        Self::of(holes, range(low.x, high.x), range(low.y, high.y))
    }
}

/// The outlines of holes in a diamond.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Outline {
    /// The cover of its halves, in the order of [`Lattice::halves_of_diamond`].
    halves: [Cover; 2],
    /// The largest error of an outline in squares, in the diamond and everything that it is halved
    /// into.
    error: f32,
}

/// The outlines of holes in all diamonds of a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outlines {
    /// In the order of the diamond grids.
    levels: Vec<Vec<Outline>>,
}

impl Outlines {
    pub(super) fn new(lattice: &Lattice, holes: &HoleMask) -> Self {
        let mut outlines = Self {
            levels: vec![Vec::new(); lattice.finest as usize + 1],
        };
        for level in (0..=lattice.finest).rev() {
            let places = lattice.diamonds(level).area().places();
            let outline = |place| {
                let middle = lattice.middle_at(level, place);
                middle.map(|middle| outlines.measure(lattice, holes, level, middle))
            };
            outlines.levels[level as usize] = places
                .map(|place| outline(place).unwrap_or_default())
                .collect();
        }
        outlines
    }

    /// Returns all outlines as numbers, two per diamond.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        self.levels.iter().flatten().flat_map(|outline| {
            let [one, other] = outline.halves;
            let bits = [one.ground, one.hole, other.ground, other.hole];
            let cover = bits.into_iter().rev();
            let cover = cover.fold(0, |cover, bit| 2 * cover + u8::from(bit));
            [f32::from(cover), outline.error]
        })
    }

    /// Creates outlines from their numbers, two per diamond. Returns the index of the first invalid
    /// number as an error.
    pub(super) fn from_numbers(lattice: &Lattice, numbers: &[f32]) -> Result<Self, usize> {
        let (pairs, _) = numbers.as_chunks::<2>();
        for (place, [cover, error]) in pairs.iter().enumerate() {
            // The bits are stored as an integer.
            if !(0.0..16.0).contains(cover) || cover.fract() != 0.0 {
                return Err(2 * place);
            }
            if !error.is_finite() || *error < 0.0 {
                return Err(2 * place + 1);
            }
        }
        let mut outlines = pairs.iter().map(|[cover, error]| {
            let bit = |at: u32| *cover as u8 >> at & 1 == 1;
            let half = |first| Cover {
                ground: bit(first),
                hole: bit(first + 1),
            };
            Outline {
                halves: [half(0), half(2)],
                error: *error,
            }
        });
        let levels = (0..=lattice.finest).map(|level| {
            let length = lattice.diamonds(level).len();
            outlines.by_ref().take(length).collect()
        });
        Ok(Self {
            levels: levels.collect(),
        })
    }

    /// Returns the memory of the outlines in bytes.
    pub(super) fn bytes(&self) -> usize {
        let outlines = self.levels.iter().map(Vec::len).sum::<usize>();
        outlines * size_of::<Outline>()
    }

    /// Returns the largest error of an outline in a diamond, in squares.
    pub(super) fn error(&self, level: u32, index: usize) -> f32 {
        self.levels[level as usize][index].error
    }

    /// Whether a triangle contains ground.
    pub(super) fn has_ground(&self, lattice: &Lattice, triangle: RightTriangle) -> bool {
        self.known(lattice, triangle).ground
    }

    /// Returns the cover of a triangle that was measured before.
    fn known(&self, lattice: &Lattice, triangle: RightTriangle) -> Cover {
        let (level, middle) = (triangle.level, triangle.middle());
        let Some(index) = lattice.diamonds(level).index(middle) else {
            return Cover::default();
        };
        let [first, _] = lattice.halves_of_diamond(level, middle);
        self.levels[level as usize][index].halves[usize::from(triangle != first)]
    }

    /// Measures a diamond. The next level must have been measured before.
    fn measure(&self, lattice: &Lattice, holes: &HoleMask, level: u32, middle: IVec2) -> Outline {
        let triangles = lattice.halves_of_diamond(level, middle);
        let halves = triangles.map(|triangle| self.cover(lattice, holes, triangle));
        if level == lattice.finest {
            return Outline { halves, error: 0.0 };
        }
        let has_outline = halves.iter().any(|half| half.ground && half.hole);
        let own = if has_outline {
            lattice.longest_side(level)
        } else {
            0.0
        };
        let children = triangles.into_iter().flat_map(RightTriangle::halves);
        let errors = children.filter_map(|child| {
            let index = lattice.diamonds(level + 1).index(child.middle())?;
            Some(self.error(level + 1, index))
        });
        Outline {
            halves,
            error: errors.fold(own, f32::max),
        }
    }

    /// Returns the cover of a triangle.
    fn cover(&self, lattice: &Lattice, holes: &HoleMask, triangle: RightTriangle) -> Cover {
        let corners = triangle.corners();
        let is_finest = triangle.level == lattice.finest;
        if !lattice.has_land(triangle) {
            return Cover::default();
        }
        if !is_finest && lattice.is_on_map(corners) {
            let [one, other] = triangle.halves().map(|half| self.known(lattice, half));
            return one | other;
        }
        let around = Cover::of_box(holes, lattice, bounds(corners));
        if !is_finest || !around.ground || !around.hole {
            return around;
        }
        let rows = squares_in(corners, lattice.squares);
        let covers = rows.map(|(row, columns)| Cover::of(holes, columns, row..row + 1));
        covers.fold(Cover::default(), BitOr::bitor)
    }
}

/// Whether the part of a box that is on the map contains holes.
pub(super) fn has_holes(lattice: &Lattice, holes: &HoleMask, bounds: (IVec2, IVec2)) -> bool {
    Cover::of_box(holes, lattice, bounds).hole
}

/// Whether all of a triangle between cells is a hole, on a map with this number of squares.
pub(super) fn is_hole(holes: &HoleMask, squares: IVec2, cells: [IVec2; 3]) -> bool {
    squares_in(cells, squares).all(|(row, columns)| {
        let squares = columns.len();
        holes.count_in(columns, row..row + 1) == squares
    })
}
