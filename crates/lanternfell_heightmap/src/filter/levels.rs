//! Filters that change each height by itself, without a look at any other.
//!
//! ```text
//!  Clamp         Linear         Invert         Turbulence      Gamma
//!    .---          /  /         \                \    /               /
//!   /             /  /            \               \  /              .'
//!  '             /  /               \              \/          __..-
//! ```
//!
//! Each costs one pass over the map, row by row on every core, and no memory.
//!
//! Sources: libtcod's heightmap toolkit (clamp, add, scale); THREE.Terrain's filters
//! (clamp, turbulence); Nystrom, *Hill Algorithm*, 2001 (flattening).

use serde::{Deserialize, Serialize};

use super::{MAX_HEIGHT, finite};
use crate::{Cancelled, Heightmap, ParamError, Progress, rows};

/// Heights below `min` become `min`, those above `max` become `max`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clamp {
    /// The lowest height that stays; 0 by default; from -1,000,000 to `max`.
    pub min: f64,
    /// The highest height that stays; 1 by default; up to 1,000,000.
    pub max: f64,
}

impl Default for Clamp {
    fn default() -> Self {
        Self { min: 0.0, max: 1.0 }
    }
}

impl Clamp {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range("clamp", "max", self.max, -MAX_HEIGHT, MAX_HEIGHT)?;
        ParamError::check_range("clamp", "min", self.min, -MAX_HEIGHT, self.max)
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let (min, max) = (self.min as f32, self.max as f32);
        each(map, progress, |z| z.max(min).min(max))
    }
}

/// `scale z + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Linear {
    /// What each height is multiplied by; 1 by default; from -1,000,000 to 1,000,000.
    pub scale: f64,
    /// What is added then; 0 by default; from -1,000,000 to 1,000,000.
    pub offset: f64,
}

impl Default for Linear {
    fn default() -> Self {
        Self {
            scale: 1.0,
            offset: 0.0,
        }
    }
}

impl Linear {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        ParamError::check_range("linear", "scale", self.scale, -MAX_HEIGHT, MAX_HEIGHT)?;
        ParamError::check_range("linear", "offset", self.offset, -MAX_HEIGHT, MAX_HEIGHT)
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let Self { scale, offset } = *self;
        each(map, progress, |z| finite(scale * f64::from(z) + offset))
    }
}

/// `1 - z`.
pub(super) fn invert(map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
    each(map, progress, |z| 1.0 - z)
}

/// `|z - middle| / max(middle, 1 - middle)`: folded up where it was below the middle, and
/// still from 0 to 1. Valleys as sharp as creases; inverted, crests.
pub(super) fn turbulence(
    map: &mut Heightmap,
    middle: f64,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let reach = middle.max(1.0 - middle);
    each(map, progress, |z| {
        finite((f64::from(z) - middle).abs() / reach)
    })
}

/// Each height to this power, which is above 1; finite whatever the height.
pub(super) fn gamma(map: &mut Heightmap, power: f64, progress: &Progress) -> Result<(), Cancelled> {
    each(map, progress, |z| {
        let raised = libm::pow(f64::from(z.max(0.0)), power);
        raised.min(f64::from(f32::MAX)) as f32
    })
}

/// Changes each height by itself.
pub(super) fn each(
    map: &mut Heightmap,
    progress: &Progress,
    change: impl Fn(f32) -> f32 + Sync + Send,
) -> Result<(), Cancelled> {
    let band = rows::band(map.width());
    rows::for_each_row(map.heights_mut(), band, progress, |_, cells| {
        for z in cells {
            *z = change(*z);
        }
    })
}
