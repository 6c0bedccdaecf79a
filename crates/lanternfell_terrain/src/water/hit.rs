//! What is asked of the water at a point.

use bevy::prelude::*;

/// The surface of the water above or below a point of the world, waves and all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaterHit {
    /// The terrain whose water it is.
    pub terrain: Entity,
    /// The point of the surface on the same vertical line, in the world.
    pub point: Vec3,
    /// The unit normal there, in the world, upwards.
    pub normal: Vec3,
    /// How fast the water at the surface moves, in metres per second in the world: in circles, as waves go by, or
    /// downstream.
    pub velocity: Vec3,
    /// How deep it is down to the ground, in metres, above 0. Beyond the land the sea falls away.
    pub depth: f32,
}
