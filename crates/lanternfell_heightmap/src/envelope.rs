//! The lower envelope of equal parabolas: `min over all cells c of value(c) + bend |x - c|^2`.
//!
//! Idea: on a line, any two such parabolas intersect once; one is lower to the left of that point, the other to the
//! right. So the parabolas are added from left to right. Each new one becomes the lowest from the point where it meets
//! the last one. If it meets the last one before the point where that one began, the last one is nowhere the lowest and
//! is removed:
//!
//! ```text
//!   \      /  new      the last parabola began at |, but the new one meets it
//!    '-. /.-'          before that, so the last one is removed
//!      /\ |
//! ```
//!
//! A squared distance is the sum of the squared distances along the row and the column. So the envelope over the plane
//! is the envelope along rows, followed by the envelope along the columns of the result.
//!
//! Cost: O(n), with lines in parallel. It uses only `+ - * /` on `f64`, so the bits are the same on every machine.
//!
//! Source: Felzenszwalb and Huttenlocher, *Distance transforms of sampled functions*, 2012.

use crate::{Canceled, Progress, rows};

/// The resulting values, stored column by column.
pub(crate) struct Envelope {
    /// The number of cells of a column.
    height: usize,
    values: Vec<f32>,
}

impl Envelope {
    /// The value in column `x` and row `y`; infinite if there were no parabolas.
    pub(crate) fn at(&self, x: usize, y: usize) -> f32 {
        self.values[x * self.height + y]
    }
}

/// Computes the lower envelope of the parabolas over all cells with a finite value. `bend` must be above 0.
pub(crate) fn lower(
    mut values: Vec<f32>,
    width: usize,
    bend: f64,
    progress: &Progress,
) -> Result<Envelope, Canceled> {
    let along = |parabolas: &mut Parabolas, _, line: &mut [f32]| parabolas.lower(line, bend);
    rows::for_each_row_with(
        &mut values,
        width,
        &progress.span(0.0, 0.4),
        Parabolas::default,
        along,
    )?;
    let height = values.len() / width;
    let mut columns = vec![0.0; values.len()];
    rows::for_each_row_with(
        &mut columns,
        height,
        &progress.span(0.4, 1.0),
        Parabolas::default,
        |parabolas, x, column| {
            let cells = values.iter().skip(x).step_by(width);
            column
                .iter_mut()
                .zip(cells)
                .for_each(|(to, &from)| *to = from);
            parabolas.lower(column, bend);
        },
    )?;
    Ok(Envelope {
        height,
        values: columns,
    })
}

/// The parabolas that are the lowest somewhere on a line, from left to right.
#[derive(Default)]
struct Parabolas(Vec<Parabola>);

#[derive(Clone, Copy)]
struct Parabola {
    middle: f64,
    value: f64,
    /// The position from which on it is the lowest.
    from: f64,
}

impl Parabola {
    fn at(&self, x: f64, bend: f64) -> f64 {
        self.value + bend * (x - self.middle) * (x - self.middle)
    }

    /// Where it intersects the parabola `left`, whose middle is further to the left.
    fn meets(&self, left: &Self, bend: f64) -> f64 {
        let apart = self.middle - left.middle;
        0.5 * (self.middle + left.middle + (self.value - left.value) / (bend * apart))
    }
}

impl Parabolas {
    fn lower(&mut self, line: &mut [f32], bend: f64) {
        self.0.clear();
        for (x, &value) in line.iter().enumerate() {
            if value.is_finite() {
                self.add(x as f64, value.into(), bend);
            }
        }
        let mut rest = &self.0[..];
        for (x, value) in line.iter_mut().enumerate() {
            let x = x as f64;
            while let [_, next, ..] = rest
                && next.from <= x
            {
                rest = &rest[1..];
            }
            if let Some(lowest) = rest.first() {
                *value = lowest.at(x, bend) as f32;
            }
        }
    }

    fn add(&mut self, middle: f64, value: f64, bend: f64) {
        let mut new = Parabola {
            middle,
            value,
            from: f64::NEG_INFINITY,
        };
        while let Some(last) = self.0.last() {
            new.from = new.meets(last, bend);
            if new.from > last.from {
                break;
            }
            self.0.pop();
            new.from = f64::NEG_INFINITY;
        }
        self.0.push(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_random::SplitMix64;

    #[test]
    fn envelope_matches_direct_minimum() {
        let mut rng = SplitMix64::new(3);
        for case in 0..200 {
            let (width, height) = (1 + rng.below(14) as usize, 1 + rng.below(14) as usize);
            let gaps = [0, 3, 9, 10][case % 4];
            let values: Vec<f32> = (0..width * height)
                .map(|_| match rng.below(10) < gaps {
                    true => f32::INFINITY,
                    false => rng.below(1 << 20) as f32 / 4096.0,
                })
                .collect();
            let bend = [0.001, 0.1, 3.0, 500.0][case / 4 % 4];
            let found = lower(values.clone(), width, bend, &Progress::default()).unwrap();
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                let over = |cell: usize| {
                    let (dx, dy) = (
                        x.abs_diff(cell % width) as f64,
                        y.abs_diff(cell / width) as f64,
                    );
                    f64::from(values[cell]) + bend * (dx * dx + dy * dy)
                };
                let expected = (0..values.len()).map(over).fold(f64::INFINITY, f64::min);
                let found = f64::from(found.at(x, y));
                let near = (found - expected).abs() <= 1e-6 * expected.abs();
                assert!(
                    near || found == expected,
                    "case {case} at {x}, {y}: {found}, {expected}"
                );
            }
        }
    }
}
