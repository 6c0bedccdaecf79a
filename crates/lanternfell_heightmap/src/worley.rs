//! Worley noise: the distance to the nearest of many scattered points.
//!
//! Problem: cells instead of waves: cracked mud, basalt columns, scales, craters, or ridges that meet in corners. Sums
//! of smooth noise cannot make them.
//!
//! Idea: scatter points over the plane. The height is the distance to the nearest point (`F1`: a pit around every
//! point), to the second nearest (`F2`), or the difference of the two. The difference is 0 exactly where two points are
//! equally near, which is on the borders of the cells.
//!
//! ```text
//!   +-----+-----+-----+
//!   |  .  |   . |.    |      a lattice of squares with one point in each,
//!   +-----+-----+-----+      anywhere in it (jitter 1) or closer to its center
//!   |    .|  x--.     |
//!   +-----+-----+-----+      x: F1 = --
//!   | .   |     |  .  |
//!   +-----+-----+-----+
//! ```
//!
//! Steps, for a row: the cells in one square of the lattice share the 25 points of the surrounding 5 x 5 squares. For
//! each of these points, compute the distances of all those cells. Each cell keeps its two smallest distances.
//!
//! # Why 25 points suffice
//! Let a cell be at `(u, v)` in its square, mirrored so that `1/2 <= v <= u <= 1`. The point of its own square is at
//! most `u` away along x and `v` along y; that of the square to the east at most `2 - u` and `v`. So the second nearest
//! point is at most `(2 - u, v)` away. That is `sqrt((2 - u)^2 + v^2) <= sqrt(2.5)` in the Euclidean metric, reached in
//! the middle; `2 - u + v <= 2` in the Manhattan metric; and `2 - u <= 1.5` in the Chebyshev metric. Squares that are
//! three columns or rows away begin at a distance of at least 2 in each metric. (3 x 3 squares would not suffice.)
//!
//! The same bounds normalize the heights to 0 to 1 without measuring the map: the nearest point is at most `sqrt(2)`, 2
//! or 1 away. Few cells come close to these bounds. Add a [`Normalize`](crate::Filter::Normalize) filter to fill the
//! range.
//!
//! Cost: 25 distances per cell, computed for several cells at once; no memory. A height depends only on the position,
//! so tiles do not need the whole map. The points are hashes of integers, and comparisons, products and square roots
//! are exact by IEEE 754, so the bits are the same on every machine.
//!
//! Source: Worley, *A Cellular Texture Basis Function*, SIGGRAPH 1996. There a square has a Poisson-distributed number
//! of points. One point per square is more evenly distributed, and is what most libraries do.

mod lattice;

use core::array;

use fearless_simd::{Level, dispatch};

use self::lattice::{Lattice, NEAR, Near};
use crate::{
    Canceled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, SeededRng,
    evaluate::{Parts, Pointwise, evaluate},
    parameter::{choices, parameters},
    period, rows,
};

parameters! {
    /// Distances to scattered points: pits, cells, cracks.
    ///
    /// ```
    /// use lanternfell_heightmap::{MapSize, Progress, Worley, WorleyFeature};
    ///
    /// let cracks = Worley { feature: WorleyFeature::F2MinusF1, ..Worley::default() };
    /// let map = cracks.generate(MapSize::new(128, 128)?, 7, &Progress::default())?;
    /// assert!(map.range().0 < 0.01 && map.range().1 <= 1.0);
    ///
    /// // With a period the map can be tiled.
    /// let tile = Worley { period: Some(64), scale: 16.0, ..cracks };
    /// let map = tile.generate(map.size(), 7, &Progress::default())?;
    /// assert_eq!(map.row(5), map.row(5 + 64));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Worley: "worley" {
        /// The distances from which heights are computed.
        pub feature: WorleyFeature = WorleyFeature::F1;
        /// The metric of distances.
        pub metric: Metric = Metric::Euclidean;
        /// The side of the squares that contain one point each, about the size of the pattern.
        pub scale: f64 = 64.0, in 1.0..=1e6, unit "cells", slider 4.0..=512.0 log;
        /// How far a point may be from the center of its square: 0 makes a regular lattice, 1 allows the whole square.
        pub jitter: f64 = 1.0, in 0.0..=1.0;
        /// The number of cells after which the map repeats along both axes; a multiple of the scale.
        pub period: Option<u32> = None, in 1..=1_000_000, unit "cells", slider 64..=2048;
    }
}

choices! {
    /// The distances to scattered points from which [`Worley`] computes heights.
    pub enum WorleyFeature {
        /// To the nearest point: a round pit at each point, and ridges between them.
        F1 = "f1",
        /// To the second nearest point: larger, overlapping pits.
        F2 = "f2",
        /// The second minus the first: 0 on the borders of the cells, and a peak in each cell.
        F2MinusF1 = "f2-f1",
    }
    default F1
}

choices! {
    /// The metric of distances in [`Worley`].
    pub enum Metric {
        /// Straight-line distance: borders are straight, and pits are round.
        Euclidean = "euclidean",
        /// The sum along both axes: borders consist of horizontal, vertical and diagonal segments.
        Manhattan = "manhattan",
        /// The larger of the two axes: pits are square.
        Chebyshev = "chebyshev",
    }
    default Euclidean
}

/// The number of cells that are processed together.
const LANES: usize = 16;

impl Worley {
    /// The sea level. About a third of the default map is below it.
    pub const SEA_LEVEL: f32 = 0.24;

    /// Checks every parameter against its range. The size does not matter.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        period::check(self.owner(), self.period, self.scale)
    }

    /// The draw: selects one of 2^64 lattices, with one word of the stream `worley`. Neither the parameters nor the
    /// size matter.
    pub fn draw(&self, _size: MapSize, seed: u64) -> u64 {
        SeededRng::new(seed, b"worley  ").word()
    }

    /// The evaluation: the heights of the drawn lattice, from 0 to 1.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn evaluate(
        &self,
        size: MapSize,
        drawn: &u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        Ok(self.fill_part((0, 0), size, *drawn, progress)?)
    }

    /// The point of the square in `column` and `row` of the drawn lattice, in cells of the map.
    pub fn point(&self, drawn: u64, column: i64, row: i64) -> [f64; 2] {
        let lattice = Lattice::new(self, drawn);
        let [x, y] = lattice.point(column, row).map(f64::from);
        [column as f64 + x, row as f64 + y].map(|place| place * lattice.side())
    }

    /// Generates the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        self.evaluate(size, &self.draw(size, seed), progress)
    }

    /// The rectangle of the noise plane whose north-west cell is `(x, y)`.
    fn fill_part(
        &self,
        (x, y): (i64, i64),
        size: MapSize,
        drawn: u64,
        progress: &Progress,
    ) -> Result<Heightmap, Canceled> {
        let lattice = Lattice::new(self, drawn);
        let mut map = Heightmap::flat(size);
        let width = map.width();
        rows::for_each_row(map.heights_mut(), width, progress, |south, row| {
            let y = y + south as i64;
            let y = self.period.map_or(y, |period| period::wrapped(y, period));
            period::fill_row(x, row, self.period, |x, part| {
                self.fill(&lattice, (x, y), part);
            });
        })?;
        Ok(map)
    }

    /// Fills the cells from `from` eastwards.
    fn fill(&self, lattice: &Lattice, from: (i64, i64), row: &mut [f32]) {
        let euclidean = |dx: f32, dy: f32| dx * dx + dy * dy;
        let manhattan = |dx: f32, dy: f32| dx.abs() + dy.abs();
        let chebyshev = |dx: f32, dy: f32| larger(dx.abs(), dy.abs());
        let level = Level::new();
        match self.metric {
            Metric::Euclidean => {
                let most = [core::f32::consts::SQRT_2, 2.5_f32.sqrt()];
                dispatch!(level, _simd => self.fill_by(lattice, from, row, euclidean, f32::sqrt, most));
            }
            Metric::Manhattan => {
                let same = |distance| distance;
                dispatch!(level, _simd => self.fill_by(lattice, from, row, manhattan, same, [2.0, 2.0]));
            }
            Metric::Chebyshev => {
                let same = |distance| distance;
                dispatch!(level, _simd => self.fill_by(lattice, from, row, chebyshev, same, [1.0, 1.5]));
            }
        }
    }

    /// Fills cells with the distance `root(measure(dx, dy))`. The nearest and the second nearest point are at most
    /// `most` and `most_of_second` away, in squares.
    ///
    /// Inlined with all its callees, so that it is compiled once for each vector width.
    #[inline(always)]
    fn fill_by(
        &self,
        lattice: &Lattice,
        (x, y): (i64, i64),
        row: &mut [f32],
        measure: impl Fn(f32, f32) -> f32,
        root: impl Fn(f32) -> f32,
        [most, most_of_second]: [f32; 2],
    ) {
        let mut near = Near::new(lattice, y);
        let mut done = 0;
        while done < row.len() {
            let run = near.go_to(x + done as i64).min(row.len() - done);
            let points = near.points();
            for cells in row[done..done + run].chunks_mut(LANES) {
                let offsets = near.offsets(x + done as i64);
                let distances = two_nearest(&points, offsets, &measure);
                for (z, [first, second]) in cells.iter_mut().zip(distances) {
                    let (first, second) = (root(first), root(second));
                    let height = match self.feature {
                        WorleyFeature::F1 => first / most,
                        WorleyFeature::F2 => second / most_of_second,
                        WorleyFeature::F2MinusF1 => (second - first) / most_of_second,
                    };
                    // Rounding may exceed the bounds.
                    *z = smaller(height, 1.0);
                }
                done += cells.len();
            }
        }
    }
}

/// For each cell, the two smallest measures to a point.
#[inline(always)]
fn two_nearest(
    points: &[[f32; 2]; NEAR],
    offsets: [f32; LANES],
    measure: impl Fn(f32, f32) -> f32,
) -> [[f32; 2]; LANES] {
    let mut first = [f32::MAX; LANES];
    let mut second = [f32::MAX; LANES];
    for &[x, dy] in points {
        for k in 0..LANES {
            let found = measure(x - offsets[k], dy);
            second[k] = smaller(second[k], larger(first[k], found));
            first[k] = smaller(first[k], found);
        }
    }
    array::from_fn(|k| [first[k], second[k]])
}

/// One instruction, unlike `f32::min`, which must handle NaN.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

evaluate!(Worley, Self::SEA_LEVEL, self => Parts::Pointwise(self));

impl Pointwise for Worley {
    fn plane_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(world)?;
        Ok(self.fill_part(origin, size, self.draw(world, seed), progress)?)
    }
}
