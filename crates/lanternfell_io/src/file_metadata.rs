//! Turns the metadata of a file into the frame of a map, and fills no-data cells.
//!
//! # Heights without a unit
//! If a file does not define the meaning of its heights, heights outside 0 to 1 are taken as meters. Heights from 0 to
//! 1 are fractions of the default relief, which is proportional to the cell size.

use crate::{Fill, ImportError, gaps};
use lanternfell_heightmap::{
    Elevation, ElevationModel, GeoReference, Heightmap, LengthUnit, MapFrame, MapSize, Scenery,
};

/// The metadata that a file contains in addition to its heights.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileMetadata {
    /// Converts the heights to meters.
    pub(super) elevation: Option<Elevation>,
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
    #[cfg(feature = "exr")]
    Whole(MapFrame),
    /// Parts of it.
    Parts(FileMetadata),
}

impl StoredFrame {
    /// Returns the frame of a map of this size. `range` computes the range of the heights as stored in the file.
    pub(super) fn frame(self, size: MapSize, range: impl FnOnce() -> (f32, f32)) -> MapFrame {
        match self {
            #[cfg(feature = "exr")]
            Self::Whole(frame) => frame,
            Self::Parts(metadata) => metadata.frame(size, range),
        }
    }

    /// Returns whether larger numbers mean lower terrain.
    pub(super) fn is_downward(&self) -> bool {
        let elevation = match self {
            #[cfg(feature = "exr")]
            Self::Whole(frame) => Some(frame.elevation),
            Self::Parts(metadata) => metadata.elevation,
        };
        elevation.is_some_and(|elevation| elevation.relief < 0.0)
    }

    /// Returns the map of these heights.
    pub(super) fn of(self, heights: Heightmap) -> ElevationModel {
        self.frame(heights.size(), || heights.range()).of(heights)
    }
}

impl FileMetadata {
    /// Returns the map of these heights.
    pub(super) fn of(self, heights: Heightmap) -> ElevationModel {
        StoredFrame::Parts(self).of(heights)
    }

    fn frame(self, size: MapSize, range: impl FnOnce() -> (f32, f32)) -> MapFrame {
        let default = MapFrame::of_size(size);
        let frame = MapFrame {
            unit: (!self.are_values).then(|| self.unit.unwrap_or_default()),
            no_data: self.no_data,
            place: self.place.unwrap_or(default.place),
            place_is_explicit: self.place.is_some(),
            ..default
        };
        let is_meters = || {
            let (low, high) = range();
            (low < 0.0 || high > 1.0).then_some(Elevation::METERS)
        };
        let frame = match self.elevation.or_else(is_meters) {
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

/// Returns a map of heights that were read, with no-data cells filled. Returns an error if a height is not finite.
pub(super) fn filled(
    size: MapSize,
    mut heights: Vec<f32>,
    no_data: Option<f32>,
    fill: Option<Fill>,
) -> Result<Heightmap, ImportError> {
    let is_no_data = |z: f32| is_gap(z, no_data, None);
    let is_gap = |z: f32| is_gap(z, no_data, fill);
    match fill {
        None => {
            if let Some(cell) = heights.iter().position(|&z| is_no_data(z)) {
                let (column, row) = (cell % size.width(), cell / size.width());
                return Err(ImportError::Gap { column, row });
            }
        }
        Some(Fill::Height(height)) => {
            for z in heights.iter_mut().filter(|z| is_gap(**z)) {
                *z = height;
            }
        }
        Some(Fill::Interpolate) => gaps::interpolate(&mut heights, size, is_gap)?,
    }
    crate::finite(size, heights)
}

/// Returns whether `z` marks a cell without a height.
pub(super) fn is_gap(z: f32, no_data: Option<f32>, fill: Option<Fill>) -> bool {
    let is_no_data = no_data.is_some_and(|gap| z == gap || (z.is_nan() && gap.is_nan()));
    // Many programs write NaN as no-data value without declaring it. NaN counts as a gap only if gaps are filled, and
    // otherwise is an error.
    is_no_data || (fill.is_some() && z.is_nan())
}
