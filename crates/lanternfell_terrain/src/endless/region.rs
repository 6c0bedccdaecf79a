//! A single region. Its map is generated in the background; then it becomes an ordinary terrain.

use bevy::{
    math::I64Vec2,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::{Heightmap, Progress, TileError};
use lanternfell_tasks::pause;

use super::{
    EndlessTerrain,
    land::{Land, RegionLand, RegionPart},
};

use crate::{
    cells::CellArea,
    collider::TerrainCollider,
    error::{TerrainError, Unmade},
    ground::{PartOf, Terrain, TerrainProgress, Upcoming},
    layers::{EffectiveLayers, TerrainLayers},
    map::TerrainMap,
    region::{PlanePlace, TerrainRegion},
    water::Water,
};

/// The map of an existing region, from which common cells are copied.
#[derive(Clone)]
pub(super) struct KnownMap {
    pub(super) area: CellArea,
    pub(super) map: TerrainMap,
}

/// On a region's entity while its map is being generated.
#[derive(Component)]
pub(crate) struct MakingMap {
    task: Option<Task<Result<Heightmap, Unmade>>>,
    progress: Progress,
}

impl Drop for MakingMap {
    /// Cancels the task, because the viewers have moved elsewhere.
    fn drop(&mut self) {
        self.progress.cancel();
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}

/// The finished map of a region. On the region's entity.
#[derive(Component, Clone)]
pub(super) struct RegionMap(pub(super) KnownMap);

/// On the entity of a region that could not be generated.
#[derive(Component)]
pub(super) struct RegionFailed(pub(super) TerrainError);

/// Spawns a hidden region and starts generating its map.
pub(super) fn spawn_region(
    commands: &mut Commands,
    terrain: Entity,
    land: &RegionLand,
    area: CellArea,
    known: Vec<KnownMap>,
    origin: I64Vec2,
) -> Entity {
    let progress = Progress::default();
    let (maker, going_on) = (land.0.clone(), progress.clone());
    let task = AsyncComputeTaskPool::get()
        .spawn(async move { make_map(&maker, &area, &known, &going_on).await });
    let spacing = land.0.scale().spacing;
    let making = MakingMap {
        task: Some(task),
        progress: progress.clone(),
    };
    let region = TerrainRegion {
        terrain,
        north_west: area.min,
        south_east: area.max,
    };
    commands
        .spawn((
            (region, PartOf(terrain)),
            making,
            land.clone(),
            TerrainProgress::of(progress),
            PlanePlace::of(&area, spacing),
            place(&area, spacing, origin),
            (Upcoming, Visibility::Hidden),
            ChildOf(terrain),
        ))
        .id()
}

/// The transform of a region relative to the endless terrain, for the given origin.
fn place(area: &CellArea, spacing: f32, origin: I64Vec2) -> Transform {
    let cells = I64Vec2::new(area.min.x + area.max.x, area.min.y + area.max.y) - 2 * origin;
    let meters = cells.as_dvec2() / 2.0 * f64::from(spacing);
    Transform::from_xyz(meters.x as f32, 0.0, meters.y as f32)
}

/// The number of heights that are processed between two pauses.
const PIECE: usize = 1 << 16;

/// Copies `cells` from the map of one area to the heights of another.
async fn copy(
    map: &Heightmap,
    from: &CellArea,
    heights: &mut [f32],
    to: &CellArea,
    cells: &CellArea,
) {
    let rows = (PIECE as i64 / cells.cells().x).max(1);
    for first in (cells.min.y..=cells.max.y).step_by(rows as usize) {
        pause().await;
        let last = (first + rows - 1).min(cells.max.y);
        let (min, max) = (cells.min.with_y(first), cells.max.with_y(last));
        from.copy(map, heights, to, &CellArea { min, max });
    }
}

/// Generates the heights of an area. Cells of a known map are copied.
async fn make_map(
    land: &Land,
    area: &CellArea,
    known: &[KnownMap],
    progress: &Progress,
) -> Result<Heightmap, Unmade> {
    progress.check()?;
    let size = area.size().ok_or(TileError::Outside)?;
    let shared = |known: &KnownMap| {
        let shared = area.shared(&known.area);
        shared.map_or(0, |shared| shared.cells().element_product())
    };
    let mut heights = vec![0.0; size.cells()];
    let mut missing = vec![*area];
    if let Some(known) = known.iter().max_by_key(|known| shared(known))
        && let Some(shared) = area.shared(&known.area)
    {
        copy(
            known.map.heights(),
            &known.area,
            &mut heights,
            area,
            &shared,
        )
        .await;
        missing = area.without(&known.area);
    }
    for (done, part) in missing.iter().enumerate() {
        pause().await;
        let progress = progress.part(done, missing.len());
        let part = part.widened(area);
        let made = land.heights(&part, &progress).await?;
        copy(&made, &part, &mut heights, area, &part).await;
    }
    progress.step(1, 1)?;
    // Values of a tile outside of 0 to 1 would be normalized later, in each region by another range. So they are
    // clamped.
    for heights in heights.chunks_mut(PIECE) {
        pause().await;
        for z in heights {
            *z = z.clamp(0.0, 1.0);
        }
    }
    let map = Heightmap::from_heights(size, heights);
    Ok(map.expect("there is one finite height per cell"))
}

/// The components that a region gets from the endless terrain when it becomes a terrain.
type Looks = (
    &'static TerrainCollider,
    &'static TerrainLayers,
    &'static EffectiveLayers,
);

/// Turns regions whose maps are finished into terrains.
pub(crate) fn receive_maps(
    mut commands: Commands,
    mut making: Query<(Entity, &mut MakingMap, &TerrainRegion, &RegionLand)>,
    wholes: Query<Looks, With<EndlessTerrain>>,
) {
    for (entity, mut making, region, land) in &mut making {
        let Some(answer) = making.task.as_mut().and_then(check_ready) else {
            continue;
        };
        making.task = None;
        match answer {
            Ok(heights) => {
                let scale = land.0.scale();
                let map = TerrainMap::new(heights, land.0.frame(&region.area()));
                let known = KnownMap {
                    area: region.area(),
                    map: map.clone(),
                };
                let looks = wholes.get(region.terrain).ok();
                let (collider, layers, effective) = looks
                    .map_or_else(Default::default, |(collider, layers, effective)| {
                        (*collider, layers.clone(), effective.clone())
                    });
                let map = map.part_of(RegionPart::new(region, land));
                let terrain = Terrain::new(map).with_scale(scale);
                let mut region = commands.entity(entity);
                region.try_insert((terrain, collider, layers, effective, RegionMap(known)));
                region.try_remove::<MakingMap>();
            }
            Err(Unmade::Canceled) => {}
            Err(Unmade::Failed(error)) => {
                let mut region = commands.entity(entity);
                region.try_insert(RegionFailed(error));
                region.try_remove::<(MakingMap, TerrainProgress)>();
            }
        }
    }
}

/// Updates the transforms of regions when the origin of the endless terrain changes.
pub(super) fn place_regions(
    wholes: Query<&EndlessTerrain>,
    mut regions: Query<(&TerrainRegion, &RegionLand, &mut Transform)>,
) {
    for (region, land, mut transform) in &mut regions {
        if let Ok(whole) = wholes.get(region.terrain) {
            let spacing = land.0.scale().spacing;
            transform.set_if_neq(place(&region.area(), spacing, whole.origin));
        }
    }
}

/// Copies the water of the endless terrain to its regions, and removes it with the original. Its default level is that of
/// the source.
pub(super) fn share_water(
    mut commands: Commands,
    wholes: Query<Option<&Water>, With<EndlessTerrain>>,
    mut regions: Query<
        (Entity, &TerrainRegion, &RegionLand, Option<&mut Water>),
        Without<EndlessTerrain>,
    >,
) {
    for (entity, region, land, own) in &mut regions {
        let Ok(shared) = wholes.get(region.terrain) else {
            continue;
        };
        let wanted = shared.map(|shared| Water {
            level: shared.level.or(Some(land.0.water_level())),
            ..*shared
        });
        match (wanted, own) {
            // A sea that mirrors the sky changes every frame.
            (Some(wanted), Some(mut own)) => {
                own.set_if_neq(wanted);
            }
            (Some(wanted), None) => {
                commands.entity(entity).try_insert(wanted);
            }
            (None, Some(_)) => {
                commands.entity(entity).try_remove::<Water>();
            }
            (None, None) => {}
        }
    }
}
