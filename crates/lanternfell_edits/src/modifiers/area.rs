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

/// Where the cells of a map or a plane are in the local space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    /// The distance between two cells in meters.
    spacing: f64,
    /// A cell, and its position. Other cells are relative to it, so that positions near it are precise wherever it is.
    origin: [i64; 2],
    corner: [f64; 2],
    /// The cells of a map. `None` on a plane, which has no borders.
    cells: Option<CellRect>,
}

impl Grid {
    pub(super) fn of_map(map: MapGrid) -> Self {
        let spacing = f64::from(map.spacing);
        let sides = [map.columns, map.rows];
        Self {
            spacing,
            origin: [0; 2],
            corner: sides.map(|cells| f64::from(cells.saturating_sub(1)) / -2.0 * spacing),
            cells: Some(CellRect::new(0, 0, map.columns, map.rows)),
        }
    }

    /// Cell (0, 0) is at 0.
    pub(super) fn of_plane(spacing: f32) -> Self {
        Self {
            spacing: spacing.into(),
            origin: [0; 2],
            corner: [0.0; 2],
            cells: None,
        }
    }

    /// The same cells in a local space with another origin.
    pub(super) fn at(self, origin: [i64; 2]) -> Self {
        Self { origin, ..self }
    }

    /// Whether both have the same cells.
    pub(super) fn is_like(self, other: Self) -> bool {
        self.at(other.origin) == other
    }

    /// A position in the local space of another grid with the same cells.
    pub(super) fn position_on(self, other: Self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let cells = self.origin[axis].saturating_sub(other.origin[axis]);
            at[axis] + cells as f64 * self.spacing
        })
    }

    pub(super) fn is_plane(self) -> bool {
        self.cells.is_none()
    }

    /// Whether there are cells.
    pub(super) fn is_valid(self) -> bool {
        let has_cells = self.cells.is_none_or(|cells| cells.cells() > 0);
        has_cells && self.spacing.is_finite() && self.spacing > 0.0
    }

    pub(super) fn spacing(self) -> f64 {
        self.spacing
    }

    /// The rectangle between the outermost cells.
    pub(super) fn bounds(self) -> Bounds {
        match self.cells {
            Some(_) => Bounds {
                min: self.corner,
                max: self.corner.map(|side| -side),
            },
            None => Bounds::EVERYWHERE,
        }
    }

    /// The position of a cell.
    pub(super) fn position(self, cell: [i64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let from_origin = cell[axis].saturating_sub(self.origin[axis]);
            self.corner[axis] + from_origin as f64 * self.spacing
        })
    }

    /// The cell at a position or before it, and how far beyond it the position is, from 0 to 1. Outside of a map, it is
    /// the nearest cell.
    pub(super) fn cell(self, at: [f64; 2]) -> [(i64, f64); 2] {
        [0, 1].map(|axis| {
            let along = self.along(axis, at[axis]);
            let along = match self.most() {
                Some(most) => along.clamp(0.0, most[axis]),
                None => along,
            };
            let before = along.floor();
            (self.cell_at(axis, before), along - before)
        })
    }

    /// The next cell along an axis, if there is one.
    pub(super) fn next(self, axis: usize, cell: i64) -> i64 {
        match self.most() {
            Some(most) => (cell + 1).min(most[axis] as i64),
            None => cell + 1,
        }
    }

    /// The cells of the map in an area.
    pub(super) fn common(self, area: CellRect) -> Option<CellRect> {
        match self.cells {
            Some(cells) => area.intersection(cells),
            None => Some(area),
        }
    }

    /// The cells within bounds.
    pub(super) fn within(self, bounds: Bounds) -> Option<CellRect> {
        let cells = [0, 1].map(|axis| {
            let first = self.along(axis, bounds.min[axis]).ceil();
            let last = self.along(axis, bounds.max[axis]).floor();
            match self.most() {
                Some(most) => (first.max(0.0), last.min(most[axis])),
                None => (first, last),
            }
        });
        let sides = cells.map(|(first, last)| last - first + 1.0);
        let is_any = sides.iter().all(|&side| side >= 1.0);
        is_any.then(|| {
            let [column, row] = [0, 1].map(|axis| self.cell_at(axis, cells[axis].0));
            CellRect::new(column, row, sides[0] as u32, sides[1] as u32)
        })
    }

    /// The largest column and row.
    fn most(self) -> Option<[f64; 2]> {
        let cells = self.cells?;
        Some([cells.columns, cells.rows].map(|cells| f64::from(cells) - 1.0))
    }

    /// A position along an axis, in cells from the origin.
    fn along(self, axis: usize, at: f64) -> f64 {
        (at - self.corner[axis]) / self.spacing
    }

    fn cell_at(self, axis: usize, cells: f64) -> i64 {
        self.origin[axis].saturating_add(cells as i64)
    }
}

/// A rectangle along x and z in meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Bounds {
    pub(super) const EVERYWHERE: Self = Self {
        min: [f64::NEG_INFINITY; 2],
        max: [f64::INFINITY; 2],
    };

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

    /// Two columns and two rows of cells 2 m apart.
    const EAST_OF_MIDDLE: Bounds = Bounds {
        min: [1.0, -1.0],
        max: [5.0, 2.0],
    };

    #[test]
    fn bounds_find_their_cells() {
        let grid = Grid::of_map(MapGrid {
            columns: 11,
            rows: 21,
            spacing: 2.0,
        });
        assert_eq!(grid.position([0, 0]), [-10.0, -20.0]);
        assert_eq!(grid.cell([10.0, 20.0]), [(10, 0.0), (20, 0.0)]);
        assert_eq!(grid.cell([-99.0, 1.5]), [(0, 0.0), (10, 0.75)]);
        assert_eq!([9, 10].map(|cell| grid.next(0, cell)), [10, 10]);
        let bounds = |min, max| grid.within(Bounds { min, max });
        assert_eq!(
            grid.within(EAST_OF_MIDDLE),
            Some(CellRect::new(6, 10, 2, 2))
        );
        assert_eq!(bounds([-99.0; 2], [99.0; 2]), grid.cells);
        assert_eq!(bounds([0.5; 2], [1.5; 2]), None);
        assert_eq!(bounds([10.5; 2], [99.0; 2]), None);
    }

    #[test]
    fn planes_are_as_precise_far_away() {
        let far = (1 << 60) + 1;
        let grid = Grid::of_plane(2.0).at([far, -7]);
        assert_eq!(grid.position([far + 1, -8]), [2.0, -2.0]);
        assert_eq!(grid.cell([-1.0, 3.0]), [(far - 1, 0.5), (-6, 0.5)]);
        assert_eq!(grid.next(0, far), far + 1);
        let area = CellRect::new(far + 1, -7, 2, 2);
        assert_eq!(grid.within(EAST_OF_MIDDLE), Some(area));
        assert_eq!(grid.common(area), Some(area));
        let near = grid.at([far - 3, 0]);
        assert!(near.is_like(grid) && near != grid);
        let at = grid.position_on(near, [2.0, -2.0]);
        assert_eq!(at, near.position([far + 1, -8]));
    }
}
