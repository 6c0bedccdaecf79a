//! Masks from a map: 1 where its heights, or its slopes, are as asked for.
//!
//! ```text
//!  1 |         ________
//!    |        /        \         how much a height is as asked for
//!  0 |_______/          \_____
//!           ^ from    to ^
//!         ->|-|<- fade
//! ```

use serde::{Deserialize, Serialize};

use crate::{GenerateError, Heightmap, ParamError, Progress, Scale, analysis::Slope, rows};

/// What is asked for in a map.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Selection {
    /// Heights in this band.
    Height(Band),
    /// Slopes in this band, in degrees, at the recipe's scale.
    Slope(Band),
}

/// Values from one bound to another, fading out beyond both.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Band {
    /// The lowest value that is wholly in it. Default: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The highest value that is wholly in it. Default: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// How far beyond its bounds it fades out, evenly. Default 0: at once.
    pub fade: f64,
}

impl Selection {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        let (Self::Height(band) | Self::Slope(band)) = self;
        band.validate()
    }

    /// How many cells around a cell it looks at.
    pub(super) fn reach(&self) -> usize {
        match self {
            Self::Height(_) => 0,
            Self::Slope(_) => 1,
        }
    }

    /// The mask of this map.
    pub(super) fn of(
        &self,
        map: &Heightmap,
        scale: Scale,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let (mut mask, band) = match self {
            Self::Height(band) => (map.clone(), band),
            Self::Slope(band) => {
                let slope = Slope::default();
                (slope.of(map, scale, &progress.span(0.0, 0.7))?, band)
            }
        };
        let progress = progress.span(0.7, 1.0);
        rows::for_each_row(mask.heights_mut(), map.width(), &progress, |_, row| {
            for value in row {
                *value = band.share(f64::from(*value)) as f32;
            }
        })?;
        Ok(mask)
    }
}

impl Band {
    /// The largest number of any bound: whatever is measured, this is beyond it.
    const MOST: f64 = 1e6;

    fn validate(&self) -> Result<(), ParamError> {
        let check = |name, value| {
            ParamError::check_range("selection", name, value, -Self::MOST, Self::MOST)
        };
        let (from, to) = (
            self.from.unwrap_or(-Self::MOST),
            self.to.unwrap_or(Self::MOST),
        );
        check("from", from)?;
        check("to", to)?;
        ParamError::check(
            from <= to,
            "selection",
            "to",
            to,
            format_args!("at least {from}"),
        )?;
        ParamError::check_range("selection", "fade", self.fade, 0.0, Self::MOST)
    }

    /// How much a value is in it, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let below = self.from.map_or(0.0, |from| from - value);
        let above = self.to.map_or(0.0, |to| value - to);
        let beyond = below.max(above);
        if beyond <= 0.0 {
            1.0
        } else if beyond < self.fade {
            1.0 - beyond / self.fade
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_one_inside_and_fades_out() {
        let band = Band {
            from: Some(0.25),
            to: Some(0.5),
            fade: 0.125,
        };
        let shares =
            [0.0, 0.125, 0.1875, 0.25, 0.4, 0.5, 0.5625, 0.625, 9.0].map(|z| band.share(z));
        assert_eq!(shares, [0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0]);
        let sharp = Band {
            fade: 0.0,
            to: None,
            ..band
        };
        assert_eq!([0.2499, 0.25, 1e9].map(|z| sharp.share(z)), [0.0, 1.0, 1.0]);
        assert_eq!(Band::default().share(-7.0), 1.0);
    }

    #[test]
    fn bounds_the_wrong_way_round_are_refused() {
        let band = |from, to, fade| Band {
            from: Some(from),
            to: Some(to),
            fade,
        };
        assert!(band(0.5, 0.5, 0.0).validate().is_ok());
        for bad in [
            band(0.5, 0.4, 0.0),
            band(f64::NAN, 1.0, 0.0),
            band(0.0, f64::INFINITY, 0.0),
            band(0.0, 1.0, -0.1),
        ] {
            assert!(bad.validate().is_err(), "{bad:?}");
        }
    }
}
