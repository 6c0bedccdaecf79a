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

use super::{MAX_HEIGHT, finite};
use crate::{Cancelled, Heightmap, ParamError, Parameters, Progress, parameter::parameters, rows};

parameters! {
    /// Heights below `min` become `min`, those above `max` become `max`.
    #[derive(Copy)]
    pub struct Clamp: "clamp" {
        /// The lowest height that stays.
        pub min: f64 = 0.0, limit "from -1000000 to max", slider 0.0..=1.0;
        /// The highest height that stays.
        pub max: f64 = 1.0, in -1e6..=1e6, slider 0.0..=1.0;
    }
}

impl Clamp {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        ParamError::check_range(Self::OWNER, "min", self.min, -MAX_HEIGHT, self.max)
    }

    pub(super) fn apply(&self, map: &mut Heightmap, progress: &Progress) -> Result<(), Cancelled> {
        let (min, max) = (self.min as f32, self.max as f32);
        each(map, progress, |z| z.max(min).min(max))
    }
}

parameters! {
    /// `scale z + offset`.
    #[derive(Copy)]
    pub struct Linear: "linear" {
        /// What each height is multiplied by.
        pub scale: f64 = 1.0, in -1e6..=1e6, slider 0.0..=2.0;
        /// What is added then.
        pub offset: f64 = 0.0, in -1e6..=1e6, slider -1.0..=1.0;
    }
}

impl Linear {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
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
