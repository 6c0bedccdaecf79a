//! The rock and the sand on it, row by row.

use super::{blow::Column, lines::Lines};
use crate::{Canceled, Heightmap, Progress, rows};

/// The height of the hard rock and the number of slabs of sand on each cell.
pub(super) struct Field {
    pub(super) width: usize,
    /// In slabs.
    pub(super) ground: Vec<f32>,
    pub(super) sand: Vec<u32>,
}

/// A row of both.
pub(super) struct Row<'a> {
    pub(super) ground: &'a [f32],
    pub(super) sand: &'a [u32],
}

impl Field {
    /// A map without sand. `per_height` is the number of slabs in a height of 1.
    pub(super) fn bare(map: &Heightmap, per_height: f64) -> Self {
        let slabs = |&height: &f32| (f64::from(height) * per_height) as f32;
        Self {
            width: map.width(),
            ground: map.heights().iter().map(slabs).collect(),
            sand: vec![0; map.heights().len()],
        }
    }

    pub(super) fn height(&self) -> usize {
        self.sand.len() / self.width
    }

    pub(super) fn row(&self, y: usize) -> Row<'_> {
        let cells = y * self.width..(y + 1) * self.width;
        Row {
            ground: &self.ground[cells.clone()],
            sand: &self.sand[cells],
        }
    }

    /// Calls `work(scratch, line, columns)` for each line of cells. `columns` is scratch memory for all cells.
    pub(super) fn along<S>(
        &mut self,
        lines: &Lines,
        columns: &mut [Column],
        scratch: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize, &mut [Column]) + Sync + Send,
    ) -> Result<(), Canceled> {
        // These loops are too short to report progress.
        let silent = Progress::default();
        let width = self.width;
        let (ground, sand) = (&self.ground, &self.sand);
        rows::for_each_row_with(
            columns,
            lines.length,
            &silent,
            scratch,
            |scratch, line, columns| {
                for (along, column) in columns.iter_mut().enumerate() {
                    let (x, y) = lines.cell(line, along);
                    let cell = y * width + x;
                    *column = Column {
                        ground: ground[cell],
                        sand: sand[cell],
                    };
                }
                work(scratch, line, columns);
            },
        )?;
        let columns = &*columns;
        rows::for_each_row(&mut self.sand, width, &silent, |y, row| {
            for (x, sand) in row.iter_mut().enumerate() {
                *sand = columns[lines.place(x, y)].sand;
            }
        })
    }
}
