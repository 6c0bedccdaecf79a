//! What the settled solver knows of one cell.

use glam::Vec4;

use super::ground::Ground;

/// The steps to a cell's neighbors, in the order of [`Node::neighbors`]: west, east, north, south,
/// and the corners in the order of [`CORNERS`](crate::neighborhood::CORNERS).
pub(super) const STEPS: [(isize, isize); 8] = [
    (-1, 0),
    (1, 0),
    (0, -1),
    (0, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 1),
];

/// By how the phase of each of these neighbors differs from the cell's.
pub(super) const PHASE_STEPS: [usize; 8] = [1, 1, 2, 2, 3, 3, 3, 3];

/// The place of a node that is dark, for neighbors that there are not; and its block.
pub(super) const NOBODY: u32 = 0;

/// A cell that passes light on. One line of a processor's cache.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Node {
    pub(super) gain: Vec4,
    /// The neighbors' places among the nodes of their phases.
    pub(super) neighbors: [u32; 8],
    /// The cell's index in planes.
    pub(super) index: u32,
    /// The last call in which it moved.
    pub(super) moved: u32,
    /// Its place among the [`Special`]s; [`PLAIN`] if it is none of them.
    pub(super) special: u32,
}

/// Of cells that are open, with no source, no ambient light and no corner that is cut in some
/// colors only.
pub(super) const PLAIN: u32 = 0;

/// What cells have that are not as nearly all are.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Special {
    /// The light. (Of others it is what they pass on.)
    pub(super) light: Vec4,
    pub(super) transparency: Vec4,
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
    pub(super) fn find(ground: &Ground<'_>, index: usize, (x, y): (usize, usize)) -> Option<Self> {
        let mut special = Self {
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
            && special.corners_are_alike(ground);
        (!is_plain).then_some(special)
    }

    fn is_clear(&self, ground: &Ground<'_>) -> bool {
        (0..ground.channels.len()).all(|color| self.transparency[color] == 1.0)
    }

    /// Whether each corner is open in all colors, or cut in all.
    fn corners_are_alike(&self, ground: &Ground<'_>) -> bool {
        let colors = 1..ground.channels.len();
        let alike = |weights: &Vec4| colors.clone().all(|color| weights[color] == weights[0]);
        self.corners.iter().all(alike)
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
