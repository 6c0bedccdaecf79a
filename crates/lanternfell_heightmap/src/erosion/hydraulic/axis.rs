//! A row of cells beside another of about half as many that covers the same ground.
//!
//! ```text
//!   fine     |  0  |  1  |  2  |  3  |  4  |       what changes on a coarse cell changes on the
//!   coarse   |      0       |      1       |       fine ones around it: by all of it at the
//!   change         ------.                         coarse cell's middle, the less the further
//!                         '-._______               away, by none at the next one's middle
//! ```
//!
//! A fine cell's share of a coarse one is the mean of that tent over the fine cell. Beyond the
//! outermost middles it is level. So the shares of a fine cell add up to 1, and those of every
//! coarse one to the same, the number of fine cells for each: no ground is lost from one row to
//! the other, whether the one has twice as many cells or one more.

use core::ops::Range;

/// How fine cells and coarse ones lie along an axis.
pub(super) struct Axis {
    /// For each fine cell the first coarse one that it has a share of, and its shares of that and
    /// the next two.
    shares: Vec<(usize, [f64; 3])>,
    coarse: usize,
    /// The fine cells to a coarse one.
    ratio: f64,
}

impl Axis {
    /// `coarse` must be about half of `fine`, and at least 1.
    pub(super) fn new(fine: usize, coarse: usize) -> Self {
        let ratio = fine as f64 / coarse as f64;
        // The integral of a slope from 0 at 0 to 1 at 1.
        let slope = |at: f64| match at {
            ..=0.0 => 0.0,
            0.0..1.0 => 0.5 * at * at,
            _ => at - 0.5,
        };
        let middle = |cell: usize| (cell as f64 + 0.5) * ratio;
        // The share of all coarse cells beyond this one.
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

    /// The fine cells to a coarse one.
    pub(super) fn ratio(&self) -> f64 {
        self.ratio
    }

    /// The coarse cells that a fine one has a share of, each with the share.
    pub(super) fn shares_of(&self, fine: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let (first, shares) = self.shares[fine];
        (first..self.coarse)
            .zip(shares)
            .filter(|&(_, share)| share > 0.0)
    }

    /// The fine cells that have a share of a coarse one, each with the share.
    pub(super) fn sharers(&self, coarse: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.reach(coarse).filter_map(move |fine| {
            let (first, shares) = self.shares[fine];
            let share = *shares.get(coarse.checked_sub(first)?)?;
            (share > 0.0).then_some((fine, share))
        })
    }

    /// Not fewer than the fine cells that have a share of a coarse one.
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
    fn twice_as_many_cells_lie_at_a_quarter_of_the_way() {
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
    fn no_ground_is_lost_between_any_two_rows() {
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
