//! How two maps become one: a recipe's layer laid on the ones below it.
//!
//! ```text
//!   ground       a   ---+
//!   layer        b   ---+--- a + w b, a (1 - w + w b), ... ---> ground
//!   weight       w   ---+
//!   mask 0..1    m   ---'       where there is a mask: w m for w (but Max and Min)
//! ```
//!
//! Cost: one pass over the maps, row by row on every core, and no memory.
//!
//! Source: folklore; the smooth maximum is Quilez's polynomial one (*Smooth minimum*,
//! 2013).

use thiserror::Error;

use crate::{
    Cancelled, Heightmap, MapSize, ParamError, Parameters, Progress, parameter::variants, rows,
};

variants! {
    /// How two heights become one: `a` is the ground so far, `b` the layer, `w` its weight.
    #[derive(Copy)]
    pub enum Blend: "blend" {
        /// `a + w b`.
        Add = "add";
        /// `a (1 - w + w b)`: at weight 1 the product, at 0 the ground unchanged.
        Multiply = "multiply";
        /// The higher of `a` and `w b`. Unlike elsewhere a mask is no part of the weight: it
        /// mixes the ground with that, `(1 - m) a + m max(a, w b)`, so that where it is 0 the
        /// ground is unchanged whatever its heights.
        Max = "max";
        /// The lower of `a` and `1 - w + w b`: at weight 0 the ground unchanged, unless it is
        /// above 1. A mask mixes as for [`Max`](Self::Max).
        Min = "min";
        /// `(1 - w) a + w b`.
        Mix = "mix";
        /// `a - w b`.
        Subtract = "subtract";
        /// `(1 - w) a + w |a - b|`: at weight 1 how far the two are apart.
        Difference = "difference";
        /// The higher of the two, rounded where they are nearer than this width.
        /// `(1 - w) a + w m` with `m = max(a, b) + h^2 / (4 width)` and
        /// `h = max(0, width - |a - b|)`: at most a quarter of the width above both.
        SmoothMax[width: f64 = 0.1, in 0.0..=1000.0, slider 0.0..=1.0] = "smooth-max";
        /// The lower of the two, rounded where they are nearer than this width. The same with
        /// `m = min(a, b) - h^2 / (4 width)`.
        SmoothMin[width: f64 = 0.1, in 0.0..=1000.0, slider 0.0..=1.0] = "smooth-min";
    }
}

#[expect(
    clippy::derivable_impls,
    reason = "the declaration of variants derives no default"
)]
impl Default for Blend {
    fn default() -> Self {
        Self::Add
    }
}

/// Why two maps were not blended.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BlendError {
    /// A map has another size than the ground.
    #[error(
        "the {what} has {}x{} cells, but the ground has {}x{}",
        found.width(), found.height(), ground.width(), ground.height()
    )]
    Size {
        /// `layer` or `mask`.
        what: &'static str,
        /// Its size.
        found: MapSize,
        /// The ground's size.
        ground: MapSize,
    },
    /// A parameter is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Blend {
    /// Every way of blending, in the order in which a user would list them; those with a
    /// width at a width of 0.1.
    pub const ALL: [Self; 9] = [
        Self::Add,
        Self::Multiply,
        Self::Max,
        Self::Min,
        Self::Mix,
        Self::Subtract,
        Self::Difference,
        Self::SmoothMax(0.1),
        Self::SmoothMin(0.1),
    ];

    /// Checks the width of those that have one.
    ///
    /// # Errors
    /// When it is out of its range.
    /// Checks the width of those that have one.
    ///
    /// # Errors
    /// When it is out of its range.
    pub fn validate(self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Checks a layer's weight, which is from 0 to 1.
    pub(crate) fn check_weight(weight: f64) -> Result<(), ParamError> {
        ParamError::check_range("blend", "weight", weight, 0.0, 1.0)
    }

    /// Lays `layer` on `ground`, cell by cell, with a weight from 0 to 1; where there is a
    /// mask, a cell's weight is that times the mask, which counts as 0 below 0 and as 1
    /// above 1. For [`Max`](Self::Max) and [`Min`](Self::Min) the mask comes last, as they
    /// say. Where it is 0 the ground is as it was.
    ///
    /// ```
    /// use lanternfell_heightmap::{Blend, Heightmap, MapSize, Progress};
    ///
    /// let size = MapSize::new(2, 2)?;
    /// let of = |heights: [f32; 4]| Heightmap::from_heights(size, heights.to_vec()).unwrap();
    /// let (mut ground, layer) = (of([0.25; 4]), of([0.5; 4]));
    /// let mask = of([0.0, 0.5, 1.0, 1.0]);
    /// Blend::Add.apply(&mut ground, &layer, 1.0, Some(&mask), &Progress::default())?;
    /// assert_eq!(ground.heights(), [0.25, 0.5, 0.75, 0.75]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the maps differ in size or a parameter is out of its range, and the ground is
    /// as it was; or when the work was cancelled, and some rows are changed.
    pub fn apply(
        self,
        ground: &mut Heightmap,
        layer: &Heightmap,
        weight: f64,
        mask: Option<&Heightmap>,
        progress: &Progress,
    ) -> Result<(), BlendError> {
        self.validate()?;
        Self::check_weight(weight)?;
        let others = [("layer", Some(layer)), ("mask", mask)];
        for (what, other) in others {
            let found = other.map_or(ground.size(), Heightmap::size);
            if found != ground.size() {
                let ground = ground.size();
                return Err(BlendError::Size {
                    what,
                    found,
                    ground,
                });
            }
        }
        Ok(self.lay(ground, layer, weight, mask, progress)?)
    }

    /// [`apply`](Self::apply) to maps of one size, with valid parameters.
    pub(crate) fn lay(
        self,
        ground: &mut Heightmap,
        layer: &Heightmap,
        weight: f64,
        mask: Option<&Heightmap>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        debug_assert_eq!(ground.size(), layer.size(), "the caller has checked it");
        let w = weight as f32;
        let width = ground.width();
        rows::for_each_row(ground.heights_mut(), width, progress, |y, row| {
            let layer = row.iter_mut().zip(layer.row(y));
            match mask {
                None => layer.for_each(|(a, &b)| *a = self.of(*a, b, w)),
                Some(mask) if matches!(self, Self::Max | Self::Min) => {
                    layer.zip(mask.row(y)).for_each(|((a, &b), &m)| {
                        *a = mix(*a, self.of(*a, b, w).into(), m.clamp(0.0, 1.0));
                    });
                }
                Some(mask) => layer
                    .zip(mask.row(y))
                    .for_each(|((a, &b), &m)| *a = self.of(*a, b, w * m.clamp(0.0, 1.0))),
            }
        })
    }

    #[inline(always)]
    fn of(self, a: f32, b: f32, w: f32) -> f32 {
        let z = match self {
            Self::Add => a + w * b,
            Self::Multiply => a * (1.0 - w + w * b),
            Self::Max => a.max(w * b),
            Self::Min => a.min(1.0 - w + w * b),
            Self::Mix => (1.0 - w) * a + w * b,
            Self::Subtract => a - w * b,
            Self::Difference => mix(a, (f64::from(a) - f64::from(b)).abs(), w),
            Self::SmoothMax(width) => mix(a, f64::from(a.max(b)) + rounding(a, b, width), w),
            Self::SmoothMin(width) => mix(a, f64::from(a.min(b)) - rounding(a, b, width), w),
        };
        z.clamp(f32::MIN, f32::MAX)
    }
}

/// `(1 - w) a + w b`, in `f64`, where the distance of two heights is finite.
fn mix(a: f32, b: f64, w: f32) -> f32 {
    let w = f64::from(w);
    ((1.0 - w) * f64::from(a) + w * b) as f32
}

/// By how much a corner is rounded.
fn rounding(a: f32, b: f32, width: f64) -> f64 {
    let near = width - (f64::from(a) - f64::from(b)).abs();
    if near > 0.0 {
        0.25 * near * near / width
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(heights: [f32; 4]) -> Heightmap {
        Heightmap::from_heights(MapSize::new(2, 2).unwrap(), heights.to_vec()).unwrap()
    }

    fn blended(blend: Blend, weight: f64) -> Vec<f32> {
        let mut ground = of([0.0, 0.5, 1.0, 0.25]);
        let layer = of([1.0, 0.5, 0.0, 0.5]);
        let progress = Progress::default();
        blend
            .apply(&mut ground, &layer, weight, None, &progress)
            .unwrap();
        assert_eq!(progress.fraction(), 1.0);
        ground.into_heights()
    }

    #[test]
    fn each_blend_follows_its_formula() {
        assert_eq!(blended(Blend::Add, 0.5), [0.5, 0.75, 1.0, 0.5]);
        assert_eq!(blended(Blend::Multiply, 1.0), [0.0, 0.25, 0.0, 0.125]);
        assert_eq!(blended(Blend::Max, 1.0), [1.0, 0.5, 1.0, 0.5]);
        assert_eq!(blended(Blend::Min, 1.0), [0.0, 0.5, 0.0, 0.25]);
        assert_eq!(blended(Blend::Mix, 0.5), [0.5, 0.5, 0.5, 0.375]);
        assert_eq!(blended(Blend::Subtract, 0.5), [-0.5, 0.25, 1.0, 0.0]);
        assert_eq!(blended(Blend::Difference, 1.0), [1.0, 0.0, 1.0, 0.25]);
        assert_eq!(
            blended(Blend::SmoothMax(0.5), 1.0),
            [1.0, 0.625, 1.0, 0.53125]
        );
        assert_eq!(
            blended(Blend::SmoothMin(0.5), 1.0),
            [0.0, 0.375, 0.0, 0.21875]
        );
        assert_eq!(
            blended(Blend::SmoothMax(0.0), 1.0),
            blended(Blend::Max, 1.0)
        );
    }

    #[test]
    fn weight_zero_leaves_the_ground_alone() {
        for blend in Blend::ALL {
            assert_eq!(blended(blend, 0.0), [0.0, 0.5, 1.0, 0.25], "{blend:?}");
        }
    }

    #[test]
    fn a_mask_is_a_weight_of_each_cell() {
        let layer = of([1.0, 0.5, 0.0, 0.5]);
        for blend in Blend::ALL {
            let mut ground = of([0.0, 0.5, 1.0, 0.25]);
            let mask = of([0.0, 0.5, 1.0, 7.0]);
            blend
                .apply(&mut ground, &layer, 0.5, Some(&mask), &Progress::default())
                .unwrap();
            let [none, half] = [0.25, 0.5].map(|weight| blended(blend, weight));
            let expected = [0.0, none[1], half[2], half[3]];
            assert_eq!(ground.heights(), expected, "{blend:?}");
        }
    }

    #[test]
    fn where_the_mask_is_0_any_ground_stays() {
        let heights = [-0.5, 0.25, 1.5, 2.0];
        for blend in Blend::ALL {
            let mut ground = of(heights);
            let mask = of([0.0, -1.0, 0.0, 0.0]);
            let layer = of([1.0, 0.5, 0.0, 0.5]);
            blend
                .apply(&mut ground, &layer, 0.5, Some(&mask), &Progress::default())
                .unwrap();
            assert_eq!(ground.heights(), heights, "{blend:?}");
        }
    }

    #[test]
    fn the_higher_and_the_lower_are_mixed_by_the_mask() {
        let masked = |blend: Blend, weight| {
            let mut ground = of([-0.5, 0.25, 1.5, 2.0]);
            let (layer, mask) = (of([1.0, 0.5, 2.0, 0.0]), of([0.5, 1.0, 0.25, 0.5]));
            blend
                .apply(
                    &mut ground,
                    &layer,
                    weight,
                    Some(&mask),
                    &Progress::default(),
                )
                .unwrap();
            ground.into_heights()
        };
        assert_eq!(masked(Blend::Max, 1.0), [0.25, 0.5, 1.625, 2.0]);
        assert_eq!(masked(Blend::Min, 0.5), [-0.5, 0.25, 1.5, 1.25]);
    }

    #[test]
    fn heights_stay_finite() {
        for blend in Blend::ALL {
            for weight in [0.0, 0.3, 1.0] {
                let mut ground = of([f32::MAX, f32::MIN, f32::MAX, f32::MIN]);
                let layer = of([f32::MAX, f32::MIN, f32::MIN, f32::MAX]);
                blend
                    .apply(&mut ground, &layer, weight, None, &Progress::default())
                    .unwrap();
                assert!(ground.heights().iter().all(|z| z.is_finite()), "{blend:?}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (mut ground, layer) = (of([0.0; 4]), of([1.0; 4]));
        let progress = Progress::default();
        let small = Heightmap::flat(MapSize::new(3, 2).unwrap());
        let error = Blend::Add.apply(&mut ground, &small, 1.0, None, &progress);
        let words = "the layer has 3x2 cells, but the ground has 2x2";
        assert_eq!(error.unwrap_err().to_string(), words);
        let error = Blend::Add.apply(&mut ground, &layer, 1.0, Some(&small), &progress);
        assert!(
            error
                .unwrap_err()
                .to_string()
                .starts_with("the mask has 3x2")
        );
        for weight in [-0.1, 1.1, f64::NAN] {
            let error = Blend::Add.apply(&mut ground, &layer, weight, None, &progress);
            assert!(
                matches!(error, Err(BlendError::Param(_))),
                "{weight}: {error:?}"
            );
        }
        for width in [-0.1, f64::NAN, f64::INFINITY] {
            let error = Blend::SmoothMax(width).apply(&mut ground, &layer, 1.0, None, &progress);
            assert!(error.unwrap_err().to_string().contains("width"));
        }
        assert_eq!(ground, of([0.0; 4]));
        progress.cancel();
        let error = Blend::Add.apply(&mut ground, &layer, 1.0, None, &progress);
        assert_eq!(error, Err(Cancelled.into()));
    }
}
