//! How a recipe's layer is laid on the ones below it.

use serde::{Deserialize, Serialize};

use crate::{Cancelled, Heightmap, Progress, rows};

/// How two heights become one: `a` is the ground so far, `b` the layer, `w` its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Blend {
    /// `a + w b`.
    #[default]
    Add,
    /// `a (1 - w + w b)`: at weight 1 the product, at 0 the ground unchanged.
    Multiply,
    /// The higher of `a` and `w b`.
    Max,
    /// The lower of `a` and `1 - w + w b`: at weight 0 the ground unchanged.
    Min,
    /// `(1 - w) a + w b`.
    Mix,
}

impl Blend {
    /// Every way of blending, in the order in which a user would list them.
    pub const ALL: [Self; 5] = [Self::Add, Self::Multiply, Self::Max, Self::Min, Self::Mix];

    /// Lays `layer` on `ground`, cell by cell. Both maps have the same size.
    pub(crate) fn apply(
        self,
        ground: &mut Heightmap,
        layer: &Heightmap,
        weight: f64,
        mask: Option<&Heightmap>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        debug_assert_eq!(
            ground.size(),
            layer.size(),
            "layers share their recipe's size"
        );
        let w = weight as f32;
        let width = ground.width();
        rows::for_each_row(ground.heights_mut(), width, progress, |y, row| {
            for (x, (a, &b)) in row.iter_mut().zip(layer.row(y)).enumerate() {
                let w = mask.map_or(w, |mask| w * mask.get(x, y));
                *a = self.of(*a, b, w);
            }
        })
    }

    fn of(self, a: f32, b: f32, w: f32) -> f32 {
        match self {
            Self::Add => a + w * b,
            Self::Multiply => a * (1.0 - w + w * b),
            Self::Max => a.max(w * b),
            Self::Min => a.min(1.0 - w + w * b),
            Self::Mix => (1.0 - w) * a + w * b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapSize;

    fn blended(blend: Blend, weight: f64) -> Vec<f32> {
        let size = MapSize::new(2, 2).unwrap();
        let of = |heights: [f32; 4]| Heightmap::from_heights(size, heights.to_vec()).unwrap();
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
    }

    #[test]
    fn weight_zero_leaves_the_ground_alone() {
        for blend in Blend::ALL {
            assert_eq!(blended(blend, 0.0), [0.0, 0.5, 1.0, 0.25], "{blend:?}");
        }
    }
}
