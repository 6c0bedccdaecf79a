//! Georeferences: the location of a map, and the size of its cells.
//!
//! ```text
//!          cell[0]
//!           |---|
//!           +---+---+---+  -
//!           |   |   |   |  | cell[1]      north up
//!           +---+---+---+  -
//!   corner  X---+---+---+ --> east
//! ```
//!
//! A georeference is stored as it is read, so that it survives a round trip. Coordinates are not projected.
//!
//! The ground distance between cells is computed for degrees and for Web Mercator, which at 60 degrees latitude shows
//! everything twice as large. Other projections are assumed to be true to scale. A coordinate system is stored by its
//! EPSG code, which is how nearly all files specify it. If a file spells out the definition instead, only the kind of
//! the system is stored.
//!
//! A cell is an area, and its height is that of its center. If a map is resampled, the centers of its outermost cells
//! stay where they are: a map of `n` cells is `n - 1` cells wide from the first to the last center.

use serde::{Deserialize, Serialize};

use super::LengthUnit;
use crate::{MapRegion, MapSize, ParamError};

/// The location of a map.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeoReference {
    /// The south-west corner of the south-west cell: easting and northing in the units of the coordinate system,
    /// usually meters.
    pub corner: [f64; 2],
    /// The size of a cell to the east and to the south, in the same units. Both are above 0.
    pub cell: [f64; 2],
    /// The unit of lengths. Ignored for geographic coordinate systems, whose unit is degrees.
    pub unit: LengthUnit,
    /// The coordinate system, if it is known.
    pub system: Option<CoordinateSystem>,
}

/// A coordinate system, identified by its EPSG code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CoordinateSystem {
    /// Projected coordinates in meters or feet, for example 32633 (UTM zone 33N).
    Projected(u16),
    /// Longitude and latitude in degrees, for example 4326 (WGS 84).
    Geographic(u16),
}

impl CoordinateSystem {
    /// The code of a system that is not in the EPSG register.
    pub const UNREGISTERED: u16 = 32_767;

    /// The EPSG code, if the system has one.
    pub fn epsg(self) -> Option<u16> {
        let (Self::Projected(number) | Self::Geographic(number)) = self;
        (number != Self::UNREGISTERED).then_some(number)
    }
}

/// The WGS 84 ellipsoid: its semi-major axis in meters, and its squared eccentricity.
const HALF_AXIS: f64 = 6_378_137.0;
const ECCENTRICITY: f64 = 0.006_694_379_990_141_316;

/// Meters per degree of longitude and per degree of latitude, at a latitude in degrees, on WGS 84.
///
/// Source: Snyder, *Map projections, a working manual*, USGS 1987, equations 4-20 and 4-19.
fn meters_per_degree(latitude: f64) -> [f64; 2] {
    let latitude = latitude.clamp(-90.0, 90.0).to_radians();
    let (sine, cosine) = (libm::sin(latitude), libm::cos(latitude));
    let w = (1.0 - ECCENTRICITY * sine * sine).sqrt();
    let east = HALF_AXIS * cosine / w;
    let north = HALF_AXIS * (1.0 - ECCENTRICITY) / (w * w * w);
    [east, north].map(f64::to_radians)
}

/// The EPSG code of Web Mercator, the projection of most tiled web maps.
const WEB_MERCATOR: u16 = 3857;

/// Ground meters per meter of Web Mercator, to the east and to the north, at this northing in meters.
///
/// Web Mercator treats latitudes of WGS 84 as latitudes of a sphere. It stretches distances by `1 / cos latitude`, and
/// not quite equally along both axes.
///
/// Source: Battersby et al., *Implications of Web Mercator and its use in online mapping*, 2014.
fn meters_of_web_mercator(northing: f64) -> [f64; 2] {
    let latitude = libm::atan(libm::sinh(northing / HALF_AXIS));
    let [east, north] = meters_per_degree(latitude.to_degrees());
    let degree = HALF_AXIS.to_radians();
    [east / degree, north / degree * libm::cos(latitude)]
}

/// The latitude in degrees on the central meridian of a UTM zone, at this distance in meters from the equator.
///
/// Source: Snyder, *Map projections, a working manual*, USGS 1987, equation 3-26, of which the first term is used.
fn latitude_of_utm(northing: f64) -> f64 {
    /// The scale on the central meridian, and the radius of the circle with the length of a meridian, in meters.
    const SCALE: f64 = 0.9996;
    const RADIUS: f64 = 6_367_449.146;
    /// Half the difference of the latitudes of ellipsoid and circle, in radians.
    const BULGE: f64 = 0.002_518_827;
    let quarter = core::f64::consts::FRAC_PI_2;
    let angle = (northing / (SCALE * RADIUS)).clamp(-quarter, quarter);
    (angle + BULGE * libm::sin(2.0 * angle)).to_degrees()
}

/// The relative difference of its sides up to which a cell counts as square. Resizing a map to whole numbers of cells
/// leaves differences of this order.
const SQUARE: f64 = 0.01;

impl GeoReference {
    /// A map at the origin, without a coordinate system, with square cells of this size in meters.
    pub fn at_origin(cell: f64) -> Self {
        Self::at([0.0; 2], cell)
    }

    /// A map with this corner, without a coordinate system, with square cells of this size in meters.
    pub fn at(corner: [f64; 2], cell: f64) -> Self {
        Self {
            corner,
            cell: [cell; 2],
            unit: LengthUnit::Meter,
            system: None,
        }
    }

    /// Ground meters from cell to cell, to the east and to the south, on a map with this number of rows. In degrees and
    /// in Web Mercator the distances vary; these are the ones in the middle of the map.
    pub fn spacing(&self, rows: usize) -> [f64; 2] {
        self.spacing_in(0.5 * rows as f64)
    }

    /// The spacing at a distance of `north` rows from the southern border.
    pub(super) fn spacing_in(&self, north: f64) -> [f64; 2] {
        match self.system {
            Some(CoordinateSystem::Geographic(_)) => {
                let meters = meters_per_degree(self.corner[1] + north * self.cell[1]);
                // The width is 0 at the poles, for example in a world map of one cell.
                [0, 1].map(|axis| (self.cell[axis] * meters[axis]).max(f64::MIN_POSITIVE))
            }
            Some(CoordinateSystem::Projected(WEB_MERCATOR)) => {
                let northing = self.corner[1] + north * self.cell[1];
                let meters = meters_of_web_mercator(northing * self.unit.meters());
                [0, 1].map(|axis| {
                    let cell = self.cell[axis] * self.unit.meters();
                    (cell * meters[axis]).max(f64::MIN_POSITIVE)
                })
            }
            Some(CoordinateSystem::Projected(_)) | None => {
                self.cell.map(|cell| cell * self.unit.meters())
            }
        }
    }

    /// The easting and northing of the center of a cell (longitude and latitude on a map in degrees). `rows` is the
    /// number of rows of the map. The cell is a column and a row, which may have fractions: whole numbers are centers.
    ///
    /// ```
    /// use lanternfell_heightmap::GeoReference;
    ///
    /// let place = GeoReference::at([500_000.0, 5_200_000.0], 30.0);
    /// let north_west = place.position([0.0, 0.0], 100);
    /// assert_eq!(north_west, [500_015.0, 5_202_985.0]);
    /// assert_eq!(place.cell_at(north_west, 100), [0.0, 0.0]);
    /// ```
    pub fn position(&self, [column, row]: [f64; 2], rows: usize) -> [f64; 2] {
        let cells = [column + 0.5, rows as f64 - 0.5 - row];
        [0, 1].map(|axis| self.corner[axis] + cells[axis] * self.cell[axis])
    }

    /// The latitude of the centers of a row in degrees, from -90 to 90, on a map with this number of rows. The row may
    /// have fractions.
    ///
    /// `None` without a coordinate system whose latitudes are known. Known are those in degrees, Web Mercator, and the
    /// zones of UTM with WGS 84, ETRS89 or NAD83. In UTM, latitudes are those of the middle of the zone, which differ
    /// from the exact ones by less than 0.1 degrees up to a latitude of 80 degrees.
    pub(crate) fn latitude(&self, row: f64, rows: usize) -> Option<f64> {
        let [_, north] = self.position([0.0, row], rows);
        let northing = north * self.unit.meters();
        let latitude = match self.system? {
            CoordinateSystem::Geographic(_) => north,
            CoordinateSystem::Projected(WEB_MERCATOR) => {
                libm::atan(libm::sinh(northing / HALF_AXIS)).to_degrees()
            }
            CoordinateSystem::Projected(25_828..=25_838 | 26_901..=26_923 | 32_601..=32_660) => {
                latitude_of_utm(northing)
            }
            CoordinateSystem::Projected(32_701..=32_760) => latitude_of_utm(northing - 1e7),
            CoordinateSystem::Projected(_) => return None,
        };
        Some(latitude.clamp(-90.0, 90.0))
    }

    /// The column and row of the cell at a position, on a map with this number of rows. This is the inverse of
    /// [`position`](Self::position): whole numbers are centers of cells, and the cell may be outside the map.
    pub fn cell_at(&self, position: [f64; 2], rows: usize) -> [f64; 2] {
        let [east, north] =
            [0, 1].map(|axis| (position[axis] - self.corner[axis]) / self.cell[axis]);
        [east - 0.5, rows as f64 - 0.5 - north]
    }

    /// The number of columns and rows that make the cells of this area square; `None` if they are square already. The
    /// axis with the larger spacing gets more cells. On a map in degrees they are square in the middle of the map.
    pub fn square_cells(&self, size: MapSize) -> Option<(u64, u64)> {
        let [east, south] = self.spacing(size.height());
        if (east / south - 1.0).abs() <= SQUARE {
            return None;
        }
        let finer = east.min(south);
        let cells =
            |cells: usize, spacing: f64| ((cells - 1) as f64 * spacing / finer).round() + 1.0;
        // Casts saturate if the numbers are too large.
        Some((
            cells(size.width(), east) as u64,
            cells(size.height(), south) as u64,
        ))
    }

    /// The georeference of a region of a map with the size of the world.
    #[must_use]
    pub fn part(self, world: MapSize, region: MapRegion) -> Self {
        let south = world.height() - region.y() - region.size().height();
        let cells = [region.x(), south];
        let corner = [0, 1].map(|axis| self.corner[axis] + cells[axis] as f64 * self.cell[axis]);
        Self { corner, ..self }
    }

    /// The georeference of the same area with another number of cells. The centers of the outermost cells stay where
    /// they are.
    #[must_use]
    pub fn resized(self, from: MapSize, to: MapSize) -> Self {
        let wider = |old: usize, new: usize| (old - 1) as f64 / (new - 1) as f64;
        let wider = [
            wider(from.width(), to.width()),
            wider(from.height(), to.height()),
        ];
        let cell = [0, 1].map(|axis| self.cell[axis] * wider[axis]);
        let corner = [0, 1].map(|axis| self.corner[axis] + 0.5 * (self.cell[axis] - cell[axis]));
        Self {
            corner,
            cell,
            ..self
        }
    }

    /// Checks that the numbers are finite, and that the size of a cell is above 0.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        for cell in self.cell {
            let fine = cell.is_finite() && cell > 0.0;
            ParamError::check(fine, "geo reference", "cell", cell, "above 0")?;
        }
        for part in self.corner {
            ParamError::check(part.is_finite(), "geo reference", "corner", part, "finite")?;
        }
        Ok(())
    }

    /// Checks the numbers for a map with this number of rows. In degrees, the centers of all cells must be between the
    /// poles. Many world maps have cells that extend half their height beyond the poles, which is allowed.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    pub fn validate_on(&self, rows: usize) -> Result<(), ParamError> {
        self.validate()?;
        if !matches!(self.system, Some(CoordinateSystem::Geographic(_))) {
            return Ok(());
        }
        for row in [0.0, rows as f64 - 1.0] {
            let [_, latitude] = self.position([0.0, row], rows);
            // Coordinates in degrees are often rounded.
            let fine = latitude.abs() <= 90.0 + 1e-3 * self.cell[1];
            let allowed = "from -90 to 90 degrees";
            ParamError::check(fine, "geo reference", "latitude", latitude, allowed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the tables of the National Geospatial-Intelligence Agency.
    #[test]
    fn length_of_a_degree_matches_tables() {
        for (latitude, east, north) in [
            (0.0, 111_319.5, 110_574.3),
            (15.0, 107_550.4, 110_648.7),
            (45.0, 78_846.8, 111_131.7),
            (60.0, 55_800.0, 111_412.2),
            (-75.0, 28_901.7, 111_618.0),
        ] {
            let found = meters_per_degree(latitude);
            let off = [found[0] - east, found[1] - north];
            assert!(
                off.iter().all(|off| off.abs() < 1.5),
                "{latitude}: {found:?}"
            );
        }
    }

    /// The distance between rows equals that of the same area in degrees, at every latitude.
    #[test]
    fn web_mercator_spacing_matches_degrees() {
        for latitude in [0.0_f64, 12.0, 47.0, -33.0, 71.0, 85.0] {
            let northing = |degrees: f64| {
                let radians = degrees.to_radians();
                HALF_AXIS * libm::log(libm::tan(radians) + 1.0 / libm::cos(radians))
            };
            let step = 1e-3;
            let south = northing(latitude - 0.5 * step);
            let web = GeoReference {
                corner: [0.0, south],
                cell: [
                    HALF_AXIS * step.to_radians(),
                    northing(latitude + 0.5 * step) - south,
                ],
                system: Some(CoordinateSystem::Projected(WEB_MERCATOR)),
                ..GeoReference::at_origin(1.0)
            };
            let expected = meters_per_degree(latitude).map(|meters| meters * step);
            let found = web.spacing(1);
            for axis in 0..2 {
                let off = found[axis] / expected[axis] - 1.0;
                assert!(off.abs() < 1e-7, "{latitude}: {found:?}, not {expected:?}");
            }
        }
        let beyond = GeoReference {
            system: Some(CoordinateSystem::Projected(WEB_MERCATOR)),
            ..GeoReference::at([0.0, 1e300], 1.0)
        };
        assert!(beyond.spacing(3).iter().all(|&meters| meters > 0.0));
    }

    /// Compares with lengths of the meridian on WGS 84 from Snyder's tables, times the scale of UTM.
    #[test]
    fn latitude_matches_tables() {
        let at = |system, northing: f64| {
            let place = GeoReference {
                system,
                ..GeoReference::at([500_000.0, northing - 5.0], 10.0)
            };
            place.latitude(0.0, 1)
        };
        let utm = |zone| Some(CoordinateSystem::Projected(zone));
        for (latitude, northing) in [
            (0.0, 0.0),
            (30.0, 3_318_785.35),
            (45.0, 4_982_950.40),
            (60.0, 6_651_411.19),
        ] {
            for zone in [32_601, 32_660, 25_833, 26_910] {
                let found = at(utm(zone), northing).unwrap();
                assert!(
                    (found - latitude).abs() < 1e-3,
                    "{zone}, {latitude}: {found}"
                );
            }
            let found = at(utm(32_719), 1e7 - northing).unwrap();
            assert!((found + latitude).abs() < 1e-3, "{latitude}: {found}");
        }
        let web = at(utm(WEB_MERCATOR), 5_621_521.49).unwrap();
        assert!((web - 45.0).abs() < 1e-3, "{web}");
        assert_eq!(
            at(Some(CoordinateSystem::Geographic(4326)), 38.7),
            Some(38.7)
        );
        assert_eq!(at(utm(3763), 0.0), None);
        assert_eq!(at(None, 0.0), None);
        for far in [1e300, -1e300] {
            for zone in [32_633, WEB_MERCATOR] {
                let found = at(utm(zone), far).unwrap();
                assert!((found.abs() - 90.0).abs() < 1e-9, "{zone}: {found}");
            }
        }
    }

    #[test]
    fn spacing_is_in_meters() {
        let arc_seconds = GeoReference {
            system: Some(CoordinateSystem::Geographic(4326)),
            ..GeoReference::at([8.0, 45.0], 1.0 / 3600.0)
        };
        let [east, south] = arc_seconds.spacing(2);
        assert!((east - 21.90).abs() < 0.01 && (south - 30.87).abs() < 0.01);
        let feet = GeoReference {
            unit: LengthUnit::UsSurveyFoot,
            cell: [3937.0, 39.37],
            ..GeoReference::at_origin(1.0)
        };
        let [east, south] = feet.spacing(2);
        assert!((east - 1200.0).abs() < 1e-9 && (south - 12.0).abs() < 1e-9);
    }

    #[test]
    fn part_and_resized_keep_the_position() {
        let size = |width, height| MapSize::new(width, height).unwrap();
        let world = GeoReference {
            cell: [10.0, 20.0],
            ..GeoReference::at([100.0, 200.0], 1.0)
        };
        let region = MapRegion::new(1, 0, size(3, 2), size(5, 4)).unwrap();
        assert_eq!(world.part(size(5, 4), region).corner, [110.0, 240.0]);
        let finer = world.resized(size(5, 4), size(9, 2));
        assert_eq!(finer.cell, [5.0, 60.0]);
        assert_eq!(finer.corner, [102.5, 180.0]);
    }

    /// Each cell is also a part of the map, whose corner is known.
    #[test]
    fn position_is_the_center_of_the_cell() {
        let size = |width, height| MapSize::new(width, height).unwrap();
        let place = GeoReference {
            cell: [0.1, 23.7],
            ..GeoReference::at([-77.3, 4_812_345.6], 1.0)
        };
        let (world, two) = (size(37, 21), size(2, 2));
        for row in 0..20 {
            for column in 0..36 {
                let region = MapRegion::new(column, row, two, world).unwrap();
                // The south-west cell of the region is the one in its second row.
                let corner = place.part(world, region).corner;
                let at = place.position([column as f64, (row + 1) as f64], 21);
                for axis in 0..2 {
                    let middle = corner[axis] + 0.5 * place.cell[axis];
                    assert!((at[axis] - middle).abs() < 1e-9 * middle.abs());
                }
                let cell = place.cell_at(at, 21);
                assert!((cell[0] - column as f64).abs() < 1e-6, "{cell:?}");
                assert!((cell[1] - (row + 1) as f64).abs() < 1e-6, "{cell:?}");
            }
        }
    }

    #[test]
    fn validate_on_rejects_cells_beyond_the_poles() {
        let degrees = |south, cell| GeoReference {
            system: Some(CoordinateSystem::Geographic(4326)),
            ..GeoReference::at([-180.0, south], cell)
        };
        // A world map by areas, and one by points, whose outermost points are the poles.
        assert!(degrees(-90.0, 1.0).validate_on(180).is_ok());
        assert!(degrees(-90.5, 1.0).validate_on(181).is_ok());
        assert!(
            degrees(-90.0 - 1.0 / 120.0, 1.0 / 60.0)
                .validate_on(10_801)
                .is_ok()
        );
        for (place, rows, latitude) in [
            (degrees(-91.0, 1.0), 181, "-90.5"),
            (degrees(80.0, 1.0), 11, "90.5"),
            (degrees(5_200_000.0, 30.0), 100, "5202985"),
        ] {
            let error = place.validate_on(rows).unwrap_err();
            assert_eq!(error.name, "latitude");
            assert!(error.to_string().contains(latitude), "{error}");
            let flat = GeoReference {
                system: None,
                ..place
            };
            assert!(flat.validate_on(rows).is_ok());
        }
    }

    #[test]
    fn validate_rejects_cells_without_size() {
        for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(GeoReference::at_origin(cell).validate().is_err(), "{cell}");
        }
        let nowhere = GeoReference::at([0.0, f64::NAN], 1.0);
        assert!(nowhere.validate().is_err());
    }
}
