//! Positions in meters and cells of the map.

use super::{ModifierError, check};
use crate::cells::CellRect;

/// A map in a terrain's local space: its center is at 0, and its cells are at equal distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapGrid {
    /// The number of columns.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
    /// The distance between two cells in meters.
    pub spacing: f32,
}

impl MapGrid {
    /// The corner with the cell (0, 0).
    fn corner(self) -> [f64; 2] {
        [self.columns, self.rows]
            .map(|cells| f64::from(cells.saturating_sub(1)) / -2.0 * f64::from(self.spacing))
    }

    /// Whether there are cells.
    pub(super) fn is_valid(self) -> bool {
        self.columns > 0 && self.rows > 0 && self.spacing.is_finite() && self.spacing > 0.0
    }

    /// The rectangle between the outermost cells.
    pub(super) fn bounds(self) -> Bounds {
        let min = self.corner();
        let max = min.map(|side| -side);
        Bounds { min, max }
    }

    /// The position of a cell.
    pub(super) fn position(self, [column, row]: [i64; 2]) -> [f64; 2] {
        let [x, z] = self.corner();
        let spacing = f64::from(self.spacing);
        [x + column as f64 * spacing, z + row as f64 * spacing]
    }

    /// The position in cells, which may be anywhere between them.
    pub(super) fn cell(self, at: [f64; 2]) -> [f64; 2] {
        let corner = self.corner();
        [0, 1].map(|axis| (at[axis] - corner[axis]) / f64::from(self.spacing))
    }

    /// The cells of the map.
    pub(super) fn cells(self) -> CellRect {
        CellRect::new(0, 0, self.columns, self.rows)
    }

    /// The cells of the map within bounds.
    pub(super) fn within(self, bounds: Bounds) -> Option<CellRect> {
        let [min, max] = [bounds.min, bounds.max].map(|corner| self.cell(corner));
        let most = [self.columns, self.rows].map(|cells| f64::from(cells) - 1.0);
        let first = [0, 1].map(|axis| min[axis].ceil().max(0.0));
        let last = [0, 1].map(|axis| max[axis].floor().min(most[axis]));
        let sides = [0, 1].map(|axis| last[axis] - first[axis] + 1.0);
        let is_any = sides.iter().all(|&side| side >= 1.0);
        is_any.then(|| {
            CellRect::new(
                first[0] as i64,
                first[1] as i64,
                sides[0] as u32,
                sides[1] as u32,
            )
        })
    }
}

/// A rectangle along x and z in meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Bounds {
    /// The smallest rectangle with these points.
    pub(super) fn of(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let nothing = Self {
            min: [f64::INFINITY; 2],
            max: [f64::NEG_INFINITY; 2],
        };
        points.into_iter().fold(nothing, |bounds, at| Self {
            min: [0, 1].map(|axis| bounds.min[axis].min(at[axis])),
            max: [0, 1].map(|axis| bounds.max[axis].max(at[axis])),
        })
    }

    /// Whether both have a point in common. False if a number is not finite.
    pub(super) fn meets(self, other: Self) -> bool {
        [0, 1]
            .iter()
            .all(|&axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    pub(super) fn grown(self, by: f64) -> Self {
        Self {
            min: self.min.map(|side| side - by),
            max: self.max.map(|side| side + by),
        }
    }
}

/// A position and a direction on the terrain, in its local space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Along x, y (up) and z in meters.
    pub at: [f32; 3],
    /// The direction of the local x axis along x and z. Its length must be 1.
    pub direction: [f32; 2],
}

impl Placement {
    pub(super) fn validate(self) -> Result<(), ModifierError> {
        let [x, y, z] = self.at;
        check_position([x, y, z])?;
        let [east, south] = self.direction;
        let length = east * east + south * south;
        check("squared length of the direction", length, 0.99, 1.01)
    }

    /// The direction with a length of exactly 1, as far as that is possible.
    fn axis(self) -> [f64; 2] {
        let [east, south] = self.direction.map(f64::from);
        let length = (east * east + south * south).sqrt();
        [east / length, south / length]
    }

    /// The height in millimeters.
    pub(super) fn mm(self) -> f64 {
        f64::from(self.at[1]) * 1000.0
    }

    /// A position along the axes of the placement, from its center.
    pub(super) fn local(self, at: [f64; 2]) -> [f64; 2] {
        let [east, south] = self.axis();
        let [x, z] = [at[0] - f64::from(self.at[0]), at[1] - f64::from(self.at[2])];
        [x * east + z * south, z * east - x * south]
    }

    /// The bounds of a rectangle with sides of twice these lengths.
    pub(super) fn bounds(self, half: [f64; 2]) -> Bounds {
        let [east, south] = self.axis().map(f64::abs);
        let x = half[0] * east + half[1] * south;
        let z = half[0] * south + half[1] * east;
        let [cx, cz] = [f64::from(self.at[0]), f64::from(self.at[2])];
        Bounds {
            min: [cx - x, cz - z],
            max: [cx + x, cz + z],
        }
    }
}

pub(super) fn check_position([x, y, z]: [f32; 3]) -> Result<(), ModifierError> {
    for along in [x, z] {
        check("position", along, -1e7, 1e7)?;
    }
    check("height", y, -1e6, 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_find_their_cells() {
        let grid = MapGrid {
            columns: 11,
            rows: 21,
            spacing: 2.0,
        };
        assert_eq!(grid.position([0, 0]), [-10.0, -20.0]);
        assert_eq!(grid.cell([10.0, 20.0]), [10.0, 20.0]);
        let bounds = |min, max| grid.within(Bounds { min, max });
        let inside = bounds([-1.0, -1.0], [1.0, 2.0]);
        assert_eq!(inside, Some(CellRect::new(5, 10, 1, 2)));
        assert_eq!(bounds([-99.0; 2], [99.0; 2]), Some(grid.cells()));
        assert_eq!(bounds([0.5; 2], [1.5; 2]), None);
        assert_eq!(bounds([10.5; 2], [99.0; 2]), None);
    }
}
