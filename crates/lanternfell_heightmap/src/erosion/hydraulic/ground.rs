//! The heights that droplets run over, in whole grains.

use crate::MapSize;

/// Whole grains above the lowest height, for each cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ground {
    pub(super) size: MapSize,
    /// Row by row.
    pub(super) cells: Vec<f32>,
}

impl Ground {
    pub(super) fn row(&self, y: usize) -> &[f32] {
        let width = self.size.width();
        &self.cells[y * width..][..width]
    }
}
