//! A RAW file's header, kept beside it: a small JSON file.
//!
//! ```text
//! island.r16          1572864 bytes of numbers
//! island.r16.json     { "version": 1, "width": 1024, "height": 768, "sample": "u16", ... }
//! ```
//!
//! RAW is what every terrain program reads, and says nothing about itself. The sidecar
//! says all that one must know to read it: the size, the kind of number and its byte
//! order; and to use it: how many metres a cell is wide and a height of 1 is high.
//!
//! Every field must be there and none other may be, so that a misspelt one is found.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::{ByteOrder, ExportError, ImportError, RawFormat, Sample, read_raw};
use crate::{Heightmap, MapSize, ParamError, Scale};

/// What a RAW file holds. See [`Sidecar::parse`] for the file beside it.
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Scale, io::{self, RawFormat, Sidecar}};
///
/// let map = Heightmap::flat(MapSize::new(3, 2)?);
/// let sidecar = Sidecar::of(&map, RawFormat::R16, Scale::of_size(map.size()));
/// let (mut raw, mut json) = (Vec::new(), Vec::new());
/// io::write_raw(&map, sidecar.format, &mut raw)?;
/// sidecar.write(&mut json)?;
/// assert_eq!(Sidecar::parse(&json)?.read(&raw)?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sidecar {
    /// The size of the map.
    pub size: MapSize,
    /// How its numbers are kept.
    pub format: RawFormat,
    /// The lowest and the highest height of the map before it was written, so that a
    /// program can choose its scale before it reads the numbers. Nothing depends on it.
    pub heights: (f32, f32),
    /// Metres per cell, and per height of 1.
    pub scale: Scale,
}

/// The fields as they stand in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    version: u64,
    width: u64,
    height: u64,
    sample: Sample,
    byte_order: ByteOrder,
    lowest: f32,
    highest: f32,
    spacing: f32,
    relief: f32,
}

/// The one version of the file that there is.
const VERSION: u64 = 1;

/// No sidecar is longer, in bytes.
const LONGEST: usize = 1 << 16;

impl Sidecar {
    /// The sidecar of `map` when it is written in `format`.
    pub fn of(map: &Heightmap, format: RawFormat, scale: Scale) -> Self {
        Self {
            size: map.size(),
            format,
            heights: map.range(),
            scale,
        }
    }

    /// Writes the sidecar as JSON.
    ///
    /// # Errors
    /// [`ExportError::Param`] when a number is not one that [`parse`](Self::parse) takes.
    pub fn write(&self, mut out: impl Write) -> Result<(), ExportError> {
        self.validate()?;
        let (width, height) = self.size.into();
        let fields = Fields {
            version: VERSION,
            width,
            height,
            sample: self.format.sample,
            byte_order: self.format.order,
            lowest: self.heights.0,
            highest: self.heights.1,
            spacing: self.scale.spacing,
            relief: self.scale.relief,
        };
        serde_json::to_writer_pretty(&mut out, &fields).map_err(std::io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    }

    /// Reads the sidecar's JSON.
    ///
    /// # Errors
    /// [`ImportError::Malformed`] when it is no such JSON, a field is missing or unknown,
    /// [`ImportError::Size`] when a map can not be that large, and [`ImportError::Param`]
    /// when another number is out of its range.
    pub fn parse(json: &[u8]) -> Result<Self, ImportError> {
        let wrong = |what: &dyn std::fmt::Display| {
            ImportError::malformed(format_args!("this is no sidecar of a RAW file: {what}"))
        };
        if json.len() > LONGEST {
            return Err(wrong(&format_args!("it has {} bytes", json.len())));
        }
        let fields: Fields = serde_json::from_slice(json).map_err(|error| wrong(&error))?;
        if fields.version != VERSION {
            return Err(wrong(&format_args!(
                "its version is {}, and {VERSION} is read",
                fields.version
            )));
        }
        let sidecar = Self {
            size: MapSize::new(fields.width, fields.height)?,
            format: RawFormat {
                sample: fields.sample,
                order: fields.byte_order,
            },
            heights: (fields.lowest, fields.highest),
            scale: Scale {
                spacing: fields.spacing,
                relief: fields.relief,
            },
        };
        sidecar.validate()?;
        Ok(sidecar)
    }

    /// Reads the RAW file that this is the sidecar of, as [`read_raw`] does.
    ///
    /// # Errors
    /// As [`read_raw`].
    pub fn read(&self, raw: &[u8]) -> Result<Heightmap, ImportError> {
        read_raw(raw, self.size, self.format)
    }

    fn validate(&self) -> Result<(), ParamError> {
        let (lowest, highest) = self.heights;
        let check = |fine, name, value, allowed| {
            ParamError::check(fine, "sidecar", name, ParamError::shortest(value), allowed)
        };
        check(lowest.is_finite(), "lowest", lowest, "finite")?;
        let fine = highest.is_finite() && highest >= lowest;
        check(fine, "highest", highest, "finite, and not below the lowest")?;
        self.scale.validate()
    }
}
