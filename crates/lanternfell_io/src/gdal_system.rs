//! Reads GDAL's auxiliary metadata in an `.aux.xml` file: the coordinate system, the georeference, and the scale,
//! offset and unit of the first band.
//!
//! ```text
//! <PAMDataset>
//!   <SRS dataAxisToSRSAxisMapping="1,2">PROJCS[&quot;WGS 84 / UTM zone 33N&quot;,...</SRS>
//!   <SRS>EPSG:32633</SRS>                                  or only its EPSG code
//!   <GeoTransform>500000, 30, 0, 4650000, 0, -30</GeoTransform>
//!   <PAMRasterBand band="1">
//!     <UnitType>m</UnitType>
//!     <Offset>-442</Offset>
//!     <Scale>0.0266</Scale>
//! ```
//!
//! The content of `<SRS>` is either the text of a `.prj` file or an EPSG code. The code does not define whether
//! coordinates are longitude and latitude, but EPSG reserves blocks of codes for geographic systems.
//!
//! GDAL also writes such files for statistics, colors and other metadata. A file without a known coordinate system is
//! therefore not an error.
//!
//! Source: GDAL, *PAM*, `gdal_pam.h`; EPSG's register, codes of geographic 2D systems.

use crate::{ElevationSource, ImportError, Meaning, read_projection};
use lanternfell_heightmap::{
    CoordinateSystem, Elevation, GeoReference, LengthUnit, MapFrame, MapSize, ParamError,
};

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
    Ok(system_in(text(bytes)?))
}

fn text(bytes: &[u8]) -> Result<&str, ImportError> {
    let text = str::from_utf8(bytes).ok();
    let text = text.filter(|text| text.contains("<PAMDataset"));
    text.ok_or_else(|| ImportError::malformed(format_args!("not an .aux.xml file of GDAL")))
}

/// The metadata in an `.aux.xml` file.
pub(super) struct GdalMetadata {
    system: Option<(CoordinateSystem, LengthUnit)>,
    /// In the unit of the coordinate system.
    place: Option<GeoReference>,
    scale: Option<f64>,
    offset: Option<f64>,
    unit: Option<LengthUnit>,
}

impl GdalMetadata {
    /// Reads the metadata of a map of this size. Unknown units and systems are ignored.
    pub(super) fn parse(bytes: &[u8], size: MapSize) -> Result<Self, ImportError> {
        let text = text(bytes)?;
        let band = text.split_once("<PAMRasterBand band=\"1\"");
        let band = band.and_then(|(_, rest)| rest.split("</PAMRasterBand>").next());
        let number = |name| {
            let content = element(band.unwrap_or_default(), name)?;
            content
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
        };
        let place = element(text, "GeoTransform");
        Ok(Self {
            system: system_in(text),
            place: place.map(|text| place_of(text, size)).transpose()?,
            scale: number("Scale"),
            offset: number("Offset"),
            unit: element(band.unwrap_or_default(), "UnitType").and_then(LengthUnit::from_name),
        })
    }

    /// Adds the georeference and the coordinate system, if the map has none.
    pub(super) fn place(&self, frame: &mut MapFrame) {
        if let Some(place) = self.place.filter(|_| !frame.place_is_explicit)
            && (place != frame.place || self.system.is_some())
        {
            frame.place = place;
            frame.place_is_explicit = true;
        }
        if let Some((system, unit)) = self.system
            && frame.place_is_explicit
        {
            (frame.place.system, frame.place.unit) = (Some(system), unit);
        }
    }

    /// Adds the scale, the offset and the unit, unless they are known.
    pub(super) fn scale(
        &self,
        frame: &mut MapFrame,
        meaning: &mut Meaning,
    ) -> Result<(), ParamError> {
        let is_scaled = self.scale.is_some() || self.offset.is_some();
        let is_open = meaning.source == ElevationSource::Default || meaning.source.is_meters();
        if !is_open || (!is_scaled && self.unit.is_none()) {
            return Ok(());
        }
        let meters = self.unit.unwrap_or_default().meters();
        // With a scale, integers stay fractions of the largest one.
        let one = if is_scaled { meaning.one.into() } else { 1.0 };
        let elevation = Elevation {
            offset: self.offset.unwrap_or(0.0) * meters,
            relief: self.scale.unwrap_or(1.0) * one * meters,
        };
        elevation.validate()?;
        // Negating the heights of a map that may not be in memory is not worth it for a file next to it.
        ParamError::check(
            elevation.relief > 0.0,
            "aux.xml",
            "Scale",
            self.scale.unwrap_or(1.0),
            "above 0",
        )?;
        (frame.elevation, frame.elevation_is_explicit) = (elevation, true);
        frame.unit = frame.unit.map(|_| self.unit.unwrap_or_default());
        meaning.source = if is_scaled {
            ElevationSource::Scale
        } else {
            ElevationSource::Unit
        };
        Ok(())
    }
}

/// Returns the trimmed content of the first element with this name and without attributes.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = after.split_once(&format!("</{name}>"))?;
    Some(content.trim())
}

/// Returns the georeference of a map of this size in a geotransform: west edge, cell width, 0, north edge, 0, and minus
/// the cell height.
fn place_of(text: &str, size: MapSize) -> Result<GeoReference, ImportError> {
    let wrong = |what: &str| ImportError::malformed(format_args!("invalid .aux.xml file: {what}"));
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect();
    let Some(&[west, across, turned, north, sheared, down]) = numbers.as_deref() else {
        return Err(wrong("its GeoTransform does not have 6 numbers"));
    };
    if turned != 0.0 || sheared != 0.0 || across < 0.0 || down > 0.0 {
        return Err(wrong("its GeoTransform rotates or mirrors the map"));
    }
    let place = GeoReference {
        cell: [across, -down],
        ..GeoReference::at([west, north + size.height() as f64 * down], 1.0)
    };
    place.validate()?;
    Ok(place)
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
