//! Rectangles of cells, and unions of them.

use core::ops::Range;

use glam::{IVec2, UVec2};

/// A rectangle of cells: the first column and row, and those after the last. The default is empty.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) first: IVec2,
    pub(crate) end: IVec2,
}

impl Area {
    pub(crate) fn whole(size: UVec2) -> Self {
        Self {
            first: IVec2::ZERO,
            end: size.as_ivec2(),
        }
    }

    pub(crate) fn around(center: IVec2, radius: u32, size: UVec2) -> Self {
        let radius = IVec2::splat(radius as i32);
        let end = center.saturating_add(radius + 1).min(size.as_ivec2());
        let first = center.saturating_sub(radius).max(IVec2::ZERO);
        Self {
            first: first.min(end.max(IVec2::ZERO)),
            end: end.max(IVec2::ZERO),
        }
    }

    /// The area extended by a number of cells on each side.
    pub(crate) fn grown(self, by: i32) -> Self {
        Self {
            first: self.first - by,
            end: self.end + by,
        }
    }

    /// The cells that are in both areas.
    pub(crate) fn within(self, other: Self) -> Self {
        Self {
            first: self.first.max(other.first),
            end: self.end.min(other.end),
        }
    }

    /// The smallest rectangle that contains both areas.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            first: self.first.min(other.first),
            end: self.end.max(other.end),
        }
    }

    pub(crate) fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(self.first).all() && cell.cmplt(self.end).all()
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.first.cmplt(self.end).all()
    }

    /// All cells, row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = IVec2> {
        let columns = self.first.x..self.end.x;
        (self.first.y..self.end.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
    }

    /// The number of cells.
    pub(crate) fn count(&self) -> usize {
        self.width() * (self.end.y - self.first.y).max(0) as usize
    }

    fn width(&self) -> usize {
        (self.end.x - self.first.x).max(0) as usize
    }

    /// The index of a cell of the area, row by row.
    pub(crate) fn place(&self, cell: IVec2) -> usize {
        let inside = cell - self.first;
        inside.y as usize * self.width() + inside.x as usize
    }
}

/// For each row, the range from the first to the last cell of several areas. Overlapping areas are
/// visited once.
pub(crate) struct Spans(Vec<Range<i32>>);

impl Spans {
    pub(crate) fn over(areas: &[Area], size: UVec2) -> Self {
        let mut rows = vec![0..0; size.y as usize];
        for area in areas {
            for row in &mut rows[area.first.y as usize..area.end.y as usize] {
                if row.start >= row.end {
                    *row = area.first.x..area.end.x;
                } else {
                    *row = row.start.min(area.first.x)..row.end.max(area.end.x);
                }
            }
        }
        Self(rows)
    }

    pub(crate) fn contains(&self, cell: IVec2) -> bool {
        let row = usize::try_from(cell.y).ok().and_then(|y| self.0.get(y));
        row.is_some_and(|row| row.contains(&cell.x))
    }

    /// The cells in the ranges that are inside an area, row by row.
    pub(crate) fn within(&self, area: Area) -> impl Iterator<Item = IVec2> + '_ {
        (area.first.y..area.end.y).flat_map(move |y| {
            let row = &self.0[y as usize];
            let columns = row.start.max(area.first.x)..row.end.min(area.end.x);
            columns.map(move |x| IVec2::new(x, y))
        })
    }
}
