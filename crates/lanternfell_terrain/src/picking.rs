//! Pointers on the land: a backend for `bevy_picking`.
//!
//! Of each ray from a pointer the exact point on the ground is told, for the terrain's own entity: so
//! `Pointer<Click>` on a terrain gives it, whatever level of detail is drawn there. Land that is off screen
//! or behind other things is sorted out by the picking itself, by the distance.

use bevy::prelude::*;
use bevy_picking::{
    Pickable, PickingSystems,
    backend::{HitData, PointerHits, ray::RayMap},
};

use crate::query::TerrainQuery;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        tell_hits
            .in_set(PickingSystems::Backend)
            .run_if(resource_exists::<RayMap>),
    );
}

/// As far as cameras see.
const MAX_DISTANCE: f32 = 1e6;

fn tell_hits(
    rays: Res<RayMap>,
    cameras: Query<&Camera>,
    terrains: TerrainQuery,
    terrain_states: Query<(Option<&Pickable>, &InheritedVisibility)>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, &ray) in rays.iter() {
        let Ok(camera) = cameras.get(id.camera) else {
            continue;
        };
        let is_picked = |terrain| {
            let state = terrain_states.get(terrain);
            state.is_ok_and(|(pickable, visible)| {
                visible.get() && pickable.is_none_or(|pickable| pickable.is_hoverable)
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
