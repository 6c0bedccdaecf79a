//! Windows that follow the viewers.
//!
//! Each endless terrain has two lists of windows: those that are shown, and the next ones if other windows are needed.
//! A window whose area and source stay the same is in both lists. The next ones replace the shown ones all at once, so
//! viewers never see a mix of old and new terrain.
//!
//! Invariants:
//! - A window is in one of the lists, or it is leaving. Code that drops a window from a list must call `leave_unused`
//!   or `leave`; otherwise the window would stay hidden forever.
//! - `shown` is only replaced in `swap_windows`. In addition it loses windows that were despawned by other code.
//! - `next` is discarded only if it is useless, because the source has changed or a viewer is no longer inside. Work
//!   that is merely late is not restarted, because a viewer who keeps moving would then never get terrain.
//!
//! ```text
//! viewers ──> do the windows suffice? ── no ──> next windows, hidden ── all ready ──> shown, old ones leave
//!                                               (may be replaced by newer ones)       TerrainReady
//! ```

use std::time::Duration;

use bevy::{
    ecs::system::SystemParam,
    math::{DVec2, I64Vec2},
    platform::time::Instant,
    prelude::*,
};
use lanternfell_heightmap::Plane;

use super::{
    hold::Held,
    land::WindowLand,
    leave::leave,
    sources::{CacheOf, Sources},
    window::{KnownMap, WindowFailed, WindowMap, spawn_window},
    {EndlessSource, EndlessTerrain, TerrainViewer},
};
use crate::{
    cells::{CellArea, Margins},
    error::TerrainError,
    file::TerrainTiles,
    ground::{TerrainFailed, TerrainReady, Upcoming},
    viewers::to_ground,
    window::{TerrainRegion, Windowed},
};

/// The windows of an endless terrain, and the settings they were generated with. On the entity of the
/// [`EndlessTerrain`].
#[derive(Component)]
pub(super) struct Following {
    pub(super) asked: EndlessTerrain,
    /// The source of the windows: the one requested last, or the previous one if that failed.
    pub(super) land: WindowLand,
    margins: Margins,
    shown: Vec<Window>,
    /// The windows that will replace the shown ones. Some may be the same.
    next: Option<Vec<Window>>,
    /// Whether another source was requested that is still loading.
    is_waiting: bool,
    /// The folder of tiles that was checked last, whether it was valid or not.
    pub(super) seen: Option<TerrainTiles>,
    /// The last error that was reported since windows were last replaced.
    told: Option<TerrainError>,
    /// The time before which failed windows are not generated again.
    not_before: Option<Instant>,
    /// The time since which there have been no viewers.
    alone_since: Option<Instant>,
}

/// The time before a failed window is generated again, and for which windows stay without viewers: cameras and players
/// that are being replaced may be absent for some frames.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone, PartialEq)]
struct Window {
    entity: Entity,
    area: CellArea,
    land: WindowLand,
}

/// Marks a window that is complete.
#[derive(Component)]
pub(super) struct WindowReady;

/// On the entity of an [`EndlessTerrain`] whose first source is invalid, so that the error is reported once.
#[derive(Component)]
pub(super) struct Refused {
    asked: EndlessTerrain,
    /// Its folder of tiles, if it was loaded.
    seen: Option<TerrainTiles>,
}

/// The viewers: entities with [`TerrainViewer`], or the active cameras if there are none.
#[derive(SystemParam)]
pub(super) struct Lookers<'w, 's> {
    viewers: Query<'w, 's, &'static GlobalTransform, With<TerrainViewer>>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>,
}

type Whole<'a> = (
    Entity,
    Ref<'a, EndlessTerrain>,
    &'a GlobalTransform,
    Option<&'a mut Following>,
    Option<&'a Refused>,
    CacheOf<'a>,
);

/// Checks that there is terrain around all viewers, and generates more where it will soon be missing.
pub(super) fn follow_viewers(
    mut commands: Commands,
    mut wholes: Query<Whole>,
    lookers: Lookers,
    sources: Sources,
    windows: Windows,
) {
    for (entity, whole, transform, following, refused, cache) in &mut wholes {
        let is_touched = whole.is_changed();
        // After an error the source is not tried again until the component or its files change. Otherwise an invalid
        // recipe would be reported in each frame.
        if let Some(refused) = refused
            && (!is_touched || is_same_ground(&refused.asked, &whole))
            && !sources.have_changed(&refused.asked, refused.seen.as_ref())
        {
            continue;
        }
        match following {
            None => match sources.land(&whole, cache) {
                // Its files are still loading.
                Ok(None) => {}
                Ok(Some((land, margins))) => {
                    let mut following = Following::new(&whole, land, margins);
                    following.seen = sources.seen(&whole);
                    following.follow(&mut commands, entity, transform, &lookers, &windows);
                    let mut whole = commands.entity(entity);
                    whole.try_insert(following).try_remove::<Refused>();
                }
                Err(error) => {
                    let refused = Refused {
                        asked: (*whole).clone(),
                        seen: sources.seen(&whole),
                    };
                    commands.entity(entity).try_insert(refused);
                    tell_failure(&mut commands, entity, error);
                }
            },
            Some(mut following) => {
                // Written in each frame, and no system reacts to a change of this component.
                let following = following.bypass_change_detection();
                let is_other = is_touched && !is_same_ground(&following.asked, &whole);
                if is_other
                    || following.is_waiting
                    || sources.have_changed(&following.asked, following.seen.as_ref())
                {
                    let found = sources.land(&whole, cache);
                    following.ask_for(&mut commands, entity, &whole, found);
                    if !following.is_waiting {
                        following.seen = sources.seen(&whole);
                    }
                }
                // A shift of the origin moves the coordinate frame and not the terrain. Windows stay valid, and
                // `place_windows` updates their transforms.
                following.asked.origin = whole.origin;
                following.follow(&mut commands, entity, transform, &lookers, &windows);
            }
        }
    }
}

/// The existing windows.
#[derive(SystemParam)]
pub(super) struct Windows<'w, 's> {
    all: Query<'w, 's, Option<&'static WindowMap>, With<TerrainRegion>>,
    failed: Query<'w, 's, &'static WindowFailed>,
}

impl Windows<'_, '_> {
    fn map(&self, window: Entity) -> Option<KnownMap> {
        Some(self.all.get(window).ok()??.0.clone())
    }
}

/// Whether both describe the same terrain, apart from the origin.
fn is_same_ground(a: &EndlessTerrain, b: &EndlessTerrain) -> bool {
    a.source == b.source && a.distance.to_bits() == b.distance.to_bits()
}

/// Logs the error and triggers [`TerrainFailed`]. The terrain stays as it was.
pub(super) fn tell_failure(commands: &mut Commands, entity: Entity, error: TerrainError) {
    warn!("failed to generate an endless terrain: {error}");
    if let Ok(mut whole) = commands.get_entity(entity) {
        whole.queue_silenced(move |mut whole: EntityWorldMut| {
            whole.trigger(|entity| TerrainFailed { entity, error });
        });
    }
}

/// The largest cell coordinate of a viewer that is used. Beyond it there is no plane.
const FAR: f64 = (Plane::MAX_ORIGIN / 4) as f64;

impl Lookers<'_, '_> {
    /// The cells of all viewers. Viewers with positions that are not finite, or too far away, are left out.
    fn cells(&self, whole: &GlobalTransform, origin: I64Vec2, spacing: f32) -> Vec<I64Vec2> {
        let Some(to_ground) = to_ground(whole) else {
            return Vec::new();
        };
        let cell = |transform: &GlobalTransform| {
            let at = to_ground
                .transform_point3(transform.translation())
                .as_dvec3();
            let cell = DVec2::new(at.x, at.z) / f64::from(spacing);
            let is_somewhere =
                cell.abs().max_element() < FAR && origin.abs().max_element() < FAR as i64;
            is_somewhere.then(|| cell.floor().as_i64vec2() + origin)
        };
        if self.viewers.is_empty() {
            self.active_cameras().filter_map(cell).collect()
        } else {
            self.viewers.iter().filter_map(cell).collect()
        }
    }

    fn active_cameras(&self) -> impl Iterator<Item = &GlobalTransform> {
        let active = self.cameras.iter().filter(|(camera, _)| camera.is_active);
        active.map(|(_, transform)| transform)
    }

    fn is_anybody_there(&self) -> bool {
        !self.viewers.is_empty() || self.active_cameras().next().is_some()
    }
}

impl Following {
    fn new(whole: &EndlessTerrain, land: WindowLand, margins: Margins) -> Self {
        Self {
            asked: whole.clone(),
            land,
            margins,
            shown: Vec::new(),
            next: None,
            is_waiting: false,
            seen: None,
            told: None,
            not_before: None,
            alone_since: None,
        }
    }

    /// Switches to another source or distance once it is loaded. On an error the previous one stays in use.
    fn ask_for(
        &mut self,
        commands: &mut Commands,
        entity: Entity,
        whole: &EndlessTerrain,
        found: Result<Option<(WindowLand, Margins)>, TerrainError>,
    ) {
        self.is_waiting = matches!(found, Ok(None));
        self.not_before = None;
        match found {
            Ok(None) => return,
            Ok(Some((land, margins))) => {
                self.margins = margins;
                // The old source is kept if the new one has the same heights, because windows are compared by the
                // identity of their source. A different one would regenerate all windows, for example when only the
                // distance has changed.
                let is_same = match &whole.source {
                    EndlessSource::Recipe(_) => self.asked.source == whole.source,
                    EndlessSource::Tiles(_) => land.0.has_tiles_of(&self.land.0),
                };
                if !is_same {
                    self.land = land;
                }
            }
            Err(error) => tell_failure(commands, entity, error),
        }
        self.asked = whole.clone();
    }

    /// Starts generating other windows where the current ones do not suffice.
    fn follow(
        &mut self,
        commands: &mut Commands,
        entity: Entity,
        transform: &GlobalTransform,
        lookers: &Lookers,
        windows: &Windows,
    ) {
        // First update the lists, so that the decisions below only see windows that exist and can still be completed.
        self.forget_lost(commands, windows);
        self.leave_out_failed(commands, entity, windows);
        let spacing = self.land.0.scale().spacing;
        let viewers = &lookers.cells(transform, self.asked.origin, spacing);
        if self.is_alone_for_a_moment(lookers) {
            return;
        }
        // Work in progress continues while a weak condition holds (`will_do`: half the distance around each viewer),
        // and new work starts when a strong one fails (`suffice`: the distance and half a step). The gap between the
        // two lets viewers move while windows are generated.
        let margins = self.margins;
        if let Some(next) = &self.next
            && self.are_current(next)
            && margins.will_do(&areas(next), viewers)
        {
            return;
        }
        let begun = self.next.take().unwrap_or_default();
        let is_patient = self.not_before.is_some_and(|then| Instant::now() < then);
        let suffices =
            self.are_current(&self.shown) && margins.suffice(&areas(&self.shown), viewers);
        if is_patient || suffices {
            self.leave_unused(commands, begun, &[]);
            return;
        }
        self.not_before = None;
        // Only maps from the same source have bit-identical common cells.
        let known: Vec<KnownMap> = self
            .shown
            .iter()
            .filter(|window| window.land == self.land)
            .filter_map(|window| windows.map(window.entity))
            .collect();
        // A window with the right area may be shown already, or have been started for the list that was just discarded.
        let window = |area: CellArea| {
            let mut others = self.shown.iter().chain(&begun);
            let kept = others.find(|window| window.area == area && window.land == self.land);
            kept.cloned().unwrap_or_else(|| Window {
                entity: spawn_window(
                    commands,
                    entity,
                    &self.land,
                    area,
                    known.clone(),
                    self.asked.origin,
                ),
                area,
                land: self.land.clone(),
            })
        };
        let areas = self.margins.windows(viewers);
        let next: Vec<Window> = areas.into_iter().map(window).collect();
        self.leave_unused(commands, begun, &next);
        self.next = Some(next);
    }

    /// Whether there have been no viewers for a moment only.
    fn is_alone_for_a_moment(&mut self, lookers: &Lookers) -> bool {
        if lookers.is_anybody_there() {
            self.alone_since = None;
            return false;
        }
        self.alone_since.get_or_insert_with(Instant::now).elapsed() < PATIENCE
    }

    /// Removes windows that were despawned by other code.
    fn forget_lost(&mut self, commands: &mut Commands, windows: &Windows) {
        let lives = |window: &Window| windows.all.contains(window.entity);
        self.shown.retain(lives);
        // The remaining next windows alone would not cover all viewers.
        if let Some(next) = self.next.take_if(|next| !next.iter().all(lives)) {
            self.leave_unused(commands, next, &[]);
        }
    }

    /// Removes failed windows from the next ones, so that the others need not wait. The terrain below them stays, and
    /// they are generated again after a while.
    fn leave_out_failed(&mut self, commands: &mut Commands, entity: Entity, windows: &Windows) {
        let Some(next) = &mut self.next else { return };
        let failed: Vec<Window> = next
            .extract_if(.., |window| windows.failed.contains(window.entity))
            .collect();
        for window in failed {
            if let Ok(WindowFailed(error)) = windows.failed.get(window.entity)
                && self.told.as_ref() != Some(error)
            {
                self.told = Some(error.clone());
                tell_failure(commands, entity, error.clone());
            }
            leave(commands, window.entity);
            // The old windows in the same area stay, so the swap still happens for the other viewers.
            let old = self
                .shown
                .iter()
                .filter(|old| old.area.touches(&window.area));
            for old in old {
                if !next.contains(old) {
                    next.push(old.clone());
                }
            }
            self.not_before = Some(Instant::now() + PATIENCE);
        }
        // If all remaining windows are already shown, there is nothing to swap.
        if self.not_before.is_some() && next.iter().all(|window| self.shown.contains(window)) {
            self.next = None;
        }
    }

    /// Whether the windows were generated from the current source.
    fn are_current(&self, windows: &[Window]) -> bool {
        windows.iter().all(|window| window.land == self.land)
    }

    /// Removes windows that are neither shown nor among the next.
    fn leave_unused(
        &self,
        commands: &mut Commands,
        begun: impl IntoIterator<Item = Window>,
        next: &[Window],
    ) {
        for window in begun {
            if !self.shown.contains(&window) && !next.contains(&window) {
                leave(commands, window.entity);
            }
        }
    }
}

fn areas(windows: &[Window]) -> Vec<CellArea> {
    windows.iter().map(|window| window.area).collect()
}

/// Shows the next windows once all of them are complete and none is held, and removes the old ones.
pub(super) fn swap_windows(
    mut commands: Commands,
    mut wholes: Query<(Entity, &mut Following)>,
    ready: Query<(), With<WindowReady>>,
    held: Query<(), With<Held>>,
) {
    for (entity, mut following) in &mut wholes {
        let shown = &following.shown;
        // A window that is already shown stays shown, even if it is held now.
        let is_ready = |window: &Window| {
            let is_held = held.contains(window.entity) && !shown.contains(window);
            ready.contains(window.entity) && !is_held
        };
        let complete = following
            .next
            .as_ref()
            .is_some_and(|next| next.iter().all(is_ready));
        let following = following.bypass_change_detection();
        let Some(next) = following.next.take_if(|_| complete) else {
            continue;
        };
        // These commands run in this order at the next sync point, before anything is rendered: all new windows are
        // shown, the old ones leave, then `TerrainReady` is triggered.
        for window in &next {
            let mut window = commands.entity(window.entity);
            window.try_insert(Visibility::Inherited);
            window.try_remove::<Upcoming>();
        }
        for window in following
            .shown
            .iter()
            .filter(|window| !next.contains(window))
        {
            leave(&mut commands, window.entity);
        }
        let any = !next.is_empty();
        following.shown = next;
        // The same error is only reported again after windows have been replaced without an error.
        if following.not_before.is_none() {
            following.told = None;
        }
        if any && let Ok(mut whole) = commands.get_entity(entity) {
            whole.queue_silenced(|mut whole: EntityWorldMut| {
                whole.trigger(|entity| TerrainReady { entity });
            });
        }
    }
}

/// Marks a window as complete.
pub(super) fn note_ready(
    ready: On<TerrainReady>,
    windows: Query<(), With<TerrainRegion>>,
    mut commands: Commands,
) {
    if windows.contains(ready.entity) {
        commands.entity(ready.entity).try_insert(WindowReady);
    }
}

/// Marks a window as failed.
pub(super) fn note_failed(
    failed: On<TerrainFailed>,
    windows: Query<(), With<TerrainRegion>>,
    mut commands: Commands,
) {
    let failed_entity = failed.entity;
    if windows.contains(failed_entity) {
        let failed = WindowFailed(failed.error.clone());
        commands.entity(failed_entity).try_insert(failed);
    }
}

/// Removes the windows of an entity when its [`EndlessTerrain`] component is removed.
pub(super) fn despawn_windows(
    remove: On<Remove, EndlessTerrain>,
    windows: Query<(Entity, &TerrainRegion)>,
    mut commands: Commands,
) {
    for (entity, window) in &windows {
        if window.terrain == remove.entity {
            leave(&mut commands, entity);
        }
    }
    if let Ok(mut whole) = commands.get_entity(remove.entity) {
        whole.try_remove::<(Following, Refused, Windowed)>();
    }
}
