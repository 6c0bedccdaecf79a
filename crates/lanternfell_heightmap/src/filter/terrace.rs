//! Terraces: level treads and steep risers.
//!
//! Problem: rice terraces, mesas, layers of hard and soft rock.
//!
//! Idea: place treads at certain heights. Between two treads, pull each height towards the nearer
//! one.
//!
//! ```text
//!   sharpness 0            0.7                 1
//!          /              .--              ___
//!        /              .'                |
//!      /             --'               ___|
//!    /             .'                 |
//!  /             --               ____|
//! ```
//!
//! Steps: find the two treads around the height, and the fraction `t` of the way from the lower to
//! the upper one. Below the middle the new fraction is `b(2t) / 2`; above it the function is
//! point-symmetric. `b` is Schlick's bias, `b(t) = t / ((1/a - 2) (1 - t) + 1)` with `a = (1 -
//! sharpness) / 2`. It needs one division and no power function. Treads, middles and the order of
//! heights are preserved.
//!
//! The treads are spaced evenly from height 0 to 1, and continue beyond. With `equal_areas`, the
//! same fraction of the map's cells is between every two treads, from the lowest to the highest
//! cell (like *step* in THREE.Terrain).
//!
//! Source: Schlick, *Fast Alternatives to Perlin's Bias and Gain Functions*, Graphics Gems IV,
//! 1994.

use super::{apply::Apply, finite, levels, order, part::Locality};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress,
    Scale, parameter::parameters,
};

parameters! {
    /// Pulls the heights towards a number of levels.
    #[derive(Copy)]
    pub struct Terrace: "terrace" {
        /// The number of levels, including the lowest and the highest.
        pub levels: u32 = 8, in 2..=256, slider 2..=32;
        /// How level the treads and how steep the risers are: 0 does not change the map, 1 makes
        /// steps with vertical risers.
        pub sharpness: f64 = 0.8, in 0.0..=1.0;
        /// Whether the levels are spaced by area instead of by height, with the same number of
        /// cells between every two levels.
        pub equal_areas: bool = false;
    }
}

impl Terrace {
    fn apply_by_area(
        &self,
        map: &mut Heightmap,
        riser: Riser,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let (last, steps) = (map.size().cells() - 1, self.levels as usize - 1);
        let ranks: Vec<usize> = (0..=steps).map(|step| last * step / steps).collect();
        let treads = order::of_ranks(map, &ranks, &progress.span(0.0, 0.7))?;
        levels::each(map, &progress.span(0.7, 1.0), |z| {
            // Of several equal treads, use the last, which has the riser above it.
            let upper = treads.partition_point(|&tread| tread <= z);
            let Some(&high) = treads.get(upper) else {
                return z;
            };
            let (low, high) = (f64::from(treads[upper.max(1) - 1]), f64::from(high));
            let share = (f64::from(z) - low) / (high - low);
            finite(low + (high - low) * riser.at(share))
        })
    }
}

impl Apply for Terrace {
    fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    fn apply(
        &self,
        map: &mut Heightmap,
        _context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        if self.sharpness == 0.0 {
            return Ok(progress.step(1, 1)?);
        }
        let riser = Riser::new(self.sharpness);
        if self.equal_areas {
            return Ok(self.apply_by_area(map, riser, progress)?);
        }
        let steps = f64::from(self.levels - 1);
        Ok(levels::each(map, progress, |z| {
            let at = f64::from(z) * steps;
            let tread = at.floor();
            finite((tread + riser.at(at - tread)) / steps)
        })?)
    }

    fn locality(&self, _world: MapSize, _scale: Scale) -> Locality {
        if self.equal_areas {
            Locality::Whole("equal areas depend on the whole map")
        } else {
            Locality::exact(0)
        }
    }
}

/// The curve from one tread to the next. Both axes are from 0 to 1.
#[derive(Debug, Clone, Copy)]
struct Riser {
    /// `1/a - 2`; infinite if the riser is vertical.
    bend: f64,
}

impl Riser {
    fn new(sharpness: f64) -> Self {
        Self {
            bend: 2.0 / (1.0 - sharpness) - 2.0,
        }
    }

    fn at(self, t: f64) -> f64 {
        let upper = t >= 0.5;
        let near = 2.0 * if upper { 1.0 - t } else { t };
        // Exactly in the middle, 0 times infinity would be NaN.
        let half = if near < 1.0 {
            0.5 * near / (self.bend * (1.0 - near) + 1.0)
        } else {
            0.5
        };
        if upper { 1.0 - half } else { half }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn riser_is_monotonic_and_keeps_middle_and_ends() {
        for sharpness in [0.0, 0.3, 0.9, 0.999, 1.0] {
            let riser = Riser::new(sharpness);
            assert_eq!([0.0, 1.0].map(|t| riser.at(t)), [0.0, 1.0], "{sharpness}");
            assert_eq!(riser.at(0.5), 0.5, "{sharpness}");
            let shares: Vec<f64> = (0..=1000).map(|t| riser.at(f64::from(t) / 1e3)).collect();
            assert!(shares.is_sorted(), "{sharpness}");
        }
        assert!((0..500).all(|t| Riser::new(1.0).at(f64::from(t) / 1e3) == 0.0));
        assert!(
            (0..=10).all(
                |t| (Riser::new(0.0).at(f64::from(t) / 1e1) - f64::from(t) / 1e1).abs() < 1e-15
            )
        );
    }
}
