//! Blending of two maps: a layer is applied to the map below it.
//!
//! ```text
//!   ground       a   ---+
//!   layer        b   ---+--- a + w b, a (1 - w + w b), ... ---> result
//!   weight       w   ---+
//!   mask 0..1    m   ---'       with a mask, w m replaces w (except in Max and Min)
//! ```
//!
//! Cost: one pass over the maps, row by row on every core, without additional memory.
//!
//! Source: folklore; the smooth maximum is Quilez's polynomial one (*Smooth minimum*, 2013).

use thiserror::Error;

use crate::{
    Canceled, Heightmap, MapSize, ParamError, Parameters, Progress, parameter::variants, rows,
};

variants! {
    /// How two heights are combined: `a` is the ground (the map so far), `b` the layer, `w` its weight.
    #[derive(Copy)]
    pub enum Blend: "blend" {
        /// `a + w b`.
        Add = "add";
        /// `a (1 - w + w b)`: the product at weight 1, the unchanged ground at weight 0.
        Multiply = "multiply";
        /// The higher of `a` and `w b`. A mask is not part of the weight here, but mixes the ground with the result:
        /// `(1 - m) a + m max(a, w b)`. So where the mask is 0, ground of any height is unchanged.
        Max = "max";
        /// The lower of `a` and `1 - w + w b`: the unchanged ground at weight 0, unless it is above 1. A mask is
        /// applied as for [`Max`](Self::Max).
        Min = "min";
        /// `(1 - w) a + w b`.
        Mix = "mix";
        /// `a - w b`.
        Subtract = "subtract";
        /// `(1 - w) a + w |a - b|`: at weight 1 the difference of the two.
        Difference = "difference";
        /// The higher of the two, rounded where they differ by less than this width. The formula is `(1 - w) a + w m`
        /// with `m = max(a, b) + h^2 / (4 width)` and `h = max(0, width - |a - b|)`. The result exceeds the higher of
        /// the two by at most a quarter of the width.
        SmoothMax[width: f64 = 0.1, in 0.0..=1000.0, slider 0.0..=1.0] = "smooth-max";
        /// The lower of the two, rounded where they differ by less than this width. The formula is that of
        /// [`SmoothMax`](Self::SmoothMax) with `m = min(a, b) - h^2 / (4 width)`.
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

/// Why two maps could not be blended.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BlendError {
    /// The size of a map differs from that of the ground.
    #[error(
        "the {what} has {}x{} cells, but must have {}x{} like the ground",
        found.width(), found.height(), ground.width(), ground.height()
    )]
    Size {
        /// `layer` or `mask`.
        what: &'static str,
        /// The size of that map.
        found: MapSize,
        /// The size of the ground.
        ground: MapSize,
    },
    /// A parameter is out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The work was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

impl Blend {
    /// Every blend mode, in the order for menus. Those with a width have a width of 0.1.
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

    /// Checks the width of the modes that have one.
    ///
    /// # Errors
    /// If it is out of range.
    pub fn validate(self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Checks that the weight of a layer is from 0 to 1.
    pub(crate) fn check_weight(weight: f64) -> Result<(), ParamError> {
        ParamError::check_range("blend", "weight", weight, 0.0, 1.0)
    }

    /// Blends `layer` onto `ground`, cell by cell, with a weight from 0 to 1.
    ///
    /// If there is a mask, the weight of a cell is multiplied by the mask, clamped to 0 to 1. [`Max`](Self::Max) and
    /// [`Min`](Self::Min) apply the mask last instead. In every mode, the ground is unchanged where the mask is 0.
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
    /// If the maps differ in size or a parameter is out of range; the ground is unchanged then. If the work is
    /// canceled, some rows have already changed.
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
        Ok(self.apply_validated(ground, layer, weight, mask, progress)?)
    }

    /// [`apply`](Self::apply) for maps of one size and valid parameters.
    pub(crate) fn apply_validated(
        self,
        ground: &mut Heightmap,
        layer: &Heightmap,
        weight: f64,
        mask: Option<&Heightmap>,
        progress: &Progress,
    ) -> Result<(), Canceled> {
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

/// `(1 - w) a + w b`, computed in `f64` so that the difference of two heights is finite.
fn mix(a: f32, b: f64, w: f32) -> f32 {
    let w = f64::from(w);
    ((1.0 - w) * f64::from(a) + w * b) as f32
}

/// The height by which a corner is rounded.
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
    fn blends_match_their_formulas() {
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
    fn weight_zero_keeps_the_ground() {
        for blend in Blend::ALL {
            assert_eq!(blended(blend, 0.0), [0.0, 0.5, 1.0, 0.25], "{blend:?}");
        }
    }

    #[test]
    fn mask_multiplies_the_weight() {
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
    fn mask_zero_keeps_the_ground() {
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
    fn max_and_min_apply_the_mask_last() {
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
    fn apply_rejects_wrong_sizes_and_parameters() {
        let (mut ground, layer) = (of([0.0; 4]), of([1.0; 4]));
        let progress = Progress::default();
        let small = Heightmap::flat(MapSize::new(3, 2).unwrap());
        let error = Blend::Add.apply(&mut ground, &small, 1.0, None, &progress);
        let words = "the layer has 3x2 cells, but must have 2x2 like the ground";
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
        assert_eq!(error, Err(Canceled.into()));
    }
}
