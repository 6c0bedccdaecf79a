//! Measures the part of a tree again in which heights have changed.
//!
//! The error of a square includes the errors of the finer squares and diamonds in it. A changed
//! cell therefore affects the squares that touch it, the diamonds on their sides, and the squares
//! on the other sides of these diamonds:
//!
//! ```text
//!   +-----+-----+-----+      c  the changed cell
//!   |     |     |     |      x  its square, which is measured again
//!   |     +  x  +  o  |      +  diamonds on the sides, whose bounds are computed again
//!   |     |   c |     |      o  so are those of the squares next to them
//!   +-----+-----+-----+
//! ```
//!
//! Such an area is a few squares wide at every level. Cost: about 4096 cells per measured square,
//! and one to four squares per two levels.

use std::ops::Range;

use glam::IVec2;

use crate::surface::SizeMismatch;
use lanternfell_heightmap::Heightmap;

use super::{DetailTree, Patch, lattice::Area, stray};

impl DetailTree {
    /// Updates the tree after cells in these columns and rows of the map have changed. Ranges are
    /// cut to the map. The result is that of [`new`](Self::new) with the same holes.
    ///
    /// # Errors
    /// If the map has another size. Then nothing is changed.
    pub fn update(
        &mut self,
        map: &Heightmap,
        columns: Range<usize>,
        rows: Range<usize>,
    ) -> Result<(), SizeMismatch> {
        SizeMismatch::check("detail tree", self.size(), map.size())?;
        let (columns, rows) = (
            columns.start..columns.end.min(map.width()),
            rows.start..rows.end.min(map.height()),
        );
        if columns.is_empty() || rows.is_empty() {
            return Ok(());
        }
        let cells = Area {
            min: IVec2::new(columns.start as i32, rows.start as i32),
            max: IVec2::new(columns.end as i32 - 1, rows.end as i32 - 1),
        };
        let finest = self.lattice.finest;
        let mut changed = self.measure_again(map, finest, cells);
        self.bound_even(finest, changed);
        for level in (0..finest).step_by(2).rev() {
            let measured = self.measure_again(map, level, cells);
            // Each odd diamond overlaps the four squares around its middle.
            let odd = self.lattice.diamonds(level + 1).clip(Area {
                min: changed.min.min(2 * measured.min),
                max: (changed.max + 1).max(2 * measured.max + 2),
            });
            self.bound_odd(level + 1, odd);
            // A square has the diamonds from twice its place to 2 places further.
            changed = self.lattice.diamonds(level).clip(Area {
                min: (odd.min - 1).div_euclid(IVec2::splat(2)),
                max: odd.max / 2,
            });
            self.bound_even(level, changed);
        }
        Ok(())
    }

    /// Whether the triangles of a patch depend on the heights of cells in these columns and rows.
    pub fn depends_on(&self, patch: Patch, columns: &Range<usize>, rows: &Range<usize>) -> bool {
        let (min, max) = patch.bounds(&self.lattice);
        // Normals depend on the cells next to a vertex.
        let touches = |cells: &Range<usize>, min: i32, max: i32| {
            let (start, end) = (cells.start as i64, cells.end as i64);
            start < end && start <= i64::from(max) + 1 && end > i64::from(min) - 1
        };
        touches(columns, min.x, max.x) && touches(rows, min.y, max.y)
    }

    /// Measures the squares of an even level that touch these cells, and returns their area.
    fn measure_again(&mut self, map: &Heightmap, level: u32, cells: Area) -> Area {
        let side = IVec2::splat(self.lattice.square_side(level));
        let grid = self.lattice.diamonds(level);
        // The cells on a border between two squares belong to both.
        let area = grid.clip(Area {
            min: (cells.min - 1).div_euclid(side),
            max: cells.max / side,
        });
        for place in area.places() {
            self.squares[level as usize / 2][grid.at(place)] =
                stray::of_square(map, &self.lattice, level, place.x, place.y);
        }
        area
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        detail::{Cut, Lens, Viewer},
        surface::Surface,
    };
    use glam::Vec3;
    use lanternfell_heightmap::{HoleMask, MapSize, Progress, Scale, SeededRng};

    fn random(rng: &mut SeededRng) -> f32 {
        // Some heights are equal, so that errors are often 0.
        (rng.below(40) as f32 / 40.0).powi(3)
    }

    /// Compares with a tree of the whole map after random changes, most of which are small.
    #[test]
    fn update_equals_new_tree() {
        let mut rng = SeededRng::new(2, b"update  ");
        for (width, height) in [(2, 2), (65, 65), (66, 40), (130, 64), (200, 300), (513, 20)] {
            for side in [4, 64] {
                let size = MapSize::new(width, height).unwrap();
                let mut map = Heightmap::flat(size);
                let progress = Progress::default();
                let new = |map: &Heightmap| DetailTree::with_side(map, side, &progress).unwrap();
                let mut tree = new(&map);
                for _ in 0..12 {
                    let mut range = |cells: u64| {
                        let most = if rng.below(4) == 0 {
                            cells
                        } else {
                            5.min(cells)
                        };
                        let count = 1 + rng.below(most);
                        let start = rng.below(cells - count + 1) as usize;
                        start..start + count as usize
                    };
                    let (columns, rows) = (range(width), range(height));
                    for y in rows.clone() {
                        for x in columns.clone() {
                            map.set(x, y, random(&mut rng)).unwrap();
                        }
                    }
                    tree.update(&map, columns.clone(), rows.clone()).unwrap();
                    assert!(
                        tree == new(&map),
                        "{width} x {height}, {side}: {columns:?} {rows:?}"
                    );
                }
            }
        }
    }

    /// Patches that do not depend on changed cells keep their triangles, and all others are found.
    #[test]
    fn patches_depend_on_cells_near_them() {
        let size = MapSize::new(150, 130).unwrap();
        let mut rng = SeededRng::new(3, b"depends ");
        let mut map = Heightmap::from_fn(size, |_, _| rng.unit() as f32).unwrap();
        let progress = Progress::default();
        let scale = Scale::of_size(size);
        let (mut same, mut other) = (0, 0);
        for (error, side) in [(0.0, 64), (9.0, 16), (40.0, 16)] {
            let tree = DetailTree::with_side(&map, side, &progress).unwrap();
            let lens = Lens::Perspective(1000.0);
            let eye = Vec3::new(0.0, 200.0, 0.0);
            let patches = tree.cut(
                &[Viewer { eye, lens }],
                scale,
                error,
                10_000,
                &Cut::default(),
            );
            for (column, row) in [(0, 0), (64, 64), (63, 17), (149, 129), (100, 1)] {
                let triangles = |map: &Heightmap| -> Vec<_> {
                    let surface = Surface::new(map, scale);
                    let patches = patches.patches.iter();
                    patches
                        .map(|patch| tree.triangulate(&surface, *patch))
                        .collect()
                };
                let before = triangles(&map);
                map.set(column, row, 2.0).unwrap();
                let after = triangles(&map);
                for ((patch, before), after) in patches.patches.iter().zip(before).zip(after) {
                    let depends = tree.depends_on(*patch, &(column..column + 1), &(row..row + 1));
                    assert!(depends || before == after);
                    same += usize::from(!depends);
                    other += usize::from(before != after);
                }
            }
        }
        assert!(other > 0 && same > other, "{same} and {other}");
    }

    #[test]
    fn update_keeps_holes_and_cuts_ranges() {
        let size = MapSize::new(100, 80).unwrap();
        let mut map = Heightmap::flat(size);
        let mut holes = HoleMask::none(size);
        holes.set_disc(glam::Vec2::new(20.0, 30.0), 9.0, true);
        let progress = Progress::default();
        let new = |map: &Heightmap| {
            let tree = DetailTree::new(map, &progress).unwrap();
            tree.with_holes(&holes).unwrap()
        };
        let mut tree = new(&map);
        map.set(99, 79, 0.7).unwrap();
        tree.update(&map, 99..usize::MAX, 79..500).unwrap();
        assert!(tree == new(&map));
        let before = tree.clone();
        tree.update(&map, 100..200, 0..80).unwrap();
        assert!(tree == before);
        let other = Heightmap::flat(MapSize::new(80, 100).unwrap());
        let error = tree.update(&other, 0..1, 0..1).unwrap_err();
        assert!(error.to_string().contains("detail tree"), "{error}");
    }
}
