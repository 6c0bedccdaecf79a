//! Every format by its name: one way to write and to read for programs that let the user
//! choose by a file's extension.

use std::{fmt, io::Write};

use super::{
    ExportError, GeoReference, ImportError, PngDepth, RawFormat, StlPrint, TiffOptions, ascii,
    ascii_header, exr_size, pgm_size, png_size, read_ascii, read_exr, read_pgm, read_png, read_raw,
    read_tiff, tiff_size, write_ascii, write_exr, write_glb, write_obj, write_pgm, write_png_with,
    write_raw_with, write_stl, write_tiff,
};
use crate::{Heightmap, MapSize, Progress, Scale, render::Picture, surface::Surface};

/// A kind of file that maps are written to, and most of them read from.
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

/// So many bytes at the beginning tell the [`size`] of any file but a TIFF, whose directory
/// may stand anywhere.
pub const HEADER: usize = 1 << 16;

pub(super) const EXR_MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

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

    /// The format's name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Raw => "RAW",
            Self::Pgm => "PGM",
            Self::Tiff => "TIFF",
            Self::Exr => "OpenEXR",
            Self::Ascii => "ESRI ASCII grid",
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Glb => "GLB",
        }
    }

    /// What files of this format end in, without the point, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Raw => &["raw", "r16", "r32"],
            Self::Pgm => &["pgm"],
            Self::Tiff => &["tif", "tiff"],
            Self::Exr => &["exr"],
            Self::Ascii => &["asc"],
            Self::Obj => &["obj"],
            Self::Stl => &["stl"],
            Self::Glb => &["glb"],
        }
    }

    /// The format of files that end so, in capitals or not, without the point.
    ///
    /// `r16` and `r32` also say how [`Format::Raw`] keeps its numbers:
    /// [`RawFormat::from_extension`].
    pub fn from_extension(extension: &str) -> Option<Self> {
        let ends_so = |known: &&str| known.eq_ignore_ascii_case(extension);
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.extensions().iter().any(ends_so))
    }

    /// Whether maps are read from this format. To all of them they are written.
    pub fn is_read(self) -> bool {
        !matches!(self, Self::Obj | Self::Stl | Self::Glb)
    }

    /// The format of a file with this beginning, where it can be told: RAW, OBJ and STL
    /// begin with anything.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'P', b'2' | b'5', blank, ..] if blank.is_ascii_whitespace() => Some(Self::Pgm),
            [b'I', b'I', 0x2a | 0x2b, 0, ..] | [b'M', b'M', 0, 0x2a | 0x2b, ..] => Some(Self::Tiff),
            [b'g', b'l', b'T', b'F', ..] => Some(Self::Glb),
            _ if bytes.starts_with(&EXR_MAGIC) => Some(Self::Exr),
            _ if ascii::is_ascii_grid(bytes) => Some(Self::Ascii),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What [`write()`] should know beside the map. Each format takes what concerns it.
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
    /// The colors of a GLB, north up, for instance from a
    /// [`TopView`](crate::render::TopView). None by default.
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

/// What [`read`] should know beside the bytes. Each format takes what concerns it.
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

/// Writes `map` in a format.
///
/// # Errors
/// As the format's own function: [`write_png`](super::write_png), [`write_obj`], ...
pub fn write(
    map: &Heightmap,
    format: Format,
    options: &WriteOptions<'_>,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let surface = Surface::new(map, options.scale);
    match format {
        Format::Png => write_png_with(map, options.depth, out, progress),
        Format::Raw => write_raw_with(map, options.raw, out, progress),
        Format::Pgm => write_pgm(map, options.depth, out, progress),
        Format::Tiff => write_tiff(map, options.tiff, out, progress),
        Format::Exr => write_exr(map, out, progress),
        Format::Ascii => {
            let at_origin = || GeoReference::at_origin(options.scale.spacing.into());
            let place = options.geo_reference.unwrap_or_else(at_origin);
            write_ascii(map, place, out, progress)
        }
        Format::Obj => write_obj(&surface, options.step, out, progress),
        Format::Stl => write_stl(&surface, options.print, out, progress),
        Format::Glb => write_glb(&surface, options.step, options.texture, out, progress),
    }
}

/// Reads a map from bytes of a format.
///
/// # Errors
/// As the format's own function: [`read_png`], [`read_raw`], ...; [`ImportError::NoSize`]
/// when `options` have no size for RAW, and [`ImportError::NotRead`] for a mesh.
pub fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Heightmap, ImportError> {
    match format {
        Format::Png => read_png(bytes),
        Format::Raw => {
            let size = options.size.ok_or(ImportError::NoSize)?;
            read_raw(bytes, size, options.raw)
        }
        Format::Pgm => read_pgm(bytes),
        Format::Tiff => read_tiff(bytes, options.fill),
        Format::Exr => read_exr(bytes),
        Format::Ascii => read_ascii(bytes, options.fill),
        Format::Obj | Format::Stl | Format::Glb => Err(ImportError::NotRead(format)),
    }
}

/// The size of the map in a file, from its first [`HEADER`] bytes (all of a TIFF): so
/// whoever reads a file finds out how long it may be at all before it is read.
///
/// # Errors
/// As the format's own function: [`png_size`], [`pgm_size`], ...; [`ImportError::NoSize`]
/// for RAW, and [`ImportError::NotRead`] for a mesh.
pub fn size(header: &[u8], format: Format) -> Result<MapSize, ImportError> {
    match format {
        Format::Png => png_size(header),
        Format::Raw => Err(ImportError::NoSize),
        Format::Pgm => pgm_size(header),
        Format::Tiff => tiff_size(header),
        Format::Exr => exr_size(header),
        Format::Ascii => Ok(ascii_header(header)?.size),
        Format::Obj | Format::Stl | Format::Glb => Err(ImportError::NotRead(format)),
    }
}
