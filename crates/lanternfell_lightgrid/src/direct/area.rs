//! Rectangles of cells.

use glam::IVec2;

use crate::LightGrid;

/// A rectangle of cells: first column and row, and those after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) first: IVec2,
    pub(crate) end: IVec2,
}

impl Area {
    pub(super) fn whole(grid: &LightGrid) -> Self {
        Self {
            first: IVec2::ZERO,
            end: grid.size.as_ivec2(),
        }
    }

    pub(super) fn around(centre: IVec2, radius: u32, grid: &LightGrid) -> Self {
        let radius = IVec2::splat(radius as i32);
        let end = centre.saturating_add(radius + 1).min(grid.size.as_ivec2());
        let first = centre.saturating_sub(radius).max(IVec2::ZERO);
        Self {
            first: first.min(end.max(IVec2::ZERO)),
            end: end.max(IVec2::ZERO),
        }
    }

    pub(super) fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(self.first).all() && cell.cmplt(self.end).all()
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.first.cmplt(self.end).all()
    }

    pub(super) fn meet(&self, other: &Self) -> Option<Self> {
        let (first, end) = (self.first.max(other.first), self.end.min(other.end));
        let both = Self { first, end };
        (!both.is_empty()).then_some(both)
    }

    /// Row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = IVec2> {
        let columns = self.first.x..self.end.x;
        (self.first.y..self.end.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
    }

    fn width(&self) -> usize {
        (self.end.x - self.first.x).max(0) as usize
    }

    /// The place of a cell inside, row by row.
    pub(super) fn place(&self, cell: IVec2) -> usize {
        let inside = cell - self.first;
        inside.y as usize * self.width() + inside.x as usize
    }
}
