//! Reads the coordinate system from GDAL's auxiliary metadata: the `<SRS>` element of an `.aux.xml` file.
//!
//! ```text
//! <PAMDataset>
//!   <SRS dataAxisToSRSAxisMapping="1,2">PROJCS[&quot;WGS 84 / UTM zone 33N&quot;,...</SRS>
//!   <SRS>EPSG:32633</SRS>                                  or only its EPSG code
//! ```
//!
//! The content is either the text of a `.prj` file or an EPSG code. The code does not define whether coordinates are
//! longitude and latitude, but EPSG reserves blocks of codes for geographic systems.
//!
//! GDAL also writes such files for statistics, colors and other metadata. A file without a known coordinate system is
//! therefore not an error.
//!
//! Source: GDAL, *PAM*, `gdal_pam.h`; EPSG's register, codes of geographic 2D systems.

use crate::{ImportError, read_projection};
use lanternfell_heightmap::{CoordinateSystem, LengthUnit};

/// Blocks of EPSG codes for geographic systems: first and last code.
const GEOGRAPHIC: [(u16, u16); 7] = [
    (4001, 4389),
    (4463, 4483),
    (4600, 4646),
    (4657, 4765),
    (4801, 4824),
    (4901, 4904),
    (9000, 9057),
];

/// Single codes outside of these blocks: China 2000, Egypt, Martinique and Guadeloupe, United States 2011, Australia
/// 2020.
const MORE_GEOGRAPHIC: [u16; 5] = [4490, 4555, 4558, 6318, 7844];

/// Returns the coordinate system in an `.aux.xml` file and the unit of its coordinates, or `None` if the file contains
/// no known system.
///
/// ```
/// use lanternfell_heightmap::{CoordinateSystem, LengthUnit};
/// use lanternfell_io as io;
///
/// let xml = b"<PAMDataset><SRS>EPSG:4326</SRS></PAMDataset>";
/// let system = (CoordinateSystem::Geographic(4326), LengthUnit::Meter);
/// assert_eq!(io::read_gdal_sidecar(xml)?, Some(system));
/// # Ok::<(), io::ImportError>(())
/// ```
///
/// # Errors
/// [`ImportError::Malformed`] when the content is not GDAL's auxiliary metadata.
pub fn read_gdal_sidecar(
    bytes: &[u8],
) -> Result<Option<(CoordinateSystem, LengthUnit)>, ImportError> {
    let text = str::from_utf8(bytes).ok();
    let text = text.filter(|text| text.contains("<PAMDataset"));
    let text =
        text.ok_or_else(|| ImportError::malformed(format_args!("not an .aux.xml file of GDAL")))?;
    Ok(system_in(text))
}

fn system_in(text: &str) -> Option<(CoordinateSystem, LengthUnit)> {
    let (_, after) = text.split_once("<SRS")?;
    let (attributes, content) = after.split_once('>')?;
    // Skip longer tags that start with `<SRS`, and empty elements.
    let is_whole = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
    if !is_whole || attributes.ends_with('/') {
        return None;
    }
    let (content, _) = content.split_once("</SRS>")?;
    let content = content.trim();
    if let Some(number) = content.strip_prefix("EPSG:") {
        return of_number(number.parse().ok()?);
    }
    let spelt = content
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    read_projection(spelt.as_bytes()).ok()
}

/// Returns the system with this EPSG code.
fn of_number(number: u16) -> Option<(CoordinateSystem, LengthUnit)> {
    if !(1024..CoordinateSystem::UNREGISTERED).contains(&number) {
        return None;
    }
    let in_block = |&(first, last): &(u16, u16)| (first..=last).contains(&number);
    let is_geographic = GEOGRAPHIC.iter().any(in_block) || MORE_GEOGRAPHIC.contains(&number);
    let system = if is_geographic {
        CoordinateSystem::Geographic(number)
    } else {
        CoordinateSystem::Projected(number)
    };
    Some((system, LengthUnit::Meter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdal_projection;

    fn read(srs: &str) -> Option<CoordinateSystem> {
        let xml = format!("<PAMDataset>\n  {srs}\n</PAMDataset>\n");
        let found = read_gdal_sidecar(xml.as_bytes()).unwrap();
        found.map(|(system, _)| system)
    }

    #[test]
    fn reads_codes_and_text() {
        use CoordinateSystem::{Geographic, Projected};
        for (number, system) in [
            (4326, Geographic(4326)),
            (4258, Geographic(4258)),
            (4269, Geographic(4269)),
            (4490, Geographic(4490)),
            (7844, Geographic(7844)),
            (32_633, Projected(32_633)),
            (2056, Projected(2056)),
            (3857, Projected(3857)),
            (4647, Projected(4647)),
        ] {
            assert_eq!(read(&format!("<SRS>EPSG:{number}</SRS>")), Some(system));
        }
        let text = gdal_projection(Projected(25_832)).unwrap();
        let spelt = text.replace('"', "&quot;");
        let srs = format!("<SRS dataAxisToSRSAxisMapping=\"1,2\">{spelt}</SRS>");
        assert_eq!(read(&srs), Some(Projected(25_832)));
    }

    #[test]
    fn unknown_systems_are_none() {
        for srs in [
            "",
            "<SRS>",
            "<SRS/>",
            "<SRS></SRS>",
            "<SRSX>EPSG:4326</SRSX>",
            "<SRS>EPSG:</SRS>",
            "<SRS>EPSG:0</SRS>",
            "<SRS>EPSG:99999</SRS>",
            "<SRS>EPSG:-4326</SRS>",
            "<SRS>LOCAL_CS[&quot;here&quot;]</SRS>",
            "<SRS>PROJCS[[[[</SRS>",
        ] {
            assert_eq!(read(srs), None, "{srs}");
        }
        for bytes in [&b""[..], b"{}", b"<PAM", b"\xff<PAMDataset>"] {
            assert!(read_gdal_sidecar(bytes).is_err());
        }
    }
}
