//! Queries for rivers and lakes at a point in the world.

use bevy::prelude::*;
use lanternfell_surface::inland_water::Waters;

use super::hit::WaterHit;
use crate::{ground::TerrainSurface, viewers::to_ground};

/// Half the distance in meters between the two points from which a slope is computed.
const APART: f32 = 0.5;

/// Returns the surface of the terrain's river or lake above or below `at`.
pub(super) fn hit(
    terrain: Entity,
    ground: &TerrainSurface,
    transform: &GlobalTransform,
    at: Vec3,
) -> Option<WaterHit> {
    let waters = ground.waters()?;
    let to_ground = to_ground(transform)?;
    let local = to_ground.transform_point3(at).xz();
    let here = waters.at(local.x, local.y)?;
    // The depth down to the rendered terrain, whose bed is limited to the lowest height of the map.
    let bed = ground.surface().height(local);
    let depth = bed.map_or(here.depth, |bed| here.height - bed);
    if depth <= 0.0 {
        return None;
    }
    let point = Vec3::new(local.x, here.height, local.y);
    let [x, z] = here.velocity;
    // The surface descends downstream, so the velocity has a vertical part.
    let slope = slope(waters, local);
    let velocity = Vec3::new(x, slope.dot(Vec2::new(x, z)), z);
    let normal = to_ground.matrix3.transpose() * Vec3::new(-slope.x, 1.0, -slope.y);
    Some(WaterHit {
        terrain,
        point: transform.transform_point(point),
        normal: normal.normalize(),
        velocity: transform.affine().transform_vector3(velocity),
        depth: depth * transform.scale().y,
    })
}

/// The slope of the surface to the east and to the south; 0 where the water ends.
fn slope(waters: &Waters, at: Vec2) -> Vec2 {
    let along = |step: Vec2| {
        let [before, after] = [at - step, at + step].map(|place| waters.at(place.x, place.y));
        let higher = after
            .zip(before)
            .map(|(after, before)| after.height - before.height);
        higher.unwrap_or(0.0) / (2.0 * APART)
    };
    Vec2::new(along(Vec2::X * APART), along(Vec2::Y * APART))
}
