//! The formats and their properties, which are the same in every build.

use std::fmt;

/// Declares the formats and the list of all of them.
macro_rules! formats {
    ($($(#[$docs:meta])* $name:ident,)*) => {
        /// A file format of maps.
        ///
        /// Every variant exists in every build. [`is_built_in`](Self::is_built_in) returns whether this build supports
        /// the format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$docs])* $name,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];
        }
    };
}

formats! {
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
    /// A grid as text, one point per line.
    Xyz,
    /// SRTM tile of one degree.
    Hgt,
    /// ESRI BIL: plain numbers, described by a header file.
    Bil,
    /// ESRI float grid: the same, with `f32`.
    Flt,
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

/// The number of leading bytes that [`size`](crate::size) needs, unless the format
/// [needs the whole file](Format::needs_whole_file).
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
    /// Whether it stores a georeference without the coordinate system, which is in a `.prj` file.
    lacks_system: bool,
    is_read_only: bool,
    /// Whether the size of the map can be anywhere in the file.
    needs_whole_file: bool,
    /// Whether a file can contain several maps.
    has_several_maps: bool,
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
        lacks_system: false,
        is_read_only: false,
        needs_whole_file: false,
        has_several_maps: false,
    };
}

impl Format {
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
                needs_whole_file: true,
                has_several_maps: true,
                ..Facts::NONE
            },
            Self::Exr => Facts {
                name: "OpenEXR",
                extensions: &["exr"],
                numbers: Numbers::Float,
                has_gaps: true,
                keeps_meters: true,
                has_several_maps: true,
                ..Facts::NONE
            },
            Self::Ascii => Facts {
                name: "ESRI ASCII grid",
                extensions: &["asc"],
                numbers: Numbers::Float,
                has_gaps: true,
                keeps_meters: true,
                lacks_system: true,
                ..Facts::NONE
            },
            Self::Xyz => Facts {
                name: "XYZ",
                extensions: &["xyz"],
                numbers: Numbers::Float,
                has_gaps: true,
                keeps_meters: true,
                lacks_system: true,
                needs_whole_file: true,
                ..Facts::NONE
            },
            Self::Hgt => Facts {
                name: "SRTM",
                extensions: &["hgt"],
                has_gaps: true,
                keeps_meters: true,
                is_read_only: true,
                needs_whole_file: true,
                ..Facts::NONE
            },
            Self::Bil => Facts {
                name: "ESRI BIL",
                extensions: &["bil"],
                has_gaps: true,
                keeps_meters: true,
                lacks_system: true,
                is_read_only: true,
                ..Facts::NONE
            },
            Self::Flt => Facts {
                name: "ESRI float grid",
                extensions: &["flt"],
                has_gaps: true,
                keeps_meters: true,
                lacks_system: true,
                is_read_only: true,
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

    /// Returns whether the format stores a georeference without its coordinate system, which is in a `.prj` file next
    /// to the map.
    pub fn lacks_system(self) -> bool {
        self.facts().lacks_system
    }

    /// Returns whether [`size`](crate::size) needs the whole file, instead of its first [`HEADER`] bytes.
    pub fn needs_whole_file(self) -> bool {
        self.facts().needs_whole_file
    }

    /// Returns whether a file can contain several maps: bands of a TIFF, parts and channels of an OpenEXR image.
    /// [`ReadOptions`](crate::ReadOptions) select one of them.
    pub fn has_several_maps(self) -> bool {
        self.facts().has_several_maps
    }

    /// Returns whether maps can be read from this format.
    pub fn is_read(self) -> bool {
        !self.is_mesh()
    }

    /// Returns whether maps can be written in this format.
    pub fn is_written(self) -> bool {
        !self.facts().is_read_only
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
