//! Windows that follow the viewers.
//!
//! Each endless terrain has two lists of windows: those that are shown, and the next ones, if other windows are needed.
//! A window whose area and land stay the same is in both lists. The next ones replace the shown ones all at once, so
//! viewers never see a mix of old and new ground.
//!
//! Invariants:
//! - A window is in one of the lists, or it is leaving. Whoever drops a window from a list calls `leave_unused` or
//!   `leave`, or else it would stay hidden forever.
//! - `shown` changes in one place only, `swap_windows`, and it loses those that somebody else despawned.
//! - `next` is discarded only when it is useless: the land is another, or a viewer is no longer inside. Work that is
//!   merely late is not restarted, since a viewer who keeps moving would then never get ground.
//!
//! ```text
//! viewers ──> do the windows suffice? ── no ──> next windows, hidden ── all ready ──> shown; the old go
//!                                               (newer work takes their place)        TerrainReady
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
    window::{TerrainWindow, Windowed},
};

/// On the whole's entity: what was asked for last, and the windows that there are.
#[derive(Component)]
pub(super) struct Following {
    pub(super) asked: EndlessTerrain,
    /// What they are made of; when that can not be, what they were made of before.
    pub(super) land: WindowLand,
    margins: Margins,
    shown: Vec<Window>,
    /// Those that will take their place, some of which may be the same.
    next: Option<Vec<Window>>,
    /// Whether something else was asked for that is not loaded yet.
    is_waiting: bool,
    /// The folder of tiles that was looked at last, whether it can be used or not.
    pub(super) seen: Option<TerrainTiles>,
    /// What was said to be wrong since the last windows came.
    told: Option<TerrainError>,
    /// What failed is not tried again before.
    not_before: Option<Instant>,
    /// Since when there has been nobody to have ground around.
    alone_since: Option<Instant>,
}

/// How long a window that could not be made is left alone, and ground when nobody is there: cameras and
/// players that are replaced may be away for some frames.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone, PartialEq)]
struct Window {
    entity: Entity,
    area: CellArea,
    land: WindowLand,
}

/// On a window's entity that is complete.
#[derive(Component)]
pub(super) struct WindowReady;

/// On the whole's entity when nothing could be made of what was asked for first: it is said once.
#[derive(Component)]
pub(super) struct Refused {
    asked: EndlessTerrain,
    /// Its folder of tiles, if it was there.
    seen: Option<TerrainTiles>,
}

/// Who needs ground: those who say so or, in a world without any, the cameras.
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

/// Looks whether there is ground around all viewers, and has more made where there soon will be none.
pub(super) fn follow_viewers(
    mut commands: Commands,
    mut wholes: Query<Whole>,
    lookers: Lookers,
    sources: Sources,
    windows: Windows,
) {
    for (entity, whole, transform, following, refused, cache) in &mut wholes {
        let is_touched = whole.is_changed();
        // Once refused, nothing is tried again until the component or its files change: a bad recipe would else be
        // reported in each frame.
        if let Some(refused) = refused
            && (!is_touched || is_same_ground(&refused.asked, &whole))
            && !sources.have_changed(&refused.asked, refused.seen.as_ref())
        {
            continue;
        }
        match following {
            None => match sources.land(&whole, cache) {
                // Its files are being loaded.
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
                // Nobody reacts to a change of this component, and it is written in each frame.
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
                // A shift of the origin moves the frame, not the ground: windows stay valid, and their places follow in
                // `place_windows`.
                following.asked.origin = whole.origin;
                following.follow(&mut commands, entity, transform, &lookers, &windows);
            }
        }
    }
}

/// The windows that there are.
#[derive(SystemParam)]
pub(super) struct Windows<'w, 's> {
    all: Query<'w, 's, Option<&'static WindowMap>, With<TerrainWindow>>,
    failed: Query<'w, 's, &'static WindowFailed>,
}

impl Windows<'_, '_> {
    fn map(&self, window: Entity) -> Option<KnownMap> {
        Some(self.all.get(window).ok()??.0.clone())
    }
}

/// Whether both ask for the same, wherever it lies.
fn is_same_ground(a: &EndlessTerrain, b: &EndlessTerrain) -> bool {
    a.source == b.source && a.distance.to_bits() == b.distance.to_bits()
}

/// The ground stays what it was, and it is said why.
pub(super) fn tell_failure(commands: &mut Commands, entity: Entity, error: TerrainError) {
    warn!("endless terrain was not made: {error}");
    if let Ok(mut whole) = commands.get_entity(entity) {
        whole.queue_silenced(move |mut whole: EntityWorldMut| {
            whole.trigger(|entity| TerrainFailed { entity, error });
        });
    }
}

/// Beyond, in cells, is nowhere: there is no plane.
const FAR: f64 = (Plane::MAX_ORIGIN / 4) as f64;

impl Lookers<'_, '_> {
    /// The cells in which viewers are; none of those that are nowhere.
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

    /// Takes up another source or distance, once it is there. When it can not be made, what there was goes on.
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
                // The old land is kept if the new one has the same heights, since windows are compared by the identity
                // of their land: another one would make all of them again, for example when only the distance changed.
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

    /// Begins to make other windows where these do not suffice.
    fn follow(
        &mut self,
        commands: &mut Commands,
        entity: Entity,
        transform: &GlobalTransform,
        lookers: &Lookers,
        windows: &Windows,
    ) {
        // First the lists are brought in line with the world, so that the decisions below see only windows that exist
        // and can still be completed.
        self.forget_lost(commands, windows);
        self.leave_out_failed(commands, entity, windows);
        let spacing = self.land.0.scale().spacing;
        let viewers = &lookers.cells(transform, self.asked.origin, spacing);
        if self.is_alone_for_a_moment(lookers) {
            return;
        }
        // Work under way goes on with a weak test (`will_do`: half the distance around each viewer), and new work begins
        // with a strong one (`suffice`: the distance and half a step). Between the two there is room for viewers to move
        // while windows are made.
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
        // Only maps of the same land agree at their common cells, to the bit.
        let known: Vec<KnownMap> = self
            .shown
            .iter()
            .filter(|window| window.land == self.land)
            .filter_map(|window| windows.map(window.entity))
            .collect();
        // A window of the right area may be shown, or have been begun for the next list that was just given up.
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

    /// Whether there is nobody, but was a moment ago.
    fn is_alone_for_a_moment(&mut self, lookers: &Lookers) -> bool {
        if lookers.is_anybody_there() {
            self.alone_since = None;
            return false;
        }
        self.alone_since.get_or_insert_with(Instant::now).elapsed() < PATIENCE
    }

    /// Windows that somebody else has despawned are no more.
    fn forget_lost(&mut self, commands: &mut Commands, windows: &Windows) {
        let lives = |window: &Window| windows.all.contains(window.entity);
        self.shown.retain(lives);
        // The others alone are not what is needed.
        if let Some(next) = self.next.take_if(|next| !next.iter().all(lives)) {
            self.leave_unused(commands, next, &[]);
        }
    }

    /// What can not be made is not waited for: where there is ground it stays, and after a while it is tried
    /// again.
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
            // The old windows below it stay in its place, so the swap still goes ahead for the other viewers.
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
        // If all that is left is shown already, there is nothing to swap.
        if self.not_before.is_some() && next.iter().all(|window| self.shown.contains(window)) {
            self.next = None;
        }
    }

    /// Whether they are of what is asked for now.
    fn are_current(&self, windows: &[Window]) -> bool {
        windows.iter().all(|window| window.land == self.land)
    }

    /// Ends the work on windows that are neither shown nor among the next.
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

/// Shows the next windows once all of them are complete and none is held, and clears away those before.
pub(super) fn swap_windows(
    mut commands: Commands,
    mut wholes: Query<(Entity, &mut Following)>,
    ready: Query<(), With<WindowReady>>,
    held: Query<(), With<Held>>,
) {
    for (entity, mut following) in &mut wholes {
        let shown = &following.shown;
        // A window that is shown stays shown, even if somebody holds it now.
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
        // Commands run in this order at the next sync point, before anything is drawn: first all new windows are shown,
        // then the old ones leave, then `TerrainReady` is triggered.
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
        // An error is reported again only after windows have come without any.
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

/// A window is complete.
pub(super) fn note_ready(
    ready: On<TerrainReady>,
    windows: Query<(), With<TerrainWindow>>,
    mut commands: Commands,
) {
    if windows.contains(ready.entity) {
        commands.entity(ready.entity).try_insert(WindowReady);
    }
}

/// A window can not be made.
pub(super) fn note_failed(
    failed: On<TerrainFailed>,
    windows: Query<(), With<TerrainWindow>>,
    mut commands: Commands,
) {
    let failed_entity = failed.entity;
    if windows.contains(failed_entity) {
        let failed = WindowFailed(failed.error.clone());
        commands.entity(failed_entity).try_insert(failed);
    }
}

/// The [`EndlessTerrain`] was taken from its entity: its windows go with it.
pub(super) fn despawn_windows(
    remove: On<Remove, EndlessTerrain>,
    windows: Query<(Entity, &TerrainWindow)>,
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
