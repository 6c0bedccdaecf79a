//! What is known about a map, as a small JSON text: in a file of its own beside the map's, or in
//! a PNG or an OpenEXR picture itself.
//!
//! ```text
//! island.r16          1572864 bytes of numbers
//! island.r16.json     { "version": 1, "width": 1024, "height": 768, "sample": "u16", ... }
//! ```
//!
//! RAW is what every terrain program reads, and says nothing about itself; pictures say neither
//! what black and white stand for, nor where the land is. The sidecar says all of that.
//!
//! | field | says |
//! |---|---|
//! | `width`, `height` | the cells |
//! | `sample`, `byte_order` | the numbers of RAW; `null` where the file itself tells |
//! | `lowest`, `highest` | the ground before it was written, in metres; nothing depends on it |
//! | `offset`, `relief` | metres = offset + relief z, where z is the number, or of whole ones the part of the largest |
//! | `unit` | what the heights were measured in once; `null` if they are no heights |
//! | `no_data` | the number that stood for "no height", or `null` |
//! | `spacing` | metres from cell to cell, eastwards and southwards; nothing depends on it |
//! | `corner`, `cell`, `cell_unit` | the south-west corner and the cells, in the coordinate system's unit |
//! | `system` | `null`, or a number in EPSG's register: `{"projected": 32633}`, `{"geographic": 4326}` |
//! | `sea_level`, `snow_line` | metres of the sea's surface, and above that of the lowest snow; `null` if unknown |
//! | `cover` | `"temperate"`, `"desert"`; `null` if unknown |
//! | `elevation_is_said`, `place_is_said` | whether offset and relief, corner and cells are more than defaults |
//!
//! Every field must be present and no others are allowed, so that a misspelled one is reported.

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::{ByteOrder, ExportError, ImportError, RawFormat, Sample, read_raw};
use lanternfell_heightmap::{
    CoordinateSystem, Cover, Elevation, ElevationModel, GeoReference, LengthUnit, MapFrame,
    MapSize, ParamError, Scenery,
};

/// What is known about a map in a file. See [`Sidecar::parse`] for the JSON.
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
    /// How its numbers are kept, if it is RAW.
    pub format: Option<RawFormat>,
    /// The lowest and the highest ground of the map before it was written, in metres, so that
    /// a program can choose its scale before it reads the numbers. Nothing depends on it.
    pub range: (f64, f64),
    /// What the numbers in the file and the cells stand for.
    pub frame: MapFrame,
}

/// The fields as they stand in the file.
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
    cover: Option<Cover>,
    elevation_is_said: bool,
    place_is_said: bool,
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

/// The version of the format.
const VERSION: u64 = 1;

/// No sidecar is longer, in bytes.
pub(super) const LONGEST: usize = 1 << 16;

impl Sidecar {
    /// The sidecar of a map whose numbers in the file stand for this elevation, as
    /// [`io::write`](super::write()) tells it.
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
    /// [`ExportError::Param`] when a number is not one that [`parse`](Self::parse) takes.
    pub fn write(&self, mut out: impl Write) -> Result<(), ExportError> {
        self.validate()?;
        serde_json::to_writer_pretty(&mut out, &self.fields()).map_err(std::io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    }

    /// The JSON in one line.
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
            elevation_is_said,
            place_is_said,
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
            elevation_is_said,
            place_is_said,
        }
    }

    /// Reads the sidecar's JSON.
    ///
    /// # Errors
    /// [`ImportError::Malformed`] when it is no such JSON, a field is missing or unknown,
    /// [`ImportError::Size`] when a map can not be that large, and [`ImportError::Param`]
    /// when another number is out of its range.
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
            _ => return Err(wrong("of sample and byte_order only one is null")),
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
                elevation_is_said: fields.elevation_is_said,
                place_is_said: fields.place_is_said,
            },
        })
    }

    /// Reads the RAW file that this is the sidecar of, as [`read_raw`] does.
    ///
    /// # Errors
    /// As [`read_raw`]; [`ImportError::Malformed`] when it is the sidecar of no RAW file.
    pub fn read(&self, raw: &[u8]) -> Result<ElevationModel, ImportError> {
        let format = self.format.ok_or_else(|| wrong("it tells no sample"))?;
        Ok(self.frame.of(read_raw(raw, self.size, format)?))
    }

    fn validate(&self) -> Result<(), ParamError> {
        let (lowest, highest) = self.range;
        let check =
            |fine, name, value, allowed| ParamError::check(fine, "sidecar", name, value, allowed);
        check(lowest.is_finite(), "lowest", lowest, "finite")?;
        let fine = highest.is_finite() && highest >= lowest;
        check(fine, "highest", highest, "finite, and not below the lowest")?;
        self.frame.validate_on(self.size)
    }
}

fn wrong(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("this is no sidecar of a map: {what}"))
}
