//! The grid lines of a surface along one axis: where each lies, and between which two a place is.
//!
//! Problem: line `k` is drawn at `(k - half) spacing` in `f32`, and with a spacing as 0.3 that is
//! rounded. A place near a line must be found on the side of it where it is drawn, or it is asked of
//! the wrong square, and a border cell is not on the map.
//!
//! Idea: guess by arithmetic in `f64`, which is off by one line at most (rounding moves a line by less
//! than 1/2000 of a square on the widest map); then look at the lines themselves.

use std::ops::Range;

/// Lines in equal distances, the middle of them at 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Half of the squares.
    half: f32,
    /// Metres from line to line.
    spacing: f32,
    /// Squares in a metre.
    per_meter: f64,
    /// How many squares there are, at least one.
    squares: u32,
    /// Where the first and the last line lie; the last before the first where nothing can be asked.
    ends: [f32; 2],
}

impl Axis {
    /// The lines through so many cells, at least two.
    pub fn new(cells: usize, spacing: f32) -> Self {
        let squares = (cells - 1) as u32;
        let mut axis = Self {
            half: squares as f32 / 2.0,
            spacing,
            per_meter: 1.0 / f64::from(spacing),
            squares,
            ends: [f32::INFINITY, f32::NEG_INFINITY],
        };
        // Below, lines would fall together.
        if spacing.is_normal() && spacing > 0.0 {
            axis.ends = [axis.line(0), axis.line(squares)];
        }
        axis
    }

    /// The number of squares.
    pub(super) fn squares(&self) -> u32 {
        self.squares
    }

    /// Where the first and the last line lie.
    pub(super) fn ends(&self) -> [f64; 2] {
        self.ends.map(f64::from)
    }

    /// Half of the extent, in metres.
    pub(super) fn half_extent(&self) -> f32 {
        self.half * self.spacing
    }

    /// Where that line lies.
    #[inline(always)]
    pub fn line(&self, index: u32) -> f32 {
        (index as f32 - self.half) * self.spacing
    }

    /// Where the two lines beside that square lie.
    #[inline(always)]
    pub(super) fn sides(&self, square: u32) -> [f64; 2] {
        [self.line(square).into(), self.line(square + 1).into()]
    }

    /// The square around that place, or one beside it; the nearest of a place beyond.
    #[inline(always)]
    pub(super) fn guess(&self, at: f64) -> u32 {
        // Casts saturate; NaN becomes 0.
        ((at * self.per_meter + f64::from(self.half)) as u32).min(self.squares - 1)
    }

    /// The square around that place; the nearest of a place beyond. A line belongs to the square after
    /// it, but the last to the last.
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

    /// The squares of which more than a line lies between two places; none where the second is not after
    /// the first.
    pub(super) fn between(&self, from: f32, to: f32) -> Range<u32> {
        // Written so that NaN fails too.
        if !(from < to && to > self.ends[0] && from < self.ends[1]) {
            return 0..0;
        }
        let (first, last) = (self.square(from.into()), self.square(to.into()));
        let ends_on_line = self.sides(last)[0] >= f64::from(to);
        first..last + u32::from(!ends_on_line)
    }

    /// The [`square`](Self::square) around that place, and which part of it lies before. `None` beyond
    /// the ends.
    #[inline(always)]
    pub(super) fn locate(&self, at: f32) -> Option<(u32, f64)> {
        // Written so that NaN fails too.
        if !(at >= self.ends[0] && at <= self.ends[1]) {
            return None;
        }
        let at = f64::from(at);
        let mut square = self.guess(at);
        let [mut before, mut after] = self.sides(square);
        // Nearly always the guess is right, and its lines need not be worked out again.
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
    fn places_beside_lines_are_found_on_their_side() {
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
    fn squares_between_places_are_those_that_a_look_at_each_finds() {
        for (cells, spacing) in [(2, 1.0), (7, 0.3), (10, 12_345.678), (33, 1e-3)] {
            let axis = Axis::new(cells, spacing);
            let lines = (0..=axis.squares()).map(|index| axis.line(index));
            let beside = lines.flat_map(|at| [at.next_down(), at, at.next_up()]);
            let far = [f32::NEG_INFINITY, -1e30, 0.0, 1e30, f32::INFINITY, f32::NAN];
            let places: Vec<f32> = beside.chain(far).collect();
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
    fn no_place_lies_between_lines_that_fall_together() {
        for spacing in [0.0, -1.0, 1e-45, f32::NAN, f32::INFINITY] {
            let axis = Axis::new(6, spacing);
            for at in [0.0, -1.0, 1e-45, f32::NAN, f32::INFINITY] {
                assert_eq!(axis.locate(at), None, "{at} of {spacing}");
                assert!(axis.between(-at, at).is_empty(), "{at} of {spacing}");
            }
        }
    }
}
