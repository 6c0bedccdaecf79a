//! Standing on the ground without physics.

use bevy::{math::Affine3A, prelude::*};

use crate::query::TerrainQuery;

/// Keeps an entity on the ground: each frame its [`Transform`] is moved up or down to the ground above or
/// below it, before transforms are propagated. Beyond every terrain it stays as high as it is.
///
/// It costs one [`TerrainQuery::hit`] for each entity and frame, whatever the size of the land. For
/// what falls, slides and is pushed use a collider: [the guide](crate::guide::walking) has both.
///
/// ```
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// fn plant(mut commands: Commands, tree: Entity) {
///     // Its roots 20 cm deep, and upright on slopes.
///     commands.entity(tree).insert(SnapToGround { height: -0.2, ..default() });
/// }
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(Transform)]
pub struct SnapToGround {
    /// Metres above the ground; 0 by default.
    pub height: f32,
    /// Whether its y axis leans as the ground does; else, by default, it stays as it is.
    pub lean: bool,
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<SnapToGround>().add_systems(
        PostUpdate,
        snap_to_ground.before(TransformSystems::Propagate),
    );
}

pub(crate) fn snap_to_ground(
    terrains: TerrainQuery,
    parents: Query<&GlobalTransform>,
    mut snapped: Query<(&mut Transform, &SnapToGround, Option<&ChildOf>)>,
) {
    for (mut transform, snap, child_of) in &mut snapped {
        let parent = child_of.and_then(|child_of| parents.get(child_of.parent()).ok());
        let to_world = parent.map_or(Affine3A::IDENTITY, GlobalTransform::affine);
        let at = to_world.transform_point3(transform.translation);
        let Some(hit) = terrains.hit(at) else {
            continue;
        };
        let from_world = to_world.inverse();
        let place = from_world.transform_point3(hit.point + Vec3::Y * snap.height);
        if place != transform.translation {
            transform.translation = place;
        }
        if snap.lean {
            let up = from_world.transform_vector3(hit.normal).normalize();
            let lean = Quat::from_rotation_arc(*transform.up(), up);
            if !lean.is_near_identity() {
                transform.rotation = (lean * transform.rotation).normalize();
            }
        }
    }
}
