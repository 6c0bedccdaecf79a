//! The coordinate systems between which maps are reprojected, by their EPSG codes.
//!
//! Datums that differ from WGS 84 by less than two meters (ETRS89, NAD83 and their national versions) are taken as WGS
//! 84, as GDAL does. Systems on other datums are unknown, because shifts of 100 m or more need tables.

use lanternfell_heightmap::CoordinateSystem;

use super::transverse_mercator::TransverseMercator;

/// The radius of Web Mercator in meters.
const RADIUS: f64 = 6_378_137.0;

/// The EPSG code of Web Mercator.
const WEB_MERCATOR: u16 = 3857;

/// Geographic systems within two meters of WGS 84: ETRS89, NAD83, China 2000, NAD83 (2011), GDA94, GDA2020, NZGD2000,
/// JGD2000 and JGD2011, SIRGAS 2000.
const NEAR_WGS_84: [u16; 11] = [
    4326, 4258, 4269, 4490, 6318, 4283, 7844, 4167, 4612, 6668, 4674,
];

/// A projection of longitudes and latitudes to a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Projection {
    /// None: the coordinates are longitude and latitude in degrees.
    Degrees,
    WebMercator,
    TransverseMercator(TransverseMercator),
}

/// A zone of UTM on WGS 84.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UtmZone {
    /// From 1 to 60.
    pub(super) number: u16,
    pub(super) is_south: bool,
    /// The longitude of the central meridian, in the turn of the earth that contains the map.
    meridian: i32,
}

impl UtmZone {
    /// Returns the zone of a longitude and latitude in degrees. The exceptions around Norway and Svalbard are not used.
    pub(super) fn of([longitude, latitude]: [f64; 2]) -> Self {
        let west = (longitude / 6.0).floor() as i32;
        Self {
            number: (west.saturating_add(30).rem_euclid(60) + 1) as u16,
            is_south: latitude < 0.0,
            meridian: west.saturating_mul(6).saturating_add(3),
        }
    }

    pub(super) fn epsg(self) -> u16 {
        let first = if self.is_south { 32_700 } else { 32_600 };
        first + self.number
    }

    pub(super) fn projection(self) -> Projection {
        let meridian = self.meridian.into();
        Projection::TransverseMercator(TransverseMercator::utm(meridian, self.is_south))
    }
}

impl Projection {
    /// Returns the projection of a coordinate system, if it is known and its datum is close to WGS 84.
    pub(super) fn of(system: CoordinateSystem) -> Option<Self> {
        let number = match system {
            CoordinateSystem::Geographic(number) => {
                return NEAR_WGS_84.contains(&number).then_some(Self::Degrees);
            }
            CoordinateSystem::Projected(WEB_MERCATOR) => return Some(Self::WebMercator),
            CoordinateSystem::Projected(number) => number,
        };
        let (zone, is_south) = match number {
            32_601..=32_660 => (number - 32_600, false),
            32_701..=32_760 => (number - 32_700, true),
            25_828..=25_838 => (number - 25_800, false),
            26_901..=26_923 => (number - 26_900, false),
            _ => return None,
        };
        let meridian = 6.0 * f64::from(zone) - 183.0;
        Some(Self::TransverseMercator(TransverseMercator::utm(
            meridian, is_south,
        )))
    }

    /// Returns the longitude and latitude in degrees of a position.
    pub(super) fn degrees(&self, position: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Degrees => position,
            Self::WebMercator => {
                let [east, north] = position.map(|meters| meters / RADIUS);
                [east, libm::atan(libm::sinh(north))].map(f64::to_degrees)
            }
            Self::TransverseMercator(projection) => projection.degrees(position),
        }
    }

    /// Returns the position of a longitude and latitude in degrees.
    pub(super) fn position(&self, degrees: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Degrees => degrees,
            Self::WebMercator => {
                let [east, north] = degrees.map(f64::to_radians);
                [east * RADIUS, libm::asinh(libm::tan(north)) * RADIUS]
            }
            Self::TransverseMercator(projection) => projection.meters(degrees),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zone_follows_longitude_and_hemisphere() {
        for (place, epsg) in [
            ([-180.0, 1.0], 32_601),
            ([179.9, 1.0], 32_660),
            ([189.0, 1.0], 32_602),
            ([8.0, 46.5], 32_632),
            ([12.0, 46.5], 32_633),
            ([-70.0, -33.0], 32_719),
            ([0.0, -1e-9], 32_731),
            ([1e300, 0.0], UtmZone::of([1e300, 0.0]).epsg()),
        ] {
            assert_eq!(UtmZone::of(place).epsg(), epsg, "{place:?}");
        }
    }

    #[test]
    fn zone_matches_projection_of_its_code() {
        for longitude in (-179..180).step_by(3) {
            for latitude in [-20.0, 20.0] {
                let zone = UtmZone::of([longitude.into(), latitude]);
                let known = Projection::of(CoordinateSystem::Projected(zone.epsg()));
                assert_eq!(known, Some(zone.projection()));
            }
        }
    }

    #[test]
    fn web_mercator_matches_known_coordinates() {
        let web = Projection::of(CoordinateSystem::Projected(3857)).unwrap();
        // PROJ 9: `gdaltransform -s_srs EPSG:4326 -t_srs EPSG:3857`.
        let (degrees, meters) = ([8.0, 45.0], [890_555.926_3, 5_621_521.486_2]);
        let (found, back) = (web.position(degrees), web.degrees(meters));
        for axis in 0..2 {
            assert!((found[axis] - meters[axis]).abs() < 1e-3, "{found:?}");
            assert!((back[axis] - degrees[axis]).abs() < 1e-8, "{back:?}");
        }
    }

    #[test]
    fn far_datums_are_unknown() {
        for system in [
            CoordinateSystem::Geographic(4267),
            CoordinateSystem::Geographic(CoordinateSystem::UNREGISTERED),
            CoordinateSystem::Projected(27_700),
            CoordinateSystem::Projected(2056),
        ] {
            assert_eq!(Projection::of(system), None, "{system:?}");
        }
    }
}
