//! Decides what the numbers in a file mean: meters, or heights from 0 to 1 of a relief.
//!
//! Problem: many files hold elevations in meters without naming a unit, and many others hold heights from 0 to 1. A map
//! of a flat coast is within 0 to 1 m, so the numbers alone do not tell the two apart.
//!
//! The first row that applies decides:
//!
//! | what is known | the numbers are |
//! |---|---|
//! | [`ReadOptions::heights`](crate::ReadOptions::heights) | what it names |
//! | a sidecar, a scale or offset, a unit | as they describe |
//! | the format (ESRI ASCII grid, XYZ, SRTM, ESRI BIL and float grid, heights as colors of a PNG) | meters |
//! | signed or 32-bit integers | meters |
//! | a coordinate system or a georeference, in the file or [next to it](crate::AuxiliaryFile) | meters |
//! | a no-data value | meters |
//! | a number outside 0 to 1 | meters |
//! | nothing | 0 to 1 of the default relief, which is proportional to the cell size; integers are fractions of the largest |
//!
//! Programs that write 0 to 1 (painting programs, terrain editors) write neither a georeference nor a no-data value.
//! GDAL has no heights from 0 to 1 at all: it takes numbers as they are, unless there are a scale and an offset.

use std::fmt;

use crate::{ImportError, ReadHeights, ReadOptions};
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
use lanternfell_heightmap::MapFrame;
use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, ParamError};

/// A map that was read, and how the meaning of its numbers was determined.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMap {
    /// The map.
    pub model: ElevationModel,
    /// The meaning of the numbers in the file.
    pub meaning: Meaning,
}

/// How the meaning of the numbers in a file was determined.
///
/// `Display` describes the reason, for instance `the file has a coordinate system`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning {
    /// What determined the elevation.
    pub source: ElevationSource,
    /// The number in the file of a height of 1: the largest integer if integers are fractions of it, -1 if the signs of
    /// depths were flipped, and 1 otherwise.
    pub one: f32,
}

/// What determined the [`Elevation`] of a map that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElevationSource {
    /// [`ReadOptions::heights`](crate::ReadOptions::heights).
    Option,
    /// A sidecar, in the file or next to it.
    Sidecar,
    /// A scale or an offset.
    Scale,
    /// A unit.
    Unit,
    /// The format is only used for elevations in meters.
    Format,
    /// Signed integers and integers of 32 bits are no fractions.
    NumberType,
    /// A coordinate system.
    CoordinateSystem,
    /// A georeference without a coordinate system.
    Georeference,
    /// A no-data value.
    NoData,
    /// A number is outside 0 to 1.
    Range,
    /// Nothing. The heights are from 0 to 1, with the default relief.
    Default,
}

impl ElevationSource {
    /// Returns whether the numbers are meters for this reason alone, without a scale, a unit or an option.
    pub(crate) fn is_meters(self) -> bool {
        match self {
            Self::Option | Self::Sidecar | Self::Scale | Self::Unit | Self::Default => false,
            Self::Format
            | Self::NumberType
            | Self::CoordinateSystem
            | Self::Georeference
            | Self::NoData
            | Self::Range => true,
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.source {
            ElevationSource::Option => "set by an option",
            ElevationSource::Sidecar => "the file has a sidecar",
            ElevationSource::Scale => "the file has a scale or an offset",
            ElevationSource::Unit => "the file has a unit",
            ElevationSource::Format => "the format stores elevations",
            ElevationSource::NumberType => "the numbers are signed or 32-bit integers",
            ElevationSource::CoordinateSystem => "the file has a coordinate system",
            ElevationSource::Georeference => "the file has a georeference",
            ElevationSource::NoData => "the file has a no-data value",
            ElevationSource::Range => "some values are outside 0 to 1",
            ElevationSource::Default if self.one > 1.0 => {
                "integers without a unit, a georeference or a no-data value"
            }
            ElevationSource::Default => "no unit, no georeference, all values within 0 to 1",
        })
    }
}

impl Meaning {
    /// Decides the meaning of the numbers in a file. `in_file` is what in the file determines it. `largest` is the
    /// number of a height of 1 if integers may be fractions. `range` returns the range of the numbers.
    pub(crate) fn of(
        in_file: Option<ElevationSource>,
        largest: Option<f32>,
        options: &ReadOptions,
        range: impl FnOnce() -> (f32, f32),
    ) -> Result<Self, ImportError> {
        let is_outside = |number: &f64| *number < 0.0 || *number > 1.0;
        let source = match (options.heights, in_file) {
            (Some(heights), _) => {
                if heights == ReadHeights::Unit && largest.is_none() {
                    check_unit(range())?;
                }
                ElevationSource::Option
            }
            (None, Some(source)) => source,
            // Integers are never outside 0 to 1 as fractions, also not their no-data values.
            (None, None) if largest.is_some() => ElevationSource::Default,
            (None, None) if options.no_data.iter().any(is_outside) => ElevationSource::NoData,
            (None, None) => match Elevation::of_range(range()) {
                Some(_) => ElevationSource::Range,
                None => ElevationSource::Default,
            },
        };
        let is_fraction = !source.is_meters() && options.heights != Some(ReadHeights::Meters);
        let one = largest.filter(|_| is_fraction).unwrap_or(1.0);
        Ok(Self { source, one })
    }
}

impl Meaning {
    /// Returns whether integers must be read again as the numbers themselves, because a file next to the map showed
    /// that they are no fractions.
    pub fn needs_numbers(self) -> bool {
        let are_numbers = self.source.is_meters() || self.source == ElevationSource::Unit;
        are_numbers && self.one > 1.0
    }
}

impl ImportedMap {
    /// Applies the frame of a sidecar. Only an option overrides its elevation.
    #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
    pub(crate) fn apply_frame(&mut self, mut frame: MapFrame) {
        let model = &mut self.model;
        if self.meaning.source == ElevationSource::Option {
            (frame.elevation, frame.unit) = (model.frame.elevation, model.frame.unit);
            frame.elevation_is_explicit = model.frame.elevation_is_explicit;
        } else {
            self.meaning.source = ElevationSource::Sidecar;
        }
        if frame.elevation.relief < 0.0 {
            self.meaning.one = -self.meaning.one;
        }
        let flat = Heightmap::flat(model.size());
        *model = frame.of(std::mem::replace(&mut model.heights, flat));
    }

    /// Turns fractions of the largest integer into the integers of the file, if they turned out to be no fractions.
    pub(crate) fn restore_numbers(&mut self) {
        if !self.meaning.needs_numbers() {
            return;
        }
        let size = self.model.size();
        let one = std::mem::replace(&mut self.meaning.one, 1.0);
        let flat = Heightmap::flat(size);
        let heights = std::mem::replace(&mut self.model.heights, flat);
        // Exact: the error of a fraction is far less than half of an integer.
        let number = |z: f32| (z * one).round();
        let numbers = heights.into_heights().into_iter().map(number).collect();
        let heights = Heightmap::from_heights(size, numbers);
        self.model.heights = heights.expect("integers are finite");
    }
}

/// Returns an error if heights are not from 0 to 1.
fn check_unit((low, high): (f32, f32)) -> Result<(), ParamError> {
    for height in [low, high] {
        let (fine, height) = ((0.0..=1.0).contains(&height), height.into());
        let allowed = "from 0 to 1 to be read as a fraction of the relief";
        ParamError::check(fine, "read options", "a height", height, allowed)?;
    }
    Ok(())
}
