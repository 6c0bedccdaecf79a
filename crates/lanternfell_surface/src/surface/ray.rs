//! Rays, segments and lines of sight.
//!
//! A ray hits triangles from above and from below, as in physics engines, so it also works for a
//! player in a cave. The normal is always that of the triangle, which points up. To keep only hits
//! from above, check `hit.normal.dot(direction) < 0.0`. The sides of the map are open, so a ray can
//! enter below the surface there.
//!
//! The computation is in `f64` (see [`walk`](super::walk)) and rounded at the end. Each number of a
//! hit is accurate to half a unit in its last place, so the point may be off the triangle by that
//! much along each axis.

use glam::{DVec2, DVec3, Vec3};

use super::{
    SquareHalf, Surface,
    walk::{Contact, Line, Side, Walk},
};

/// A hit of a ray or sphere on a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceHit {
    /// The point on the surface that was hit.
    pub point: Vec3,
    /// The distance that the ray or the center of the sphere has moved, in meters.
    pub distance: f32,
    /// For a ray, the unit normal of the triangle, which points up. For a sphere, the direction
    /// from the point to the center of the sphere.
    pub normal: Vec3,
    /// The square that was hit: the column and row of its north-west cell.
    pub square: (usize, usize),
    /// The triangle of the square that was hit.
    pub half: SquareHalf,
}

impl Surface<'_> {
    /// Returns the first hit of a ray on the surface, from above or from below.
    ///
    /// The direction can have any nonzero length. A ray that starts on the surface hits it at
    /// distance 0. `max_distance` is in meters and may be infinite.
    ///
    /// Returns `None` if there is no hit up to `max_distance`, if `origin` or `direction` is not
    /// finite, or if `max_distance` is negative or NaN.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, max_distance: f32) -> Option<SurfaceHit> {
        let line = line(origin, direction, max_distance)?;
        self.hit(&line, 1.0)
    }

    /// Returns the first hit of the segment between two points, both included. See
    /// [`cast_ray`](Self::cast_ray).
    pub fn cast_segment(&self, from: Vec3, to: Vec3) -> Option<SurfaceHit> {
        let (from, to) = (from.as_dvec3(), to.as_dvec3());
        let line = Line::new(from, to - from, 1.0)?;
        self.hit(&line, line.direction.length())
    }

    /// Returns whether the view between two points is free, that is, not blocked by the surface.
    ///
    /// The segment between them may touch the surface, but not cross it. Returns `false` if a point
    /// is not finite.
    ///
    /// Points on the ground count as above it: the segment may dip into the ground by 2^-22 of the
    /// largest coordinate, which is 0.2 mm at 1 km.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3) -> bool {
        const ROUNDING: f64 = 1.0 / (1 << 22) as f64;
        if !(from.is_finite() && to.is_finite()) {
            return false;
        }
        let (from, to) = (from.as_dvec3(), to.as_dvec3());
        let band = ROUNDING * from.abs().max(to.abs()).max_element();
        let Some(line) = Line::new(from, to - from, 1.0) else {
            return true;
        };
        let stands = |on: DVec3| {
            let ground = self.height(DVec2::new(on.x, on.z).as_vec2());
            ground.is_some_and(|y| (on.y - f64::from(y)).abs() <= band)
        };
        let mut walk = Walk::new(self, line).passing(stands(from).then_some(Side::Above), band);
        let comes = walk.first().is_none();
        comes && !(stands(to) && walk.side() == Some(Side::Below))
    }

    /// Returns the first hit of a line that moves `speed` meters per unit of time.
    fn hit(&self, line: &Line, speed: f64) -> Option<SurfaceHit> {
        let contact = Walk::new(self, *line).first()?;
        let Contact {
            time,
            column,
            row,
            half,
        } = contact;
        let facet = self.facet(column, row, half);
        Some(SurfaceHit {
            point: line.at(time).as_vec3(),
            distance: (time * speed) as f32,
            normal: facet.normal(self.extent(column, row)).as_vec3(),
            square: (column as usize, row as usize),
            half,
        })
    }
}

/// Creates the line of a ray, on which times are distances in meters.
pub(super) fn line(origin: Vec3, direction: Vec3, max_distance: f32) -> Option<Line> {
    let direction = direction.as_dvec3();
    // The squares of `f32` numbers are neither 0 nor infinite in `f64`.
    let unit: DVec3 = direction / direction.length();
    Line::new(origin.as_dvec3(), unit, max_distance.into())
}
