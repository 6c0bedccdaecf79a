//! Edits of a terrain at run time.
//!
//! ```text
//!   TerrainEdits changed ─> task: base ─┬─ base of the edits ──────────────────────┬─> edited map ─> as any new map
//!                                       └─ other base: apply all strokes again ────┘
//! ```
//!
//! Strokes that read heights depend on the base, so the log is applied again when a terrain gets
//! another base. That happens in the background task with a copy of the log, which the component
//! then takes over.

mod tiles;

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use bevy::prelude::*;
use lanternfell_edits::{
    Brush, Channel, EditLimits, Edits, FlatBase, MapBase, ReadError, Stroke, StrokeError,
};
use lanternfell_heightmap::{Heightmap, Scale};
use lanternfell_tasks::pause;

use self::tiles::EditTiles;
use super::{
    request::{ask_again, await_files, take_up_changes},
    surface::TerrainSurface,
    terrain::Terrain,
};
use crate::{map::TerrainMap, systems::TerrainSystems};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        follow
            .after(take_up_changes)
            .before(await_files)
            .in_set(TerrainSystems::Generate),
    )
    .add_observer(restore);
}

/// Generates terrains again whose edits have changed.
fn follow(mut commands: Commands, terrains: Query<Entity, (With<Terrain>, Changed<TerrainEdits>)>) {
    for terrain in &terrains {
        ask_again(&mut commands, terrain);
    }
}

/// Generates a terrain again whose edits were removed.
fn restore(remove: On<Remove, TerrainEdits>, mut commands: Commands) {
    ask_again(&mut commands, remove.entity);
}

/// The edits of a [`Terrain`] at run time: a log of strokes that dig, build and make holes. They can be undone.
///
/// Change the [`Edits`] that it contains. The terrain follows in the background, with its meshes, colliders and
/// queries. The source of the terrain is never changed: if it changes itself, the edits are applied to the new map.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{
///     edits::{Brush, Stroke},
///     prelude::*,
/// };
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Terrain::default(), TerrainEdits::default()));
/// }
///
/// /// Digs a ditch of 3 m on each side of a line. Press Z to fill it again.
/// fn dig(keys: Res<ButtonInput<KeyCode>>, terrain: Single<(&TerrainSurface, &mut TerrainEdits)>) -> Result {
///     let (surface, mut edits) = terrain.into_inner();
///     if keys.just_pressed(KeyCode::KeyD) {
///         let line = [Vec2::new(-20.0, 0.0), Vec2::new(35.0, 10.0)];
///         edits.stroke(1, surface.stroke(Brush::Lower { mm: 400 }, 3.0, line)?)?;
///     } else if keys.just_pressed(KeyCode::KeyZ) {
///         edits.undo(1)?;
///     }
///     Ok(())
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// # bevy::ecs::system::assert_is_system(dig);
/// ```
///
/// Save the edits with [`Edits::to_bytes`], and load them with [`TerrainEdits::from_bytes`].
///
/// - Every change generates [`TerrainSurface`], meshes, colliders, layers and plants of the whole terrain again, and
///   triggers [`TerrainReady`](crate::TerrainReady). On 1024 x 1024 cells that takes some tenths of a second.
/// - Rivers and lakes do not follow, and keep the shape that they have without edits.
/// - Painted layers and densities of plants are not applied. Use [`TerrainPaint`](crate::TerrainPaint).
/// - [`Brush::Unhole`] only closes holes of edits, not those of the source.
/// - It has no effect on an [`EndlessTerrain`](crate::EndlessTerrain).
#[derive(Component, Debug, Clone)]
pub struct TerrainEdits {
    edits: Edits,
    /// The map and the relief that the edits are based on. `None` until the terrain has been generated.
    base: Option<Base>,
}

/// What the heights of the base in millimeters depend on.
#[derive(Debug, Clone)]
struct Base {
    map: Arc<Heightmap>,
    relief: f32,
}

impl Base {
    fn new(map: &TerrainMap, scale: Scale) -> Self {
        Self {
            map: map.shared_heights().clone(),
            relief: scale.relief,
        }
    }

    fn is(&self, map: &TerrainMap, scale: Scale) -> bool {
        Arc::ptr_eq(&self.map, map.shared_heights()) && self.relief == scale.relief
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
    /// If the bytes are no edits, or exceed a limit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        let base = Arc::new(FlatBase::default());
        Edits::from_bytes(bytes, base, EditLimits::default()).map(Self::from)
    }

    /// Takes over edits that have been applied to a new base, and adds what is missing there.
    ///
    /// Returns whether the terrain shows all edits. It does not if edits were made meanwhile, or if these edits have
    /// replaced those that were applied.
    fn take_over(&mut self, mut applied: Self) -> bool {
        let has = |id, time| self.entry(id).is_some_and(|entry| entry.time == time);
        let is_older = applied.entries().all(|entry| has(entry.id, entry.time));
        if !is_older || self.compacted_before() != applied.compacted_before() {
            return false;
        }
        let mut is_complete = true;
        for entry in self.edits.entries() {
            match applied.edits.insert(entry.clone()) {
                Ok(changes) => is_complete &= changes.is_empty(),
                // They are other edits, or a limit is reached.
                Err(_) => return false,
            }
        }
        *self = applied;
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

impl TerrainSurface {
    /// Returns a stroke at full strength for [`TerrainEdits`]. `radius` is in meters. `points` are along x and z in the
    /// terrain's local space, in meters.
    ///
    /// # Errors
    /// If a number is out of its range, or not finite.
    pub fn stroke(
        &self,
        brush: Brush,
        radius: f32,
        points: impl IntoIterator<Item = Vec2>,
    ) -> Result<Stroke, StrokeError> {
        // The units of strokes are 1/256 of a cell.
        let units = 256.0 / f64::from(self.surface().scale().spacing);
        let corner = self.surface().half_extent().as_dvec2();
        // A hole is at the center of a square between four cells.
        let square = match brush.channel() {
            Channel::Holes => 128.0,
            _ => 0.0,
        };
        let position = |along: f64| match along.is_finite() {
            true => (along * units - square).round() as i64,
            false => i64::MAX,
        };
        let points = points.into_iter().map(|point| {
            let from_corner = point.as_dvec2() + corner;
            [position(from_corner.x), position(from_corner.y)]
        });
        let stroke = Stroke::along(brush, (f64::from(radius) * units).round() as u32, points);
        stroke.validate()?;
        Ok(stroke)
    }
}

/// The edits that a background task applies.
pub(super) enum EditWork {
    /// The current tiles, whose base is the map that is known.
    Tiles(EditTiles),
    /// The edits, for another base.
    Replay(Box<TerrainEdits>),
}

impl EditWork {
    /// `base` is the map below the edits with its scale, if it is known.
    pub(super) fn new(edits: &TerrainEdits, known: Option<(&TerrainMap, Scale)>) -> Self {
        let is_known = |base: &&Base| known.is_some_and(|(map, scale)| base.is(map, scale));
        match edits.base.as_ref().filter(is_known) {
            Some(_) => Self::Tiles(EditTiles::of(edits)),
            None => Self::Replay(Box::new(edits.clone())),
        }
    }

    /// Returns the edited map, and the edits if they have been applied to a new base.
    pub(super) async fn on(
        self,
        map: &TerrainMap,
        scale: Scale,
    ) -> (TerrainMap, Option<TerrainEdits>) {
        let heights = map.shared_heights().clone();
        let base = MapBase::new(heights, scale).expect("the scale of a terrain is valid");
        pause().await;
        match self {
            Self::Tiles(tiles) => (tiles.on(map, &base, scale), None),
            Self::Replay(mut edits) => {
                edits.set_base(Arc::new(base.clone()));
                edits.base = Some(Base::new(map, scale));
                (EditTiles::of(&edits).on(map, &base, scale), Some(*edits))
            }
        }
    }
}

/// Inserts edits that have been applied to a new base, unless they were replaced meanwhile.
pub(super) fn put_in_place(terrain: &mut EntityWorldMut, applied: TerrainEdits) {
    if let Some(mut edits) = terrain.get_mut::<TerrainEdits>() {
        let is_complete = edits.bypass_change_detection().take_over(applied);
        if !is_complete {
            edits.set_changed();
        }
    }
}
