//! The hill algorithm: hundreds of round hills, one on top of another.
//!
//! Problem: rolling ground, or an island in the sea, that looks soft everywhere.
//!
//! Idea: a hill is a paraboloid, `r^2 - (x - cx)^2 - (y - cy)^2` where that is positive.
//! One looks like an upturned bowl; hundreds of them, each of another size, overlap into
//! ridges and saddles:
//!
//! ```text
//!      one hill             some hills                many
//!        .--.                .--.  .-.              .-~~--.  .-.
//!   ____/    \____      ____/    \/   \____     ___/       ~~   \__
//! ```
//!
//! Steps: draw the hills; sum them, in whole numbers; stretch the sums to 0..1. Along a
//! row a hill is a parabola over an interval, so the sum needs a few additions where the
//! intervals begin and end, not one per cell of every hill (the module `parabolas`).
//!
//! As an island, hills lie within an ellipse so that none reaches the map's edge: the
//! whole outer edge is 0, and a sea slightly above 0 makes a coast.
//!
//! Cost: O(N r + W H) for N hills of radius r; scratch of a few rows per thread.
//!
//! Source: Nystrom, *Hill Algorithm*, robot-frog, 2001. The article's island is off by
//! half a cell, and its eastern and southern edge are not 0; this one is centered. Its
//! last step, the flattening, is a filter of the recipe:
//! [`Filter`](crate::Filter).

mod bays;
mod hill;
mod parabolas;

use self::{bays::Bays, parabolas::Parabolas};
use crate::{
    GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, SeededRng,
    evaluate::{Parts, Stretched, evaluate},
    parameter::{self, parameters},
    sums::{self, Normalization},
    units,
    window::Window,
};

pub use self::hill::Hill;

parameters! {
    /// Heights by overlapping hills.
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
        /// How many hills.
        pub count: u32 = 200, in 1..=1_000_000, slider 1..=5000 log;
        /// The smallest radius; as an island at most half of the map's shorter side.
        pub radius_min: f64 = 2.0, limit "from 0 to radius_max", unit "cells", slider 0.5..=200.0;
        /// The largest radius; on an island no hill is larger than half of the map's shorter side,
        /// from the first cell to the last.
        pub radius_max: f64 = 40.0, in 0.0..=8192.0, unit "cells", slider 1.0..=500.0;
        /// Whether no hill may reach the map's edge.
        ///
        /// The centers lie within the ellipse that fits the map, closer to its middle the larger
        /// a hill is, and densest in the middle.
        pub island: bool = false;
        /// How deep bays cut into an island, as a share of the way to its middle: at 0 its coast is
        /// round.
        pub bays: f64 = 0.0, in 0.0..=1.0;
    }
}

/// Half of a map's shorter side, from the first cell to the last.
fn half_of(size: MapSize) -> f64 {
    0.5 * (size.shorter_side() - 1) as f64
}

impl Hills {
    /// The most hills. So many of the largest radius sum to less than 2^62.
    pub const MAX_COUNT: u32 = parameter::most(Self::PARAMETERS, "count") as u32;

    /// What a square cell, the unit of a paraboloid's height, is in [`sum`](Self::sum).
    pub const ONE: i64 = (Hill::CELL as i64) * (Hill::CELL as i64);

    /// Checks every parameter against its range on a map of this size.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
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
    /// The stream's purpose is `hills`. In order, for each hill: its radius, a whole
    /// number of 1/256 cells from `radius_min` to `radius_max`, both included; then
    /// - plain: x and y of its center, whole numbers of 1/256 cells from `-r` to
    ///   `size + r`, so that hills hang over the border;
    /// - island: an angle in `[0, 2 pi)` and a share `u` in `[0, 1)` of the way from the
    ///   map's true center. The offset along x is `cos(angle) u (half - r)`, `half`
    ///   being half the map's width from the first cell to the last, and with the sine
    ///   and the height along y; both cut towards the center to 1/256 of a cell. With
    ///   [`bays`](field@Self::bays) `u` is times the island's reach at that angle, of which the stream
    ///   for `bays` draws three phases.
    ///
    /// Parameters outside their range are drawn as the nearest that is inside.
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

    /// Sums these hills: the heights before they are stretched to 0..1, row by row, in
    /// units of 1/[`ONE`](Self::ONE) square cell. Exact, in any order of the hills, and 0
    /// where none reaches. Takes twice the memory of a map.
    ///
    /// # Errors
    /// When there are more than [`MAX_COUNT`](Self::MAX_COUNT) hills, or the work was
    /// cancelled.
    pub fn sum(
        size: MapSize,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Vec<i64>, GenerateError> {
        Self::validate_number(hills)?;
        Ok(sums::exact(&Parabolas::new(hills), size, progress)?)
    }

    /// The evaluation: raises these hills and stretches the map to 0..1. Without hills it is all
    /// 0. The parameters of [`Hills`] play no part.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    pub fn evaluate(
        &self,
        size: MapSize,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        Self::validate_number(hills)?;
        Ok(sums::normalized(&Parabolas::new(hills), size, progress)?)
    }

    /// Makes the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// When a parameter is outside its range, or the work was cancelled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        self.evaluate(size, &self.draw(size, seed), progress)
    }

    /// How low and high these hills get on the whole of a map, in the memory of a few rows.
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

    /// The part of [`evaluate`](Self::evaluate)'s map that lies in the window, by the normalization of the
    /// whole.
    pub(crate) fn raise_in(
        window: Window,
        normalization: &Normalization,
        hills: &[Hill],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let near: Vec<Hill> = hills
            .iter()
            .filter_map(|hill| hill.in_window(window))
            .collect();
        Ok(normalization.heights(&Parabolas::new(&near), window.size(), progress)?)
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
        window: Window,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        Self::raise_in(window, normalization, &self.draw(world, seed), progress)
    }
}
