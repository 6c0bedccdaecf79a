//! The mesh of a path: a ribbon on the terrain.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// Half the width of the ribbon, in meters.
const HALF_WIDTH: f32 = 0.2;
/// The height above the terrain, in meters.
const ABOVE: f32 = 0.15;
/// The distance between samples of the terrain's height, in meters.
const STEP: f32 = 1.0;

/// The ribbon from a position along the corners of a path. `height` returns the height of the terrain.
pub fn ribbon(from: Vec2, way: &[Vec2], height: impl Fn(Vec2) -> Option<f32>) -> Mesh {
    let (mut places, mut indices) = (Vec::new(), Vec::new());
    let mut start = from;
    for &corner in way {
        let ahead = corner - start;
        let side = ahead.normalize_or_zero().perp() * HALF_WIDTH;
        let steps = (ahead.length() / STEP).ceil() as u32;
        for step in 0..=steps {
            let at = start + ahead * (step as f32 / steps.max(1) as f32);
            for rim in [at - side, at + side] {
                let y = height(rim).unwrap_or_default() + ABOVE;
                places.push(Vec3::new(rim.x, y, rim.y));
            }
            if step > 0 {
                let last = places.len() as u32 - 4;
                indices.extend([0, 1, 2, 2, 1, 3].map(|corner| last + corner));
            }
        }
        start = corner;
    }
    let normals = vec![Vec3::Y; places.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(indices))
}
