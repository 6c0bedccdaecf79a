//! SRTM (`.hgt`): one degree of latitude and longitude in meters, without a header.
//!
//! ```text
//! N38W010.hgt    the southwest corner: 38° N, 10° W
//! 3601 x 3601    big-endian i16, from the northwest; -32768: no height
//! ```
//!
//! The length of the file determines the size: an arc second between cells (3601 x 3601, or 1801 x 3601 far from the
//! equator), or three (1201 x 1201). The name of the file is the only georeference:
//! [`Format::georeference_from_file_name`].
//!
//! Cells are points on whole arc seconds, including both edges of the degree, so neighboring files share their edge
//! cells. The corner of the first cell is half a cell outside of the degree.
//!
//! Source: NASA JPL, *SRTM Topography* (`SRTM_Topo.pdf`), 2015; GDAL documentation, *SRTMHGT -- SRTM HGT Format*.

use crate::{
    ElevationSource, Format, ImportError, ReadOptions,
    cells::{self, Cells, Decoded, Source, unread},
    file_metadata::{FileMetadata, StoredFrame},
};
use lanternfell_heightmap::{CoordinateSystem, Elevation, GeoReference, MapSize};

/// The sizes of the format.
const SIZES: [(u64, u64); 3] = [(1201, 1201), (1801, 3601), (3601, 3601)];

/// Marks cells without a height.
const VOID: i16 = i16::MIN;

/// Returns the size of a map from its whole file.
pub(super) fn size(bytes: &[u8]) -> Result<MapSize, ImportError> {
    size_of(bytes.len() as u64)
}

fn size_of(length: u64) -> Result<MapSize, ImportError> {
    let known = |&&(width, height): &&(u64, u64)| 2 * width * height == length;
    let Some(&(width, height)) = SIZES.iter().find(known) else {
        let sizes =
            SIZES.map(|(width, height)| format!("{} ({width}x{height})", 2 * width * height));
        return Err(ImportError::malformed(format_args!(
            "the file has {length} bytes, but an SRTM file has {}",
            sizes.join(" or ")
        )));
    };
    Ok(MapSize::new(width, height)?)
}

/// Decodes the heights, row by row.
pub(super) fn decode(
    file: &mut dyn Source,
    _: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<Decoded, ImportError> {
    let size = size_of(cells::length(file)?)?;
    if cells.wants_heights() {
        put_heights(file, size, cells)?;
    }
    let metadata = FileMetadata {
        elevation: Some(Elevation::METERS),
        source: Some(ElevationSource::Format),
        no_data: Some(VOID.into()),
        ..FileMetadata::default()
    };
    Ok(Decoded {
        size,
        frame: StoredFrame::Parts(metadata),
        gap: Some(VOID.into()),
        largest: None,
    })
}

fn put_heights(
    file: &mut dyn Source,
    size: MapSize,
    cells: &mut dyn Cells,
) -> Result<(), ImportError> {
    cells.begin(size, None)?;
    let width = size.width();
    let mut bytes = vec![0; 2 * width];
    for y in 0..size.height() {
        file.read_exact(&mut bytes).map_err(unread)?;
        cells.put(y * width, width, &mut |row| {
            for (height, &number) in row.iter_mut().zip(bytes.as_chunks().0) {
                *height = i16::from_be_bytes(number).into();
            }
        })?;
    }
    Ok(())
}

impl Format {
    /// Returns the georeference that the name of a file contains. This is the case for [`Format::Hgt`] only, which does
    /// not store it in the file.
    ///
    /// ```
    /// use lanternfell_heightmap::MapSize;
    /// use lanternfell_io::Format;
    ///
    /// let place = Format::Hgt.georeference_from_file_name("N38W010.hgt", MapSize::new(1201, 1201)?)?.unwrap();
    /// assert!((place.position([0.0, 0.0], 1201)[0] + 10.0).abs() < 1e-9);
    /// assert!((place.position([1200.0, 0.0], 1201)[1] - 39.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - [`ImportError::Malformed`] when the file name does not start with the southwest corner, as in `N38W010.hgt`.
    /// - [`ImportError::Param`] when the georeference is outside its range.
    pub fn georeference_from_file_name(
        self,
        file: &str,
        size: MapSize,
    ) -> Result<Option<GeoReference>, ImportError> {
        if self != Self::Hgt {
            return Ok(None);
        }
        let corner = corner(file).ok_or_else(|| {
            ImportError::malformed(
                "the name of an SRTM file must start with its southwest corner, for example \
                 N38W010.hgt, because the file does not contain its georeference",
            )
        })?;
        let cell = [size.width(), size.height()].map(|cells| 1.0 / (cells - 1) as f64);
        let place = GeoReference {
            cell,
            system: Some(CoordinateSystem::Geographic(4326)),
            ..GeoReference::at([0, 1].map(|axis| corner[axis] - 0.5 * cell[axis]), 1.0)
        };
        place.validate_on(size.height())?;
        Ok(Some(place))
    }
}

/// Returns the longitude and latitude at the start of a name, as in `n38w010.hgt` or `N38W010.SRTMGL1.hgt`.
fn corner(file: &str) -> Option<[f64; 2]> {
    let (start, rest) = file.split_at_checked(7)?;
    let degrees = |text: &str, positive, negative| {
        let (sign, number) = text.split_at_checked(1)?;
        let sign = match sign.to_ascii_uppercase() {
            sign if sign == positive => 1.0,
            sign if sign == negative => -1.0,
            _ => return None,
        };
        let is_number = number.bytes().all(|digit| digit.is_ascii_digit());
        Some(sign * is_number.then(|| number.parse::<f64>().ok())??)
    };
    let (latitude, longitude) = start.split_at_checked(3)?;
    let ends = rest
        .bytes()
        .next()
        .is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let corner = [degrees(longitude, "E", "W")?, degrees(latitude, "N", "S")?];
    (ends && corner[0].abs() <= 180.0 && corner[1].abs() <= 90.0).then_some(corner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_corner_in_name() {
        assert_eq!(corner("N38W010.hgt"), Some([-10.0, 38.0]));
        assert_eq!(corner("s01e000.SRTMGL1.hgt"), Some([0.0, -1.0]));
        assert_eq!(corner("N27E086"), Some([86.0, 27.0]));
        for wrong in [
            "",
            "dem.hgt",
            "N38W01.hgt",
            "N38W0100.hgt",
            "N3.W010.hgt",
            "38NW010.hgt",
            "N+8W010.hgt",
            "N91E000.hgt",
            "N38E181.hgt",
            "N38X010.hgt",
            "N3é8W010.hgt",
        ] {
            assert_eq!(corner(wrong), None, "{wrong}");
        }
    }
}
