//! The formats and their properties, which are the same in every build.

use std::fmt;

/// A file format of maps.
///
/// Every variant exists in every build. [`is_built_in`](Self::is_built_in) returns whether this build supports the
/// format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Network Graphics, gray.
    Png,
    /// Rows of numbers without a header.
    Raw,
    /// Portable graymap.
    Pgm,
    /// Tagged Image File Format, and GeoTIFF.
    Tiff,
    /// OpenEXR.
    Exr,
    /// ESRI ASCII grid.
    Ascii,
    /// Wavefront OBJ, a mesh as text.
    Obj,
    /// Stereolithography, a printable solid.
    Stl,
    /// Binary glTF 2.0, a mesh with its texture.
    Glb,
}

/// How a format stores heights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// As integers of 8 or 16 bits, for heights from 0 to 1.
    Integer,
    /// As integers or floating-point numbers, depending on the [`WriteOptions`](crate::WriteOptions).
    Selectable,
    /// As floating-point numbers.
    Float,
}

/// The number of leading bytes that [`size`](crate::size) needs of every format but TIFF, whose directory can be
/// anywhere.
pub const HEADER: usize = 1 << 16;

/// The first bytes of an OpenEXR file.
pub(crate) const EXR_MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

/// The properties of a format, which are the same in every build.
struct Facts {
    name: &'static str,
    /// The usual extension comes first.
    extensions: &'static [&'static str],
    numbers: Numbers,
    is_mesh: bool,
    /// Whether cells can have no height.
    has_gaps: bool,
    /// Whether its floating-point numbers are meters by default.
    keeps_meters: bool,
}

impl Facts {
    /// The defaults of [`Format::facts`].
    const NONE: Self = Self {
        name: "",
        extensions: &[],
        numbers: Numbers::Float,
        is_mesh: false,
        has_gaps: false,
        keeps_meters: false,
    };
}

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

    /// Returns the properties of the format.
    fn facts(self) -> Facts {
        match self {
            Self::Png => Facts {
                name: "PNG",
                extensions: &["png"],
                numbers: Numbers::Integer,
                ..Facts::NONE
            },
            Self::Raw => Facts {
                name: "RAW",
                extensions: &["raw", "r16", "r32"],
                numbers: Numbers::Selectable,
                has_gaps: true,
                ..Facts::NONE
            },
            Self::Pgm => Facts {
                name: "PGM",
                extensions: &["pgm"],
                numbers: Numbers::Integer,
                ..Facts::NONE
            },
            Self::Tiff => Facts {
                name: "TIFF",
                extensions: &["tif", "tiff"],
                numbers: Numbers::Selectable,
                has_gaps: true,
                keeps_meters: true,
                ..Facts::NONE
            },
            Self::Exr => Facts {
                name: "OpenEXR",
                extensions: &["exr"],
                numbers: Numbers::Float,
                has_gaps: true,
                keeps_meters: true,
                ..Facts::NONE
            },
            Self::Ascii => Facts {
                name: "ESRI ASCII grid",
                extensions: &["asc"],
                numbers: Numbers::Float,
                has_gaps: true,
                keeps_meters: true,
                ..Facts::NONE
            },
            Self::Obj => Facts {
                name: "OBJ",
                extensions: &["obj"],
                is_mesh: true,
                ..Facts::NONE
            },
            Self::Stl => Facts {
                name: "STL",
                extensions: &["stl"],
                is_mesh: true,
                ..Facts::NONE
            },
            Self::Glb => Facts {
                name: "GLB",
                extensions: &["glb"],
                is_mesh: true,
                ..Facts::NONE
            },
        }
    }

    /// Returns the display name, for instance `OpenEXR`.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the file extensions of the format, without the dot. The usual one comes first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.facts().extensions
    }

    /// Returns the format of a file extension without the dot. Upper and lower case are the same.
    /// `r16` and `r32` also determine the number format of [`Format::Raw`]:
    /// [`RawFormat::from_extension`](super::RawFormat::from_extension).
    pub fn from_extension(extension: &str) -> Option<Self> {
        let ends_so = |known: &&str| known.eq_ignore_ascii_case(extension);
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.extensions().iter().any(ends_so))
    }

    /// Returns how the format stores heights.
    pub fn numbers(self) -> Numbers {
        self.facts().numbers
    }

    /// Returns whether the format stores triangles instead of rows of heights.
    pub fn is_mesh(self) -> bool {
        self.facts().is_mesh
    }

    /// Returns whether cells of the format may have no height: a declared no-data value, NaN or infinity.
    /// [`ReadOptions::fill`](crate::ReadOptions::fill) fills them. In other formats, only cells with one of
    /// [`ReadOptions::no_data`](crate::ReadOptions::no_data) have no height.
    pub fn has_gaps(self) -> bool {
        self.facts().has_gaps
    }

    /// Returns whether the format stores floating-point heights in meters by default.
    ///
    /// [`WriteOptions::heights`](crate::WriteOptions::heights) overrides the default.
    pub fn keeps_meters(self) -> bool {
        self.facts().keeps_meters
    }

    /// Returns whether maps can be read from this format. All formats can be written.
    pub fn is_read(self) -> bool {
        !self.is_mesh()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
