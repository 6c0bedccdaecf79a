//! The surface cover of natural views, and the altitude of the snow line.
//!
//! Snow and beaches depend on altitude in meters. Hills of 200 m have no snow, however large they appear in the image,
//! and no beach is 80 m high. While the relief in meters is unknown, the upper third of the terrain has snow, and
//! beaches get a height that looks good.
//!
//! ```text
//!    _____________________ highest      altitude (1 is the snow line / 0.69):
//!      snow      /\                     0.69  snow begins
//!    ----------/----\----- snow line    0.4   forest ends, soil gets thin
//!      rock, dry grass \                0.1   grass gets drier
//!      forest, meadows  `-._
//!    ~~~~~~~~~~~~~~~~~~~~~~~~~ sea      a few meters of sand
//! ```

use lanternfell_heightmap::{LandCover, ParamError};

/// The surface cover of natural views, and the snow line.
///
/// ```
/// use lanternfell_heightmap::LandCover;
/// use lanternfell_render::Look;
///
/// let hills = Look { relief: Some(200.0), ..Look::default() };
/// let norway = Look { relief: Some(2000.0), snow_line: Some(900.0), ..Look::default() };
/// let dunes = Look { cover: LandCover::Desert, ..Look::default() };
/// assert!([hills, norway, dunes].iter().all(|look| look.validate().is_ok()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Look {
    /// Temperate vegetation or desert. Default: [`LandCover::Temperate`].
    pub cover: LandCover,
    /// The relief: meters from height 0 to height 1. Above 0 and at most 100,000. Default:
    /// `None` (unknown).
    pub relief: Option<f32>,
    /// The altitude of the snow line in meters above the sea, from 1 to 100,000. It has no effect without `relief`.
    ///
    /// Default: `None`, which is [`default_snow_line`](Self::default_snow_line). High mountains get a higher snow line,
    /// so that their valleys stay green. On a map without a sea, the default is above height 0.
    pub snow_line: Option<f32>,
}

/// The default altitude of the snow line in meters above the sea, as in the mountains of a cool coast.
const SNOW_LINE: f32 = 1000.0;

/// The altitude at which snow begins, as a share of [`Zones::full`].
pub(super) const SNOW_SHARE: f32 = 0.69;

/// The minimum altitude of a height of 1, in heights above the sea.
const LEAST_LAND: f32 = 0.05;

/// The height of the beach above the sea in meters: the reach of storm waves.
const BEACH: f64 = 5.0;

/// The height of the highest beach in world units, a few cells on a gentle shore. Also used while the relief is
/// unknown.
pub(super) const HIGHEST_BEACH: f64 = 0.0034;

/// The altitude zones of a look in world units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Zones {
    pub(super) cover: LandCover,
    /// World units above the sea at an altitude of 1.
    pub(super) full: f64,
    /// The height of the beach as a share of [`HIGHEST_BEACH`].
    pub(super) beach: f64,
}

impl Look {
    /// Checks every setting against its range.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let most = f64::from(lanternfell_heightmap::Scale::MAX);
        let range = |name, meters: Option<f32>, least| {
            let meters = meters.map_or(most, ParamError::shortest);
            ParamError::check_range("look", name, meters, least, most)
        };
        range("relief", self.relief, 1e-6)?;
        range("snow_line", self.snow_line, 1.0)
    }

    /// The default altitude of the snow line, in meters above the sea: 1000 m, or 69% of the altitude of a height of 1
    /// if that is higher. `relief` is the relief in meters and `sea_level` the height of the sea, from 0 to 1.
    pub fn default_snow_line(relief: f32, sea_level: f32) -> f32 {
        let land = (1.0 - sea_level).max(LEAST_LAND);
        SNOW_LINE.max(SNOW_SHARE * land * relief)
    }

    /// The zones of a terrain that rises `rise` world units per height out of a sea at height `sea_level`. Without a
    /// sea on the map, they rise from height 0.
    pub(super) fn zones(&self, rise: f64, sea_level: f64) -> Zones {
        let (sea_level, below) = (sea_level.max(0.0), sea_level.min(0.0) as f32);
        let land = (1.0 - sea_level as f32).max(LEAST_LAND);
        let (full, beach) = match self.relief {
            None => (land, HIGHEST_BEACH),
            Some(relief) => {
                let usual = || Self::default_snow_line(relief, sea_level as f32);
                let above_0 = |snow: f32| (snow + below * relief).max(1.0);
                let snow = self.snow_line.map_or_else(usual, above_0);
                (snow / SNOW_SHARE / relief, BEACH / f64::from(relief) * rise)
            }
        };
        Zones {
            cover: self.cover,
            full: f64::from(full) * rise,
            beach: (beach / HIGHEST_BEACH).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snow(look: Look, rise: f64, sea: f64) -> f64 {
        look.zones(rise, sea).full * f64::from(SNOW_SHARE)
    }

    #[test]
    fn snow_line_depends_on_relief_in_meters() {
        let of = |meters| Look {
            relief: Some(meters),
            ..Look::default()
        };
        // In heights above the sea. The terrain reaches up to 0.8 or 1 above it.
        assert!((snow(Look::default(), 1.0, 0.2) - 0.552).abs() < 1e-6);
        assert!(snow(of(900.0), 1.0, 0.0) > 1.0, "no snow on hills of 900 m");
        assert!((snow(of(1250.0), 1.0, 0.2) - 0.8).abs() < 1e-6);
        assert!((snow(of(5000.0), 1.0, 0.0) - 0.69).abs() < 1e-6);
        let low = Look {
            snow_line: Some(500.0),
            ..of(5000.0)
        };
        assert!((snow(low, 0.2, 0.0) - 0.02).abs() < 1e-6);
    }

    /// Height 0 is 2000 m above the sea, and height 1 is 7000 m.
    #[test]
    fn snow_line_of_inland_terrain_is_above_the_sea() {
        let of = |snow_line| Look {
            relief: Some(5000.0),
            snow_line,
            ..Look::default()
        };
        assert!((snow(of(Some(3000.0)), 1.0, -0.4) - 0.2).abs() < 1e-6);
        assert!(snow(of(Some(1500.0)), 1.0, -0.4) < 0.001);
        assert_eq!(snow(of(None), 1.0, -0.4), snow(of(None), 1.0, 0.0));
    }

    #[test]
    fn beach_height_is_limited() {
        let beach = |relief| {
            Look {
                relief,
                ..Look::default()
            }
            .zones(0.2, 0.5)
            .beach
        };
        assert_eq!(beach(None), 1.0);
        assert_eq!(beach(Some(20.0)), 1.0);
        assert!((beach(Some(2000.0)) * HIGHEST_BEACH - 0.0005).abs() < 1e-9);
    }

    #[test]
    fn rejects_meters_out_of_range() {
        for bad in [0.0, -5.0, f32::NAN, 1e6] {
            let relief = Look {
                relief: Some(bad),
                ..Look::default()
            };
            let snow = Look {
                snow_line: Some(bad),
                ..Look::default()
            };
            assert_eq!(relief.validate().unwrap_err().name, "relief", "{bad}");
            assert_eq!(snow.validate().unwrap_err().name, "snow_line", "{bad}");
        }
    }
}
