//! The result of a water query.

use bevy::prelude::*;

/// A point on the water surface above or below a position, including waves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaterHit {
    /// The terrain that the water belongs to.
    pub terrain: Entity,
    /// The point of the surface on the same vertical line, in world space.
    pub point: Vec3,
    /// The unit normal of the surface at this point, in world space, pointing up.
    pub normal: Vec3,
    /// The velocity of the water at the surface, in meters per second in world space. Waves move it in circles, rivers
    /// downstream.
    pub velocity: Vec3,
    /// The depth of the water in meters, above 0. Outside of the terrain, the sea floor is assumed to fall away.
    pub depth: f32,
}
