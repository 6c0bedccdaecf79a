//! What a map's land stands in and wears: nothing that heights tell, but what pictures and measures must know.

use serde::{Deserialize, Serialize};

use crate::{Cover, ParamError, Scale};

/// The sea, the snow and the cover of a map's land, as far as they are known.
///
/// All of it is in metres, so that it stays true when heights are stretched or cut, or the map is shown in other
/// cells. A [recipe's frame](crate::Recipe::frame) knows the sea; files keep all of it:
/// [`io::write`](crate::io::write()) tells how.
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
