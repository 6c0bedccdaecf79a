//! The material balance of erosion by water.

use crate::{MapFrame, MapSize};

/// How much material hydraulic erosion took, deposited, and carried out of the map.
///
/// Amounts are heights summed over all cells: lowering one cell by 0.1 takes 0.1. Material that is eroded, deposited and
/// eroded again counts twice.
///
/// `eroded` equals `deposited + exported` with a relative error of at most 1e-9. The sum of the heights decreases by
/// `exported`, except for rounding of at most 1e-6 times the sum of the absolute heights.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SedimentBudget {
    /// The amount that was eroded.
    pub eroded: f64,
    /// The amount that was deposited.
    pub deposited: f64,
    /// The amount that left the map over its border.
    pub exported: f64,
}

impl SedimentBudget {
    /// Converts the amounts of a map of this size in this frame to cubic meters.
    #[must_use]
    pub fn in_cubic_meters(self, frame: &MapFrame, size: MapSize) -> Self {
        let [east, south] = frame.place.spacing(size.height());
        self.times(frame.elevation.relief.abs() * east * south)
    }

    /// Converts to another unit. `factor` is the size of the current unit in the new one.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            eroded: self.eroded * factor,
            deposited: self.deposited * factor,
            exported: self.exported * factor,
        }
    }

    /// Adds the amounts of another budget.
    pub(crate) fn add(&mut self, other: Self) {
        self.eroded += other.eroded;
        self.deposited += other.deposited;
        self.exported += other.exported;
    }
}
