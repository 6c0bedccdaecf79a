//! How each format is written and read: settings that are there whether or not their format is.

use serde::{Deserialize, Serialize};

use super::{ByteOrder, GeoReference, RawFormat, Sample};
use crate::{MapSize, ParamError, Picture, Scale};

/// What [`write()`](super::write()) should know beside the map. Each format takes what concerns
/// it.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteOptions<'a> {
    /// The bits of PNG and PGM; 16 by default.
    pub depth: PngDepth,
    /// The numbers of RAW; little-endian `u16` by default.
    pub raw: RawFormat,
    /// The numbers and the place of TIFF; `f32` and none by default.
    pub tiff: TiffOptions,
    /// Metres per cell and per height of 1, for the meshes and the ASCII grid.
    pub scale: Scale,
    /// The place of the ASCII grid. `None`, the default, is the origin, with cells as wide as
    /// the scale has them.
    pub geo_reference: Option<GeoReference>,
    /// The meshes OBJ and GLB have every so many-th cell, from 1, which is the default.
    pub step: u32,
    /// The size of what is printed from STL.
    pub print: StlPrint,
    /// The colors of a GLB, north up, one pixel per cell or fewer. None by default.
    pub texture: Option<&'a Picture>,
}

impl WriteOptions<'_> {
    /// The defaults, and the default scale of a map of this size.
    pub fn new(size: MapSize) -> Self {
        Self {
            depth: PngDepth::default(),
            raw: RawFormat::default(),
            tiff: TiffOptions::default(),
            scale: Scale::of_size(size),
            geo_reference: None,
            step: 1,
            print: StlPrint::default(),
            texture: None,
        }
    }
}

/// What [`read`](super::read) should know beside the bytes. Each format takes what concerns it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReadOptions {
    /// The size of a RAW map, which can not be read without.
    pub size: Option<MapSize>,
    /// The numbers of RAW; little-endian `u16` by default.
    pub raw: RawFormat,
    /// The height of cells that have none, in a TIFF or an ASCII grid. By default they are
    /// an error.
    pub fill: Option<f32>,
}

/// How many bits a PNG or PGM keeps of each height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PngDepth {
    /// `round(255 z)`: any picture program shows it, but gentle slopes become terraces.
    Eight,
    /// `round(65535 z)`: what terrain tools expect. The default.
    #[default]
    Sixteen,
}

impl PngDepth {
    /// The same numbers as RAW keeps; PNG and PGM have the most significant byte first.
    pub(super) fn numbers(self) -> RawFormat {
        let sample = match self {
            Self::Eight => Sample::U8,
            Self::Sixteen => Sample::U16,
        };
        let order = ByteOrder::Big;
        RawFormat { sample, order }
    }
}

/// How a TIFF keeps the heights.
///
/// By default as `f32`, and without a place on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TiffOptions {
    /// The kind of number. [`Sample::F32`] by default; the others hold heights from 0 to 1.
    pub sample: Sample,
    /// Where it lies: then it is a GeoTIFF. `None` by default.
    pub geo_reference: Option<GeoReference>,
}

impl Default for TiffOptions {
    fn default() -> Self {
        Self {
            sample: Sample::F32,
            geo_reference: None,
        }
    }
}

/// The size of the printed solid.
///
/// The land keeps its proportions: by the scale of the surface, it is as much higher than
/// wide as in the world, times the exaggeration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StlPrint {
    /// Millimetres along the longer side, from 1 to 10000; 100 by default.
    pub longer_side: f32,
    /// Millimetres of base below the lowest cell, from 0.1 to 1000; 3 by default.
    pub base: f32,
    /// How many times as high the land is as it should be, from 0.01 to 100; 1 by default.
    pub exaggeration: f32,
    /// Every so many-th cell becomes a vertex, from 1, which is the default. A printer's
    /// nozzle is 0.4 mm wide: 500 vertices along 100 mm are enough.
    pub step: u32,
}

impl Default for StlPrint {
    fn default() -> Self {
        Self {
            longer_side: 100.0,
            base: 3.0,
            exaggeration: 1.0,
            step: 1,
        }
    }
}

impl StlPrint {
    /// Checks every setting against its range.
    ///
    /// # Errors
    /// Names the first that is outside.
    pub fn validate(&self) -> Result<(), ParamError> {
        let range = |name, value, min, max| {
            ParamError::check_range("stl", name, ParamError::shortest(value), min, max)
        };
        range("longer_side", self.longer_side, 1.0, 10_000.0)?;
        range("base", self.base, 0.1, 1000.0)?;
        range("exaggeration", self.exaggeration, 0.01, 100.0)?;
        ParamError::check(
            self.step >= 1,
            "stl",
            "step",
            self.step.into(),
            "at least 1",
        )
    }
}
