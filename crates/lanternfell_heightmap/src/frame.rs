//! What the heights and cells of a map stand for in the world.

mod geo_reference;
mod ground_scale;
mod length_unit;
mod scenery;

pub use geo_reference::{CoordinateSystem, GeoReference};
pub use ground_scale::GroundScale;
pub use length_unit::LengthUnit;
pub use scenery::Scenery;

use crate::{MapSize, ParamError, Scale, Window};

/// From heights to metres above the sea: `offset + relief * height`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elevation {
    /// Metres at height 0.
    pub offset: f64,
    /// Metres from height 0 to height 1; not 0.
    pub relief: f64,
}

impl Elevation {
    /// Heights are metres.
    pub const METRES: Self = Self {
        offset: 0.0,
        relief: 1.0,
    };

    /// From 0 m up to so many.
    pub fn of_relief(relief: f64) -> Self {
        let offset = 0.0;
        Self { offset, relief }
    }

    /// The metres of a height.
    #[inline]
    pub fn metres(self, height: f32) -> f64 {
        self.offset + self.relief * f64::from(height)
    }

    /// The height of so many metres.
    pub fn height(self, metres: f64) -> f32 {
        ((metres - self.offset) / self.relief) as f32
    }

    /// The same ground when the height `low` becomes 0 and `high` becomes 1. If they are the
    /// same, everything becomes 0, and the relief stays.
    pub fn stretched(self, (low, high): (f32, f32)) -> Self {
        let span = f64::from(high) - f64::from(low);
        let times = if span > 0.0 { span } else { 1.0 };
        Self {
            offset: self.metres(low),
            relief: self.relief * times,
        }
    }

    /// Checks that both are numbers, and that heights make a difference.
    ///
    /// # Errors
    /// Names the one that is wrong.
    pub fn validate(self) -> Result<(), ParamError> {
        let check =
            |fine, name, value, allowed| ParamError::check(fine, "elevation", name, value, allowed);
        check(self.offset.is_finite(), "offset", self.offset, "finite")?;
        let fine = self.relief.is_finite() && self.relief != 0.0;
        check(fine, "relief", self.relief, "finite and not 0")
    }
}

/// What the heights and cells of a map stand for in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapFrame {
    /// From heights to metres.
    pub elevation: Elevation,
    /// What the heights were measured in where they came from; written are metres. `None` if
    /// they are no heights but values of another kind.
    pub unit: Option<LengthUnit>,
    /// The number that stood for "no height". No cell of a map is without; it goes into the
    /// files that have a place for it.
    pub no_data: Option<f64>,
    /// Where the map lies, and how wide its cells are.
    pub place: GeoReference,
    /// Its sea, snow and cover.
    pub scenery: Scenery,
    /// Whether the elevation was said by a file, a recipe or a user, and is no default.
    pub elevation_is_said: bool,
    /// The same of the place.
    pub place_is_said: bool,
}

impl MapFrame {
    /// A map of this scale at the origin of no coordinate system; `is_said` tells whether it is
    /// more than a default.
    pub fn of_scale(scale: Scale, is_said: bool) -> Self {
        Self {
            elevation: Elevation::of_relief(ParamError::shortest(scale.relief)),
            unit: Some(LengthUnit::Metre),
            no_data: None,
            place: GeoReference::at_origin(ParamError::shortest(scale.spacing)),
            scenery: Scenery::default(),
            elevation_is_said: is_said,
            place_is_said: is_said,
        }
    }

    /// The default of a map of this size: [`Scale::of_size`].
    pub fn of_size(size: MapSize) -> Self {
        Self::of_scale(Scale::of_size(size), false)
    }

    /// That of a window on a map of the world's size.
    pub fn part(self, world: MapSize, window: Window) -> Self {
        let place = self.place.part(world, window);
        Self { place, ..self }
    }

    /// Values that are no heights, on the same ground.
    pub fn of_values(self, elevation: Elevation) -> Self {
        Self {
            elevation,
            unit: None,
            no_data: None,
            scenery: Scenery::default(),
            ..self
        }
    }

    /// The height of the sea's surface, if it is known.
    pub fn sea_level(&self) -> Option<f32> {
        let level = self.scenery.sea_level;
        let height = level.map(|metres| self.elevation.height(metres));
        height.filter(|height| height.is_finite())
    }

    /// The same heights where they stand for other metres: the sea stays at its height, and the snow line rises as
    /// the land does.
    pub fn with_elevation(self, elevation: Elevation) -> Self {
        let Elevation { offset, relief } = self.elevation;
        let Scenery {
            sea_level,
            snow_line,
            cover,
        } = self.scenery;
        let moved = |metres: f64| elevation.offset + (metres - offset) / relief * elevation.relief;
        let most = f64::from(Scale::MAX);
        let times = (elevation.relief / relief).abs();
        Self {
            elevation,
            scenery: Scenery {
                sea_level: sea_level.map(moved),
                snow_line: snow_line.map(|metres| (metres * times).clamp(1.0, most)),
                cover,
            },
            ..self
        }
    }

    /// From cells and heights to metres, as filters and measures know it. Cells that are not
    /// square count as squares of the same area; what goes beyond the limits of a scale is
    /// brought to them.
    pub fn scale(&self, size: MapSize) -> Scale {
        let [east, south] = self.place.spacing(size.height());
        let spacing = if east == south {
            east
        } else {
            (east * south).sqrt()
        };
        let within = |metres: f64| {
            let (least, most) = (f64::from(f32::MIN_POSITIVE), f64::from(Scale::MAX));
            metres.clamp(least, most) as f32
        };
        Scale {
            spacing: within(spacing),
            relief: within(self.elevation.relief.abs()),
        }
    }

    /// The same row by row and along both axes, as measures of cells and their neighbors know it.
    pub fn ground_scale(&self, size: MapSize) -> GroundScale {
        GroundScale::on(self.scale(size), self.place, size.height())
    }

    /// Checks every number against its range.
    ///
    /// # Errors
    /// Names the first that is outside.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.elevation.validate()?;
        self.scenery.validate()?;
        self.place.validate()
    }

    /// The same of a map of this size, which must have room on the earth: see [`GeoReference::validate_on`].
    ///
    /// # Errors
    /// Names the first that is outside.
    pub fn validate_on(&self, size: MapSize) -> Result<(), ParamError> {
        self.validate()?;
        self.place.validate_on(size.height())
    }

    /// The frame with the default relief for its size and the width of its cells.
    pub fn with_default_relief(self, size: MapSize) -> Self {
        let by_size = Scale::of_size(size);
        let relief = by_size.relief * self.scale(size).spacing / by_size.spacing;
        Self {
            elevation_is_said: false,
            ..self.with_elevation(Elevation::of_relief(ParamError::shortest(relief)))
        }
    }

    /// The frame of the same heights, with their signs changed where higher numbers are lower ground.
    pub fn upward(self) -> Self {
        let elevation = Elevation {
            relief: self.elevation.relief.abs(),
            ..self.elevation
        };
        Self { elevation, ..self }
    }
}
