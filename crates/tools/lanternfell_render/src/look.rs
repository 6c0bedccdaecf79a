//! What the land wears in natural pictures, and from which height.
//!
//! Snow and beaches are matters of metres: no snow lies on hills of 200 m, however large they
//! are in the picture, and no beach is 80 m high. As long as it is not known how high the land
//! is, its upper third is snow and its beaches are as high as looks good.
//!
//! ```text
//!    _____________________ highest      share of the snow line's height:
//!      snow      /\                     0.69  snow begins
//!    ----------/----\----- snow line    0.4   forest ends, soil gets thin
//!      rock, dry grass \                0.1   grass gets drier
//!      forest, meadows  `-._
//!    ~~~~~~~~~~~~~~~~~~~~~~~~~ sea      a few metres of sand
//! ```

use lanternfell_heightmap::{Cover, ParamError};

/// What covers the land in natural pictures, and from which height.
///
/// ```
/// use lanternfell_heightmap::Cover;
/// use lanternfell_render::Look;
///
/// let hills = Look { relief: Some(200.0), ..Look::default() };
/// let norway = Look { relief: Some(2000.0), snow_line: Some(900.0), ..Look::default() };
/// let dunes = Look { cover: Cover::Desert, ..Look::default() };
/// assert!([hills, norway, dunes].iter().all(|look| look.validate().is_ok()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Look {
    /// What grows, if anything. [`Cover::Temperate`] by default.
    pub cover: Cover,
    /// Metres of a height of 1, above 0 and at most 100,000. `None`, the default: unknown.
    pub relief: Option<f32>,
    /// Metres above the sea at which snow begins to lie, from 1 to 100,000; of no effect
    /// without `relief`. `None`, the default, is 1000 m, and in higher mountains two thirds of
    /// what a height of 1 rises above the sea: so they have green valleys too.
    pub snow_line: Option<f32>,
}

/// Where snow begins to lie, in metres above the sea: as in the mountains of a cool coast.
const SNOW_LINE: f32 = 1000.0;

/// Above this share of a height of 1 over the sea there is snow, if nothing else is known.
pub(super) const SNOW_SHARE: f32 = 0.69;

/// The lowest that a height of 1 counts as being above the sea.
const LEAST_LAND: f32 = 0.05;

/// Height of the beach above the sea, in metres: what storms reach.
const BEACH: f64 = 5.0;

/// The highest beach, and what there is if nothing is known, in world units: a few cells on a
/// gentle shore.
pub(super) const HIGHEST_BEACH: f64 = 0.0034;

/// A look's heights above the sea in the world of a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Zones {
    pub(super) cover: Cover,
    /// World units of the way to what counts as an altitude of 1.
    pub(super) full: f64,
    /// The beach as a part of the highest there is.
    pub(super) beach: f64,
}

impl Look {
    /// Checks every setting against its range.
    ///
    /// # Errors
    /// Names the first that is outside.
    pub fn validate(&self) -> Result<(), ParamError> {
        let most = f64::from(lanternfell_heightmap::Scale::MAX);
        let range = |name, metres: Option<f32>, least| {
            let metres = metres.map_or(most, ParamError::shortest);
            ParamError::check_range("look", name, metres, least, most)
        };
        range("relief", self.relief, 1e-6)?;
        range("snow_line", self.snow_line, 1.0)
    }

    /// Where snow begins to lie on land that rises so many metres per height out of a sea at that height, if nobody
    /// says it: 1000 m above the sea, or two thirds of what a height of 1 rises above it.
    pub fn usual_snow_line(relief: f32, sea_level: f32) -> f32 {
        let land = (1.0 - sea_level).max(LEAST_LAND);
        SNOW_LINE.max(SNOW_SHARE * land * relief)
    }

    /// The zones of land that rises `rise` world units per height, out of a sea at `sea_level`.
    pub(super) fn zones(&self, rise: f64, sea_level: f64) -> Zones {
        let land = (1.0 - sea_level as f32).max(LEAST_LAND);
        let (full, beach) = match self.relief {
            None => (land, HIGHEST_BEACH),
            Some(relief) => {
                let usual = || Self::usual_snow_line(relief, sea_level as f32);
                let snow = self.snow_line.unwrap_or_else(usual);
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
    fn snow_lies_by_metres_where_they_are_known() {
        let of = |metres| Look {
            relief: Some(metres),
            ..Look::default()
        };
        // In heights above the sea; land reaches up to 0.8 or 1.
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

    #[test]
    fn beaches_are_a_few_metres_high_and_never_higher_than_looks_good() {
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
    fn metres_out_of_range_are_refused_by_name() {
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
