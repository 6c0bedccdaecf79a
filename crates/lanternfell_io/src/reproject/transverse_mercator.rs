//! The transverse Mercator projection on the WGS 84 ellipsoid, which UTM uses.
//!
//! Problem: UTM must match other programs to the millimeter, everywhere in a zone and some way outside of it, with the
//! same bits on every machine.
//!
//! Idea: Krüger's series. The ellipsoid is first mapped to a sphere that keeps angles (the conformal latitude), and the
//! sphere to a plane along its meridian. A short sine series in the third flattening `n` then corrects the scale along
//! the meridian. It is applied to a complex number, so that angles are kept everywhere.
//!
//! ```text
//!   latitude, longitude  <->  conformal latitude  <->  sphere (xi', eta')  <->  (xi, eta)  <->  meters
//!                                                                       series
//! ```
//!
//! Limits: the series has four terms. The fifth is below 10^-7 m. Use it up to 40 degrees of longitude from the central
//! meridian.
//!
//! Source: Karney, *Transverse Mercator with an accuracy of a few nanometers*, Journal of Geodesy 85, 2011, equations 7
//! to 15, 35 and 36; the series for the latitude: Krüger, *Konforme Abbildung des Erdellipsoids in der Ebene*, 1912.

/// The semi-major axis of WGS 84 in meters, and its flattening.
const HALF_AXIS: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// The third flattening.
const N: f64 = FLATTENING / (2.0 - FLATTENING);
const N2: f64 = N * N;
const N3: f64 = N2 * N;
const N4: f64 = N2 * N2;

/// The radius of the circle with the length of a meridian, in meters.
const RADIUS: f64 = HALF_AXIS / (1.0 + N) * (1.0 + N2 / 4.0 + N4 / 64.0);

/// The series from the sphere to the plane, and back.
const TO_PLANE: [f64; 4] = [
    N / 2.0 - 2.0 * N2 / 3.0 + 5.0 * N3 / 16.0 + 41.0 * N4 / 180.0,
    13.0 * N2 / 48.0 - 3.0 * N3 / 5.0 + 557.0 * N4 / 1440.0,
    61.0 * N3 / 240.0 - 103.0 * N4 / 140.0,
    49_561.0 * N4 / 161_280.0,
];
const TO_SPHERE: [f64; 4] = [
    N / 2.0 - 2.0 * N2 / 3.0 + 37.0 * N3 / 96.0 - N4 / 360.0,
    N2 / 48.0 + N3 / 15.0 - 437.0 * N4 / 1440.0,
    17.0 * N3 / 480.0 - 37.0 * N4 / 840.0,
    4397.0 * N4 / 161_280.0,
];

/// The series from the conformal to the geographic latitude.
const TO_LATITUDE: [f64; 4] = [
    2.0 * N - 2.0 * N2 / 3.0 - 2.0 * N3 + 116.0 * N4 / 45.0,
    7.0 * N2 / 3.0 - 8.0 * N3 / 5.0 - 227.0 * N4 / 45.0,
    56.0 * N3 / 15.0 - 136.0 * N4 / 35.0,
    4279.0 * N4 / 630.0,
];

/// A transverse Mercator projection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TransverseMercator {
    /// The longitude of the central meridian in degrees.
    meridian: f64,
    /// The scale on the central meridian.
    scale: f64,
    /// The coordinates in meters where the central meridian crosses the equator.
    origin: [f64; 2],
}

impl TransverseMercator {
    /// Creates the projection of a UTM zone with this central meridian.
    pub(super) fn utm(meridian: f64, is_south: bool) -> Self {
        Self {
            meridian,
            scale: 0.9996,
            origin: [500_000.0, if is_south { 1e7 } else { 0.0 }],
        }
    }

    /// Creates a projection with scale 1 whose origin is this longitude and latitude.
    pub(super) fn local([longitude, latitude]: [f64; 2]) -> Self {
        let equator = Self {
            meridian: longitude,
            scale: 1.0,
            origin: [0.0; 2],
        };
        let [_, north] = equator.meters([longitude, latitude]);
        Self {
            origin: [0.0, -north],
            ..equator
        }
    }

    /// Returns the longitude of the central meridian in degrees.
    pub(super) fn meridian(&self) -> f64 {
        self.meridian
    }

    /// Returns the easting and northing of a longitude and latitude in degrees.
    pub(super) fn meters(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        let eccentricity = (FLATTENING * (2.0 - FLATTENING)).sqrt();
        let east = (longitude - self.meridian).to_radians();
        let tangent = libm::tan(latitude.to_radians());
        let secant = (1.0 + tangent * tangent).sqrt();
        let sigma = libm::sinh(eccentricity * libm::atanh(eccentricity * tangent / secant));
        let conformal = tangent * (1.0 + sigma * sigma).sqrt() - sigma * secant;
        let (sine, cosine) = (libm::sin(east), libm::cos(east));
        let xi = libm::atan2(conformal, cosine);
        let eta = libm::asinh(sine / (conformal * conformal + cosine * cosine).sqrt());
        let [up, across] = series(&TO_PLANE, xi, eta);
        let meters = self.scale * RADIUS;
        [
            self.origin[0] + meters * (eta + across),
            self.origin[1] + meters * (xi + up),
        ]
    }

    /// Returns the longitude and latitude in degrees of an easting and northing.
    pub(super) fn degrees(&self, [easting, northing]: [f64; 2]) -> [f64; 2] {
        let meters = self.scale * RADIUS;
        let xi = (northing - self.origin[1]) / meters;
        let eta = (easting - self.origin[0]) / meters;
        let [up, across] = series(&TO_SPHERE, xi, eta);
        let (xi, eta) = (xi - up, eta - across);
        let (sinh, cosine) = (libm::sinh(eta), libm::cos(xi));
        let conformal = libm::sin(xi) / (sinh * sinh + cosine * cosine).sqrt();
        let chi = libm::atan(conformal);
        let [more, _] = series(&TO_LATITUDE, chi, 0.0);
        [
            self.meridian + libm::atan2(sinh, cosine).to_degrees(),
            (chi + more).to_degrees(),
        ]
    }
}

/// Returns the real and the imaginary part of the sum of `factor * sin(2 j z)` for the factors `j = 1, 2, ...`, with
/// `z = xi + i eta`.
fn series(factors: &[f64; 4], xi: f64, eta: f64) -> [f64; 2] {
    let step = [libm::sin(2.0 * xi), libm::cos(2.0 * xi)];
    let grow = [libm::sinh(2.0 * eta), libm::cosh(2.0 * eta)];
    let ([mut sine, mut cosine], [mut sinh, mut cosh]) = (step, grow);
    let mut sum = [0.0; 2];
    for factor in factors {
        sum[0] += factor * sine * cosh;
        sum[1] += factor * cosine * sinh;
        // The angle sums: from 2 j to 2 (j + 1).
        (sine, cosine) = (
            sine * step[1] + cosine * step[0],
            cosine * step[1] - sine * step[0],
        );
        (sinh, cosh) = (
            sinh * grow[1] + cosh * grow[0],
            cosh * grow[1] + sinh * grow[0],
        );
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longitude and latitude, central meridian, southern hemisphere, and the coordinates of PROJ 9 (`gdaltransform`).
    type Known = ([f64; 2], f64, bool, [f64; 2]);
    const KNOWN: [Known; 7] = [
        ([15.0, 47.0], 15.0, false, [500_000.0, 5_205_164.110_2]),
        ([6.0, 60.0], 9.0, false, [332_705.178_9, 6_655_205.483_6]),
        ([14.5, 46.25], 9.0, false, [923_927.287_6, 5_136_545.027_1]),
        (
            [-177.3, 65.2],
            -177.0,
            false,
            [485_958.904_1, 7_230_777.854_3],
        ),
        (
            [-70.123, -33.456],
            -69.0,
            true,
            [395_634.340_3, 6_297_595.097_3],
        ),
        (
            [178.9, -16.5],
            177.0,
            true,
            [702_802.139_1, 8_174_800.836_4],
        ),
        ([25.0, 78.0], 15.0, false, [731_022.011_2, 8_678_144.051_1]),
    ];

    #[test]
    fn utm_matches_known_coordinates() {
        for (degrees, meridian, is_south, meters) in KNOWN {
            let utm = TransverseMercator::utm(meridian, is_south);
            let found = utm.meters(degrees);
            let back = utm.degrees(meters);
            for axis in 0..2 {
                assert!(
                    (found[axis] - meters[axis]).abs() < 6e-4,
                    "{degrees:?}: {found:?}"
                );
                assert!(
                    (back[axis] - degrees[axis]).abs() < 2e-8,
                    "{meters:?}: {back:?}"
                );
            }
        }
    }

    #[test]
    fn degrees_inverts_meters() {
        for meridian in [-177.0, 9.0, 183.0] {
            for south in [false, true] {
                let utm = TransverseMercator::utm(meridian, south);
                for latitude in [-79.9, -45.0, 0.0, 1e-9, 33.3, 84.0] {
                    for off in [-20.0, -3.0, 0.0, 0.5, 20.0] {
                        let place = [meridian + off, latitude];
                        let back = utm.degrees(utm.meters(place));
                        for axis in 0..2 {
                            // A tenth of a millimeter, also far outside of the zone.
                            assert!(
                                (back[axis] - place[axis]).abs() < 1e-9,
                                "{place:?}: {back:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn local_plane_is_true_to_scale_at_its_origin() {
        for place in [[8.0, 46.5], [-70.0, -33.0], [25.0, 0.0]] {
            let local = TransverseMercator::local(place);
            let origin = local.meters(place);
            assert!(
                origin.iter().all(|meters| meters.abs() < 1e-6),
                "{origin:?}"
            );
            // The length of a degree in the tables of the National Geospatial-Intelligence Agency, at the equator.
            if place[1] == 0.0 {
                let [east, north] = local.meters([place[0] + 0.01, 0.01]);
                assert!((east - 1113.195).abs() < 0.01, "{east}");
                assert!((north - 1105.743).abs() < 0.01, "{north}");
            }
        }
    }
}
