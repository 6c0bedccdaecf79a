//! Edits of endless terrain.
//!
//! ```text
//!   TerrainEdits changed ─┬─ base of this source ─> RegionEdits of each region, from its first tile on
//!                         └─ other base ──────────> task: apply all strokes again
//! ```
//!
//! The log is in cells of the plane, and its base is the source itself. A region only gets the tiles that it shares with
//! the log. Regions begin at multiples of the side of a tile, so these tiles need not be copied.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use bevy::{
    math::I64Vec2,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_edits::{BaseHeights, CellRect, MapBase};

use super::{EndlessTerrain, follow::Following, land::RegionLand};
use crate::{
    cells::CellArea,
    ground::{
        AppliedEdits, EditablePlane, RegionEdits, Terrain, TerrainEdits, ask_again, await_files,
        take_up_changes,
    },
    region::TerrainRegion,
    systems::TerrainSystems,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (describe_planes, remove_bases, apply_to_source, share_edits)
            .chain()
            .after(take_up_changes)
            .before(await_files)
            .in_set(TerrainSystems::Generate),
    )
    .add_observer(
        |remove: On<Remove, EndlessTerrain>, mut commands: Commands| {
            if let Ok(mut whole) = commands.get_entity(remove.entity) {
                whole.try_remove::<(AppliesEdits, EditablePlane, PlaneEdits)>();
            }
        },
    );
}

/// The source of an endless terrain as the terrain below its edits.
struct SourceBase {
    land: RegionLand,
    /// The areas that were read last, for the next dabs of a stroke.
    known: Mutex<VecDeque<(CellRect, Vec<i32>)>>,
}

impl SourceBase {
    /// The number of areas that are kept. Each has 64 x 64 cells, so that all have 4 MiB.
    const MOST_KNOWN: usize = 256;

    fn new(land: RegionLand) -> Self {
        Self {
            land,
            known: Mutex::default(),
        }
    }

    /// Outside of a folder of tiles, the nearest cell counts. Returns `None` if nothing can be read.
    fn read(&self, area: CellRect) -> Option<Vec<i32>> {
        let land = &*self.land.0;
        let wanted = CellArea {
            min: I64Vec2::new(area.column, area.row),
            max: I64Vec2::new(area.end_column() - 1, area.end_row() - 1),
        };
        let part = match land.bounds() {
            None => wanted,
            Some(bounds) => CellArea {
                min: wanted.min.clamp(bounds.min, bounds.max),
                max: wanted.max.clamp(bounds.min, bounds.max),
            }
            .widened(&bounds),
        };
        let mut map = land.heights_now(&part)?;
        for row in 0..map.height() {
            for column in 0..map.width() {
                // As in the map of a region.
                let height = map.get(column, row).clamp(0.0, 1.0);
                map.set(column, row, height).ok()?;
            }
        }
        let base = MapBase::new(Arc::new(map), land.scale()).ok()?;
        let (column, row) = (area.column - part.min.x, area.row - part.min.y);
        let mut heights = vec![0; area.cells()];
        base.heights_mm(
            CellRect {
                column,
                row,
                ..area
            },
            &mut heights,
        );
        Some(heights)
    }
}

impl BaseHeights for SourceBase {
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known.iter().find(|(of, _)| *of == area) {
            heights.copy_from_slice(found);
            return;
        }
        match self.read(area) {
            Some(read) => {
                heights.copy_from_slice(&read);
                known.truncate(Self::MOST_KNOWN - 1);
                known.push_front((area, read));
            }
            None => {
                warn_once!("edits that read heights use 0 m, because the terrain cannot be read");
                heights.fill(0);
            }
        }
    }
}

/// The base of the edits of an endless terrain, on its entity.
#[derive(Component)]
struct PlaneEdits {
    land: RegionLand,
    base: Arc<dyn BaseHeights>,
    /// It may apply the edits to an older base. The next task waits for it, so that there is only one.
    task: Option<Task<AppliedEdits>>,
}

/// On an endless terrain whose edits are being applied to its source. Its next regions are not shown before that.
#[derive(Component)]
pub(super) struct AppliesEdits;

/// Keeps what strokes in meters need to know.
fn describe_planes(
    mut commands: Commands,
    wholes: Query<(Entity, &EndlessTerrain, &Following, Option<&EditablePlane>)>,
) {
    for (entity, whole, following, known) in &wholes {
        let plane = EditablePlane {
            spacing: following.land.0.scale().spacing,
            origin: whole.origin,
        };
        if known != Some(&plane) {
            commands.entity(entity).try_insert(plane);
        }
    }
}

/// Without edits there is nothing to wait for.
fn remove_bases(mut commands: Commands, mut removed: RemovedComponents<TerrainEdits>) {
    for entity in removed.read() {
        if let Ok(mut whole) = commands.get_entity(entity) {
            whole.try_remove::<(AppliesEdits, PlaneEdits)>();
        }
    }
}

/// Applies edits to the current source, in the background.
fn apply_to_source(
    mut commands: Commands,
    mut wholes: Query<
        (
            Entity,
            &Following,
            &mut TerrainEdits,
            Option<&mut PlaneEdits>,
        ),
        Without<Terrain>,
    >,
) {
    for (entity, following, mut edits, plane) in &mut wholes {
        let mut whole = commands.entity(entity);
        let Some(mut plane) = plane else {
            let land = following.land.clone();
            whole.try_insert((
                AppliesEdits,
                PlaneEdits {
                    base: Arc::new(SourceBase::new(land.clone())),
                    land,
                    task: None,
                },
            ));
            continue;
        };
        if plane.land != following.land {
            plane.land = following.land.clone();
            plane.base = Arc::new(SourceBase::new(plane.land.clone()));
        }
        if let Some(applied) = plane.task.as_mut().and_then(check_ready) {
            plane.task = None;
            if applied.are_on(&plane.base) {
                // `share_edits` sees the change.
                edits.take_over(applied);
            }
        }
        if Arc::ptr_eq(edits.base(), &plane.base) {
            whole.try_remove::<AppliesEdits>();
            continue;
        }
        whole.try_insert(AppliesEdits);
        if plane.task.is_none() {
            let (edits, base) = (edits.clone(), plane.base.clone());
            let apply = async move { edits.on_base(base) };
            plane.task = Some(AsyncComputeTaskPool::get().spawn(apply));
        }
    }
}

/// Gives each region the edits of its area.
fn share_edits(
    mut commands: Commands,
    wholes: Query<(Option<Ref<TerrainEdits>>, Option<&PlaneEdits>), With<EndlessTerrain>>,
    regions: Query<(Entity, &TerrainRegion, &RegionLand, Option<&RegionEdits>)>,
) {
    for (entity, region, land, shown) in &regions {
        let wanted = match wholes.get(region.terrain) {
            Ok((Some(edits), Some(plane))) => {
                let is_current = Arc::ptr_eq(edits.base(), &plane.base) && plane.land == *land;
                // The old edits stay while others are applied.
                if !is_current || shown.is_some() && !edits.is_changed() {
                    continue;
                }
                Some(RegionEdits::of(&edits, &region.area()))
            }
            Ok((Some(_), None)) | Err(_) => continue,
            Ok((None, _)) => None,
        };
        let mut region = commands.entity(entity);
        match (wanted, shown) {
            (Some(wanted), Some(shown)) if wanted.are(shown) => {}
            (Some(wanted), shown) => {
                // It is inserted even if it is empty, so that the log is not searched again in each frame.
                let is_same = shown.is_none() && wanted.is_empty();
                region.try_insert(wanted);
                if !is_same {
                    ask_again(&mut commands, entity);
                }
            }
            (None, Some(_)) => {
                region.try_remove::<RegionEdits>();
                ask_again(&mut commands, entity);
            }
            (None, None) => {}
        }
    }
}
