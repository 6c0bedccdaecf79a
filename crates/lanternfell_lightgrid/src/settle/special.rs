//! The cells that are not as nearly all are.

use super::ground::Ground;
use crate::{channel::limit, source::SourceConstraint};

/// A cell with a source, with ambient light, that passes a part of the light, or one corner of which
/// is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Special {
    /// Its place among the cells of its phase.
    pub(super) place: u32,
    /// The light. (Of others it is what they pass on.)
    pub(super) light: f32,
    pub(super) transparency: f32,
    pub(super) gain: f32,
    /// The light that it has at least.
    floor: f32,
    pub(super) constraint: Option<SourceConstraint>,
    /// 1 for each corner, and 0 where it is cut.
    pub(super) corners: [f32; 4],
}

impl Special {
    /// Of the cell at `(x, y)`; none if it is as nearly all are.
    pub(super) fn find(ground: Ground<'_>, (x, y): (usize, usize), place: usize) -> Option<Self> {
        let special = Self {
            place: place as u32,
            gain: ground.gain().get(x, y),
            light: ground.light().get(x, y),
            transparency: ground.transparency().get(x, y),
            floor: ground.floor(x, y),
            constraint: ground.constraint(x, y),
            corners: ground.corners(x, y),
        };
        let is_plain = special.floor == 0.0
            && special.constraint.is_none()
            && special.transparency == 1.0
            && special.corners == [1.0; 4];
        (!is_plain).then_some(special)
    }

    /// What is asked of the cell, by its average: at least its ambient light, and what its source
    /// makes of that.
    #[inline(always)]
    pub(super) fn bounded(&self, average: f32, ceiling: f32) -> f32 {
        let wanted = self.limit(average, ceiling);
        self.constraint
            .map_or(wanted, |constraint| constraint.apply(wanted))
    }

    #[inline(always)]
    pub(super) fn limit(&self, light: f32, ceiling: f32) -> f32 {
        limit(light, self.floor, ceiling)
    }
}
