//! How light each cell is in the sun, as maps are shaded.
//!
//! The share of the sun's light that a slope catches is the cosine of the angle between
//! its normal and the sun, and 0 where it faces away. Nothing throws a shadow: the eye
//! reads the shape of the land better so.
//!
//! One sun leaves slopes along its direction flat and those behind it black. Four of them,
//! from 90 degrees left of it to 45 right of it, each with the weight `sin^2` of the
//! angle between it and the way the cell faces, light every slope (Mark).
//!
//! Source: Horn, *Hill shading and the reflectance map*, Proceedings of the IEEE, 1981;
//! Mark, *A multidirectional, oblique-weighted, shaded-relief image of the island of
//! Hawaii*, USGS open-file report 92-422, 1992. With one sun as `gdaldem hillshade`, whose
//! bytes are `1 + 254 shade`; its four have `cos^2` for weights.

use serde::{Deserialize, Serialize};

use super::{gradient::Gradient, map_by_rows};
use crate::{GenerateError, GroundScale, Heightmap, ParamError, Progress};

/// How light each cell is in the sun, from 0 to 1.
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale, analysis::Hillshade};
///
/// let flat = Heightmap::flat(MapSize::default());
/// let overhead = Hillshade { altitude: 90.0, ..Hillshade::default() };
/// let shade = overhead.of(&flat, Scale::of_size(flat.size()), &Progress::default())?;
/// assert_eq!(shade.range(), (1.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hillshade {
    /// Where the sun stands, in degrees clockwise from north, from -360 to 360; 315 by
    /// default, the north-west, as is the custom.
    pub azimuth: f64,
    /// How high the sun stands above the horizon, in degrees, from 0 to 90; 45 by default.
    pub altitude: f64,
    /// How much steeper than it is the land is shown, from 0.001 to 1000; 1 by default.
    pub z_factor: f64,
    /// Whether four suns shine, from 90 degrees left of `azimuth` to 45 degrees right of
    /// it; `false` by default.
    pub multidirectional: bool,
}

impl Default for Hillshade {
    fn default() -> Self {
        Self {
            azimuth: 315.0,
            altitude: 45.0,
            z_factor: 1.0,
            multidirectional: false,
        }
    }
}

/// The unit vector towards the sun.
#[derive(Debug, Clone, Copy)]
struct Sun {
    east: f32,
    south: f32,
    up: f32,
}

impl Sun {
    fn new(azimuth: f64, altitude: f64) -> Self {
        let (azimuth, altitude) = (azimuth.to_radians(), altitude.to_radians());
        Self {
            east: (libm::sin(azimuth) * libm::cos(altitude)) as f32,
            south: (-libm::cos(azimuth) * libm::cos(altitude)) as f32,
            up: libm::sin(altitude) as f32,
        }
    }

    /// The light on a slope that rises so much to the east and to the south.
    #[inline(always)]
    fn light(self, east: f32, south: f32) -> f32 {
        let length = (1.0 + east * east + south * south).sqrt();
        let light = (self.up - self.east * east - self.south * south) / length;
        light.clamp(0.0, 1.0)
    }

    /// The square of the sine between the sun and the way the slope faces, times the
    /// square of the slope and of the sun's length over ground.
    #[inline(always)]
    fn weight(self, east: f32, south: f32) -> f32 {
        let across = self.east * south - self.south * east;
        across * across
    }
}

impl Hillshade {
    /// Checks every parameter against its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let check =
            |name, value, min, max| ParamError::check_range("hillshade", name, value, min, max);
        check("azimuth", self.azimuth, -360.0, 360.0)?;
        check("altitude", self.altitude, 0.0, 90.0)?;
        check("z_factor", self.z_factor, 0.001, 1000.0)
    }

    /// The light on every cell of `map`.
    ///
    /// # Errors
    /// When a parameter or the scale is out of its range, or the work was cancelled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: impl Into<GroundScale>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate()?;
        let scale = scale.into();
        scale.validate()?;
        let gradient = || Gradient::new(map.width(), scale).steeper(self.z_factor);
        let sun = Sun::new(self.azimuth, self.altitude);
        let suns = [-90.0, -45.0, 0.0, 45.0].map(|turn| {
            (
                Sun::new(self.azimuth + turn, self.altitude),
                Sun::new(self.azimuth + turn, 0.0),
            )
        });
        let shade = map_by_rows(map.size(), progress, gradient, |gradient, y, row| {
            gradient.load(map, y);
            let cells = row.iter_mut().zip(gradient.cells());
            if self.multidirectional {
                cells.for_each(|(shade, (east, south))| *shade = mixed(&suns, east, south));
            } else {
                cells.for_each(|(shade, (east, south))| *shade = sun.light(east, south));
            }
        })?;
        Ok(shade)
    }
}

/// The light of several suns, each with its place over ground for the weight.
#[inline(always)]
fn mixed(suns: &[(Sun, Sun); 4], east: f32, south: f32) -> f32 {
    let square = east * east + south * south;
    // Two pairs of suns at right angles: all four weights together are twice the square.
    let weighted = suns.iter().fold(0.0, |sum, (sun, place)| {
        sum + place.weight(east, south) * sun.light(east, south)
    });
    if square > 1e-30 {
        (0.5 * weighted / square).min(1.0)
    } else {
        suns[0].0.up
    }
}
