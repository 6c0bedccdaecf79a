//! The internal interface of generators: how they make maps, and parts of maps.

use crate::{
    GenerateError, Heightmap, MapRegion, MapSize, ParamError, Progress, sums::Normalization,
};

/// A generator, as [`Generator`](crate::Generator) calls it.
pub(crate) trait Evaluate {
    /// Checks every parameter for a map of this size.
    fn validate(&self, size: MapSize) -> Result<(), ParamError>;

    /// Generates the map of this seed.
    fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;

    /// How parts of the map can be made without the whole.
    fn parts(&self) -> Parts<'_>;

    /// See [`Generator::sea_level`](crate::Generator::sea_level).
    fn sea_level(&self) -> f32;
}

/// How parts of a generator's map can be made without the whole.
pub(crate) enum Parts<'a> {
    /// Each height is a function of its position.
    Pointwise(&'a dyn Pointwise),
    /// The heights are sums, stretched to 0 to 1 by the extremes of the whole map.
    Stretched(&'a dyn Stretched),
    /// Not at all. The text is the reason, for error messages.
    Whole(&'static str),
}

/// A generator whose heights are functions of their positions.
pub(crate) trait Pointwise {
    /// The part of the seed's map within `region`.
    fn part(
        &self,
        region: MapRegion,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let origin = (region.x() as i64, region.y() as i64);
        self.plane_part(origin, region.size(), world, seed, progress)
    }

    /// The rectangle of this size whose north-west cell is at `origin` on the endless noise plane. The seed's map of
    /// the world begins at (0, 0) on that plane.
    fn plane_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;

    /// Whether the map has a border effect (a mask) that an endless plane cannot have.
    fn has_border(&self) -> bool {
        false
    }
}

/// A generator whose heights are sums that are stretched by the extremes of the whole map.
pub(crate) trait Stretched {
    /// Measures the whole map, in the memory of a few rows.
    fn prepass(
        &self,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Normalization, GenerateError>;

    /// The part of the seed's map within `region`, stretched with what the prepass measured.
    fn part(
        &self,
        region: MapRegion,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;
}

/// Implements [`Evaluate`] for a generator by calling its public methods.
macro_rules! evaluate {
    ($type:ident, $sea_level:expr, $self:ident => $parts:expr) => {
        impl $crate::evaluate::Evaluate for $type {
            fn validate(&self, size: $crate::MapSize) -> Result<(), $crate::ParamError> {
                self.validate(size)
            }

            fn generate(
                &self,
                size: $crate::MapSize,
                seed: u64,
                progress: &$crate::Progress,
            ) -> Result<$crate::Heightmap, $crate::GenerateError> {
                self.generate(size, seed, progress)
            }

            fn parts(&$self) -> $crate::evaluate::Parts<'_> {
                $parts
            }

            fn sea_level(&self) -> f32 {
                $sea_level
            }
        }
    };
}
pub(crate) use evaluate;
