//! Up to where basins fill, by the passes between them.
//!
//! Idea: let all water rise together. At each pass, from the lowest, the two sides become one water;
//! once one of them has reached an outlet, the other has found the level at which it spills.
//!
//! Cost: a sort, and nearly O(passes). Source: the joining is Kruskal's, *On the shortest spanning
//! subtree of a graph*, 1956, over disjoint sets with path halving (van Leeuwen and van der Weide, 1977).

use super::queue::level;

/// A way from one basin to another, over a cell whose height has this [`rank`](super::queue::rank).
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass {
    pub(super) rank: u32,
    pub(super) basins: [u32; 2],
}

impl Pass {
    /// The same pass, its basins by other numbers.
    pub(super) fn map(self, number: impl Fn(u32) -> u32) -> Self {
        Self {
            basins: self.basins.map(number),
            ..self
        }
    }
}

/// Basins that have become one water.
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
            self.0[at as usize] = above;
            at = above;
        }
    }

    /// Joins two; `false` if they were one.
    pub(super) fn join(&mut self, basins: [u32; 2]) -> bool {
        let [a, b] = basins.map(|basin| self.find(basin));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }
}

/// The level at which each basin spills; below all others that of basin 0, which is outside.
pub(super) fn spill(basins: usize, mut passes: Vec<Pass>) -> Vec<f32> {
    // It finds the runs that are sorted already.
    passes.sort_by_key(|pass| pass.rank);
    let mut sets = Sets::new(basins);
    let mut levels = vec![f32::INFINITY; basins];
    levels[0] = f32::NEG_INFINITY;
    for pass in passes {
        let [a, b] = pass.basins.map(|basin| sets.find(basin));
        let dry = [a, b].map(|basin| levels[basin as usize] == f32::INFINITY);
        match dry {
            [true, true] => drop(sets.join([a, b])),
            [true, false] => levels[a as usize] = level(pass.rank),
            [false, true] => levels[b as usize] = level(pass.rank),
            [false, false] => {}
        }
    }
    for basin in 0..basins {
        levels[basin] = levels[sets.find(basin as u32) as usize];
    }
    levels
}
