//! How each format is written and read: settings that are there whether or not their format is.

use serde::{Deserialize, Serialize};

use crate::{ByteOrder, RawFormat, Sample};
use lanternfell_heightmap::{MapSize, ParamError, Picture};

/// What [`write()`](super::write()) should know beside the map. Each format takes what concerns
/// it.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteOptions<'a> {
    /// The bits of PNG and PGM; 16 by default.
    pub depth: PngDepth,
    /// The numbers of RAW; little-endian `u16` by default.
    pub raw: RawFormat,
    /// The numbers of TIFF; `f32` by default.
    pub tiff: Sample,
    /// What numbers with a fraction are. `None`, the default: metres in TIFF, OpenEXR and the
    /// ASCII grid, and the map's own heights in RAW. Whole numbers are always parts of 0 to 1.
    pub heights: Option<WrittenHeights>,
    /// Whether a map that goes beyond 0 to 1 is stretched to that range for whole numbers, which
    /// hold no more. It is an error by default, since tiles of a map must not each be stretched.
    pub stretch: bool,
    /// The meshes OBJ and GLB have every so many-th cell, from 1, which is the default.
    pub step: u32,
    /// The size of what is printed from STL.
    pub print: StlPrint,
    /// The colors of a GLB, north up, one pixel per cell or fewer. None by default.
    pub texture: Option<&'a Picture>,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        Self {
            depth: PngDepth::default(),
            raw: RawFormat::default(),
            tiff: Sample::F32,
            heights: None,
            stretch: false,
            step: 1,
            print: StlPrint::default(),
            texture: None,
        }
    }
}

/// What the numbers with a fraction in a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WrittenHeights {
    /// Metres.
    Metres,
    /// From 0 to 1: the map's own heights, or if they go beyond, from its lowest ground to its
    /// highest.
    Unit,
    /// The map's own heights, whatever they are.
    Own,
}

/// What [`read`](super::read) should know beside the bytes. Each format takes what concerns it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// The size of a RAW map, which can not be read without.
    pub size: Option<MapSize>,
    /// The numbers of RAW; little-endian `u16` by default.
    pub raw: RawFormat,
    /// What becomes of cells without a height in a TIFF or an ASCII grid: those with the file's
    /// number for that, and those that are NaN. By default they are an error.
    pub fill: Option<Fill>,
}

/// What becomes of cells that have no height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Fill {
    /// They get this one, in the file's own unit.
    Height(f32),
    /// They get what lies between the cells around them, by a pyramid of coarser and coarser
    /// maps and some relaxation; never more or less than those have.
    Interpolate,
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
