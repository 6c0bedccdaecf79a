//! One window: its map is made in the background, and then it is a terrain as any other.

use std::sync::Arc;

use bevy::{
    math::{DVec2, I64Vec2},
    platform::collections::HashMap,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::{
    Heightmap, MapFrame, MapSize, Plane, Progress, RecipeError, TileError,
};

use super::{EndlessTerrain, TerrainWindow, area::CellArea, follow::tell_failure};
use crate::{
    generation::Generating,
    source::TerrainMap,
    terrain::{Terrain, TerrainError},
    water::Water,
};

/// On a window's entity: the plane that it is a part of.
#[derive(Component, Clone)]
pub(super) struct WindowPlane(pub(super) Arc<Plane>);

impl PartialEq for WindowPlane {
    /// Whether both are of one recipe.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The map of a window that is there already: what others have in common with it is copied.
#[derive(Clone)]
pub(super) struct KnownMap {
    pub(super) area: CellArea,
    pub(super) map: TerrainMap,
}

/// On a window's entity while its map is being made.
#[derive(Component)]
pub(crate) struct MakingMap {
    task: Option<Task<Result<Heightmap, TileError>>>,
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

/// On a window's entity: where on the plane its middle lies, in metres, so that what shaders strew over land and
/// sea stays where it is when another window takes the place of this one.
#[derive(Component, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct PlanePlace(pub(crate) Vec2);

impl PlanePlace {
    /// After so many metres places begin at 0 again: `f32` gets coarse, and shaders draw centimetres.
    const TURN: f64 = 65_536.0;

    fn of(area: &CellArea, spacing: f32) -> Self {
        let metres = area.middle() * f64::from(spacing);
        Self(metres.rem_euclid(DVec2::splat(Self::TURN)).as_vec2())
    }
}

/// Begins to make a window, unseen.
pub(super) fn spawn_window(
    commands: &mut Commands,
    terrain: Entity,
    plane: &WindowPlane,
    area: CellArea,
    known: Vec<KnownMap>,
    origin: I64Vec2,
) -> Entity {
    let progress = Progress::default();
    let (maker, going_on) = (plane.0.clone(), progress.clone());
    let task = AsyncComputeTaskPool::get()
        .spawn(async move { make_map(&maker, &area, &known, &going_on) });
    let spacing = plane.0.scale().spacing;
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
            plane.clone(),
            Generating::of(progress),
            PlanePlace::of(&area, spacing),
            place(&area, spacing, origin),
            Visibility::Hidden,
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

/// The heights of an area of the plane.
fn make_map(
    plane: &Plane,
    area: &CellArea,
    known: &[KnownMap],
    progress: &Progress,
) -> Result<Heightmap, TileError> {
    let size = size_of(area)?;
    let shared = |known: &KnownMap| {
        let shared = area.shared(&known.area);
        shared.map_or(0, |shared| shared.cells().element_product())
    };
    let nearest = known.iter().max_by_key(|known| shared(known));
    let mut heights = vec![0.0; size.cells()];
    let missing = match nearest {
        Some(known) => {
            if let Some(shared) = area.shared(&known.area) {
                copy(
                    known.map.heights(),
                    &known.area,
                    &mut heights,
                    area,
                    &shared,
                );
            }
            area.without(&known.area)
        }
        None => vec![*area],
    };
    for (done, part) in missing.iter().enumerate() {
        let progress = progress.part(done, missing.len());
        let origin = (part.min.x, part.min.y);
        let made = plane.part(origin, size_of(part)?, &progress)?;
        copy(&made, part, &mut heights, area, part);
    }
    progress.step(1, 1)?;
    let map = Heightmap::from_heights(size, heights);
    Ok(map.expect("as many heights as cells, and a plane's are finite"))
}

fn size_of(area: &CellArea) -> Result<MapSize, TileError> {
    area.size().ok_or(TileError::Outside)
}

/// Copies those cells from the map of one area to that of another.
fn copy(from: &Heightmap, there: &CellArea, to: &mut [f32], here: &CellArea, cells: &CellArea) {
    let (width, columns) = (here.cells().x as usize, cells.cells().x as usize);
    let [source, target] = [there, here].map(|area| cells.min - area.min);
    for row in 0..cells.cells().y as usize {
        let source_row = &from.row(source.y as usize + row)[source.x as usize..][..columns];
        let start = (target.y as usize + row) * width + target.x as usize;
        to[start..][..columns].copy_from_slice(source_row);
    }
}

/// Takes in maps that are made: from then on they are terrains.
pub(crate) fn receive_maps(
    mut commands: Commands,
    mut making: Query<(Entity, &mut MakingMap, &TerrainWindow, &WindowPlane)>,
) {
    for (entity, mut making, window, plane) in &mut making {
        let Some(answer) = making.task.as_mut().and_then(check_ready) else {
            continue;
        };
        making.task = None;
        match answer {
            Ok(heights) => {
                let scale = plane.0.scale();
                let map = TerrainMap::new(heights, MapFrame::of_scale(scale, true));
                let known = KnownMap {
                    area: window.area(),
                    map: map.clone(),
                };
                let terrain = Terrain::new(map).with_scale(scale);
                let mut window = commands.entity(entity);
                window.try_insert((terrain, WindowMap(known)));
                window.try_remove::<MakingMap>();
            }
            Err(TileError::Recipe(RecipeError::Cancelled(_))) => {}
            Err(error) => {
                let error = TerrainError::Endless(error);
                tell_failure(&mut commands, window.terrain, error);
            }
        }
    }
}

impl TerrainWindow {
    pub(super) fn area(&self) -> CellArea {
        CellArea {
            min: self.north_west,
            max: self.south_east,
        }
    }
}

/// Keeps windows where they belong when the origin of the whole is changed.
pub(super) fn place_windows(
    wholes: Query<&EndlessTerrain>,
    mut windows: Query<(&TerrainWindow, &WindowPlane, &mut Transform)>,
) {
    for (window, plane, mut transform) in &mut windows {
        if let Ok(whole) = wholes.get(window.terrain) {
            let spacing = plane.0.scale().spacing;
            transform.set_if_neq(place(&window.area(), spacing, whole.origin));
        }
    }
}

/// Gives windows what the whole has of a component, and takes away what it has no more.
pub(crate) fn share<C: Component + Clone + PartialEq>(
    mut commands: Commands,
    wholes: Query<Option<&C>, With<EndlessTerrain>>,
    windows: Query<(Entity, &TerrainWindow, Option<&C>), With<Terrain>>,
) {
    for (entity, window, own) in &windows {
        match (wholes.get(window.terrain), own) {
            (Ok(Some(shared)), own) if own != Some(shared) => {
                commands.entity(entity).try_insert(shared.clone());
            }
            (Ok(None), Some(_)) => {
                commands.entity(entity).try_remove::<C>();
            }
            _ => {}
        }
    }
}

/// Gives windows the water of the whole, which is as high as its recipe says. The seas of several end where
/// their land does, so that none lies over another.
pub(super) fn share_water(
    wholes: Query<&Water, With<EndlessTerrain>>,
    mut windows: Query<(&TerrainWindow, &WindowPlane, &mut Water), Without<EndlessTerrain>>,
) {
    let mut beside: HashMap<Entity, usize> = HashMap::new();
    for (window, ..) in &windows {
        *beside.entry(window.terrain).or_default() += 1;
    }
    for (window, plane, mut own) in &mut windows {
        let Ok(shared) = wholes.get(window.terrain) else {
            continue;
        };
        let cells = window.area().cells().min_element() - 1;
        let land = cells as f32 * plane.0.scale().spacing / 2.0;
        let alone = beside[&window.terrain] == 1;
        own.set_if_neq(Water {
            level: shared.level.or(Some(plane.0.water_level())),
            extent: if alone {
                shared.extent
            } else {
                shared.extent.min(land)
            },
            ..*shared
        });
    }
}
