//! World files: where a picture lies on the ground, in six lines of text beside it.
//!
//! ```text
//! 30.0          east, from a column to the next
//! 0.0           north, from a column to the next
//! 0.0           east, from a row to the next
//! -30.0         north, from a row to the next: downwards
//! 500015.0      east of the middle of the north-west cell
//! 5202985.0     north of it
//! ```
//!
//! The numbers are in the unit of a coordinate system that is told elsewhere, in a
//! [`.prj`](super::read_projection). The file's name has the first and the last letter of the picture's
//! ending and a `w`: `alps.tfw` is beside `alps.tif`; or it ends in `.wld`.
//!
//! Source: Esri, *World files for raster datasets*, ArcGIS Desktop help.

use crate::ImportError;
use lanternfell_heightmap::{GeoReference, MapSize};

/// No world file is longer, in bytes.
const LONGEST: usize = 1 << 12;

/// Where a map of that size lies, as its world file tells.
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
/// [`ImportError::Malformed`] when it has not six numbers, or they turn the map or mirror it;
/// [`ImportError::Param`] when its cells have no width.
pub fn read_world_file(bytes: &[u8], size: MapSize) -> Result<GeoReference, ImportError> {
    let text = str::from_utf8(bytes).map_err(|_| wrong("it is no text"))?;
    if bytes.len() > LONGEST {
        return Err(wrong("it is too long"));
    }
    let numbers: Vec<f64> = text
        .split_whitespace()
        .map(|word| number(word).ok_or_else(|| wrong(format_args!("`{word}` is no number"))))
        .collect::<Result<_, _>>()?;
    let [across, turned, sheared, down, east, north] = numbers[..] else {
        return Err(wrong(format_args!(
            "it has {} numbers, not 6",
            numbers.len()
        )));
    };
    if turned != 0.0 || sheared != 0.0 {
        return Err(wrong("it turns the map, which has to lie along the axes"));
    }
    if across < 0.0 || down > 0.0 {
        return Err(wrong(
            "it mirrors the map, whose first row has to be the north",
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

/// A number, also with a comma before its fraction, as some programs write it.
fn number(word: &str) -> Option<f64> {
    word.replace(',', ".").parse().ok()
}

fn wrong(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("this is no world file: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GeoReference, ImportError> {
        read_world_file(text.as_bytes(), MapSize::new(3, 4).unwrap())
    }

    #[test]
    fn its_last_numbers_are_the_middle_of_the_first_cell() {
        let place = read("2.5\r\n0\r\n0\r\n-10\r\n101.25\r\n995,0\r\n").unwrap();
        assert_eq!(place.position([0.0, 0.0], 4), [101.25, 995.0]);
        assert_eq!(place.position([2.0, 3.0], 4), [106.25, 965.0]);
        assert_eq!(place.corner, [100.0, 960.0]);
    }

    #[test]
    fn what_is_none_or_turns_the_map_is_refused() {
        for (text, word) in [
            ("", "0 numbers"),
            ("1 0 0 -1 0", "5 numbers"),
            ("1 0 0 -1 0 0 0", "7 numbers"),
            ("1 0 0 -1 0 north", "`north`"),
            ("1 0.1 0 -1 0 0", "turns"),
            ("1 0 2 -1 0 0", "turns"),
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
