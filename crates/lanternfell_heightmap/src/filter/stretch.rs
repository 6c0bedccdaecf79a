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

use serde::{Deserialize, Serialize};

use super::{levels, order};
use crate::{Cancelled, Heightmap, ParamError, Progress};

/// Stretches the heights between two percentiles to fill 0 to 1, and clamps the others.
///
/// The height at `p` percent is the one of rank `p / 100 (cells - 1)`, rounded, from the
/// lowest: 0 is the lowest, 50 the median and 100 the highest. When both are the same
/// height, what is above it becomes 1 and all else 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stretch {
    /// The percentile that becomes 0; 1 by default; from 0 to `high`.
    pub low: f64,
    /// The percentile that becomes 1; 99 by default; up to 100.
    pub high: f64,
}

impl Default for Stretch {
    fn default() -> Self {
        Self {
            low: 1.0,
            high: 99.0,
        }
    }
}

impl Stretch {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range("stretch", "high", self.high, 0.0, 100.0)?;
        ParamError::check_range("stretch", "low", self.low, 0.0, self.high)
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let last = (map.size().cells() - 1) as f64;
        let ranks = [self.low, self.high].map(|percent| (percent / 100.0 * last).round() as usize);
        let found = order::of_ranks(map, &ranks, &progress.span(0.0, 0.8))?;
        let low = f64::from(found[0]);
        let span = f64::from(found[1]) - low;
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
