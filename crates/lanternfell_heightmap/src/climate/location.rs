//! What a climate needs to know about a map's cells: the sea level, altitudes, and latitudes.
//!
//! ```text
//!   a sea level alone       height 1 is as high as the parameters assume, at any size of map
//!   a map in meters         6.5 K colder per kilometer
//!   a map on the earth      the same, and the temperature at 0 m depends on the latitude
//! ```
//!
//! The temperature at 0 m is a polynomial in the sine of the latitude, which is how energy balance models describe
//! annual means. The coefficients are our fit to approximate annual means at 46 weather stations near sea level, from
//! the equator to the Antarctic coast (the table in this file's tests). Their standard deviation from the fit is 3.6 K:
//! coasts with warm currents are up to 8 K warmer (Tromsø), the middle of Siberia is 9 K colder (Yakutsk). It is a
//! plausible climate for a game or a map, not a measurement.
//!
//! Source of the form: North, *Theory of energy-balance climate models*, Journal of the Atmospheric Sciences, 1975.

use crate::{
    Elevation, GeoReference, MapFrame, MapSize, ParamError, climate::Temperature, is_land,
};

/// The sea level of a map, and its altitudes and latitudes if they are known.
///
/// A sea level alone converts into a `Location`. Then altitudes are relative: 0 at the sea and 1 at height 1.
///
/// ```
/// use lanternfell_heightmap::{
///     CoordinateSystem, Elevation, Heightmap, MapFrame, MapSize, Progress,
///     climate::{Location, Temperature},
/// };
///
/// // Hills of 200 m near Lisbon.
/// let size = MapSize::new(2, 2)?;
/// let hills = Heightmap::from_heights(size, vec![0.0, 100.0, 200.0, 100.0])?;
/// let mut frame = MapFrame::of_size(size);
/// (frame.elevation, frame.elevation_is_explicit) = (Elevation::METERS, true);
/// frame.place.corner = [-9.2, 38.7];
/// frame.place.cell = [0.01; 2];
/// frame.place.system = Some(CoordinateSystem::Geographic(4326));
///
/// let location = Location::new(&frame, size, 0.0);
/// let warmth = Temperature::default().of(&hills, location, &Progress::default())?;
/// assert!((warmth.get(0, 0) - 17.0).abs() < 2.0);
/// assert!((warmth.get(0, 0) - warmth.get(0, 1) - 1.3).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Location {
    sea_level: f32,
    /// Converts heights to meters above 0 m, on a map in meters.
    elevation: Option<Elevation>,
    /// The georeference and the number of rows, if it defines latitudes.
    place: Option<(GeoReference, usize)>,
}

impl From<f32> for Location {
    fn from(sea_level: f32) -> Self {
        Self {
            sea_level,
            elevation: None,
            place: None,
        }
    }
}

/// The altitudes at which the temperature changes by [`Temperature::LAPSE_RATE`]: the troposphere of the ICAO standard
/// atmosphere.
const TROPOSPHERE: (f64, f64) = (-5000.0, 11_000.0);

impl Location {
    /// The highest relative altitude. Higher terrain is clamped to it, so that no result becomes infinite.
    const MOST: f32 = 8.0;

    /// The location of a map with this frame and size, whose sea is at the height `sea_level` of the map.
    ///
    /// The altitudes are in meters if the frame's elevation is explicit. Maps of recipes are an exception: their
    /// altitudes are relative, so that a small generated map has the same climate as a large one. A map counts as
    /// generated if its frame has a sea level but no coordinate system.
    pub fn new(frame: &MapFrame, size: MapSize, sea_level: f32) -> Self {
        let system = frame.place.system;
        let made = frame.scenery.sea_level.is_some() && system.is_none();
        if !frame.elevation_is_explicit || made {
            return sea_level.into();
        }
        let rows = size.height();
        let place = frame.place.latitude(0.0, rows).map(|_| (frame.place, rows));
        Self {
            sea_level,
            elevation: Some(frame.elevation),
            place,
        }
    }

    /// The same without latitudes: [`Temperature::at_sea`] and [`Temperature::southwards`] apply.
    #[must_use]
    pub fn without_latitudes(self) -> Self {
        Self {
            place: None,
            ..self
        }
    }

    /// The height of the sea.
    pub fn sea_level(&self) -> f32 {
        self.sea_level
    }

    /// Checks that the sea level is finite, and below 1 if altitudes are relative.
    ///
    /// # Errors
    /// If it is not.
    pub fn validate(&self) -> Result<(), ParamError> {
        let sea = self.sea_level;
        let (fine, allowed) = match self.elevation {
            Some(_) => (sea.is_finite(), "finite"),
            None => (sea.is_finite() && sea < 1.0, "finite and below 1"),
        };
        let value = ParamError::shortest(sea);
        ParamError::check(fine, "climate", "sea_level", value, allowed)
    }

    /// Whether a cell of this height is land.
    pub(super) fn is_land(&self, height: f32) -> bool {
        is_land(height, self.sea_level)
    }

    /// The altitude relative to that of height 1: 0 at the sea and below. On a map in meters, relative to the
    /// mountains that the defaults of all parameters assume.
    pub(super) fn share(&self, height: f32) -> f32 {
        let share = match self.altitude(height) {
            Some(meters) => (meters / Temperature::MOUNTAINS) as f32,
            None => (height - self.sea_level) * (1.0 / (1.0 - self.sea_level)),
        };
        share.clamp(0.0, Self::MOST)
    }

    /// The altitude of the terrain or the sea in meters above 0 m, within the troposphere. `None` if it is unknown.
    pub(super) fn altitude(&self, height: f32) -> Option<f64> {
        let elevation = self.elevation?;
        let surface = if self.is_land(height) {
            height
        } else {
            self.sea_level
        };
        let (low, high) = TROPOSPHERE;
        Some(elevation.meters(surface).clamp(low, high))
    }

    /// The temperature at 0 m in this row, in degrees Celsius. `None` if the latitude is unknown.
    pub(super) fn warmth(&self, row: usize) -> Option<f64> {
        let (place, rows) = self.place?;
        place.latitude(row as f64, rows).map(warmth_at)
    }
}

/// The annual mean temperature at 0 m at this latitude, in degrees Celsius: see the module docs.
fn warmth_at(latitude: f64) -> f64 {
    let sine = libm::sin(latitude.to_radians());
    let square = sine * sine;
    let eighth = square * square * square * square;
    28.0 - 28.0 * square - 12.0 * eighth
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Latitude in degrees, altitude in meters, and annual mean temperature in degrees Celsius of recent decades. The
    /// values are approximate (about 0.5 K): they decide the coefficients, whose error is much larger.
    const STATIONS: [(&str, f64, f64, f64); 46] = [
        ("Singapore", 1.4, 15.0, 27.8),
        ("Manaus", -3.1, 67.0, 27.4),
        ("Guayaquil", -2.2, 5.0, 26.1),
        ("Mombasa", -4.0, 55.0, 26.6),
        ("Jakarta", -6.2, 8.0, 28.0),
        ("Darwin", -12.4, 30.0, 27.7),
        ("Dakar", 14.7, 24.0, 24.8),
        ("Manila", 14.6, 13.0, 28.2),
        ("Honolulu", 21.3, 2.0, 25.6),
        ("Mumbai", 19.1, 11.0, 27.5),
        ("Hong Kong", 22.3, 32.0, 23.5),
        ("Miami", 25.8, 9.0, 25.4),
        ("Cairo", 30.1, 74.0, 22.4),
        ("Perth", -31.9, 25.0, 18.9),
        ("Sydney", -33.9, 39.0, 18.4),
        ("Cape Town", -34.0, 42.0, 17.0),
        ("Buenos Aires", -34.6, 25.0, 18.2),
        ("Tokyo", 35.7, 25.0, 15.8),
        ("Lisbon", 38.7, 77.0, 17.4),
        ("Athens", 38.0, 107.0, 18.9),
        ("Rome", 41.9, 20.0, 15.9),
        ("New York", 40.8, 40.0, 13.1),
        ("Wellington", -41.3, 125.0, 13.0),
        ("Beijing", 39.9, 31.0, 13.1),
        ("Vladivostok", 43.1, 183.0, 5.1),
        ("Toronto", 43.7, 113.0, 9.4),
        ("Paris", 48.8, 75.0, 12.1),
        ("Vancouver", 49.2, 4.0, 10.5),
        ("Winnipeg", 49.9, 239.0, 3.1),
        ("London", 51.5, 25.0, 11.6),
        ("Berlin", 52.5, 48.0, 10.2),
        ("Ushuaia", -54.8, 28.0, 5.8),
        ("Moscow", 55.8, 156.0, 6.3),
        ("Stockholm", 59.3, 44.0, 7.5),
        ("Oslo", 59.9, 94.0, 6.9),
        ("Anchorage", 61.2, 40.0, 3.0),
        ("Yakutsk", 62.0, 101.0, -8.0),
        ("Reykjavik", 64.1, 52.0, 5.1),
        ("Fairbanks", 64.8, 133.0, -2.2),
        ("Esperanza", -63.4, 13.0, -4.9),
        ("Tromsø", 69.7, 100.0, 3.3),
        ("Murmansk", 69.0, 51.0, 1.0),
        ("Utqiagvik", 71.3, 9.0, -10.2),
        ("Longyearbyen", 78.2, 28.0, -4.0),
        ("Alert", 82.5, 30.0, -17.1),
        ("McMurdo", -77.8, 24.0, -16.9),
    ];

    #[test]
    fn warmth_fits_weather_stations() {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (name, latitude, altitude, mean) in STATIONS {
            let off = warmth_at(latitude) - Temperature::LAPSE_RATE * altitude - mean;
            assert!(off.abs() < 10.0, "{name}: {off} K");
            sum += off;
            squares += off * off;
        }
        let count = STATIONS.len() as f64;
        let (bias, deviation) = (sum / count, (squares / count).sqrt());
        assert!(bias.abs() < 0.5, "{bias} K");
        assert!((3.5..3.8).contains(&deviation), "{deviation} K");
    }

    /// The places of the report: a hill of 218 m near Lisbon had -8 degrees.
    #[test]
    fn warmth_of_lisbon_oslo_and_quito() {
        for (name, latitude, altitude, mean) in [
            ("Lisbon", 38.7, 0.0, 17.0),
            ("Oslo", 59.9, 0.0, 6.0),
            ("Quito", -0.2, 2850.0, 13.0),
        ] {
            let found = warmth_at(latitude) - Temperature::LAPSE_RATE * altitude;
            assert!((found - mean).abs() < 4.0, "{name}: {found}");
        }
    }
}
