//! Puts the light texture of a map on its terrain and water.

use bevy::{platform::collections::HashMap, prelude::*};
use lanternfell_terrain::prelude::*;
use lanternfell_torchlight::prelude::*;

use super::{TerrainTorchlight, TerrainTorchlightSettings, plane::CellPlane};

/// On terrain whose [`TerrainLight`] comes from a map.
#[derive(Component)]
pub(super) struct LitByMap;

type Maps = (
    Entity,
    &'static TorchlightMap,
    &'static GlobalTransform,
    &'static TerrainTorchlight,
    &'static TerrainTorchlightSettings,
    &'static LightDisplay,
    &'static LightTexture,
);

type IsLand = Or<(With<Terrain>, With<EndlessTerrain>)>;

/// If several maps light one terrain, the map with the lowest entity index is drawn.
pub(super) fn show(
    mut commands: Commands,
    maps: Query<Maps>,
    lands: Query<(Entity, Option<&TerrainLight>, Has<LitByMap>), IsLand>,
) {
    let mut wanted: HashMap<Entity, (Entity, TerrainLight)> = HashMap::default();
    for (map_entity, map, transform, over, light, display, texture) in &maps {
        // The rows of hexagons are offset, so their texture does not fit.
        let fits = !map.grid().settings().neighborhood.is_hexagonal();
        let plane = CellPlane::new(map, transform).filter(CellPlane::is_horizontal);
        let Some(plane) = plane.filter(|_| display.shown && fits) else {
            continue;
        };
        let shown = TerrainLight {
            image: texture.0.clone(),
            uv_from_world: plane.to_picture(),
            // `max` turns NaN into 0, which is equal to itself.
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
                    .try_remove::<(TerrainLight, LitByMap)>();
            }
            _ => {}
        }
    }
}
