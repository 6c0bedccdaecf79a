//! Colliders around moving bodies, for terrains that are too large for a single collider.
//!
//! Problem: a heightfield takes five bytes per cell, and bodies are on few of the cells.
//!
//! Idea: there are collider regions around the bodies, planned like those of an
//! [`EndlessTerrain`](crate::EndlessTerrain). Bodies that are near each other share a region, because bodies trip at
//! the border between two adjacent heightfields. When a body comes near the border of its region, the next region is
//! built in the background.
//!
//! A body on terrain that has changed gets a collider in the same frame, and a teleported one in the next frame. Until
//! the planned region is ready, this is a small temporary region, which is built synchronously. So the main thread
//! builds a few thousand squares per body at most, however large a shared region is.
//!
//! Cost: 0.1 MB for one body, and some comparisons per body and frame.

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

/// A collider for a part of a terrain, on a child entity of the terrain: see [`TerrainCollider::AroundBodies`].
///
/// Regions spawn and despawn as the bodies move. To insert more components on them, such as collision groups or
/// friction, add an observer for `Add` of this component.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct TerrainColliderRegion {
    /// The entity of the [`Terrain`](crate::Terrain).
    pub terrain: Entity,
}

/// The collider regions of a terrain that has colliders around bodies. On the terrain's entity.
#[derive(Component, Default)]
pub(super) struct NearColliders {
    shown: Vec<(CellArea, Entity)>,
    next: Option<Next>,
    /// The surface that the regions were built from.
    ground: Option<Box<TerrainSurface>>,
}

/// Regions that are being built. `areas` also contains the current regions that will be kept; `made` does not.
struct Next {
    areas: Vec<CellArea>,
    made: Task<Vec<(CellArea, Colliders)>>,
}

/// A system parameter for all bodies of the physics engines that are not static.
///
/// With the feature `rapier` it includes entities with a `KinematicCharacterController` and no rigid body. Without a
/// physics engine it is empty.
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
    /// Returns the positions of the bodies in world space.
    ///
    /// Bodies whose `GlobalTransform` has not been computed yet, in the frame in which they spawn, are left out.
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

/// The position of a body. `None` if it has just been spawned, because its transform is computed at the end of the
/// frame.
fn place(transform: &Ref<GlobalTransform>) -> Option<Vec3> {
    let is_new = transform.is_added() && **transform == GlobalTransform::IDENTITY;
    (!is_new).then(|| transform.translation())
}

/// One terrain, measured in cells.
struct Land<'a> {
    entity: Entity,
    transform: GlobalTransform,
    ground: &'a TerrainSurface,
    whole: CellArea,
    margins: Margins,
    engines: Engines,
}

/// A terrain that has been generated.
type Ground<'a> = (
    Entity,
    Option<&'a TerrainCollider>,
    Ref<'a, TerrainSurface>,
    &'a GlobalTransform,
    Option<&'a mut NearColliders>,
);

/// Updates the colliders around the bodies, and despawns those without bodies. Terrains that are not shown yet have no
/// colliders.
pub(super) fn follow_bodies(
    mut commands: Commands,
    bodies: MovingBodies,
    engines: Res<Engines>,
    regions: Query<(), With<TerrainColliderRegion>>,
    mut terrains: Query<Ground, Without<Upcoming>>,
) {
    let mut places = None;
    for (entity, collider, ground, transform, near) in &mut terrains {
        let squares = collider.and_then(|collider| collider.around_bodies(&ground));
        let Some(squares) = squares else {
            if let Some(mut near) = near {
                near.put_away(&mut commands, |_| false);
                commands.entity(entity).try_remove::<NearColliders>();
            }
            continue;
        };
        let land = Land::new((entity, transform), &ground, squares, *engines);
        let cells = land.cells(transform, places.get_or_insert_with(|| bodies.places()));
        if let Some(mut near) = near {
            near.forget_lost(&regions);
            if ground.is_changed() {
                let before = near
                    .ground
                    .replace(Box::new(TerrainSurface::clone(&ground)));
                let change = before.and_then(|before| ground.change_since(&before));
                let stays = |region: &CellArea| {
                    let change = change.as_ref();
                    change
                        .is_some_and(|change| !change.areas.iter().any(|area| area.touches(region)))
                };
                if near
                    .next
                    .as_ref()
                    .is_some_and(|next| !next.areas.iter().all(stays))
                {
                    near.next = None;
                }
                near.put_away(&mut commands, stays);
            }
            near.follow(&mut commands, &land, &cells);
        } else {
            let mut near = NearColliders {
                ground: Some(Box::new(TerrainSurface::clone(&ground))),
                ..NearColliders::default()
            };
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
    fn new(
        (entity, transform): (Entity, &GlobalTransform),
        ground: &'a TerrainSurface,
        squares: f32,
        engines: Engines,
    ) -> Self {
        let whole = CellArea::of_map(ground.map().size());
        let margins = Margins::around(squares, whole);
        Self {
            entity,
            transform: *transform,
            ground,
            whole,
            margins,
            engines,
        }
    }

    /// The cells that bodies are on.
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
        // Bodies this far away are not on the terrain. The limit keeps the cell numbers in range.
        let near = |cell: &DVec2| cell.abs().max_element() < 1e6;
        cells
            .filter(near)
            .map(|cell| cell.floor().as_i64vec2())
            .collect()
    }

    fn make(&self, area: &CellArea) -> Colliders {
        make(self.ground, area, self.engines)
    }

    /// The transform of an area's center in the terrain's local space.
    fn place(&self, area: &CellArea) -> Transform {
        let spacing = f64::from(self.ground.surface().scale().spacing);
        let at = (area.middle() - self.whole.middle()) * spacing;
        Transform::from_xyz(at.x as f32, 0.0, at.y as f32)
    }
}

impl Next {
    /// Starts building those areas that are not built yet.
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

    /// Forgets regions that were despawned by other systems, so that they are rebuilt.
    fn forget_lost(&mut self, regions: &Query<(), With<TerrainColliderRegion>>) {
        self.shown.retain(|(_, region)| regions.contains(*region));
    }

    /// One step toward regions that suffice for all bodies.
    fn follow(&mut self, commands: &mut Commands, land: &Land, cells: &[I64Vec2]) {
        self.take_in_made(commands, land);
        if land.margins.suffice(&self.areas(), cells) {
            self.next = None;
        } else if self.next.is_none() {
            // Work in progress is finished even if some bodies have moved away in the meantime. If it were restarted
            // for each new body, it would never finish where bodies arrive all the time.
            let areas = land.margins.regions(cells);
            self.next = Some(Next::start(areas, &self.areas(), land));
        }
        self.fill_gaps(commands, land, cells);
    }

    /// Replaces the current regions by those built in the background.
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

    /// Builds a minimal region for each body that has no collider below it, on the main thread.
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
        let region = TerrainColliderRegion {
            terrain: land.entity,
        };
        let place = land.place(&area);
        // Bevy computes it only at the end of the frame, after the step of `rapier`, which would see the collider at
        // the origin.
        let global = land.transform.mul_transform(place);
        let mut entity = commands.spawn((region, place, global, ChildOf(land.entity)));
        entity.queue(move |mut entity: EntityWorldMut| colliders.put_in_place(&mut entity));
        self.shown.push((area, entity.id()));
    }

    /// Despawns the regions for which `stays` returns false.
    fn put_away(&mut self, commands: &mut Commands, stays: impl Fn(&CellArea) -> bool) {
        for (_, region) in self.shown.extract_if(.., |(area, _)| !stays(area)) {
            commands
                .entity(region)
                .queue_silenced(|mut region: EntityWorldMut| {
                    Colliders::take_from(&mut region);
                    region.despawn();
                });
        }
    }
}

/// Despawns the regions of terrains whose surface has been removed.
pub(super) fn despawn_orphans(
    mut commands: Commands,
    regions: Query<(Entity, &TerrainColliderRegion)>,
    terrains: Query<(), (With<TerrainSurface>, With<NearColliders>)>,
    bare: Query<Entity, (With<NearColliders>, Without<TerrainSurface>)>,
) {
    for (entity, region) in &regions {
        if !terrains.contains(region.terrain) {
            commands.entity(entity).try_despawn();
        }
    }
    for terrain in &bare {
        commands.entity(terrain).try_remove::<NearColliders>();
    }
}
