//! What a cell can be, as the byte that every peer is given.

/// A cell that light and walkers pass.
pub const FLOOR: u8 = 0;
/// A cell that nothing passes.
pub const WALL: u8 = 1;
/// A cell that nothing passes until somebody opens it.
pub const CLOSED_DOOR: u8 = 2;
