//! Land around bodies, where the whole of it would be too much.
//!
//! A heightfield takes five bytes for each cell, and bodies are on few of them. So there are windows around the
//! bodies, planned as those of an [`EndlessTerrain`](crate::EndlessTerrain) are: bodies that are near each other
//! have one together, and when one comes near the border of its window the next is made in the background.
//! Heightfields beside each other would not do, since at their borders bodies trip. Who is suddenly elsewhere has
//! land in the same frame: then it is made at once, as it is when the ground changes below them.
//!
//! Cost: 0.1 MB for one body, and some comparisons for each body and frame.

use bevy::{
    ecs::system::SystemParam,
    math::{DVec2, I64Vec2},
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};

use super::{Colliders, Engines, TerrainCollider, bent_heights};
use crate::{
    background::pause,
    endless::{CellArea, Margins},
    surface::TerrainSurface,
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

/// All that is not fixed: whatever of the engines may move.
#[derive(SystemParam)]
pub(super) struct Bodies<'w, 's> {
    #[cfg(feature = "avian")]
    avian: Query<
        'w,
        's,
        (
            &'static GlobalTransform,
            &'static avian3d::prelude::RigidBody,
        ),
    >,
    #[cfg(feature = "rapier")]
    rapier: Query<
        'w,
        's,
        (
            &'static GlobalTransform,
            &'static bevy_rapier3d::prelude::RigidBody,
        ),
    >,
    #[cfg(feature = "rapier")]
    characters: Query<
        'w,
        's,
        &'static GlobalTransform,
        (
            With<bevy_rapier3d::prelude::KinematicCharacterController>,
            Without<bevy_rapier3d::prelude::RigidBody>,
        ),
    >,
    #[cfg(not(any(feature = "avian", feature = "rapier")))]
    none: Query<'w, 's, &'static GlobalTransform, With<NearColliders>>,
}

impl Bodies<'_, '_> {
    fn all(&self) -> Vec<Vec3> {
        let mut places = Vec::new();
        #[cfg(feature = "avian")]
        places.extend(
            self.avian
                .iter()
                .filter(|(_, body)| !matches!(body, avian3d::prelude::RigidBody::Static))
                .map(|(transform, _)| transform.translation()),
        );
        #[cfg(feature = "rapier")]
        {
            use bevy_rapier3d::prelude::RigidBody;
            let moving = self.rapier.iter();
            let moving = moving.filter(|(_, body)| !matches!(body, RigidBody::Fixed));
            places.extend(moving.map(|(transform, _)| transform.translation()));
            places.extend(self.characters.iter().map(GlobalTransform::translation));
        }
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        places.extend(self.none.iter().take(0).map(GlobalTransform::translation));
        places
    }
}

/// The land of one terrain, in cells.
struct Land<'a> {
    entity: Entity,
    ground: &'a TerrainSurface,
    whole: CellArea,
    margins: Margins,
    engines: Engines,
}

/// Keeps land around the bodies, and puts it away where they are no more.
pub(super) fn follow_bodies(
    mut commands: Commands,
    bodies: Bodies,
    engines: Res<Engines>,
    mut terrains: Query<(
        Entity,
        &TerrainCollider,
        Ref<TerrainSurface>,
        &GlobalTransform,
        Option<&mut NearColliders>,
    )>,
) {
    let mut places = None;
    for (entity, collider, ground, transform, near) in &mut terrains {
        let squares = collider.around_bodies(&ground);
        match (squares, near) {
            (None, None) => {}
            (None, Some(mut near)) => {
                near.put_away(&mut commands, |_| false);
                commands.entity(entity).try_remove::<NearColliders>();
            }
            (Some(_), None) => {
                commands.entity(entity).try_insert(NearColliders::default());
            }
            (Some(squares), Some(mut near)) => {
                let land = Land::new(entity, &ground, squares, *engines);
                let places = places.get_or_insert_with(|| bodies.all());
                let cells = land.cells(transform, places);
                if ground.is_changed() {
                    near.replace_all(&mut commands, &land, &cells);
                } else {
                    near.follow(&mut commands, &land, &cells);
                }
            }
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

impl NearColliders {
    fn areas(&self) -> Vec<CellArea> {
        self.shown.iter().map(|(area, _)| *area).collect()
    }

    /// The ground is another: all of it is made at once, as it was put in place at once.
    fn replace_all(&mut self, commands: &mut Commands, land: &Land, cells: &[I64Vec2]) {
        self.next = None;
        self.put_away(commands, |_| false);
        for area in land.margins.windows(cells) {
            self.show(commands, land, area, land.make(&area));
        }
    }

    fn follow(&mut self, commands: &mut Commands, land: &Land, cells: &[I64Vec2]) {
        let shown = self.areas();
        if let Some(next) = &mut self.next {
            if let Some(made) = check_ready(&mut next.made) {
                let areas = std::mem::take(&mut next.areas);
                self.next = None;
                if land.margins.will_do(&areas, cells) {
                    self.put_away(commands, |area| areas.contains(area));
                    for (area, colliders) in made {
                        self.show(commands, land, area, colliders);
                    }
                    return;
                }
            } else if land.margins.will_do(&next.areas, cells)
                && land.margins.will_do(&shown, cells)
            {
                return;
            }
        }
        if land.margins.suffice(&shown, cells) {
            self.next = None;
            return;
        }
        let areas = land.margins.windows(cells);
        let missing: Vec<CellArea> = areas
            .iter()
            .filter(|area| !shown.contains(area))
            .copied()
            .collect();
        if land.margins.will_do(&shown, cells) {
            let (ground, engines) = (land.ground.clone(), land.engines);
            let made = AsyncComputeTaskPool::get().spawn(async move {
                let mut made = Vec::with_capacity(missing.len());
                for area in missing {
                    pause().await;
                    made.push((area, make(&ground, &area, engines)));
                }
                made
            });
            self.next = Some(Next { areas, made });
        } else {
            self.next = None;
            self.put_away(commands, |area| areas.contains(area));
            for area in missing {
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
