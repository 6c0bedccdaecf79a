//! How a straight line walks over a surface, and where it meets it.
//!
//! Problem: a ray must be stopped by the very triangles that are drawn, never slip through where two of
//! them join, and not look at all that lie below it.
//!
//! Idea: a surface has one height at each place, so a line is above it or below it, and can not come to
//! the other side without meeting it. So ask for the side only, where the line crosses a grid line or a
//! diagonal: between two such crossings the ground is one flat triangle, and the height of the line above
//! it, `f`, is linear.
//!
//! ```text
//!     f > 0 --.____                        between the crossings with f > 0 and f < 0
//!        |      |   `--.____               the line meets the ground, at the root of f
//!        |   ___|____.---.__`--.
//!     __.+--'   |        |   `---+-.__
//!               |        |     f < 0
//! ```
//!
//! # Steps
//! 1. Clip the line to the map.
//! 2. From the largest block of the [`HeightPyramid`] down: above or below the whole block, go on behind
//!    it; else into its quarters, as the line comes to them (at most three).
//! 3. In a block of level 0 from square to square, in each the same with its four corners; else `f` at
//!    its border, at the diagonal, at its border.
//!
//! # Why nothing is missed
//! The side is kept from crossing to crossing, over blocks and squares that are skipped too, and when it
//! is another than before the ground has been met: in the triangle by its root, or right at the crossing
//! where only rounding made it another. The order of crossings hangs on no position but on the time at
//! which each grid line is crossed, a number that is the same for whoever asks. So a line that begins on
//! one side and ends on the other meets the ground whatever is rounded. (Woop, Benthin, Wald, *Watertight
//! Ray/Triangle Intersection*, 2013, come to the same for triangles without such an order.) Only in a
//! hole and beyond the border nothing is known of the side.
//!
//! # Cost and limits
//! Some 10 to 30 blocks and as many squares a line, growing with the logarithm of the map; without a
//! pyramid all squares below it. All in `f64`: the time of a hit is off by 2^-50 of the line's largest
//! coordinate over the map, divided by how fast the line comes to the ground.
//!
//! Source: Tevs, Ihrke, Seidel 2008 (see [`HeightPyramid`]); the order of the quarters as in a tree of
//! halves, Wald and Havran, *On building fast kd-trees for ray tracing*, 2006.
//!
//! [`HeightPyramid`]: super::HeightPyramid

use glam::{DVec2, DVec3};

use super::{
    SquareHalf, Surface,
    axis::Axis,
    pyramid::{SHIFT, level_count},
};

/// A straight line: `origin + time direction`, for times from 0 to `end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
    pub(super) end: f64,
}

impl Line {
    /// Longer than any `f32`, and finite.
    const ENDLESS: f64 = 1e40;

    /// `None` when it has no direction, or is not of finite numbers; infinite ends are none.
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

/// Where a line meets the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Contact {
    pub(super) time: f64,
    pub(super) column: u32,
    pub(super) row: u32,
    pub(super) half: SquareHalf,
}

/// On which side of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

/// A line on its way along one axis.
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

    /// Whether squares come in the order of their numbers.
    #[inline(always)]
    fn is_forward(&self) -> bool {
        self.direction >= 0.0
    }

    /// When it crosses a line of the grid: always the same number. In parallel to it long ago or never.
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

    /// When it comes over the map, and when it leaves it.
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

    /// When it leaves a square.
    #[inline(always)]
    fn leaves(&self, square: u32) -> f64 {
        if self.is_parallel() {
            return f64::INFINITY;
        }
        self.time(square + u32::from(self.is_forward()))
    }

    /// The square after that one, perhaps beyond the map.
    #[inline(always)]
    fn after(&self, square: u32) -> u32 {
        if self.is_forward() {
            square + 1
        } else {
            square.wrapping_sub(1)
        }
    }

    /// When it comes from the one half of a block, of that level above 0, into the other.
    #[inline(always)]
    fn splits(&self, level: usize, block: u32) -> f64 {
        let middle = (2 * block + 1) << (SHIFT + level as u32 - 1);
        if middle < self.axis.squares() {
            self.time(middle)
        } else if self.is_forward() {
            // There is but the first half.
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The half of a block that it is in, before or after the split.
    #[inline(always)]
    fn half(&self, block: u32, after: bool) -> u32 {
        2 * block + u32::from(self.is_forward() == after)
    }

    /// The squares of a block of level 0: the first, and that after the last.
    #[inline(always)]
    fn squares_of(&self, block: u32) -> [u32; 2] {
        let first = block << SHIFT;
        [first, (first + (1 << SHIFT)).min(self.axis.squares())]
    }

    /// The square of a block that it is in at that time.
    #[inline(always)]
    fn square(&self, [first, end]: [u32; 2], time: f64) -> u32 {
        self.axis.square(self.at(time)).clamp(first, end - 1)
    }
}

/// A line on its way over a surface.
pub(super) struct Walk<'a> {
    surface: &'a Surface<'a>,
    line: Line,
    x: Course,
    z: Course,
    /// On which side it was last, as far as is known.
    side: Option<Side>,
    /// So near to the ground it is on neither side; below 0 for what touches the ground to meet it.
    band: f64,
}

impl<'a> Walk<'a> {
    /// A line that meets the ground where it touches it.
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

    /// A line that begins on that side, if it is known, and does not mind the ground as long as it comes no
    /// further than `band` metres, above 0, to the other side.
    pub(super) fn passing(self, side: Option<Side>, band: f64) -> Self {
        Self { side, band, ..self }
    }

    /// Where it first meets the ground.
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

    /// On which side of the ground it was last, as far as is known.
    pub(super) fn side(&self) -> Option<Side> {
        self.side
    }

    /// Step 2: a block, in which the line is between those times.
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

    /// Step 3: from square to square of a block of level 0.
    fn cross_block(&mut self, (column, row): (u32, u32), from: f64, to: f64) -> Option<Contact> {
        let (columns, rows) = (self.x.squares_of(column), self.z.squares_of(row));
        let mut column = self.x.square(columns, from);
        let mut row = self.z.square(rows, from);
        let mut here = from;
        // Both are left at a corner.
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

    /// Step 3: one square.
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
        // How far behind the diagonal.
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

    /// Step 3: one triangle, from a place in it to another.
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

    /// Takes note of the side at that time: if it was the other one before, the ground was met.
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

    /// The side of all ground between two heights, if the line is on one between those of its own.
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

    /// Where in a square it is, from 0 to 1 on both axes but for rounding.
    fn part(&self, (column, row): (u32, u32), time: f64) -> DVec2 {
        let part = |course: &Course, square| {
            let [before, after] = course.axis.sides(square);
            (course.at(time) - before) / (after - before)
        };
        DVec2::new(part(&self.x, column), part(&self.z, row))
    }
}

/// Which side that is, so far above the ground; `None` for 0.
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
    /// The lowest and the highest ground of a block, in metres; anything without a pyramid.
    #[inline(always)]
    pub(super) fn block_range(&self, level: usize, column: u32, row: u32) -> [f64; 2] {
        let anything = [f32::MIN, f32::MAX].map(f64::from);
        self.pyramid.map_or(anything, |pyramid| {
            let range = pyramid.block(level, column, row);
            range.map(|height| f64::from(height * self.scale.relief))
        })
    }

    /// The lowest and the highest corner of a square, in metres.
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
