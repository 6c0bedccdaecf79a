//! Which cells are visible from a cell: symmetric shadowcasting.
//!
//! Rules such as "does the guard see the thief?" need an answer that is the same in both
//! directions. Otherwise one character can shoot, and the other cannot shoot back. Here an open
//! cell is visible if the straight line between the two centers is free, which does not depend on
//! the direction. [`line_of_sight`](crate::line_of_sight) returns the same answer for one pair of
//! cells. A wall is visible if any part of it is, so in a convex room all walls are visible,
//! including the corners.
//!
//! ```text
//!         . . . . .
//!       . . . . . .
//!     . . . . . .
//!   . . . . . . .     . .      @  the viewer, with a radius of five cells
//!   . . . . . . # . . . .      #  walls
//!   . . . . . @ . . . . .      .  visible open cells
//!   . .   # . . . . . . .
//!         . . . . . . . .
//!     . . . . . . . . .
//!       . . . . . . .
//!         . . . . .
//! ```
//!
//! # The algorithm
//!
//! The diagonals divide the disc into four quadrants: north, south, west and east. In each
//! quadrant, rows are scanned from near to far between a left and a right ray. Cells hidden by a
//! wall are cut out, which leaves sectors that are followed one by one (see the module `scan`). All
//! slopes are fractions of integers, so the result is exact and the same on every machine.
//!
//! # The radius
//!
//! A cell is in the disc if `dx² + dy² <= r² + r`, which means that its center is less than
//! `r + 1/2` away. Such discs have no single cells that stick out.
//!
//! The edge of the disc is not a wall and hides nothing: the field of view is that without a limit,
//! restricted to the disc. Cells outside of the disc still do not need to be tested. Proof: let (c,
//! d) be a cell that hides a part of a cell (c', d') further away, both relative to the origin,
//! where d' is the larger of c' and d'. On row d, the rays to (c', d') are at most t · (c' + 1/2)
//! from the axis, where t = d / d' <= 1 - 1 / d', and c is at most 1/2 more. So (c, d) is nearer
//! than (c', d'), and is in the disc if that one is.
//!
//! # Hexagons
//!
//! On hexagons there are six sextants between the directions to the neighbors, with the same radius
//! in the plane. A cell that is `c` and `d - c` steps away along the two sides of a sextant is in
//! the disc if `d² - c d + c² <= r² + r`. If the rows of a sextant are shifted so that its first
//! side becomes straight, it is the right half of a quadrant, and the same proof applies.
//!
//! # Cost
//!
//! Each visible cell is tested once, and a few cells along the diagonals and behind gaps twice. The
//! scan works on rows and runs of cells instead of single cells. The worst case, for any map, is
//! proportional to radius². The memory is one bit for each cell of the square around the disc, and
//! is reused.
//!
//! Source: Albert Ford, "Symmetric Shadowcasting", <https://www.albertford.com/shadowcasting/>.

mod bits;
mod hexagons;
mod line_of_sight;
mod scan;

use glam::IVec2;

pub use line_of_sight::line_of_sight;

use bits::SquareBits;
use scan::{Bounds, Sector, scan};

/// The cells that are visible from one cell.
///
/// Reuse it from turn to turn: it allocates memory only for a larger radius than before. Two fields
/// of view are equal if their origin, radius and cells are equal.
///
/// ```
/// use glam::IVec2;
/// use lanternfell_lightgrid::FieldOfView;
///
/// let map = ["#########",
///            "#.......#",
///            "#...#...#",
///            "#.......#",
///            "#########"];
/// let is_opaque = |cell: IVec2| map[cell.y as usize].as_bytes()[cell.x as usize] == b'#';
///
/// let mut view = FieldOfView::new();
/// view.compute(IVec2::new(2, 2), 20, is_opaque);
/// assert!(view.contains(IVec2::new(4, 2)), "the pillar itself");
/// assert!(!view.contains(IVec2::new(6, 2)), "what is behind it");
/// assert!(view.contains(IVec2::new(8, 4)), "the far corner");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldOfView {
    origin: IVec2,
    radius: i32,
    /// The visible cells of the square from `origin - radius` to `origin + radius`.
    seen: SquareBits,
    /// Half the width of the disc in each row, from the row of the origin. On hexagons, the first
    /// column of the disc in each row of a sextant.
    disc: Vec<i32>,
    hexagonal: bool,
    /// Working memory, empty between calls.
    sectors: Vec<Sector>,
}

impl FieldOfView {
    /// The maximum radius in cells. Larger values are clamped.
    ///
    /// It limits the memory (about 2 MiB, or 3 MiB on hexagons) and the size of the fractions. It
    /// is enough to see a map of 1448 x 1448 cells from corner to corner.
    pub const MAX_RADIUS: u32 = 2048;

    /// Creates an empty field of view.
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the cells that are visible from `origin`, up to `radius` cells away, and replaces
    /// the previous result.
    ///
    /// With a radius of 0 only the origin is visible, with 1 also its eight neighbors. The origin
    /// is always visible, and may be opaque.
    ///
    /// `is_opaque` must return `true` outside of the map, and always the same result for the same
    /// cell. It is not called for the origin, for cells outside of the disc, or for cells outside
    /// of the range of `i32`.
    pub fn compute(&mut self, origin: IVec2, radius: u32, is_opaque: impl Fn(IVec2) -> bool) {
        let radius = radius.min(Self::MAX_RADIUS);
        self.clear(origin, radius as i32);
        let Self {
            radius: middle,
            ref mut seen,
            ref disc,
            ref mut sectors,
            ..
        } = *self;
        let IVec2 { x, y } = origin;
        // Near the limits of i32 there are fewer cells on one side.
        let before = |at: i32| at.abs_diff(i32::MIN).min(radius) as i32;
        let after = |at: i32| at.abs_diff(i32::MAX).min(radius) as i32;
        let (north, south, west, east) = (before(y), after(y), before(x), after(x));
        let at = |offset: i32| (middle + offset) as usize;

        seen.insert_in_row(at(0), at(0), at(0));
        for (side, rows) in [(-1, north), (1, south)] {
            scan(
                sectors,
                Bounds::Quadrant {
                    rows,
                    left: west,
                    right: east,
                    disc,
                },
                |row, column| is_opaque(IVec2::new(x + column, y + side * row)),
                |row, first, last| seen.insert_in_row(at(side * row), at(first), at(last)),
            );
        }
        for (side, rows) in [(-1, west), (1, east)] {
            scan(
                sectors,
                Bounds::Quadrant {
                    rows,
                    left: north,
                    right: south,
                    disc,
                },
                |row, column| is_opaque(IVec2::new(x + side * row, y + column)),
                |row, first, last| seen.insert_in_column(at(side * row), at(first), at(last)),
            );
        }
    }

    /// Removes all cells and sets the origin and radius.
    fn clear(&mut self, origin: IVec2, radius: i32) {
        self.origin = origin;
        self.seen.reset(2 * radius as usize + 1);
        // Not empty if `is_opaque` panicked during the last call.
        self.sectors.clear();
        if self.disc.len() == radius as usize + 1 && !self.hexagonal {
            return;
        }
        self.hexagonal = false;
        self.radius = radius;
        self.disc.clear();
        let mut width = radius;
        self.disc.extend((0..=radius).map(|row| {
            while row * row + width * width > radius * radius + radius {
                width -= 1;
            }
            width
        }));
    }

    /// The cell that the field of view was computed from. (0, 0) before the first computation.
    pub fn origin(&self) -> IVec2 {
        self.origin
    }

    /// Whether a cell is visible. Any cell is allowed.
    #[inline]
    pub fn contains(&self, cell: IVec2) -> bool {
        // Beyond the limits of i32 the result wraps to coordinates in the square that are never
        // set.
        let west = self.origin.x.wrapping_sub(self.radius);
        let north = self.origin.y.wrapping_sub(self.radius);
        self.seen.contains(
            cell.x.wrapping_sub(west) as u32,
            cell.y.wrapping_sub(north) as u32,
        )
    }

    /// The visible cells, row by row from north to south, and from west to east within a row.
    pub fn cells(&self) -> impl Iterator<Item = IVec2> + '_ {
        let west = self.origin.x.wrapping_sub(self.radius);
        let north = self.origin.y.wrapping_sub(self.radius);
        self.seen.iter().map(move |(x, y)| {
            IVec2::new(west.wrapping_add(x as i32), north.wrapping_add(y as i32))
        })
    }

    /// The number of visible cells. Counts them on each call.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether no cells are visible, which is only the case before the first computation.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }
}
