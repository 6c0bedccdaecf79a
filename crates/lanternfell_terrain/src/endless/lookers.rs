//! The viewers that an endless terrain follows.

use bevy::{
    camera::visibility::RenderLayers,
    ecs::system::SystemParam,
    math::{DVec2, I64Vec2},
    prelude::*,
};
use lanternfell_heightmap::Plane;

use super::TerrainViewer;
use crate::viewers::to_ground;

/// The viewers: entities with [`TerrainViewer`], or the active cameras that render the terrain if there are none.
#[derive(SystemParam)]
pub(super) struct Lookers<'w, 's> {
    viewers: Query<'w, 's, &'static GlobalTransform, With<TerrainViewer>>,
    cameras: Query<
        'w,
        's,
        (
            &'static Camera,
            &'static GlobalTransform,
            Option<&'static RenderLayers>,
        ),
        With<Camera3d>,
    >,
    layers: Query<'w, 's, &'static RenderLayers>,
}

/// The largest cell coordinate of a viewer that is used. Beyond it there is no plane.
const FAR: f64 = (Plane::MAX_ORIGIN / 4) as f64;

impl Lookers<'_, '_> {
    /// The cells of all viewers. Viewers with positions that are not finite, or too far away, are left out.
    pub(super) fn cells(
        &self,
        entity: Entity,
        whole: &GlobalTransform,
        origin: I64Vec2,
        spacing: f32,
    ) -> Vec<I64Vec2> {
        let Some(to_ground) = to_ground(whole) else {
            return Vec::new();
        };
        let cell = |transform: &GlobalTransform| {
            let at = to_ground
                .transform_point3(transform.translation())
                .as_dvec3();
            let cell = DVec2::new(at.x, at.z) / f64::from(spacing);
            let is_somewhere =
                cell.abs().max_element() < FAR && origin.abs().max_element() < FAR as i64;
            is_somewhere.then(|| cell.floor().as_i64vec2() + origin)
        };
        if self.viewers.is_empty() {
            self.active_cameras(entity).filter_map(cell).collect()
        } else {
            self.viewers.iter().filter_map(cell).collect()
        }
    }

    fn active_cameras(&self, whole: Entity) -> impl Iterator<Item = &GlobalTransform> {
        let on = self.layers.get(whole).unwrap_or_default();
        let looks = move |camera: &Camera, layers: Option<&RenderLayers>| {
            camera.is_active && on.intersects(layers.unwrap_or_default())
        };
        self.cameras
            .iter()
            .filter(move |(camera, _, layers)| looks(camera, *layers))
            .map(|(_, transform, _)| transform)
    }

    pub(super) fn is_anybody_there(&self, whole: Entity) -> bool {
        !self.viewers.is_empty() || self.active_cameras(whole).next().is_some()
    }
}
