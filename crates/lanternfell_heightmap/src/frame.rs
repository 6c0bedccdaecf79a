//! The meaning of a map's heights and cells in the world.

mod geo_reference;
mod ground_scale;
mod length_unit;
mod scenery;

pub use geo_reference::{CoordinateSystem, GeoReference};
pub use ground_scale::GroundScale;
pub use length_unit::LengthUnit;
pub use scenery::Scenery;

use crate::{MapRegion, MapSize, ParamError, Scale};

/// Converts heights to meters above the sea: `offset + relief * height`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elevation {
    /// Meters at height 0.
    pub offset: f64,
    /// Meters from height 0 to height 1. Must not be 0; negative if larger numbers mean lower terrain.
    pub relief: f64,
}

impl Elevation {
    /// Heights are in meters.
    pub const METERS: Self = Self {
        offset: 0.0,
        relief: 1.0,
    };

    /// Heights from 0 to 1 are elevations from 0 m to `relief` meters.
    pub fn of_relief(relief: f64) -> Self {
        let offset = 0.0;
        Self { offset, relief }
    }

    /// The elevation of heights in this range if nothing else is known about them: heights outside 0 to 1 are in meters.
    /// Returns `None` for other heights, which may be in meters or from 0 to 1 of a relief.
    pub fn of_range((low, high): (f32, f32)) -> Option<Self> {
        (low < 0.0 || high > 1.0).then_some(Self::METERS)
    }

    /// Converts a height to meters.
    #[inline]
    pub fn meters(self, height: f32) -> f64 {
        self.offset + self.relief * f64::from(height)
    }

    /// Converts meters to a height.
    pub fn height(self, meters: f64) -> f32 {
        ((meters - self.offset) / self.relief) as f32
    }

    /// The conversion after heights are stretched so that `low` becomes 0 and `high` becomes 1. Elevations in meters do
    /// not change. If `low` and `high` are equal, every height becomes 0, and the relief does not change.
    #[must_use]
    pub fn stretched(self, (low, high): (f32, f32)) -> Self {
        let span = f64::from(high) - f64::from(low);
        let times = if span > 0.0 { span } else { 1.0 };
        Self {
            offset: self.meters(low),
            relief: self.relief * times,
        }
    }

    /// Checks that both numbers are finite, and that the relief is not 0.
    ///
    /// # Errors
    /// Names the number that is out of range.
    pub fn validate(self) -> Result<(), ParamError> {
        let check =
            |fine, name, value, allowed| ParamError::check(fine, "elevation", name, value, allowed);
        check(self.offset.is_finite(), "offset", self.offset, "finite")?;
        let fine = self.relief.is_finite() && self.relief != 0.0;
        check(fine, "relief", self.relief, "finite and not 0")
    }
}

/// The meaning of a map's heights and cells in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapFrame {
    /// Converts heights to meters.
    pub elevation: Elevation,
    /// The unit in which the heights were originally measured. Files are written in meters. `None` if the values are
    /// not heights.
    pub unit: Option<LengthUnit>,
    /// The number that meant "no height" in the source. Maps have no such cells, but the number is written to files
    /// that can store it.
    pub no_data: Option<f64>,
    /// The location of the map, and the size of its cells.
    pub place: GeoReference,
    /// The sea level, the snow line and the land cover.
    pub scenery: Scenery,
    /// Whether a file, a recipe or a user provided the elevation. `false` for a default.
    pub elevation_is_explicit: bool,
    /// Whether a file, a recipe or a user provided the place. `false` for a default.
    pub place_is_explicit: bool,
}

impl MapFrame {
    /// A map of this scale at the origin, without a coordinate system. `is_explicit` is `false` if the scale is only a
    /// default.
    pub fn of_scale(scale: Scale, is_explicit: bool) -> Self {
        Self {
            elevation: Elevation::of_relief(ParamError::shortest(scale.relief)),
            unit: Some(LengthUnit::Meter),
            no_data: None,
            place: GeoReference::at_origin(ParamError::shortest(scale.spacing)),
            scenery: Scenery::default(),
            elevation_is_explicit: is_explicit,
            place_is_explicit: is_explicit,
        }
    }

    /// The default frame for a map of this size, with [`Scale::of_size`].
    pub fn of_size(size: MapSize) -> Self {
        Self::of_scale(Scale::of_size(size), false)
    }

    /// The frame of a region of a map with the size of the world.
    #[must_use]
    pub fn part(self, world: MapSize, region: MapRegion) -> Self {
        let place = self.place.part(world, region);
        Self { place, ..self }
    }

    /// The frame of values that are not heights, at the same location.
    #[must_use]
    pub fn of_values(self, elevation: Elevation) -> Self {
        Self {
            elevation,
            unit: None,
            no_data: None,
            scenery: Scenery::default(),
            ..self
        }
    }

    /// The height of the sea's surface, if it is known: that of the [`scenery`](Self::scenery), which the frame of a
    /// recipe has, or else 0 m on a map in meters. It is below all heights if the whole map is above the sea.
    pub fn sea_level(&self) -> Option<f32> {
        let is_in_meters = self.elevation_is_explicit && self.unit.is_some();
        let level = self.scenery.sea_level.or(is_in_meters.then_some(0.0));
        let height = level.map(|meters| self.elevation.height(meters));
        height.filter(|height| height.is_finite())
    }

    /// Changes the meters that the heights correspond to. The sea keeps its height on the map, and the snow line is
    /// scaled with the relief.
    #[must_use]
    pub fn with_elevation(self, elevation: Elevation) -> Self {
        let Elevation { offset, relief } = self.elevation;
        let Scenery {
            sea_level,
            snow_line,
            cover,
        } = self.scenery;
        let moved = |meters: f64| elevation.offset + (meters - offset) / relief * elevation.relief;
        let most = f64::from(Scale::MAX);
        let times = (elevation.relief / relief).abs();
        Self {
            elevation,
            scenery: Scenery {
                sea_level: sea_level.map(moved),
                snow_line: snow_line.map(|meters| (meters * times).clamp(1.0, most)),
                cover,
            },
            ..self
        }
    }

    /// The scale for filters and measurements. Cells that are not square are treated as squares of the same area.
    /// Values beyond the limits of [`Scale`] are clamped.
    pub fn scale(&self, size: MapSize) -> Scale {
        let [east, south] = self.place.spacing(size.height());
        let spacing = if east == south {
            east
        } else {
            (east * south).sqrt()
        };
        let within = |meters: f64| {
            let (least, most) = (f64::from(f32::MIN_POSITIVE), f64::from(Scale::MAX));
            meters.clamp(least, most) as f32
        };
        Scale {
            spacing: within(spacing),
            relief: within(self.elevation.relief.abs()),
        }
    }

    /// The scale row by row and along both axes, for measurements of cells and their neighbors.
    pub fn ground_scale(&self, size: MapSize) -> GroundScale {
        GroundScale::on(self.scale(size), self.place, size.height())
    }

    /// Checks every number against its range.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.elevation.validate()?;
        self.scenery.validate()?;
        self.place.validate()
    }

    /// Checks every number against its range, and that a map of this size fits on the earth: see
    /// [`GeoReference::validate_on`].
    ///
    /// # Errors
    /// Names the first number that is out of range.
    pub fn validate_on(&self, size: MapSize) -> Result<(), ParamError> {
        self.validate()?;
        self.place.validate_on(size.height())
    }

    /// This frame with the default relief for the size and the spacing of the map.
    #[must_use]
    pub fn with_default_relief(self, size: MapSize) -> Self {
        let by_size = Scale::of_size(size);
        let relief = by_size.relief * self.scale(size).spacing / by_size.spacing;
        Self {
            elevation_is_explicit: false,
            ..self.with_elevation(Elevation::of_relief(ParamError::shortest(relief)))
        }
    }

    /// The frame after the signs of heights are flipped if larger numbers mean lower terrain: the relief becomes
    /// positive.
    #[must_use]
    pub fn upward(self) -> Self {
        let elevation = Elevation {
            relief: self.elevation.relief.abs(),
            ..self.elevation
        };
        Self { elevation, ..self }
    }
}
