//! An image of heights that stays movable.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use super::{ModifierError, Placement, area::Bounds, check};
use crate::{base::rounded, image::StampImage};

/// How a stamp combines with the terrain below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
pub enum StampBlend {
    /// Adds the heights of the image.
    #[default]
    Add,
    /// Raises the terrain to the heights of the image above the position of the stamp.
    Max,
    /// Lowers the terrain to the heights of the image above the position of the stamp.
    Min,
    /// Sets the heights of the image above the position of the stamp.
    Replace,
}

/// An image, which is stretched over a rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct StampModifier {
    /// Its center, and the direction of the rows of the image.
    pub placement: Placement,
    /// The length of a row and of a column of the image in meters, each from 0.001 to 10,000.
    pub size: [f32; 2],
    /// The heights.
    pub image: StampImage,
    /// A factor for the heights, from -1000 to 1000.
    pub scale: f32,
    /// How it combines with the terrain.
    pub blend: StampBlend,
    /// The share of the way from the border to the center over which the effect fades in, from 0 to 1.
    pub fade: f32,
}

impl StampModifier {
    pub(super) fn validate(&self) -> Result<(), ModifierError> {
        self.placement.validate()?;
        for side in self.size {
            check("size", side, 0.001, 10_000.0)?;
        }
        check(
            "width of the image",
            self.image.width(),
            1,
            StampImage::MAX_SIDE,
        )?;
        check("scale of the heights", self.scale, -1000.0, 1000.0)?;
        check("fade", self.fade, 0.0, 1.0)
    }

    pub(super) fn bounds(&self) -> Bounds {
        let half = self.size.map(|side| f64::from(side) / 2.0);
        self.placement.bounds(half)
    }

    pub(super) fn height(&self, at: [f64; 2], ground: i32) -> i32 {
        let along = self.placement.local(at);
        // From -1 to 1 within the image.
        let share = [0, 1].map(|axis| 2.0 * along[axis] / f64::from(self.size[axis]));
        if share.iter().any(|share| share.abs() > 1.0) {
            return ground;
        }
        let sample = self
            .image
            .sample(share.map(|share| ((share + 1.0) * 32_768.0) as i64));
        let mm = sample as f64 / 65_536.0 * f64::from(self.scale);
        let [x, z] = share.map(|share| self.faded(1.0 - share.abs()));
        let (effect, before) = (x * z, f64::from(ground));
        let level = mm + self.placement.mm();
        let target = match self.blend {
            StampBlend::Add => before + mm,
            StampBlend::Max => before.max(level),
            StampBlend::Min => before.min(level),
            StampBlend::Replace => level,
        };
        rounded(before + (target - before) * effect)
    }

    /// The effect at a share of the way from the border to the center: smoothstep.
    fn faded(&self, inward: f64) -> f64 {
        let fade = f64::from(self.fade);
        match inward < fade {
            true => {
                let share = inward / fade;
                share * share * (3.0 - 2.0 * share)
            }
            false => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(blend: StampBlend) -> StampModifier {
        StampModifier {
            placement: Placement {
                at: [0.0, 2.0, 0.0],
                direction: [1.0, 0.0],
            },
            size: [10.0, 10.0],
            image: StampImage::new(2, [1000, 3000, 1000, 3000]).unwrap(),
            scale: 1.0,
            blend,
            fade: 0.0,
        }
    }

    #[test]
    fn blends_add_or_set_heights() {
        let heights = |blend| [100, 5000].map(|ground| stamp(blend).height([-5.0, 0.0], ground));
        assert_eq!(heights(StampBlend::Add), [1100, 6000]);
        assert_eq!(heights(StampBlend::Max), [3000, 5000]);
        assert_eq!(heights(StampBlend::Min), [100, 3000]);
        assert_eq!(heights(StampBlend::Replace), [3000, 3000]);
        assert_eq!(stamp(StampBlend::Add).height([0.0, 3.0], 0), 2000);
        assert_eq!(stamp(StampBlend::Add).height([0.0, 5.1], 0), 0);
    }

    #[test]
    fn rotation_moves_the_image() {
        let mut stamp = stamp(StampBlend::Add);
        // Rows run along -z.
        stamp.placement.direction = [0.0, -1.0];
        assert_eq!(stamp.height([0.0, 5.0], 0), 1000);
        assert_eq!(stamp.height([0.0, -5.0], 0), 3000);
    }

    #[test]
    fn fades_to_the_terrain_at_the_border() {
        let stamp = StampModifier {
            fade: 1.0,
            ..stamp(StampBlend::Replace)
        };
        assert_eq!(stamp.height([-5.0, 0.0], 777), 777);
        assert_eq!(stamp.height([0.0, 0.0], 777), 4000);
    }
}
