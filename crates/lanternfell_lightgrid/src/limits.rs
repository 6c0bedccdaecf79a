//! The maximum size of a grid.

/// The maximum number of cells along a side.
pub(crate) const MAX_SIDE: u32 = 16_384;

/// The maximum number of cells.
pub(crate) const MAX_CELLS: u32 = 1 << 24;
