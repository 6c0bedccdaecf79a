//! The byte values of cells, as given to every peer.

/// Lets light and movement pass.
pub const FLOOR: u8 = 0;
/// Blocks light and movement.
pub const WALL: u8 = 1;
/// Blocks light and movement until it is opened.
pub const CLOSED_DOOR: u8 = 2;
