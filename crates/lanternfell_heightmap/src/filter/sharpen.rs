//! Sharpening: what a blur would take away is added instead.
//!
//! ```text
//!   z           __         z + amount (z - blurred)     .__
//!             .'                                       .
//!   blurred  .'                                       .
//!         __.'                                     __.
//!                                                    '
//! ```
//!
//! Cost: a Gaussian blur and one pass; two maps of memory.
//!
//! Source: the *unsharp mask* of photography; Gonzalez and Woods, *Digital Image
//! Processing*, 2002.

use serde::{Deserialize, Serialize};

use super::{finite, smooth};
use crate::{Cancelled, Heightmap, ParamError, Progress, rows};

/// `z + amount (z - blurred z)`: deeper valleys, sharper crests. Heights may leave the
/// range that they had.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sharpen {
    /// The size of what is sharpened: the standard deviation of the blur, in cells; from
    /// 0 to 1024; 2 by default.
    pub sigma: f64,
    /// How much; 0 changes nothing; from 0 to 100; 0.5 by default.
    pub amount: f64,
}

impl Default for Sharpen {
    fn default() -> Self {
        Self {
            sigma: 2.0,
            amount: 0.5,
        }
    }
}

impl Sharpen {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        let most = f64::from(smooth::Smooth::MAX_REACH);
        ParamError::check_range("sharpen", "sigma", self.sigma, 0.0, most)?;
        ParamError::check_range("sharpen", "amount", self.amount, 0.0, 100.0)
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let width = map.width();
        let mut blurred = map.clone();
        smooth::blur(&mut blurred, self.sigma, &progress.span(0.0, 0.8))?;
        let progress = &progress.span(0.8, 1.0);
        rows::for_each_row(map.heights_mut(), width, progress, |y, row| {
            for (z, &blurred) in row.iter_mut().zip(blurred.row(y)) {
                let here = f64::from(*z);
                *z = finite(here + self.amount * (here - f64::from(blurred)));
            }
        })
    }
}
