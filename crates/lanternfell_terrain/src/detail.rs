//! How the land is cut into chunks, and how near one must be to see all of it.

use bevy::prelude::*;

/// Squares along a chunk's side. 64 gives 8192 triangles: enough to be worth a draw call,
/// few enough to be culled well.
pub(crate) const CHUNK_SIDE: usize = 64;
/// Levels of detail: the coarsest shows every 16th cell.
pub(crate) const LEVELS: u32 = 5;

/// How near to a terrain the camera must be to see every cell.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainDetail {
    /// Up to this distance from the camera, in cells, a chunk is drawn with every cell; up
    /// to twice of it with every second, and so on. 384 by default, where a cell of a metre
    /// is about 2 pixels wide on a screen 1080 pixels high; `f32::INFINITY` for all detail
    /// everywhere.
    pub distance: f32,
}

impl Default for TerrainDetail {
    fn default() -> Self {
        Self { distance: 384.0 }
    }
}
