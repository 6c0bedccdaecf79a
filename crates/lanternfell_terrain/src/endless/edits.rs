//! Edits of endless terrain.
//!
//! ```text
//!   TerrainEdits changed ─┬─ base of this source ─> RegionEdits of each region, from its first tile on
//!                         └─ other base ──────────> task: apply all strokes again
//! ```
//!
//! The log is in cells of the plane, and its base is the source itself. A region only gets the tiles that it shares with
//! the log. Regions begin at multiples of the side of a tile, so these tiles need not be copied.

use std::sync::Arc;

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
        AppliedEdits, EditablePlane, RegionEdits, TerrainEdits, ask_again, await_files,
        take_up_changes,
    },
    region::TerrainRegion,
    systems::TerrainSystems,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (describe_planes, apply_to_source, share_edits)
            .chain()
            .after(take_up_changes)
            .before(await_files)
            .in_set(TerrainSystems::Generate),
    )
    .add_observer(
        |remove: On<Remove, EndlessTerrain>, mut commands: Commands| {
            if let Ok(mut whole) = commands.get_entity(remove.entity) {
                whole.try_remove::<(EditablePlane, PlaneEdits)>();
            }
        },
    );
}

/// The source of an endless terrain as the terrain below its edits.
struct SourceBase(RegionLand);

impl BaseHeights for SourceBase {
    /// Outside of a folder of tiles, the nearest cell of the same area counts. If nothing can be read, heights are 0.
    fn heights_mm(&self, area: CellRect, heights: &mut [i32]) {
        heights.fill(0);
        let wanted = CellArea {
            min: I64Vec2::new(area.column, area.row),
            max: I64Vec2::new(area.end_column() - 1, area.end_row() - 1),
        };
        let bounds = self.0.0.bounds().unwrap_or(wanted);
        let Some(mut map) = wanted
            .shared(&bounds)
            .and_then(|part| self.0.0.heights_now(&part))
        else {
            return;
        };
        for row in 0..map.height() {
            for column in 0..map.width() {
                // As in the map of a region.
                let height = map.get(column, row).clamp(0.0, 1.0);
                map.set(column, row, height).expect("it is finite");
            }
        }
        let first = wanted.min.max(bounds.min);
        if let Ok(base) = MapBase::new(Arc::new(map), self.0.0.scale()) {
            let (column, row) = (area.column - first.x, area.row - first.y);
            base.heights_mm(
                CellRect {
                    column,
                    row,
                    ..area
                },
                heights,
            );
        }
    }
}

/// The base of the edits of an endless terrain, on its entity.
#[derive(Component)]
struct PlaneEdits {
    land: RegionLand,
    base: Arc<dyn BaseHeights>,
    task: Option<Task<AppliedEdits>>,
}

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

/// Applies edits to the current source, in the background.
fn apply_to_source(
    mut commands: Commands,
    mut wholes: Query<(
        Entity,
        &Following,
        &mut TerrainEdits,
        Option<&mut PlaneEdits>,
    )>,
) {
    for (entity, following, mut edits, plane) in &mut wholes {
        let Some(mut plane) = plane.filter(|plane| plane.land == following.land) else {
            let land = following.land.clone();
            let base = Arc::new(SourceBase(land.clone()));
            let task = None;
            commands
                .entity(entity)
                .try_insert(PlaneEdits { land, base, task });
            continue;
        };
        if let Some(applied) = plane.task.as_mut().and_then(check_ready) {
            plane.task = None;
            // Its change is seen by `share_edits`.
            edits.take_over(applied);
        }
        if !Arc::ptr_eq(edits.base(), &plane.base) && plane.task.is_none() {
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
        match (wanted, shown) {
            (Some(wanted), Some(shown)) if wanted.are(shown) => continue,
            (Some(wanted), None) if wanted.is_empty() => continue,
            (Some(wanted), _) => commands.entity(entity).try_insert(wanted),
            (None, Some(_)) => commands.entity(entity).try_remove::<RegionEdits>(),
            (None, None) => continue,
        };
        ask_again(&mut commands, entity);
    }
}
