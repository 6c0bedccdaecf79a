//! What became of the ground that water took.

use crate::{MapFrame, MapSize};

/// Where the ground went that an erosion by water took: all of it was put down again or
/// carried out of the map.
///
/// In heights, summed over all cells: a cell that sinks by 0.1 gives 0.1. Ground that is
/// taken, put down and taken again counts twice. `taken` is `deposited + carried_out` to a billionth,
/// and the heights' sum sinks by `carried_out` to a millionth of what the heights are in sum, each
/// counted as above 0: so much is lost in rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SedimentBudget {
    /// What was taken up.
    pub taken: f64,
    /// What was put down.
    pub deposited: f64,
    /// What left the map over its border.
    pub carried_out: f64,
}

impl SedimentBudget {
    /// Cubic metres, of what is summed in heights of a map in that frame.
    pub fn in_cubic_metres(self, frame: &MapFrame, size: MapSize) -> Self {
        let [east, south] = frame.place.spacing(size.height());
        self.times(frame.elevation.relief.abs() * east * south)
    }

    /// The same in another unit, of which so many are one of this.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            taken: self.taken * factor,
            deposited: self.deposited * factor,
            carried_out: self.carried_out * factor,
        }
    }

    /// Counts in what another did.
    pub(crate) fn add(&mut self, other: Self) {
        self.taken += other.taken;
        self.deposited += other.deposited;
        self.carried_out += other.carried_out;
    }
}
