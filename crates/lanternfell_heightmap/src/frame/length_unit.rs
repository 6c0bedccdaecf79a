//! Units of length of elevation models.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A unit of length for heights and coordinates.
///
/// ```
/// use lanternfell_heightmap::LengthUnit;
///
/// assert_eq!(LengthUnit::from_name("ft"), Some(LengthUnit::Foot));
/// assert_eq!(LengthUnit::Foot.meters(), 0.3048);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum LengthUnit {
    /// The meter.
    #[default]
    #[serde(rename = "m")]
    Meter,
    /// The foot of 0.3048 m.
    #[serde(rename = "ft")]
    Foot,
    /// The US survey foot of 1200/3937 m.
    #[serde(rename = "us-ft")]
    UsSurveyFoot,
    /// 1000 m.
    #[serde(rename = "km")]
    Kilometer,
    /// A tenth of a meter.
    #[serde(rename = "dm")]
    Decimeter,
    /// A hundredth of a meter.
    #[serde(rename = "cm")]
    Centimeter,
    /// A thousandth of a meter.
    #[serde(rename = "mm")]
    Millimeter,
}

/// For each unit: its short name, its length in meters, its other names in files in lower case, and its EPSG code, if
/// it has one.
const KNOWN: [(LengthUnit, &str, f64, &[&str], Option<u16>); 7] = {
    use LengthUnit::{Centimeter, Decimeter, Foot, Kilometer, Meter, Millimeter, UsSurveyFoot};
    const US: &[&str] = &[
        "us survey foot",
        "foot_us",
        "us foot",
        "ftus",
        "us_survey_foot",
    ];
    [
        (
            Meter,
            "m",
            1.0,
            &["metre", "metres", "meter", "meters"],
            Some(9001),
        ),
        (
            Foot,
            "ft",
            0.3048,
            &["foot", "feet", "international foot"],
            Some(9002),
        ),
        (UsSurveyFoot, "us-ft", 1200.0 / 3937.0, US, Some(9003)),
        (
            Kilometer,
            "km",
            1000.0,
            &["kilometre", "kilometer"],
            Some(9036),
        ),
        (Decimeter, "dm", 0.1, &["decimetre", "decimeter"], None),
        (
            Centimeter,
            "cm",
            0.01,
            &["centimetre", "centimeter"],
            Some(1033),
        ),
        (
            Millimeter,
            "mm",
            0.001,
            &["millimetre", "millimeter"],
            Some(1025),
        ),
    ]
};

impl LengthUnit {
    /// The unit with this name, short or long, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let named = |(_, short, _, others, _): &&(Self, &str, f64, &[&str], Option<u16>)| {
            *short == name || others.contains(&name.as_str())
        };
        KNOWN.iter().find(named).map(|known| known.0)
    }

    /// The unit with this EPSG code.
    pub fn from_epsg(number: u16) -> Option<Self> {
        let numbered = KNOWN.iter().find(|known| known.4 == Some(number));
        numbered.map(|known| known.0)
    }

    /// The unit with this length in meters, with a relative tolerance of 1e-9.
    pub fn of_meters(meters: f64) -> Option<Self> {
        let near = |known: &&(Self, &str, f64, &[&str], Option<u16>)| {
            (meters / known.2 - 1.0).abs() < 1e-9
        };
        KNOWN.iter().find(near).map(|known| known.0)
    }

    /// The EPSG code, if the unit has one.
    pub fn epsg(self) -> Option<u16> {
        KNOWN[self as usize].4
    }

    /// The usual short name.
    pub fn name(self) -> &'static str {
        KNOWN[self as usize].1
    }

    /// The length in meters.
    pub fn meters(self) -> f64 {
        KNOWN[self as usize].2
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_name_and_code() {
        for (place, (unit, short, meters, others, epsg)) in KNOWN.into_iter().enumerate() {
            assert_eq!((unit as usize, unit.name()), (place, short), "{unit:?}");
            assert_eq!(unit.meters(), meters, "{unit}");
            for name in others.iter().chain([&short]) {
                assert_eq!(
                    LengthUnit::from_name(&name.to_uppercase()),
                    Some(unit),
                    "{name}"
                );
            }
            assert_eq!(
                epsg.and_then(LengthUnit::from_epsg),
                epsg.map(|_| unit),
                "{unit}"
            );
        }
        assert_eq!(LengthUnit::from_name("degrees"), None);
    }
}
