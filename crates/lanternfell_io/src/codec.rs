//! What each format is, in one place: its name, its files, and how they are read and written.
//!
//! A format is a row here and a file of its own. Some need a library, and with it a feature of
//! this crate; without it the row still tells the name, so that an error can say what is missing.

use std::io::Write;

use crate::{
    ExportError, ImportError, Numbers, ReadOptions, WriteOptions, ascii,
    cells::{DecodeFn, in_memory},
    numbers::Rows,
    pgm, raw,
    told::Told,
};
use lanternfell_heightmap::{ElevationModel, MapFrame, MapSize, Progress};

type WriteFn =
    fn(&Written<'_>, &WriteOptions<'_>, &mut dyn Write, &Progress) -> Result<(), ExportError>;

/// What is written.
pub(super) struct Written<'a> {
    #[cfg(any(feature = "exr", feature = "png"))]
    pub(super) model: &'a ElevationModel,
    /// The numbers that its heights become.
    pub(super) rows: Rows<'a>,
    /// What those, and the cells, stand for.
    pub(super) frame: MapFrame,
}

impl Written<'_> {
    /// Writes the surface over the heights.
    #[cfg(feature = "mesh-files")]
    fn write_mesh(
        &self,
        format: super::Format,
        options: &WriteOptions<'_>,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<(), ExportError> {
        let land: super::mesh::Land<'_> = (&self.model.heights, self.model.scale());
        super::mesh::write_land(land, format, options, out, progress)
    }

    /// What a picture carries with it: the sidecar's JSON, unless there is nothing to tell.
    #[cfg(any(feature = "exr", feature = "png"))]
    fn text(&self) -> Result<Option<String>, ExportError> {
        let MapFrame {
            elevation_is_said,
            place_is_said,
            scenery,
            ..
        } = self.frame;
        let is_said = elevation_is_said || place_is_said || scenery.is_known();
        let sidecar = super::Sidecar::of(self.model, None, self.frame.elevation);
        is_said.then(|| sidecar.to_line()).transpose()
    }
}

/// A format. What is not built in has no functions.
pub(super) struct Codec {
    pub(super) name: &'static str,
    /// The usual one first.
    pub(super) extensions: &'static [&'static str],
    pub(super) numbers: Numbers,
    pub(super) is_mesh: bool,
    /// Whether cells may have no height.
    pub(super) has_gaps: bool,
    /// Whether its numbers with a fraction are metres, unless something else is asked for.
    pub(super) keeps_metres: bool,
    /// Whether a file begins so.
    pub(super) begins: fn(&[u8]) -> bool,
    pub(super) size: Option<fn(&[u8]) -> Result<MapSize, ImportError>>,
    pub(super) read: Option<fn(&[u8], &ReadOptions) -> Result<ElevationModel, ImportError>>,
    /// Reads it a piece at a time.
    pub(super) decode: Option<DecodeFn>,
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
        keeps_metres: false,
        begins: |_| false,
        size: None,
        read: None,
        decode: None,
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
    read: Some(|bytes, _| super::png::read(bytes)),
    #[cfg(feature = "png")]
    write: Some(|written, options, out, progress| {
        let text = written.text()?;
        super::png::write(&written.rows, options.depth, text.as_deref(), out, progress)
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
        Ok(Told::default().of(raw::read_raw(bytes, size, options.raw)?))
    }),
    write: Some(|written, options, out, progress| {
        raw::write(&written.rows, options.raw, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const PGM: Codec = Codec {
    name: "PGM",
    extensions: &["pgm"],
    numbers: Numbers::Whole,
    begins: |bytes| matches!(bytes, [b'P', b'2' | b'5', blank, ..] if blank.is_ascii_whitespace()),
    size: Some(pgm::pgm_size),
    read: Some(|bytes, _| in_memory(bytes, pgm::decode, None)),
    decode: Some(pgm::decode),
    write: Some(|written, options, out, progress| {
        pgm::write(&written.rows, options.depth, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const TIFF: Codec = Codec {
    name: "TIFF",
    extensions: &["tif", "tiff"],
    numbers: Numbers::AsChosen,
    has_gaps: true,
    keeps_metres: true,
    begins: |bytes| {
        let little = matches!(bytes, [b'I', b'I', 0x2a | 0x2b, 0, ..]);
        little || matches!(bytes, [b'M', b'M', 0, 0x2a | 0x2b, ..])
    },
    #[cfg(feature = "tiff")]
    size: Some(super::tiff_size),
    #[cfg(feature = "tiff")]
    read: Some(|bytes, options| super::read_tiff(bytes, options.fill)),
    #[cfg(feature = "tiff")]
    decode: Some(super::tiff::decode),
    #[cfg(feature = "tiff")]
    write: Some(|written, options, out, progress| {
        super::tiff::write(written, options.tiff, out, progress)
    }),
    ..Codec::NONE
};

/// What an OpenEXR begins with.
pub(super) const EXR_MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

pub(super) const EXR: Codec = Codec {
    name: "OpenEXR",
    extensions: &["exr"],
    numbers: Numbers::Float,
    keeps_metres: true,
    begins: |bytes| bytes.starts_with(&EXR_MAGIC),
    #[cfg(feature = "exr")]
    size: Some(super::exr_size),
    #[cfg(feature = "exr")]
    read: Some(|bytes, _| in_memory(bytes, super::exr::decode, None)),
    #[cfg(feature = "exr")]
    decode: Some(super::exr::decode),
    #[cfg(feature = "exr")]
    write: Some(|written, _, out, progress| {
        super::exr::write(&written.rows, written.text()?.as_deref(), out, progress)
    }),
    ..Codec::NONE
};

pub(super) const ASCII: Codec = Codec {
    name: "ESRI ASCII grid",
    extensions: &["asc"],
    numbers: Numbers::Float,
    has_gaps: true,
    keeps_metres: true,
    begins: ascii::is_ascii_grid,
    size: Some(|header| Ok(ascii::ascii_header(header)?.size)),
    read: Some(|bytes, options| ascii::read_ascii(bytes, options.fill)),
    decode: Some(ascii::decode),
    write: Some(|written, _, out, progress| ascii::write(written, out, progress)),
    ..Codec::NONE
};

pub(super) const OBJ: Codec = Codec {
    name: "OBJ",
    extensions: &["obj"],
    is_mesh: true,
    #[cfg(feature = "mesh-files")]
    write: Some(|written, options, out, progress| {
        written.write_mesh(super::Format::Obj, options, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const STL: Codec = Codec {
    name: "STL",
    extensions: &["stl"],
    is_mesh: true,
    #[cfg(feature = "mesh-files")]
    write: Some(|written, options, out, progress| {
        written.write_mesh(super::Format::Stl, options, out, progress)
    }),
    ..Codec::NONE
};

pub(super) const GLB: Codec = Codec {
    name: "GLB",
    extensions: &["glb"],
    is_mesh: true,
    begins: |bytes| bytes.starts_with(b"glTF"),
    #[cfg(feature = "mesh-files")]
    write: Some(|written, options, out, progress| {
        written.write_mesh(super::Format::Glb, options, out, progress)
    }),
    ..Codec::NONE
};
