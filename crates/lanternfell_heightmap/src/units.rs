//! Fixed-point coordinates of fault lines and hills, in units of 1/256 of a cell.
//!
//! Integer coordinates make sums and side tests exact. So the fast evaluation of lines and hills equals the direct sum
//! bit for bit, and neither the order of additions nor the number of threads changes a height. 256 units per cell are
//! finer than any difference that is visible in a map.

/// The number of units in one cell.
pub(crate) const CELL: i32 = 256;

/// Converts cells to units, rounded to the nearest. The caller must have checked the range.
pub(crate) fn from_cells(cells: f64) -> i32 {
    (cells * f64::from(CELL)).round() as i32
}

/// Converts units to cells. The result is exact.
pub(crate) fn to_cells(units: i32) -> f64 {
    f64::from(units) / f64::from(CELL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_round_trip_to_units() {
        for units in [-8_388_608, -641, -1, 0, 3, 255, 256, 8_388_608] {
            assert_eq!(from_cells(to_cells(units)), units);
        }
        assert_eq!((from_cells(0.5 / 256.0), from_cells(0.4 / 256.0)), (1, 0));
    }
}
