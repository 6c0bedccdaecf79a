//! Edits of endless terrain.
//!
//! ```text
//!   TerrainEdits changed ─┬─ base of this source ──────────┬─> PlaneTiles ─> RegionEdits of each region,
//!                         └─ other base ─> task: apply all ┤   (a task, if    from its first tile on
//!                                          strokes again   │   there are
//!   roads, platforms or stamps changed ────────────────────┘   modifiers)
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
        AppliedEdits, CollectModifiers, EditablePlane, PlaneTiles, PlaneWork, RegionEdits, Terrain,
        TerrainEdits, TerrainModifiers, ask_again, await_files,
    },
    region::TerrainRegion,
    systems::TerrainSystems,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (
            describe_planes.before(CollectModifiers),
            (remove_bases, apply_to_source, apply_modifiers, share_edits)
                .chain()
                .after(CollectModifiers)
                .before(await_files),
        )
            .in_set(TerrainSystems::Generate),
    )
    .add_observer(
        |remove: On<Remove, EndlessTerrain>, mut commands: Commands| {
            if let Ok(mut whole) = commands.get_entity(remove.entity) {
                whole.try_remove::<(AppliesEdits, EditablePlane, PlaneEdits, TerrainModifiers)>();
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

/// The edits of an endless terrain on its source. On its entity, and changed when regions get other edits.
#[derive(Component)]
struct PlaneEdits {
    land: RegionLand,
    base: Arc<dyn BaseHeights>,
    /// It may apply the edits to an older base. The next task waits for it, so that there is only one.
    applying: Option<Task<AppliedEdits>>,
    /// It applies the modifiers to the strokes.
    modifying: Option<Task<PlaneTiles>>,
    /// Whether strokes or modifiers have changed since the last work began.
    is_stale: bool,
    /// What regions get. `None` until the edits have been applied to this source.
    tiles: Option<PlaneTiles>,
}

impl PlaneEdits {
    fn new(land: &RegionLand) -> Self {
        Self {
            land: land.clone(),
            base: Arc::new(SourceBase::new(land.clone())),
            applying: None,
            modifying: None,
            is_stale: true,
            tiles: None,
        }
    }
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

/// Applies the strokes to the current source, in the background.
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
        let Some(mut plane) = plane else {
            let plane = PlaneEdits::new(&following.land);
            commands.entity(entity).try_insert((AppliesEdits, plane));
            continue;
        };
        let plane = plane.bypass_change_detection();
        if plane.land != following.land {
            *plane = PlaneEdits {
                applying: plane.applying.take(),
                ..PlaneEdits::new(&following.land)
            };
        }
        if let Some(applied) = plane.applying.as_mut().and_then(check_ready) {
            plane.applying = None;
            if applied.are_on(&plane.base) {
                // `apply_modifiers` sees the change.
                edits.take_over(applied);
            }
        }
        if !Arc::ptr_eq(edits.base(), &plane.base) && plane.applying.is_none() {
            let (edits, base) = (edits.clone(), plane.base.clone());
            let apply = async move { edits.on_base(base) };
            plane.applying = Some(AsyncComputeTaskPool::get().spawn(apply));
        }
    }
}

/// Applies the modifiers to the strokes. If there are any, that happens in the background.
fn apply_modifiers(
    mut commands: Commands,
    mut wholes: Query<(
        Entity,
        &EditablePlane,
        Ref<TerrainEdits>,
        Option<Ref<TerrainModifiers>>,
        &mut PlaneEdits,
        Has<AppliesEdits>,
    )>,
    mut removed: RemovedComponents<TerrainModifiers>,
) {
    let removed: Vec<Entity> = removed.read().collect();
    for (entity, cells, edits, modifiers, mut plane, is_applying) in &mut wholes {
        let are_modifiers_changed = modifiers.as_ref().is_some_and(Ref::is_changed);
        let working = plane.bypass_change_detection();
        working.is_stale |=
            edits.is_changed() || are_modifiers_changed || removed.contains(&entity);
        let mut made = working.modifying.as_mut().and_then(check_ready);
        if made.is_some() {
            working.modifying = None;
        }
        let is_on_base = Arc::ptr_eq(edits.base(), &working.base);
        if is_on_base && working.is_stale && working.modifying.is_none() {
            working.is_stale = false;
            let shown = made.as_ref().or(working.tiles.as_ref());
            let work = PlaneWork::new(&edits, modifiers.as_deref(), *cells, shown);
            let base = working.base.clone();
            if work.has_modifiers() {
                let make = async move { work.make(&*base).await };
                working.modifying = Some(AsyncComputeTaskPool::get().spawn(make));
            } else {
                made = Some(work.make_now());
            }
        }
        if let Some(made) = made {
            plane.tiles = Some(made);
        }
        let mut whole = commands.entity(entity);
        match (is_on_base && plane.tiles.is_some(), is_applying) {
            (true, true) => {
                whole.try_remove::<AppliesEdits>();
            }
            (false, false) => {
                whole.try_insert(AppliesEdits);
            }
            _ => {}
        }
    }
}

/// Gives each region the edits of its area.
fn share_edits(
    mut commands: Commands,
    wholes: Query<(Has<TerrainEdits>, Option<Ref<PlaneEdits>>), With<EndlessTerrain>>,
    regions: Query<(Entity, &TerrainRegion, &RegionLand, Option<&RegionEdits>)>,
) {
    for (entity, region, land, shown) in &regions {
        let wanted = match wholes.get(region.terrain) {
            Ok((true, Some(plane))) => {
                let is_known = shown.is_some() && !plane.is_changed();
                // The old edits stay while others are applied.
                let tiles = plane.tiles.as_ref();
                let tiles = tiles.filter(|_| plane.land == *land && !is_known);
                let Some(tiles) = tiles else { continue };
                Some(RegionEdits::of(tiles, &region.area()))
            }
            Ok((true, None)) | Err(_) => continue,
            Ok((false, _)) => None,
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
