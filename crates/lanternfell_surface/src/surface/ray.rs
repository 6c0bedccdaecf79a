//! Rays, segments and lines of sight.
//!
//! A ray meets triangles from above and from below alike, as rays of physics engines do and players
//! expect who look out of a cave; the normal is always the triangle's own, which points up, so whoever
//! wants only what is seen from above asks `hit.normal.dot(direction) < 0.0`. The map's sides are no walls:
//! a ray comes in below the surface there.
//!
//! What is computed in `f64` (see [`walk`](super::walk)) is rounded at the end: a hit's numbers are off by
//! half a unit in their last place, and the point by that much from the triangle along each axis.

use glam::{DVec2, DVec3, Vec3};

use super::{
    SquareHalf, Surface,
    walk::{Contact, Line, Side, Walk},
};

/// Where something meets a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceHit {
    /// The point of the surface that is met.
    pub point: Vec3,
    /// How far the ray, or the middle of the sphere, has come, in metres.
    pub distance: f32,
    /// Of a ray the unit normal of the triangle, which points up; of a sphere the direction from the point
    /// to the middle of the sphere.
    pub normal: Vec3,
    /// The square that is met: column and row of its north-west cell.
    pub square: (usize, usize),
    /// The triangle of the square.
    pub half: SquareHalf,
}

impl Surface<'_> {
    /// Where a ray first meets the surface, from above or from below.
    ///
    /// The direction may be of any length above 0. Whoever begins on the surface meets it at distance 0.
    /// `None` where nothing is met up to `max_distance` metres (infinity is fine), and for numbers of which
    /// one is not finite, or a distance below 0.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, max_distance: f32) -> Option<SurfaceHit> {
        let line = line(origin, direction, max_distance)?;
        self.hit(&line, 1.0)
    }

    /// Where the straight line from one point to another first meets the surface; both belong to it. As
    /// [`cast_ray`](Self::cast_ray) else.
    pub fn cast_segment(&self, from: Vec3, to: Vec3) -> Option<SurfaceHit> {
        let (from, to) = (from.as_dvec3(), to.as_dvec3());
        let line = Line::new(from, to - from, 1.0)?;
        self.hit(&line, line.direction.length())
    }

    /// Whether nothing of the surface stands between two points: the line between them does not come from
    /// one side to the other, but may touch it. `false` for numbers that are not finite.
    ///
    /// A point on the ground, as near as its coordinates are rounded (2^-22 of the largest: 0.2 mm in
    /// 1 km), stands on top of it, and by as much the line may dip into the ground anywhere.
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

    /// What a line meets first, which comes so many metres along in a unit of time.
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

/// The line in that direction on which times are metres.
pub(super) fn line(origin: Vec3, direction: Vec3, max_distance: f32) -> Option<Line> {
    let direction = direction.as_dvec3();
    // Of f32 this is neither 0 nor infinite: the squares of f64 reach further.
    let unit: DVec3 = direction / direction.length();
    Line::new(origin.as_dvec3(), unit, max_distance.into())
}
