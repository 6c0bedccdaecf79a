//! Masks from polygons and lines, for example hand-drawn islands.
//!
//! Problem: an island with a given outline, a road that must stay free of hills, a lake.
//!
//! Idea: heights inside the shape stay, and decrease to 0 with the distance from it.
//!
//! ```text
//!       .----.
//!     .'  1   '-.  <- inside or within the radius: 1
//!    (           \
//!     '.__.-._____)  . . then 1 - 3 t^2 + 2 t^3 along the falloff
//!                         0 beyond
//! ```
//!
//! Steps: compute the exact distance of each cell to the nearest line ([`drawn`]). For closed paths, a cell is inside
//! if an odd number of lines cross its row to the west of it.
//!
//! Cost: a few distances per cell and one pass over the lines per row. No additional map in memory.
//!
//! Source: Shimrat, *Algorithm 112: Position of Point Relative to Polygon*, 1962.

use super::{
    apply::Apply,
    drawn::{self, Band, Candidates, Point, Segment, TILE},
    part::Locality,
    smooth_step,
};
use crate::{
    FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, Scale,
    parameter::parameters, rows::for_each_row_with,
};

parameters! {
    /// Keeps heights inside a drawn shape and lowers them to 0 around it.
    ///
    /// Points are in fractions of the map: (0, 0) is the north-western cell, (1, 1) the south-eastern one. In a recipe:
    /// `Shape((paths: [[(0.2, 0.3), (0.8, 0.2), (0.6, 0.9)]], falloff: 0.1))`.
    pub struct Shape: "shape" {
        /// Lines from point to point, in fractions of the map; a path of one point is a dot. The default is a diamond.
        pub paths: Vec<Vec<(f64, f64)>> = vec![vec![(0.5, 0.25), (0.75, 0.5), (0.5, 0.75), (0.25, 0.5)]],
            limit "from 1 to 4096 points in total, each number from -16 to 16";
        /// Whether each path is closed and its interior belongs to the shape. The interior of a path within another
        /// path is outside again, like a lake on an island.
        pub closed: bool = true;
        /// The distance from the lines up to which heights stay unchanged.
        pub radius: f64 = 0.0, in 0.0..=16.0, unit "times the map's shorter side", slider 0.0..=0.5;
        /// The distance over which heights fall to 0 around the shape.
        pub falloff: f64 = 0.25, in 0.0..=16.0, unit "times the map's shorter side", slider 0.0..=0.5;
    }
}

/// The shape in cells of one map.
struct Drawing {
    segments: Vec<Segment>,
    /// The endpoints of the lines of closed paths.
    outline: Vec<(Point, Point)>,
    radius: f64,
    falloff: f64,
}

impl Shape {
    /// The maximum number of points of all paths together.
    pub const MAX_POINTS: usize = 4096;

    /// The shape as a mask: 1 inside, 0 outside. Use it with [`Blend`](crate::Blend), for example.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn mask(&self, size: MapSize, progress: &Progress) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        let mut mask = Heightmap::flat(size);
        mask.heights_mut().fill(1.0);
        self.apply(&mut mask, &FilterContext::new(size, 0), progress)?;
        Ok(mask)
    }

    fn drawing(&self, size: MapSize) -> Drawing {
        let (mut segments, mut outline) = (Vec::new(), Vec::new());
        for path in &self.paths {
            let places: Vec<Point> = path.iter().map(|&at| drawn::to_cells(at, size)).collect();
            let Some((&first, &last)) = places.first().zip(places.last()) else {
                continue;
            };
            let mut lines: Vec<(Point, Point)> =
                places.windows(2).map(|ends| (ends[0], ends[1])).collect();
            if self.closed || places.len() == 1 {
                lines.push((last, first));
            }
            segments.extend(lines.iter().map(|&(from, to)| Segment::new(from, to)));
            if self.closed {
                outline.extend(lines);
            }
        }
        let side = (size.shorter_side() - 1) as f64;
        Drawing {
            segments,
            outline,
            radius: self.radius * side,
            falloff: self.falloff * side,
        }
    }
}

impl Apply for Shape {
    fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range(Self::OWNER, name, value, min, max);
        let count: usize = self.paths.iter().map(Vec::len).sum();
        check("points", count as f64, 1.0, Self::MAX_POINTS as f64)?;
        for &(x, y) in self.paths.iter().flatten() {
            check("x", x, -16.0, 16.0)?;
            check("y", y, -16.0, 16.0)?;
        }
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let drawing = self.drawing(context.world);
        let width = map.width();
        let scratch = || (Candidates::new(), vec![0.0; TILE * width], Vec::new());
        let work =
            |(candidates, factors, crossings): &mut (_, Vec<f64>, _), band, rows: &mut [f32]| {
                let factors = &mut factors[..rows.len()];
                let band = Band::of(context.region, band * TILE, factors.len());
                drawing.factors(band, factors, candidates, crossings, progress);
                for (z, &factor) in rows.iter_mut().zip(factors.iter()) {
                    *z = (f64::from(*z) * factor) as f32;
                }
            };
        Ok(for_each_row_with(
            map.heights_mut(),
            TILE * width,
            progress,
            scratch,
            work,
        )?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Placed
    }

    fn work(&self) -> f32 {
        3.0
    }
}

impl Drawing {
    /// Writes the factors of a band.
    fn factors(
        &self,
        band: Band,
        factors: &mut [f64],
        candidates: &mut Candidates,
        crossings: &mut Vec<f64>,
        progress: &Progress,
    ) {
        factors.fill(0.0);
        let (segments, reach) = (&self.segments, self.radius + self.falloff);
        drawn::visit_band(
            segments,
            band,
            reach,
            candidates,
            progress,
            |x, y, nearest| {
                factors[band.place(x, y)] = self.factor(nearest.distance);
            },
        );
        let Band { left, width, .. } = band;
        for (y, row) in (band.top..).zip(factors.chunks_mut(width)) {
            self.cross(y as f64, crossings);
            for inside in crossings.chunks_exact(2) {
                // Fill the cells from the first one at or after a crossing to the last one before the next crossing.
                let [from, to] = [inside[0], inside[1]]
                    .map(|x| (x.ceil().max(0.0) as usize).clamp(left, left + width) - left);
                row[from..to].fill(1.0);
            }
        }
    }

    fn factor(&self, distance: f64) -> f64 {
        let beyond = distance - self.radius;
        if beyond <= 0.0 {
            1.0
        } else if beyond < self.falloff {
            1.0 - smooth_step(beyond / self.falloff)
        } else {
            0.0
        }
    }

    /// The positions at which the outline crosses row `y`, from west to east. The number is always even, because a line
    /// includes its upper endpoint but not its lower one.
    fn cross(&self, y: f64, crossings: &mut Vec<f64>) {
        crossings.clear();
        for &((ax, ay), (bx, by)) in &self.outline {
            if (ay <= y) != (by <= y) {
                crossings.push(ax + (y - ay) / (by - ay) * (bx - ax));
            }
        }
        crossings.sort_by(f64::total_cmp);
    }
}
