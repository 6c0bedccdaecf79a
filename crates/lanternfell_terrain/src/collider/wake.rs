//! Wakes the bodies of `avian` that sleep on terrain that changes.
//!
//! Problem: `avian` does not wake a sleeping body when the static collider below it changes, moves or disappears
//! (<https://github.com/avianphysics/avian/issues/654>). The body then hangs in the air. `rapier` wakes it.
//!
//! Idea: there are three ways in which a collider of a terrain changes, and each of them wakes the bodies in reach:
//!
//! - [`over_changes`]: the heightfield is replaced. Only the squares that differ count, so that digging a hole does not
//!   wake every body on the terrain.
//! - [`on_discard`]: the collider is removed, or its entity is despawned.
//! - [`on_moved`]: the collider is new, or its transform changes.
//!
//! `avian` wakes all bodies that are connected by contacts or joints together, so a stack falls as a whole. A body that
//! is woken without need falls asleep again after half a second.
//!
//! Cost: each change visits all colliders of the world, and the squares below those of sleeping bodies.

use avian3d::{
    dynamics::solver::islands::WakeBody,
    parry::shape::HeightField,
    prelude::{Collider, ColliderAabb, ColliderOf, Sleeping},
};
use bevy::{
    ecs::system::{SystemParam, SystemState},
    math::{
        Affine3A,
        bounding::{Aabb3d, IntersectsVolume},
    },
    prelude::*,
};

use crate::viewers::to_ground;

/// Marks a collider that this crate inserted, with the transform for which bodies were last woken.
#[derive(Component, Default)]
pub(super) struct OwnCollider(Option<GlobalTransform>);

/// The distance in meters from which a body counts as touching the terrain. Larger than the contact margins of the
/// engine.
const MARGIN: f32 = 0.1;

pub(super) fn plugin(app: &mut App) {
    app.add_observer(on_discard)
        .add_systems(PostUpdate, on_moved.after(TransformSystems::Propagate));
}

/// The sleeping bodies.
#[derive(SystemParam)]
struct Sleepers<'w, 's> {
    colliders: Query<'w, 's, (&'static ColliderOf, &'static ColliderAabb)>,
    sleeping: Query<'w, 's, (), With<Sleeping>>,
    commands: Commands<'w, 's>,
}

impl Sleepers<'_, '_> {
    /// Wakes the bodies with a collider for whose bounding box in world space `touches` returns true.
    fn wake(&mut self, touches: impl Fn(&Aabb3d) -> bool) {
        for (of, bounds) in &self.colliders {
            let bounds = Aabb3d {
                min: (bounds.min - MARGIN).into(),
                max: (bounds.max + MARGIN).into(),
            };
            if self.sleeping.contains(of.body) && touches(&bounds) {
                self.commands.queue_silenced(WakeBody(of.body));
            }
        }
    }
}

/// Wakes the bodies on the part of a terrain where the shape of its collider differs. For colliders of this crate.
pub(super) fn over_changes(terrain: &mut EntityWorldMut, old: &Collider, new: &Collider) {
    let fields = [old, new].map(|collider| collider.shape().as_heightfield());
    let transform = terrain.get::<GlobalTransform>();
    let ([Some(old), Some(new)], Some(to_land)) = (fields, transform.and_then(to_ground)) else {
        return;
    };
    terrain.world_scope(|world| {
        let mut state = SystemState::<Sleepers>::new(world);
        if let Ok(mut sleepers) = state.get_mut(world) {
            sleepers.wake(|bounds| differ(old, new, &transformed(bounds, to_land)));
        }
        state.apply(world);
    });
}

fn on_discard(
    discard: On<Discard, Collider>,
    terrains: Query<(&Collider, &GlobalTransform), With<OwnCollider>>,
    mut sleepers: Sleepers,
) {
    if let Ok((collider, transform)) = terrains.get(discard.entity) {
        sleepers.wake(|bounds| is_within_reach(collider, transform, bounds));
    }
}

type Moved = Or<(Changed<GlobalTransform>, Added<OwnCollider>)>;

fn on_moved(
    mut terrains: Query<(&mut OwnCollider, &Collider, &GlobalTransform), Moved>,
    mut sleepers: Sleepers,
) {
    for (mut own, collider, now) in &mut terrains {
        if own.0.as_ref() == Some(now) {
            continue;
        }
        let before = own.0.replace(*now);
        sleepers.wake(|bounds| {
            before.is_some_and(|before| is_within_reach(collider, &before, bounds))
                || is_within_reach(collider, now, bounds)
        });
    }
}

/// Whether a bounding box in world space overlaps that of a collider with this transform.
fn is_within_reach(collider: &Collider, transform: &GlobalTransform, bounds: &Aabb3d) -> bool {
    let own = collider.shape().compute_local_aabb();
    let own = Aabb3d {
        min: own.mins.into(),
        max: own.maxs.into(),
    };
    transformed(&own, transform.affine()).intersects(bounds)
}

/// The bounding box of a transformed box.
fn transformed(bounds: &Aabb3d, by: Affine3A) -> Aabb3d {
    let center = by.transform_point3a((bounds.min + bounds.max) / 2.0);
    let half = by.matrix3.abs() * ((bounds.max - bounds.min) / 2.0);
    Aabb3d {
        min: center - half,
        max: center + half,
    }
}

/// Whether any square of two heightfields that is below or above `bounds` differs. `bounds` is in the space of the
/// heightfields.
fn differ(old: &HeightField, new: &HeightField, bounds: &Aabb3d) -> bool {
    if old.num_cells_ij() != new.num_cells_ij() || old.scale() != new.scale() {
        return [old, new].iter().any(|field| {
            let half = field.scale() / 2.0;
            [(0, half.x), (2, half.z)]
                .iter()
                .all(|&(axis, half)| bounds.min[axis] <= half && bounds.max[axis] >= -half)
        });
    }
    let (rows, columns) = new.num_cells_ij();
    // The squares between two coordinates along an axis with `count` squares.
    let squares = |low: f32, high: f32, extent: f32, count: usize| {
        let at = |place: f32| (place / extent + 0.5) * count as f32;
        let first = at(low).floor().clamp(0.0, count as f32) as usize;
        let last = at(high).ceil().clamp(0.0, count as f32) as usize;
        first..last
    };
    let size = new.scale();
    let [min, max] = [bounds.min, bounds.max];
    squares(min.z, max.z, size.z, rows).any(|row| {
        squares(min.x, max.x, size.x, columns).any(|column| {
            let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
            old.cell_status(row, column) != new.cell_status(row, column)
                || corners.iter().any(|(down, right)| {
                    let at = (row + down, column + right);
                    old.heights()[at].to_bits() != new.heights()[at].to_bits()
                })
        })
    })
}
