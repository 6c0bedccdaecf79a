//! Walks along a straight line over a surface and finds its first hit.
//!
//! Problem: a ray must be stopped by exactly the triangles that are rendered, and must never slip
//! through where two of them join. But it should not test all triangles below it.
//!
//! Idea: a surface has one height at each position, so a line is either above or below it, and must
//! hit it to change sides. So it is enough to know the side where the line crosses a grid line
//! or a diagonal. Between two such crossings the surface is one flat triangle, and the height of
//! the line above it, `f`, is linear.
//!
//! ```text
//!     f > 0 --.____                        between the crossings with f > 0 and f < 0
//!        |      |   `--.____               the line hits the surface, at the root of f
//!        |   ___|____.---.__`--.
//!     __.+--'   |        |   `---+-.__
//!               |        |     f < 0
//! ```
//!
//! # Steps
//! 1. Clip the line to the map.
//! 2. Start with the largest block of the [`HeightPyramid`]. If the line is above or below the
//!    whole block, continue behind it. Otherwise enter its quarters in the order in which the line
//!    crosses them (at most three).
//! 3. In a block of level 0, go from square to square. First compare the line with the heights of
//!    the square's corners. If that does not decide, evaluate `f` where the line enters the square,
//!    at the diagonal, and where it leaves.
//!
//! # Why nothing is missed
//! The walk remembers the side from crossing to crossing, also over the blocks and squares that it
//! skips. If the side changes, the line has hit the surface: inside a triangle at the root of `f`,
//! or exactly at a crossing if only rounding changed the side. The order of crossings does not
//! depend on positions, but on the times at which the line crosses the grid lines. Each of these
//! times is computed in the same way everywhere. So a line that starts on one side and ends on the
//! other always hits the surface, in spite of rounding. (Woop, Benthin, Wald, *Watertight
//! Ray/Triangle Intersection*, 2013, reach the same result for triangles without such an order.)
//! The side is unknown only in a hole and outside the map.
//!
//! # Cost and limits
//! A line visits about 10 to 30 blocks and as many squares, growing with the logarithm of the map's
//! size. Without a pyramid it visits all squares below it. Everything is in `f64`: the time of a
//! hit is accurate to 2^-50 of the line's largest coordinate over the map, divided by the speed at
//! which the line approaches the surface.
//!
//! Source: Tevs, Ihrke, Seidel 2008 (see [`HeightPyramid`]). The order of the quarters follows Wald
//! and Havran, *On building fast kd-trees for ray tracing*, 2006.
//!
//! [`HeightPyramid`]: super::HeightPyramid

use glam::{DVec2, DVec3};

use super::{
    SquareHalf, Surface,
    axis::Axis,
    pyramid::{SHIFT, level_count},
};

/// A straight line `origin + time * direction`, for times from 0 to `end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
    pub(super) end: f64,
}

impl Line {
    /// Longer than any `f32`, but finite.
    const ENDLESS: f64 = 1e40;

    /// Creates a line. Returns `None` if it has no direction, if a number is not finite, or if
    /// `end` is negative or NaN. `end` may be infinite.
    pub(super) fn new(origin: DVec3, direction: DVec3, end: f64) -> Option<Self> {
        let sound = origin.is_finite() && direction.is_finite() && direction != DVec3::ZERO;
        // Written so that NaN fails too.
        (sound && end >= 0.0).then_some(Self {
            origin,
            direction,
            end: end.min(Self::ENDLESS),
        })
    }

    pub(super) fn at(&self, time: f64) -> DVec3 {
        self.origin + time * self.direction
    }
}

/// The point where a line hits the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Contact {
    pub(super) time: f64,
    pub(super) column: u32,
    pub(super) row: u32,
    pub(super) half: SquareHalf,
}

/// A side of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

/// The movement of a line along one axis.
#[derive(Debug, Clone, Copy)]
struct Course {
    axis: Axis,
    origin: f64,
    direction: f64,
    inverse: f64,
}

impl Course {
    fn new(axis: Axis, origin: f64, direction: f64) -> Self {
        Self {
            axis,
            origin,
            direction,
            inverse: 1.0 / direction,
        }
    }

    #[inline(always)]
    fn at(&self, time: f64) -> f64 {
        self.origin + time * self.direction
    }

    #[inline(always)]
    fn is_parallel(&self) -> bool {
        self.direction == 0.0
    }

    /// Whether the line visits squares in increasing order.
    #[inline(always)]
    fn is_forward(&self) -> bool {
        self.direction >= 0.0
    }

    /// Returns the time at which the line crosses a grid line. It is the same number in every call.
    /// A parallel line has crossed it infinitely long ago, or never does.
    #[inline(always)]
    fn time(&self, line: u32) -> f64 {
        let ahead = f64::from(self.axis.line(line)) - self.origin;
        if !self.is_parallel() {
            ahead * self.inverse
        } else if ahead > 0.0 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        }
    }

    /// Returns the times at which the line enters and leaves the map.
    fn over_map(&self) -> [f64; 2] {
        let [first, last] = self.axis.ends();
        if first > last {
            return [f64::INFINITY, f64::NEG_INFINITY];
        }
        if self.is_parallel() {
            let inside = self.origin >= first && self.origin <= last;
            let never = if inside {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
            return [-never, never];
        }
        let (a, b) = (self.time(0), self.time(self.axis.squares()));
        if a <= b { [a, b] } else { [b, a] }
    }

    /// Returns the time at which the line leaves a square.
    #[inline(always)]
    fn leaves(&self, square: u32) -> f64 {
        if self.is_parallel() {
            return f64::INFINITY;
        }
        self.time(square + u32::from(self.is_forward()))
    }

    /// Returns the next square, which may be outside the map.
    #[inline(always)]
    fn after(&self, square: u32) -> u32 {
        if self.is_forward() {
            square + 1
        } else {
            square.wrapping_sub(1)
        }
    }

    /// Returns the time at which the line crosses the middle of a block of a level above 0.
    #[inline(always)]
    fn splits(&self, level: usize, block: u32) -> f64 {
        let middle = (2 * block + 1) << (SHIFT + level as u32 - 1);
        if middle < self.axis.squares() {
            self.time(middle)
        } else if self.is_forward() {
            // Only the first half is on the map.
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        }
    }

    /// Returns the half of a block that the line is in, before or after the split.
    #[inline(always)]
    fn half(&self, block: u32, after: bool) -> u32 {
        2 * block + u32::from(self.is_forward() == after)
    }

    /// Returns the squares of a block of level 0: the first one, and the one after the last.
    #[inline(always)]
    fn squares_of(&self, block: u32) -> [u32; 2] {
        let first = block << SHIFT;
        [first, (first + (1 << SHIFT)).min(self.axis.squares())]
    }

    /// Returns the square of a block that the line is in at a time.
    #[inline(always)]
    fn square(&self, [first, end]: [u32; 2], time: f64) -> u32 {
        self.axis.square(self.at(time)).clamp(first, end - 1)
    }
}

/// A line that walks over a surface.
pub(super) struct Walk<'a> {
    surface: &'a Surface<'a>,
    line: Line,
    x: Course,
    z: Course,
    /// The last known side.
    side: Option<Side>,
    /// Within this distance of the surface the line is on neither side. It is negative if touching
    /// the surface counts as a hit.
    band: f64,
}

impl<'a> Walk<'a> {
    /// Creates a walk on which touching the surface counts as a hit.
    pub(super) fn new(surface: &'a Surface<'a>, line: Line) -> Self {
        Self {
            surface,
            line,
            x: Course::new(surface.x, line.origin.x, line.direction.x),
            z: Course::new(surface.z, line.origin.z, line.direction.z),
            side: None,
            band: -1.0,
        }
    }

    /// Starts the walk on a side, if it is known. The line may touch the surface, and cross it by
    /// less than `band` meters, without hitting it.
    pub(super) fn passing(self, side: Option<Side>, band: f64) -> Self {
        Self { side, band, ..self }
    }

    /// Returns the first hit.
    pub(super) fn first(&mut self) -> Option<Contact> {
        let ([west, east], [north, south]) = (self.x.over_map(), self.z.over_map());
        let from = west.max(north).max(0.0);
        let to = east.min(south).min(self.line.end);
        let top = level_count(self.surface.map.size()) - 1;
        if from <= to {
            self.enter(top, (0, 0), from, to)
        } else {
            None
        }
    }

    /// Returns the last known side.
    pub(super) fn side(&self) -> Option<Side> {
        self.side
    }

    /// Step 2: walks through a block, in which the line is between two times.
    fn enter(
        &mut self,
        level: usize,
        (column, row): (u32, u32),
        from: f64,
        to: f64,
    ) -> Option<Contact> {
        let ends = [self.height(from), self.height(to)];
        let range = self.surface.block_range(level, column, row);
        if let Some(side) = self.clear_of(range, ends) {
            return self.pass(side, from);
        }
        if level == 0 {
            return self.cross_block((column, row), from, to);
        }
        let splits = [self.x.splits(level, column), self.z.splits(level, row)];
        let mut after = splits.map(|split| split <= from);
        let mut here = from;
        loop {
            let ahead = [0, 1].map(|k| if after[k] { f64::INFINITY } else { splits[k] });
            let next = ahead[0].min(ahead[1]).min(to);
            let quarter = (self.x.half(column, after[0]), self.z.half(row, after[1]));
            let contact = self.enter(level - 1, quarter, here, next);
            if contact.is_some() || next >= to {
                return contact;
            }
            after = splits.map(|split| split <= next);
            here = next;
        }
    }

    /// Step 3: walks from square to square in a block of level 0.
    fn cross_block(&mut self, (column, row): (u32, u32), from: f64, to: f64) -> Option<Contact> {
        let (columns, rows) = (self.x.squares_of(column), self.z.squares_of(row));
        let mut column = self.x.square(columns, from);
        let mut row = self.z.square(rows, from);
        let mut here = from;
        // At a corner, the line leaves both the column and the row.
        loop {
            let leaves = [self.x.leaves(column), self.z.leaves(row)];
            let next = leaves[0].min(leaves[1]).clamp(here, to);
            let contact = self.cross_square((column, row), here, next);
            if contact.is_some() || next >= to {
                return contact;
            }
            if leaves[0] <= next {
                column = self.x.after(column);
            }
            if leaves[1] <= next {
                row = self.z.after(row);
            }
            let inside = |square: u32, [first, end]: [u32; 2]| square >= first && square < end;
            if !(inside(column, columns) && inside(row, rows)) {
                return None;
            }
            here = next;
        }
    }

    /// Step 3: tests one square.
    fn cross_square(&mut self, square: (u32, u32), from: f64, to: f64) -> Option<Contact> {
        let (column, row) = square;
        if self.surface.is_hole(column, row) {
            self.side = None;
            return None;
        }
        let ends = [self.height(from), self.height(to)];
        let range = self.surface.square_range(column, row);
        if let Some(side) = self.clear_of(range, ends) {
            return self.pass(side, from);
        }
        let [a, b] = [from, to].map(|time| self.part(square, time));
        // The distance behind the diagonal.
        let (behind_a, behind_b) = (a.x + a.y - 1.0, b.x + b.y - 1.0);
        let half = |behind: f64| {
            if behind <= 0.0 {
                SquareHalf::NorthWest
            } else {
                SquareHalf::SouthEast
            }
        };
        if (behind_a < 0.0 && behind_b > 0.0) || (behind_a > 0.0 && behind_b < 0.0) {
            let share = behind_a / (behind_a - behind_b);
            let (time, middle) = (from + (to - from) * share, a + (b - a) * share);
            let first = half(behind_a);
            return self
                .cross_half(square, first, (from, a), (time, middle))
                .or_else(|| self.cross_half(square, first.other(), (time, middle), (to, b)));
        }
        self.cross_half(square, half(behind_a + behind_b), (from, a), (to, b))
    }

    /// Step 3: tests one triangle, between two positions in it.
    fn cross_half(
        &mut self,
        (column, row): (u32, u32),
        half: SquareHalf,
        a: (f64, DVec2),
        b: (f64, DVec2),
    ) -> Option<Contact> {
        let facet = self.surface.facet(column, row, half);
        let above = |(time, part)| self.height(time) - facet.height(part);
        let (start, end) = (above(a), above(b));
        let contact = |time| {
            Some(Contact {
                time,
                column,
                row,
                half,
            })
        };
        if start.abs() > self.band {
            match side_of(start) {
                Some(side) if self.side.is_none_or(|before| before == side) => {
                    self.side = Some(side);
                }
                _ => return contact(a.0),
            }
        }
        if end.abs() > self.band {
            let side = side_of(end);
            if side.is_none() || self.side.is_some_and(|before| side != Some(before)) {
                let share = start / (start - end);
                let inside = (0.0..=1.0).contains(&share);
                return contact(if inside {
                    a.0 + (b.0 - a.0) * share
                } else {
                    b.0
                });
            }
            self.side = side;
        }
        None
    }

    /// Records the side at a time. If the line was on the other side before, it has hit the
    /// surface.
    fn pass(&mut self, side: Side, time: f64) -> Option<Contact> {
        let before = self.side.replace(side);
        if before.is_none_or(|before| before == side) {
            return None;
        }
        let column = self.x.axis.square(self.x.at(time));
        let row = self.z.axis.square(self.z.at(time));
        Some(Contact {
            time,
            column,
            row,
            half: SquareHalf::at(self.part((column, row), time)),
        })
    }

    /// Returns the side of a block or square with this height range, if the line is on one side of
    /// it at both ends.
    #[inline(always)]
    fn clear_of(&self, [low, high]: [f64; 2], [a, b]: [f64; 2]) -> Option<Side> {
        let band = self.band.max(0.0);
        if a.min(b) > high + band {
            Some(Side::Above)
        } else if a.max(b) < low - band {
            Some(Side::Below)
        } else {
            None
        }
    }

    #[inline(always)]
    fn height(&self, time: f64) -> f64 {
        self.line.origin.y + time * self.line.direction.y
    }

    /// Returns the position in a square, from 0 to 1 on both axes except for rounding.
    fn part(&self, (column, row): (u32, u32), time: f64) -> DVec2 {
        let part = |course: &Course, square| {
            let [before, after] = course.axis.sides(square);
            (course.at(time) - before) / (after - before)
        };
        DVec2::new(part(&self.x, column), part(&self.z, row))
    }
}

/// Returns the side for a height above the surface, or `None` for 0.
fn side_of(above: f64) -> Option<Side> {
    if above > 0.0 {
        Some(Side::Above)
    } else if above < 0.0 {
        Some(Side::Below)
    } else {
        None
    }
}

impl Surface<'_> {
    /// Returns the lowest and the highest height of a block in meters. Without a pyramid, this is
    /// the range of all numbers.
    #[inline(always)]
    pub(super) fn block_range(&self, level: usize, column: u32, row: u32) -> [f64; 2] {
        let anything = [f32::MIN, f32::MAX].map(f64::from);
        self.pyramid.map_or(anything, |pyramid| {
            let range = pyramid.block(level, column, row);
            range.map(|height| f64::from(height * self.scale.relief))
        })
    }

    /// Returns the lowest and the highest corner of a square in meters.
    #[inline(always)]
    pub(super) fn square_range(&self, column: u32, row: u32) -> [f64; 2] {
        let width = self.map.width();
        let nw = row as usize * width + column as usize;
        let heights = self.map.heights();
        let (north, south) = (&heights[nw..nw + 2], &heights[nw + width..nw + width + 2]);
        let low = north[0].min(north[1]).min(south[0].min(south[1]));
        let high = north[0].max(north[1]).max(south[0].max(south[1]));
        [low, high].map(|height| f64::from(height * self.scale.relief))
    }
}
