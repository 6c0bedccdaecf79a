//! Filters that change each height independently of the others.
//!
//! ```text
//!  Clamp         Linear         Invert         Turbulence      Gamma
//!    .---          /  /         \                \    /               /
//!   /             /  /            \               \  /              .'
//!  '             /  /               \              \/          __..-
//! ```
//!
//! Cost: one pass over the map, row by row on all cores, and no additional memory.
//!
//! Sources: libtcod's heightmap toolkit (clamp, add, scale); THREE.Terrain's filters (clamp,
//! turbulence); Nystrom, *Hill Algorithm*, 2001 (flattening).

use super::{
    Filter, MAX_HEIGHT,
    apply::Apply,
    finite,
    part::{Known, Locality},
};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress,
    Scale, parameter::parameters, rows,
};

parameters! {
    /// Clamps heights to the range from `min` to `max`.
    #[derive(Copy)]
    pub struct Clamp: "clamp" {
        /// The lower bound.
        pub min: f64 = 0.0, limit "from -1000000 to max", slider 0.0..=1.0;
        /// The upper bound.
        pub max: f64 = 1.0, in -1e6..=1e6, slider 0.0..=1.0;
    }
}

impl Apply for Clamp {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        ParamError::check_range(Self::OWNER, "min", self.min, -MAX_HEIGHT, self.max)
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let (min, max) = (self.min as f32, self.max as f32);
        Ok(each(map, progress, |z| z.max(min).min(max))?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(0)
    }
}

parameters! {
    /// Multiplies each height and adds an offset: `scale z + offset`.
    #[derive(Copy)]
    pub struct Linear: "linear" {
        /// The factor for each height.
        pub scale: f64 = 1.0, in -1e6..=1e6, slider 0.0..=2.0;
        /// The height that is added after scaling.
        pub offset: f64 = 0.0, in -1e6..=1e6, slider -1.0..=1.0;
    }
}

impl Apply for Linear {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let Self { scale, offset } = *self;
        Ok(each(map, progress, |z| {
            finite(scale * f64::from(z) + offset)
        })?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(0)
    }
}

/// Stretches the heights to fill 0 to 1. A flat map becomes 0 everywhere.
pub(super) struct Normalize;

impl Apply for Normalize {
    fn validate(&self) -> Result<(), ParamError> {
        Ok(())
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(map.normalize_with(progress)?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::Stretched
    }

    fn apply_part(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        known: Known<'_>,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(map.stretch(known.range, progress)?)
    }

    fn stretches(
        &self,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Option<(f32, f32)>, Canceled> {
        map.range_with(progress).map(Some)
    }

    fn bounds(&self, _range: (f32, f32), _before: Option<(f32, f32)>) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }
}

/// `1 - z`.
pub(super) struct Invert;

impl Apply for Invert {
    fn validate(&self) -> Result<(), ParamError> {
        Ok(())
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        Ok(each(map, progress, |z| 1.0 - z)?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(0)
    }
}

/// `|z - middle| / max(middle, 1 - middle)`: folds heights below the middle upwards. Heights from 0
/// to 1 stay in that range. The fold makes sharp valleys, or sharp ridges after [`Invert`].
pub(super) struct Turbulence(pub(super) f64);

impl Apply for Turbulence {
    fn validate(&self) -> Result<(), ParamError> {
        Filter::Turbulence(self.0).check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let middle = self.0;
        let reach = middle.max(1.0 - middle);
        Ok(each(map, progress, |z| {
            finite((f64::from(z) - middle).abs() / reach)
        })?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(0)
    }
}

/// Raises each height to this power. The result is finite for every height.
pub(super) struct Gamma(pub(super) f64);

impl Apply for Gamma {
    fn validate(&self) -> Result<(), ParamError> {
        Filter::Gamma(self.0).check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        if self.0 == 1.0 {
            return Ok(progress.step(1, 1)?);
        }
        Ok(each(map, progress, |z| {
            let raised = libm::pow(f64::from(z.max(0.0)), self.0);
            raised.min(f64::from(f32::MAX)) as f32
        })?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        Locality::exact(0)
    }
}

/// Applies `change` to each height.
pub(super) fn each(
    map: &mut Heightmap,
    progress: &Progress,
    change: impl Fn(f32) -> f32 + Sync + Send,
) -> Result<(), Canceled> {
    let band = rows::band(map.width());
    rows::for_each_row(map.heights_mut(), band, progress, |_, cells| {
        for z in cells {
            *z = change(*z);
        }
    })
}
