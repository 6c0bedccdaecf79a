//! Turns the numbers and the metadata of a file into a map: decides what the numbers mean (`meaning.rs`), and fills
//! no-data cells.

use crate::{ElevationSource, Fill, ImportError, Meaning, ReadHeights, ReadOptions, gaps};
use lanternfell_heightmap::{
    Elevation, GeoReference, Heightmap, LengthUnit, MapFrame, MapSize, Scenery,
};

/// The metadata that a file contains in addition to its heights.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileMetadata {
    /// Converts the heights to meters.
    pub(super) elevation: Option<Elevation>,
    /// What determined `elevation`. The default is the format.
    pub(super) source: Option<ElevationSource>,
    pub(super) unit: Option<LengthUnit>,
    /// The no-data value.
    pub(super) no_data: Option<f64>,
    pub(super) place: Option<GeoReference>,
    pub(super) scenery: Scenery,
    /// The numbers are not heights and have no unit of length.
    pub(super) are_values: bool,
}

/// The part of a map's frame that a file contains.
pub(super) enum StoredFrame {
    /// The whole frame, from an embedded sidecar.
    #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
    Whole(MapFrame),
    /// Parts of it.
    Parts(FileMetadata),
}

impl StoredFrame {
    /// Returns what in the file determines the elevation, or `None` if only the numbers can.
    pub(super) fn elevation_source(&self) -> Option<ElevationSource> {
        match self {
            #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
            Self::Whole(_) => Some(ElevationSource::Sidecar),
            Self::Parts(metadata) => metadata.elevation_source(),
        }
    }

    /// Returns what the numbers mean. `range` returns the range of the numbers, if only that can tell.
    pub(super) fn meaning(
        &self,
        largest: Option<f32>,
        options: &ReadOptions,
        range: impl FnOnce() -> (f32, f32),
    ) -> Result<Meaning, ImportError> {
        let mut meaning = Meaning::of(self.elevation_source(), largest, options, range)?;
        if self.is_downward(options) {
            meaning.one = -meaning.one;
        }
        Ok(meaning)
    }

    /// Returns the frame of a map of this size.
    pub(super) fn frame(self, size: MapSize, meaning: Meaning, options: &ReadOptions) -> MapFrame {
        let mut frame = match self {
            #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
            Self::Whole(frame) => frame,
            Self::Parts(metadata) => metadata.frame(size, meaning),
        };
        let declared = options.no_data.iter().copied();
        frame.no_data = frame
            .no_data
            .or_else(|| declared.clone().find(|number| number.is_finite()));
        override_elevation(&mut frame, size, options.heights);
        frame
    }

    /// Returns whether larger numbers mean lower terrain.
    pub(super) fn is_downward(&self, options: &ReadOptions) -> bool {
        let elevation = match self {
            #[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
            Self::Whole(frame) => Some(frame.elevation),
            Self::Parts(metadata) => metadata.elevation,
        };
        options.heights.is_none() && elevation.is_some_and(|elevation| elevation.relief < 0.0)
    }
}

/// Replaces the elevation if the user has chosen what the numbers mean.
fn override_elevation(frame: &mut MapFrame, size: MapSize, heights: Option<ReadHeights>) {
    let Some(heights) = heights else {
        return;
    };
    frame.unit = frame.unit.map(|_| LengthUnit::Meter);
    match heights {
        ReadHeights::Meters => {
            (frame.elevation, frame.elevation_is_explicit) = (Elevation::METERS, true);
        }
        ReadHeights::Unit => *frame = frame.with_default_relief(size),
    }
}

impl FileMetadata {
    /// Returns what in the file determines the elevation, or `None` if only the numbers can.
    pub(super) fn elevation_source(&self) -> Option<ElevationSource> {
        let place = self.place.as_ref();
        if self.elevation.is_some() {
            Some(self.source.unwrap_or(ElevationSource::Format))
        } else if place.is_some_and(|place| place.system.is_some()) {
            Some(ElevationSource::CoordinateSystem)
        } else if place.is_some() {
            Some(ElevationSource::Georeference)
        } else {
            self.no_data.map(|_| ElevationSource::NoData)
        }
    }

    fn frame(self, size: MapSize, meaning: Meaning) -> MapFrame {
        let default = MapFrame::of_size(size);
        let frame = MapFrame {
            unit: (!self.are_values).then(|| self.unit.unwrap_or_default()),
            no_data: self.no_data,
            place: self.place.unwrap_or(default.place),
            place_is_explicit: self.place.is_some(),
            ..default
        };
        let meters = meaning.source.is_meters().then_some(Elevation::METERS);
        let frame = match self.elevation.or(meters) {
            Some(elevation) => MapFrame {
                elevation,
                elevation_is_explicit: true,
                ..frame
            },
            None => frame.with_default_relief(size),
        };
        let scenery = self.scenery;
        MapFrame { scenery, ..frame }
    }
}

/// Returns the map of these heights. Cells that are NaN or infinite have no height and are filled.
///
/// # Errors
/// - [`ImportError::Gap`] or [`ImportError::NotFinite`] without a `fill`, if a cell has no height.
/// - [`ImportError::Malformed`] with [`Fill::Interpolate`], if no cell has a height.
/// - [`ImportError::Length`] if there are not as many heights as cells.
pub fn fill_gaps(
    size: MapSize,
    heights: Vec<f32>,
    fill: Option<Fill>,
) -> Result<Heightmap, ImportError> {
    let (expected, found) = (size.cells() as u64, heights.len() as u64);
    if expected != found {
        return Err(ImportError::Length { expected, found });
    }
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    Gaps::of(Some(f32::NAN), &options).fill(size, heights)
}

/// Which cells have no height, and how to fill them.
pub(super) struct Gaps<'a> {
    declared: Option<f32>,
    more: &'a [f64],
    fill: Option<Fill>,
}

impl<'a> Gaps<'a> {
    /// `declared` is the no-data value of the file.
    pub(super) fn of(declared: Option<f32>, options: &'a ReadOptions) -> Self {
        Self {
            declared,
            more: &options.no_data,
            fill: options.fill,
        }
    }

    /// Returns whether a number marks a cell without a height.
    pub(super) fn contain(&self, number: f32) -> bool {
        let mut more = self.more.iter().map(|&gap| gap as f32);
        // Many programs write NaN, and some write infinity, without declaring it. Such numbers count as gaps only if
        // gaps are filled, and otherwise are an error.
        self.declared.is_some_and(|gap| is_same(number, gap))
            || more.any(|gap| is_same(number, gap))
            || (self.fill.is_some() && !number.is_finite())
    }

    /// The gaps after they were [marked](Self::mark).
    pub(super) fn marked(self) -> Self {
        Self {
            declared: None,
            more: &[],
            ..self
        }
    }

    /// Replaces the numbers of all gaps by NaN. Returns an error if there is a gap, and it is not filled.
    pub(super) fn mark(&self, size: MapSize, numbers: &mut [f32]) -> Result<(), ImportError> {
        for (cell, number) in numbers.iter_mut().enumerate() {
            if self.contain(*number) {
                if self.fill.is_none() {
                    return Err(gap_at(cell, size));
                }
                *number = f32::NAN;
            }
        }
        Ok(())
    }

    /// Returns the map of these heights, with gaps filled. Returns an error if a height is not finite.
    pub(super) fn fill(
        &self,
        size: MapSize,
        mut heights: Vec<f32>,
    ) -> Result<Heightmap, ImportError> {
        match self.fill {
            None => {
                if let Some(cell) = heights.iter().position(|&z| self.contain(z)) {
                    return Err(gap_at(cell, size));
                }
            }
            Some(Fill::Height(height)) => {
                for z in heights.iter_mut().filter(|z| self.contain(**z)) {
                    *z = height;
                }
            }
            Some(Fill::Interpolate) => {
                gaps::interpolate(&mut heights, size, |z| self.contain(z))?;
            }
        }
        crate::finite(size, heights)
    }
}

fn gap_at(cell: usize, size: MapSize) -> ImportError {
    let (column, row) = (cell % size.width(), cell / size.width());
    ImportError::Gap { column, row }
}

/// Returns whether a number is the no-data value.
///
/// No-data values are stored as text, often with fewer digits than the number: `-3.40282e+38` for the lowest `f32`.
/// GDAL therefore compares `f32` with a tolerance of two units of `f32::EPSILON`, relative to the sum of both. The sum
/// of two numbers close to the largest `f32` overflows, so that all numbers of this size are the same, which this relies
/// on like GDAL.
///
/// Source: GDAL, `gcore/gdal_priv.h`, `ARE_REAL_EQUAL`, and `gcore/gdalnodatamaskband.cpp`.
fn is_same(number: f32, gap: f32) -> bool {
    number == gap
        || (number.is_nan() && gap.is_nan())
        || (number - gap).abs() < 2.0 * f32::EPSILON * (number + gap).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of GDAL 3.6 for a mask of `f32` (`tests/verify/gdal.py` of the tool compares them again).
    #[test]
    fn compares_no_data_like_gdal() {
        for (number, gap, expected) in [
            (f32::MIN, -3.40282e38, true),
            (f32::MIN, -3.402_823e38, true),
            (f32::MIN, -3.4e38, true),
            (f32::MAX, -3.40282e38, false),
            (-9999.0, -9999.004, true),
            (-9999.0, -9999.01, false),
            (-32_768.0, -32_767.0, false),
            (0.0, 1e-30, false),
            (1e-30, 0.0, false),
            (f32::NEG_INFINITY, f32::NEG_INFINITY, true),
            (f32::NEG_INFINITY, f32::MIN, false),
            (f32::NAN, f32::NAN, true),
            (f32::NAN, -9999.0, false),
            (-9999.0, f32::NAN, false),
        ] {
            assert_eq!(is_same(number, gap), expected, "{number}, {gap}");
        }
    }
}
