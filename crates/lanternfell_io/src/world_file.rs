//! Reads world files, which contain the georeference of an image in six lines of text.
//!
//! ```text
//! 30.0          x step from one column to the next
//! 0.0           y step from one column to the next
//! 0.0           x step from one row to the next
//! -30.0         y step from one row to the next (negative: southward)
//! 500015.0      x of the center of the northwest cell
//! 5202985.0     y of that center
//! ```
//!
//! The numbers are in the unit of the coordinate system, which is in a [`.prj`](super::read_projection) file. The
//! extension of a world file is `.wld`, or the first and last letter of the image's extension and a `w`: `alps.tfw` for
//! `alps.tif`.
//!
//! Source: Esri, *World files for raster datasets*, ArcGIS Desktop help.

use crate::ImportError;
use lanternfell_heightmap::{GeoReference, MapSize};

/// The maximum length of a world file in bytes.
const LONGEST: usize = 1 << 12;

/// Reads the georeference of a map of this size from its world file.
///
/// ```
/// use lanternfell_heightmap::MapSize;
/// use lanternfell_io::read_world_file;
///
/// let text = b"30.0\n0.0\n0.0\n-30.0\n500015.0\n5202985.0\n";
/// let place = read_world_file(text, MapSize::new(200, 100)?)?;
/// assert_eq!((place.corner, place.cell), ([500_000.0, 5_200_000.0], [30.0, 30.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ImportError::Malformed`] when the file does not have six numbers, or they rotate or mirror the map.
/// [`ImportError::Param`] when the cell size is zero or a number is not finite.
pub fn read_world_file(bytes: &[u8], size: MapSize) -> Result<GeoReference, ImportError> {
    let text = str::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text"))?;
    if bytes.len() > LONGEST {
        return Err(wrong("it is longer than 4096 bytes"));
    }
    let numbers: Vec<f64> = text
        .split_whitespace()
        .map(|word| number(word).ok_or_else(|| wrong(format_args!("`{word}` is not a number"))))
        .collect::<Result<_, _>>()?;
    let [across, turned, sheared, down, east, north] = numbers[..] else {
        return Err(wrong(format_args!(
            "it has {} numbers, not 6",
            numbers.len()
        )));
    };
    if turned != 0.0 || sheared != 0.0 {
        return Err(wrong(
            "it rotates the map; rows and columns must be parallel to the axes",
        ));
    }
    if across < 0.0 || down > 0.0 {
        return Err(wrong(
            "it mirrors the map; the first row must be the northernmost",
        ));
    }
    let cell = [across, -down];
    let rows = size.height() as f64;
    let place = GeoReference {
        cell,
        ..GeoReference::at([east - 0.5 * cell[0], north - (rows - 0.5) * cell[1]], 1.0)
    };
    place.validate()?;
    Ok(place)
}

/// Parses a number. Some programs write a decimal comma.
fn number(word: &str) -> Option<f64> {
    word.replace(',', ".").parse().ok()
}

fn wrong(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("invalid world file: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GeoReference, ImportError> {
        read_world_file(text.as_bytes(), MapSize::new(3, 4).unwrap())
    }

    #[test]
    fn last_two_numbers_are_center_of_first_cell() {
        let place = read("2.5\r\n0\r\n0\r\n-10\r\n101.25\r\n995,0\r\n").unwrap();
        assert_eq!(place.position([0.0, 0.0], 4), [101.25, 995.0]);
        assert_eq!(place.position([2.0, 3.0], 4), [106.25, 965.0]);
        assert_eq!(place.corner, [100.0, 960.0]);
    }

    #[test]
    fn rejects_invalid_and_rotated_files() {
        for (text, word) in [
            ("", "0 numbers"),
            ("1 0 0 -1 0", "5 numbers"),
            ("1 0 0 -1 0 0 0", "7 numbers"),
            ("1 0 0 -1 0 north", "`north`"),
            ("1 0.1 0 -1 0 0", "rotates"),
            ("1 0 2 -1 0 0", "rotates"),
            ("1 0 0 1 0 0", "mirrors"),
            ("-1 0 0 -1 0 0", "mirrors"),
            ("0 0 0 -1 0 0", "cell is 0"),
            ("1 0 0 NaN 0 0", "cell is NaN"),
            ("1 0 0 -1 inf 0", "corner is inf"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(word), "`{text}`: {error}");
        }
        let long = "1 0 0 -1 0 0".to_owned() + &" ".repeat(LONGEST);
        assert!(read(&long).is_err());
        assert!(read_world_file(b"\xff", MapSize::default()).is_err());
    }
}
