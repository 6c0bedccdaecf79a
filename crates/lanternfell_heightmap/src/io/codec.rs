//! What each format is, in one place: its name, its files, and how they are read and written.
//!
//! A format is a row here and a file of its own. Some need a library, and with it a feature of
//! this crate; without it the row still tells the name, so that an error can say what is missing.

use std::io::Write;

use super::{
    ExportError, GeoReference, ImportError, Numbers, ReadOptions, WriteOptions, ascii, pgm, raw,
};
use crate::{Heightmap, MapSize, Progress, surface::Surface};

type WriteFn =
    fn(&Surface<'_>, &WriteOptions<'_>, &mut dyn Write, &Progress) -> Result<(), ExportError>;

/// A format. What is not built in has no functions.
pub(super) struct Codec {
    pub(super) name: &'static str,
    /// The usual one first.
    pub(super) extensions: &'static [&'static str],
    pub(super) numbers: Numbers,
    pub(super) is_mesh: bool,
    /// Whether cells may have no height.
    pub(super) has_gaps: bool,
    /// Whether a file begins so.
    pub(super) begins: fn(&[u8]) -> bool,
    pub(super) size: Option<fn(&[u8]) -> Result<MapSize, ImportError>>,
    pub(super) read: Option<fn(&[u8], &ReadOptions) -> Result<Heightmap, ImportError>>,
    pub(super) geo_reference: fn(&[u8]) -> Result<Option<GeoReference>, ImportError>,
    pub(super) write: Option<WriteFn>,
}

impl Codec {
    /// What a row does not say.
    const NONE: Self = Self {
        name: "",
        extensions: &[],
        numbers: Numbers::Float,
        is_mesh: false,
        has_gaps: false,
        begins: |_| false,
        size: None,
        read: None,
        geo_reference: |_| Ok(None),
        write: None,
    };
}

pub(super) const PNG: Codec = Codec {
    name: "PNG",
    extensions: &["png"],
    numbers: Numbers::Whole,
    begins: |bytes| bytes.starts_with(b"\x89PNG"),
    #[cfg(feature = "png")]
    size: Some(super::png_size),
    #[cfg(feature = "png")]
    read: Some(|bytes, _| super::read_png(bytes)),
    #[cfg(feature = "png")]
    write: Some(|surface, options, out, progress| {
        super::write_png_with(surface.map(), options.depth, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const RAW: Codec = Codec {
    name: "RAW",
    extensions: &["raw", "r16", "r32"],
    numbers: Numbers::AsChosen,
    size: Some(|_| Err(ImportError::NoSize)),
    read: Some(|bytes, options| {
        let size = options.size.ok_or(ImportError::NoSize)?;
        raw::read_raw(bytes, size, options.raw)
    }),
    write: Some(|surface, options, out, progress| {
        raw::write_raw_with(surface.map(), options.raw, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const PGM: Codec = Codec {
    name: "PGM",
    extensions: &["pgm"],
    numbers: Numbers::Whole,
    begins: |bytes| matches!(bytes, [b'P', b'2' | b'5', blank, ..] if blank.is_ascii_whitespace()),
    size: Some(pgm::pgm_size),
    read: Some(|bytes, _| pgm::read_pgm(bytes)),
    write: Some(|surface, options, out, progress| {
        pgm::write_pgm(surface.map(), options.depth, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const TIFF: Codec = Codec {
    name: "TIFF",
    extensions: &["tif", "tiff"],
    numbers: Numbers::AsChosen,
    has_gaps: true,
    begins: |bytes| {
        let little = matches!(bytes, [b'I', b'I', 0x2a | 0x2b, 0, ..]);
        little || matches!(bytes, [b'M', b'M', 0, 0x2a | 0x2b, ..])
    },
    #[cfg(feature = "tiff")]
    size: Some(super::tiff_size),
    #[cfg(feature = "tiff")]
    read: Some(|bytes, options| super::read_tiff(bytes, options.fill)),
    #[cfg(feature = "tiff")]
    geo_reference: super::tiff::geo_reference,
    #[cfg(feature = "tiff")]
    write: Some(|surface, options, out, progress| {
        super::write_tiff(surface.map(), options.tiff, out, progress)
    }),
    ..Codec::NONE
};

/// What an OpenEXR begins with.
pub(super) const EXR_MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

pub(super) const EXR: Codec = Codec {
    name: "OpenEXR",
    extensions: &["exr"],
    numbers: Numbers::Float,
    begins: |bytes| bytes.starts_with(&EXR_MAGIC),
    #[cfg(feature = "exr")]
    size: Some(super::exr_size),
    #[cfg(feature = "exr")]
    read: Some(|bytes, _| super::read_exr(bytes)),
    #[cfg(feature = "exr")]
    write: Some(|surface, _, out, progress| super::write_exr(surface.map(), out, progress)),
    ..Codec::NONE
};

pub(super) const ASCII: Codec = Codec {
    name: "ESRI ASCII grid",
    extensions: &["asc"],
    numbers: Numbers::Float,
    has_gaps: true,
    begins: ascii::is_ascii_grid,
    size: Some(|header| Ok(ascii::ascii_header(header)?.size)),
    read: Some(|bytes, options| ascii::read_ascii(bytes, options.fill)),
    geo_reference: |bytes| {
        let header = ascii::ascii_header(bytes)?;
        Ok(Some(GeoReference::at(header.corner, header.cell_size)))
    },
    write: Some(|surface, options, out, progress| {
        let at_origin = || GeoReference::at_origin(options.scale.spacing.into());
        let geo_reference = options.geo_reference.unwrap_or_else(at_origin);
        ascii::write_ascii(surface.map(), geo_reference, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const OBJ: Codec = Codec {
    name: "OBJ",
    extensions: &["obj"],
    is_mesh: true,
    #[cfg(feature = "mesh-files")]
    write: Some(|surface, options, out, progress| {
        super::write_obj(surface, options.step, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const STL: Codec = Codec {
    name: "STL",
    extensions: &["stl"],
    is_mesh: true,
    #[cfg(feature = "mesh-files")]
    write: Some(|surface, options, out, progress| {
        super::write_stl(surface, options.print, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const GLB: Codec = Codec {
    name: "GLB",
    extensions: &["glb"],
    is_mesh: true,
    begins: |bytes| bytes.starts_with(b"glTF"),
    #[cfg(feature = "mesh-files")]
    write: Some(|surface, options, out, progress| {
        super::write_glb(surface, options.step, options.texture, out, progress)
    }),
    ..Codec::NONE
};
