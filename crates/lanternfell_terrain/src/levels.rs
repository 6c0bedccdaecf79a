//! Levels of detail: each chunk shows the mesh that suits its distance from the camera.
//!
//! Level 0 has every cell; each further level half as many along both axes, and begins
//! twice as far away. So the triangles on screen stay about as large at any distance, and
//! their number grows with the logarithm of how far one sees.

use bevy::{camera::primitives::Aabb, prelude::*};

use crate::{
    chunk::TerrainChunk, detail::TerrainDetail, surface::TerrainSurface, systems::TerrainSystems,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, choose_levels.in_set(TerrainSystems::Present));
}

/// A chunk changes its level only when it is this much past the border between two, so
/// that one which hovers there does not flicker.
const HYSTERESIS: f32 = 0.1;

fn choose_levels(
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    terrains: Query<(&TerrainSurface, &TerrainDetail)>,
    mut chunks: Query<(&TerrainChunk, &Aabb, &GlobalTransform, &mut Mesh3d)>,
) {
    let eyes: Vec<Vec3> = cameras
        .iter()
        .filter(|(camera, _)| camera.is_active)
        .map(|(_, transform)| transform.translation())
        .collect();
    for (chunk, bounds, transform, mut mesh) in &mut chunks {
        let Ok((ground, detail)) = terrains.get(chunk.terrain) else {
            continue;
        };
        let spacing = ground.surface().scale().spacing;
        if chunk.levels.is_empty() {
            continue;
        }
        let nearest = eyes
            .iter()
            .map(|&eye| distance(eye, bounds, transform))
            .min_by(f32::total_cmp);
        let Some(nearest) = nearest else {
            continue;
        };
        let steps = nearest / (detail.distance * spacing).max(f32::MIN_POSITIVE);
        let now = chunk.levels.iter().position(|level| *level == mesh.0);
        let chosen = level(steps, now, chunk.levels.len());
        if now != Some(chosen) {
            mesh.0 = chunk.levels[chosen].clone();
        }
    }
}

/// The level at a distance of `steps` times the finest level's, coming from level `now`.
fn level(steps: f32, now: Option<usize>, levels: usize) -> usize {
    let at = |steps: f32| {
        let level = if steps < 1.0 {
            0.0
        } else {
            steps.log2().floor() + 1.0
        };
        (level as usize).min(levels - 1)
    };
    let (finest, coarsest) = (
        at(steps * (1.0 - HYSTERESIS)),
        at(steps * (1.0 + HYSTERESIS)),
    );
    match now {
        Some(now) if (finest..=coarsest).contains(&now) => now,
        _ => at(steps),
    }
}

/// From the camera to the nearest point of the chunk's box, in metres of the terrain.
fn distance(eye: Vec3, bounds: &Aabb, transform: &GlobalTransform) -> f32 {
    let local = transform.affine().inverse().transform_point3(eye);
    let outside = (local - Vec3::from(bounds.center)).abs() - Vec3::from(bounds.half_extents);
    outside.max(Vec3::ZERO).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_begins_twice_as_far_as_the_one_before() {
        let fresh = |steps| level(steps, None, 5);
        let steps = [0.0, 0.9, 1.1, 1.9, 2.1, 4.1, 8.1, 1e9, f32::INFINITY];
        assert_eq!(steps.map(fresh), [0, 0, 1, 1, 2, 3, 4, 4, 4]);
    }

    #[test]
    fn a_chunk_at_a_border_keeps_its_level() {
        assert_eq!(level(1.05, Some(0), 5), 0);
        assert_eq!(level(0.95, Some(1), 5), 1);
        assert_eq!(level(1.2, Some(0), 5), 1);
        assert_eq!(level(0.85, Some(1), 5), 0);
    }

    #[test]
    fn distance_is_zero_inside_the_box() {
        let bounds = Aabb::from_min_max(Vec3::ZERO, Vec3::new(10.0, 2.0, 10.0));
        let at = GlobalTransform::from(Transform::from_xyz(100.0, 0.0, 0.0));
        assert_eq!(distance(Vec3::new(105.0, 1.0, 5.0), &bounds, &at), 0.0);
        assert_eq!(distance(Vec3::new(95.0, 1.0, 5.0), &bounds, &at), 5.0);
    }
}
