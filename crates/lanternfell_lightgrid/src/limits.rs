//! How large a grid may be.

/// The most cells from one side to the other.
pub(crate) const MAX_SIDE: u32 = 16_384;

/// The most cells in all.
pub(crate) const MAX_CELLS: u32 = 1 << 24;
