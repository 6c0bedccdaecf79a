//! The level of detail of a terrain: the limits, and what is rendered now.

use bevy::prelude::*;

/// The maximum screen-space error of a terrain, and the memory budget of its meshes.
///
/// A terrain is rendered as patches of triangles. Each patch is as fine as the cameras require. New patches are built
/// in the background and shown all at once, so no gaps appear between them. They are requested slightly early, so the
/// surface does not visibly move by more than [`pixel_error`](Self::pixel_error) when they appear. This holds as long
/// as the memory suffices and no camera moves faster than patches can be built.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct TerrainDetail {
    /// The maximum screen-space error in pixels, for any active [`Camera3d`]. Default: 1.
    ///
    /// 0 renders every cell, including those that no camera sees, as far as the memory allows.
    pub pixel_error: f32,
    /// The maximum size in bytes of this terrain's vertex and index buffers on the GPU, independent of the size of the
    /// map. Default: 64 MiB. Minimum: 752 KiB, or 1040 KiB with [`tangents`](Self::tangents); smaller values are raised
    /// to it.
    ///
    /// If the memory does not suffice for the pixel error (rough terrain, a small error), the memory limit wins, and
    /// [`DrawnDetail::pixel_error`] is the error reached. Three quarters of the memory are used for the patches that
    /// are shown. The rest is for building their replacements.
    pub memory: usize,
    /// Whether vertices have tangents, which materials with a normal map need. Default: `false`.
    ///
    /// Cost: 50 % more memory per vertex.
    pub tangents: bool,
}

impl Default for TerrainDetail {
    fn default() -> Self {
        Self {
            pixel_error: 1.0,
            memory: 64 << 20,
            tangents: false,
        }
    }
}

/// The level of detail that is currently rendered.
///
/// The plugin inserts it on the entity of each terrain that is complete and rendered. Read-only.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct DrawnDetail {
    /// The maximum screen-space error in pixels, for any camera, at the time when these patches were chosen.
    pub pixel_error: f32,
    /// The number of patches. This is also the number of draw calls if all of them are visible.
    pub patches: usize,
    /// The number of triangles in these patches.
    pub triangles: usize,
    /// The size of their vertex and index buffers in bytes.
    pub bytes: usize,
    /// Whether more patches may follow, because the cameras have moved or these are the first patches.
    pub refining: bool,
}
