//! The lowest places of a closed ring, by a sliding minimum.
//!
//! A queue holds the places of the window whose values are lower than all later ones. Each place enters and leaves it
//! once.
//!
//! Cost: O(n). Source: Lemire, *Streaming maximum-minimum filter using no more than three comparisons per element*, 2006.

use std::collections::VecDeque;

/// The places of a closed ring of distinct values where no value up to `reach` places away is lower. A window must be
/// shorter than the ring.
pub(super) fn lowest_in_ring<T: PartialOrd>(ring: &[T], reach: usize) -> Vec<usize> {
    let count = ring.len();
    let mut queue = VecDeque::new();
    let mut lowest = Vec::new();
    // The middle of the window goes once around the ring, from place 0. The first window starts before it.
    for end in 0..count + 2 * reach {
        let at = (end + count - reach) % count;
        let higher = |&(_, last): &(usize, usize)| ring[at] < ring[last];
        while queue.back().is_some_and(higher) {
            queue.pop_back();
        }
        queue.push_back((end, at));
        let gone = |&(first_end, _): &(usize, usize)| first_end + 2 * reach < end;
        if queue.front().is_some_and(gone) {
            queue.pop_front();
        }
        if let Some(middle) = end.checked_sub(2 * reach)
            && queue.front().is_some_and(|&(_, first)| first == middle)
        {
            lowest.push(middle);
        }
    }
    lowest
}

#[cfg(test)]
mod tests {
    use core::{cell::Cell, cmp::Ordering};

    use super::*;
    use crate::SeededRng;

    /// A number that counts its comparisons.
    struct Counted<'a>(u64, &'a Cell<usize>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    impl PartialOrd for Counted<'_> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            self.1.set(self.1.get() + 1);
            self.0.partial_cmp(&other.0)
        }
    }

    #[test]
    fn lowest_in_ring_matches_all_comparisons() {
        let mut rng = SeededRng::new(8, b"ring    ");
        for case in 0..400 {
            let count = 4 + rng.below(60) as usize;
            let reach = rng.below(count as u64 / 2) as usize;
            let steps = [1, 3, 1000][case % 3];
            let ring: Vec<(u64, usize)> = (0..count).map(|at| (rng.below(steps), at)).collect();
            let lowest = |&at: &usize| {
                let mut others = at + count - reach..=at + count + reach;
                others.all(|other| ring[at] <= ring[other % count])
            };
            let expected: Vec<usize> = (0..count).filter(lowest).collect();
            assert_eq!(lowest_in_ring(&ring, reach), expected, "{ring:?} {reach}");
        }
    }

    /// Source: `erode --rivers 1 --wind 3` of 2 x 16384 cells took 20 s, and four times the length took 16 times as
    /// long.
    #[test]
    fn lowest_in_ring_takes_linear_time() {
        let comparisons = |shape: fn(u64) -> u64, count: u64| {
            let counter = Cell::new(0);
            let ring: Vec<_> = (0..count).map(|at| Counted(shape(at), &counter)).collect();
            lowest_in_ring(&ring, ring.len() / 24);
            counter.get()
        };
        let shapes: [fn(u64) -> u64; 4] = [
            |at| at,
            |at| u64::MAX - at,
            |at| at % 500,
            |at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ];
        for shape in shapes {
            for count in [2 * 4096, 2 * 16384] {
                let comparisons = comparisons(shape, count);
                assert!(comparisons < 3 * count as usize, "{comparisons} of {count}");
            }
        }
    }
}
