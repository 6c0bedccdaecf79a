//! Swept spheres: casts of a sphere that moves in a straight line.
//!
//! Idea: as for a [ray](super::walk), but every block and square is enlarged by the radius, and its
//! triangles are tested [exactly](super::swept). Enlarged blocks overlap, so they have no strict
//! order. Those on the side that the sphere comes from are tested first, and blocks that it reaches
//! later than the best touch so far are skipped.
//!
//! ```text
//!     .-------.-------.       +---+ a block         the center of the
//!     | +---+-|-+---+ |       .---. the block,      sphere is a ray against
//!     | |   | | |   | |       |   | enlarged        the enlarged block
//! ```
//!
//! Cost: like a ray for spheres up to a few squares in size. For larger spheres, it grows with the
//! number of squares below the sphere.

use glam::{DVec3, Vec3};

use super::{
    SquareHalf, Surface, SurfaceHit,
    pyramid::{SHIFT, level_count},
    ray::line,
    swept::{self, Touch},
    walk::Line,
};

impl Surface<'_> {
    /// Returns the first touch of a moving sphere with the surface, from above or from below.
    ///
    /// Faces, edges and corners are all tested. The distance of the hit is that of the sphere's
    /// center from `origin`. `radius` and `max_distance` are in meters.
    ///
    /// A sphere that touches the surface at the start hits it at distance 0, at the closest point.
    /// A radius of 0 casts a [ray](Self::cast_ray).
    ///
    /// Returns `None` if there is no touch up to `max_distance`, if an argument is not finite (only
    /// `max_distance` may be infinite), or if `radius` or `max_distance` is negative.
    pub fn cast_sphere(
        &self,
        origin: Vec3,
        radius: f32,
        direction: Vec3,
        max_distance: f32,
    ) -> Option<SurfaceHit> {
        if radius == 0.0 {
            return self.cast_ray(origin, direction, max_distance);
        }
        // Written so that NaN fails too.
        let sound = radius > 0.0 && radius.is_finite();
        let line = line(origin, direction, max_distance).filter(|_| sound)?;
        let mut sweep = Sweep {
            surface: self,
            line,
            radius: radius.into(),
            best: None,
        };
        let top = level_count(self.map.size()) - 1;
        if self.x.ends()[0] <= self.x.ends()[1] {
            sweep.enter(top, (0, 0));
        }
        sweep.best.map(|best| best.hit(&line))
    }
}

/// The earliest touch so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    touch: Touch,
    /// The squared distance from the point to the center of the sphere. If the sphere touches
    /// several triangles at the start, the closest point wins.
    away: f64,
    square: (u32, u32),
    half: SquareHalf,
    normal: DVec3,
}

impl Best {
    fn hit(&self, line: &Line) -> SurfaceHit {
        let Touch { time, point } = self.touch;
        let away = line.at(time) - point;
        SurfaceHit {
            point: point.as_vec3(),
            distance: time as f32,
            // If the center is on the surface, there is no direction to it.
            normal: away.try_normalize().unwrap_or(self.normal).as_vec3(),
            square: (self.square.0 as usize, self.square.1 as usize),
            half: self.half,
        }
    }
}

/// A sphere that moves over a surface.
struct Sweep<'a> {
    surface: &'a Surface<'a>,
    line: Line,
    radius: f64,
    best: Option<Best>,
}

impl Sweep<'_> {
    /// Tests a block and all blocks below it.
    fn enter(&mut self, level: usize, (column, row): (u32, u32)) {
        let surface = self.surface;
        let shift = SHIFT + level as u32;
        let squares = |block: u32, all: u32| [block << shift, ((block + 1) << shift).min(all)];
        let columns = squares(column, surface.x.squares());
        let rows = squares(row, surface.z.squares());
        let heights = surface.block_range(level, column, row);
        let Some(times) = self.times_over(columns, rows, heights) else {
            return;
        };
        if level == 0 {
            return self.cross_block(columns, rows, times);
        }
        let order = |direction: f64| if direction >= 0.0 { [0, 1] } else { [1, 0] };
        for south in order(self.line.direction.z) {
            for east in order(self.line.direction.x) {
                let quarter = (2 * column + east, 2 * row + south);
                let inside = quarter.0 << (shift - 1) < surface.x.squares()
                    && quarter.1 << (shift - 1) < surface.z.squares();
                if inside {
                    self.enter(level - 1, quarter);
                }
            }
        }
    }

    /// Tests the squares of a block of level 0 that the sphere passes between two times.
    fn cross_block(&mut self, columns: [u32; 2], rows: [u32; 2], [from, to]: [f64; 2]) {
        let surface = self.surface;
        let (a, b) = (self.line.at(from), self.line.at(to));
        let (low, high) = (a.min(b) - self.radius, a.max(b) + self.radius);
        let within = |axis: &super::Axis, low: f64, high: f64, [first, end]: [u32; 2]| {
            // A guess may be off by one.
            let from = axis.guess(low).saturating_sub(1).max(first);
            from..(axis.guess(high) + 2).min(end)
        };
        for row in within(&surface.z, low.z, high.z, rows) {
            for column in within(&surface.x, low.x, high.x, columns) {
                if !surface.is_hole(column, row) {
                    self.cross_square(column, row);
                }
            }
        }
    }

    /// Tests both triangles of a square.
    fn cross_square(&mut self, column: u32, row: u32) {
        let heights = self.surface.square_range(column, row);
        let times = self.times_over([column, column + 1], [row, row + 1], heights);
        let Some([start, _]) = times else {
            return;
        };
        let square = (column, row);
        for half in [SquareHalf::NorthWest, SquareHalf::SouthEast] {
            let at = (column as usize, row as usize);
            let triangle = self.surface.triangle(at, half).map(Vec3::as_dvec3);
            // Starting near the triangle keeps the precision of small spheres.
            let near = self.line.at(start);
            let touch = swept::touch(near, self.line.direction, self.radius, triangle);
            if let Some(Touch { time, point }) = touch {
                let time = start + time;
                let facet = self.surface.facet(column, row, half);
                self.take(Best {
                    touch: Touch { time, point },
                    away: self.line.at(time).distance_squared(point),
                    square,
                    half,
                    normal: facet.normal(self.surface.extent(column, row)),
                });
            }
        }
    }

    /// Keeps a touch if it is earlier than the best so far.
    fn take(&mut self, found: Best) {
        let earlier = |best: &Best| {
            let (a, b) = (found.touch.time, best.touch.time);
            a < b || (a == 0.0 && b == 0.0 && found.away < best.away)
        };
        if found.touch.time <= self.line.end && self.best.as_ref().is_none_or(earlier) {
            self.best = Some(found);
        }
    }

    /// Returns the times between which the sphere may touch these squares between these heights.
    /// Returns `None` if it never does, or not before the best touch so far.
    fn times_over(
        &self,
        [west, east]: [u32; 2],
        [north, south]: [u32; 2],
        [low, high]: [f64; 2],
    ) -> Option<[f64; 2]> {
        let (x, z) = (&self.surface.x, &self.surface.z);
        let mut times = [0.0, self.best.map_or(self.line.end, |best| best.touch.time)];
        let Line {
            origin, direction, ..
        } = self.line;
        let slabs = [
            (
                origin.x,
                direction.x,
                x.line(west).into(),
                x.line(east).into(),
            ),
            (
                origin.z,
                direction.z,
                z.line(north).into(),
                z.line(south).into(),
            ),
            (origin.y, direction.y, low, high),
        ];
        for (origin, direction, low, high) in slabs {
            // Slightly larger, to allow for rounding.
            let radius = self.radius + 1e-12 * (self.radius + origin.abs());
            let (to_low, to_high) = (low - radius - origin, high + radius - origin);
            if direction == 0.0 {
                if to_low > 0.0 || to_high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (to_low / direction, to_high / direction);
            times = [times[0].max(a.min(b)), times[1].min(a.max(b))];
        }
        (times[0] <= times[1]).then_some(times)
    }
}
