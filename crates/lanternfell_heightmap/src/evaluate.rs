//! How a generator makes its maps, or parts of them.

use crate::{GenerateError, Heightmap, MapSize, ParamError, Progress, Window, sums::Normalization};

/// How a generator's maps are made.
pub(crate) trait Evaluate {
    /// Checks every parameter on a map of this size.
    fn validate(&self, size: MapSize) -> Result<(), ParamError>;

    /// Makes the map of this seed.
    fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;

    /// How a part of the map is made alone.
    fn parts(&self) -> Parts<'_>;

    /// See [`Generator::sea_level`](crate::Generator::sea_level).
    fn sea_level(&self) -> f32;
}

/// How a part of a generator's map is made alone.
pub(crate) enum Parts<'a> {
    /// Its heights are functions of their places.
    Pointwise(&'a dyn Pointwise),
    /// Its sums are stretched to 0 to 1 by the lowest and the highest of the whole map.
    Stretched(&'a dyn Stretched),
    /// Not at all, for this reason.
    Whole(&'static str),
}

/// A generator that [`Parts::Pointwise`] describes.
pub(crate) trait Pointwise {
    /// The part of the seed's map that lies in the window.
    fn part(
        &self,
        window: Window,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let origin = (window.x() as i64, window.y() as i64);
        self.plane_part(origin, window.size(), world, seed, progress)
    }

    /// The rectangle whose north-west cell is at `origin` of the endless plane on which the seed's map
    /// of the world begins at (0, 0).
    fn plane_part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;

    /// Whether its map has a border that the plane has not.
    fn has_border(&self) -> bool {
        false
    }
}

/// A generator that [`Parts::Stretched`] describes.
pub(crate) trait Stretched {
    /// What has to be known of the whole map, in the memory of a few rows.
    fn prepass(
        &self,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Normalization, GenerateError>;

    /// The part of the seed's map that lies in the window, by what the prepass has found.
    fn part(
        &self,
        window: Window,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError>;
}

/// Implements [`Evaluate`] for a generator by its public methods.
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
