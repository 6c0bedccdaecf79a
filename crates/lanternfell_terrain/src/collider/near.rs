//! Land around bodies, where the whole of it would be too much.
//!
//! A heightfield takes five bytes for each cell, and bodies are on few of them. So there are windows around the
//! bodies, planned as those of an [`EndlessTerrain`](crate::EndlessTerrain) are: bodies that are near each other
//! have one together, and when one comes near the border of its window the next is made in the background.
//! Heightfields beside each other would not do, since at their borders bodies trip. Who is suddenly elsewhere, or
//! on ground that has changed, has land in the same frame: a stopgap of the least size, made at once, until what
//! was planned comes from the background. So however large the windows are that bodies far apart have together,
//! a frame waits for a few thousand squares around each body at most.
//!
//! Cost: 0.1 MB for one body, and some comparisons for each body and frame.

use bevy::{
    ecs::system::SystemParam,
    math::{DVec2, I64Vec2},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_tasks::pause;

use super::{Colliders, Engines, TerrainCollider};

use crate::{
    cells::{CellArea, Margins},
    ground::{TerrainSurface, Upcoming, work::bent_heights},
    viewers::to_ground,
};

/// On a child of a terrain that has a collider for a part of its land: see
/// [`TerrainCollider::AroundBodies`]. They come and go with the bodies: what else they should have (collision
/// groups, friction) an observer of `Add` of this component gives them.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct TerrainColliderWindow {
    /// The entity of the [`Terrain`](crate::Terrain).
    pub terrain: Entity,
}

/// On a terrain whose colliders are around bodies.
#[derive(Component, Default)]
pub(super) struct NearColliders {
    shown: Vec<(CellArea, Entity)>,
    next: Option<Next>,
}

/// Windows that are being made: those that stay are not among `made`.
struct Next {
    areas: Vec<CellArea>,
    made: Task<Vec<(CellArea, Colliders)>>,
}

/// All bodies of the physics engines that are not fixed: for what is needed only around those that may move.
///
/// With the feature `rapier` also those characters of its controller that have no body; without any engine there are
/// none.
#[derive(SystemParam)]
pub struct MovingBodies<'w, 's> {
    #[cfg(feature = "avian")]
    avian: Query<
        'w,
        's,
        (
            Ref<'static, GlobalTransform>,
            &'static avian3d::prelude::RigidBody,
        ),
    >,
    #[cfg(feature = "rapier")]
    rapier: Query<
        'w,
        's,
        (
            Ref<'static, GlobalTransform>,
            &'static bevy_rapier3d::prelude::RigidBody,
        ),
    >,
    #[cfg(feature = "rapier")]
    characters: Query<
        'w,
        's,
        Ref<'static, GlobalTransform>,
        (
            With<bevy_rapier3d::prelude::KinematicCharacterController>,
            Without<bevy_rapier3d::prelude::RigidBody>,
        ),
    >,
    #[cfg(not(any(feature = "avian", feature = "rapier")))]
    none: Query<'w, 's, Ref<'static, GlobalTransform>, With<NearColliders>>,
}

impl MovingBodies<'_, '_> {
    /// Where they are in the world; those whose place is not known yet, in the frame in which they come, are left out.
    pub fn places(&self) -> Vec<Vec3> {
        let mut places = Vec::new();
        #[cfg(feature = "avian")]
        {
            use avian3d::prelude::RigidBody;
            let moving = self.avian.iter();
            let moving = moving.filter(|(_, body)| !matches!(body, RigidBody::Static));
            places.extend(moving.filter_map(|(transform, _)| place(&transform)));
        }
        #[cfg(feature = "rapier")]
        {
            use bevy_rapier3d::prelude::RigidBody;
            let moving = self.rapier.iter();
            let moving = moving.filter(|(_, body)| !matches!(body, RigidBody::Fixed));
            places.extend(moving.filter_map(|(transform, _)| place(&transform)));
            let characters = self.characters.iter();
            places.extend(characters.filter_map(|transform| place(&transform)));
        }
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        places.extend(
            self.none
                .iter()
                .take(0)
                .filter_map(|transform| place(&transform)),
        );
        places
    }
}

/// Where a body is, if that is known: of one that has just come it is at the end of the frame.
fn place(transform: &Ref<GlobalTransform>) -> Option<Vec3> {
    let is_new = transform.is_added() && **transform == GlobalTransform::IDENTITY;
    (!is_new).then(|| transform.translation())
}

/// The land of one terrain, in cells.
struct Land<'a> {
    entity: Entity,
    ground: &'a TerrainSurface,
    whole: CellArea,
    margins: Margins,
    engines: Engines,
}

/// A terrain with ground that is its own.
type Ground<'a> = (
    Entity,
    &'a TerrainCollider,
    Ref<'a, TerrainSurface>,
    &'a GlobalTransform,
    Option<&'a mut NearColliders>,
);

/// Keeps land around the bodies, and puts it away where they are no more. What is not shown yet nobody meets.
pub(super) fn follow_bodies(
    mut commands: Commands,
    bodies: MovingBodies,
    engines: Res<Engines>,
    windows: Query<(), With<TerrainColliderWindow>>,
    mut terrains: Query<Ground, Without<Upcoming>>,
) {
    let mut places = None;
    for (entity, collider, ground, transform, near) in &mut terrains {
        let Some(squares) = collider.around_bodies(&ground) else {
            if let Some(mut near) = near {
                near.put_away(&mut commands, |_| false);
                commands.entity(entity).try_remove::<NearColliders>();
            }
            continue;
        };
        let land = Land::new(entity, &ground, squares, *engines);
        let cells = land.cells(transform, places.get_or_insert_with(|| bodies.places()));
        if let Some(mut near) = near {
            near.forget_lost(&windows);
            if ground.is_changed() {
                near.next = None;
                near.put_away(&mut commands, |_| false);
            }
            near.follow(&mut commands, &land, &cells);
        } else {
            let mut near = NearColliders::default();
            near.follow(&mut commands, &land, &cells);
            commands.entity(entity).try_insert(near);
        }
    }
}

fn make(ground: &TerrainSurface, area: &CellArea, engines: Engines) -> Colliders {
    let heights = bent_heights(ground.map(), area);
    Colliders::new(&ground.surface(), area, heights, engines)
}

impl<'a> Land<'a> {
    fn new(entity: Entity, ground: &'a TerrainSurface, squares: f32, engines: Engines) -> Self {
        let whole = CellArea::of_map(ground.map().size());
        let margins = Margins::around(squares, whole);
        Self {
            entity,
            ground,
            whole,
            margins,
            engines,
        }
    }

    /// The cells at which bodies are.
    fn cells(&self, transform: &GlobalTransform, places: &[Vec3]) -> Vec<I64Vec2> {
        let Some(to_land) = to_ground(transform) else {
            return Vec::new();
        };
        let spacing = f64::from(self.ground.surface().scale().spacing);
        let middle = self.whole.middle();
        let cells = places.iter().map(|place| {
            let at = to_land.transform_point3(*place).as_dvec3();
            DVec2::new(at.x, at.z) / spacing + middle
        });
        // A little beyond the border there is nobody either.
        let near = |cell: &DVec2| cell.abs().max_element() < 1e6;
        cells
            .filter(near)
            .map(|cell| cell.floor().as_i64vec2())
            .collect()
    }

    fn make(&self, area: &CellArea) -> Colliders {
        make(self.ground, area, self.engines)
    }

    /// The middle of an area in the terrain's own frame.
    fn place(&self, area: &CellArea) -> Transform {
        let spacing = f64::from(self.ground.surface().scale().spacing);
        let at = (area.middle() - self.whole.middle()) * spacing;
        Transform::from_xyz(at.x as f32, 0.0, at.y as f32)
    }
}

impl Next {
    /// Begins to make those areas that are not shown.
    fn start(areas: Vec<CellArea>, shown: &[CellArea], land: &Land) -> Self {
        let missing: Vec<CellArea> = areas
            .iter()
            .filter(|area| !shown.contains(area))
            .copied()
            .collect();
        let (ground, engines) = (land.ground.clone(), land.engines);
        let made = AsyncComputeTaskPool::get().spawn(async move {
            let mut made = Vec::with_capacity(missing.len());
            for area in missing {
                pause().await;
                made.push((area, make(&ground, &area, engines)));
            }
            made
        });
        Self { areas, made }
    }
}

impl NearColliders {
    fn areas(&self) -> Vec<CellArea> {
        self.shown.iter().map(|(area, _)| *area).collect()
    }

    /// Somebody may have despawned a window: then it is made again.
    fn forget_lost(&mut self, windows: &Query<(), With<TerrainColliderWindow>>) {
        self.shown.retain(|(_, window)| windows.contains(*window));
    }

    /// One step on the way to windows that suffice for all bodies.
    fn follow(&mut self, commands: &mut Commands, land: &Land, cells: &[I64Vec2]) {
        self.take_in_made(commands, land);
        if land.margins.suffice(&self.areas(), cells) {
            self.next = None;
        } else if self.next.is_none() {
            // What is begun is ended, even if some have gone elsewhere meanwhile: were it begun anew with each
            // body that comes, it would not end where they come all the time.
            let areas = land.margins.windows(cells);
            self.next = Some(Next::start(areas, &self.areas(), land));
        }
        self.fill_gaps(commands, land, cells);
    }

    /// Shows what the background has made, in the place of what was there.
    fn take_in_made(&mut self, commands: &mut Commands, land: &Land) {
        let made = self.next.as_mut();
        let Some(made) = made.and_then(|next| check_ready(&mut next.made)) else {
            return;
        };
        let areas = self.next.take().map_or_else(Vec::new, |next| next.areas);
        self.put_away(commands, |area| areas.contains(area));
        for (area, colliders) in made {
            self.show(commands, land, area, colliders);
        }
    }

    /// Gives every body that has no land below it some of the least size, at once.
    fn fill_gaps(&mut self, commands: &mut Commands, land: &Land, cells: &[I64Vec2]) {
        let mut areas = self.areas();
        for &cell in cells {
            if !land.margins.will_do(&areas, &[cell])
                && let Some(area) = land.margins.least(cell)
            {
                areas.push(area);
                self.show(commands, land, area, land.make(&area));
            }
        }
    }

    fn show(&mut self, commands: &mut Commands, land: &Land, area: CellArea, colliders: Colliders) {
        let window = TerrainColliderWindow {
            terrain: land.entity,
        };
        let mut entity = commands.spawn((window, land.place(&area), ChildOf(land.entity)));
        entity.queue(move |mut entity: EntityWorldMut| colliders.put_in_place(&mut entity));
        self.shown.push((area, entity.id()));
    }

    /// Despawns those that are not to stay.
    fn put_away(&mut self, commands: &mut Commands, stays: impl Fn(&CellArea) -> bool) {
        for (_, window) in self.shown.extract_if(.., |(area, _)| !stays(area)) {
            commands
                .entity(window)
                .queue_silenced(|mut window: EntityWorldMut| {
                    Colliders::take_from(&mut window);
                    window.despawn();
                });
        }
    }
}

/// The ground was taken from a terrain: what was around bodies goes with it.
pub(super) fn despawn_orphans(
    mut commands: Commands,
    windows: Query<(Entity, &TerrainColliderWindow)>,
    terrains: Query<(), (With<TerrainSurface>, With<NearColliders>)>,
    bare: Query<Entity, (With<NearColliders>, Without<TerrainSurface>)>,
) {
    for (entity, window) in &windows {
        if !terrains.contains(window.terrain) {
            commands.entity(entity).try_despawn();
        }
    }
    for terrain in &bare {
        commands.entity(terrain).try_remove::<NearColliders>();
    }
}
