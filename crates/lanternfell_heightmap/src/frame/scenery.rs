//! Scenery: sea level, snow line and land cover, which heights do not contain but rendering and measurements need.

use serde::{Deserialize, Serialize};

use crate::{LandCover, ParamError, Scale};

/// The sea level, snow line and land cover of a map, if they are known.
///
/// The sea level and snow line are in meters, so they stay valid when the map is stretched, cropped or resampled. A
/// [recipe's frame](crate::Recipe::frame) includes the sea level. `lanternfell_io` keeps all three values in the files
/// it writes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Scenery {
    /// The elevation of the sea's surface in meters, on the scale of [`Elevation::meters`](crate::Elevation::meters).
    /// `None` if unknown.
    pub sea_level: Option<f64>,
    /// The height of the snow line above the sea in meters, from 1 to 100,000. `None` if unknown.
    pub snow_line: Option<f64>,
    /// The land cover. `None` if unknown.
    pub cover: Option<LandCover>,
}

impl Scenery {
    /// Whether any of the values is known.
    pub fn is_known(self) -> bool {
        self != Self::default()
    }

    /// Checks both numbers.
    ///
    /// # Errors
    /// Names the number that is out of range.
    pub fn validate(self) -> Result<(), ParamError> {
        let sea = self.sea_level.unwrap_or_default();
        ParamError::check(sea.is_finite(), "scenery", "sea_level", sea, "finite")?;
        let (least, most) = (1.0, f64::from(Scale::MAX));
        let snow = self.snow_line.unwrap_or(least);
        ParamError::check_range("scenery", "snow_line", snow, least, most)
    }
}
