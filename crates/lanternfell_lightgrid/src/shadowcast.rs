//! Which cells are seen from a cell: symmetric shadowcasting.
//!
//! Rules that ask "does the guard see the thief?" need an answer that is the same the other
//! way round, or else one of them shoots and the other can not shoot back. Here an open
//! cell is seen if the straight line between the two centers is free, which does not
//! depend on who looks; [`line_of_sight`](crate::line_of_sight) answers the same for one
//! pair of cells. A wall is seen if any part of it is, so that from inside a convex room
//! all of its walls are seen, the corners too.
//!
//! ```text
//!         . . . . .
//!       . . . . . .
//!     . . . . . .
//!   . . . . . . .     . .      @  who looks, five cells far
//!   . . . . . . # . . . .      #  walls
//!   . . . . . @ . . . . .      .  open cells that are seen
//!   . .   # . . . . . . .
//!         . . . . . . . .
//!     . . . . . . . . .
//!       . . . . . . .
//!         . . . . .
//! ```
//!
//! **How.** The disc is cut into four quadrants, north, south, west and east, along its
//! diagonals. In each one, rows are looked at from near to far, between a left and a right
//! ray; what a wall hides is cut out, which leaves sectors that are followed one by one
//! (the module `scan`). All slopes are fractions of integers: the result is exact and the
//! same on every machine.
//!
//! **The radius.** A cell is in the disc if `dx² + dy² <= r² + r`, which is what a center
//! less than `r + 1/2` away amounts to; that makes discs without single cells sticking out.
//! The disc is no wall, and it hides nothing: a view is the boundless view's part in it.
//! Yet cells outside of it need not be asked about. For let (c, d) be one that hides some
//! part of a farther cell (c', d'), both counted from the origin, with d' the larger of c'
//! and d'. The rays to (c', d') are at most t · (c' + 1/2) from the axis on row d, where
//! t = d / d' <= 1 - 1 / d', and c is at most 1/2 more; so (c, d) is nearer than (c', d'), and
//! in the disc if that one is.
//!
//! **Hexagons** have six sextants instead, along the ways to the neighbors, and the same radius in
//! the plane: a cell `c` and `d - c` steps along the two sides of a sextant away is in the disc if
//! `d² - c d + c² <= r² + r`. With a sextant's rows drawn straight that is a quadrant's right half, and
//! what was said above holds.
//!
//! **Cost.** Each cell that is seen is asked about once, and a few at the diagonals and in
//! torn shadows twice; work is done for rows and runs of cells instead of cells. The worst
//! case, for any map, is proportional to radius². Memory is a bit for each cell of the square
//! around the disc, reused by the next view.
//!
//! Source: Albert Ford, "Symmetric Shadowcasting",
//! <https://www.albertford.com/shadowcasting/>.

mod bits;
mod hexagons;
mod line_of_sight;
mod scan;

use glam::IVec2;

pub use line_of_sight::line_of_sight;

use bits::SquareBits;
use scan::{Bounds, Sector, scan};

/// The cells that are seen from one cell.
///
/// Meant to be kept and used from turn to turn: only a larger radius than ever before takes
/// new memory. Two views are equal if origin, radius and cells are.
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
/// view.look(IVec2::new(2, 2), 20, is_opaque);
/// assert!(view.contains(IVec2::new(4, 2)), "the pillar itself");
/// assert!(!view.contains(IVec2::new(6, 2)), "what is behind it");
/// assert!(view.contains(IVec2::new(8, 4)), "the far corner");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldOfView {
    origin: IVec2,
    radius: i32,
    /// The cells of the square from `origin - radius` to `origin + radius`.
    seen: SquareBits,
    /// Half the disc's width on each row, from the origin's row on; of hexagons the disc's first
    /// column in a sextant's rows.
    disc: Vec<i32>,
    hexagonal: bool,
    /// Working memory, empty between looks.
    sectors: Vec<Sector>,
}

impl FieldOfView {
    /// The largest radius, in cells; larger ones are taken for it.
    ///
    /// It bounds the memory (about 2 MiB, of hexagons 3) and the fractions, and lets a map of 1448 x 1448 cells be
    /// overlooked from corner to corner.
    pub const MAX_RADIUS: u32 = 2048;

    /// A view that sees nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the view by what is seen from `origin` up to `radius` cells away.
    ///
    /// The origin is always seen, and it may be opaque, which changes nothing. `is_opaque` is
    /// never asked about it, nor about cells outside of the disc or of the range of
    /// `i32`; it should say `true` outside of the map, and must answer
    /// the same all the time. A radius of 0 sees the origin alone, 1 its eight neighbors too.
    pub fn look(&mut self, origin: IVec2, radius: u32, is_opaque: impl Fn(IVec2) -> bool) {
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
        // Near the ends of i32 there are fewer cells on one side.
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

    /// Sees nothing from a new place.
    fn clear(&mut self, origin: IVec2, radius: i32) {
        self.origin = origin;
        self.seen.reset(2 * radius as usize + 1);
        // Not empty if `is_opaque` panicked during the last look.
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

    /// Where the view is seen from; (0, 0) before the first look.
    pub fn origin(&self) -> IVec2 {
        self.origin
    }

    /// Whether a cell is seen. Any cell may be asked for.
    #[inline]
    pub fn contains(&self, cell: IVec2) -> bool {
        // Wrapped round the end of i32 these name a bit of the square that is never set.
        let west = self.origin.x.wrapping_sub(self.radius);
        let north = self.origin.y.wrapping_sub(self.radius);
        self.seen.contains(
            cell.x.wrapping_sub(west) as u32,
            cell.y.wrapping_sub(north) as u32,
        )
    }

    /// The cells that are seen, row by row from north to south, each from west to east.
    pub fn cells(&self) -> impl Iterator<Item = IVec2> + '_ {
        let west = self.origin.x.wrapping_sub(self.radius);
        let north = self.origin.y.wrapping_sub(self.radius);
        self.seen.iter().map(move |(x, y)| {
            IVec2::new(west.wrapping_add(x as i32), north.wrapping_add(y as i32))
        })
    }

    /// How many cells are seen; they are counted on each call.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether nothing is seen, which is so before the first look only.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }
}
