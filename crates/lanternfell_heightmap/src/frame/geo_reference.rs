//! Where a map lies on the ground, and how wide its cells are there.
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
//! Kept as it is read, so that a map goes through without getting lost; nothing is
//! projected. How wide cells are on the ground is told of degrees and of Web Mercator, which at 60 degrees shows
//! everything twice as large; other projections are taken at their word. Of a coordinate system its number in EPSG's register is kept, which is how
//! nearly all files tell it; of one that is spelt out, only that it is one.
//!
//! A cell is an area, whose height is that of its middle. When a map gets more cells or fewer,
//! its outermost middles stay where they are, since that is what resampling does: a map of
//! `n` cells is `n - 1` cells wide from the first middle to the last.

use serde::{Deserialize, Serialize};

use super::LengthUnit;
use crate::{MapSize, ParamError, Window};

/// The place of a map on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeoReference {
    /// The south-west corner of the south-west cell, to the east and to the north, in the
    /// units of the coordinate system: metres, mostly.
    pub corner: [f64; 2],
    /// From cell to cell to the east and to the south, in the same units; both above 0.
    pub cell: [f64; 2],
    /// The units, unless the coordinate system is geographic: then they are degrees.
    pub unit: LengthUnit,
    /// The coordinate system, if it is known.
    pub system: Option<CoordinateSystem>,
}

/// A coordinate system by its number in EPSG's register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CoordinateSystem {
    /// Flat, in metres or feet, as 32633 (UTM zone 33N).
    Projected(u16),
    /// Longitude and latitude in degrees, as 4326 (WGS 84).
    Geographic(u16),
}

impl CoordinateSystem {
    /// In the place of a number: the system is not in the register.
    pub const UNREGISTERED: u16 = 32_767;

    /// Its number, if it has one.
    pub fn epsg(self) -> Option<u16> {
        let (Self::Projected(number) | Self::Geographic(number)) = self;
        (number != Self::UNREGISTERED).then_some(number)
    }
}

/// The ellipsoid of WGS 84: its half axis in metres, and the square of its eccentricity.
const HALF_AXIS: f64 = 6_378_137.0;
const ECCENTRICITY: f64 = 0.006_694_379_990_141_316;

/// Metres in a degree of longitude and in one of latitude, at a latitude in degrees, on WGS 84.
///
/// Source: Snyder, *Map projections, a working manual*, USGS 1987, equations 4-20 and 4-19.
fn metres_per_degree(latitude: f64) -> [f64; 2] {
    let latitude = latitude.clamp(-90.0, 90.0).to_radians();
    let (sine, cosine) = (libm::sin(latitude), libm::cos(latitude));
    let w = (1.0 - ECCENTRICITY * sine * sine).sqrt();
    let east = HALF_AXIS * cosine / w;
    let north = HALF_AXIS * (1.0 - ECCENTRICITY) / (w * w * w);
    [east, north].map(f64::to_radians)
}

/// Web Mercator, in which most maps on the web are tiled.
const WEB_MERCATOR: u16 = 3857;

/// Metres on the ground, to the east and to the north, in a metre of Web Mercator, so many metres north of the
/// equator on that map.
///
/// It takes latitudes of WGS 84 for those of a sphere, so that it stretches the ground by `1 / cos latitude`, and
/// not quite alike along both axes.
///
/// Source: Battersby et al., *Implications of Web Mercator and its use in online mapping*, 2014.
fn metres_of_web_mercator(northing: f64) -> [f64; 2] {
    let latitude = libm::atan(libm::sinh(northing / HALF_AXIS));
    let [east, north] = metres_per_degree(latitude.to_degrees());
    let degree = HALF_AXIS.to_radians();
    [east / degree, north / degree * libm::cos(latitude)]
}

/// How much longer one side of a cell may be that counts as a square: what rounding to whole cells
/// leaves of a resized map.
const SQUARE: f64 = 0.01;

impl GeoReference {
    /// A map at the origin of no coordinate system, with square cells so many metres wide.
    pub fn at_origin(cell: f64) -> Self {
        Self::at([0.0; 2], cell)
    }

    /// A map with that corner in no coordinate system, with square cells so many metres wide.
    pub fn at(corner: [f64; 2], cell: f64) -> Self {
        Self {
            corner,
            cell: [cell; 2],
            unit: LengthUnit::Metre,
            system: None,
        }
    }

    /// Metres from cell to cell on the ground, to the east and to the south; of degrees, and in Web Mercator, what they
    /// are in the middle of a map of so many rows.
    pub fn spacing(&self, rows: usize) -> [f64; 2] {
        self.spacing_in(0.5 * rows as f64)
    }

    /// The same so many rows north of the south border.
    pub(super) fn spacing_in(&self, north: f64) -> [f64; 2] {
        match self.system {
            Some(CoordinateSystem::Geographic(_)) => {
                let metres = metres_per_degree(self.corner[1] + north * self.cell[1]);
                // A world map in one cell is wide where its middle is a pole.
                [0, 1].map(|axis| (self.cell[axis] * metres[axis]).max(f64::MIN_POSITIVE))
            }
            Some(CoordinateSystem::Projected(WEB_MERCATOR)) => {
                let northing = self.corner[1] + north * self.cell[1];
                let metres = metres_of_web_mercator(northing * self.unit.metres());
                [0, 1].map(|axis| {
                    let cell = self.cell[axis] * self.unit.metres();
                    (cell * metres[axis]).max(f64::MIN_POSITIVE)
                })
            }
            Some(CoordinateSystem::Projected(_)) | None => {
                self.cell.map(|cell| cell * self.unit.metres())
            }
        }
    }

    /// Where the middle of a cell lies, to the east and to the north, on a map of so many rows. The
    /// cell is its column and its row; parts of cells count from its middle.
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

    /// The cell at that place, its column and its row, on a map of so many rows: the way back from
    /// [`position`](Self::position). Whole numbers are middles of cells; the cell need not be on the
    /// map.
    pub fn cell_at(&self, position: [f64; 2], rows: usize) -> [f64; 2] {
        let [east, north] =
            [0, 1].map(|axis| (position[axis] - self.corner[axis]) / self.cell[axis]);
        [east - 0.5, rows as f64 - 0.5 - north]
    }

    /// How many cells the same ground has when they are square, to the east and to the south; `None`
    /// if they are. The coarser side gets more of them. On a map of degrees they are square in its
    /// middle.
    pub fn square_cells(&self, size: MapSize) -> Option<(u64, u64)> {
        let [east, south] = self.spacing(size.height());
        if (east / south - 1.0).abs() <= SQUARE {
            return None;
        }
        let finer = east.min(south);
        let cells =
            |cells: usize, spacing: f64| ((cells - 1) as f64 * spacing / finer).round() + 1.0;
        // Too many for a number are as many as one can tell.
        Some((
            cells(size.width(), east) as u64,
            cells(size.height(), south) as u64,
        ))
    }

    /// The place of a window on a map of the world's size.
    pub fn part(self, world: MapSize, window: Window) -> Self {
        let south = world.height() - window.y() - window.size().height();
        let cells = [window.x(), south];
        let corner = [0, 1].map(|axis| self.corner[axis] + cells[axis] as f64 * self.cell[axis]);
        Self { corner, ..self }
    }

    /// The same ground in other cells: the middles of the outermost ones stay where they are.
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

    /// Checks that the numbers are some.
    ///
    /// # Errors
    /// Names the first number that is out of its range.
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

    /// The same for a map of so many rows: in degrees the middles of its cells lie between the poles. (The cells of
    /// many world maps go half their height beyond.)
    ///
    /// # Errors
    /// Names the first number that is out of its range.
    pub fn validate_on(&self, rows: usize) -> Result<(), ParamError> {
        self.validate()?;
        if !matches!(self.system, Some(CoordinateSystem::Geographic(_))) {
            return Ok(());
        }
        for row in [0.0, rows as f64 - 1.0] {
            let [_, latitude] = self.position([0.0, row], rows);
            // Degrees are often rounded.
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

    /// Against the tables of the National Geospatial-Intelligence Agency.
    #[test]
    fn a_degree_is_as_long_as_the_ellipsoid_has_it() {
        for (latitude, east, north) in [
            (0.0, 111_319.5, 110_574.3),
            (15.0, 107_550.4, 110_648.7),
            (45.0, 78_846.8, 111_131.7),
            (60.0, 55_800.0, 111_412.2),
            (-75.0, 28_901.7, 111_618.0),
        ] {
            let found = metres_per_degree(latitude);
            let off = [found[0] - east, found[1] - north];
            assert!(
                off.iter().all(|off| off.abs() < 1.5),
                "{latitude}: {found:?}"
            );
        }
    }

    /// Each row is as far from the next as on the same ground in degrees, wherever it lies.
    #[test]
    fn web_mercator_is_as_wide_as_the_degrees_that_it_shows() {
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
            let expected = metres_per_degree(latitude).map(|metres| metres * step);
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
        assert!(beyond.spacing(3).iter().all(|&metres| metres > 0.0));
    }

    #[test]
    fn spacings_are_in_metres() {
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
    fn a_part_lies_where_it_was_cut_out() {
        let size = |width, height| MapSize::new(width, height).unwrap();
        let world = GeoReference {
            cell: [10.0, 20.0],
            ..GeoReference::at([100.0, 200.0], 1.0)
        };
        let window = Window::new(1, 0, size(3, 2), size(5, 4)).unwrap();
        assert_eq!(world.part(size(5, 4), window).corner, [110.0, 240.0]);
        let finer = world.resized(size(5, 4), size(9, 2));
        assert_eq!(finer.cell, [5.0, 60.0]);
        assert_eq!(finer.corner, [102.5, 180.0]);
    }

    /// Each cell alone is a part, whose corner is known.
    #[test]
    fn a_cell_lies_in_the_middle_of_the_part_that_it_is() {
        let size = |width, height| MapSize::new(width, height).unwrap();
        let place = GeoReference {
            cell: [0.1, 23.7],
            ..GeoReference::at([-77.3, 4_812_345.6], 1.0)
        };
        let (world, two) = (size(37, 21), size(2, 2));
        for row in 0..20 {
            for column in 0..36 {
                let window = Window::new(column, row, two, world).unwrap();
                // The south-west cell of the window is the one in its second row.
                let corner = place.part(world, window).corner;
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
    fn no_cell_lies_beyond_a_pole() {
        let degrees = |south, cell| GeoReference {
            system: Some(CoordinateSystem::Geographic(4326)),
            ..GeoReference::at([-180.0, south], cell)
        };
        // The world by areas, and by points, of which the outermost are the poles.
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
    fn a_place_without_width_is_refused() {
        for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(GeoReference::at_origin(cell).validate().is_err(), "{cell}");
        }
        let nowhere = GeoReference::at([0.0, f64::NAN], 1.0);
        assert!(nowhere.validate().is_err());
    }
}
