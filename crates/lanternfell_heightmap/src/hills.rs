//! The hill algorithm: the sum of hundreds of round hills.
//!
//! Problem: rolling hills, or an island in the sea, that look soft everywhere.
//!
//! Idea: a hill is a paraboloid, `r^2 - (x - cx)^2 - (y - cy)^2` where that is positive, which looks like an upturned
//! bowl. Hundreds of them, of different sizes, overlap into ridges and saddles:
//!
//! ```text
//!      one hill             some hills                many
//!        .--.                .--.  .-.              .-~~--.  .-.
//!   ____/    \____      ____/    \/   \____     ___/       ~~   \__
//! ```
//!
//! Steps: draw the hills; sum them in integers; stretch the sums to 0..1. Along a row, a hill is a parabola over an
//! interval. So the sum needs a few additions where the intervals begin and end, not one per cell of every hill (module
//! `parabolas`).
//!
//! On an island, the centers are within an ellipse such that no hill reaches the border of the map. The border is 0,
//! and a sea slightly above 0 makes a coast.
//!
//! Cost: O(N r + W H) for N hills of radius r. The scratch memory is a few rows per thread.
//!
//! Source: Nystrom, *Hill Algorithm*, robot-frog, 2001. The article's island is off by half a cell, so its eastern and
//! southern borders are not 0; this one is centered. The last step of the article, the flattening, is the filter
//! [`Filter::Gamma`](crate::Filter::Gamma) of a recipe.

mod bays;
mod hill;
mod parabolas;

use self::{bays::Bays, parabolas::Parabolas};
use crate::{
    GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, SeededRng,
    evaluate::{Parts, Stretched, evaluate},
    map_region::MapRegion,
    parameter::{self, parameters},
    sums::{self, Normalization},
    units,
};

pub use self::hill::Hill;

parameters! {
    /// Terrain from overlapping hills.
    ///
    /// ```
    /// use lanternfell_heightmap::{Hills, MapSize, Progress};
    ///
    /// let hills = Hills { island: true, radius_max: 12.0, ..Hills::default() };
    /// let map = hills.generate(MapSize::new(64, 48)?, 7, &Progress::default())?;
    /// assert_eq!(map.range(), (0.0, 1.0));
    /// assert!(map.row(0).iter().chain(map.row(47)).all(|&z| z == 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Hills: "hills" {
        /// The number of hills.
        pub count: u32 = 200, in 1..=1_000_000, slider 1..=5000 log;
        /// The smallest radius; on an island at most half of the map's shorter side.
        pub radius_min: f64 = 2.0, limit "from 0 to radius_max", unit "cells", slider 0.5..=200.0;
        /// The largest radius; on an island it is limited to half of the map's shorter side, from the first cell to the
        /// last.
        pub radius_max: f64 = 40.0, in 0.0..=8192.0, unit "cells", slider 1.0..=500.0;
        /// Whether the map is an island, so that no hill reaches its border.
        ///
        /// The centers are within the ellipse that fits the map. They are closer to its middle the larger a hill is,
        /// and densest in the middle.
        pub island: bool = false;
        /// The depth of an island's bays, as a fraction of the distance to its middle; 0 makes a round coast.
        pub bays: f64 = 0.0, in 0.0..=1.0;
    }
}

/// Half of a map's shorter side, from the first cell to the last.
fn half_of(size: MapSize) -> f64 {
    0.5 * (size.shorter_side() - 1) as f64
}

impl Hills {
    /// The largest number of hills. The sum of that many hills of the largest radius is less than 2^62.
    pub const MAX_COUNT: u32 = parameter::most(Self::PARAMETERS, "count") as u32;

    /// The value of one square cell, the unit of a paraboloid's height, in [`sum`](Self::sum).
    pub const ONE: i64 = (Hill::CELL as i64) * (Hill::CELL as i64);

    /// Checks every parameter against its range for a map of this size.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        let half = half_of(size);
        ParamError::check(
            !self.island || self.radius_min <= half,
            Self::OWNER,
            "radius_min",
            self.radius_min,
            format_args!("at most {half} (half of the map's shorter side) when island is true"),
        )?;
        ParamError::check(
            (0.0..=self.radius_max).contains(&self.radius_min),
            Self::OWNER,
            "radius_min",
            self.radius_min,
            format_args!("from 0 to radius_max, which is {}", self.radius_max),
        )
    }

    /// Draws the hills of a seed.
    ///
    /// The purpose of the random stream is `hills`. Each hill first draws its radius, a multiple of 1/256 cell from
    /// `radius_min` to `radius_max`, both included. Then it draws its center:
    ///
    /// - Without `island`: x and y, multiples of 1/256 cell from `-r` to `size + r`, so that hills may extend over the
    ///   border.
    /// - With `island`: an angle in `[0, 2 pi)`, and a fraction `u` in `[0, 1)` of the way from the exact center of the
    ///   map. The offset along x is `cos(angle) u (half - r)`, where `half` is half the width of the map from the first
    ///   cell to the last. The offset along y uses the sine and the height. Both are truncated towards the center to
    ///   multiples of 1/256 cell. With [`bays`](field@Self::bays), `u` is multiplied by the reach of the island at that
    ///   angle, for which the stream `bays` draws three phases.
    ///
    /// Parameters out of range are clamped to their range.
    pub fn draw(&self, size: MapSize, seed: u64) -> Vec<Hill> {
        let mut rng = SeededRng::new(seed, b"hills   ");
        let most = if self.island {
            half_of(size)
        } else {
            Hill::MAX_RADIUS
        };
        let [low, high] = [self.radius_min, self.radius_max]
            .map(|radius| units::from_cells(radius.clamp(0.0, most)));
        let radii = high.saturating_sub(low).max(0) as u64 + 1;
        let count = self.count.min(Self::MAX_COUNT);
        let bays = Bays::draw(self.bays.clamp(0.0, 1.0), seed);
        let draw_hill = |_| {
            let radius = low + rng.below(radii) as i32;
            if self.island {
                Hill::draw_on_island(&mut rng, size, radius, &bays)
            } else {
                Hill::draw_anywhere(&mut rng, size, radius)
            }
        };
        (0..count).map(draw_hill).collect()
    }

    /// Returns the sums of these hills, row by row, in units of 1/[`ONE`](Self::ONE) square cell. These are the heights
    /// before they are stretched to 0..1.
    ///
    /// The sums are exact, so the order of hills does not matter. They are 0 where there is no hill. Memory: twice that
    /// of a map.
    ///
    /// # Errors
    /// If there are more than [`MAX_COUNT`](Self::MAX_COUNT) hills, or the work is canceled.
    pub fn sum(
        size: MapSize,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Vec<i64>, GenerateError> {
        Self::validate_number(hills)?;
        Ok(sums::exact(&Parabolas::new(hills), size, progress)?)
    }

    /// The evaluation: sums these hills and stretches the map to 0..1. Without hills the map is 0 everywhere. The
    /// parameters of `self` are ignored.
    ///
    /// # Errors
    /// As for [`sum`](Self::sum).
    pub fn evaluate(
        &self,
        size: MapSize,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        Self::validate_number(hills)?;
        Ok(sums::normalized(&Parabolas::new(hills), size, progress)?)
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

    /// Measures the range of the sums on the whole map, in the memory of a few rows.
    pub(crate) fn normalization(
        size: MapSize,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Normalization, GenerateError> {
        Self::validate_number(hills)?;
        Ok(Normalization::measure(
            &Parabolas::new(hills),
            size,
            progress,
        )?)
    }

    /// The part of [`evaluate`](Self::evaluate)'s map within `region`, stretched with the normalization of
    /// the whole map.
    pub(crate) fn raise_in(
        region: MapRegion,
        normalization: &Normalization,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let near: Vec<Hill> = hills
            .iter()
            .filter_map(|hill| hill.in_region(region))
            .collect();
        Ok(normalization.heights(&Parabolas::new(&near), region.size(), progress)?)
    }

    fn validate_number(hills: &[Hill]) -> Result<(), ParamError> {
        let max = Self::MAX_COUNT as usize;
        let allowed = format_args!("at most {max}");
        ParamError::check(
            hills.len() <= max,
            Self::OWNER,
            "count",
            hills.len() as f64,
            allowed,
        )
    }
}

evaluate!(Hills, 0.04, self => Parts::Stretched(self));

impl Stretched for Hills {
    fn prepass(
        &self,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Normalization, GenerateError> {
        Self::normalization(world, &self.draw(world, seed), progress)
    }

    fn part(
        &self,
        region: MapRegion,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        Self::raise_in(region, normalization, &self.draw(world, seed), progress)
    }
}
