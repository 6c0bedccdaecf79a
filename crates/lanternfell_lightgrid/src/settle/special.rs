//! The cells that are not as nearly all are.

use glam::Vec4;

use super::ground::Ground;

/// A cell with a source, with ambient light, that passes a part of the light, or one corner of which
/// is cut.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Special {
    /// Its place among the cells of its phase.
    pub(super) place: u32,
    /// The light. (Of others it is what they pass on.)
    pub(super) light: Vec4,
    pub(super) transparency: Vec4,
    pub(super) gain: Vec4,
    /// The light that it has at least.
    floor: Vec4,
    held: Vec4,
    dark: Vec4,
    /// 1 in the colors in which a source is here, which must not be gone past.
    pub(super) constrained: Vec4,
    /// 1 for each corner, and 0 in the colors in which it is cut.
    pub(super) corners: [Vec4; 4],
}

impl Special {
    /// Of the cell at `(x, y)`; none if it is as nearly all are.
    pub(super) fn find(ground: &Ground<'_>, (x, y): (usize, usize), place: usize) -> Option<Self> {
        let index = ground.index(x, y);
        let mut special = Self {
            place: place as u32,
            gain: ground.gain(index),
            light: ground.light(index),
            transparency: ground.transparency(index),
            floor: ground.floor(x, y),
            held: Vec4::ZERO,
            dark: Vec4::ZERO,
            constrained: Vec4::ZERO,
            corners: ground.corners(x, y),
        };
        let constraints = ground.constraints(x, y);
        for (color, constraint) in constraints.into_iter().enumerate() {
            if let Some(constraint) = constraint {
                special.held[color] = constraint.held;
                special.dark[color] = constraint.dark;
                special.constrained[color] = 1.0;
            }
        }
        let is_plain = special.floor == Vec4::ZERO
            && special.constrained == Vec4::ZERO
            && special.is_clear(ground)
            && special.corners_are_whole(ground);
        (!is_plain).then_some(special)
    }

    fn is_clear(&self, ground: &Ground<'_>) -> bool {
        (0..ground.channels.len()).all(|color| self.transparency[color] == 1.0)
    }

    fn corners_are_whole(&self, ground: &Ground<'_>) -> bool {
        let colors = 0..ground.channels.len();
        let is_whole = |weights: &Vec4| colors.clone().all(|color| weights[color] == 1.0);
        self.corners.iter().all(is_whole)
    }

    /// What is asked of the cell, by its average: at least its ambient light, and what its source
    /// makes of that.
    #[inline(always)]
    pub(super) fn bounded(&self, average: Vec4, ceiling: Vec4) -> Vec4 {
        let wanted = self.limit(average, ceiling);
        (wanted.max(self.held) - self.dark).max(Vec4::ZERO)
    }

    #[inline(always)]
    pub(super) fn limit(&self, light: Vec4, ceiling: Vec4) -> Vec4 {
        light.max(self.floor).min(ceiling)
    }
}
