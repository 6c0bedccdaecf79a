//! GDAL's metadata about the numbers in a TIFF, in a small XML text in one tag.
//!
//! ```text
//! <GDALMetadata>
//!   <Item name="OFFSET" sample="0" role="offset">-442</Item>
//!   <Item name="SCALE" sample="0" role="scale">0.0266</Item>
//!   <Item name="UNITTYPE" sample="0" role="unittype">m</Item>
//!   <Item name="LANTERNFELL_SEA_LEVEL">12.5</Item>
//!   <Item name="LANTERNFELL_SNOW_LINE">1000</Item>
//!   <Item name="LANTERNFELL_COVER">temperate</Item>
//!   <Item name="LANTERNFELL_VALUES">no heights</Item>
//! </GDALMetadata>
//! ```
//!
//! A number `n` means `offset + scale n` in the unit. The next three items are the map's [`Scenery`], with heights in
//! meters. The last one marks numbers that are not heights, for instance slopes or a mask. GDAL shows our four items
//! and keeps them with the file. Items for other bands and with other names are ignored.
//!
//! Source: GDAL, *GeoTIFF driver*, "Metadata".

use crate::ImportError;
use lanternfell_heightmap::{LandCover, Scenery};

/// The metadata of a band and of the map.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Metadata {
    pub(super) offset: Option<f64>,
    pub(super) scale: Option<f64>,
    pub(super) unit: Option<String>,
    pub(super) scenery: Scenery,
    /// The numbers are not heights.
    pub(super) are_values: bool,
}

/// The names of items about the whole map.
const SEA_LEVEL: &str = "LANTERNFELL_SEA_LEVEL";
const SNOW_LINE: &str = "LANTERNFELL_SNOW_LINE";
const COVER: &str = "LANTERNFELL_COVER";
const VALUES: &str = "LANTERNFELL_VALUES";

impl Metadata {
    /// Reads the items of the XML for a band, counted from 0.
    pub(super) fn parse(xml: &str, band: usize) -> Result<Self, ImportError> {
        let band = band.to_string();
        let mut found = Self::default();
        for item in xml.split("<Item").skip(1) {
            let Some((attributes, rest)) = item.split_once('>') else {
                continue;
            };
            let content = rest.split('<').next().unwrap_or_default().trim();
            if attribute(attributes, "sample").is_some_and(|sample| sample != band) {
                continue;
            }
            match attribute(attributes, "role") {
                Some("offset") => found.offset = Some(number("offset", content)?),
                Some("scale") => found.scale = Some(number("scale", content)?),
                Some("unittype") if !content.is_empty() => found.unit = Some(content.to_owned()),
                Some(_) => {}
                None => found.note(attribute(attributes, "name"), content)?,
            }
        }
        Ok(found)
    }

    /// Reads an item about the whole map.
    fn note(&mut self, name: Option<&str>, content: &str) -> Result<(), ImportError> {
        let scenery = &mut self.scenery;
        match name {
            Some(SEA_LEVEL) => scenery.sea_level = Some(number("sea level", content)?),
            Some(SNOW_LINE) => scenery.snow_line = Some(number("snow line", content)?),
            Some(VALUES) => self.are_values = true,
            Some(COVER) => scenery.cover = Some(cover(content)?),
            _ => {}
        }
        Ok(())
    }

    /// Returns the XML.
    pub(super) fn write(&self) -> String {
        let numbers = [("OFFSET", self.offset), ("SCALE", self.scale)];
        let numbers = numbers.map(|(name, number)| (name, number.map(|number| number.to_string())));
        let unit = ("UNITTYPE", self.unit.clone());
        let mut xml = "<GDALMetadata>\n".to_owned();
        for (name, content) in numbers.into_iter().chain([unit]) {
            if let Some(content) = content {
                let role = name.to_lowercase();
                xml += &format!(
                    "  <Item name=\"{name}\" sample=\"0\" role=\"{role}\">{content}</Item>\n"
                );
            }
        }
        let Scenery {
            sea_level,
            snow_line,
            cover,
        } = self.scenery;
        let text = |number: f64| number.to_string();
        let whole = [
            (SEA_LEVEL, sea_level.map(text)),
            (SNOW_LINE, snow_line.map(text)),
            (COVER, cover.map(|cover| cover.name().to_owned())),
            (VALUES, self.are_values.then(|| "no heights".to_owned())),
        ];
        for (name, content) in whole {
            if let Some(content) = content {
                xml += &format!("  <Item name=\"{name}\">{content}</Item>\n");
            }
        }
        xml + "</GDALMetadata>\n"
    }
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = attributes.split_once(&format!("{name}=\""))?;
    after.split('"').next()
}

fn number(what: &str, text: &str) -> Result<f64, ImportError> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        let text: String = text.chars().take(20).collect();
        ImportError::malformed(format_args!("the TIFF's {what} `{text}` is not a number"))
    })
}

fn cover(text: &str) -> Result<LandCover, ImportError> {
    LandCover::from_name(text).ok_or_else(|| {
        let text: String = text.chars().take(20).collect();
        let known = LandCover::ALL.map(LandCover::name).join(", ");
        ImportError::malformed(format_args!(
            "the TIFF's cover is `{text}`, but must be one of {known}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_ignored_items() {
        let metadata = Metadata {
            offset: Some(-442.5),
            scale: Some(1e-7),
            unit: Some("m".to_owned()),
            scenery: Scenery {
                sea_level: Some(-12.25),
                snow_line: Some(900.0),
                cover: Some(LandCover::Desert),
            },
            are_values: true,
        };
        assert_eq!(Metadata::parse(&metadata.write(), 0), Ok(metadata));
        let other =
            "<Item name=\"SCALE\" sample=\"1\" role=\"scale\">9</Item><Item name=\"x\">1</Item>";
        assert_eq!(Metadata::parse(other, 0), Ok(Metadata::default()));
        assert_eq!(Metadata::parse(other, 1).unwrap().scale, Some(9.0));
        let wrong = "<Item sample=\"0\" role=\"scale\">1,5</Item>";
        assert!(
            Metadata::parse(wrong, 0)
                .unwrap_err()
                .to_string()
                .contains("1,5")
        );
        for (name, content) in [
            (SEA_LEVEL, "deep"),
            (SEA_LEVEL, "inf"),
            (SNOW_LINE, "NaN"),
            (COVER, "moss"),
        ] {
            let item = format!("<Item name=\"{name}\">{content}</Item>");
            let error = Metadata::parse(&item, 0).unwrap_err().to_string();
            assert!(error.contains(content), "{error}");
        }
        for damaged in ["", "<Item", "<Item role=\"scale\"", "<Item role=\">x"] {
            assert_eq!(
                Metadata::parse(damaged, 0),
                Ok(Metadata::default()),
                "{damaged}"
            );
        }
    }
}
