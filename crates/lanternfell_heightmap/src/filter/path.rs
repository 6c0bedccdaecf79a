//! Hills and valleys put where one wants them: a mound, and a bed dug along a curve.
//!
//! ```text
//!   Mound   h (1 - d^2 / r^2)         Dig   -depth (1 - d^2 / r^2)^2
//!            .-~~-.                        _____           _____
//!          .'      '.                           '.       .'
//!   ______/          \______                      '-._.-'
//! ```
//!
//! A mound is the paraboloid of the [hill algorithm](crate::Hills). A bed follows Bézier's
//! curve: `d` is the distance to it, radius and depth go evenly from its beginning to its
//! end, and the ground goes over into the bed without an edge. It is dug *below the
//! ground as it is*, so a path up a mountain stays a path up a mountain.
//!
//! Steps: cut the curve into 128 straight lines (de Casteljau); measure each cell's
//! distance to the nearest ([`drawn`]); lower it.
//!
//! Cost: a mound a few operations per cell, a bed the distances; no map of memory.
//!
//! Source: libtcod's `add_hill`, `dig_hill` and `dig_bezier` (whose bed has an absolute
//! height).

use super::{
    MAX_HEIGHT,
    apply::Apply,
    drawn::{self, Band, Candidates, Point, Segment, TILE},
    finite,
    part::Locality,
};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, Scale,
    parameter::parameters, rows,
};

parameters! {
    /// Raises a round hill, or with a negative height a hollow.
    #[derive(Copy)]
    pub struct Mound: "mound" {
        /// Its middle, in shares of the map.
        pub at: (f64, f64) = (0.5, 0.5), limit "each from -16 to 16";
        /// Its radius.
        pub radius: f64 = 0.25, in 0.0..=16.0, unit "times the map's shorter side", slider 0.0..=1.0;
        /// How much its middle is raised.
        pub height: f64 = 0.5, in -1e6..=1e6, slider -1.0..=1.0;
    }
}

impl Apply for Mound {
    fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range(Self::OWNER, "x", self.at.0, -16.0, 16.0)?;
        ParamError::check_range(Self::OWNER, "y", self.at.1, -16.0, 16.0)?;
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let FilterContext { window, world, .. } = *context;
        let (width, left) = (map.width(), window.x());
        let middle = drawn::to_cells(self.at, world);
        let radius = self.radius * (world.shorter_side() - 1) as f64;
        let square = radius * radius;
        Ok(rows::for_each_row(
            map.heights_mut(),
            width,
            progress,
            |y, row| {
                let dy = (window.y() + y) as f64 - middle.1;
                let half = (square - dy * dy).max(0.0).sqrt();
                let [from, to] = [middle.0 - half, middle.0 + half + 1.0]
                    .map(|x| (x.max(0.0) as usize).clamp(left, left + width));
                for (x, z) in (from..).zip(&mut row[from - left..to - left]) {
                    let dx = x as f64 - middle.0;
                    let inside = square - dx * dx - dy * dy;
                    if inside > 0.0 {
                        *z = finite(f64::from(*z) + self.height * (inside / square));
                    }
                }
            },
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Placed
    }
}

parameters! {
    /// Digs a bed along Bézier's curve: a river, a road, a canyon; with a negative depth a
    /// dike.
    ///
    /// In a recipe `Dig((path: [(0.1, 0.2), (0.5, 0.1), (0.5, 0.9), (0.9, 0.8)]))`.
    pub struct Dig: "dig" {
        /// The curve's control points in shares of the map: it goes from the first to the last,
        /// drawn towards the others. By themselves they go from west to east through the middle.
        pub path: Vec<(f64, f64)> = vec![(0.0, 0.5), (1.0, 0.5)],
            limit "from 2 to 16 of them, each number from -16 to 16";
        /// How far the bed reaches to both sides at the curve's beginning and end.
        pub radius: (f64, f64) = (0.05, 0.05), limit "each from 0 to 16",
            unit "times the map's shorter side";
        /// How deep it is there.
        pub depth: (f64, f64) = (0.2, 0.2), limit "each from -1000000 to 1000000";
    }
}

/// Straight lines in a curve: on a map of 16,384 cells it is off by about a cell.
const LINES: usize = 128;

impl Dig {
    /// The most control points.
    pub const MAX_POINTS: usize = 16;

    /// The curve as straight lines, in cells.
    fn segments(&self, size: MapSize) -> Vec<Segment> {
        let points: Vec<Point> = self
            .path
            .iter()
            .map(|&at| drawn::to_cells(at, size))
            .collect();
        let place = |line: usize| on_curve(points.clone(), line as f64 / LINES as f64);
        (0..LINES)
            .map(|line| Segment::new(place(line), place(line + 1)))
            .collect()
    }
}

impl Apply for Dig {
    fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range(Self::OWNER, name, value, min, max);
        let count = self.path.len() as f64;
        check("path", count, 2.0, Self::MAX_POINTS as f64)?;
        for &(x, y) in &self.path {
            check("x", x, -16.0, 16.0)?;
            check("y", y, -16.0, 16.0)?;
        }
        for (radius, depth) in [(self.radius.0, self.depth.0), (self.radius.1, self.depth.1)] {
            check("radius", radius, 0.0, 16.0)?;
            check("depth", depth, -MAX_HEIGHT, MAX_HEIGHT)?;
        }
        Ok(())
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let (width, world) = (map.width(), context.world);
        let segments = self.segments(world);
        let side = (world.shorter_side() - 1) as f64;
        let radius = (self.radius.0 * side, self.radius.1 * side);
        let reach = radius.0.max(radius.1);
        let cells = map.heights_mut();
        Ok(rows::for_each_row_with(
            cells,
            TILE * width,
            progress,
            Candidates::new,
            |candidates, band, rows| {
                let band = Band::of(context.window, band * TILE, rows.len());
                drawn::visit_band(
                    &segments,
                    band,
                    reach,
                    candidates,
                    progress,
                    |x, y, nearest| {
                        let way = nearest.way / LINES as f64;
                        let between = |(from, to): (f64, f64)| from + (to - from) * way;
                        let share = nearest.distance / between(radius);
                        if share < 1.0 {
                            let bed = 1.0 - share * share;
                            let z = &mut rows[band.place(x, y)];
                            *z = finite(f64::from(*z) - between(self.depth) * bed * bed);
                        }
                    },
                );
            },
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Placed
    }
}

/// The point at the share `t` of the curve, by de Casteljau: points between the points,
/// until one is left.
fn on_curve(mut points: Vec<Point>, t: f64) -> Point {
    for count in (1..points.len()).rev() {
        for k in 0..count {
            let ((ax, ay), (bx, by)) = (points[k], points[k + 1]);
            points[k] = (ax + (bx - ax) * t, ay + (by - ay) * t);
        }
    }
    points[0]
}
