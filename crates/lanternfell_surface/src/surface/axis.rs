//! The grid lines of a surface along one axis: their positions, and the square that contains a
//! position.
//!
//! Problem: line `k` is rendered at `(k - half) spacing` in `f32`, which is rounded for a spacing
//! such as 0.3. A position near a line must be found on the side of the line where it is rendered.
//! Otherwise a query uses the wrong square, or a border cell counts as outside the map.
//!
//! Idea: compute a guess in `f64`, which is wrong by at most one line, because rounding moves a
//! line by less than 1/2000 of a square on the widest map. Then compare with the rounded lines
//! themselves.

use std::ops::Range;

/// Equidistant grid lines, centered on 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Half the number of squares.
    half: f32,
    /// The distance between two lines in meters.
    spacing: f32,
    /// The number of squares per meter.
    per_meter: f64,
    /// The number of squares, at least one.
    squares: u32,
    /// The positions of the first and the last line. They are in reverse order if the spacing is
    /// invalid, so that no position is between them.
    ends: [f32; 2],
}

impl Axis {
    /// Creates the lines through this number of cells, at least two.
    pub fn new(cells: usize, spacing: f32) -> Self {
        let squares = (cells - 1) as u32;
        let mut axis = Self {
            half: squares as f32 / 2.0,
            spacing,
            per_meter: 1.0 / f64::from(spacing),
            squares,
            ends: [f32::INFINITY, f32::NEG_INFINITY],
        };
        // With a smaller spacing, neighboring lines would coincide.
        if spacing.is_normal() && spacing > 0.0 {
            axis.ends = [axis.line(0), axis.line(squares)];
        }
        axis
    }

    /// Returns the number of squares.
    pub(super) fn squares(&self) -> u32 {
        self.squares
    }

    /// Returns the positions of the first and the last line.
    pub(super) fn ends(&self) -> [f64; 2] {
        self.ends.map(f64::from)
    }

    /// Returns half the extent in meters.
    pub(super) fn half_extent(&self) -> f32 {
        self.half * self.spacing
    }

    /// Returns the position of a line in meters.
    #[inline(always)]
    pub fn line(&self, index: u32) -> f32 {
        (index as f32 - self.half) * self.spacing
    }

    /// Returns the positions of the two lines around a square.
    #[inline(always)]
    pub(super) fn sides(&self, square: u32) -> [f64; 2] {
        [self.line(square).into(), self.line(square + 1).into()]
    }

    /// Returns the square that contains `at`, or a neighbor of it. Positions outside map to the
    /// nearest square.
    #[inline(always)]
    pub(super) fn guess(&self, at: f64) -> u32 {
        // `as` saturates, and converts NaN to 0.
        ((at * self.per_meter + f64::from(self.half)) as u32).min(self.squares - 1)
    }

    /// Returns the square that contains `at`. Positions outside map to the nearest square.
    ///
    /// A line belongs to the square after it, and the last line to the last square.
    #[inline(always)]
    pub(super) fn square(&self, at: f64) -> u32 {
        let square = self.guess(at);
        let [before, after] = self.sides(square);
        if at < before {
            square.saturating_sub(1)
        } else if at >= after {
            (square + 1).min(self.squares - 1)
        } else {
            square
        }
    }

    /// Returns the squares that overlap the open interval between two positions. It is empty unless
    /// `from < to`.
    pub(super) fn between(&self, from: f32, to: f32) -> Range<u32> {
        // Written so that NaN fails too.
        if !(from < to && to > self.ends[0] && from < self.ends[1]) {
            return 0..0;
        }
        let (first, last) = (self.square(from.into()), self.square(to.into()));
        let ends_on_line = self.sides(last)[0] >= f64::from(to);
        first..last + u32::from(!ends_on_line)
    }

    /// Returns the [`square`](Self::square) that contains `at`, and the position in it from 0 to 1.
    /// Returns `None` outside the ends.
    #[inline(always)]
    pub(super) fn locate(&self, at: f32) -> Option<(u32, f64)> {
        // Written so that NaN fails too.
        if !(at >= self.ends[0] && at <= self.ends[1]) {
            return None;
        }
        let at = f64::from(at);
        let mut square = self.guess(at);
        let [mut before, mut after] = self.sides(square);
        // The guess is nearly always right, and its lines need not be computed again.
        if !(at >= before && at < after) {
            square = self.square(at);
            [before, after] = self.sides(square);
        }
        Some((square, (at - before) / (after - before)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_near_lines_are_on_their_side() {
        for cells in [2, 3, 10, 4096, 16_384] {
            for spacing in [
                1.0,
                0.3,
                0.7,
                1e-3,
                12_345.678,
                1e5,
                1e-30,
                f32::MIN_POSITIVE,
            ] {
                let axis = Axis::new(cells, spacing);
                let last = axis.squares();
                for line in (0..=last)
                    .step_by(last.div_ceil(500) as usize)
                    .chain([last])
                {
                    let at = axis.line(line);
                    let expected = if line == last {
                        (last - 1, 1.0)
                    } else {
                        (line, 0.0)
                    };
                    assert_eq!(
                        axis.locate(at),
                        Some(expected),
                        "{cells}, {spacing}: {line}"
                    );
                    let before = axis.locate(at.next_down());
                    let before = before.map(|(square, part)| (square, part <= 1.0 && part > 0.0));
                    let expected = line.checked_sub(1).map(|square| (square, true));
                    assert_eq!(before, expected, "{cells}, {spacing}: before {line}");
                }
                assert_eq!(axis.locate(axis.line(last).next_up()), None);
            }
        }
    }

    #[test]
    fn between_matches_check_of_each_square() {
        for (cells, spacing) in [(2, 1.0), (7, 0.3), (10, 12_345.678), (33, 1e-3)] {
            let axis = Axis::new(cells, spacing);
            let lines = (0..=axis.squares()).map(|index| axis.line(index));
            let near_lines = lines.flat_map(|at| [at.next_down(), at, at.next_up()]);
            let far = [f32::NEG_INFINITY, -1e30, 0.0, 1e30, f32::INFINITY, f32::NAN];
            let places: Vec<f32> = near_lines.chain(far).collect();
            for (&from, &to) in places
                .iter()
                .flat_map(|a| places.iter().map(move |b| (a, b)))
            {
                let overlaps = |&square: &u32| {
                    let [before, after] = axis.sides(square);
                    from < to && f64::from(from) < after && f64::from(to) > before
                };
                let expected: Vec<u32> = (0..axis.squares()).filter(overlaps).collect();
                let found: Vec<u32> = axis.between(from, to).collect();
                assert_eq!(found, expected, "{cells}, {spacing}: {from} to {to}");
            }
        }
    }

    #[test]
    fn invalid_spacing_contains_no_position() {
        for spacing in [0.0, -1.0, 1e-45, f32::NAN, f32::INFINITY] {
            let axis = Axis::new(6, spacing);
            for at in [0.0, -1.0, 1e-45, f32::NAN, f32::INFINITY] {
                assert_eq!(axis.locate(at), None, "{at} of {spacing}");
                assert!(axis.between(-at, at).is_empty(), "{at} of {spacing}");
            }
        }
    }
}
