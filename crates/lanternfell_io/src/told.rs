//! From what a file tells beside its heights to the frame of the map, and from gaps to ground.
//!
//! # What heights are when the file does not say
//! Numbers beyond 0 to 1 are metres. From 0 to 1 they are parts of a relief that nobody said:
//! of the default one, in proportion to how wide the cells are.

use crate::{Fill, ImportError, gaps};
use lanternfell_heightmap::{
    Elevation, ElevationModel, GeoReference, Heightmap, LengthUnit, MapFrame, MapSize, Scenery,
};

/// What a file tells beside its heights.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Told {
    /// From the heights to metres.
    pub(super) elevation: Option<Elevation>,
    pub(super) unit: Option<LengthUnit>,
    /// The number for "no height".
    pub(super) no_data: Option<f64>,
    pub(super) place: Option<GeoReference>,
    pub(super) scenery: Scenery,
    /// The numbers are no heights, and in no length.
    pub(super) are_values: bool,
}

/// What a file tells of its map's frame.
pub(super) enum FrameTold {
    /// All of it, in a sidecar that it carries.
    #[cfg(feature = "exr")]
    Whole(MapFrame),
    /// Some of it.
    Parts(Told),
}

impl FrameTold {
    /// The frame of a map of that size, whose heights have that range as they stand in the file.
    pub(super) fn frame(self, size: MapSize, range: impl FnOnce() -> (f32, f32)) -> MapFrame {
        match self {
            #[cfg(feature = "exr")]
            Self::Whole(frame) => frame,
            Self::Parts(told) => told.frame(size, range),
        }
    }

    /// Whether higher numbers are lower ground.
    pub(super) fn is_downward(&self) -> bool {
        let elevation = match self {
            #[cfg(feature = "exr")]
            Self::Whole(frame) => Some(frame.elevation),
            Self::Parts(told) => told.elevation,
        };
        elevation.is_some_and(|elevation| elevation.relief < 0.0)
    }

    /// The map of heights about which so much was told.
    pub(super) fn of(self, heights: Heightmap) -> ElevationModel {
        self.frame(heights.size(), || heights.range()).of(heights)
    }
}

impl Told {
    /// The map of heights about which so much was told.
    pub(super) fn of(self, heights: Heightmap) -> ElevationModel {
        FrameTold::Parts(self).of(heights)
    }

    fn frame(self, size: MapSize, range: impl FnOnce() -> (f32, f32)) -> MapFrame {
        let default = MapFrame::of_size(size);
        let frame = MapFrame {
            unit: (!self.are_values).then(|| self.unit.unwrap_or_default()),
            no_data: self.no_data,
            place: self.place.unwrap_or(default.place),
            place_is_said: self.place.is_some(),
            ..default
        };
        let is_metres = || {
            let (low, high) = range();
            (low < 0.0 || high > 1.0).then_some(Elevation::METRES)
        };
        let frame = match self.elevation.or_else(is_metres) {
            Some(elevation) => MapFrame {
                elevation,
                elevation_is_said: true,
                ..frame
            },
            None => frame.with_default_relief(size),
        };
        let scenery = self.scenery;
        MapFrame { scenery, ..frame }
    }
}

/// A map of heights that were read, once what stands for "no height" is filled; an error when
/// one of them is no number.
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

/// Whether a height stands for none, where cells without one become that.
pub(super) fn is_gap(z: f32, no_data: Option<f32>, fill: Option<Fill>) -> bool {
    let is_no_data = no_data.is_some_and(|gap| z == gap || (z.is_nan() && gap.is_nan()));
    // Many programs write NaN without saying that it is their sign.
    is_no_data || (fill.is_some() && z.is_nan())
}
