//! `--river-area`: the catchment at which a river starts, in cells or in units of area.

use lanternfell_heightmap::{MapFrame, MapSize};

use crate::failure::Failure;

/// An area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Area {
    Cells(f64),
    SquareMeters(f64),
}

/// Units in square meters. A unit comes before those with which it ends.
const UNITS: [(&str, f64); 4] = [("km2", 1e6), ("km\u{b2}", 1e6), ("ha", 1e4), ("m2", 1.0)];

/// Parses `500` or `500cells`, `20000m2`, `12ha`, `1.5km2`.
pub(super) fn area(text: &str) -> Result<Area, String> {
    let number = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite() && *n > 0.0)
    };
    let unit = UNITS
        .iter()
        .find_map(|(name, meters)| Some((text.strip_suffix(name)?, meters)));
    let area = match unit {
        Some((digits, meters)) => number(digits).map(|number| Area::SquareMeters(number * meters)),
        None => number(text.trim_end_matches("cells")).map(Area::Cells),
    };
    area.ok_or_else(|| {
        "must be above 0: cells, for example 500, or with a unit, for example 20000m2, 12ha or 1.5km2".to_owned()
    })
}

impl Area {
    /// Returns the area as a share of the map. Returns an error if it is larger than the map.
    pub(super) fn share(self, frame: &MapFrame, size: MapSize) -> Result<f64, Failure> {
        let all = size.cells() as f64;
        let cells = match self {
            Self::Cells(cells) => cells,
            Self::SquareMeters(meters) => {
                let [east, south] = frame.place.spacing(size.height());
                meters / (east * south)
            }
        };
        if cells <= all {
            return Ok(cells / all);
        }
        Err(Failure::Usage(format!(
            "--river-area is {cells:.0} cells, but the map has {all}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanternfell_heightmap::Scale;

    #[test]
    fn parses_areas_with_units() {
        assert_eq!(area("500"), Ok(Area::Cells(500.0)));
        assert_eq!(area("500 cells"), Ok(Area::Cells(500.0)));
        assert_eq!(area("20000m2"), Ok(Area::SquareMeters(20_000.0)));
        assert_eq!(area("12 ha"), Ok(Area::SquareMeters(120_000.0)));
        assert_eq!(area("1.5km2"), Ok(Area::SquareMeters(1.5e6)));
        for wrong in ["", "0", "-3", "km2", "3 miles", "nan", "infm2"] {
            assert!(area(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn area_is_share_of_map() {
        let size = MapSize::new(100, 50).unwrap();
        let scale = Scale {
            spacing: 20.0,
            relief: 100.0,
        };
        let frame = MapFrame::of_scale(scale, true);
        let share = |area: Area| area.share(&frame, size);
        assert_eq!(share(Area::Cells(50.0)).unwrap(), 0.01);
        assert_eq!(share(Area::SquareMeters(400.0 * 50.0)).unwrap(), 0.01);
        assert!(share(Area::Cells(5001.0)).is_err());
    }
}
