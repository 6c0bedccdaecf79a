//! Cells that need special treatment in a sweep.

use super::ground::Ground;
use crate::{channel::limit, source::SourceConstraint};

/// A cell with a source or ambient light, a cell that passes only a part of the light on, or a cell
/// with a diagonal step that is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Special {
    /// Its index among the cells of its phase.
    pub(super) place: u32,
    /// The light. For plain cells only the light that they pass on is stored.
    pub(super) light: f32,
    pub(super) transparency: f32,
    pub(super) gain: f32,
    /// The ambient light of the cell.
    floor: f32,
    pub(super) constraint: Option<SourceConstraint>,
    /// 1 for each corner, or 0 if the diagonal step is left out.
    pub(super) corners: [f32; 4],
}

impl Special {
    /// The special cell at `(x, y)`, or `None` if the cell is plain.
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

    /// The light that is demanded of the cell, given its average: at least the ambient light, with
    /// the constraint of sources applied to that.
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
