//! Selects the blocks of a row for which noise is computed.

use core::ops::Range;

/// Cells per block.
pub(crate) const BLOCK: usize = 64;

/// The selected blocks of a row, from west to east.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wanted(Vec<bool>);

impl Wanted {
    /// All blocks of a row of `width` cells.
    pub(crate) fn all(width: usize) -> Self {
        Self(vec![true; width.div_ceil(BLOCK)])
    }

    /// Selects each block for which `is_wanted` returns `true`.
    pub(crate) fn set_each(&mut self, is_wanted: impl Fn(usize) -> bool) {
        for (block, wanted) in self.0.iter_mut().enumerate() {
            *wanted = is_wanted(block);
        }
    }

    pub(crate) fn block(&self, number: usize) -> bool {
        self.0[number]
    }

    /// Zeros the selected blocks. The rest of the row is unchanged.
    pub(crate) fn clear(&self, row: &mut [f32]) {
        for (cells, &wanted) in row.chunks_mut(BLOCK).zip(&self.0) {
            if wanted {
                cells.fill(0.0);
            }
        }
    }

    /// Whether any block that overlaps `columns` is selected.
    pub(crate) fn any(&self, columns: &Range<usize>) -> bool {
        !columns.is_empty() && self.0[blocks(columns)].contains(&true)
    }

    /// The parts of `columns` in each selected block.
    pub(crate) fn parts(&self, columns: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let part = |block: usize| {
            let start = columns.start.max(block * BLOCK);
            start..columns.end.min((block + 1) * BLOCK)
        };
        blocks(columns).filter(|&block| self.0[block]).map(part)
    }
}

/// The blocks that overlap `columns`.
fn blocks(columns: &Range<usize>) -> Range<usize> {
    columns.start / BLOCK..columns.end.div_ceil(BLOCK)
}
