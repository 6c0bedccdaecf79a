//! Reads `.prj` files, which contain a coordinate system as text.
//!
//! ```text
//! PROJCS["WGS_1984_UTM_Zone_33N", GEOGCS["GCS_WGS_1984", ...], ..., UNIT["Meter",1.0],
//!        AUTHORITY["EPSG","32633"]]
//! ```
//!
//! Idea: the text is a tree of keywords with brackets, of which only the root is needed. Its keyword determines whether
//! coordinates are longitude and latitude. Its authority is the EPSG code. Esri's programs write no code, so the name
//! is compared with those of the systems that [`gdal_projection`] can write. All other systems get an unknown code.
//!
//! Source: Open Geospatial Consortium, *Well-known text representation of coordinate reference systems*, versions 1
//! (OGC 01-009) and 2 (OGC 18-010).

use crate::{ImportError, gdal_projection};
use lanternfell_heightmap::{CoordinateSystem, LengthUnit};

/// The maximum length of the text in bytes.
const LONGEST: usize = 1 << 16;
/// The maximum depth of the tree. Version 2 of the standard uses about eight levels.
const DEEPEST: u32 = 32;

/// Reads the coordinate system of a `.prj` file, and the unit of its coordinates. For degrees the unit is
/// [`LengthUnit::Meter`].
///
/// ```
/// use lanternfell_heightmap::{CoordinateSystem, LengthUnit};
/// use lanternfell_io as io;
///
/// let system = CoordinateSystem::Projected(25_832);
/// let text = io::gdal_projection(system).unwrap();
/// assert_eq!(io::read_projection(text.as_bytes())?, (system, LengthUnit::Meter));
/// # Ok::<(), io::ImportError>(())
/// ```
///
/// # Errors
/// [`ImportError::Malformed`] when the text is invalid, is not a horizontal coordinate system, or has an unknown unit.
pub fn read_projection(bytes: &[u8]) -> Result<(CoordinateSystem, LengthUnit), ImportError> {
    let text = str::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text"))?;
    if bytes.len() > LONGEST {
        return Err(wrong("it is longer than 65536 bytes"));
    }
    let mut rest = text.trim_start_matches('\u{feff}').trim();
    let mut trunk = Node::parse(&mut rest, 0).ok_or_else(|| wrong("its brackets do not match"))?;
    // A compound system of horizontal and vertical coordinates: the horizontal system comes first.
    if trunk.is_one_of(&["COMPD_CS", "COMPOUNDCRS"]) && !trunk.branches.is_empty() {
        trunk = trunk.branches.swap_remove(0);
    }
    let number = trunk.epsg().or_else(|| trunk.known_by_name());
    let number = number.unwrap_or(CoordinateSystem::UNREGISTERED);
    if trunk.is_one_of(&["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS"]) {
        return Ok((CoordinateSystem::Geographic(number), LengthUnit::Meter));
    }
    if trunk.is_one_of(&["PROJCS", "PROJCRS", "PROJECTEDCRS"]) {
        return Ok((CoordinateSystem::Projected(number), trunk.unit()?));
    }
    Err(wrong(format_args!(
        "`{}` is not a horizontal coordinate system",
        trunk.keyword
    )))
}

/// A keyword and the content of its brackets.
struct Node<'a> {
    keyword: &'a str,
    /// Names without their quotes, and numbers.
    values: Vec<&'a str>,
    branches: Vec<Node<'a>>,
}

impl<'a> Node<'a> {
    /// Parses the node at the start of the text, and removes it from the text.
    fn parse(text: &mut &'a str, depth: u32) -> Option<Self> {
        let length = text.find(['[', '('])?;
        let keyword = text[..length].trim();
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if depth > DEEPEST || keyword.is_empty() || !keyword.chars().all(is_word) {
            return None;
        }
        let mut node = Self {
            keyword,
            values: Vec::new(),
            branches: Vec::new(),
        };
        *text = &text[length + 1..];
        loop {
            *text = text.trim_start();
            if let Some(quoted) = text.strip_prefix('"') {
                let end = quoted.find('"')?;
                node.values.push(&quoted[..end]);
                *text = &quoted[end + 1..];
            } else {
                let end = text.find([',', '[', '(', ']', ')'])?;
                if text[end..].starts_with(['[', '(']) {
                    node.branches.push(Self::parse(text, depth + 1)?);
                } else {
                    node.values.push(text[..end].trim());
                    *text = &text[end..];
                }
            }
            *text = text.trim_start();
            let more = text.starts_with(',');
            *text = text.strip_prefix([',', ']', ')'])?;
            if !more {
                return Some(node);
            }
        }
    }

    fn is_one_of(&self, keywords: &[&str]) -> bool {
        let same = |keyword: &&str| keyword.eq_ignore_ascii_case(self.keyword);
        keywords.iter().any(same)
    }

    /// Returns the last branch with one of these keywords.
    fn branch(&self, keywords: &[&str]) -> Option<&Self> {
        self.branches.iter().rfind(|node| node.is_one_of(keywords))
    }

    /// Returns its EPSG code.
    fn epsg(&self) -> Option<u16> {
        let authority = self.branch(&["AUTHORITY", "ID"])?;
        let [owner, number, ..] = authority.values[..] else {
            return None;
        };
        let number = number.parse().ok()?;
        owner.eq_ignore_ascii_case("EPSG").then_some(number)
    }

    /// Returns the code of a system with this name. Programs write names with spaces or underscores, and with or
    /// without Esri's `GCS_`.
    fn known_by_name(&self) -> Option<u16> {
        let plain = |name: &str| {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            let name: String = letters.collect::<String>().to_ascii_uppercase();
            name.strip_prefix("GCS").map(str::to_owned).unwrap_or(name)
        };
        let name = plain(self.values.first()?).replace("WGS84", "WGS1984");
        let geographic = [4326, 4258, 4269].map(CoordinateSystem::Geographic);
        let projected = [32_600..32_761, 25_828..25_839, 26_901..26_924]
            .into_iter()
            .flatten();
        let all = geographic
            .into_iter()
            .chain(projected.map(CoordinateSystem::Projected));
        let spelt_out = |&system: &CoordinateSystem| {
            gdal_projection(system).is_some_and(|text| {
                let known = text.split('"').nth(1).unwrap_or_default();
                plain(known) == name
            })
        };
        all.into_iter().find(spelt_out)?.epsg()
    }

    /// Returns the unit of its coordinates. Version 2 may define it in the axes.
    fn unit(&self) -> Result<LengthUnit, ImportError> {
        const UNIT: &[&str] = &["UNIT", "LENGTHUNIT"];
        let axis = || self.branch(&["AXIS"])?.branch(UNIT);
        let Some(unit) = self.branch(UNIT).or_else(axis) else {
            return Ok(LengthUnit::Meter);
        };
        let meters = unit.values.get(1).and_then(|value| value.parse().ok());
        let found = meters.and_then(LengthUnit::of_meters);
        found.ok_or_else(|| wrong(format_args!("unknown unit {:?}", unit.values)))
    }
}

fn wrong(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("invalid .prj file: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use CoordinateSystem::{Geographic, Projected};

    fn read(text: &str) -> Result<(CoordinateSystem, LengthUnit), ImportError> {
        read_projection(text.as_bytes())
    }

    #[test]
    fn reads_what_gdal_projection_writes() {
        let numbers = [4326, 4258, 4269].map(Geographic).into_iter();
        let numbers = numbers.chain((20_000..33_000).map(Projected));
        let mut read_again = 0;
        for system in numbers {
            if let Some(text) = gdal_projection(system) {
                assert_eq!(read(&text), Ok((system, LengthUnit::Meter)), "{text}");
                read_again += 1;
            }
        }
        assert_eq!(read_again, 3 + 60 + 60 + 11 + 23);
    }

    #[test]
    fn reads_both_versions_of_wkt() {
        let feet = LengthUnit::UsSurveyFoot;
        for (text, expected) in [
            (
                r#"PROJCS["NAD83 / California zone 3 (ftUS)",GEOGCS["NAD83",
                    AUTHORITY["EPSG","4269"]],UNIT["US survey foot",0.304800609601219,
                    AUTHORITY["EPSG","9003"]],AXIS["X",EAST],AUTHORITY["EPSG","2227"]]"#,
                (Projected(2227), feet),
            ),
            (
                r#"PROJCRS["CH1903+ / LV95",BASEGEOGCRS["CH1903+",ID["EPSG",4150]],
                    CS[Cartesian,2],AXIS["(E)",east,LENGTHUNIT["metre",1]],
                    AXIS["(N)",north,LENGTHUNIT["metre",1]],ID["EPSG",2056]]"#,
                (Projected(2056), LengthUnit::Meter),
            ),
            (
                "\u{feff}geogcs(\"WGS 84\", DATUM(\"x\"), UNIT(\"Degree\", 0.0174532925199433))\n",
                (Geographic(4326), LengthUnit::Meter),
            ),
            (
                r#"PROJCS["WGS 84 / UTM zone 7N",UNIT["Meter",1.0]]"#,
                (Projected(32_607), LengthUnit::Meter),
            ),
            (
                r#"COMPD_CS["both",PROJCS["local",AUTHORITY["LOCAL","7"]],VERT_CS["h"]]"#,
                (Projected(CoordinateSystem::UNREGISTERED), LengthUnit::Meter),
            ),
        ] {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_text() {
        let deep = "A[".repeat(100_000);
        for text in [
            "",
            "north",
            "PROJCS",
            "PROJCS[",
            "PROJCS[\"a",
            "PROJCS[\"a\"",
            "PROJCS[\"a\",UNIT[\"link\",0.201168]]",
            "VERT_CS[\"height\"]",
            "COMPD_CS[\"none\"]",
            "{\"type\": \"Feature\"}",
            &deep,
            &deep[..LONGEST],
        ] {
            assert!(read(text).is_err(), "{}", &text[..text.len().min(40)]);
        }
    }
}
