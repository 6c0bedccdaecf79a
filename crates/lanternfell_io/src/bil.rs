//! ESRI BIL and float grids (`.bil`, `.flt`): plain numbers, described by a header file next to them (`.hdr`).
//!
//! ```text
//! dem.bil   the numbers, from the northwest
//! dem.hdr   NROWS 3601        ncols 3601          the keys of a float grid, or those
//!           NCOLS 3601        nrows 3601          of an ASCII grid
//!           NBITS 16          xllcorner -10.5
//!           PIXELTYPE SIGNEDINT  yllcorner 37.5
//!           BYTEORDER I       cellsize 0.0002777
//!           ULXMAP -10        NODATA_value -9999
//!           ULYMAP 39         byteorder LSBFIRST
//!           XDIM 0.0002777
//!           YDIM 0.0002777
//!           NODATA -32768
//! dem.prj   the coordinate system
//! ```
//!
//! `ULXMAP` and `ULYMAP` are the center of the northwest cell, and `xllcorner` and `yllcorner` are the southwest corner
//! of the map. Keys may be in upper or lower case, and unknown keys are ignored. Without `NBITS`, a `.flt` has `f32`
//! and a `.bil` has bytes. Without `PIXELTYPE`, integers are unsigned unless the no-data value is negative, as in GDAL.
//!
//! Heights are in meters. Limits: one band.
//!
//! Source: Esri, *BIL, BIP, and BSQ raster files* and *Float to raster*, ArcGIS Desktop help; GDAL documentation,
//! *`EHdr` -- ESRI .hdr Labelled*.

use std::{
    io::{Cursor, SeekFrom},
    str::FromStr,
};

use crate::{
    ByteOrder, ElevationSource, Format, ImportError, ImportedMap, ReadOptions,
    cells::{self, Cells, Decoded, Source, unread},
    file_metadata::{FileMetadata, StoredFrame},
};
use lanternfell_heightmap::{Elevation, ElevationModel, GeoReference, MapSize, ParamError};

/// The maximum length of a header in bytes.
const LONGEST: usize = 1 << 16;

/// The header file of an ESRI BIL or float grid.
///
/// ```
/// use lanternfell_io::{BilHeader, Format, ReadOptions};
///
/// let header = b"nrows 2\nncols 2\nnbits 16\npixeltype signedint\nbyteorder M\n\
///     ulxmap 15\nulymap 45\nxdim 30\nydim 30\n";
/// let header = BilHeader::parse(header, Format::Bil)?;
/// let map = header.read(&[0, 1, 0, 2, 0, 3, 0xff, 0xff], &ReadOptions::default())?;
/// assert_eq!(map.heights.heights(), [1.0, 2.0, 3.0, -1.0]);
/// assert_eq!(map.frame.place.corner, [0.0, 0.0]);
/// # Ok::<(), lanternfell_io::ImportError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BilHeader {
    size: MapSize,
    number: Number,
    order: ByteOrder,
    /// The bytes before the first row, and the bytes from one row to the next.
    skip: u64,
    row: u64,
    place: Option<GeoReference>,
    no_data: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    F64,
}

impl BilHeader {
    /// Returns the names that the header file of a map can have. Empty if the format has no header file.
    pub fn names(file: &str, format: Format) -> Vec<String> {
        if !matches!(format, Format::Bil | Format::Flt) {
            return Vec::new();
        }
        let (stem, _) = file.rsplit_once('.').unwrap_or((file, ""));
        ["hdr", "HDR"]
            .map(|ending| format!("{stem}.{ending}"))
            .into()
    }

    /// Reads the header of a map of this format.
    ///
    /// # Errors
    /// - [`ImportError::Malformed`] when a key is missing, a value is invalid, or the kind of numbers is not supported.
    /// - [`ImportError::Size`] when the size is not one that a map can have.
    /// - [`ImportError::Param`] when the georeference is outside its range.
    pub fn parse(text: &[u8], format: Format) -> Result<Self, ImportError> {
        let keys = Keys::parse(text)?;
        let size = MapSize::new(keys.needed("ncols")?, keys.needed("nrows")?)?;
        if keys.value("nbands")?.unwrap_or(1_u64) != 1 {
            return Err(wrong("it has several bands, but only one is supported"));
        }
        let no_data = match keys.value("nodata")? {
            Some(number) => Some(number),
            None => keys.value("nodata_value")?,
        };
        let is_signed = no_data.is_some_and(|number: f64| number < 0.0);
        let number = Number::of(&keys, format, is_signed)?;
        let order = match keys.word("byteorder").map(str::to_ascii_uppercase) {
            None => ByteOrder::Little,
            Some(word) if ["I", "LSBFIRST"].contains(&word.as_str()) => ByteOrder::Little,
            Some(word) if ["M", "MSBFIRST"].contains(&word.as_str()) => ByteOrder::Big,
            Some(word) => {
                return Err(wrong(format_args!(
                    "BYTEORDER is `{}`, not I, M, LSBFIRST or MSBFIRST",
                    shown(&word)
                )));
            }
        };
        let dense = (size.width() * number.bytes()) as u64;
        let row = match keys.value("totalrowbytes")? {
            Some(row) => row,
            None => keys.value("bandrowbytes")?.unwrap_or(dense),
        };
        if row < dense {
            return Err(wrong(format_args!(
                "a row has {row} bytes, but {dense} are needed"
            )));
        }
        Ok(Self {
            size,
            number,
            order,
            skip: keys.value("skipbytes")?.unwrap_or(0),
            row,
            place: keys.place(size)?,
            no_data,
        })
    }

    /// The size of the map.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// Returns the minimum length of the numbers in bytes. The file may have more.
    pub fn bytes(&self) -> u64 {
        let dense = (self.size.width() * self.number.bytes()) as u64;
        let before = self.row.saturating_mul(self.size.height() as u64 - 1);
        self.skip.saturating_add(before).saturating_add(dense)
    }

    /// Reads the map from the bytes of its `.bil` or `.flt` file.
    ///
    /// # Errors
    /// - [`ImportError::Length`] when there are fewer bytes than the header describes.
    /// - [`ImportError::Gap`] when a cell has no height and `options` do not fill it.
    /// - [`ImportError::NotFinite`] when a height is NaN or infinite.
    pub fn read(&self, bytes: &[u8], options: &ReadOptions) -> Result<ElevationModel, ImportError> {
        Ok(self.import(bytes, options)?.model)
    }

    /// Reads the map like [`read`](Self::read), and returns how the meaning of its numbers was determined.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and [`ImportError::Param`] when the georeference is outside its range.
    pub fn import(&self, bytes: &[u8], options: &ReadOptions) -> Result<ImportedMap, ImportError> {
        let mut numbers = Vec::new();
        let decoded = self.decode(&mut Cursor::new(bytes), &mut numbers)?;
        let map = decoded.map(numbers, options)?;
        map.model.frame.validate_on(map.model.size())?;
        Ok(map)
    }

    /// Decodes the heights, row by row.
    fn decode(&self, file: &mut dyn Source, cells: &mut dyn Cells) -> Result<Decoded, ImportError> {
        let (expected, found) = (self.bytes(), cells::length(file)?);
        if found < expected {
            return Err(ImportError::Length { expected, found });
        }
        let (size, width) = (self.size, self.size.width());
        cells.begin(size, None)?;
        let mut bytes = vec![0; width * self.number.bytes()];
        for y in 0..size.height() {
            let start = self.skip + y as u64 * self.row;
            file.seek(SeekFrom::Start(start)).map_err(unread)?;
            file.read_exact(&mut bytes).map_err(unread)?;
            cells.put(y * width, width, &mut |row| {
                self.number.read(&mut bytes, self.order, row);
            })?;
        }
        let metadata = FileMetadata {
            elevation: Some(Elevation::METERS),
            source: Some(ElevationSource::Format),
            no_data: self.no_data,
            place: self.place,
            ..FileMetadata::default()
        };
        Ok(Decoded {
            size,
            frame: StoredFrame::Parts(metadata),
            gap: self.no_data.map(|number| number as f32),
            largest: self.number.largest(),
        })
    }
}

impl Number {
    fn of(keys: &Keys<'_>, format: Format, is_signed: bool) -> Result<Self, ImportError> {
        let kind = keys.word("pixeltype").map(str::to_ascii_uppercase);
        let default = if format == Format::Flt { 32 } else { 8 };
        let bits: u64 = keys.value("nbits")?.unwrap_or(default);
        let kind = match kind.as_deref() {
            None if format == Format::Flt && bits >= 32 => "FLOAT",
            None if is_signed => "SIGNEDINT",
            None => "UNSIGNEDINT",
            Some(kind) => kind,
        };
        Ok(match (kind, bits) {
            ("UNSIGNEDINT", 8) => Self::U8,
            ("UNSIGNEDINT", 16) => Self::U16,
            ("UNSIGNEDINT", 32) => Self::U32,
            ("SIGNEDINT", 8) => Self::I8,
            ("SIGNEDINT", 16) => Self::I16,
            ("SIGNEDINT", 32) => Self::I32,
            ("FLOAT", 32) => Self::F32,
            ("FLOAT", 64) => Self::F64,
            _ => {
                return Err(wrong(format_args!(
                    "PIXELTYPE `{}` with NBITS {bits} is not supported",
                    shown(kind)
                )));
            }
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the integer of a height of 1, if an option makes the numbers fractions.
    fn largest(self) -> Option<f32> {
        match self {
            Self::U8 => Some(255.0),
            Self::U16 => Some(65_535.0),
            Self::I8 | Self::I16 | Self::U32 | Self::I32 | Self::F32 | Self::F64 => None,
        }
    }

    /// Converts the numbers of a row. The order of their bytes may change.
    fn read(self, bytes: &mut [u8], order: ByteOrder, row: &mut [f32]) {
        fn pull<const N: usize>(bytes: &[u8], row: &mut [f32], number: impl Fn([u8; N]) -> f32) {
            for (height, &bytes) in row.iter_mut().zip(bytes.as_chunks().0) {
                *height = number(bytes);
            }
        }
        if order == ByteOrder::Big {
            bytes
                .chunks_exact_mut(self.bytes())
                .for_each(<[u8]>::reverse);
        }
        match self {
            Self::U8 => pull(bytes, row, |number| u8::from_le_bytes(number).into()),
            Self::I8 => pull(bytes, row, |number| i8::from_le_bytes(number).into()),
            Self::U16 => pull(bytes, row, |number| u16::from_le_bytes(number).into()),
            Self::I16 => pull(bytes, row, |number| i16::from_le_bytes(number).into()),
            Self::U32 => pull(bytes, row, |number| u32::from_le_bytes(number) as f32),
            Self::I32 => pull(bytes, row, |number| i32::from_le_bytes(number) as f32),
            Self::F32 => pull(bytes, row, f32::from_le_bytes),
            Self::F64 => pull(bytes, row, |number| f64::from_le_bytes(number) as f32),
        }
    }
}

/// The keys of a header, in lower case, and their values.
struct Keys<'a>(Vec<(String, &'a str)>);

impl<'a> Keys<'a> {
    fn parse(text: &'a [u8]) -> Result<Self, ImportError> {
        if text.len() > LONGEST {
            return Err(wrong(format_args!("it is longer than {LONGEST} bytes")));
        }
        let text = str::from_utf8(text).map_err(|_| wrong("it is not UTF-8 text"))?;
        let pair = |line: &'a str| {
            let (key, value) = line.trim().split_once(char::is_whitespace)?;
            Some((key.to_ascii_lowercase(), value.split_whitespace().next()?))
        };
        Ok(Self(text.lines().filter_map(pair).collect()))
    }

    fn word(&self, key: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(known, _)| known == key);
        found.map(|&(_, value)| value)
    }

    fn value<T: FromStr>(&self, key: &str) -> Result<Option<T>, ImportError> {
        let Some(word) = self.word(key) else {
            return Ok(None);
        };
        let value = word.parse().map(Some);
        value.map_err(|_| {
            let key = key.to_ascii_uppercase();
            wrong(format_args!(
                "{key} is `{}`, which is not a valid number",
                shown(word)
            ))
        })
    }

    /// Returns the value of a key that must be present.
    fn needed(&self, key: &str) -> Result<u64, ImportError> {
        let missing = || wrong(format_args!("it has no {}", key.to_ascii_uppercase()));
        self.value(key)?.ok_or_else(missing)
    }

    /// Returns the georeference, or `None` if there is no cell size.
    fn place(&self, size: MapSize) -> Result<Option<GeoReference>, ImportError> {
        let side = |key| {
            let side: Option<f64> = match self.value(key)? {
                Some(side) => Some(side),
                None => self.value("cellsize")?,
            };
            Ok::<_, ImportError>(side)
        };
        let (Some(across), Some(down)) = (side("xdim")?, side("ydim")?) else {
            return Ok(None);
        };
        let [west, south] = [
            self.edge(["xllcorner", "xllcenter", "ulxmap"], across, 0.0)?,
            self.edge(
                ["yllcorner", "yllcenter", "ulymap"],
                down,
                (size.height() - 1) as f64,
            )?,
        ];
        let place = GeoReference {
            cell: [across, down],
            ..GeoReference::at([west, south], 1.0)
        };
        ParamError::check(across > 0.0, "header", "XDIM", across, "above 0")?;
        ParamError::check(down > 0.0, "header", "YDIM", down, "above 0")?;
        place.validate()?;
        Ok(Some(place))
    }

    /// Returns the west or south edge from a corner, the center of the outermost cell, or the center of the cell that
    /// is `cells` away from it.
    fn edge(
        &self,
        [corner, center, other]: [&str; 3],
        cell: f64,
        cells: f64,
    ) -> Result<f64, ImportError> {
        if let Some(corner) = self.value(corner)? {
            return Ok(corner);
        }
        if let Some(center) = self.value::<f64>(center)? {
            return Ok(center - 0.5 * cell);
        }
        let other = self.value::<f64>(other)?;
        Ok(other.map_or(0.0, |other| other - (cells + 0.5) * cell))
    }
}

/// Returns a word of the file for an error.
fn shown(word: &str) -> String {
    word.escape_debug().take(20).collect()
}

fn wrong(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("invalid .hdr file: {what}"))
}
