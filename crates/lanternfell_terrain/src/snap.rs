//! Keeps entities on the terrain without physics.

use bevy::{math::Affine3A, prelude::*};

use crate::{query::TerrainQuery, reveal::RevealSystems, systems::TerrainSystems};

/// Keeps an entity on the terrain. In each frame, its [`Transform`] is moved up or down to the terrain, before
/// transforms are propagated.
///
/// Water is ignored: the entity stands on its bed. Outside of all terrains and over holes, the height does not change.
/// The cost is one [`TerrainQuery::hit`] per entity and frame, independent of the size of the terrain.
///
/// For objects that fall, slide or are pushed, use a collider. See [the guide](crate::guide::characters) for both.
///
/// ```
/// # use bevy::prelude::*;
/// # use lanternfell_terrain::prelude::*;
/// fn plant(mut commands: Commands, tree: Entity) {
///     // 20 cm below the surface, and upright on slopes.
///     commands.entity(tree).insert(SnapToGround { height: -0.2, ..default() });
/// }
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(Transform)]
pub struct SnapToGround {
    /// The height of the entity's origin above the terrain, in meters. Default: 0.
    pub height: f32,
    /// Whether the entity's y axis is aligned with the normal of the terrain. Default: `false`, which keeps its
    /// rotation.
    pub lean: bool,
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<SnapToGround>().add_systems(
        PostUpdate,
        // After all systems of the plugin that move something, onto the terrain of this frame.
        snap_to_ground
            .after(TerrainSystems::Present)
            .after(RevealSystems)
            .before(TransformSystems::Propagate),
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
