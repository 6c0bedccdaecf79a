//! Fills no-data cells by interpolation.
//!
//! Problem: a gap in an elevation model must be filled without a visible step at its edge, for any shape and size. The
//! time must not grow with the width of the gap.
//!
//! Idea: pull-push. The pull phase builds maps of half, a quarter, ... of the size. Each coarse cell is the mean of the
//! known cells among its four, until every cell is known. The push phase interpolates each unknown cell bilinearly from
//! the four nearest cells of the coarser map. A narrow gap is therefore filled from nearby, and the middle of a wide
//! one from far away. The remaining edges of the coarse cells are then relaxed: each filled cell moves to the mean of
//! its neighbors.
//!
//! ```text
//!   8 7 ? ? 3 2   pull   7.5   ?   2.5    push   8 7 6 4 3 2
//! ```
//!
//! A filled cell is never outside the range of the known cells. Cost: a few passes over the map, and 2 × 1/3 of its
//! memory in addition.
//!
//! Source: Gortler, Grzeszczuk, Szeliski and Cohen, *The Lumigraph*, SIGGRAPH 1996, section 3.6.

use crate::ImportError;
use lanternfell_heightmap::MapSize;

/// The number of relaxation passes.
const RELAXATIONS: usize = 16;

/// A map with known and unknown cells.
struct Level {
    width: usize,
    height: usize,
    /// NaN means unknown.
    cells: Vec<f32>,
}

/// Fills the cells that are gaps. Returns an error if all cells are gaps.
pub(super) fn interpolate(
    heights: &mut [f32],
    size: MapSize,
    is_gap: impl Fn(f32) -> bool,
) -> Result<(), ImportError> {
    let gaps: Vec<usize> = (0..heights.len())
        .filter(|&cell| is_gap(heights[cell]))
        .collect();
    if gaps.is_empty() {
        return Ok(());
    }
    if gaps.len() == heights.len() {
        return Err(ImportError::Malformed(
            "no cell has a height: there is nothing to interpolate from".to_owned(),
        ));
    }
    // One marker for all kinds of gaps, so that the levels only test for NaN.
    for &cell in &gaps {
        heights[cell] = f32::NAN;
    }
    let finest = Level {
        width: size.width(),
        height: size.height(),
        cells: heights.to_vec(),
    };
    let filled = finest.fill();
    for &cell in &gaps {
        heights[cell] = filled.cells[cell];
    }
    relax(heights, size, &gaps);
    Ok(())
}

impl Level {
    /// Returns the map with all unknown cells filled.
    fn fill(self) -> Self {
        if !self.cells.iter().any(|z| z.is_nan()) {
            return self;
        }
        // Recursion ends: each level halves both sides, and the coarsest cell knows at least one
        // height. The depth is at most 14.
        let coarse = self.half().fill();
        let mut cells = self.cells;
        for (y, row) in cells.chunks_mut(self.width).enumerate() {
            for (x, z) in row.iter_mut().enumerate().filter(|(_, z)| z.is_nan()) {
                // The coarse map is complete here, so the result is never NaN.
                *z = coarse.between(x, y);
            }
        }
        Self { cells, ..self }
    }

    /// Returns a map of half the size. Each cell is the mean of the known ones among four cells.
    fn half(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let (mut sum, mut count) = (0.0, 0.0);
                for row in 2 * y..(2 * y + 2).min(self.height) {
                    let columns = 2 * x..(2 * x + 2).min(self.width);
                    for &z in &self.cells[row * self.width..][columns] {
                        if !z.is_nan() {
                            sum += f64::from(z);
                            count += 1.0;
                        }
                    }
                }
                // 0 / 0 is NaN: still unknown.
                cells.push((sum / count) as f32);
            }
        }
        Self {
            width,
            height,
            cells,
        }
    }

    /// Returns the bilinearly interpolated height at the cell `(x, y)` of the finer map: along each axis, 3/4 of the
    /// containing coarse cell and 1/4 of the nearest other one.
    fn between(&self, x: usize, y: usize) -> f32 {
        let two = |at: usize, cells: usize| {
            // An even cell is in the western half of its coarse cell, so the western neighbor is nearer. An odd cell is
            // nearer to the eastern neighbor. Clamped at the edge.
            let next = if at.is_multiple_of(2) {
                (at / 2).saturating_sub(1)
            } else {
                at / 2 + 1
            };
            (at / 2, next.min(cells - 1))
        };
        let ((x, other_x), (y, other_y)) = (two(x, self.width), two(y, self.height));
        let get = |x: usize, y: usize| f64::from(self.cells[y * self.width + x]);
        let near = 0.75 * get(x, y) + 0.25 * get(other_x, y);
        let far = 0.75 * get(x, other_y) + 0.25 * get(other_x, other_y);
        (0.75 * near + 0.25 * far) as f32
    }
}

/// Moves each filled cell to the mean of its four neighbors, `RELAXATIONS` times.
fn relax(heights: &mut [f32], size: MapSize, gaps: &[usize]) {
    let width = size.width();
    for _ in 0..RELAXATIONS {
        // In place (Gauss-Seidel), which converges about twice as fast as with a copy. The order of `gaps` is fixed, so
        // the result is deterministic.
        for &cell in gaps {
            let (x, y) = (cell % width, cell / width);
            let neighbors = [
                (x > 0).then(|| cell - 1),
                (x + 1 < width).then_some(cell + 1),
                (y > 0).then(|| cell - width),
                (y + 1 < size.height()).then_some(cell + width),
            ];
            let mut sum = 0.0;
            let mut count = 0.0;
            for z in neighbors.into_iter().flatten().map(|cell| heights[cell]) {
                sum += f64::from(z);
                count += 1.0;
            }
            heights[cell] = (sum / count) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(width: u64, heights: &[f32]) -> Vec<f32> {
        let size = MapSize::new(width, heights.len() as u64 / width).unwrap();
        let mut heights = heights.to_vec();
        interpolate(&mut heights, size, f32::is_nan).unwrap();
        heights
    }

    #[test]
    fn hole_in_plane_is_filled_with_plane() {
        for side in [9, 24, 65] {
            let plane = |cell: usize| 3.0 * (cell % side) as f32 - 2.0 * (cell / side) as f32;
            let mut heights: Vec<f32> = (0..side * side).map(plane).collect();
            let hole = side / 3..side / 2;
            for y in hole.clone() {
                for x in hole.clone() {
                    heights[y * side + x] = f32::NAN;
                }
            }
            let found = filled(side as u64, &heights);
            // The error is a fraction of the height step between cells, and much smaller than the height range across
            // the hole.
            let worst = found
                .iter()
                .enumerate()
                .map(|(cell, z)| (z - plane(cell)).abs());
            let worst = worst.fold(0.0, f32::max);
            assert!(worst < 0.5, "{side}: {worst}");
        }
    }

    #[test]
    fn filled_cells_stay_in_known_range() {
        let mut heights = vec![f32::NAN; 40 * 30];
        for (cell, z) in [(3, -7.0), (700, 12.5), (1199, 3.0)] {
            heights[cell] = z;
        }
        let found = filled(40, &heights);
        assert!(found.iter().all(|z| (-7.0..=12.5).contains(z)));
        assert_eq!((found[3], found[700], found[1199]), (-7.0, 12.5, 3.0));
        let size = MapSize::new(2, 2).unwrap();
        assert!(interpolate(&mut [f32::NAN; 4], size, f32::is_nan).is_err());
    }
}
