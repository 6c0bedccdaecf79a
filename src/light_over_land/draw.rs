//! Land and its water show the light of the map that lies over it.

use bevy::{platform::collections::HashMap, prelude::*};
use lanternfell_terrain::prelude::*;
use lanternfell_torchlight::prelude::*;

use super::{LandLight, LightOverLand, plane::CellPlane};

/// On land whose [`GroundLight`] is a map's.
#[derive(Component)]
pub(super) struct LitByMap;

type Maps = (
    Entity,
    &'static LightMap,
    &'static GlobalTransform,
    &'static LightOverLand,
    &'static LandLight,
    &'static LightDisplay,
    &'static LightTexture,
);

type IsLand = Or<(With<Terrain>, With<EndlessTerrain>)>;

/// Of several maps over one land the first is drawn, in the order of their entities.
pub(super) fn show(
    mut commands: Commands,
    maps: Query<Maps>,
    lands: Query<(Entity, Option<&GroundLight>, Has<LitByMap>), IsLand>,
) {
    let mut wanted: HashMap<Entity, (Entity, GroundLight)> = HashMap::default();
    for (map_entity, map, transform, over, light, display, texture) in &maps {
        // Neighboring rows of hexagons do not lie along one another.
        let fits = !map.grid().settings().neighborhood.is_hexagonal();
        let plane = CellPlane::new(map, transform).filter(CellPlane::lies);
        let Some(plane) = plane.filter(|_| display.shown && fits) else {
            continue;
        };
        let shown = GroundLight {
            image: texture.0.clone(),
            uv_from_world: plane.to_picture(),
            // Written so that NaN is 0, which is like itself.
            illuminance: (light.illuminance * display.exposure).max(0.0),
        };
        let first = wanted.get(&over.0).map(|(map, _)| *map);
        if first.is_none_or(|first| map_entity.index_u32() < first.index_u32()) {
            wanted.insert(over.0, (map_entity, shown));
        }
    }
    for (land, shown, is_ours) in &lands {
        match wanted.remove(&land) {
            Some((_, light)) if shown != Some(&light) => {
                commands.entity(land).try_insert((light, LitByMap));
            }
            None if is_ours => {
                commands
                    .entity(land)
                    .try_remove::<(GroundLight, LitByMap)>();
            }
            _ => {}
        }
    }
}
