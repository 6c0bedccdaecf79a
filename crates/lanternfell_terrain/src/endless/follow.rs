//! Windows that follow the viewers.
//!
//! ```text
//! viewers ──> do the windows suffice? ── no ──> next windows, hidden ── all ready ──> shown; the old go
//!                                               (newer work takes their place)        TerrainReady
//! ```

use bevy::{math::I64Vec2, prelude::*};

use super::{
    EndlessTerrain, TerrainViewer, TerrainWindow,
    area::CellArea,
    leave::leave,
    plan::Margins,
    window::{KnownMap, WindowMap, WindowPlane, spawn_window},
};
use crate::{
    terrain::{TerrainError, TerrainFailed, TerrainReady},
    viewers::to_ground,
};

/// On the whole's entity: what was asked for last, and the windows that there are.
#[derive(Component)]
pub(super) struct Following {
    asked: EndlessTerrain,
    /// What they are made of; of a recipe without a plane that before.
    plane: WindowPlane,
    margins: Margins,
    shown: Vec<Window>,
    /// Those that will take their place, some of which may be the same.
    next: Option<Vec<Window>>,
}

#[derive(Clone, PartialEq)]
struct Window {
    entity: Entity,
    area: CellArea,
    plane: WindowPlane,
}

/// On a window's entity that is complete.
#[derive(Component)]
pub(super) struct WindowReady;

/// On the whole's entity when nothing could be made of what was asked for first: it is said once.
#[derive(Component)]
pub(super) struct Refused(EndlessTerrain);

/// Who needs ground.
type Cameras<'w, 's> = Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>;

/// Looks whether there is ground around all viewers, and has more made where there soon will be none.
pub(super) fn follow_viewers(
    mut commands: Commands,
    mut wholes: Query<(
        Entity,
        &EndlessTerrain,
        &GlobalTransform,
        Option<&mut Following>,
        Option<&Refused>,
    )>,
    viewers: Query<&GlobalTransform, With<TerrainViewer>>,
    cameras: Cameras,
    maps: Query<&WindowMap>,
) {
    for (entity, whole, transform, following, refused) in &mut wholes {
        if refused.is_some_and(|refused| is_same_ground(&refused.0, whole)) {
            continue;
        }
        let cells = |following: &Following| {
            let spacing = following.plane.0.scale().spacing;
            cells_of(whole.origin, spacing, transform, &viewers, &cameras)
        };
        match following {
            None => match Following::new(whole) {
                Ok(mut following) => {
                    let viewers = cells(&following);
                    following.follow(&mut commands, entity, &viewers, &maps);
                    commands
                        .entity(entity)
                        .try_insert(following)
                        .try_remove::<Refused>();
                }
                Err(error) => {
                    commands.entity(entity).try_insert(Refused(whole.clone()));
                    tell_failure(&mut commands, entity, error);
                }
            },
            Some(mut following) => {
                let following = following.bypass_change_detection();
                if !is_same_ground(&following.asked, whole)
                    && let Err(error) = following.ask_for(whole)
                {
                    tell_failure(&mut commands, entity, error);
                }
                following.asked.origin = whole.origin;
                let viewers = cells(following);
                following.follow(&mut commands, entity, &viewers, &maps);
            }
        }
    }
}

/// Whether both ask for the same, wherever it lies.
fn is_same_ground(a: &EndlessTerrain, b: &EndlessTerrain) -> bool {
    a.recipe == b.recipe && a.distance.to_bits() == b.distance.to_bits()
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

/// The cells of the plane in which viewers are; none of those that are nowhere.
fn cells_of(
    origin: I64Vec2,
    spacing: f32,
    whole: &GlobalTransform,
    viewers: &Query<&GlobalTransform, With<TerrainViewer>>,
    cameras: &Cameras,
) -> Vec<I64Vec2> {
    let Some(to_ground) = to_ground(whole) else {
        return Vec::new();
    };
    let cell = |transform: &GlobalTransform| {
        let at = to_ground
            .transform_point3(transform.translation())
            .as_dvec3();
        let cell = bevy::math::DVec2::new(at.x, at.z) / f64::from(spacing);
        cell.is_finite().then(|| cell.floor().as_i64vec2() + origin)
    };
    if viewers.is_empty() {
        let active = cameras.iter().filter(|(camera, _)| camera.is_active);
        active
            .filter_map(|(_, transform)| cell(transform))
            .collect()
    } else {
        viewers.iter().filter_map(cell).collect()
    }
}

impl Following {
    fn new(whole: &EndlessTerrain) -> Result<Self, TerrainError> {
        let (plane, margins) = prepare(whole)?;
        Ok(Self {
            asked: whole.clone(),
            plane,
            margins,
            shown: Vec::new(),
            next: None,
        })
    }

    /// Takes up another recipe or distance. When it can not be made, what there was goes on.
    fn ask_for(&mut self, whole: &EndlessTerrain) -> Result<(), TerrainError> {
        let recipe_is_same = self.asked.recipe == whole.recipe;
        self.asked = whole.clone();
        let (plane, margins) = prepare(whole)?;
        self.margins = margins;
        if !recipe_is_same {
            self.plane = plane;
        }
        Ok(())
    }

    /// Begins to make other windows where these do not suffice.
    fn follow(
        &mut self,
        commands: &mut Commands,
        entity: Entity,
        viewers: &[I64Vec2],
        maps: &Query<&WindowMap>,
    ) {
        let margins = self.margins;
        if let Some(next) = &self.next {
            if self.are_current(next) && margins.will_do(&areas(next), viewers) {
                return;
            }
            self.give_up(commands);
        }
        if self.are_current(&self.shown) && margins.suffice(&areas(&self.shown), viewers) {
            return;
        }
        let known: Vec<KnownMap> = self
            .shown
            .iter()
            .filter(|window| window.plane == self.plane)
            .filter_map(|window| Some(maps.get(window.entity).ok()?.0.clone()))
            .collect();
        let window = |area: CellArea| {
            let kept = self
                .shown
                .iter()
                .find(|window| window.area == area && window.plane == self.plane);
            kept.cloned().unwrap_or_else(|| Window {
                entity: spawn_window(
                    commands,
                    entity,
                    &self.plane,
                    area,
                    known.clone(),
                    self.asked.origin,
                ),
                area,
                plane: self.plane.clone(),
            })
        };
        let areas = self.margins.windows(viewers);
        self.next = Some(areas.into_iter().map(window).collect());
    }

    /// Whether they are of what is asked for now.
    fn are_current(&self, windows: &[Window]) -> bool {
        windows.iter().all(|window| window.plane == self.plane)
    }

    /// Ends the work on what would have come next.
    fn give_up(&mut self, commands: &mut Commands) {
        for window in self.next.take().into_iter().flatten() {
            if !self.shown.contains(&window) {
                commands.entity(window.entity).try_despawn();
            }
        }
    }
}

fn areas(windows: &[Window]) -> Vec<CellArea> {
    windows.iter().map(|window| window.area).collect()
}

fn prepare(whole: &EndlessTerrain) -> Result<(WindowPlane, Margins), TerrainError> {
    let plane = whole.recipe.plane()?;
    plane.scale().validate()?;
    let margins = Margins::new(whole.distance, plane.scale().spacing)?;
    Ok((WindowPlane(plane.into()), margins))
}

/// Shows the next windows once all of them are complete, and clears away those before.
pub(super) fn swap_windows(
    mut commands: Commands,
    mut wholes: Query<(Entity, &mut Following)>,
    ready: Query<&WindowReady>,
) {
    for (entity, mut following) in &mut wholes {
        let is_ready = |window: &Window| ready.contains(window.entity);
        let complete = following
            .next
            .as_ref()
            .is_some_and(|next| next.iter().all(is_ready));
        let following = following.bypass_change_detection();
        let Some(next) = following.next.take_if(|_| complete) else {
            continue;
        };
        for window in &next {
            commands
                .entity(window.entity)
                .try_insert(Visibility::Inherited);
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
    windows: Query<&TerrainWindow>,
    mut commands: Commands,
) {
    if let Ok(window) = windows.get(failed.entity) {
        tell_failure(&mut commands, window.terrain, failed.error.clone());
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
            commands.entity(entity).try_despawn();
        }
    }
    if let Ok(mut whole) = commands.get_entity(remove.entity) {
        whole.try_remove::<(Following, Refused)>();
    }
}
