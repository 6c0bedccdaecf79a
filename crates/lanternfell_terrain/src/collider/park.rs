//! Takes the colliders away from a terrain while its transform has no inverse.
//!
//! Problem: an app may scale a terrain to 0 and back. Then `bevy_rapier3d` computes a rotation that is not a number,
//! and the engine loses the collider for good. Nor does an engine support a mirrored heightfield.
//!
//! Idea: the colliders are parked in a component for as long as the transform is not usable. This must be known before
//! the engine reads it. The engine propagates transforms itself, but those of children are still the ones of the
//! previous frame. So both must be usable: the transform of the previous frame, and that of this frame, which is
//! computed here.

use bevy::{prelude::*, transform::helper::TransformHelper};

use super::{Colliders, TerrainColliderRegion};
use crate::{
    ground::{TerrainSurface, drop_elsewhere},
    placement::is_upright,
};

/// The colliders of a terrain that can not have them now.
#[derive(Component)]
pub(super) struct Parked(Colliders);

type WithColliders = Or<(With<TerrainSurface>, With<TerrainColliderRegion>)>;

pub(super) fn follow_transforms(
    mut commands: Commands,
    bearers: Query<(Entity, &GlobalTransform, Has<Parked>), WithColliders>,
    transforms: TransformHelper,
) {
    for (entity, before, is_parked) in &bearers {
        let now = transforms.compute_global_transform(entity);
        let is_usable = is_upright(before) && now.is_ok_and(|now| is_upright(&now));
        if is_usable == is_parked {
            let change = if is_usable { unpark } else { park };
            commands.entity(entity).queue_silenced(change);
        }
    }
}

fn park(mut bearer: EntityWorldMut) {
    let colliders = Colliders::take(&mut bearer);
    bearer.insert(Parked(colliders));
}

fn unpark(mut bearer: EntityWorldMut) {
    if let Some(Parked(colliders)) = bearer.take() {
        colliders.put_in_place(&mut bearer);
    }
}

impl Parked {
    /// Drops the parked colliders of an entity.
    pub(super) fn take_from(entity: &mut EntityWorldMut) {
        if let Some(parked) = entity.take::<Self>() {
            drop_elsewhere(parked);
        }
    }
}
