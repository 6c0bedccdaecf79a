//! The cells on the straight line between two cells.
//!
//! A line goes from center to center, one step after the other along its longer axis. On
//! each step it is nearest to one cell, or it passes exactly between two neighbors:
//!
//! ```text
//!   A o = . .       o  the nearest cell
//!   . . = o B       =  two, of which `line` takes the northern (or western) one
//! ```
//!
//! Source for the counting: J. E. Bresenham, "Algorithm for computer control of a digital
//! plotter", IBM Systems Journal 4 (1), 1965.

use glam::IVec2;

/// Where a line crosses one of the rows along its longer axis.
pub(crate) struct Crossing {
    /// The nearest cell; if two are just as near, the one further along the shorter axis.
    pub(crate) cell: IVec2,
    /// The other one of two just as near.
    pub(crate) other: Option<IVec2>,
}

/// A line's crossings, both ends included: one more than there are steps.
pub(crate) struct Crossings {
    /// The next crossing's cell.
    cell: IVec2,
    /// A step along the longer axis, and one along the shorter.
    step: IVec2,
    side_step: IVec2,
    /// How many of them there are from end to end.
    steps: i64,
    side_steps: i64,
    /// The line is `rest / (2 * steps) - 1/2` side steps ahead of the cell's center; at 0
    /// it passes between the cell and the one before.
    rest: i64,
    left: i64,
}

impl Crossings {
    pub(crate) fn new(from: IVec2, to: IVec2) -> Self {
        let way = to.as_i64vec2() - from.as_i64vec2();
        let along_x = IVec2::new(way.x.signum() as i32, 0);
        let along_y = IVec2::new(0, way.y.signum() as i32);
        let (x, y) = (way.x.abs(), way.y.abs());
        let (step, side_step) = if x >= y {
            (along_x, along_y)
        } else {
            (along_y, along_x)
        };
        let (steps, side_steps) = (x.max(y), x.min(y));
        Self {
            cell: from,
            step,
            side_step,
            steps,
            side_steps,
            rest: steps,
            left: steps + 1,
        }
    }

    /// The crossings between the two ends only.
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
        let cell = self.cell;
        let other = (self.rest == 0).then(|| cell - self.side_step);
        self.left -= 1;
        if self.left > 0 {
            self.cell += self.step;
            self.rest += 2 * self.side_steps;
            if self.rest >= 2 * self.steps {
                self.rest -= 2 * self.steps;
                self.cell += self.side_step;
            }
        }
        Some(Crossing { cell, other })
    }
}

/// The cells along the straight line between two cells' centers, both ends included.
///
/// One cell for each step along the longer axis, the one nearest to the line; each is a
/// king's move from the one before. Where the line passes exactly between two cells, the
/// northern or western one is taken: so it is the same cells in both directions, in
/// reverse order. Nothing is said about walls: [`line_of_sight`](crate::line_of_sight) tells
/// whether a line is free. A free line may still have an opaque cell, where it slides
/// along a wall.
///
/// ```
/// use glam::IVec2;
/// use lanternfell_lightgrid::line;
///
/// let cells: Vec<_> = line(IVec2::new(0, 0), IVec2::new(4, 1)).map(|cell| cell.y).collect();
/// assert_eq!(cells, [0, 0, 0, 1, 1]);
/// ```
pub fn line(from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> {
    let crossings = Crossings::new(from, to);
    crossings.map(|Crossing { cell, other }| other.map_or(cell, |other| cell.min(other)))
}
