//! Rectangles of cells of a plane.

use bevy::math::I64Vec2;
use lanternfell_heightmap::{Heightmap, MapSize};

/// A rectangle of cells, including those at both corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellArea {
    /// The north-west cell.
    pub(crate) min: I64Vec2,
    /// The south-east cell.
    pub(crate) max: I64Vec2,
}

impl CellArea {
    /// All cells of a map.
    pub(crate) fn of_map(size: MapSize) -> Self {
        Self {
            min: I64Vec2::ZERO,
            max: I64Vec2::new(size.width() as i64, size.height() as i64) - 1,
        }
    }

    /// The square that extends `cells` cells to each side of `cell`.
    pub(crate) fn around(cell: I64Vec2, cells: i64) -> Self {
        let cells = I64Vec2::splat(cells);
        Self {
            min: cell - cells,
            max: cell + cells,
        }
    }

    /// The rectangle with `cells` more on each side.
    pub(crate) fn grown(&self, cells: i64) -> Self {
        Self {
            min: self.min - cells,
            max: self.max + cells,
        }
    }

    /// The smallest rectangle around this one whose corners are multiples of `step`.
    pub(crate) fn aligned(&self, step: i64) -> Self {
        let down = |at: i64| at.div_euclid(step) * step;
        Self {
            min: I64Vec2::new(down(self.min.x), down(self.min.y)),
            max: -I64Vec2::new(down(-self.max.x), down(-self.max.y)),
        }
    }

    /// The smallest rectangle that contains both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The cells in both rectangles.
    pub(crate) fn common(&self, other: &Self) -> Option<Self> {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        min.cmple(max).all().then_some(Self { min, max })
    }

    /// The cells in both rectangles, if these are at least 2 x 2, the minimum for a map.
    pub(crate) fn shared(&self, other: &Self) -> Option<Self> {
        let common = self.common(other);
        common.filter(|common| common.cells().min_element() > 1)
    }

    /// Whether the rectangles have a cell in common.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    pub(crate) fn contains(&self, cell: I64Vec2) -> bool {
        self.min.cmple(cell).all() && cell.cmple(self.max).all()
    }

    /// Whether `other` is inside this rectangle.
    pub(crate) fn holds(&self, other: &Self) -> bool {
        self.contains(other.min) && self.contains(other.max)
    }

    /// The number of columns and rows.
    pub(crate) fn cells(&self) -> I64Vec2 {
        self.max - self.min + I64Vec2::ONE
    }

    pub(crate) fn longer_side(&self) -> i64 {
        self.cells().max_element()
    }

    /// Widens a rectangle with a single row or column by one more of `whole`, because a map has at least two.
    pub(crate) fn widened(mut self, whole: &Self) -> Self {
        if self.min.x == self.max.x {
            self.min.x = (self.min.x - 1).max(whole.min.x);
            self.max.x = self.min.x + 1;
        }
        if self.min.y == self.max.y {
            self.min.y = (self.min.y - 1).max(whole.min.y);
            self.max.y = self.min.y + 1;
        }
        self
    }

    /// Copies `cells` from the map of this area to the heights `to` of another area.
    pub(crate) fn copy(&self, map: &Heightmap, to: &mut [f32], other: &Self, cells: &Self) {
        let (width, columns) = (other.cells().x as usize, cells.cells().x as usize);
        let [source, target] = [self, other].map(|area| cells.min - area.min);
        for row in 0..cells.cells().y as usize {
            let source_row = &map.row(source.y as usize + row)[source.x as usize..][..columns];
            let start = (target.y as usize + row) * width + target.x as usize;
            to[start..][..columns].copy_from_slice(source_row);
        }
    }

    /// The size as a map, or `None` if it is not a valid map size.
    pub(crate) fn size(&self) -> Option<MapSize> {
        let cells = self.cells();
        MapSize::new(cells.x.try_into().ok()?, cells.y.try_into().ok()?).ok()
    }

    /// The center, in cells.
    pub(crate) fn middle(&self) -> bevy::math::DVec2 {
        (self.min + self.max).as_dvec2() / 2.0
    }

    /// The part that is not covered by [`shared`](Self::shared) with the other rectangle, as disjoint rectangles.
    pub(crate) fn without(&self, other: &Self) -> Vec<Self> {
        let Some(known) = self.shared(other) else {
            return vec![*self];
        };
        let part = |min: (i64, i64), max: (i64, i64)| Self {
            min: min.into(),
            max: max.into(),
        };
        let north = part((self.min.x, self.min.y), (self.max.x, known.min.y - 1));
        let south = part((self.min.x, known.max.y + 1), (self.max.x, self.max.y));
        let west = part((self.min.x, known.min.y), (known.min.x - 1, known.max.y));
        let east = part((known.max.x + 1, known.min.y), (self.max.x, known.max.y));
        let parts = [north, south, west, east].into_iter();
        parts
            .filter(|part| part.cells().min_element() > 0)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(min: (i64, i64), max: (i64, i64)) -> CellArea {
        CellArea {
            min: min.into(),
            max: max.into(),
        }
    }

    #[test]
    fn without_contains_each_remaining_cell_once() {
        let whole = area((-3, 2), (6, 9));
        for known in [
            area((0, 4), (3, 6)),
            area((-9, -9), (2, 5)),
            area((2, 5), (20, 20)),
            area((-9, 4), (20, 6)),
            area((-3, 2), (6, 9)),
            area((40, 40), (50, 50)),
            area((6, 9), (9, 12)),
        ] {
            let parts = whole.without(&known);
            for x in -3..=6 {
                for y in 2..=9 {
                    let cell = I64Vec2::new(x, y);
                    let found = parts.iter().filter(|part| part.contains(cell)).count();
                    let copied = whole
                        .shared(&known)
                        .is_some_and(|known| known.contains(cell));
                    assert_eq!(found, usize::from(!copied), "{cell} of {known:?}");
                }
            }
            let all: i64 = parts
                .iter()
                .map(|part| part.cells().element_product())
                .sum();
            assert!(all <= 80);
        }
    }

    #[test]
    fn aligned_areas_contain_the_original() {
        for (cell, cells) in [((0, 0), 10), ((-77, 1_000_003), 1250), ((31, 32), 0)] {
            let inner = CellArea::around(cell.into(), cells);
            let outer = inner.aligned(32);
            assert!(outer.holds(&inner));
            assert!(inner.min.cmpge(outer.min).all() && (inner.min - outer.min).max_element() < 32);
            assert!((outer.max - inner.max).max_element() < 32);
            assert_eq!(outer.min.rem_euclid(I64Vec2::splat(32)), I64Vec2::ZERO);
            assert_eq!(outer.max.rem_euclid(I64Vec2::splat(32)), I64Vec2::ZERO);
        }
    }
}
