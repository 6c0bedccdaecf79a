//! The functions that read and write each format.
//!
//! Each format has one entry here and one file. Formats that need a library depend on a feature of this crate.
//! Without the feature the entry has no functions.

use std::io::Write;

#[cfg(feature = "exr")]
use crate::exr;
#[cfg(feature = "mesh-files")]
use crate::mesh;
#[cfg(feature = "png")]
use crate::png;
#[cfg(feature = "tiff")]
use crate::tiff;
use crate::{
    ExportError, Format, ImportError, ImportedMap, ReadOptions, WriteOptions, ascii,
    cells::{DecodeFn, Source, in_memory},
    format::EXR_MAGIC,
    hgt, pgm, raw,
    written::Written,
    xyz,
};
use lanternfell_heightmap::{MapSize, Progress};

type WriteFn =
    fn(&Written<'_>, &WriteOptions<'_>, &mut dyn Write, &Progress) -> Result<(), ExportError>;

/// The functions of a format. They are `None` if the format is not built in.
pub(super) struct Codec {
    /// Whether a file starts like this format.
    pub(super) begins: fn(&[u8]) -> bool,
    pub(super) size: Option<fn(&[u8]) -> Result<MapSize, ImportError>>,
    pub(super) read: Option<fn(&[u8], &ReadOptions) -> Result<ImportedMap, ImportError>>,
    /// Reads a file piece by piece.
    pub(super) decode: Option<DecodeFn>,
    /// Returns the size in bytes of the largest piece, if pieces can be large.
    pub(super) largest_part: Option<fn(&mut dyn Source) -> Option<u64>>,
    pub(super) write: Option<WriteFn>,
}

impl Codec {
    /// The defaults of [`Format::codec`].
    const NONE: Self = Self {
        begins: |_| false,
        size: None,
        read: None,
        decode: None,
        largest_part: None,
        write: None,
    };
}

impl Format {
    /// Returns the functions of the format in this build.
    #[cfg_attr(
        feature = "tiff",
        expect(
            clippy::needless_update,
            reason = "without its feature, the entry of a format sets only some of the fields"
        )
    )]
    pub(super) fn codec(self) -> Codec {
        match self {
            Self::Png => Codec {
                begins: |bytes| bytes.starts_with(b"\x89PNG"),
                #[cfg(feature = "png")]
                size: Some(png::png_size),
                #[cfg(feature = "png")]
                read: Some(png::read),
                #[cfg(feature = "png")]
                write: Some(|written, options, out, progress| {
                    png::write_model(written, options, out, progress)
                }),
                ..Codec::NONE
            },
            Self::Raw => Codec {
                size: Some(|_| Err(ImportError::NoSize)),
                read: Some(raw::read),
                write: Some(|written, options, out, progress| {
                    raw::write(&written.rows, options.raw, out, progress)
                }),
                ..Codec::NONE
            },
            Self::Pgm => Codec {
                begins: |bytes| matches!(bytes, [b'P', b'2' | b'5', blank, ..] if blank.is_ascii_whitespace()),
                size: Some(pgm::pgm_size),
                read: Some(|bytes, options| in_memory(bytes, pgm::decode, options)),
                decode: Some(pgm::decode),
                write: Some(|written, options, out, progress| {
                    pgm::write(&written.rows, options.depth, out, progress)
                }),
                ..Codec::NONE
            },
            Self::Tiff => Codec {
                begins: |bytes| {
                    let little = matches!(bytes, [b'I', b'I', 0x2a | 0x2b, 0, ..]);
                    little || matches!(bytes, [b'M', b'M', 0, 0x2a | 0x2b, ..])
                },
                #[cfg(feature = "tiff")]
                size: Some(tiff::tiff_size),
                #[cfg(feature = "tiff")]
                read: Some(|bytes, options| in_memory(bytes, tiff::decode, options)),
                #[cfg(feature = "tiff")]
                decode: Some(tiff::decode),
                #[cfg(feature = "tiff")]
                largest_part: Some(tiff::largest_part),
                #[cfg(feature = "tiff")]
                write: Some(|written, options, out, progress| {
                    tiff::write(written, options.tiff, out, progress)
                }),
                ..Codec::NONE
            },
            Self::Exr => Codec {
                begins: |bytes| bytes.starts_with(&EXR_MAGIC),
                #[cfg(feature = "exr")]
                size: Some(exr::exr_size),
                #[cfg(feature = "exr")]
                read: Some(|bytes, options| in_memory(bytes, exr::decode, options)),
                #[cfg(feature = "exr")]
                decode: Some(exr::decode),
                #[cfg(feature = "exr")]
                write: Some(|written, _, out, progress| {
                    exr::write(&written.rows, written.text()?.as_deref(), out, progress)
                }),
                ..Codec::NONE
            },
            Self::Ascii => Codec {
                begins: ascii::is_ascii_grid,
                size: Some(|header| Ok(ascii::ascii_header(header)?.size)),
                read: Some(|bytes, options| in_memory(bytes, ascii::decode, options)),
                decode: Some(ascii::decode),
                write: Some(|written, _, out, progress| ascii::write(written, out, progress)),
                ..Codec::NONE
            },
            Self::Xyz => Codec {
                begins: xyz::begins,
                size: Some(xyz::size),
                read: Some(|bytes, options| in_memory(bytes, xyz::decode, options)),
                decode: Some(xyz::decode),
                write: Some(|written, _, out, progress| xyz::write(written, out, progress)),
                ..Codec::NONE
            },
            Self::Hgt => Codec {
                size: Some(hgt::size),
                read: Some(|bytes, options| in_memory(bytes, hgt::decode, options)),
                decode: Some(hgt::decode),
                ..Codec::NONE
            },
            Self::Bil | Self::Flt => Codec {
                size: Some(|_| Err(ImportError::NoHeader)),
                read: Some(|_, _| Err(ImportError::NoHeader)),
                ..Codec::NONE
            },
            Self::Obj | Self::Stl => Codec {
                #[cfg(feature = "mesh-files")]
                write: Some(write_mesh),
                ..Codec::NONE
            },
            Self::Glb => Codec {
                begins: |bytes| bytes.starts_with(b"glTF"),
                #[cfg(feature = "mesh-files")]
                write: Some(write_mesh),
                ..Codec::NONE
            },
        }
    }

    /// Returns whether this build can read and write the format, as far as that [is](Self::is_read)
    /// [possible](Self::is_written).
    ///
    /// Formats that need a disabled feature of this crate are not built in.
    pub fn is_built_in(self) -> bool {
        let codec = self.codec();
        codec.write.is_some() || codec.read.is_some()
    }

    /// Detects the format from the first bytes of a file. Returns `None` for RAW, SRTM, ESRI BIL and float grids,
    /// OBJ and STL, which have no signature.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| (format.codec().begins)(bytes))
    }
}

/// Writes the mesh of a heightmap.
#[cfg(feature = "mesh-files")]
fn write_mesh(
    written: &Written<'_>,
    options: &WriteOptions<'_>,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let (model, format) = (written.model, written.format);
    let land = mesh::Land::of(&model.heights, (&model.frame, model.heights.size()), format)?;
    mesh::write_land(land, format, options, out, progress)
}
