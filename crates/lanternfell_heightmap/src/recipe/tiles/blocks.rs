//! Tiles that match to the last bit, for terrain that differs slightly between parts of the
//! world.
//!
//! Problem: two parts of the world that are eroded independently nearly agree in the cells that
//! both have. Tiles cut from them would show a seam.
//!
//! Idea: the world consists of fixed blocks, each with a strip of its neighbors. In a strip the
//! two blocks are cross-faded. Each cell is the weighted mean of one, two or, at a corner, four
//! blocks, with weights that sum to 1. Every tile computes the same bits:
//!
//! ```text
//!   block 0  1111111111111111|1 .9 .5 .1 0|
//!   block 1                  |0 .1 .5 .9 1|1111111111111111
//!                            '-- strip ---'
//! ```
//!
//! Cost: a block has [`BLOCK`] cells a side and the margins that its filters need, some hundred
//! cells on each side; so up to four times the work of the whole map, and a few for the memory of one
//! block. A tile needs the blocks around it, which others need as well: they are kept in a
//! [`BlockStore`].
//!
//! Source: partitions of unity; overlapping tiles are common in image processing.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use super::{
    TileError, TilePrepass,
    coarse::CoarseWorld,
    evaluator::{TileEvaluator, index},
    survey::Survey,
};
use crate::{Heightmap, MapSize, Progress, Recipe, Window, recipe::Plan};

/// The side of a block in cells.
const BLOCK: usize = 1024;

/// How far a block extends into its neighbors.
const STRIP: usize = 32;

/// The column and row of a block, from 0 in the north-west.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockPosition {
    /// The column.
    pub column: usize,
    /// The row.
    pub row: usize,
}

/// A store of finished blocks, for other tiles that need them. It may drop them: they are then
/// computed again, with the same bits.
pub trait BlockStore {
    /// The block, if it is stored.
    fn get(&self, block: BlockPosition, window: Window) -> Option<Heightmap>;

    /// Stores a block.
    fn put(&self, block: BlockPosition, map: &Heightmap);
}

/// Keeps the last few blocks in memory.
#[derive(Debug, Default)]
pub struct MemoryBlocks(Mutex<VecDeque<(BlockPosition, Heightmap)>>);

impl MemoryBlocks {
    /// Enough for a corner, and what is next to it.
    const MOST: usize = 6;
}

impl BlockStore for MemoryBlocks {
    fn get(&self, block: BlockPosition, _: Window) -> Option<Heightmap> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(other, _)| *other == block);
        found.map(|(_, map)| map.clone())
    }

    fn put(&self, block: BlockPosition, map: &Heightmap) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == Self::MOST {
            kept.pop_front();
        }
        kept.push_back((block, map.clone()));
    }
}

/// A recipe prepared for making tiles: everything that they need from the whole map.
pub struct Tiles<'a> {
    recipe: &'a Recipe,
    plan: Plan,
    prepass: TilePrepass,
    coarse: CoarseWorld,
    /// The whole map, if it is not made from blocks.
    whole: Option<Heightmap>,
}

impl<'a> Tiles<'a> {
    pub(super) fn new(
        recipe: &'a Recipe,
        plan: Plan,
        prepass: TilePrepass,
        progress: &Progress,
    ) -> Result<Self, TileError> {
        let survey = Survey::again(recipe, &plan, prepass, &progress.span(0.0, 0.5))?;
        let whole = match survey.is_made_whole() {
            true => Some(recipe.generate(&progress.span(0.5, 1.0))?),
            false => None,
        };
        let Survey {
            prepass, coarse, ..
        } = survey;
        Ok(Self {
            recipe,
            plan,
            prepass,
            coarse,
            whole,
        })
    }

    /// Whether tiles are blended from blocks, which are worth keeping: of recipes with erosion whose
    /// world has more than 1024 cells a side.
    pub fn has_blocks(&self) -> bool {
        let result = index(&self.recipe.steps, self.recipe.result_name());
        self.whole.is_none() && !self.coarse.is_exact(result)
    }

    /// The blocks, row by row from the north-west.
    pub fn blocks(&self) -> impl Iterator<Item = BlockPosition> + use<> {
        let size = self.recipe.size;
        let (columns, rows) = (count(size.width()), count(size.height()));
        (0..rows).flat_map(move |row| (0..columns).map(move |column| BlockPosition { column, row }))
    }

    /// The blocks that a window is blended from.
    pub fn blocks_of(&self, window: Window) -> Vec<BlockPosition> {
        let columns = touching(window.x(), window.size().width(), self.recipe.size.width());
        let rows = touching(
            window.y(),
            window.size().height(),
            self.recipe.size.height(),
        );
        let position = |row| {
            columns
                .clone()
                .map(move |column| BlockPosition { column, row })
        };
        rows.flat_map(position).collect()
    }

    /// The cells of the world that a block has a part in.
    ///
    /// # Panics
    /// When there is no such block.
    pub fn block_window(&self, BlockPosition { column, row }: BlockPosition) -> Window {
        let size = self.recipe.size;
        let (left, right) = extent(column, size.width());
        let (top, bottom) = extent(row, size.height());
        let window = MapSize::new((right - left) as u64, (bottom - top) as u64)
            .ok()
            .and_then(|block| Window::new(left, top, block, size));
        window.expect("a block lies in the world")
    }

    /// Makes a block, or finds it where it is kept.
    ///
    /// # Errors
    /// When the prepass is damaged or the work was cancelled.
    pub fn block(
        &self,
        block: BlockPosition,
        store: &dyn BlockStore,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let window = self.block_window(block);
        let kept = store.get(block, window);
        // A store on disk may hold a block of another size under this position.
        if let Some(map) = kept.filter(|map| map.size() == window.size()) {
            return Ok(map);
        }
        let map = self.make(window, progress)?;
        store.put(block, &map);
        Ok(map)
    }

    /// The part of the map that lies in the window. Blocks are looked for in the store and kept there.
    ///
    /// # Errors
    /// When the window is of a larger map, the prepass is damaged, or the work was cancelled.
    pub fn tile(
        &self,
        window: Window,
        store: &dyn BlockStore,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        Window::new(window.x(), window.y(), window.size(), self.recipe.size)
            .ok_or(TileError::Outside)?;
        if let Some(whole) = &self.whole {
            let part = whole.cropped((window.x(), window.y()), window.size());
            return Ok(part.expect("the window lies in the map"));
        }
        if !self.has_blocks() {
            return self.make(window, progress);
        }
        let mut tile = Heightmap::flat(window.size());
        let blocks = self.blocks_of(window);
        for (done, &block) in blocks.iter().enumerate() {
            let map = self.block(block, store, &progress.part(done, blocks.len()))?;
            self.blend(&mut tile, window, block, &map);
        }
        Ok(tile)
    }

    fn make(&self, window: Window, progress: &Progress) -> Result<Heightmap, TileError> {
        let Self {
            recipe,
            plan,
            prepass,
            coarse,
            ..
        } = self;
        let evaluator = TileEvaluator::new(recipe, plan, prepass, coarse, progress);
        evaluator.make(recipe.result_name(), window)
    }

    /// Adds the weighted cells of a block to a window. The blocks of a cell are always added in
    /// the order of [`blocks`](Self::blocks), for any window.
    fn blend(&self, tile: &mut Heightmap, window: Window, block: BlockPosition, map: &Heightmap) {
        let Recipe { size, .. } = *self.recipe;
        let from = self.block_window(block);
        let shared = |at: usize, length: usize, other: usize, others: usize| {
            at.max(other)..(at + length).min(other + others)
        };
        let columns = shared(window.x(), tile.width(), from.x(), map.width());
        let rows = shared(window.y(), tile.height(), from.y(), map.height());
        let weight = |at: usize, number: usize, world: usize| weight(at, number, world);
        let across: Vec<f64> = columns
            .clone()
            .map(|x| weight(x, block.column, size.width()))
            .collect();
        let width = tile.width();
        for y in rows {
            let down = weight(y, block.row, size.height());
            let source = &map.row(y - from.y())[columns.start - from.x()..];
            let start = (y - window.y()) * width + columns.start - window.x();
            let cells = &mut tile.heights_mut()[start..];
            for ((z, &height), &across) in cells.iter_mut().zip(source).zip(&across) {
                // Rounded before the addition: the sum of up to four `f32` depends only on their
                // order, which is fixed.
                *z += (down * across * f64::from(height)) as f32;
            }
        }
    }
}

/// The number of blocks along a side of the world: what would be less than a whole one belongs to the
/// one before it.
fn count(world: usize) -> usize {
    (world / BLOCK).max(1)
}

/// Where a block begins and ends along an axis, without the strips.
fn core(number: usize, world: usize) -> (usize, usize) {
    let end = if number + 1 < count(world) {
        (number + 1) * BLOCK
    } else {
        world
    };
    (number * BLOCK, end)
}

/// Where it begins and ends with them.
fn extent(number: usize, world: usize) -> (usize, usize) {
    let (start, end) = core(number, world);
    (start.saturating_sub(STRIP), (end + STRIP).min(world))
}

/// Which blocks have a part in these cells.
fn touching(at: usize, length: usize, world: usize) -> core::ops::Range<usize> {
    // The strips make the ranges of blocks overlap, so a division would not find all of them.
    let mut blocks = (0..count(world)).filter(|&number| {
        let (start, end) = extent(number, world);
        start < at + length && at < end
    });
    let first = blocks.next().unwrap_or(0);
    first..blocks.next_back().unwrap_or(first) + 1
}

/// How much of a cell is a block's: 1 but in the strips, where it goes to 0 smoothly. With its
/// neighbor's it makes 1.
fn weight(at: usize, number: usize, world: usize) -> f64 {
    let (start, end) = core(number, world);
    let behind = |seam: usize| {
        // The center of the cell, so that the weights of both sides of a seam are mirror images
        // and sum to 1.
        let way = at as f64 + 0.5 - seam as f64;
        let share = (0.5 + 0.5 * way / STRIP as f64).clamp(0.0, 1.0);
        share * share * (3.0 - 2.0 * share)
    };
    let first = if start > 0 { behind(start) } else { 1.0 };
    let last = if end < world { 1.0 - behind(end) } else { 1.0 };
    first * last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_make_one_and_are_smooth() {
        for world in [1025, 2048, 2049, 3071, 5000] {
            for at in 0..world {
                let all: f64 = (0..count(world))
                    .map(|block| weight(at, block, world))
                    .sum();
                assert!((all - 1.0).abs() < 1e-12, "{at} of {world}: {all}");
                for block in 0..count(world) {
                    let (start, end) = extent(block, world);
                    let inside = (start..end).contains(&at);
                    assert!(inside || weight(at, block, world) == 0.0, "{at} of {world}");
                }
            }
        }
        assert_eq!(weight(500, 0, 2048), 1.0);
        assert!((weight(1024, 0, 2048) - 0.5).abs() < 0.02);
    }

    #[test]
    fn every_cell_is_touched_by_the_blocks_that_weigh_in_it() {
        for world in [1030, 2048, 3500] {
            for (at, length) in [(0, 2), (1000, 40), (1020, 2), (990, 2), (0, world)] {
                let length = length.min(world - at);
                let blocks = touching(at, length, world);
                for block in 0..count(world) {
                    let weighs = (at..at + length).any(|at| weight(at, block, world) > 0.0);
                    assert_eq!(
                        blocks.contains(&block),
                        weighs,
                        "{block} in {at} of {world}"
                    );
                }
            }
        }
    }
}
