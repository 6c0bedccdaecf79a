//! Tiles that match to the last bit, although neighboring parts of the world are eroded independently.
//!
//! Problem: two parts of the world that are eroded independently get slightly different heights in the cells that both
//! contain. Tiles cut from them would show a seam.
//!
//! Idea: the world consists of fixed blocks, each with a strip of its neighbors. In a strip the two blocks are
//! cross-faded. Each cell is the weighted mean of one, two or, at a corner, four blocks, with weights that sum to 1.
//! Every tile computes the same bits:
//!
//! ```text
//!   block 0  1111111111111111|1 .9 .5 .1 0|
//!   block 1                  |0 .1 .5 .9 1|1111111111111111
//!                            '-- strip ---'
//! ```
//!
//! Cost: a block has [`BLOCK`] cells per side plus the margins that its filters need, some hundred cells on each side.
//! That is up to four times the work of generating the whole map, in the memory of one block and its margins. A tile
//! needs the blocks around it, which other tiles need as well, so they are kept in a [`BlockStore`].
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
use crate::{Heightmap, MapRegion, MapSize, Progress, Recipe, recipe::Plan};

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

/// Stores finished blocks for other tiles that need them. It may drop blocks: they are then computed again, with the
/// same bits.
pub trait BlockStore {
    /// The block, if it is stored. `region` is its [cells](Tiles::block_region); a map of another size is not used.
    fn get(&self, block: BlockPosition, region: MapRegion) -> Option<Heightmap>;

    /// Stores a block.
    fn put(&self, block: BlockPosition, map: &Heightmap);
}

/// Keeps the last six blocks in memory.
#[derive(Debug, Default)]
pub struct MemoryBlocks(Mutex<VecDeque<(BlockPosition, Heightmap)>>);

impl MemoryBlocks {
    /// Enough for the four blocks at a corner and two more.
    const MOST: usize = 6;
}

impl BlockStore for MemoryBlocks {
    fn get(&self, block: BlockPosition, _: MapRegion) -> Option<Heightmap> {
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

/// A recipe prepared for generating tiles. It contains everything that tiles need from the whole map.
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

    /// Whether tiles are blended from blocks, which are worth storing. This is the case for recipes with erosion whose
    /// world has more than 1024 cells per side.
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

    /// The blocks that a region is blended from.
    pub fn blocks_of(&self, region: MapRegion) -> Vec<BlockPosition> {
        let columns = touching(region.x(), region.size().width(), self.recipe.size.width());
        let rows = touching(
            region.y(),
            region.size().height(),
            self.recipe.size.height(),
        );
        let position = |row| {
            columns
                .clone()
                .map(move |column| BlockPosition { column, row })
        };
        rows.flat_map(position).collect()
    }

    /// The cells of the world that a block contributes to.
    ///
    /// # Panics
    /// If the block does not exist.
    pub fn block_region(&self, BlockPosition { column, row }: BlockPosition) -> MapRegion {
        let size = self.recipe.size;
        let (left, right) = extent(column, size.width());
        let (top, bottom) = extent(row, size.height());
        let region = MapSize::new((right - left) as u64, (bottom - top) as u64)
            .ok()
            .and_then(|block| MapRegion::new(left, top, block, size));
        region.expect("a block is within the world")
    }

    /// Returns a block from the store, or generates and stores it.
    ///
    /// # Errors
    /// If the prepass is damaged or the work is canceled.
    pub fn block(
        &self,
        block: BlockPosition,
        store: &dyn BlockStore,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let region = self.block_region(block);
        let kept = store.get(block, region);
        // A store on disk may hold a block of another size under this position.
        if let Some(map) = kept.filter(|map| map.size() == region.size()) {
            return Ok(map);
        }
        let map = self.make(region, progress)?;
        store.put(block, &map);
        Ok(map)
    }

    /// Generates the part of the map in this region. Blocks are looked up in the store and added to it.
    ///
    /// # Errors
    /// If the region is not within the map, the prepass is damaged, or the work is canceled.
    pub fn tile(
        &self,
        region: MapRegion,
        store: &dyn BlockStore,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        MapRegion::new(region.x(), region.y(), region.size(), self.recipe.size)
            .ok_or(TileError::Outside)?;
        if let Some(whole) = &self.whole {
            let part = whole.cropped((region.x(), region.y()), region.size());
            return Ok(part.expect("the region is within the map"));
        }
        if !self.has_blocks() {
            return self.make(region, progress);
        }
        let mut tile = Heightmap::flat(region.size());
        let blocks = self.blocks_of(region);
        for (done, &block) in blocks.iter().enumerate() {
            let map = self.block(block, store, &progress.part(done, blocks.len()))?;
            self.blend(&mut tile, region, block, &map);
        }
        Ok(tile)
    }

    fn make(&self, region: MapRegion, progress: &Progress) -> Result<Heightmap, TileError> {
        let Self {
            recipe,
            plan,
            prepass,
            coarse,
            ..
        } = self;
        let evaluator = TileEvaluator::new(recipe, plan, prepass, coarse, progress);
        evaluator.make(recipe.result_name(), region)
    }

    /// Adds the weighted cells of a block to a region. The blocks of a cell are always added in the order of
    /// [`blocks`](Self::blocks), for any region.
    fn blend(
        &self,
        tile: &mut Heightmap,
        region: MapRegion,
        block: BlockPosition,
        map: &Heightmap,
    ) {
        let Recipe { size, .. } = *self.recipe;
        let from = self.block_region(block);
        let shared = |at: usize, length: usize, other: usize, others: usize| {
            at.max(other)..(at + length).min(other + others)
        };
        let columns = shared(region.x(), tile.width(), from.x(), map.width());
        let rows = shared(region.y(), tile.height(), from.y(), map.height());
        let weight = |at: usize, number: usize, world: usize| weight(at, number, world);
        let across: Vec<f64> = columns
            .clone()
            .map(|x| weight(x, block.column, size.width()))
            .collect();
        let width = tile.width();
        for y in rows {
            let down = weight(y, block.row, size.height());
            let source = &map.row(y - from.y())[columns.start - from.x()..];
            let start = (y - region.y()) * width + columns.start - region.x();
            let cells = &mut tile.heights_mut()[start..];
            for ((z, &height), &across) in cells.iter_mut().zip(source).zip(&across) {
                // Round before the addition: the sum of up to four `f32` depends only on their order, which is fixed.
                *z += (down * across * f64::from(height)) as f32;
            }
        }
    }
}

/// The number of blocks along a side of the world. A remainder that is smaller than a block belongs to the last block.
fn count(world: usize) -> usize {
    (world / BLOCK).max(1)
}

/// The start and end of a block along an axis, without the strips.
fn core(number: usize, world: usize) -> (usize, usize) {
    let end = if number + 1 < count(world) {
        (number + 1) * BLOCK
    } else {
        world
    };
    (number * BLOCK, end)
}

/// The start and end of a block along an axis, including the strips.
fn extent(number: usize, world: usize) -> (usize, usize) {
    let (start, end) = core(number, world);
    (start.saturating_sub(STRIP), (end + STRIP).min(world))
}

/// The range of blocks that contribute to these cells.
fn touching(at: usize, length: usize, world: usize) -> core::ops::Range<usize> {
    // The strips make the ranges of blocks overlap, so a division would not find all of them.
    let mut blocks = (0..count(world)).filter(|&number| {
        let (start, end) = extent(number, world);
        start < at + length && at < end
    });
    let first = blocks.next().unwrap_or(0);
    first..blocks.next_back().unwrap_or(first) + 1
}

/// The weight of a block in a cell: 1 except in the strips, where it decreases smoothly to 0. The weights of all blocks
/// sum to 1.
fn weight(at: usize, number: usize, world: usize) -> f64 {
    let (start, end) = core(number, world);
    let behind = |seam: usize| {
        // The center of the cell, so that the weights of both sides of a seam are mirror images and sum to 1.
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
    fn weights_sum_to_one_and_are_smooth() {
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
    fn touching_finds_the_blocks_with_weight() {
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
