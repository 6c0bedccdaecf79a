//! What differs between two surfaces of a terrain.

use std::ops::Range;

use lanternfell_heightmap::{Heightmap, MapSize};

use crate::cells::CellArea;

/// The parts of a map that edits have changed. Areas are rectangles of cells on the map.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SurfaceChange {
    /// Where heights or holes may differ.
    pub(crate) areas: Vec<CellArea>,
    /// Whether any of these differences is a hole.
    pub(crate) holes: bool,
    /// Where painted layers may differ.
    pub(crate) painted: Vec<CellArea>,
    /// Where the density of plants may differ.
    pub(crate) planted: Vec<CellArea>,
}

impl SurfaceChange {
    /// Whether so much has changed that it is faster to compute everything again.
    pub(super) fn is_large(&self, map: MapSize) -> bool {
        let cells = self.areas.iter().map(|area| area.cells().element_product());
        cells.sum::<i64>() > map.cells() as i64 / 4
    }

    /// The columns and rows of each area in which heights or holes may differ.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = [Range<usize>; 2]> {
        self.areas.iter().map(ranges)
    }

    /// The rows in which the layers of the ground may differ.
    pub(crate) fn rows_of_layers(&self) -> impl Iterator<Item = Range<usize>> {
        let areas = self.areas.iter().chain(&self.painted);
        areas.map(|area| {
            let [_, rows] = ranges(area);
            rows
        })
    }

    /// Everything that may differ.
    pub(crate) fn all(&self) -> impl Iterator<Item = &CellArea> {
        let areas = self.areas.iter().chain(&self.painted);
        areas.chain(&self.planted)
    }
}

/// Squares of a map that contain all heights that differ from those of another map of the same size.
pub(super) fn differences(before: &Heightmap, after: &Heightmap) -> Vec<CellArea> {
    const SIDE: usize = 32;
    let mut areas = Vec::new();
    for y in (0..before.height()).step_by(SIDE) {
        let rows = y..before.height().min(y + SIDE);
        for x in (0..before.width()).step_by(SIDE) {
            let columns = x..before.width().min(x + SIDE);
            let is_same = |y| before.row(y)[columns.clone()] == after.row(y)[columns.clone()];
            if !rows.clone().all(is_same) {
                areas.push(CellArea {
                    min: (x as i64, y as i64).into(),
                    max: (columns.end as i64 - 1, rows.end as i64 - 1).into(),
                });
            }
        }
    }
    areas
}

fn ranges(area: &CellArea) -> [Range<usize>; 2] {
    let [min, max] = [area.min, area.max].map(bevy::math::I64Vec2::as_usizevec2);
    [min.x..max.x + 1, min.y..max.y + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_changes_are_a_quarter_of_the_map() {
        let area = |last: (i64, i64)| CellArea {
            min: (0, 0).into(),
            max: last.into(),
        };
        let change = SurfaceChange {
            areas: vec![area((9, 9)), area((0, 0))],
            ..SurfaceChange::default()
        };
        assert_eq!(change.ranges().last(), Some([0..1, 0..1]));
        let is_large = |side| change.is_large(MapSize::new(side, side).unwrap());
        assert!(is_large(20) && !is_large(21));
    }

    #[test]
    fn differences_contain_all_changed_heights() {
        let size = MapSize::new(70, 33).unwrap();
        let before = Heightmap::flat(size);
        assert_eq!(differences(&before, &before), []);
        let mut after = before.clone();
        for (x, y) in [(0, 31), (69, 32)] {
            after.set(x, y, 0.5).unwrap();
        }
        let area = |min: (i64, i64), max: (i64, i64)| CellArea {
            min: min.into(),
            max: max.into(),
        };
        let expected = [area((0, 0), (31, 31)), area((64, 32), (69, 32))];
        assert_eq!(differences(&before, &after), expected);
    }
}
