//! Where the outlines of holes are, for each diamond of a map.
//!
//! Problem: a hole is made of squares, and triangles of all levels but the finest are larger than these. One that
//! has both ground and hole in it must be drawn or not, and is wrong either way.
//!
//! Idea: it is drawn, so that ground is never missing, and counts as an error, as if the ground were off by its longest
//! side. Then it is halved like any other, until nobody sees it or it is one of the finest, which have only
//! one of both.
//!
//! ```text
//!   a hole      coarse       finer        the finest
//!   . . . .     ┌─────┐      ┌─────┐      ┌─┬─┬─┬─┐
//!   . # # .     │╲    │      │╲ ╱╲ │      ├─┼─┴─┼─┤
//!   . # # .     │  ╲  │      │ ╳  ╲│      ├─┤   ├─┤
//!   . . . .     └─────┘      └─────┘      └─┴───┴─┘
//! ```
//!
//! For each diamond it is kept which of its halves have ground and which have holes, and by how many squares an
//! outline may be off in it and in all that it is halved into. The finest are looked up in the mask, row by row;
//! what a triangle has its halves have. At the map's border a triangle's vertices are moved onto the map, so that
//! it may be drawn beyond its own place: there all of the box around it counts.
//!
//! Cost: a bit count for each row of each finest patch; 8 bytes for each diamond, about a byte for 190 cells.

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

/// What there is in a part of the map.
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
    /// What there is in these squares, which are all on the map.
    fn of(holes: &HoleMask, columns: Range<usize>, rows: Range<usize>) -> Self {
        let squares = columns.len() * rows.len();
        let found = holes.count_in(columns, rows);
        Self {
            ground: found < squares,
            hole: found > 0,
        }
    }

    /// What there is in a box, as far as it is on the map.
    fn of_box(holes: &HoleMask, lattice: &Lattice, (low, high): (IVec2, IVec2)) -> Self {
        let (low, high) = (lattice.onto_map(low), lattice.onto_map(high));
        let range = |low: i32, high: i32| low as usize..high as usize;
        Self::of(holes, range(low.x, high.x), range(low.y, high.y))
    }
}

/// Of a diamond.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Outline {
    /// Of its halves, in the order of [`Lattice::halves_of_diamond`].
    halves: [Cover; 2],
    /// By how many squares an outline is off at most, in the diamond and in all that it is halved into.
    error: f32,
}

/// The outlines in all diamonds of a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outlines {
    /// As the diamonds stand in their lists.
    levels: Vec<Vec<Outline>>,
}

impl Outlines {
    pub(super) fn new(lattice: &Lattice, holes: &HoleMask) -> Self {
        let mut outlines = Self {
            levels: vec![Vec::new(); lattice.finest as usize + 1],
        };
        for level in (0..=lattice.finest).rev() {
            let places = lattice.diamonds(level).places();
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

    /// All of them as numbers, two of each diamond.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        self.levels.iter().flatten().flat_map(|outline| {
            let [one, other] = outline.halves;
            let bits = [one.ground, one.hole, other.ground, other.hole];
            let cover = bits.into_iter().rev();
            let cover = cover.fold(0, |cover, bit| 2 * cover + u8::from(bit));
            [f32::from(cover), outline.error]
        })
    }

    /// Those with these numbers, two of each diamond of the lattice; or which of the numbers can not be.
    pub(super) fn from_numbers(lattice: &Lattice, numbers: &[f32]) -> Result<Self, usize> {
        let (pairs, _) = numbers.as_chunks::<2>();
        for (place, [cover, error]) in pairs.iter().enumerate() {
            // Bits are a whole number.
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

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let outlines = self.levels.iter().map(Vec::len).sum::<usize>();
        outlines * size_of::<Outline>()
    }

    /// By how many squares an outline is off at most in this diamond of a level's list.
    pub(super) fn error(&self, level: u32, index: usize) -> f32 {
        self.levels[level as usize][index].error
    }

    /// Whether a triangle has any ground.
    pub(super) fn has_ground(&self, lattice: &Lattice, triangle: RightTriangle) -> bool {
        self.known(lattice, triangle).ground
    }

    /// What there is in a triangle that has been looked at.
    fn known(&self, lattice: &Lattice, triangle: RightTriangle) -> Cover {
        let (level, middle) = (triangle.level, triangle.middle());
        let Some(index) = lattice.diamonds(level).index(middle) else {
            return Cover::default();
        };
        let [first, _] = lattice.halves_of_diamond(level, middle);
        self.levels[level as usize][index].halves[usize::from(triangle != first)]
    }

    /// Looks at a diamond, after those of the next level.
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

    /// What there is in a triangle.
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

/// Whether there are holes in a box, as far as it is on the map.
pub(super) fn has_holes(lattice: &Lattice, holes: &HoleMask, bounds: (IVec2, IVec2)) -> bool {
    Cover::of_box(holes, lattice, bounds).hole
}

/// Whether a triangle between cells of a map with so many squares is nothing but hole.
pub(super) fn is_hole(holes: &HoleMask, squares: IVec2, cells: [IVec2; 3]) -> bool {
    squares_in(cells, squares).all(|(row, columns)| {
        let squares = columns.len();
        holes.count_in(columns, row..row + 1) == squares
    })
}
