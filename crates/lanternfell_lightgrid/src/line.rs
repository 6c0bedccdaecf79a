//! The cells on the straight line between two cells.
//!
//! A line goes from center to center and takes one step after the other along its longer axis. On
//! each step it is nearest to one cell, or it passes exactly between two cells:
//!
//! ```text
//!   A o = . .       o  the nearest cell
//!   . . = o B       =  two equally near cells; `line` takes the northern (or western) one
//! ```
//!
//! On hexagons, the rows that the line crosses run in the direction of a third neighbor. A line
//! that consists of `a` steps to one neighbor and `b` steps to the next one around the cell crosses
//! `a + b` rows and moves `b` cells sideways. In coordinates along two of the three axes the
//! counting is therefore the same as on squares.
//!
//! Source: J. E. Bresenham, "Algorithm for computer control of a digital plotter", IBM Systems
//! Journal 4 (1), 1965.

use glam::{I64Vec2, IVec2};

use crate::axial::{AXES, axial_of, cell_of};

/// The point where a line crosses one of the rows along its longer axis.
pub(crate) struct Crossing {
    /// The nearest cell; if two are equally near, the one further along the shorter axis.
    pub(crate) cell: IVec2,
    /// If two cells are equally near, the other one.
    pub(crate) other: Option<IVec2>,
}

/// The crossings of a line, including both ends: one more than the number of steps.
pub(crate) struct Crossings {
    /// The cell of the next crossing; on hexagons in axial coordinates.
    at: I64Vec2,
    hexagonal: bool,
    /// A step along the longer axis, and one along the shorter axis.
    step: I64Vec2,
    side_step: I64Vec2,
    /// The number of each kind of step from end to end.
    steps: i64,
    side_steps: i64,
    /// The line is `rest / (2 * steps) - 1/2` side steps ahead of the center of the cell. At 0 it
    /// passes between the cell and the previous one.
    rest: i64,
    left: i64,
}

impl Crossings {
    pub(crate) fn new(from: IVec2, to: IVec2) -> Self {
        let way = to.as_i64vec2() - from.as_i64vec2();
        let along_x = I64Vec2::new(way.x.signum(), 0);
        let along_y = I64Vec2::new(0, way.y.signum());
        let (x, y) = (way.x.abs(), way.y.abs());
        let (step, side_step) = if x >= y {
            (along_x, along_y)
        } else {
            (along_y, along_x)
        };
        Self::along(
            (from.as_i64vec2(), false),
            (step, side_step),
            (x.max(y), x.min(y)),
        )
    }

    /// The line between two hexagons.
    pub(crate) fn hexagonal(from: IVec2, to: IVec2) -> Self {
        let (start, end) = (axial_of(from), axial_of(to));
        let way = end - start;
        let parts = |n: usize| {
            let (first, second) = (AXES[n], AXES[(n + 1) % 6]);
            (way.perp_dot(second), first.perp_dot(way))
        };
        let sector = (0..6).find(|&n| parts(n).0 > 0 && parts(n).1 >= 0);
        let sector = sector.unwrap_or_default();
        let (near, far) = parts(sector);
        Self::along(
            (start, true),
            (AXES[sector], AXES[(sector + 2) % 6]),
            (near + far, far),
        )
    }

    fn along(
        (at, hexagonal): (I64Vec2, bool),
        (step, side_step): (I64Vec2, I64Vec2),
        (steps, side_steps): (i64, i64),
    ) -> Self {
        Self {
            at,
            hexagonal,
            step,
            side_step,
            steps,
            side_steps,
            rest: steps,
            left: steps + 1,
        }
    }

    fn cell(&self, at: I64Vec2) -> IVec2 {
        if self.hexagonal {
            cell_of(at)
        } else {
            at.as_ivec2()
        }
    }

    /// The nearest cells; of two equally near ones, the northern or western one.
    pub(crate) fn nearest(self) -> impl Iterator<Item = IVec2> {
        let first = |cell: IVec2, other: IVec2| {
            if (other.y, other.x) < (cell.y, cell.x) {
                other
            } else {
                cell
            }
        };
        self.map(move |Crossing { cell, other }| other.map_or(cell, |other| first(cell, other)))
    }

    /// Whether walls block the line between its ends; see [`line_of_sight`](crate::line_of_sight).
    pub(crate) fn stopped_by(self, is_opaque: impl Fn(IVec2) -> bool) -> bool {
        let (mut wall_ahead, mut wall_behind) = (false, false);
        for Crossing { cell, other } in self.between() {
            let opaque = is_opaque(cell);
            if let Some(other) = other {
                wall_ahead |= opaque;
                wall_behind |= is_opaque(other);
            }
            if (opaque && other.is_none()) || (wall_ahead && wall_behind) {
                return true;
            }
        }
        false
    }

    /// The crossings without the two ends.
    pub(crate) fn between(mut self) -> impl Iterator<Item = Crossing> {
        self.left -= 1;
        self.skip(1)
    }
}

impl Iterator for Crossings {
    type Item = Crossing;

    fn next(&mut self) -> Option<Crossing> {
        if self.left <= 0 {
            return None;
        }
        let at = self.at;
        // The line from a cell to itself has `rest` 0, but passes between no cells.
        let between = self.rest == 0 && self.steps > 0;
        let other = between.then(|| self.cell(at - self.side_step));
        self.left -= 1;
        if self.left > 0 {
            self.at += self.step;
            self.rest += 2 * self.side_steps;
            if self.rest >= 2 * self.steps {
                self.rest -= 2 * self.steps;
                self.at += self.side_step;
            }
        }
        let cell = self.cell(at);
        Some(Crossing { cell, other })
    }
}

/// The cells on the straight line between the centers of two cells, including both ends.
///
/// There is one cell for each step along the longer axis: the one nearest to the line. Consecutive
/// cells are neighbors, possibly diagonally. If the line passes exactly between two cells, the
/// northern or western one is taken. The line in the opposite direction therefore has the same
/// cells in reverse order.
///
/// Walls are ignored; use [`line_of_sight`](crate::line_of_sight) to test whether a line is free. A
/// free line may include an opaque cell where it passes along a wall. On hexagonal grids use
/// [`hexagonal::line`](crate::hexagonal::line()).
///
/// ```
/// use glam::IVec2;
/// use lanternfell_lightgrid::line;
///
/// let cells: Vec<_> = line(IVec2::new(0, 0), IVec2::new(4, 1)).map(|cell| cell.y).collect();
/// assert_eq!(cells, [0, 0, 0, 1, 1]);
/// ```
pub fn line(from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> {
    Crossings::new(from, to).nearest()
}
