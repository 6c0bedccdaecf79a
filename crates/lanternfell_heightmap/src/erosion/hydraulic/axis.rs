//! The mapping between a row of cells and a row of about half as many cells over the same length.
//!
//! ```text
//!   fine     |  0  |  1  |  2  |  3  |  4  |       The change of a coarse cell is applied to the
//!   coarse   |      0       |      1       |       fine cells around it: fully at the center of the
//!   change         ------.                         coarse cell, and falling linearly to 0 at the
//!                         '-._______               center of the next coarse cell.
//! ```
//!
//! The weight of a fine cell for a coarse one is the mean of that tent function over the fine cell. Beyond the
//! outermost centers the function is constant. So the weights of each fine cell add up to 1, and those of each coarse
//! cell add up to the number of fine cells per coarse cell. No material is lost between the two rows, also if the
//! number of fine cells is odd.

use core::ops::Range;

/// The overlap of fine and coarse cells along an axis.
pub(super) struct Axis {
    /// For each fine cell, the first coarse cell for which it has a weight, and its weights for that one and the next
    /// two.
    shares: Vec<(usize, [f64; 3])>,
    coarse: usize,
    /// The number of fine cells per coarse cell.
    ratio: f64,
}

impl Axis {
    /// Creates the mapping. `coarse` must be about half of `fine`, and at least 1.
    pub(super) fn new(fine: usize, coarse: usize) -> Self {
        let ratio = fine as f64 / coarse as f64;
        // The integral of a ramp from 0 at 0 to 1 at 1.
        let slope = |at: f64| match at {
            ..=0.0 => 0.0,
            0.0..1.0 => 0.5 * at * at,
            _ => at - 0.5,
        };
        let middle = |cell: usize| (cell as f64 + 0.5) * ratio;
        // The total weight for all coarse cells after this one.
        let beyond = |cell: usize, x: f64| {
            if cell + 1 >= coarse {
                return 0.0;
            }
            let part = |at: f64| slope((at - middle(cell)) / ratio);
            ratio * (part(x + 1.0) - part(x))
        };
        let shares = (0..fine).map(|x| {
            let first = (x as f64 / ratio - 0.5).max(0.0) as usize;
            let mut left = 1.0;
            let shares = core::array::from_fn(|k| {
                let rest = beyond(first + k, x as f64);
                core::mem::replace(&mut left, rest) - rest
            });
            (first, shares)
        });
        Self {
            shares: shares.collect(),
            coarse,
            ratio,
        }
    }

    /// The number of fine cells per coarse cell.
    pub(super) fn ratio(&self) -> f64 {
        self.ratio
    }

    /// The coarse cells for which a fine cell has a weight, with the weights.
    pub(super) fn shares_of(&self, fine: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let (first, shares) = self.shares[fine];
        (first..self.coarse)
            .zip(shares)
            .filter(|&(_, share)| share > 0.0)
    }

    /// The fine cells that have a weight for a coarse cell, with the weights.
    pub(super) fn sharers(&self, coarse: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.reach(coarse).filter_map(move |fine| {
            let (first, shares) = self.shares[fine];
            let share = *shares.get(coarse.checked_sub(first)?)?;
            (share > 0.0).then_some((fine, share))
        })
    }

    /// A range that contains all fine cells with a weight for a coarse cell.
    fn reach(&self, coarse: usize) -> Range<usize> {
        let middle = (coarse as f64 + 0.5) * self.ratio;
        let end = (middle + self.ratio).ceil() as usize;
        (middle - self.ratio).max(0.0) as usize..end.min(self.shares.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_ratio_weights_quarters() {
        let axis = Axis::new(8, 4);
        assert_eq!(axis.shares_of(0).collect::<Vec<_>>(), [(0, 1.0)]);
        assert_eq!(
            axis.shares_of(3).collect::<Vec<_>>(),
            [(1, 0.75), (2, 0.25)]
        );
        let sharers = [(1, 0.25), (2, 0.75), (3, 0.75), (4, 0.25)];
        assert_eq!(axis.sharers(1).collect::<Vec<_>>(), sharers);
        let sharers = [(5, 0.25), (6, 0.75), (7, 1.0)];
        assert_eq!(axis.sharers(3).collect::<Vec<_>>(), sharers);
    }

    #[test]
    fn weights_sum_to_one_and_to_ratio() {
        for fine in 2..140 {
            let axis = Axis::new(fine, fine / 2);
            for x in 0..fine {
                let sum: f64 = axis.shares_of(x).map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{x} of {fine}: {sum}");
            }
            for cell in 0..fine / 2 {
                let sum: f64 = axis.sharers(cell).map(|(_, share)| share).sum();
                assert!(
                    (sum - axis.ratio()).abs() < 1e-12,
                    "{cell} of {fine}: {sum}"
                );
                for (x, share) in axis.sharers(cell) {
                    assert!(axis.shares_of(x).any(|other| other == (cell, share)));
                }
            }
        }
    }
}
