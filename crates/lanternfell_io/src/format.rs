//! The formats by name, and what holds for each in every build.

use std::fmt;

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
    /// What the [`WriteOptions`](crate::WriteOptions) say: a whole number, or the height itself.
    AsChosen,
    /// The height itself.
    Float,
}

/// The first bytes that [`size`](crate::size) needs of any file but a TIFF, whose directory can be anywhere.
pub const HEADER: usize = 1 << 16;

/// The first bytes of an OpenEXR file.
pub(crate) const EXR_MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

/// What holds for a format in every build.
struct Facts {
    name: &'static str,
    /// The usual one first.
    extensions: &'static [&'static str],
    numbers: Numbers,
    is_mesh: bool,
    /// Whether cells can have no height.
    has_gaps: bool,
    /// Whether its numbers with a fraction are metres, unless something else is asked for.
    keeps_metres: bool,
}

impl Facts {
    /// The defaults of a row.
    const NONE: Self = Self {
        name: "",
        extensions: &[],
        numbers: Numbers::Float,
        is_mesh: false,
        has_gaps: false,
        keeps_metres: false,
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

    /// What holds for it in every build.
    fn facts(self) -> Facts {
        match self {
            Self::Png => Facts {
                name: "PNG",
                extensions: &["png"],
                numbers: Numbers::Whole,
                ..Facts::NONE
            },
            Self::Raw => Facts {
                name: "RAW",
                extensions: &["raw", "r16", "r32"],
                numbers: Numbers::AsChosen,
                ..Facts::NONE
            },
            Self::Pgm => Facts {
                name: "PGM",
                extensions: &["pgm"],
                numbers: Numbers::Whole,
                ..Facts::NONE
            },
            Self::Tiff => Facts {
                name: "TIFF",
                extensions: &["tif", "tiff"],
                numbers: Numbers::AsChosen,
                has_gaps: true,
                keeps_metres: true,
                ..Facts::NONE
            },
            Self::Exr => Facts {
                name: "OpenEXR",
                extensions: &["exr"],
                numbers: Numbers::Float,
                keeps_metres: true,
                ..Facts::NONE
            },
            Self::Ascii => Facts {
                name: "ESRI ASCII grid",
                extensions: &["asc"],
                numbers: Numbers::Float,
                has_gaps: true,
                keeps_metres: true,
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

    /// The format's name, for people.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// What files of this format end in, without the point, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.facts().extensions
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
        self.facts().numbers
    }

    /// Whether it holds triangles, and not heights in rows.
    pub fn is_mesh(self) -> bool {
        self.facts().is_mesh
    }

    /// Whether its cells may have no height, which [`ReadOptions::fill`](crate::ReadOptions::fill) fills.
    pub fn has_gaps(self) -> bool {
        self.facts().has_gaps
    }

    /// Whether its numbers with a fraction are metres, unless
    /// [`WriteOptions::heights`](crate::WriteOptions::heights) asks for something else.
    pub fn keeps_metres(self) -> bool {
        self.facts().keeps_metres
    }

    /// Whether maps are read from this format. To all of them they are written.
    pub fn is_read(self) -> bool {
        !self.is_mesh()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
