//! Edits of a terrain at run time.
//!
//! ```text
//!   TerrainEdits changed ─┬─ base of the edits ─> task: tiles that differ ─> surface and parts updated there
//!                         └─ other base ────────> task: apply all strokes again ─> edited map ─> as any new map
//! ```
//!
//! Strokes that read heights depend on the base, so the log is applied again when a terrain gets
//! another base. That happens in the background task with a copy of the log, which the component
//! then takes over.

mod event;
mod local;
mod saved;
mod tiles;

use std::{
    fmt, mem,
    ops::{Deref, DerefMut},
    sync::Arc,
};

use bevy::prelude::*;
use lanternfell_edits::{BaseHeights, EditLimits, Edits, FlatBase, MapBase, MapGrid, ReadError};
use lanternfell_heightmap::{Canceled, Heightmap, MapSize, Progress, Scale};
use lanternfell_tasks::pause;

pub use self::event::{EditTerrain, TerrainEdit};
use self::local::local_stroke;
pub(super) use self::tiles::{EditTiles, StrokeTiles};
pub(crate) use self::{
    local::{EditablePlane, PartOf, RegionEdits},
    tiles::{PlaneTiles, PlaneWork},
};
use super::{
    modifiers::PlacedShape,
    request::{ask_again, await_files, take_up_changes},
    retire::drop_elsewhere,
    terrain::Terrain,
};
use crate::{map::TerrainMap, systems::TerrainSystems};

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(event::plugin).add_systems(
        PostUpdate,
        follow
            .after(take_up_changes)
            .before(await_files)
            .in_set(TerrainSystems::Generate),
    );
}

/// Generates terrains again whose edits were changed or removed.
pub(super) fn follow(
    mut commands: Commands,
    terrains: Query<Entity, (With<Terrain>, Changed<TerrainEdits>)>,
    mut removed: RemovedComponents<TerrainEdits>,
) {
    for terrain in terrains.iter().chain(removed.read()) {
        ask_again(&mut commands, terrain);
    }
}

/// The edits of a [`Terrain`] or an [`EndlessTerrain`](crate::EndlessTerrain) at run time: a log of strokes, which can be
/// undone.
///
/// Strokes dig, build, paint and make holes.
/// Change the [`Edits`] that it contains, or trigger [`EditTerrain`]. The terrain follows in the background. The source
/// of the terrain is never changed. If it is replaced, the edits are applied to the new map.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{edits::Brush, prelude::*};
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Terrain::default(), TerrainEdits::default()));
/// }
///
/// /// Digs a ditch along a line, 6 m wide. Press Z to fill it again.
/// fn dig(keys: Res<ButtonInput<KeyCode>>, terrain: Single<(&TerrainSurface, &mut TerrainEdits)>) -> Result {
///     let (surface, mut edits) = terrain.into_inner();
///     if keys.just_pressed(KeyCode::KeyD) {
///         let line = [Vec2::new(-20.0, 0.0), Vec2::new(35.0, 10.0)];
///         // The brush lowers the terrain by 400 mm four times per radius.
///         edits.stroke(1, surface.local_stroke(Brush::Lower { mm: 400 }, 3.0, line)?)?;
///     } else if keys.just_pressed(KeyCode::KeyZ) {
///         edits.undo(1)?;
///     }
///     Ok(())
/// }
/// # let _ = App::new().add_systems(Startup, spawn).add_systems(Update, dig);
/// ```
///
/// Save the edits with [`Edits::to_bytes`], and load them with [`TerrainEdits::from_bytes`].
///
/// # Over a network
///
/// [`TerrainClient`](lanternfell_edits::TerrainClient) shares a log with other players. Create it with the
/// [base](Edits::base) of this component once the terrain is complete, and again if the source or the scale of the
/// terrain changes. When the client has changed, show its log:
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{edits::TerrainClient, prelude::*};
///
/// #[derive(Component)]
/// struct Shared(TerrainClient);
///
/// fn show(mut terrains: Query<(&Shared, &mut TerrainEdits), Changed<Shared>>) {
///     for (shared, mut edits) in &mut terrains {
///         **edits = shared.0.edits().clone();
///     }
/// }
/// # bevy::ecs::system::assert_is_system(show);
/// ```
///
/// `examples/shared_island` is a complete program: a headless server and clients, with `bevy_replicon`. The
/// [crate documentation](lanternfell_edits#over-a-network) of `lanternfell_edits` describes the protocol.
///
/// # What is updated
///
/// | part of the terrain | is updated |
/// |---|---|
/// | [`TerrainSurface`](crate::TerrainSurface), queries, meshes, colliders, the depth of the sea | in the edited rectangles |
/// | layers by height, slope and curvature; painted layers; the shading of valleys | in and around the rectangles |
/// | plants, their colliders, and [`SnapToGround`](crate::SnapToGround) | in and around the rectangles |
/// | rivers and lakes ([`Terrain::inland_water`]) | everywhere: a canal fills, and a lake rises behind a dam |
/// | layers and plants by climate, coasts and rivers | not: they depend on the source |
///
/// A background task updates all parts. They are replaced in the same frame, except for the plants, which come later.
/// [`TerrainReady`](crate::TerrainReady) is then triggered, and
/// [`TerrainSurface::changes_since`](crate::TerrainSurface::changes_since) returns the rectangles. A stroke over 64 x 64 cells takes 40 ms on 1024 x 1024 cells, 100 ms on 2048 x 2048, and 190 ms on
/// 4096 x 4096 (release build, two shared cores). The result is the same as if the terrain were generated with all
/// edits.
///
/// The whole terrain is generated again if more than a quarter of it changes, or if rivers or lakes change.
///
/// Memory: one more map for the next edit, and the inputs of layers (up to 10 bytes per cell, and the masks of rules).
/// With rivers and lakes, two more maps and 17 bytes per cell. In a browser, the update runs between frames on the
/// page's own thread, and terrain with rivers can stop the page for some tenths of a second.
///
/// # Notes
///
/// - Every mutable access starts the background task.
/// - Positions are in cells from the north-west corner of the map, so a source with another size moves the edits. On an
///   [`EndlessTerrain`](crate::EndlessTerrain), they are in cells of its plane.
/// - Strokes that read heights, such as [`Brush::Smooth`](lanternfell_edits::Brush::Smooth), use the heights of a plane
///   at 0 until the terrain has been generated, and are then applied again. Use [`Edits::compact`] only after that.
/// - Flattened ground is flat to within 0.5 mm. Heights can be below 0 and above the relief of the terrain.
/// - [`Brush::Paint`](lanternfell_edits::Brush::Paint) has the index of a layer in [`TerrainLayers`](crate::TerrainLayers),
///   see [`TerrainLayers::index`](crate::TerrainLayers::index). An index that does not exist paints nothing.
/// - [`Brush::Plants`](lanternfell_edits::Brush::Plants) needs the plugin of `lanternfell_vegetation`, or your own use of
///   [`TerrainSurface::plant_density`](crate::TerrainSurface::plant_density).
/// - [`Brush::Unhole`](lanternfell_edits::Brush::Unhole) only closes holes of edits, not those of the source.
/// - Roads, platforms and stamps that stay movable are entities of their own: see [`TerrainPath`](crate::TerrainPath).
/// - On an [`EndlessTerrain`](crate::EndlessTerrain), brushes that read heights generate them, or read the files of the
///   tiles, in the call that adds the stroke. In a browser they cannot read files, and use a height of 0 m.
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(opaque, Component, Debug, Default, Clone, Serialize, Deserialize)]
pub struct TerrainEdits {
    edits: Edits,
    /// `None` until the terrain has been generated.
    base: Option<Base>,
}

/// The base of edits, and what it was made from.
#[derive(Clone)]
struct Base {
    map: Arc<Heightmap>,
    relief: f32,
    heights: Arc<dyn BaseHeights>,
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Base").finish_non_exhaustive()
    }
}

impl Default for TerrainEdits {
    fn default() -> Self {
        Self::from(Edits::new(Arc::new(FlatBase::default())))
    }
}

impl From<Edits> for TerrainEdits {
    /// The base of the edits is replaced by the terrain's own.
    fn from(edits: Edits) -> Self {
        Self { edits, base: None }
    }
}

impl TerrainEdits {
    /// Reads the bytes of [`Edits::to_bytes`], with the default limits.
    ///
    /// # Errors
    /// If the bytes are not a valid log, or exceed a limit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        let base = Arc::new(FlatBase::default());
        Edits::from_bytes(bytes, base, EditLimits::default()).map(Self::from)
    }

    /// Whether these are edits of this map.
    fn are_of(&self, map: &TerrainMap, scale: Scale) -> bool {
        self.base.as_ref().is_some_and(|base| {
            // The log itself can be replaced.
            Arc::ptr_eq(&base.heights, self.edits.base())
                && Arc::ptr_eq(&base.map, map.shared_heights())
                && base.relief == scale.relief
        })
    }

    /// Returns the same edits, applied to the base of an endless terrain. This takes as long as all strokes took.
    pub(crate) fn on_base(self, base: Arc<dyn BaseHeights>) -> AppliedEdits {
        AppliedEdits::of(self, base, None)
    }

    /// Takes over edits that have been applied to a new base, and adds what is missing there.
    ///
    /// Returns whether the terrain shows all edits. It does not if edits were made meanwhile, or if the log was replaced.
    pub(crate) fn take_over(&mut self, applied: AppliedEdits) -> bool {
        let AppliedEdits {
            edits: mut new,
            base_before,
        } = applied;
        let is_same_log = Arc::ptr_eq(self.edits.base(), &base_before);
        if !is_same_log || self.compacted_before() != new.compacted_before() {
            return false;
        }
        // Entries were taken out of the log meanwhile.
        if new.entries().any(|entry| self.entry(entry.id).is_none()) {
            return false;
        }
        let mut is_complete = true;
        for entry in self.edits.entries() {
            if new.entry(entry.id) != Some(entry) {
                match new.edits.insert(entry.clone()) {
                    Ok(changes) => is_complete &= changes.is_empty(),
                    // A limit is reached.
                    Err(_) => return false,
                }
            }
        }
        drop_elsewhere(mem::replace(self, new));
        is_complete
    }
}

impl Deref for TerrainEdits {
    type Target = Edits;

    fn deref(&self) -> &Edits {
        &self.edits
    }
}

impl DerefMut for TerrainEdits {
    fn deref_mut(&mut self) -> &mut Edits {
        &mut self.edits
    }
}

/// The edits that a background task applies.
pub(super) enum EditWork {
    /// The current tiles, whose base is the map that is known.
    Tiles(StrokeTiles),
    /// The edits, for another base.
    Replay(Box<TerrainEdits>, Arc<[PlacedShape]>),
}

/// Edits that were applied to a new base.
pub(crate) struct AppliedEdits {
    edits: TerrainEdits,
    /// The base of the log that was copied.
    base_before: Arc<dyn BaseHeights>,
}

impl EditWork {
    /// `known` is the map below the edits with its scale, if it exists already.
    /// `shown` are the edits of the surface that is shown.
    pub(super) fn new(
        edits: &TerrainEdits,
        shapes: Arc<[PlacedShape]>,
        known: Option<(&TerrainMap, Scale)>,
        shown: Option<&EditTiles>,
    ) -> Self {
        match known {
            Some((map, scale)) if edits.are_of(map, scale) => {
                Self::Tiles(StrokeTiles::of(edits, shapes, shown))
            }
            _ => Self::Replay(Box::new(edits.clone()), shapes),
        }
    }

    /// Returns the edited map with its edits, and the log if it has been applied to a new base.
    pub(super) async fn on(
        self,
        map: &TerrainMap,
        scale: Scale,
        shown: Option<&EditTiles>,
        progress: &Progress,
    ) -> Result<(TerrainMap, EditTiles, Option<AppliedEdits>), Canceled> {
        let base = MapBase::new(map.shared_heights().clone(), scale)
            .expect("the scale of a terrain is valid");
        let (strokes, applied) = match self {
            Self::Tiles(tiles) => (tiles, None),
            Self::Replay(edits, shapes) => {
                progress.check()?;
                pause().await;
                let applied = AppliedEdits::new(*edits, map, scale, &base);
                (
                    StrokeTiles::of(&applied.edits, shapes, shown),
                    Some(applied),
                )
            }
        };
        let nothing = EditTiles::default();
        let grid = grid_of(map.size(), scale);
        let [modifying, editing] =
            [(0.0, 0.5), (0.5, 1.0)].map(|(from, to)| progress.span(from, to));
        let tiles = strokes.modified(&nothing, &base, grid, &modifying).await?;
        let edited = tiles.on(map, &base, &editing).await?;
        Ok((edited, tiles, applied))
    }
}

/// The cells of a terrain in its local space.
pub(super) fn grid_of(size: MapSize, scale: Scale) -> MapGrid {
    MapGrid {
        columns: size.width() as u32,
        rows: size.height() as u32,
        spacing: scale.spacing,
    }
}

impl AppliedEdits {
    /// Whether this is the new base.
    pub(crate) fn are_on(&self, base: &Arc<dyn BaseHeights>) -> bool {
        Arc::ptr_eq(self.edits.base(), base)
    }

    fn new(edits: TerrainEdits, map: &TerrainMap, scale: Scale, base: &MapBase) -> Self {
        let heights: Arc<dyn BaseHeights> = Arc::new(base.clone());
        let base = Base {
            map: map.shared_heights().clone(),
            relief: scale.relief,
            heights: heights.clone(),
        };
        Self::of(edits, heights, Some(base))
    }

    fn of(mut edits: TerrainEdits, heights: Arc<dyn BaseHeights>, base: Option<Base>) -> Self {
        let base_before = edits.base().clone();
        edits.set_base(heights);
        edits.base = base;
        Self { edits, base_before }
    }

    /// Inserts the edits, unless they were replaced meanwhile.
    pub(super) fn put_in_place(self, terrain: &mut EntityWorldMut) {
        if let Some(mut edits) = terrain.get_mut::<TerrainEdits>() {
            let is_complete = edits.bypass_change_detection().take_over(self);
            if !is_complete {
                edits.set_changed();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_edits::{Brush, Stroke};
    use lanternfell_heightmap::MapSize;

    const SCALE: Scale = Scale {
        spacing: 1.0,
        relief: 10.0,
    };

    fn map() -> TerrainMap {
        let size = MapSize::new(80, 70).unwrap();
        Heightmap::from_fn(size, |x, y| (x * y % 17) as f32 / 17.0)
            .unwrap()
            .into()
    }

    fn stroke(column: i64) -> Stroke {
        Stroke::along(Brush::Smooth { reach: 2 }, 2000, [[256 * column, 4000]])
    }

    fn edits() -> TerrainEdits {
        let mut edits = TerrainEdits::default();
        edits.stroke(1, stroke(10)).unwrap();
        edits
    }

    /// What a task makes of the edits.
    fn applied(edits: &TerrainEdits, map: &TerrainMap) -> AppliedEdits {
        let base = MapBase::new(map.shared_heights().clone(), SCALE).unwrap();
        AppliedEdits::new(edits.clone(), map, SCALE, &base)
    }

    /// Checks that the edits are those of the map.
    fn assert_are_of(map: &TerrainMap, edits: &TerrainEdits) {
        assert!(edits.are_of(map, SCALE));
        let base = MapBase::new(map.shared_heights().clone(), SCALE).unwrap();
        let mut fresh = Edits::new(Arc::new(base));
        for entry in edits.entries() {
            fresh.insert(entry.clone()).unwrap();
        }
        assert!(fresh.tiles().eq(edits.tiles()) && fresh.tiles().count() > 0);
    }

    #[test]
    fn takes_over_edits_of_a_task() {
        let (map, mut now) = (map(), edits());
        assert!(!now.are_of(&map, SCALE));
        let task = applied(&now, &map);
        assert!(now.take_over(task));
        assert_are_of(&map, &now);
        let other = Scale {
            relief: 20.0,
            ..SCALE
        };
        assert!(!now.are_of(&map, other) && !now.are_of(&self::map(), SCALE));
    }

    #[test]
    fn keeps_edits_made_during_the_task() {
        let (map, mut now) = (map(), edits());
        let drag = now.start_drag(2, stroke(30)).unwrap().id;
        let task = applied(&now, &map);
        now.stroke(1, stroke(50)).unwrap();
        now.undo(1).unwrap();
        now.stroke(3, stroke(40)).unwrap();
        now.extend_drag(drag, &[[9000, 9000]]).unwrap();
        assert!(!now.take_over(task));
        assert_eq!(now.len(), 5);
        assert_are_of(&map, &now);
    }

    #[test]
    fn drops_edits_of_a_log_that_was_replaced() {
        let map = map();
        for replace in [
            |now: &mut TerrainEdits| *now = edits(),
            |now: &mut TerrainEdits| *now = TerrainEdits::default(),
            |now: &mut TerrainEdits| **now = Edits::new(Arc::new(FlatBase { height_mm: 5 })),
            |now: &mut TerrainEdits| now.compact(u64::MAX),
        ] {
            let mut now = edits();
            let task = applied(&now, &map);
            replace(&mut now);
            let len = now.len();
            assert!(!now.take_over(task));
            assert_eq!(now.len(), len);
            assert!(!now.are_of(&map, SCALE));
            // The next task applies them.
            let task = applied(&now, &map);
            assert!(now.take_over(task));
            assert!(now.are_of(&map, SCALE));
        }
    }

    #[test]
    fn notices_another_base_of_the_log() {
        let (map, mut now) = (map(), edits());
        let task = applied(&now, &map);
        assert!(now.take_over(task));
        now.set_base(Arc::new(FlatBase::default()));
        assert!(!now.are_of(&map, SCALE));
        assert!(matches!(
            EditWork::new(&now, Arc::default(), Some((&map, SCALE)), None),
            EditWork::Replay(..)
        ));
    }
}
