//! A monotone priority queue of cells, lowest first, for floods.
//!
//! Problem: a heap moves every cell through `log n` positions that are far apart in memory, and a
//! flood spends most of its time there.
//!
//! Idea: a flood never goes back down, so cells can wait unsorted in buckets of similar level.
//! Only the current bucket is sorted. Cells that arrive late for it go to a heap, which stays
//! small.
//!
//! ```text
//!   buckets   | 7 3 |  | 9 | 4 8 1 |  | ...      each cell is appended, sorted once,
//!                ^                               and taken from the end
//!                current bucket: 7 3, and a heap of cells that arrive late
//! ```
//!
//! Cost per cell: that of sorting a thousand while heights spread evenly over the buckets, and
//! that of a heap if nearly all fall into one. Memory: 8 bytes for each waiting cell; these are
//! few, as only the front of the flood waits.
//!
//! Source: the idea of monotone bucket queues is Dial's (1969).

use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cells of the map per bucket. Only those at the front are ever in it.
const CELLS_PER_BUCKET: usize = 1 << 10;

/// More bucket ends than this would not fit in the cache.
const MAX_BUCKETS: usize = 1 << 13;

/// A queue of cells with levels. The lowest comes first; of equal levels, the one with the lowest index.
pub(super) struct LevelQueue {
    /// The [`key`]s of each bucket's cells, in the order of arrival.
    buckets: Vec<Vec<u64>>,
    /// The keys of the current bucket, with the lowest last.
    sorted: Vec<u64>,
    /// The keys that arrived for that bucket, or a lower one, since it became current.
    late: BinaryHeap<Reverse<u64>>,
    turn: usize,
    low: f64,
    buckets_per_height: f64,
}

impl LevelQueue {
    /// Creates a queue for a map of `cells` cells, whose levels are between `low` and `high` or slightly above.
    pub(super) fn new(cells: usize, (low, high): (f32, f32)) -> Self {
        let buckets = (cells / CELLS_PER_BUCKET).clamp(1, MAX_BUCKETS);
        let (low, span) = (f64::from(low), f64::from(high) - f64::from(low));
        Self {
            buckets: vec![Vec::new(); buckets],
            sorted: Vec::new(),
            late: BinaryHeap::new(),
            turn: 0,
            low,
            buckets_per_height: if span > 0.0 {
                buckets as f64 / span
            } else {
                0.0
            },
        }
    }

    /// Adds a cell that is no lower than the last one taken.
    pub(super) fn push(&mut self, cell: usize, level: f32) {
        // The cast saturates: levels slightly outside the range go to the first or last bucket,
        // which keeps the order right.
        let bucket = ((f64::from(level) - self.low) * self.buckets_per_height) as usize;
        let bucket = bucket.min(self.buckets.len() - 1);
        let key = key(cell, level);
        if bucket <= self.turn {
            self.late.push(Reverse(key));
        } else {
            self.buckets[bucket].push(key);
        }
    }

    /// The level of the lowest cell; `None` if the queue is empty.
    pub(super) fn lowest(&mut self) -> Option<f32> {
        while self.sorted.is_empty() && self.late.is_empty() {
            self.turn += 1;
            self.sorted = core::mem::take(self.buckets.get_mut(self.turn)?);
            self.sorted.sort_unstable_by_key(|&key| Reverse(key));
        }
        // No key is `u64::MAX`: its upper half would be the rank of a NaN.
        let late = self.late.peek().map_or(u64::MAX, |&Reverse(key)| key);
        let sorted = self.sorted.last().map_or(u64::MAX, |&key| key);
        Some(level((late.min(sorted) >> 32) as u32))
    }

    /// Takes the lowest cell. Call [`lowest`](Self::lowest) first.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let late = self.late.peek().map_or(u64::MAX, |&Reverse(key)| key);
        let sorted = self.sorted.last().map_or(u64::MAX, |&key| key);
        let key = if late < sorted {
            self.late.pop().map(|Reverse(key)| key)
        } else {
            self.sorted.pop()
        };
        key.map(|key| key as u32 as usize)
    }
}

/// An integer that sorts by level, then by cell. 0 and -0 are equal.
pub(super) fn key(cell: usize, level: f32) -> u64 {
    u64::from(rank(level)) << 32 | cell as u64
}

/// An integer that sorts like finite numbers.
pub(super) fn rank(level: f32) -> u32 {
    // Adding 0 turns -0 into 0. Setting the sign bit of positive numbers, and inverting negative
    // ones, makes integers sort like the floats.
    let bits = (level + 0.0).to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

/// The number with this rank.
pub(super) fn level(rank: u32) -> f32 {
    f32::from_bits(if rank >> 31 == 1 {
        rank ^ 1 << 31
    } else {
        !rank
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    #[test]
    fn ranks_sort_like_heights() {
        let heights = [
            f32::MIN,
            -2.0,
            -f32::MIN_POSITIVE,
            0.0,
            1e-30,
            0.5,
            0.500_000_06,
            f32::MAX,
        ];
        assert!(heights.is_sorted_by_key(|&z| rank(z)));
        assert!(heights.iter().all(|&z| level(rank(z)) == z));
        assert_eq!(rank(0.0), rank(-0.0));
    }

    #[test]
    fn cells_come_lowest_first_then_by_index() {
        let mut rng = SeededRng::new(3, b"test    ");
        for (cells, steps) in [(5000, 50), (5000, 1 << 20), (3, 2)] {
            let mut queue = LevelQueue::new(cells, (-1.0, 1.0));
            let mut heap = BinaryHeap::new();
            let mut floor = -1.0_f32;
            for cell in 0..cells {
                let height = rng.below(steps) as f32 / steps as f32 * 2.0 - 1.0;
                let level = height.max(floor);
                queue.push(cell, level);
                heap.push(Reverse(key(cell, level)));
                if rng.percent(40) {
                    let Reverse(expected) = heap.pop().unwrap();
                    floor = queue.lowest().unwrap();
                    assert_eq!(
                        key(queue.pop().unwrap(), floor),
                        expected,
                        "{cells} cells, {steps} steps"
                    );
                }
            }
            while let Some(Reverse(expected)) = heap.pop() {
                let level = queue.lowest().unwrap();
                assert_eq!(
                    key(queue.pop().unwrap(), level),
                    expected,
                    "{cells} cells, {steps} steps"
                );
            }
            assert_eq!(queue.lowest(), None, "{cells} cells, {steps} steps");
        }
    }
}
