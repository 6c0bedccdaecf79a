//! Restores contacts with the terrain that `parry` loses.
//!
//! Problem: if a sphere (or the end of a capsule) is almost exactly above the edge between two triangles, `parry` (0.27
//! to 0.30) finds no contact with either of them. It limits the contact normal to those that each triangle allows, and
//! drops a contact with a changed normal if, due to a rounding error, its point is inside neither triangle. Without a
//! contact the body falls for one step, 2.7 mm in 1/60 s, and is thrown back up afterward.
//!
//! Idea: if a triangle has no contact with such a sphere, compute it from the point of the triangle nearest to the
//! sphere. This is a contact if the line from there along the allowed normal passes the center of the sphere within a
//! small tolerance. Of the two triangles at an edge, one or both get the contact, and it is the same for both.
//!
//! ```text
//!           o   the center of the sphere
//!           |   the normal that the triangles allow
//!        ___|____
//!     __/   ^    the nearest point: on the edge, almost at the foot of the normal
//! ```
//!
//! The engine uses this code through `parry`'s extension point: a query dispatcher that is chained before the default
//! one. It is installed when a [`RapierContextSimulation`] is spawned.

use bevy::prelude::*;
use bevy_rapier3d::{
    parry::{
        math::{Pose, Vector},
        query::{
            ClosestPoints, Contact, ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion,
            PersistentQueryDispatcher, PointQuery, QueryDispatcher, ShapeCastHit, ShapeCastOptions,
            TrackedContact, Unsupported,
            details::{
                ContactManifoldsWorkspace, NormalConstraints,
                contact_manifolds_heightfield_composite_shape, contact_manifolds_heightfield_shape,
            },
        },
        shape::{PackedFeatureId, Shape, ShapeType, Triangle},
    },
    prelude::RapierContextSimulation,
    rapier::geometry::NarrowPhase,
};

/// The distance by which the normal may miss the center of the sphere, as a fraction of its radius. Rounding errors are
/// some 1e-7, but the slight bending of flat terrain turns the allowed normals by 1e-4.
const TOLERANCE: f32 = 1e-3;

/// Installs the dispatcher in each physics context.
pub(super) fn keep_contacts(
    added: On<Add, RapierContextSimulation>,
    mut contexts: Query<&mut RapierContextSimulation>,
) {
    if let Ok(mut context) = contexts.get_mut(added.entity) {
        context.narrow_phase =
            NarrowPhase::with_query_dispatcher(LandDispatcher.chain(DefaultQueryDispatcher));
    }
}

/// Handles contacts between heightfields and balls, capsules and compounds. Returns [`Unsupported`] for everything
/// else, so that the next dispatcher handles it.
struct LandDispatcher;

impl<ManifoldData, ContactData> PersistentQueryDispatcher<ManifoldData, ContactData>
    for LandDispatcher
where
    ManifoldData: Default + Clone,
    ContactData: Default + Copy,
{
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        first: &dyn Shape,
        second: &dyn Shape,
        prediction: f32,
        manifolds: &mut Vec<ContactManifold<ManifoldData, ContactData>>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        // `parry` only has functions for a heightfield as the first shape. `flipped` means that the shapes were
        // exchanged.
        let pos21 = pos12.inverse();
        let (land, other, [to_other, to_land], flipped) =
            match (first.as_heightfield(), second.as_heightfield()) {
                (Some(land), None) => (land, second, [pos12, &pos21], false),
                (None, Some(land)) => (land, first, [&pos21, pos12], true),
                _ => return Err(Unsupported),
            };
        // These two functions call back `contact_manifold_convex_convex` below for each triangle, because they get
        // `self`.
        match (other.shape_type(), other.as_composite_shape()) {
            (ShapeType::Ball | ShapeType::Capsule, _) => contact_manifolds_heightfield_shape(
                self, to_other, land, other, prediction, manifolds, workspace, flipped,
            ),
            (ShapeType::Compound, Some(parts)) => contact_manifolds_heightfield_composite_shape(
                self, to_other, to_land, land, parts, prediction, manifolds, workspace, flipped,
            ),
            _ => return Err(Unsupported),
        }
        Ok(())
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        first: &dyn Shape,
        second: &dyn Shape,
        constraints1: Option<&dyn NormalConstraints>,
        constraints2: Option<&dyn NormalConstraints>,
        prediction: f32,
        manifold: &mut ContactManifold<ManifoldData, ContactData>,
    ) -> Result<(), Unsupported> {
        // The contact data contains the solver's impulses, which are needed for warm starting. The default dispatcher
        // clears the points if it finds none.
        let before = manifold.points.first().map(|point| point.data);
        DefaultQueryDispatcher.contact_manifold_convex_convex(
            pos12,
            first,
            second,
            constraints1,
            constraints2,
            prediction,
            manifold,
        )?;
        // Only lost contacts are restored. All others keep `parry`'s result bit for bit.
        if manifold.points.iter().any(|point| point.dist <= prediction) {
            return Ok(());
        }
        let touch = match (first.as_triangle(), second.as_triangle()) {
            (Some(triangle), None) => {
                Touch::find(triangle, constraints1, second, pos12, prediction).map(|it| (it, false))
            }
            (None, Some(triangle)) => {
                let to_first = pos12.inverse();
                Touch::find(triangle, constraints2, first, &to_first, prediction)
                    .map(|it| (it, true))
            }
            _ => None,
        };
        if let Some((touch, flipped)) = touch {
            touch.put_into(manifold, before, flipped);
        }
        Ok(())
    }
}

/// A contact between a sphere of a body and a triangle. Points and normals are in the local space of each shape.
struct Touch {
    point_of_land: Vector,
    point_of_body: Vector,
    normal_of_land: Vector,
    normal_of_body: Vector,
    /// The distance between the points along the normal, negative if they penetrate.
    distance: f32,
}

impl Touch {
    /// Returns the contact of the body's sphere that is deepest, or `None`.
    fn find(
        triangle: &Triangle,
        constraints: Option<&dyn NormalConstraints>,
        body: &dyn Shape,
        to_body: &Pose,
        prediction: f32,
    ) -> Option<Self> {
        let near = |middle, radius| {
            Self::of_sphere(triangle, constraints, middle, radius, to_body, prediction)
        };
        if let Some(ball) = body.as_ball() {
            return near(Vector::ZERO, ball.radius);
        }
        let capsule = body.as_capsule()?;
        let [a, b] = [capsule.segment.a, capsule.segment.b].map(|end| near(end, capsule.radius));
        match (a, b) {
            (Some(a), Some(b)) => Some(if a.distance <= b.distance { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// `None` if the sphere is farther than `prediction` from the triangle, or above another triangle.
    fn of_sphere(
        triangle: &Triangle,
        constraints: Option<&dyn NormalConstraints>,
        middle: Vector,
        radius: f32,
        to_body: &Pose,
        prediction: f32,
    ) -> Option<Self> {
        let over_land = to_body.transform_point(middle);
        let point_of_land = triangle.project_local_point(over_land, false).point;
        let to_middle = over_land - point_of_land;
        if to_middle.length_squared() > (radius + prediction).powi(2) {
            return None;
        }
        let mut normal_of_land = to_middle.try_normalize()?;
        if constraints.is_some_and(|held| !held.project_local_normal_mut(&mut normal_of_land)) {
            return None;
        }
        // The constraints may have turned the normal away from the center of the sphere. `height` is the distance along
        // the turned normal and `miss` the remaining offset, which is large if the sphere is above another triangle.
        let height = to_middle.dot(normal_of_land);
        let miss = to_middle - height * normal_of_land;
        if height <= 0.0 || miss.length_squared() > (TOLERANCE * radius).powi(2) {
            return None;
        }
        let normal_of_body = to_body.rotation.inverse() * -normal_of_land;
        Some(Self {
            point_of_land,
            point_of_body: middle + radius * normal_of_body,
            normal_of_land,
            normal_of_body,
            distance: height - radius,
        })
    }

    /// Adds this contact to the manifold. It continues with the impulses that the first contact had `before`.
    fn put_into<ManifoldData, ContactData: Default + Copy>(
        self,
        manifold: &mut ContactManifold<ManifoldData, ContactData>,
        before: Option<ContactData>,
        flipped: bool,
    ) {
        let mut contact = TrackedContact::flipped(
            self.point_of_land,
            self.point_of_body,
            PackedFeatureId::UNKNOWN,
            PackedFeatureId::UNKNOWN,
            self.distance,
            flipped,
        );
        contact.data = before.unwrap_or_default();
        manifold.points.push(contact);
        let normals = [self.normal_of_land, self.normal_of_body];
        [manifold.local_n1, manifold.local_n2] = if flipped {
            [normals[1], normals[0]]
        } else {
            normals
        };
    }
}

/// All other queries are left to the default dispatcher.
impl QueryDispatcher for LandDispatcher {
    fn intersection_test(
        &self,
        _pos12: &Pose,
        _first: &dyn Shape,
        _second: &dyn Shape,
    ) -> Result<bool, Unsupported> {
        Err(Unsupported)
    }

    fn distance(
        &self,
        _pos12: &Pose,
        _first: &dyn Shape,
        _second: &dyn Shape,
    ) -> Result<f32, Unsupported> {
        Err(Unsupported)
    }

    fn contact(
        &self,
        _pos12: &Pose,
        _first: &dyn Shape,
        _second: &dyn Shape,
        _prediction: f32,
    ) -> Result<Option<Contact>, Unsupported> {
        Err(Unsupported)
    }

    fn closest_points(
        &self,
        _pos12: &Pose,
        _first: &dyn Shape,
        _second: &dyn Shape,
        _max_distance: f32,
    ) -> Result<ClosestPoints, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes(
        &self,
        _pos12: &Pose,
        _velocity12: Vector,
        _first: &dyn Shape,
        _second: &dyn Shape,
        _options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes_nonlinear(
        &self,
        _motion1: &NonlinearRigidMotion,
        _first: &dyn Shape,
        _motion2: &NonlinearRigidMotion,
        _second: &dyn Shape,
        _start: f32,
        _end: f32,
        _stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use bevy_rapier3d::parry::{
        shape::{Ball, Capsule, HeightField, HeightFieldFlags},
        utils::Array2,
    };
    use lanternfell_heightmap::{Heightmap, MapSize, SeededRng};
    use lanternfell_surface::heightfield_columns;

    use super::*;

    const SIDE: usize = 17;
    const RADIUS: f32 = 0.4;

    /// A plane of 1 m squares, centered on the origin.
    fn plane(slope: Vec2) -> HeightField {
        let middle = (SIDE / 2) as f32;
        let heights = (0..SIDE * SIDE).map(|at| {
            let [column, row] = [at % SIDE, at / SIDE].map(|it| it as f32 - middle);
            0.5 + slope.dot(Vec2::new(column, row)) / 256.0
        });
        let size = MapSize::new(SIDE as u64, SIDE as u64).unwrap();
        let map = Heightmap::from_heights(size, heights.collect()).unwrap();
        let heights = heightfield_columns(&map, (0, 0), (SIDE - 1, SIDE - 1));
        let heights = Array2::new(SIDE, SIDE, heights);
        let size = Vec3::new(2.0 * middle, 256.0, 2.0 * middle);
        HeightField::with_flags(heights, size, HeightFieldFlags::FIX_INTERNAL_EDGES)
    }

    /// Tracks the contacts of a body over several steps, like a physics engine.
    struct Follower<D> {
        dispatcher: D,
        manifolds: Vec<ContactManifold<(), ()>>,
        workspace: Option<ContactManifoldsWorkspace>,
    }

    impl<D: PersistentQueryDispatcher<(), ()>> Follower<D> {
        fn new(dispatcher: D) -> Self {
            let (manifolds, workspace) = (Vec::new(), None);
            Self {
                dispatcher,
                manifolds,
                workspace,
            }
        }

        /// The penetration depth of the body.
        fn depth(&mut self, land: &HeightField, body: &dyn Shape, at: Vec3) -> Option<f32> {
            let pose = Pose::from_translation(at);
            let (manifolds, workspace) = (&mut self.manifolds, &mut self.workspace);
            self.dispatcher
                .contact_manifolds(&pose, land, body, 0.01, manifolds, workspace)
                .unwrap();
            let points = manifolds.iter().flat_map(|manifold| &manifold.points);
            points.map(|point| -point.dist).max_by(f32::total_cmp)
        }
    }

    const BODIES: usize = 200;
    const STEPS: usize = 120;

    /// Paths along all kinds of edges, and across them.
    fn ways(rng: &mut SeededRng) -> impl Iterator<Item = [Vec2; STEPS]> {
        (0..BODIES).map(|number| {
            let mut between = |low: f64, high: f64| rng.between(low, high) as f32;
            let mut at = Vec2::new(between(-5.0, 5.0), between(-5.0, 5.0)).round();
            let way = match number % 4 {
                0 => Vec2::X,
                1 => Vec2::Y,
                2 => Vec2::new(1.0, -1.0),
                _ => Vec2::from_angle(between(0.0, 6.3)),
            };
            let step = between(0.001, 0.016) * way;
            [(); STEPS].map(|()| {
                at += step;
                at
            })
        })
    }

    #[test]
    fn keeps_contacts_of_spheres_over_edges() {
        let ball = Ball::new(RADIUS);
        let capsule = Capsule::new_y(0.5, RADIUS);
        let shapes: [(&dyn Shape, f32); 2] = [(&ball, 0.0), (&capsule, 0.5)];
        let mut lost_by_parry = 0;
        for slope in [Vec2::ZERO, Vec2::new(0.125, 0.0), Vec2::new(-0.25, 0.125)] {
            let land = plane(slope);
            let up = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
            let mut rng = SeededRng::new(3, b"edges   ");
            for way in ways(&mut rng) {
                for (shape, foot) in shapes {
                    let mut ours = Follower::new(LandDispatcher.chain(DefaultQueryDispatcher));
                    let mut by_parry = Follower::new(DefaultQueryDispatcher);
                    for (number, at) in way.into_iter().enumerate() {
                        let depth = 1e-3 + 1e-4 * (number % 7) as f32;
                        let ground = Vec3::new(at.x, at.dot(slope) + 128.0, at.y);
                        let middle = ground + (RADIUS - depth) * up + foot * Vec3::Y;
                        let right = |found: Option<f32>| {
                            found.is_some_and(|found| (found - depth).abs() < 1e-4)
                        };
                        let found = ours.depth(&land, shape, middle);
                        assert!(right(found), "{slope}: {found:?} is not {depth} at {at:?}");
                        let by_parry = by_parry.depth(&land, shape, middle);
                        lost_by_parry += usize::from(!right(by_parry));
                    }
                }
            }
        }
        // If this fails, `parry` has been fixed and this file can be removed.
        assert!(lost_by_parry > 100);
    }
}
