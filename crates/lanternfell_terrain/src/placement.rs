//! Rejects transforms that mirror a terrain.
//!
//! Problem: a mirrored terrain would need other triangles. Bevy culls the wrong side of mirrored meshes, and the
//! heightfields of physics engines do not support negative scales.
//!
//! Idea: the same as for an invalid source. The terrain keeps its last valid transform, and a warning is logged once
//! per terrain. A parent's transform is not changed; only the warning is logged then, and the terrain has no collider.
//!
//! A scale of 0 is valid: the terrain disappears until it grows again.

use bevy::{ecs::entity::EntityHashSet, ecs::name::NameOrEntity, prelude::*};

use crate::{
    ground::Terrain,
    region::{Regioned, TerrainRegion},
    systems::TerrainSystems,
    viewers::to_ground,
};

/// The last valid transform. On the entities of terrains.
#[derive(Component)]
struct LastPlace(Transform);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (
            keep_valid
                .before(TerrainSystems::Generate)
                // Other systems write other transforms.
                .ambiguous_with_all(),
            warn_of_parents.after(TransformSystems::Propagate),
        ),
    );
}

type AnyTerrain = Or<(With<Terrain>, With<Regioned>)>;

fn keep_valid(
    mut commands: Commands,
    mut terrains: Query<
        (NameOrEntity, &mut Transform, Option<&mut LastPlace>),
        (AnyTerrain, Changed<Transform>),
    >,
    mut warned: Local<EntityHashSet>,
) {
    for (terrain, mut transform, last) in &mut terrains {
        if is_valid(&transform) {
            match last {
                Some(mut last) => last.0 = *transform,
                None => {
                    commands
                        .entity(terrain.entity)
                        .try_insert(LastPlace(*transform));
                }
            }
            continue;
        }
        if warned.insert(terrain.entity) {
            let (scale, at) = (transform.scale, transform.translation);
            warn!(
                "the transform of terrain {terrain} has scale {scale} and translation {at}: all values must be finite, \
                 and the scale must not mirror the terrain. It keeps its last valid transform"
            );
        }
        let valid = last.map_or_else(|| repaired(&transform), |last| last.0);
        *transform = valid;
    }
}

fn is_valid(transform: &Transform) -> bool {
    transform.is_finite() && transform.scale.to_array().iter().product::<f32>() >= 0.0
}

/// The transform for a terrain that never had a valid one: without mirroring, and at the origin if it is not finite.
fn repaired(transform: &Transform) -> Transform {
    let upright = transform.with_scale(transform.scale.abs());
    if upright.is_finite() {
        upright
    } else {
        Transform::IDENTITY
    }
}

fn warn_of_parents(
    terrains: Query<
        (NameOrEntity, &GlobalTransform),
        (
            AnyTerrain,
            With<ChildOf>,
            Without<TerrainRegion>,
            Changed<GlobalTransform>,
        ),
    >,
    mut warned: Local<EntityHashSet>,
) {
    for (terrain, transform) in &terrains {
        let is_mirrored = transform.affine().matrix3.determinant() < 0.0;
        if is_mirrored && warned.insert(terrain.entity) {
            warn!(
                "a parent mirrors terrain {terrain}, which is not supported: the product of all scales must be positive"
            );
        }
    }
}

/// Whether a terrain with this transform can have colliders: it is finite, and neither flat nor mirrored.
pub(crate) fn is_upright(transform: &GlobalTransform) -> bool {
    transform.affine().matrix3.determinant() > 0.0 && to_ground(transform).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mirrored_axes_are_a_rotation() {
        let scaled = |x, y, z| is_valid(&Transform::from_scale(Vec3::new(x, y, z)));
        assert!(scaled(1.0, 2.0, 1.0) && scaled(-1.0, 1.0, -1.0) && scaled(0.0, 0.0, 0.0));
        assert!(!scaled(-1.0, 1.0, 1.0) && !scaled(1.0, -2.0, 1.0) && !scaled(f32::NAN, 1.0, 1.0));
        assert!(!is_valid(&Transform::from_xyz(f32::INFINITY, 0.0, 0.0)));
    }
}
