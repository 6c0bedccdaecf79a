//! Filtering a part of a map.
//!
//! Problem: a world is too large for the memory, so each part is filtered on its own. The result must be the same as if
//! the whole map had been filtered.
//!
//! Idea: most filters read only the neighborhood of a cell, and some need the range of all heights. If a part includes
//! a sufficient margin and the range was measured once, the part gets the same bits as the whole map. For other
//! filters, the influence of distant cells decreases with the distance, so a margin cuts it off. Erosion depends on the
//! large features of the whole world, which are taken from a coarse map (`erosion::guide`).
//!
//! | filter | what a part needs | accuracy |
//! |---|---|---|
//! | pointwise filters | nothing | exact bits |
//! | `Island`, `Shape`, `Edges`, `Mound`, `Dig` | its position in the world | exact bits |
//! | `Normalize`, `Stretch` | two heights of the whole map | exact bits |
//! | `Kernel`, `Smooth(Median)`, `Smooth(Conservative)` | a margin of the filter's radius | exact bits |
//! | `Smooth(Box)`, `Smooth(Gaussian)` and `Sharpen` up to sigma 5, `Warp`, `ThermalErosion` | a margin of the filter's reach, and the range | exact bits |
//! | wider `Smooth(Gaussian)`, `Sharpen` | a margin of 7 sigma, and the range | 0.000002 of the range |
//! | `HydraulicErosion`, `StreamPowerErosion`, `GlacialErosion` | a margin, the range and the coarse map | approximate |
//!
//! If a recipe contains a filter that is not exact, the ranges for the filters after it are estimated from its coarse
//! map, so their results are approximate too.

use crate::{MapSize, erosion::guide::Guide};

/// The maximum reach of a filter beyond a part, in cells. With a larger margin, most of the work would be cut off.
pub(super) const FURTHEST: usize = 1024;

/// Which part of a map the new height of a cell depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Locality {
    /// The cells within `reach`. If `range` is set, also the lowest and highest heights of the whole map, to which
    /// results are clamped.
    Exact { reach: usize, range: bool },
    /// The cell itself and its position on the whole map.
    Placed,
    /// The cell itself, and the two heights of the whole map that become 0 and 1.
    Stretched,
    /// Almost entirely the cells within `reach`, and the coarse map if `guided`.
    Near { reach: usize, guided: bool },
    /// The whole map, for this reason.
    Whole(&'static str),
}

impl Locality {
    /// Depends only on the cells within `reach`.
    pub(super) fn exact(reach: usize) -> Self {
        Self::Exact {
            reach,
            range: false,
        }
    }

    /// Depends on the cells within `reach` and the range of the whole map.
    pub(super) fn within(reach: usize) -> Self {
        match reach {
            0..=FURTHEST => Self::Exact { reach, range: true },
            _ => Self::Whole("it reaches further than 1024 cells"),
        }
    }

    /// Whether filtering a part gives the bits of the filtered whole map, provided that its input has the bits of the
    /// whole.
    pub(crate) fn is_exact(self) -> bool {
        match self {
            Self::Exact { .. } | Self::Placed | Self::Stretched => true,
            Self::Near { .. } | Self::Whole(_) => false,
        }
    }

    /// Whether the range of the whole map must be known.
    pub(crate) fn needs_range(self) -> bool {
        match self {
            Self::Exact { range, .. } => range,
            Self::Stretched | Self::Near { .. } => true,
            Self::Placed | Self::Whole(_) => false,
        }
    }
}

/// What is known about the whole map when a part of it is filtered.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The lowest and highest heights; for [`Locality::Stretched`] the heights that become 0 and 1.
    pub(crate) range: (f32, f32),
    /// The guide of a guided filter. `None` if the filter has nothing to do.
    pub(crate) guide: Option<&'a Guide>,
}

/// The longest side of a coarse map, in cells.
const COARSE_SIDE: usize = 1024;

/// The number of world cells along the side of a coarse cell: the smallest power of two for which no side of the coarse
/// map exceeds [`COARSE_SIDE`]. It is 1 for worlds up to that size.
pub(crate) fn ratio(world: MapSize) -> usize {
    let longer = world.width().max(world.height());
    longer.div_ceil(COARSE_SIDE).next_power_of_two()
}
