//! Hills and valleys at chosen positions: a mound, and a channel along a curve.
//!
//! ```text
//!   Mound   h (1 - d^2 / r^2)         Dig   -depth (1 - d^2 / r^2)^2
//!            .-~~-.                        _____           _____
//!          .'      '.                           '.       .'
//!   ______/          \______                      '-._.-'
//! ```
//!
//! A mound is the paraboloid of the [hill algorithm](crate::Hills). A channel follows a Bézier
//! curve. `d` is the distance to the curve. Radius and depth change linearly from the start to the
//! end of the curve, and the channel blends into the terrain without an edge. The depth is relative
//! to the existing terrain, so a path up a mountain stays a path up a mountain.
//!
//! Steps: approximate the curve by 128 line segments (de Casteljau). Measure the distance of each
//! cell to the nearest segment ([`drawn`]). Lower the cell.
//!
//! Cost: a few operations per cell for a mound; the distances for a channel. No additional map in
//! memory.
//!
//! Source: libtcod's `add_hill`, `dig_hill` and `dig_bezier` (whose channel has an absolute
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
    /// Adds a round hill, or a hollow if the height is negative.
    #[derive(Copy)]
    pub struct Mound: "mound" {
        /// The center, in fractions of the map.
        pub at: (f64, f64) = (0.5, 0.5), limit "each from -16 to 16";
        /// The radius.
        pub radius: f64 = 0.25, in 0.0..=16.0, unit "times the map's shorter side", slider 0.0..=1.0;
        /// The height that is added at the center.
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
        let FilterContext { region, world, .. } = *context;
        let (width, left) = (map.width(), region.x());
        let middle = drawn::to_cells(self.at, world);
        let radius = self.radius * (world.shorter_side() - 1) as f64;
        let square = radius * radius;
        Ok(rows::for_each_row(
            map.heights_mut(),
            width,
            progress,
            |y, row| {
                let dy = (region.y() + y) as f64 - middle.1;
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
    /// Digs a channel along a Bézier curve: a river, a road or a canyon, or a dike if the depth is
    /// negative.
    ///
    /// In a recipe: `Dig((path: [(0.1, 0.2), (0.5, 0.1), (0.5, 0.9), (0.9, 0.8)]))`.
    pub struct Dig: "dig" {
        /// The control points of the Bézier curve, in fractions of the map. The curve starts at the
        /// first point and ends at the last, and the other points attract it. The default goes from
        /// west to east through the center.
        pub path: Vec<(f64, f64)> = vec![(0.0, 0.5), (1.0, 0.5)],
            limit "from 2 to 16 points, each number from -16 to 16";
        /// The distance from the center line to the edge of the channel, at the start and at the
        /// end of the curve.
        pub radius: (f64, f64) = (0.05, 0.05), limit "each from 0 to 16",
            unit "times the map's shorter side";
        /// The depth at the start and at the end of the curve.
        pub depth: (f64, f64) = (0.2, 0.2), limit "each from -1000000 to 1000000";
    }
}

/// The number of line segments of a curve. On a map of 16,384 cells the error is about one cell.
const LINES: usize = 128;

impl Dig {
    /// The maximum number of control points.
    pub const MAX_POINTS: usize = 16;

    /// The curve as line segments, in cells.
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
                let band = Band::of(context.region, band * TILE, rows.len());
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

/// The point at parameter `t` of the curve, by de Casteljau's algorithm: interpolate between
/// consecutive points until one is left.
fn on_curve(mut points: Vec<Point>, t: f64) -> Point {
    for count in (1..points.len()).rev() {
        for k in 0..count {
            let ((ax, ay), (bx, by)) = (points[k], points[k + 1]);
            points[k] = (ax + (bx - ax) * t, ay + (by - ay) * t);
        }
    }
    points[0]
}
