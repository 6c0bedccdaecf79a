//! Options for writing and reading. They exist in every build, also when their format is disabled.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ByteOrder, RawFormat, Sample};
use lanternfell_heightmap::{Elevation, HoleMask, MapSize, ParamError, RgbImage};

/// Options for [`write()`](super::write()). Each format uses the fields that concern it and ignores the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteOptions<'a> {
    /// Bits per height in PNG and PGM. Default: 16.
    pub depth: PngDepth,
    /// How the colors of a PNG encode heights in meters. Default: `None`, a gray PNG.
    pub encoding: Option<PngEncoding>,
    /// Number format of RAW. Default: little-endian `u16`.
    pub raw: RawFormat,
    /// Number format of TIFF. Default: `f32`.
    pub tiff: Sample,
    /// What floating-point formats store. The default, `None`, stores meters in TIFF, OpenEXR, ASCII grids and XYZ, and
    /// the map's own heights in RAW. `u8` and `u16` always store 0 to 1. `i16` and encoded PNGs always store meters.
    /// ASCII grids and XYZ are always read as meters, even if they store heights from 0 to 1.
    pub heights: Option<WrittenHeights>,
    /// Whether to stretch a map that exceeds 0 to 1 to that range in integer formats. With the default, `false`, such a
    /// map is an error, because the tiles of one map must not be stretched separately.
    pub stretch: bool,
    /// The heights in meters that 0 and the largest integer represent, in integer formats, and those that 0 and 1
    /// represent with [`WrittenHeights::Unit`]. Takes precedence over `stretch`, so that several maps can have the same
    /// scale. Default: `None`.
    pub range: Option<HeightRange>,
    /// Whether cells whose height is the no-data value of the map are no-data cells. TIFF and ASCII grids then declare
    /// this value. With the default, `false`, they only declare it if no cell has it, because such a cell would lose
    /// its height.
    pub keep_no_data: bool,
    /// OBJ and GLB meshes use every `step`-th cell. At least 1. Default: 1.
    pub step: u32,
    /// Dimensions of the STL print.
    pub print: StlPrint,
    /// The texture of a GLB, north up, with at most one pixel per cell. Default: no texture.
    pub texture: Option<&'a RgbImage>,
    /// Squares of the map that OBJ and GLB meshes leave out. With a step, a larger square is left out if most of its
    /// squares are holes. Other formats have no holes, and an STL is a closed solid. Default: no holes.
    pub holes: Option<&'a HoleMask>,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        Self {
            depth: PngDepth::default(),
            encoding: None,
            raw: RawFormat::default(),
            tiff: Sample::F32,
            heights: None,
            stretch: false,
            range: None,
            keep_no_data: false,
            step: 1,
            print: StlPrint::default(),
            texture: None,
            holes: None,
        }
    }
}

/// The heights that the smallest and the largest number of a file represent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightRange {
    /// The height that is written as 0, in meters.
    pub low: f64,
    /// The height that is written as 1 or the largest integer, in meters. Above `low`.
    pub high: f64,
    /// Whether to clamp heights outside the range. If not, they are an error.
    pub clamp: bool,
}

impl HeightRange {
    /// Checks that both heights are finite, and that `low` is below `high`.
    ///
    /// # Errors
    /// Names the height that is outside its range.
    pub fn validate(self) -> Result<(), ParamError> {
        let Self { low, high, .. } = self;
        ParamError::check(low.is_finite(), "range", "low", low, "finite")?;
        let fine = high > low && (high - low).is_finite();
        let allowed = format_args!("above the low end, {low}, and finite");
        ParamError::check(fine, "range", "high", high, allowed)
    }

    /// Returns the meaning of the numbers.
    pub fn elevation(self) -> Elevation {
        Elevation {
            offset: self.low,
            relief: self.high - self.low,
        }
    }

    /// Returns the number from 0 to 1 that represents a height in meters.
    pub(super) fn number(self, meters: f64) -> f32 {
        let share = (meters - self.low) / (self.high - self.low);
        share.clamp(0.0, 1.0) as f32
    }

    /// Returns whether a height in meters is inside, both ends included. Compares in `f32`, the precision of heights.
    pub fn contains(self, meters: f64) -> bool {
        let [low, high, meters] = [self.low, self.high, meters].map(|number| number as f32);
        (low..=high).contains(&meters)
    }
}

/// What floating-point formats store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WrittenHeights {
    /// Meters.
    Meters,
    /// Heights from 0 to 1: the map's own heights if they are in this range, otherwise stretched from its minimum and
    /// maximum to 0 and 1.
    Unit,
    /// The map's own heights, unchanged.
    Unchanged,
}

/// Options for [`read`](super::read). Each format uses the fields that concern it and ignores the rest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// The size of a RAW map. RAW cannot be read without it.
    pub size: Option<MapSize>,
    /// Number format of RAW. Default: little-endian `u16`.
    pub raw: RawFormat,
    /// How to fill no-data cells: cells with the file's no-data value or one of `no_data`, cells that the file's mask
    /// excludes, cells without a point in an XYZ file, and cells that are NaN or infinite. With the default, `None`,
    /// such a cell is an error.
    pub fill: Option<Fill>,
    /// How the colors of a PNG encode heights in meters. Default: `None`, a gray PNG.
    pub encoding: Option<PngEncoding>,
    /// The band of a TIFF, from 1, as GDAL counts them. By default, the file must have a single band, not counting an
    /// alpha band.
    pub band: Option<u32>,
    /// The channel of an OpenEXR image, by its full name, for instance `height.Z`. By default, the part must have a
    /// single channel or the channels `R`, `G` and `B`, not counting alpha.
    pub channel: Option<String>,
    /// The part of an OpenEXR image: its name, or its number from 0, as OpenEXR counts them. By default, the image must
    /// have a single part, or a single one with the selected channel.
    pub part: Option<String>,
    /// No-data values in addition to the one that the file declares, as numbers of the file: before its scale, and from
    /// 0 to 65535 for 16-bit integers. They are compared like the declared value: in `f32`, with a relative tolerance
    /// of about 5e-7. Default: none.
    pub no_data: Vec<f64>,
    /// What the numbers of the file mean. The default, `None`, decides by the file: see
    /// [`ElevationSource`](crate::ElevationSource).
    pub heights: Option<ReadHeights>,
}

/// What the numbers in a file mean, independent of its metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadHeights {
    /// The numbers are meters. A scale, an offset and a unit of the file are ignored.
    Meters,
    /// The numbers are from 0 to 1 of the default relief. Unsigned integers of 8 and 16 bits are fractions of the
    /// largest. Another number outside 0 to 1 is an error.
    Unit,
}

/// How to fill cells that have no height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Fill {
    /// Fill them with this height, in the file's unit.
    Height(f32),
    /// Interpolate from the surrounding cells, with a pyramid of coarser maps and a few relaxation steps. The result
    /// is always within the range of the known cells.
    Interpolate,
}

/// How the colors of a PNG encode heights in meters, as in the elevation tiles of web maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PngEncoding {
    /// `256 R + G + B/256 - 32768`, in steps of 1/256 m.
    Terrarium,
    /// Mapbox Terrain-RGB: `(65536 R + 256 G + B) / 10 - 10000`, in steps of 0.1 m.
    Mapbox,
}

impl fmt::Display for PngEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terrarium => "Terrarium",
            Self::Mapbox => "Mapbox",
        })
    }
}

/// Bits per height in a PNG or PGM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PngDepth {
    /// `round(255 z)`. Every image viewer shows it, but gentle slopes turn into terraces.
    Eight,
    /// `round(65535 z)`, which terrain tools expect. The default.
    #[default]
    Sixteen,
}

impl PngDepth {
    /// Returns the equivalent RAW number format. PNG and PGM store the most significant byte first.
    pub(super) fn numbers(self) -> RawFormat {
        let sample = match self {
            Self::Eight => Sample::U8,
            Self::Sixteen => Sample::U16,
        };
        let order = ByteOrder::Big;
        RawFormat { sample, order }
    }
}

/// The dimensions of a printed solid.
///
/// The terrain keeps its proportions: the ratio of height to width is that of the map, multiplied by
/// [`exaggeration`](Self::exaggeration).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StlPrint {
    /// Length of the longer side in millimeters, from 1 to 10000. Default: 100.
    pub longer_side: f32,
    /// Thickness of the base below the lowest cell in millimeters, from 0.1 to 1000. Default: 3.
    pub base: f32,
    /// Vertical exaggeration, from 0.01 to 100. Default: 1.
    pub exaggeration: f32,
    /// Every `step`-th cell becomes a vertex. At least 1. Default: 1. With a nozzle of 0.4 mm, 500 vertices along 100
    /// mm are enough.
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
    /// Checks each setting against its range.
    ///
    /// # Errors
    /// Returns the first setting that is outside its range.
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
