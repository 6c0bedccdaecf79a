//! The level at which each basin spills, from the passes between basins.
//!
//! Idea: let all water rise together. At each pass, from the lowest up, both sides merge. If one
//! of them has reached an outlet, the other has found its spill level.
//!
//! Cost: a sort, and nearly O(passes).
//!
//! Sources: merging by Kruskal, *On the shortest spanning subtree of a graph*, 1956, with disjoint sets and path
//! halving (van Leeuwen and van der Weide, 1977).

use super::queue::level;

/// A connection between two basins, over a cell whose height has this
/// [`rank`](super::queue::rank).
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass {
    pub(super) rank: u32,
    pub(super) basins: [u32; 2],
}

impl Pass {
    /// The same pass, with renumbered basins.
    pub(super) fn map(self, number: impl Fn(u32) -> u32) -> Self {
        Self {
            basins: self.basins.map(number),
            ..self
        }
    }
}

/// Disjoint sets of basins whose water has merged.
pub(super) struct Sets(Vec<u32>);

impl Sets {
    pub(super) fn new(basins: usize) -> Self {
        Self((0..basins as u32).collect())
    }

    fn find(&mut self, basin: u32) -> u32 {
        let mut at = basin;
        loop {
            let up = self.0[at as usize];
            if up == at {
                return at;
            }
            let above = self.0[up as usize];
            // Path halving.
            self.0[at as usize] = above;
            at = above;
        }
    }

    /// Merges two sets. Returns `false` if they were already the same set.
    pub(super) fn join(&mut self, basins: [u32; 2]) -> bool {
        let [a, b] = basins.map(|basin| self.find(basin));
        // The smaller number is the root, so the outside (0) always stays one.
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }
}

/// The level at which each basin spills. That of basin 0, the outside, is below all others.
pub(super) fn spill(basins: usize, mut passes: Vec<Pass>) -> Vec<f32> {
    // A stable sort, since it is fast on input that consists of sorted runs: one per strip.
    passes.sort_by_key(|pass| pass.rank);
    let mut sets = Sets::new(basins);
    let mut levels = vec![f32::INFINITY; basins];
    levels[0] = f32::NEG_INFINITY;
    for pass in passes {
        let [a, b] = pass.basins.map(|basin| sets.find(basin));
        // Infinite means that the set has not reached an outlet yet.
        let dry = [a, b].map(|basin| levels[basin as usize] == f32::INFINITY);
        match dry {
            [true, true] => drop(sets.join([a, b])),
            [true, false] => levels[a as usize] = level(pass.rank),
            [false, true] => levels[b as usize] = level(pass.rank),
            // Both sides spill elsewhere, and no lower pass can come later.
            [false, false] => {}
        }
    }
    for basin in 0..basins {
        // Roots have the smallest number of their set, so their level is final when others read
        // it.
        levels[basin] = levels[sets.find(basin as u32) as usize];
    }
    levels
}
