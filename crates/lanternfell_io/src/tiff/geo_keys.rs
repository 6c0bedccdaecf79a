//! The georeference of a TIFF: GeoTIFF's tags.
//!
//! | tag | content |
//! |---|---|
//! | 33550 | width and height of a pixel |
//! | 33922 | column and row of a pixel, and the coordinates of its corner |
//! | 34264 | instead of both: a matrix from column and row to coordinates |
//! | 34735 | keys: whether pixels are areas or points, the EPSG code of the coordinate system, units |
//! | 34736 | numbers that keys refer to |
//!
//! A key consists of four numbers: its own, the tag that contains its value (0: the key itself), the number of values,
//! and the value.
//!
//! The rows of a map run from west to east, the northernmost first. A grid that starts in the south is flipped. A grid
//! that is rotated, mirrored, or georeferenced only by control points would have to be resampled, so it is rejected.

use tiff::tags::Tag;

use super::{super::ImportError, read::Bytes};
use lanternfell_heightmap::{CoordinateSystem, GeoReference, LengthUnit, MapSize};

/// Keys by their number.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC: u16 = 2048;
const ANGULAR_UNIT: u16 = 2054;
const PROJECTED: u16 = 3072;
const LINEAR_UNIT: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
const VERTICAL: u16 = 4096;
const VERTICAL_UNIT: u16 = 4099;

/// Values of [`MODEL_TYPE`].
const MODEL_PROJECTED: u16 = 1;
const MODEL_GEOGRAPHIC: u16 = 2;

/// Values of [`RASTER_TYPE`]: a pixel is an area, or the point at its center.
const AREA: u16 = 1;
const POINT: u16 = 2;

/// The value of [`ANGULAR_UNIT`] for degrees.
const DEGREE: u16 = 9102;

/// Vertical coordinate systems whose EPSG code implies feet: NAVD88 height.
const VERTICAL_FEET: [(u16, LengthUnit); 2] =
    [(6360, LengthUnit::UsSurveyFoot), (8228, LengthUnit::Foot)];

/// The code of a user-defined system or unit, which other keys describe.
const USER_DEFINED: u16 = CoordinateSystem::UNREGISTERED;

/// The georeference of a TIFF, and the vertical unit from its keys.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) place: Option<GeoReference>,
    /// The first row is the southernmost.
    pub(super) is_south_up: bool,
    /// The unit of the heights.
    pub(super) unit: Option<LengthUnit>,
}

/// An affine transform from column and row of a pixel's corner to coordinates.
struct Transform {
    /// The coordinates at column and row 0.
    origin: [f64; 2],
    /// The offset from one column to the next, and from one row to the next.
    column: [f64; 2],
    row: [f64; 2],
}

/// Reads the georeference of a map of this size from the tags.
pub(super) fn place(decoder: &mut Bytes<'_>, size: MapSize) -> Result<Place, ImportError> {
    let keys = Keys::of(decoder);
    let unit = keys.vertical_unit()?;
    let Some(transform) = transform(decoder)? else {
        return Ok(Place {
            unit,
            ..Place::default()
        });
    };
    let numbers = [transform.origin, transform.column, transform.row];
    let is_nowhere = !numbers
        .as_flattened()
        .iter()
        .all(|number| number.is_finite());
    if is_nowhere || transform.column == [0.0; 2] || transform.row == [0.0; 2] {
        return Ok(Place {
            unit,
            ..Place::default()
        });
    }
    transform.check_upright()?;
    // The center of pixel 0, 0 is half a pixel from its corner.
    let half = if keys.value(RASTER_TYPE) == Some(POINT) {
        0.5
    } else {
        0.0
    };
    let (width, down) = (transform.column[0], transform.row[1]);
    let rows = size.height() as f64;
    let first = transform.origin[1] - half * down;
    let place = GeoReference {
        corner: [
            transform.origin[0] - half * width,
            if down < 0.0 {
                first + rows * down
            } else {
                first
            },
        ],
        cell: [width, down.abs()],
        unit: keys.linear_unit()?,
        system: keys.system()?,
    };
    Ok(Place {
        place: place.validate().is_ok().then_some(place),
        is_south_up: down > 0.0,
        unit,
    })
}

impl Transform {
    /// Returns an error unless columns run east, and rows run south or north.
    fn check_upright(&self) -> Result<(), ImportError> {
        let ([east, aside], [sideways, down]) = (self.column, self.row);
        if aside.abs() > 1e-6 * east.abs() || sideways.abs() > 1e-6 * down.abs() {
            return Err(malformed(
                "the grid is rotated: make it north up first, for instance with gdalwarp",
            ));
        }
        if east < 0.0 {
            return Err(malformed(
                "the grid runs from east to west: flip it first, for instance with gdalwarp",
            ));
        }
        Ok(())
    }
}

fn transform(decoder: &mut Bytes<'_>) -> Result<Option<Transform>, ImportError> {
    let mut doubles = |tag| decoder.get_tag_f64_vec(tag).unwrap_or_default();
    let matrix = doubles(Tag::ModelTransformationTag);
    if let &[a, b, _, west, c, d, _, north, ..] = &matrix[..] {
        return Ok(Some(Transform {
            origin: [west, north],
            column: [a, c],
            row: [b, d],
        }));
    }
    let (scale, tie) = (
        doubles(Tag::ModelPixelScaleTag),
        doubles(Tag::ModelTiepointTag),
    );
    if scale.is_empty() && tie.len() > 6 {
        return Err(malformed(
            "it is georeferenced by control points only: make it north up first, for instance with gdalwarp",
        ));
    }
    let (&[width, height, ..], &[column, row, _, east, north, ..]) = (&scale[..], &tie[..]) else {
        return Ok(None);
    };
    // The height is a length: rows run south, independent of its sign.
    let height = height.abs();
    Ok(Some(Transform {
        origin: [east - column * width, north + row * height],
        column: [width, 0.0],
        row: [0.0, -height],
    }))
}

/// The keys of a TIFF, and the numbers that some of them refer to.
struct Keys {
    keys: Vec<u16>,
    doubles: Vec<f64>,
}

impl Keys {
    fn of(decoder: &mut Bytes<'_>) -> Self {
        let keys = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag);
        let doubles = decoder.get_tag_f64_vec(Tag::GeoDoubleParamsTag);
        Self {
            keys: keys.unwrap_or_default(),
            doubles: doubles.unwrap_or_default(),
        }
    }

    fn key(&self, wanted: u16) -> Option<[u16; 4]> {
        let (keys, _) = self.keys.get(4..)?.as_chunks::<4>();
        keys.iter().find(|key| key[0] == wanted).copied()
    }

    /// Returns the value of a key that is stored in the key itself.
    fn value(&self, wanted: u16) -> Option<u16> {
        let key = self.key(wanted)?;
        (key[1] == 0).then_some(key[3])
    }

    /// Returns the value of a key that is stored in the list of numbers.
    fn double(&self, wanted: u16) -> Option<f64> {
        let key = self.key(wanted)?;
        let place = (key[1] == 34_736).then_some(usize::from(key[3]))?;
        self.doubles.get(place).copied()
    }

    fn system(&self) -> Result<Option<CoordinateSystem>, ImportError> {
        let projected = self.value(PROJECTED).map(CoordinateSystem::Projected);
        let geographic = self.value(GEOGRAPHIC).map(CoordinateSystem::Geographic);
        let system = match self.value(MODEL_TYPE) {
            Some(MODEL_PROJECTED) => projected.or(Some(CoordinateSystem::Projected(USER_DEFINED))),
            Some(MODEL_GEOGRAPHIC) => {
                geographic.or(Some(CoordinateSystem::Geographic(USER_DEFINED)))
            }
            Some(3) => return Err(malformed("geocentric coordinates")),
            _ => projected.or(geographic),
        };
        if let Some(CoordinateSystem::Geographic(_)) = system {
            let unit = self.value(ANGULAR_UNIT).unwrap_or(DEGREE);
            if unit != DEGREE {
                return Err(malformed(format_args!(
                    "coordinates in the angular unit EPSG:{unit}; only degrees are supported"
                )));
            }
        }
        Ok(system)
    }

    /// Returns the unit of coordinates. Default: meters.
    fn linear_unit(&self) -> Result<LengthUnit, ImportError> {
        let Some(number) = self.value(LINEAR_UNIT) else {
            return Ok(LengthUnit::Meter);
        };
        let by_size = || {
            let size = self
                .double(LINEAR_UNIT_SIZE)
                .filter(|_| number == USER_DEFINED)?;
            LengthUnit::of_meters(size)
        };
        let unit = LengthUnit::from_epsg(number).or_else(by_size);
        unit.ok_or_else(|| {
            malformed(format_args!(
                "coordinates in the unit of length EPSG:{number}"
            ))
        })
    }

    /// Returns the unit of heights, if the keys define it.
    fn vertical_unit(&self) -> Result<Option<LengthUnit>, ImportError> {
        if let Some(number) = self.value(VERTICAL_UNIT) {
            return LengthUnit::from_epsg(number).map(Some).ok_or_else(|| {
                malformed(format_args!("heights in the unit of length EPSG:{number}"))
            });
        }
        let system = self.value(VERTICAL);
        let in_feet = VERTICAL_FEET
            .iter()
            .find(|(number, _)| system == Some(*number));
        Ok(match (in_feet, system) {
            (Some((_, feet)), _) => Some(*feet),
            (None, Some(_)) => Some(LengthUnit::Meter),
            (None, None) => None,
        })
    }
}

/// Returns the keys of a map with this georeference, whose pixels are areas.
pub(super) fn keys(place: &GeoReference) -> Vec<u16> {
    let mut keys = Vec::new();
    let key = |number: u16, value: u16| [number, 0, 1, value];
    match place.system {
        Some(CoordinateSystem::Projected(number)) => {
            keys.extend([
                key(MODEL_TYPE, MODEL_PROJECTED),
                key(RASTER_TYPE, AREA),
                key(PROJECTED, number),
            ]);
            if let (true, Some(unit)) = (place.unit != LengthUnit::Meter, place.unit.epsg()) {
                keys.push(key(LINEAR_UNIT, unit));
            }
        }
        Some(CoordinateSystem::Geographic(number)) => {
            keys.extend([
                key(MODEL_TYPE, MODEL_GEOGRAPHIC),
                key(RASTER_TYPE, AREA),
                key(GEOGRAPHIC, number),
            ]);
        }
        None => keys.push(key(RASTER_TYPE, AREA)),
    }
    let head = [1, 1, 0, keys.len() as u16];
    head.into_iter().chain(keys.into_iter().flatten()).collect()
}

fn malformed(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("this kind of TIFF is not supported: {what}"))
}
