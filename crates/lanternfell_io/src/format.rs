//! Every format by its name: one way to write and to read for programs that let the user
//! choose by a file's extension.

use std::{fmt, io::Write};

use crate::{
    ExportError, ImportError, ReadOptions, WriteOptions,
    cells::DecodeFn,
    codec::{self, Codec, Written},
    numbers::Rows,
};
use lanternfell_heightmap::{Elevation, ElevationModel, MapFrame, MapSize, Progress};

/// A kind of file that maps are written to, and most of them read from.
///
/// All are named, whatever the crate's features; [`is_built_in`](Self::is_built_in) tells
/// whether this build can read and write one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Network Graphics, gray.
    Png,
    /// Rows of numbers without a header.
    Raw,
    /// Portable graymap.
    Pgm,
    /// Tagged Image File Format, also with a place on the ground.
    Tiff,
    /// OpenEXR.
    Exr,
    /// ESRI ASCII grid.
    Ascii,
    /// Wavefront OBJ, a mesh as text.
    Obj,
    /// Stereolithography, a solid to be printed.
    Stl,
    /// Binary glTF 2.0, a mesh with its texture.
    Glb,
}

/// What a format keeps of a height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// A whole number of 8 or 16 bits, which holds 0 to 1.
    Whole,
    /// What the [`WriteOptions`] say: a whole number, or the height itself.
    AsChosen,
    /// The height itself.
    Float,
}

/// So many bytes at the beginning tell the [`size`] of any file but a TIFF, whose directory
/// may stand anywhere.
pub const HEADER: usize = 1 << 16;

impl Format {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Png,
        Self::Raw,
        Self::Pgm,
        Self::Tiff,
        Self::Exr,
        Self::Ascii,
        Self::Obj,
        Self::Stl,
        Self::Glb,
    ];

    /// All that is known of it.
    fn codec(self) -> &'static Codec {
        match self {
            Self::Png => &codec::PNG,
            Self::Raw => &codec::RAW,
            Self::Pgm => &codec::PGM,
            Self::Tiff => &codec::TIFF,
            Self::Exr => &codec::EXR,
            Self::Ascii => &codec::ASCII,
            Self::Obj => &codec::OBJ,
            Self::Stl => &codec::STL,
            Self::Glb => &codec::GLB,
        }
    }

    /// What reads it a piece at a time.
    pub(super) fn decoder(self) -> Option<DecodeFn> {
        self.codec().decode
    }

    /// The format's name, for people.
    pub fn name(self) -> &'static str {
        self.codec().name
    }

    /// What files of this format end in, without the point, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.codec().extensions
    }

    /// The format of files that end so, in capitals or not, without the point.
    ///
    /// `r16` and `r32` also say how [`Format::Raw`] keeps its numbers:
    /// [`RawFormat::from_extension`](super::RawFormat::from_extension).
    pub fn from_extension(extension: &str) -> Option<Self> {
        let ends_so = |known: &&str| known.eq_ignore_ascii_case(extension);
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.extensions().iter().any(ends_so))
    }

    /// What it keeps of a height.
    pub fn numbers(self) -> Numbers {
        self.codec().numbers
    }

    /// Whether it holds triangles, and not heights in rows.
    pub fn is_mesh(self) -> bool {
        self.codec().is_mesh
    }

    /// Whether its cells may have no height, which [`ReadOptions::fill`] fills.
    pub fn has_gaps(self) -> bool {
        self.codec().has_gaps
    }

    /// Whether its numbers with a fraction are metres, unless
    /// [`WriteOptions::heights`] asks for something else.
    pub fn keeps_metres(self) -> bool {
        self.codec().keeps_metres
    }

    /// Whether maps are read from this format. To all of them they are written.
    pub fn is_read(self) -> bool {
        !self.is_mesh()
    }

    /// Whether this build reads and writes it: those that need a feature are left out without.
    pub fn is_built_in(self) -> bool {
        self.codec().write.is_some()
    }

    /// The format of a file with this beginning, where it can be told: RAW, OBJ and STL
    /// begin with anything.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| (format.codec().begins)(bytes))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Writes a map in a format, whole: its heights, and what is known about them as far as the
/// format has a place for it.
///
/// | | heights | unit | no data | place | coordinate system | [sea and cover](lanternfell_heightmap::Scenery) |
/// |---|---|---|---|---|---|---|
/// | TIFF | metres, or whole numbers with scale and offset | yes | yes | yes | yes | yes |
/// | OpenEXR | metres | yes | yes | yes | yes | yes |
/// | PNG | from 0 to 1, with relief and offset | yes | yes | yes | yes | yes |
/// | ESRI ASCII grid | metres | | yes | yes | | |
/// | PGM, RAW | from 0 to 1; `f32` as they are | | | | | |
///
/// TIFF says it as GDAL does, sea and cover as metadata of the whole file; PNG and OpenEXR carry the JSON of a sidecar, if there is anything
/// more than defaults to tell; beside the others a sidecar can stand.
///
/// Returns what the numbers in the file stand for, whole ones as parts of the largest.
///
/// # Errors
/// [`ExportError::Height`] when whole numbers can not hold a height and must not be
/// [stretched](WriteOptions::stretch), [`ExportError::Param`] when the map's frame or an option is
/// out of its range, [`ExportError::NotSquare`] for a mesh of cells that are not,
/// [`ExportError::Write`], [`ExportError::Cancelled`]; of the meshes as their own function's; [`ExportError::LeftOut`] when it is not [built in](Format::is_built_in).
pub fn write(
    model: &ElevationModel,
    format: Format,
    options: &WriteOptions<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<Elevation, ExportError> {
    let write = format.codec().write.ok_or(ExportError::LeftOut(format))?;
    model.frame.validate()?;
    if format.is_mesh() {
        check_square((&model.frame, model.size()), format)?;
    }
    let (rows, elevation) = Rows::of(model, format, options, &progress.span(0.0, 0.05))?;
    let frame = MapFrame {
        elevation,
        ..model.frame
    };
    let written = Written {
        #[cfg(any(feature = "exr", feature = "png"))]
        model,
        rows,
        frame,
    };
    write(&written, options, &mut out, &progress.span(0.05, 1.0))?;
    Ok(elevation)
}

/// An error when the cells are not square.
pub(super) fn check_square(
    (frame, size): (&MapFrame, MapSize),
    format: Format,
) -> Result<(), ExportError> {
    let Some((width, height)) = frame.place.square_cells(size) else {
        return Ok(());
    };
    let [east, south] = frame.place.spacing(size.height());
    Err(ExportError::NotSquare {
        format,
        east,
        south,
        width,
        height,
    })
}

/// Reads a map from bytes of a format, with all that they tell about it.
///
/// What a file does not tell is a default: [`MapFrame::elevation_is_said`] and
/// [`MapFrame::place_is_said`]. Numbers beyond 0 to 1 without a unit are metres.
///
/// # Errors
/// As the format's own function: `read_png`, [`read_raw`](super::read_raw), ...;
/// [`ImportError::NoSize`] when `options` have no size for RAW, [`ImportError::NotRead`] for a
/// mesh, and [`ImportError::LeftOut`] when it is not [built in](Format::is_built_in).
pub fn read(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<ElevationModel, ImportError> {
    let read = format.codec().read.ok_or_else(|| unread(format))?;
    let model = read(bytes, options)?;
    model.frame.validate_on(model.size())?;
    Ok(model)
}

/// The size of the map in a file, from its first [`HEADER`] bytes (all of a TIFF): so
/// whoever reads a file finds out how long it may be at all before it is read.
///
/// # Errors
/// As the format's own function: `png_size`, [`pgm_size`](super::pgm_size), ...;
/// [`ImportError::NoSize`] for RAW, [`ImportError::NotRead`] for a mesh, and
/// [`ImportError::LeftOut`] when it is not [built in](Format::is_built_in).
pub fn size(header: &[u8], format: Format) -> Result<MapSize, ImportError> {
    let size = format.codec().size.ok_or_else(|| unread(format))?;
    size(header)
}

/// The most bytes that the file of a map of that size can need in any format: 64 for each cell, which
/// is twice what the longest number takes as text, and some for comments and profiles. Whoever reads
/// what may be anything need not read further.
pub fn longest(size: MapSize) -> u64 {
    64 * size.cells() as u64 + (16 << 20)
}

/// Why a format is not read.
fn unread(format: Format) -> ImportError {
    if format.is_read() {
        ImportError::LeftOut(format)
    } else {
        ImportError::NotRead(format)
    }
}
