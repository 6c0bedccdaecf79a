//! One window: its map is made in the background, and then it is a terrain as any other.

use bevy::{
    math::I64Vec2,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::{Heightmap, Progress, TileError};
use lanternfell_tasks::pause;

use super::{
    EndlessTerrain,
    land::{Land, WindowLand, WindowPart},
};

use crate::{
    cells::CellArea,
    collider::TerrainCollider,
    error::{TerrainError, Unmade},
    ground::{Generating, Terrain, Upcoming},
    layers::{LaidLayers, TerrainLayers},
    map::TerrainMap,
    paint::TerrainPaint,
    water::Water,
    window::{PlanePlace, TerrainWindow},
};

/// The map of a window that is there already: what others have in common with it is copied.
#[derive(Clone)]
pub(super) struct KnownMap {
    pub(super) area: CellArea,
    pub(super) map: TerrainMap,
}

/// On a window's entity while its map is being made.
#[derive(Component)]
pub(crate) struct MakingMap {
    task: Option<Task<Result<Heightmap, Unmade>>>,
    progress: Progress,
}

impl Drop for MakingMap {
    /// The viewers have gone elsewhere.
    fn drop(&mut self) {
        self.progress.cancel();
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}

/// On a window's entity: its map, once it is there.
#[derive(Component, Clone)]
pub(super) struct WindowMap(pub(super) KnownMap);

/// On a window's entity that can not be made.
#[derive(Component)]
pub(super) struct WindowFailed(pub(super) TerrainError);

/// Begins to make a window, unseen.
pub(super) fn spawn_window(
    commands: &mut Commands,
    terrain: Entity,
    land: &WindowLand,
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
    let window = TerrainWindow {
        terrain,
        north_west: area.min,
        south_east: area.max,
    };
    commands
        .spawn((
            window,
            making,
            land.clone(),
            Generating::of(progress),
            PlanePlace::of(&area, spacing),
            place(&area, spacing, origin),
            (Upcoming, Visibility::Hidden),
            ChildOf(terrain),
        ))
        .id()
}

/// Where a window lies in the frame of the whole, of which that cell is the origin.
fn place(area: &CellArea, spacing: f32, origin: I64Vec2) -> Transform {
    let cells = I64Vec2::new(area.min.x + area.max.x, area.min.y + area.max.y) - 2 * origin;
    let metres = cells.as_dvec2() / 2.0 * f64::from(spacing);
    Transform::from_xyz(metres.x as f32, 0.0, metres.y as f32)
}

/// Heights that are copied or looked at between two pauses.
const PIECE: usize = 1 << 16;

/// Copies those cells from an area's map to the heights of another area.
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

/// The heights of an area: what is known of it is copied.
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
    // What a tile has beyond 0 to 1 would be stretched, in each window by another range.
    for heights in heights.chunks_mut(PIECE) {
        pause().await;
        for z in heights {
            *z = z.clamp(0.0, 1.0);
        }
    }
    let map = Heightmap::from_heights(size, heights);
    Ok(map.expect("as many heights as cells, and all from maps"))
}

/// What a window has of the whole from its beginning.
type Looks = (
    &'static TerrainCollider,
    &'static TerrainLayers,
    &'static LaidLayers,
    Option<&'static TerrainPaint>,
);

/// Takes in maps that are made: from then on they are terrains.
pub(crate) fn receive_maps(
    mut commands: Commands,
    mut making: Query<(Entity, &mut MakingMap, &TerrainWindow, &WindowLand)>,
    wholes: Query<Looks, With<EndlessTerrain>>,
) {
    for (entity, mut making, window, land) in &mut making {
        let Some(answer) = making.task.as_mut().and_then(check_ready) else {
            continue;
        };
        making.task = None;
        match answer {
            Ok(heights) => {
                let scale = land.0.scale();
                let map = TerrainMap::new(heights, land.0.frame(&window.area()));
                let known = KnownMap {
                    area: window.area(),
                    map: map.clone(),
                };
                let looks = wholes.get(window.terrain).ok();
                let (collider, layers, laid) = looks
                    .map_or_else(Default::default, |(collider, layers, laid, _)| {
                        (*collider, layers.clone(), laid.clone())
                    });
                let paint = looks.and_then(|(.., paint)| paint.cloned());
                let map = map.part_of(WindowPart::new(window, land));
                let terrain = Terrain::new(map).with_scale(scale);
                let mut window = commands.entity(entity);
                window.try_insert((terrain, collider, layers, laid, WindowMap(known)));
                if let Some(paint) = paint {
                    window.try_insert(paint);
                }
                window.try_remove::<MakingMap>();
            }
            Err(Unmade::Cancelled) => {}
            Err(Unmade::Failed(error)) => {
                let mut window = commands.entity(entity);
                window.try_insert(WindowFailed(error));
                window.try_remove::<(MakingMap, Generating)>();
            }
        }
    }
}

/// Keeps windows where they belong when the origin of the whole is changed.
pub(super) fn place_windows(
    wholes: Query<&EndlessTerrain>,
    mut windows: Query<(&TerrainWindow, &WindowLand, &mut Transform)>,
) {
    for (window, land, mut transform) in &mut windows {
        if let Ok(whole) = wholes.get(window.terrain) {
            let spacing = land.0.scale().spacing;
            transform.set_if_neq(place(&window.area(), spacing, whole.origin));
        }
    }
}

/// Gives windows the water of the whole, which is as high as its recipe says.
pub(super) fn share_water(
    wholes: Query<&Water, With<EndlessTerrain>>,
    mut windows: Query<(&TerrainWindow, &WindowLand, &mut Water), Without<EndlessTerrain>>,
) {
    for (window, land, mut own) in &mut windows {
        if let Ok(shared) = wholes.get(window.terrain) {
            own.set_if_neq(Water {
                level: shared.level.or(Some(land.0.water_level())),
                ..*shared
            });
        }
    }
}
