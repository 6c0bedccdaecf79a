//! What a map's land stands in and wears: nothing that heights tell, but what pictures and measures must know.

use serde::{Deserialize, Serialize};

use crate::{Cover, ParamError, Scale};

/// The sea level, snow line and cover of a map, as far as they are known.
///
/// Heights are in meters, so they stay valid when the map is stretched, cropped or resampled. A
/// [recipe's frame](crate::Recipe::frame) has the sea level. Files written by `lanternfell_io` keep all of it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Scenery {
    /// The sea's surface, in metres as [`Elevation::metres`](crate::Elevation::metres) has them. `None`: unknown.
    pub sea_level: Option<f64>,
    /// Metres above the sea at which snow begins to lie, from 1 to 100,000. `None`: unknown.
    pub snow_line: Option<f64>,
    /// What covers the land. `None`: unknown.
    pub cover: Option<Cover>,
}

impl Scenery {
    /// Whether anything is known.
    pub fn is_known(self) -> bool {
        self != Self::default()
    }

    /// Checks both numbers.
    ///
    /// # Errors
    /// Names the one that is wrong.
    pub fn validate(self) -> Result<(), ParamError> {
        let sea = self.sea_level.unwrap_or_default();
        ParamError::check(sea.is_finite(), "scenery", "sea_level", sea, "finite")?;
        let (least, most) = (1.0, f64::from(Scale::MAX));
        let snow = self.snow_line.unwrap_or(least);
        ParamError::check_range("scenery", "snow_line", snow, least, most)
    }
}
