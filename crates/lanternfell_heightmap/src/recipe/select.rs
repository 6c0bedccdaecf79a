//! Masks from a map: 1 where its heights or slopes are in a band.
//!
//! ```text
//!  1 |         ________
//!    |        /        \         the mask as a function of the value
//!  0 |_______/          \_____
//!           ^ from    to ^
//!         ->|-|<- fade
//! ```

use crate::{
    GenerateError, Heightmap, ParamError, Parameters, Progress, Scale,
    analysis::Slope,
    parameter::{parameters, variants},
    rows,
};

variants! {
    /// Which cells of a map a mask selects.
    #[derive(Copy)]
    pub enum Selection: "selection" {
        /// Cells whose height is in this band.
        Height(Band) = "height";
        /// Cells whose slope is in this band, in degrees, at the recipe's scale.
        Slope(Band) = "slope";
    }
}

parameters! {
    /// A band of values that fades out beyond both bounds.
    #[derive(Copy)]
    pub struct Band: "selection" {
        /// The lowest value that is fully selected; if omitted, there is no lower bound.
        pub from: Option<f64> = None, in -1e6..=1e6, slider 0.0..=1.0, omit_if "Option::is_none";
        /// The highest value that is fully selected; if omitted, there is no upper bound.
        pub to: Option<f64> = None, in -1e6..=1e6, slider 0.0..=1.0, omit_if "Option::is_none";
        /// The distance beyond the bounds over which the mask fades out linearly; 0 is a hard edge.
        pub fade: f64 = 0.0, in 0.0..=1e6, slider 0.0..=1.0;
    }
}

impl Selection {
    pub(super) fn validate(&self) -> Result<(), ParamError> {
        let (Self::Height(band) | Self::Slope(band)) = self;
        band.validate()
    }

    /// Whether it is measured in meters.
    pub(super) fn depends_on_scale(&self) -> bool {
        match self {
            Self::Height(_) => false,
            Self::Slope(_) => true,
        }
    }

    /// The distance in cells to which it reads around a cell.
    pub(super) fn reach(&self) -> usize {
        match self {
            Self::Height(_) => 0,
            Self::Slope(_) => 1,
        }
    }

    /// The mask for this map.
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
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, or `to` if it is below `from`.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        let (Some(from), Some(to)) = (self.from, self.to) else {
            return Ok(());
        };
        let allowed = format_args!("at least {from}");
        ParamError::check(from <= to, Self::OWNER, "to", to, allowed)
    }

    /// The weight of a value in the band, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
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
    fn band_is_one_inside_and_fades_out() {
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
    fn rejects_bounds_in_wrong_order() {
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
