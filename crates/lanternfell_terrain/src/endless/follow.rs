//! Regions that follow the viewers.
//!
//! Each endless terrain has two lists of regions: those that are shown, and the next ones if other regions are needed.
//! A region whose area and source stay the same is in both lists. The next ones replace the shown ones all at once, so
//! viewers never see a mix of old and new terrain.
//!
//! Invariants:
//! - A region is in one of the lists, or it is leaving. Code that drops a region from a list must call `leave_unused`
//!   or `leave`; otherwise the region would stay hidden forever.
//! - `shown` is only replaced in `swap_regions`. In addition it loses regions that were despawned by other code.
//! - `next` is discarded only if it is useless, because the source has changed or a viewer is no longer inside. Work
//!   that is merely late is not restarted, because a viewer who keeps moving would then never get terrain.
//!
//! ```text
//! viewers ──> do the regions suffice? ── no ──> next regions, hidden ── all ready ──> shown, old ones leave
//!                                               (may be replaced by newer ones)       TerrainReady
//! ```

use std::time::Duration;

use bevy::{ecs::system::SystemParam, platform::time::Instant, prelude::*};

use super::{
    edits::AppliesEdits,
    hold::Held,
    land::RegionLand,
    leave::leave,
    lookers::Lookers,
    region::{KnownMap, RegionFailed, RegionMap, spawn_region},
    sources::{CacheOf, Sources},
    {EndlessSource, EndlessTerrain},
};
use crate::{
    cells::{CellArea, Margins},
    error::TerrainError,
    file::TerrainTiles,
    ground::{Awaiting, TerrainFailed, TerrainProgress, TerrainReady, Upcoming},
    region::{Regioned, TerrainRegion},
};

/// The regions of an endless terrain, and the settings they were generated with. On the entity of the
/// [`EndlessTerrain`].
#[derive(Component)]
pub(super) struct Following {
    pub(super) asked: EndlessTerrain,
    /// The source of the regions: the one requested last, or the previous one if that failed.
    pub(super) land: RegionLand,
    margins: Margins,
    shown: Vec<Region>,
    /// The regions that will replace the shown ones. Some may be the same.
    next: Option<Vec<Region>>,
    /// Whether the next regions are only a part of what the viewers need.
    is_next_near: bool,
    /// Whether another source was requested that is still loading.
    is_waiting: bool,
    /// The folder of tiles that was checked last, whether it was valid or not.
    pub(super) seen: Option<TerrainTiles>,
    /// The last error that was reported since regions were last replaced.
    last_error: Option<TerrainError>,
    /// The time before which failed regions are not generated again.
    not_before: Option<Instant>,
    /// The time since which there have been no viewers.
    alone_since: Option<Instant>,
}

/// The time before a failed region is generated again, and for which regions stay without viewers: cameras and players
/// that are being replaced may be absent for some frames.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone, PartialEq)]
struct Region {
    entity: Entity,
    area: CellArea,
    land: RegionLand,
}

/// On a region that is complete, since this time.
#[derive(Component)]
pub(super) struct RegionReady(Instant);

/// The time for which a complete region that is not shown yet waits for its edits. Without a limit, new edits in every
/// frame would keep it hidden.
const WAIT_FOR_EDITS: Duration = Duration::from_secs(1);

/// On the entity of an [`EndlessTerrain`] whose first source is invalid, so that the error is reported once.
#[derive(Component)]
pub(super) struct Refused {
    asked: EndlessTerrain,
    /// Its folder of tiles, if it was loaded.
    seen: Option<TerrainTiles>,
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
    regions: Regions,
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
                    following.follow(&mut commands, entity, transform, &lookers, &regions);
                    let mut whole = commands.entity(entity);
                    whole.try_insert(following).try_remove::<Refused>();
                }
                Err(error) => {
                    let refused = Refused {
                        asked: (*whole).clone(),
                        seen: sources.seen(&whole),
                    };
                    commands.entity(entity).try_insert(refused);
                    report_failure(&mut commands, entity, error);
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
                // A shift of the origin moves the coordinate frame and not the terrain. Regions stay valid, and
                // `place_regions` updates their transforms.
                following.asked.origin = whole.origin;
                following.follow(&mut commands, entity, transform, &lookers, &regions);
            }
        }
    }
}

/// The existing regions.
#[derive(SystemParam)]
pub(super) struct Regions<'w, 's> {
    all: Query<'w, 's, Option<&'static RegionMap>, With<TerrainRegion>>,
    failed: Query<'w, 's, &'static RegionFailed>,
}

impl Regions<'_, '_> {
    fn map(&self, region: Entity) -> Option<KnownMap> {
        Some(self.all.get(region).ok()??.0.clone())
    }
}

/// Whether both describe the same terrain, apart from the origin.
fn is_same_ground(a: &EndlessTerrain, b: &EndlessTerrain) -> bool {
    a.source == b.source && a.distance.to_bits() == b.distance.to_bits()
}

/// Logs the error and triggers [`TerrainFailed`]. The terrain stays as it was.
pub(super) fn report_failure(commands: &mut Commands, entity: Entity, error: TerrainError) {
    warn!("failed to generate an endless terrain: {error}");
    if let Ok(mut whole) = commands.get_entity(entity) {
        whole.queue_silenced(move |mut whole: EntityWorldMut| {
            whole.trigger(|entity| TerrainFailed { entity, error });
        });
    }
}

impl Following {
    fn new(whole: &EndlessTerrain, land: RegionLand, margins: Margins) -> Self {
        Self {
            asked: whole.clone(),
            land,
            margins,
            shown: Vec::new(),
            next: None,
            is_next_near: false,
            is_waiting: false,
            seen: None,
            last_error: None,
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
        found: Result<Option<(RegionLand, Margins)>, TerrainError>,
    ) {
        self.is_waiting = matches!(found, Ok(None));
        self.not_before = None;
        match found {
            Ok(None) => return,
            Ok(Some((land, margins))) => {
                self.margins = margins;
                // The old source is kept if the new one has the same heights, because regions are compared by the
                // identity of their source. A different one would regenerate all regions, for example when only the
                // distance has changed.
                let is_same = match &whole.source {
                    EndlessSource::Recipe(_) => self.asked.source == whole.source,
                    EndlessSource::Tiles(_) => land.0.has_tiles_of(&self.land.0),
                };
                if !is_same {
                    self.land = land;
                }
            }
            Err(error) => report_failure(commands, entity, error),
        }
        self.asked = whole.clone();
    }

    /// Starts generating other regions where the current ones do not suffice.
    fn follow(
        &mut self,
        commands: &mut Commands,
        entity: Entity,
        transform: &GlobalTransform,
        lookers: &Lookers,
        regions: &Regions,
    ) {
        // First update the lists, so that the decisions below only see regions that exist and can still be completed.
        self.forget_lost(commands, regions);
        self.leave_out_failed(commands, entity, regions);
        let spacing = self.land.0.scale().spacing;
        let viewers = &lookers.cells(entity, transform, self.asked.origin, spacing);
        if self.is_alone_for_a_moment(entity, lookers) {
            return;
        }
        // Work in progress continues while a weak condition holds (`will_do`: half the distance around each viewer),
        // and new work starts when a strong one fails (`suffice`: the distance and half a step). The gap between the
        // two lets viewers move while regions are generated. For viewers without terrain, the distance is a quarter.
        let margins = self.margins;
        let near = margins.near_if_bare(&areas(&self.shown), viewers);
        if let Some(next) = &self.next
            && self.are_current(next)
            && near.unwrap_or(margins).will_do(&areas(next), viewers)
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
            .filter(|region| region.land == self.land)
            .filter_map(|region| regions.map(region.entity))
            .collect();
        // A region with the right area may be shown already, or have been started for the list that was just discarded.
        let region = |area: CellArea| {
            let mut others = self.shown.iter().chain(&begun);
            let kept = others.find(|region| region.area == area && region.land == self.land);
            kept.cloned().unwrap_or_else(|| Region {
                entity: spawn_region(
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
        let areas = margins.next_regions(viewers, &areas(&self.shown));
        self.is_next_near = !margins.suffice(&areas, viewers);
        let next: Vec<Region> = areas.into_iter().map(region).collect();
        self.leave_unused(commands, begun, &next);
        self.next = Some(next);
    }

    /// Whether there have been no viewers for a moment only.
    fn is_alone_for_a_moment(&mut self, terrain: Entity, lookers: &Lookers) -> bool {
        if lookers.is_anybody_there(terrain) {
            self.alone_since = None;
            return false;
        }
        self.alone_since.get_or_insert_with(Instant::now).elapsed() < PATIENCE
    }

    /// Removes regions that were despawned by other code.
    fn forget_lost(&mut self, commands: &mut Commands, regions: &Regions) {
        let lives = |region: &Region| regions.all.contains(region.entity);
        self.shown.retain(lives);
        // The remaining next regions alone would not cover all viewers.
        if let Some(next) = self.next.take_if(|next| !next.iter().all(lives)) {
            self.leave_unused(commands, next, &[]);
        }
    }

    /// Removes failed regions from the next ones, so that the others need not wait. The terrain below them stays, and
    /// they are generated again after a while.
    fn leave_out_failed(&mut self, commands: &mut Commands, entity: Entity, regions: &Regions) {
        let Some(next) = &mut self.next else { return };
        let failed: Vec<Region> = next
            .extract_if(.., |region| regions.failed.contains(region.entity))
            .collect();
        for region in failed {
            if let Ok(RegionFailed(error)) = regions.failed.get(region.entity)
                && self.last_error.as_ref() != Some(error)
            {
                self.last_error = Some(error.clone());
                report_failure(commands, entity, error.clone());
            }
            leave(commands, region.entity);
            // The old regions in the same area stay, so the swap still happens for the other viewers.
            let old = self
                .shown
                .iter()
                .filter(|old| old.area.touches(&region.area));
            for old in old {
                if !next.contains(old) {
                    next.push(old.clone());
                }
            }
            self.not_before = Some(Instant::now() + PATIENCE);
        }
        // If all remaining regions are already shown, there is nothing to swap.
        if self.not_before.is_some() && next.iter().all(|region| self.shown.contains(region)) {
            self.next = None;
        }
    }

    /// Whether the regions were generated from the current source.
    fn are_current(&self, regions: &[Region]) -> bool {
        regions.iter().all(|region| region.land == self.land)
    }

    /// Removes regions that are neither shown nor among the next.
    fn leave_unused(
        &self,
        commands: &mut Commands,
        begun: impl IntoIterator<Item = Region>,
        next: &[Region],
    ) {
        for region in begun {
            if !self.shown.contains(&region) && !next.contains(&region) {
                leave(commands, region.entity);
            }
        }
    }
}

fn areas(regions: &[Region]) -> Vec<CellArea> {
    regions.iter().map(|region| region.area).collect()
}

/// Shows the next regions once all of them are complete and none is held, and removes the old ones.
pub(super) fn swap_regions(
    mut commands: Commands,
    mut wholes: Query<(Entity, &mut Following), Without<AppliesEdits>>,
    ready: Query<(&RegionReady, Has<Awaiting>, Has<TerrainProgress>)>,
    held: Query<(), With<Held>>,
) {
    for (entity, mut following) in &mut wholes {
        let shown = &following.shown;
        // A region that is already shown stays shown, even if it is held now.
        let is_ready = |region: &Region| {
            let Ok((RegionReady(since), is_awaiting, is_working)) = ready.get(region.entity) else {
                return false;
            };
            let is_changing = (is_awaiting || is_working) && since.elapsed() < WAIT_FOR_EDITS;
            shown.contains(region) || !is_changing && !held.contains(region.entity)
        };
        let complete = following
            .next
            .as_ref()
            .is_some_and(|next| next.iter().all(is_ready));
        let following = following.bypass_change_detection();
        let Some(next) = following.next.take_if(|_| complete) else {
            continue;
        };
        // These commands run in this order at the next sync point, before anything is rendered: all new regions are
        // shown, the old ones leave, then `TerrainReady` is triggered.
        for region in &next {
            let mut region = commands.entity(region.entity);
            region.try_insert(Visibility::Inherited);
            region.try_remove::<Upcoming>();
        }
        for region in following
            .shown
            .iter()
            .filter(|region| !next.contains(region))
        {
            leave(&mut commands, region.entity);
        }
        // An app that waits for the event expects terrain up to the distance.
        let is_whole = !next.is_empty() && !following.is_next_near;
        following.shown = next;
        // The same error is only reported again after regions have been replaced without an error.
        if following.not_before.is_none() {
            following.last_error = None;
        }
        if is_whole && let Ok(mut whole) = commands.get_entity(entity) {
            whole.queue_silenced(|mut whole: EntityWorldMut| {
                whole.trigger(|entity| TerrainReady { entity });
            });
        }
    }
}

/// Marks a region as complete.
pub(super) fn note_ready(
    ready: On<TerrainReady>,
    regions: Query<(), With<TerrainRegion>>,
    mut commands: Commands,
) {
    if regions.contains(ready.entity) {
        commands
            .entity(ready.entity)
            .try_insert_if_new(RegionReady(Instant::now()));
    }
}

/// Marks a region as failed.
pub(super) fn note_failed(
    failed: On<TerrainFailed>,
    regions: Query<(), With<TerrainRegion>>,
    mut commands: Commands,
) {
    let failed_entity = failed.entity;
    if regions.contains(failed_entity) {
        let failed = RegionFailed(failed.error.clone());
        commands.entity(failed_entity).try_insert(failed);
    }
}

/// Removes the regions of an entity when its [`EndlessTerrain`] component is removed.
pub(super) fn despawn_regions(
    remove: On<Remove, EndlessTerrain>,
    regions: Query<(Entity, &TerrainRegion)>,
    mut commands: Commands,
) {
    for (entity, region) in &regions {
        if region.terrain == remove.entity {
            leave(&mut commands, entity);
        }
    }
    if let Ok(mut whole) = commands.get_entity(remove.entity) {
        whole.try_remove::<(Following, Refused, Regioned)>();
    }
}
