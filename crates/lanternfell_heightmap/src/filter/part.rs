//! Filters on a part of a map.
//!
//! Problem: a world that no memory holds, whose parts are changed alone, as if the rest were there.
//!
//! Idea: most filters look at a cell's surroundings, and some at the range of all heights; with so
//! much around the part, and that range found out once, a part gets the bits of the whole. Others
//! are decided by ever less of what is ever further away, which a margin cuts off; and erosion by
//! what the whole world is like in the large, which a coarse map knows (`erosion::guide`).
//!
//! | filter | what a part needs | is the whole's |
//! |---|---|---|
//! | pointwise ones | nothing | to the bit |
//! | `Island`, `Shape`, `Edges`, `Mound`, `Dig` | their place on the whole | to the bit |
//! | `Normalize`, `Stretch` | two heights of the whole | to the bit |
//! | `Kernel`, `Smooth(Median)`, `Smooth(Conservative)` | their radius | to the bit |
//! | `Smooth(Box)`, `Smooth(Gaussian)` and `Sharpen` up to sigma 5, `Warp`, `ThermalErosion` | their reach and the range | to the bit |
//! | wider `Smooth(Gaussian)`, `Sharpen` | 7 sigma and the range | to 0.000002 of the range |
//! | `HydraulicErosion`, `StreamPowerErosion`, `GlacialErosion` | a margin, the range and the coarse map | nearly |
//!
//! Where one of a recipe's filters is none of the whole's to the bit, the ranges of those behind it
//! are found by its coarse map, and they are nearly the whole's too.

use crate::{MapSize, erosion::guide::Guide};

/// The furthest that a filter may look beyond a part, in cells: beyond it nearly all of the work would
/// be for what is cut off.
pub(super) const FURTHEST: usize = 1024;

/// How much of a map decides a cell's new height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Locality {
    /// The cells so far around and, if `range`, the lowest and highest heights of the whole map, to which results
    /// are clamped.
    Exact { reach: usize, range: bool },
    /// The cell itself, and where it is on the whole map.
    Placed,
    /// The cell itself, and the two heights of the whole map that become 0 and 1.
    Stretched,
    /// Nearly all of it the cells so far around, and what the coarse map knows if it is `guided`.
    Near { reach: usize, guided: bool },
    /// All of it, for this reason.
    Whole(&'static str),
}

impl Locality {
    /// The cells so far around alone.
    pub(super) fn exact(reach: usize) -> Self {
        Self::Exact {
            reach,
            range: false,
        }
    }

    /// The cells so far around, and the range of the whole map.
    pub(super) fn within(reach: usize) -> Self {
        match reach {
            0..=FURTHEST => Self::Exact { reach, range: true },
            _ => Self::Whole("it looks further than 1024 cells"),
        }
    }

    /// Whether a part gets the bits of the whole if what it is made from has them.
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

/// What is known of the whole map that a part is one of.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Its lowest and highest heights; for [`Locality::Stretched`] those that become 0 and 1.
    pub(crate) range: (f32, f32),
    /// For filters that are guided, unless they have nothing to do.
    pub(crate) guide: Option<&'a Guide>,
}

/// The longest side of a coarse map.
const COARSE_SIDE: usize = 1024;

/// How many cells of a world are along one of its coarse map: the least power of two at which that
/// has no more than [`COARSE_SIDE`] along any side; 1 if the world is no larger.
pub(crate) fn ratio(world: MapSize) -> usize {
    let longer = world.width().max(world.height());
    longer.div_ceil(COARSE_SIDE).next_power_of_two()
}
