//! Colliders of trunks and stones around moving bodies.
//!
//! A forest has too many trunks for a physics engine, and bodies touch few of them. So only scatter cells around moving
//! bodies have colliders. They are built in the background and despawned when no body is near.

use std::collections::BTreeSet;

use bevy::{prelude::*, tasks::AsyncComputeTaskPool};
use lanternfell_plants::grow::Solid;
use lanternfell_terrain::MovingBodies;

use crate::{
    cells::{Cells, Placed},
    clear,
    layout::VegetationLayout,
    plan::CELL,
    standing::{SolidPlant, solids_of_cell},
    systems::VegetationSystems,
    vegetation::PlantLook,
};

/// Distance in meters around a body within which colliders exist.
const NEAR: f64 = 12.0;

/// Distance in meters from the last body beyond which colliders are despawned.
const LEFT: f64 = 24.0;

/// Marker on every collider of a plant or stone: a static child of its terrain.
///
/// Colliders come and go with moving bodies. To add collision groups or friction, use an observer of `Add` for this
/// component.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct PlantCollider {
    /// The entity of the [`Terrain`](lanternfell_terrain::Terrain). On an endless terrain, the entity of the region.
    pub terrain: Entity,
    /// The kind or model of the plant.
    pub look: PlantLook,
}

/// The colliders of a terrain. Required by every [`VegetationLayout`].
#[derive(Component, Default)]
pub(crate) struct Solids(Cells<[i64; 2], SolidPlant>);

impl Solids {
    /// Whether all colliders near bodies are spawned.
    pub(crate) fn are_complete(&self) -> bool {
        self.0.are_complete()
    }
}

pub(crate) fn plugin(app: &mut App) {
    clear::remove_with_vegetation::<Solids>(app);
    // Registered here instead of with `#[require]` on `VegetationLayout`, because that module must not depend on this
    // one.
    app.register_type::<PlantCollider>()
        .register_required_components::<VegetationLayout, Solids>()
        .add_systems(PostUpdate, follow_bodies.in_set(VegetationSystems::Grow));
}

fn follow_bodies(
    mut commands: Commands,
    bodies: MovingBodies,
    // Avian colliders need Avian's plugin. Rapier colliders also work without a plugin, for direct queries.
    #[cfg(feature = "avian")] avian: Option<Res<Time<avian3d::prelude::Physics>>>,
    mut terrains: Query<(Entity, &GlobalTransform, &VegetationLayout, &mut Solids)>,
) {
    #[cfg(feature = "avian")]
    let is_avian = avian.is_some();
    #[cfg(not(feature = "avian"))]
    let is_avian = false;
    let mut places = None;
    for (terrain, transform, layout, mut solids) in &mut terrains {
        let to_land = transform.affine().inverse();
        let places = places.get_or_insert_with(|| bodies.places());
        let on_plane = places.iter().filter_map(|place| {
            let local = to_land.transform_point3(*place);
            local
                .is_finite()
                .then(|| layout.ground.on_plane(local.xz()))
        });
        // Two distances, so that a body near the limit does not spawn and despawn the same cell repeatedly.
        let (mut near, mut stays) = (BTreeSet::new(), BTreeSet::new());
        for place in on_plane {
            near.extend(cells_around(place.to_array(), NEAR));
            stays.extend(cells_around(place.to_array(), LEFT));
        }
        let near: Vec<[i64; 2]> = near.into_iter().collect();
        let cells = &mut solids.0;
        cells.keep_current(layout.revision, |cell, revision| {
            layout.is_cell_current(*cell, revision)
        });
        cells.want(&mut commands, layout.revision, &near, &stays);
        cells.go_on(
            &mut commands,
            layout.revision,
            |cell| {
                let layout = layout.clone();
                AsyncComputeTaskPool::get()
                    .spawn(async move { solids_of_cell(&layout, cell).collect() })
            },
            |commands, plant| plant.spawn(commands, terrain, is_avian),
        );
    }
}

/// The cells within `reach` meters of a position along both axes.
fn cells_around(place: [f64; 2], reach: f64) -> impl Iterator<Item = [i64; 2]> {
    let cell = |number: f64| (number / CELL).floor() as i64;
    let [first, last] = [-reach, reach].map(|by| place.map(|side| cell(side + by)));
    (first[1]..=last[1]).flat_map(move |z| (first[0]..=last[0]).map(move |x| [x, z]))
}

/// The shape depends on the scale, and a static body is not meant to move. So a collider that differs is replaced.
impl Placed for SolidPlant {
    fn is_same(&self, before: &Self) -> bool {
        self == before
    }

    fn transform(&self) -> &Transform {
        &self.place
    }
}

impl SolidPlant {
    /// Returns `None` if the shape is degenerate.
    fn spawn(&self, commands: &mut Commands, terrain: Entity, is_avian: bool) -> Option<Entity> {
        let collider = PlantCollider {
            terrain,
            look: self.look.clone(),
        };
        #[cfg(feature = "rapier")]
        let collider = (collider, for_rapier(&self.shape)?);
        #[cfg(feature = "avian")]
        let avian = if is_avian {
            Some(for_avian(&self.shape)?)
        } else {
            None
        };
        #[cfg(not(feature = "avian"))]
        let _ = is_avian;
        let entity = clear::spawn(commands, terrain, (collider, self.place));
        #[cfg(feature = "avian")]
        if let Some(avian) = avian {
            let fixed = avian3d::prelude::RigidBody::Static;
            commands.entity(entity).insert((avian, fixed));
        }
        Some(entity)
    }
}

#[cfg(feature = "rapier")]
fn for_rapier(shape: &Solid) -> Option<bevy_rapier3d::prelude::Collider> {
    use bevy_rapier3d::prelude::Collider;
    match shape {
        Solid::Cylinder { radius, height } => Some(Collider::cylinder(height / 2.0, *radius)),
        Solid::Capsule { from, to, radius } => {
            Some(Collider::capsule((*from).into(), (*to).into(), *radius))
        }
        Solid::Hull { points } => {
            let points: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
            Collider::convex_hull(&points)
        }
    }
}

#[cfg(feature = "avian")]
fn for_avian(shape: &Solid) -> Option<avian3d::prelude::Collider> {
    use avian3d::prelude::Collider;
    match shape {
        Solid::Cylinder { radius, height } => Some(Collider::cylinder(*radius, *height)),
        Solid::Capsule { from, to, radius } => Some(Collider::capsule_endpoints(
            *radius,
            (*from).into(),
            (*to).into(),
        )),
        Solid::Hull { points } => {
            let points = points.iter().copied().map(Vec3::from).collect();
            Collider::convex_hull(points)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_around_covers_cells_within_reach() {
        let near = |place, reach| cells_around(place, reach).collect::<Vec<_>>();
        assert_eq!(near([16.0, 16.0], 12.0), [[0, 0]]);
        assert_eq!(
            near([1.0, -1.0], 12.0),
            [[-1, -1], [0, -1], [-1, 0], [0, 0]]
        );
        assert_eq!(near([-40.0, 63.0], 2.0), [[-2, 1], [-2, 2]]);
    }
}
