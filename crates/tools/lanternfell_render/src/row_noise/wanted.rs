//! Where along a row noise is wanted: in some blocks of cells, not in all.

use core::ops::Range;

/// Cells of a block.
pub(crate) const BLOCK: usize = 64;

/// The blocks of a row, from west to east, of which something is wanted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wanted(Vec<bool>);

impl Wanted {
    /// All blocks of a row of `width` cells.
    pub(crate) fn all(width: usize) -> Self {
        Self(vec![true; width.div_ceil(BLOCK)])
    }

    /// Wants each block for which `is_wanted` says so.
    pub(crate) fn set_each(&mut self, is_wanted: impl Fn(usize) -> bool) {
        for (block, wanted) in self.0.iter_mut().enumerate() {
            *wanted = is_wanted(block);
        }
    }

    pub(crate) fn block(&self, number: usize) -> bool {
        self.0[number]
    }

    /// Zeros where wanted; the rest of the row stays as it is.
    pub(crate) fn clear(&self, row: &mut [f32]) {
        for (cells, &wanted) in row.chunks_mut(BLOCK).zip(&self.0) {
            if wanted {
                cells.fill(0.0);
            }
        }
    }

    /// Whether any block is wanted that has some of these columns.
    pub(crate) fn any(&self, columns: &Range<usize>) -> bool {
        !columns.is_empty() && self.0[blocks(columns)].contains(&true)
    }

    /// Of these columns those of each block that is wanted.
    pub(crate) fn parts(&self, columns: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let part = |block: usize| {
            let start = columns.start.max(block * BLOCK);
            start..columns.end.min((block + 1) * BLOCK)
        };
        blocks(columns).filter(|&block| self.0[block]).map(part)
    }
}

/// The blocks that have some of these columns.
fn blocks(columns: &Range<usize>) -> Range<usize> {
    columns.start / BLOCK..columns.end.div_ceil(BLOCK)
}
