//! How fine the land is drawn, and how fine it is drawn now.

use bevy::prelude::*;

/// How far the drawn land may be off, and how much memory there is for it.
///
/// The land is drawn as patches of triangles, each as fine as the cameras need it. Patches are made in the
/// background and shown all at once, so there is never a hole between them. They are asked for a little before they
/// are needed, so that nothing is seen to move by more than [`pixel_error`](Self::pixel_error) when they come:
/// where the memory suffices, and no camera is faster than they are made.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TerrainDetail {
    /// By how many pixels the drawn land may be off, on the screen of any active [`Camera3d`]; 1 by default. 0
    /// draws every cell, also what nobody sees, as far as the memory goes.
    pub pixel_error: f32,
    /// Bytes of vertices and indices that the GPU holds at most for this terrain, whatever its size; 64 MiB by
    /// default. Where they do not suffice for the pixels (on rough ground, for a small error), memory wins, and
    /// [`DrawnDetail`] tells the error reached. At least 752 KiB are taken. Three quarters are shown, the rest is
    /// for what takes their place.
    pub memory: usize,
    /// Whether vertices have tangents, along texture coordinates: a material with a normal map needs them. They
    /// take half as much memory again, so by default there are none.
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

/// On a terrain's entity once its ground is complete and drawn: what is shown now.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct DrawnDetail {
    /// By how many pixels the land is off at most, for any camera, when these patches were chosen.
    pub pixel_error: f32,
    /// How many patches are shown: draw calls, where all of them are in sight.
    pub patches: usize,
    /// How many triangles they have.
    pub triangles: usize,
    /// Bytes of vertices and indices that they take.
    pub bytes: usize,
    /// Whether others may be to come: the cameras have moved on, or this is the first of them.
    pub refining: bool,
}
