//! The coordinate system that GDAL notes beside a map: the `<SRS>` of a `.aux.xml`.
//!
//! ```text
//! <PAMDataset>
//!   <SRS dataAxisToSRSAxisMapping="1,2">PROJCS[&quot;WGS 84 / UTM zone 33N&quot;,...</SRS>
//!   <SRS>EPSG:32633</SRS>                                  or by its number alone
//! ```
//!
//! Spelt out it is what a `.prj` holds. The number alone does not tell whether places are longitudes and latitudes;
//! the register's order does, which keeps blocks of numbers for those.
//!
//! Such files are written for statistics, colors and much else: one that tells no system that is known is no
//! mistake, and tells nothing.
//!
//! Source: GDAL, *PAM*, `gdal_pam.h`; EPSG's register, codes of geographic 2D systems.

use crate::{ImportError, read_projection};
use lanternfell_heightmap::{CoordinateSystem, LengthUnit};

/// Where the register has geographic systems: first and last numbers.
const GEOGRAPHIC: [(u16, u16); 7] = [
    (4001, 4389),
    (4463, 4483),
    (4600, 4646),
    (4657, 4765),
    (4801, 4824),
    (4901, 4904),
    (9000, 9057),
];

/// Those that stand alone: China's of 2000, Egypt's, Martinique's and Guadeloupe's, the United States' of 2011, Australia's
/// of 2020.
const MORE_GEOGRAPHIC: [u16; 5] = [4490, 4555, 4558, 6318, 7844];

/// The coordinate system in a `.aux.xml`, and the unit of places in it; `None` if it tells none that is known.
///
/// ```
/// use lanternfell_heightmap::{CoordinateSystem, LengthUnit};
/// use lanternfell_io as io;
///
/// let xml = b"<PAMDataset><SRS>EPSG:4326</SRS></PAMDataset>";
/// let system = (CoordinateSystem::Geographic(4326), LengthUnit::Metre);
/// assert_eq!(io::read_gdal_sidecar(xml)?, Some(system));
/// # Ok::<(), io::ImportError>(())
/// ```
///
/// # Errors
/// [`ImportError::Malformed`] when it is no such file.
pub fn read_gdal_sidecar(
    bytes: &[u8],
) -> Result<Option<(CoordinateSystem, LengthUnit)>, ImportError> {
    let text = str::from_utf8(bytes).ok();
    let text = text.filter(|text| text.contains("<PAMDataset"));
    let text = text.ok_or_else(|| {
        ImportError::malformed(format_args!(
            "this is no file beside a map as GDAL writes it"
        ))
    })?;
    Ok(system_in(text))
}

fn system_in(text: &str) -> Option<(CoordinateSystem, LengthUnit)> {
    let (_, after) = text.split_once("<SRS")?;
    let (attributes, content) = after.split_once('>')?;
    // Of another tag that begins so, or of one without content.
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

/// The system of that number in EPSG's register.
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
    Some((system, LengthUnit::Metre))
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
    fn systems_are_known_by_number_and_spelt_out() {
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
    fn what_tells_no_system_tells_nothing() {
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
