//! Hillshade: the illumination of each cell by the sun, as on maps.
//!
//! The light on a slope is the cosine of the angle between its normal and the direction of the sun, and 0 if it faces
//! away. There are no shadows, because the shape of the terrain is easier to read without them.
//!
//! A single light leaves slopes along its direction flat, and slopes that face away black. Four lights, from 90 degrees
//! to the left of the azimuth to 45 degrees to the right, illuminate every slope (Mark). The weight of each is `sin^2`
//! of the angle between it and the aspect of the cell.
//!
//! Sources: Horn, *Hill shading and the reflectance map*, Proceedings of the IEEE, 1981; Mark, *A multidirectional,
//! oblique-weighted, shaded-relief image of the island of Hawaii*, USGS open-file report 92-422, 1992. A single light
//! gives the values of `gdaldem hillshade`, whose bytes are `1 + 254 shade`. GDAL weights its four lights with `cos^2`
//! instead.

use serde::{Deserialize, Serialize};

use super::{gradient::Gradient, map_by_rows};
use crate::{GenerateError, GroundScale, Heightmap, ParamError, Progress};

/// The illumination of each cell by the sun, from 0 to 1.
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
    /// The direction of the sun, in degrees clockwise from north; from -360 to 360. Default: 315 (north-west), as is
    /// customary.
    pub azimuth: f64,
    /// The height of the sun above the horizon in degrees; from 0 to 90. Default: 45.
    pub altitude: f64,
    /// Vertical exaggeration; from 0.001 to 1000. Default: 1.
    pub z_factor: f64,
    /// Whether to use four lights, from 90 degrees to the left of `azimuth` to 45 degrees to the right. Default:
    /// `false`.
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

/// The unit vector towards a light.
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

    /// The light on a slope with these rises to the east and to the south.
    #[inline(always)]
    fn light(self, east: f32, south: f32) -> f32 {
        let length = (1.0 + east * east + south * south).sqrt();
        let light = (self.up - self.east * east - self.south * south) / length;
        light.clamp(0.0, 1.0)
    }

    /// The squared sine of the angle between the light and the aspect of the slope, times the squares of the slope and
    /// of the horizontal length of the light's vector.
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

    /// Computes the illumination of every cell of `map`.
    ///
    /// # Errors
    /// If a parameter or the scale is out of range, or the work is canceled.
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

/// The weighted light of several suns. Each comes with its horizontal direction for the weight.
#[inline(always)]
fn mixed(suns: &[(Sun, Sun); 4], east: f32, south: f32) -> f32 {
    let square = east * east + south * south;
    // The suns are two pairs at right angles, so the sum of all weights is twice this square.
    let weighted = suns.iter().fold(0.0, |sum, (sun, place)| {
        sum + place.weight(east, south) * sun.light(east, south)
    });
    if square > 1e-30 {
        (0.5 * weighted / square).min(1.0)
    } else {
        suns[0].0.up
    }
}
