//! Holes of a mesh: squares of the grid without triangles.
//!
//! With a step, a square of the grid covers several squares of the map. It is a hole if most of them are, so that the
//! area of large holes stays about the same.

use super::MeshGrid;
use lanternfell_heightmap::{HoleMask, ParamError};

impl<'a> MeshGrid<'a> {
    /// Leaves out the squares of a mask, which is that of the whole map. Returns an error if the mask has another size
    /// or no square is left, which would not be a mesh.
    pub(super) fn with_holes(mut self, holes: Option<&'a HoleMask>) -> Result<Self, ParamError> {
        let Some(mask) = holes else {
            return Ok(self);
        };
        let (found, expected) = (mask.size(), self.map.size());
        let sides = [
            ("width of the holes", found.width(), expected.width()),
            ("height of the holes", found.height(), expected.height()),
        ];
        for (name, found, expected) in sides {
            let allowed = format_args!("that of the map, {expected}");
            ParamError::check(found == expected, "mesh", name, found as f64, allowed)?;
        }
        self.holes = holes;
        let (columns, rows) = (self.columns.len() - 1, self.rows.len() - 1);
        let in_row = |row| {
            (0..columns)
                .filter(|&column| self.is_hole(column, row))
                .count()
        };
        self.missing = (0..rows).map(|row| in_row(row) as u64).sum();
        let most = (columns * rows) as u64 - 1;
        let allowed = format_args!("at most {most}, because a mesh needs a triangle");
        let count = self.missing as f64;
        ParamError::check(
            self.missing <= most,
            "mesh",
            "number of holes",
            count,
            allowed,
        )?;
        Ok(self)
    }

    /// Returns whether a square of the grid is a hole, by the column and row of its northwest vertex in the grid.
    pub(super) fn is_hole(&self, column: usize, row: usize) -> bool {
        let Some(mask) = self.holes else {
            return false;
        };
        let along = |lines: &[usize], index: usize, start: usize| {
            start + lines[index]..start + lines[index + 1]
        };
        let columns = along(&self.columns, column, self.region.x());
        let rows = along(&self.rows, row, self.region.y());
        let squares = columns.len() * rows.len();
        2 * mask.count_in(columns, rows) > squares
    }
}
