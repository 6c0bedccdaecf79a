//! A backend for `bevy_picking`.
//!
//! For each pointer ray it reports the exact hit with the terrain, on the terrain's entity. So a `Pointer<Click>` on a
//! terrain has the same point at any level of detail. `bevy_picking` sorts the hits of all backends by distance, so
//! objects in front of the terrain block it.

use bevy::{camera::visibility::RenderLayers, prelude::*};
use bevy_picking::{
    Pickable, PickingSystems,
    backend::{HitData, PointerHits, ray::RayMap},
};

use crate::query::TerrainQuery;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        update_hits
            .in_set(PickingSystems::Backend)
            .run_if(resource_exists::<RayMap>),
    );
}

/// The range of pointer rays in meters. It exceeds the far plane of usual cameras.
const MAX_DISTANCE: f32 = 1e6;

fn update_hits(
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Option<&RenderLayers>)>,
    terrains: TerrainQuery,
    terrain_states: Query<(
        Option<&Pickable>,
        &InheritedVisibility,
        Option<&RenderLayers>,
    )>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, &ray) in rays.iter() {
        let Ok((camera, layers)) = cameras.get(id.camera) else {
            continue;
        };
        let is_picked = |terrain| {
            let state = terrain_states.get(terrain);
            state.is_ok_and(|(pickable, visible, on)| {
                visible.get()
                    && on
                        .unwrap_or_default()
                        .intersects(layers.unwrap_or_default())
                    && pickable.is_none_or(|pickable| pickable.is_hoverable)
            })
        };
        let Some(hit) = terrains.cast_ray_at(ray, MAX_DISTANCE, is_picked) else {
            continue;
        };
        let data = HitData::new(id.camera, hit.distance, Some(hit.point), Some(hit.normal));
        let picks = vec![(hit.terrain, data)];
        hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
    }
}
