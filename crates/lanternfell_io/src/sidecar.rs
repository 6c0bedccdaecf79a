//! JSON metadata of a map, in a sidecar file next to the map or embedded in a PNG or OpenEXR file.
//!
//! ```text
//! island.r16          1572864 bytes of numbers
//! island.r16.json     { "version": 1, "width": 1024, "height": 768, "sample": "u16", ... }
//! ```
//!
//! RAW stores neither its size nor its number format. PNG and OpenEXR store neither the height range nor the
//! georeference. The sidecar stores all of them.
//!
//! | field | meaning |
//! |---|---|
//! | `width`, `height` | the size in cells |
//! | `sample`, `byte_order` | the number format of RAW; `null` for formats that store it themselves |
//! | `lowest`, `highest` | the range of the map in meters before it was written; informative only |
//! | `offset`, `relief` | meters = offset + relief z, where z is the number, or for integers the fraction of the largest integer |
//! | `unit` | the unit in which the heights were originally measured; `null` if they are not heights |
//! | `no_data` | the no-data value of the original file, or `null` |
//! | `spacing` | cell size in meters, eastward and southward; informative only |
//! | `corner`, `cell`, `cell_unit` | the southwest corner and the cell size, in the unit of the coordinate system |
//! | `system` | `null`, or an EPSG code: `{"projected": 32633}`, `{"geographic": 4326}` |
//! | `sea_level`, `snow_line` | the height of the sea surface in meters, and the lowest snow in meters above it; `null` if unknown |
//! | `cover` | `"temperate"` or `"desert"`; `null` if unknown |
//! | `elevation_is_explicit`, `place_is_explicit` | `false` if offset and relief, or corner and cell, are defaults |
//!
//! Every field is required and no others are allowed, so a misspelled field is an error.

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::{
    ByteOrder, ExportError, ImportError, ImportedMap, RawFormat, ReadOptions, Sample, raw,
};
use lanternfell_heightmap::{
    CoordinateSystem, Elevation, ElevationModel, GeoReference, LandCover, LengthUnit, MapFrame,
    MapSize, ParamError, Scenery,
};

/// The metadata of a map file. [`Sidecar::parse`] reads it from JSON.
///
/// ```
/// use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize};
/// use lanternfell_io::{self as io, RawFormat, Sidecar};
///
/// let model = ElevationModel::of_heights(Heightmap::flat(MapSize::new(3, 2)?));
/// let sidecar = Sidecar::of(&model, Some(RawFormat::R16), model.frame.elevation);
/// let (mut raw, mut json) = (Vec::new(), Vec::new());
/// io::write_raw(&model.heights, RawFormat::R16, &mut raw)?;
/// sidecar.write(&mut json)?;
/// assert_eq!(Sidecar::parse(&json)?.read(&raw)?.heights, model.heights);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sidecar {
    /// The size of the map.
    pub size: MapSize,
    /// The number format, if the map is a RAW file.
    pub format: Option<RawFormat>,
    /// The range of the map in meters before it was written. Programs can use it to choose a scale before they read the
    /// numbers. Informative only.
    pub range: (f64, f64),
    /// The meaning of the numbers in the file, and the georeference.
    pub frame: MapFrame,
}

/// The fields of the JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    version: u64,
    width: u64,
    height: u64,
    sample: Option<Sample>,
    byte_order: Option<ByteOrder>,
    lowest: f64,
    highest: f64,
    offset: f64,
    relief: f64,
    unit: Option<LengthUnit>,
    no_data: Option<f64>,
    spacing: [f64; 2],
    corner: [f64; 2],
    cell: [f64; 2],
    cell_unit: LengthUnit,
    system: Option<System>,
    sea_level: Option<f64>,
    snow_line: Option<f64>,
    cover: Option<LandCover>,
    elevation_is_explicit: bool,
    place_is_explicit: bool,
}

#[derive(Deserialize)]
struct Version {
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum System {
    Projected(u16),
    Geographic(u16),
}

/// The version of the sidecar format.
const VERSION: u64 = 1;

/// The maximum length of a sidecar in bytes.
pub(super) const LONGEST: usize = 1 << 16;

impl Sidecar {
    /// Creates the sidecar of a map. `elevation` is the meaning of the numbers in the file, which
    /// [`io::write`](super::write()) returns.
    pub fn of(model: &ElevationModel, format: Option<RawFormat>, elevation: Elevation) -> Self {
        Self {
            size: model.size(),
            format,
            range: model.range(),
            frame: MapFrame {
                elevation,
                ..model.frame
            },
        }
    }

    /// Writes the sidecar as JSON.
    ///
    /// # Errors
    /// [`ExportError::Param`] when a number is outside the range that [`parse`](Self::parse) accepts.
    pub fn write(&self, mut out: impl Write) -> Result<(), ExportError> {
        self.validate()?;
        serde_json::to_writer_pretty(&mut out, &self.fields()).map_err(std::io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    }

    /// Returns the JSON on one line.
    #[cfg(any(feature = "exr", feature = "png"))]
    pub(super) fn to_line(self) -> Result<String, ExportError> {
        self.validate()?;
        Ok(serde_json::to_string(&self.fields()).map_err(std::io::Error::from)?)
    }

    fn fields(&self) -> Fields {
        let (width, height) = self.size.into();
        let MapFrame {
            elevation,
            unit,
            no_data,
            place,
            scenery,
            elevation_is_explicit,
            place_is_explicit,
        } = self.frame;
        Fields {
            version: VERSION,
            width,
            height,
            sample: self.format.map(|format| format.sample),
            byte_order: self.format.map(|format| format.order),
            lowest: self.range.0,
            highest: self.range.1,
            offset: elevation.offset,
            relief: elevation.relief,
            unit,
            no_data: no_data.filter(|number| number.is_finite()),
            spacing: place.spacing(self.size.height()),
            corner: place.corner,
            cell: place.cell,
            cell_unit: place.unit,
            system: place.system.map(|system| match system {
                CoordinateSystem::Projected(number) => System::Projected(number),
                CoordinateSystem::Geographic(number) => System::Geographic(number),
            }),
            sea_level: scenery.sea_level,
            snow_line: scenery.snow_line,
            cover: scenery.cover,
            elevation_is_explicit,
            place_is_explicit,
        }
    }

    /// Reads a sidecar from JSON.
    ///
    /// # Errors
    /// - [`ImportError::Malformed`] when the JSON is invalid, or a field is missing or unknown.
    /// - [`ImportError::Size`] when the size is not one that a map can have.
    /// - [`ImportError::Param`] when another number is outside its range.
    pub fn parse(json: &[u8]) -> Result<Self, ImportError> {
        if json.len() > LONGEST {
            return Err(wrong(format_args!("it has {} bytes", json.len())));
        }
        let Version { version } = serde_json::from_slice(json).map_err(wrong)?;
        if version != VERSION {
            return Err(wrong(format_args!(
                "its version is {version}, but this release reads version {VERSION}"
            )));
        }
        let sidecar = Self::from_fields(&serde_json::from_slice(json).map_err(wrong)?)?;
        sidecar.validate()?;
        Ok(sidecar)
    }

    fn from_fields(fields: &Fields) -> Result<Self, ImportError> {
        let format = match (fields.sample, fields.byte_order) {
            (Some(sample), Some(order)) => Some(RawFormat { sample, order }),
            (None, None) => None,
            _ => {
                return Err(wrong(
                    "sample and byte_order must both be null or both have a value",
                ));
            }
        };
        let system = fields.system.as_ref().map(|system| match *system {
            System::Projected(number) => CoordinateSystem::Projected(number),
            System::Geographic(number) => CoordinateSystem::Geographic(number),
        });
        Ok(Self {
            size: MapSize::new(fields.width, fields.height)?,
            format,
            range: (fields.lowest, fields.highest),
            frame: MapFrame {
                elevation: Elevation {
                    offset: fields.offset,
                    relief: fields.relief,
                },
                unit: fields.unit,
                no_data: fields.no_data,
                place: GeoReference {
                    corner: fields.corner,
                    cell: fields.cell,
                    unit: fields.cell_unit,
                    system,
                },
                scenery: Scenery {
                    sea_level: fields.sea_level,
                    snow_line: fields.snow_line,
                    cover: fields.cover,
                },
                elevation_is_explicit: fields.elevation_is_explicit,
                place_is_explicit: fields.place_is_explicit,
            },
        })
    }

    /// Reads the RAW file that this sidecar describes.
    ///
    /// # Errors
    /// The errors of [`read_raw`](super::read_raw), and [`ImportError::Malformed`] when the sidecar does not describe a
    /// RAW file.
    pub fn read(&self, raw: &[u8]) -> Result<ElevationModel, ImportError> {
        Ok(self.import(raw, &ReadOptions::default())?.model)
    }

    /// Reads the RAW file that this sidecar describes, with options. The sidecar replaces their size and number format.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and [`ImportError::Gap`] for a cell with one of the no-data values.
    pub fn import(&self, raw: &[u8], options: &ReadOptions) -> Result<ImportedMap, ImportError> {
        let format = self
            .format
            .ok_or_else(|| wrong("it has no sample, so it does not describe a RAW file"))?;
        let options = ReadOptions {
            size: Some(self.size),
            raw: format,
            ..options.clone()
        };
        raw::read_with_frame(raw, self.frame, &options)
    }

    fn validate(&self) -> Result<(), ParamError> {
        let (lowest, highest) = self.range;
        let check =
            |fine, name, value, allowed| ParamError::check(fine, "sidecar", name, value, allowed);
        check(lowest.is_finite(), "lowest", lowest, "finite")?;
        let fine = highest.is_finite() && highest >= lowest;
        check(fine, "highest", highest, "finite and at least lowest")?;
        self.frame.validate_on(self.size)
    }
}

fn wrong(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("invalid sidecar: {what}"))
}
