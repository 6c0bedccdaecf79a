//! A stretch to 0 to 1 that a few extreme cells can not spoil.
//!
//! Problem: one needle on a map of hills, and [`Normalize`](super::Filter::Normalize)
//! presses the hills flat.
//!
//! Idea: of all heights in order, the one at `low` percent becomes 0 and the one at `high`
//! percent becomes 1; what lies outside is clamped.
//!
//! ```text
//!   cells |      .-~~-.
//!         |    .'      '.               a needle
//!         |__.'__________'-.___________.
//!            |           |
//!            0           1
//! ```
//!
//! Cost: three counting passes ([`order`]) and one that stretches.
//!
//! Source: *contrast stretching* as image editors have it, e.g. Gonzalez and Woods,
//! *Digital Image Processing*, 2002.

use super::{levels, order};
use crate::{Cancelled, Heightmap, ParamError, Parameters, Progress, parameter::parameters};

parameters! {
    /// Stretches the heights between two percentiles to fill 0 to 1, and clamps the others.
    ///
    /// The height at `p` percent is the one of rank `p / 100 (cells - 1)`, rounded, from the
    /// lowest: 0 is the lowest, 50 the median and 100 the highest. When both are the same
    /// height, what is above it becomes 1 and all else 0.
    #[derive(Copy)]
    pub struct Stretch: "stretch" {
        /// The percentile that becomes 0.
        pub low: f64 = 1.0, limit "from 0 to high", unit "%", slider 0.0..=50.0;
        /// The percentile that becomes 1.
        pub high: f64 = 99.0, in 0.0..=100.0, unit "%", slider 50.0..=100.0;
    }
}

impl Stretch {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        ParamError::check_range(Self::OWNER, "low", self.low, 0.0, self.high)
    }

    /// The heights that become 0 and 1.
    pub(super) fn extremes(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<(f32, f32), Cancelled> {
        let last = (map.size().cells() - 1) as f64;
        let ranks = [self.low, self.high].map(|percent| (percent / 100.0 * last).round() as usize);
        let found = order::of_ranks(map, &ranks, progress)?;
        Ok((found[0], found[1]))
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let (low, high) = self.extremes(map, &progress.span(0.0, 0.8))?;
        let low = f64::from(low);
        let span = f64::from(high) - low;
        levels::each(map, &progress.span(0.8, 1.0), |z| {
            let above = f64::from(z) - low;
            if span > 0.0 {
                (above / span).clamp(0.0, 1.0) as f32
            } else {
                f32::from(u8::from(above > 0.0))
            }
        })
    }
}
